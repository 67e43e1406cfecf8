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
