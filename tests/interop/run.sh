#!/usr/bin/env bash
# Exchanges arrays with other implementations of Zarr, both ways: tests/interop/run.sh [WORD…]
# The library is that of ZARRC_LIB, else target/release or build/. The others are installed once,
# into .venv-interop of this clone. Needs python3 with venv, and the network the first time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venvs=$here/../../.venv-interop

environment() {  # environment NAME REQUIREMENTS: makes it, or makes it anew if the requirements changed
  local folder=$venvs/$1 wanted=$here/$2
  cmp -s "$wanted" "$folder/requirements" && return
  rm -rf "$folder"
  python3 -m venv "$folder"
  "$folder/bin/pip" -q --disable-pip-version-check install -r "$wanted"
  cp "$wanted" "$folder/requirements"
}
environment zarr3 requirements.txt
environment zarr2 requirements-zarr2.txt

export ZARR2_PYTHON=$venvs/zarr2/bin/python
exec "$venvs/zarr3/bin/python" "$here/run.py" "$@"
