#!/usr/bin/env bash
# Exchanges arrays with other implementations of Zarr, both ways: tests/interop/run.sh [WORD…]
# The library is that of ZARRC_LIB, else target/release or build/. The others are installed once,
# into .venv-interop of this clone. Needs python3 with venv, and the network the first time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venvs=$here/../../.venv-interop

environment() {  # environment NAME REQUIREMENTS [PYTHON]: makes it, or makes it anew if the requirements changed
  local folder=$venvs/$1 wanted=$here/$2
  cmp -s "$wanted" "$folder/requirements" && return
  rm -rf "$folder"
  "${3:-python3}" -m venv "$folder"
  "$folder/bin/pip" -q --disable-pip-version-check install -r "$wanted"
  cp "$wanted" "$folder/requirements"
}
environment zarr3 requirements.txt
environment zarr2 requirements-zarr2.txt

export ZARR2_PYTHON=$venvs/zarr2/bin/python
status=0
"$venvs/zarr3/bin/python" "$here/run.py" "$@" || status=1

# The Icechunk that writes format 2 requires Python 3.12.
if [ $# = 0 ] || [[ " $* " == *" icechunk "* ]]; then
  for python in python3 python3.14 python3.13 python3.12 ~/.pyenv/versions/3.1[2-9]*/bin/python; do
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2> /dev/null || continue
    environment icechunk2 requirements-icechunk2.txt "$python"
    echo "icechunk 2, format 2"
    "$venvs/icechunk2/bin/python" "$here/repositories.py" || status=1
    break
  done
fi
exit $status
