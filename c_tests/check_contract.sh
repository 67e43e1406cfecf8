#!/bin/sh
# check_contract.sh CC NM LIBRARY: the library defines what contract.h declares, but for the
# functions named in lacking.txt; and it lacks those, so that the list can only shrink.
set -eu
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$1" -E -P "$here/contract.h" | grep -o '\bzarrc_[a-z0-9_]*(' | tr -d '(' | sort -u > "$work/declared"
"$2" -D --defined-only "$3" | awk '{ sub(/@.*/, "", $3); print $3 }' | sort -u > "$work/defined"
sed 's/#.*//; s/ //g; /^$/d' "$here/lacking.txt" | sort -u > "$work/listed"
comm -23 "$work/declared" "$work/defined" > "$work/lacking"

# Its constants have their values: those of the header are enumerators, which no second #define contradicts.
{
    echo '#include "zarrc.h"'
    sed -n 's/^#define \(ZARRC_[A-Z0-9_]*\)  *\([0-9][^ ]*\).*/_Static_assert(\1 == \2, "\1");/p' "$here/contract.h"
} > "$work/constants.c"
[ "$(grep -c _Static_assert "$work/constants.c")" -gt 50 ]
"$1" -std=c11 -fsyntax-only -I"$here/../include" "$work/constants.c"

echo "the contract declares $(wc -l < "$work/declared") functions; the library lacks $(wc -l < "$work/lacking"):"
sed 's/^/    /' "$work/lacking"
status=0
for name in $(comm -23 "$work/lacking" "$work/listed"); do
    echo "error: the library lacks $name"
    status=1
done
for name in $(comm -13 "$work/lacking" "$work/listed"); do
    echo "error: lacking.txt still names $name: take it out"
    status=1
done
exit $status
