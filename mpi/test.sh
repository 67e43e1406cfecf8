#!/bin/sh
# Compiles the companion, its test and the example with one MPI, and runs them.
#   test.sh MPICC MPIRUN RANKS LIBRARY_DIRECTORY [CASES]
set -eu
mpicc=$1 mpirun=$2 ranks=$3 library=$4 cases=${5:-25}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

flags="-std=gnu11 -O1 -g -Wall -Wextra -Werror -I$here -I$here/../include"
companion="$here/zarrc_mpi.c $here/exchange.c"
link="-L$library -lzarrc -lm -Wl,-rpath,$library"
$mpicc $flags "$here/test_mpi.c" $companion -o "$work/test" $link
$mpicc $flags "$here/../examples/mpi_heat.c" $companion -o "$work/heat" $link

# more ranks than cores, as any user (Open MPI refuses both unless told)
run="$mpirun -n $ranks"
if "$mpirun" --version 2>&1 | grep -q 'Open MPI\|OpenRTE'; then
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
fi
$run "$work/test" "$work" "$cases"
$run "$work/heat" "$work/heat.zarr" 3
