#!/bin/sh
# check_soname.sh READELF LIBRARY SONAME
"$1" -d "$2" | grep -F "SONAME" | grep -qF "[$3]" && exit 0
echo "$2 should have the SONAME $3:"
"$1" -d "$2" | grep -F SONAME
exit 1
