#!/bin/sh
# Compiles the companion, its test and the examples with one MPI, and runs them.
#   test.sh KIND RANKS LIBRARY_DIRECTORY [CASES]      KIND: openmpi, mpich
set -eu
kind=$1 ranks=$2 library=$3 cases=${4:-25}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

# more ranks than cores, as root too (Open MPI refuses both unless told)
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
run="mpirun.$kind -n $ranks"
flags="-O1 -g -Wall"
link="-L$library -lzarrc -lm -Wl,-rpath,$library"

"mpicc.$kind" -std=gnu11 $flags -Wextra -Werror -I"$here" -I"$here/../include" -c \
    "$here"/*.c "$here/../examples/mpi_heat.c"
companion=$(ls *.o | grep -v -e "^test_" -e "^mpi_heat")
"mpicc.$kind" test_*.o $companion -o test $link
"mpicc.$kind" mpi_heat.o $companion -o heat $link
$run ./test "$work" "$cases"
$run ./heat heat.zarr 3

command -v "mpifort.$kind" > /dev/null || exit 0
fortran="$here/../bindings/fortran"
"mpifort.$kind" $flags -Wno-unused-dummy-argument -c "$fortran/zarrc_c.f90" "$fortran/zarrc_memory.f90" \
    "$here/zarrc_mpi.f90"
modules="zarrc_c.o zarrc_memory.o zarrc_mpi.o $companion"
"mpifort.$kind" $flags "$here/test_fortran.f90" $modules -o test_f $link
$run ./test_f "$work"
"mpifort.$kind" $flags "$here/../examples/mpi_heat.f90" $modules -o heat_f $link
$run ./heat_f heat_f.zarr
