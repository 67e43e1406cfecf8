#!/bin/sh
# check_exports.sh CC NM LIBRARY HEADER: the library exports the functions of the header, and
# nothing else.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
case $3 in
    *.a) table="" ;;
    *) table=-D ;;
esac
"$2" $table --extern-only --defined-only "$3" |
    awk 'NF == 3 && $2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u > "$work/exported"
"$1" -E -P "$4" | grep -o '\bzarrc_[a-z0-9_]*(' | tr -d '(' | sort -u > "$work/declared"
diff "$work/declared" "$work/exported" > "$work/difference" && exit 0
echo "< only in $4, > only in $3:"
cat "$work/difference"
exit 1
