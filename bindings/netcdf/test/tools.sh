#!/bin/sh
# netCDF's tools on Zarr: ncdump, nccopy and, where they are found, NCO and xarray.
#
#     tools.sh PRELOAD DIRECTORY PYTHON    # DIRECTORY has what test_netcdf and test_netcdf.f90 wrote
set -eu
preload=$1 where=$2 python=$3
here=$(cd "$(dirname "$0")" && pwd)
with() { LD_PRELOAD=$preload "$@"; }
fail() { echo "$0: $*" >&2; exit 1; }
cd "$where"
rm -rf copied* picked* climate* plain* mean*

with ncdump written3.zarr > written.cdl
grep -q 'time = UNLIMITED ; // (5 currently)' written.cdl || fail 'ncdump: no unlimited time'
grep -q '_, _, _, _' written.cdl || fail 'ncdump: no missing record'
grep -q 'deep = _, -1, -2' written.cdl || fail 'ncdump: no values of the group'
# there and back: the text stays the same
with nccopy written3.zarr copied.nc
with nccopy copied.nc copied.zarr
ncdump -n same copied.nc > copied.nc.cdl
with ncdump -n same copied.zarr | sort > copied.zarr.cdl
sort copied.nc.cdl | diff - copied.zarr.cdl || fail 'nccopy: the copy in Zarr differs'

if command -v ncks > /dev/null; then
  with ncks -O -h -v tas -d time,1,2 written3.zarr picked.zarr
  with ncdump -v time picked.zarr | grep -q 'time = 0.5, 1 ;' || fail 'ncks: other records'
  with ncra -O -h -v tas -d time,0,1 written3.zarr mean.nc
  ncdump -v tas mean.nc | grep -q '70, 71, 72, 73' || fail 'ncra: another mean'
fi

if "$python" -c 'import xarray, zarr, netCDF4; assert zarr.__version__ >= "3"' 2> /dev/null; then
  "$python" -W ignore "$here/check.py" .
  for format in 2 3; do
    "$python" -W ignore "$here/make_stores.py" . $format
    with nccopy climate$format.zarr climate$format.nc
    with nccopy plain$format.zarr plain$format.nc
    "$python" -W ignore "$here/compare.py" . $format
  done
fi
echo ok
