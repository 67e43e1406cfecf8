#!/bin/sh
# check_syslibs.sh FILE -lfoo...: what rustc asked for when it built is what zarrc.pc and the
# CMake package name.
file=$1
shift
asked=$(tr -s ' \n' ' ' < "$file" | sed 's/^ *//; s/ *$//')
[ "$asked" = "$*" ] && exit 0
printf 'asked for: %s\nnamed:     %s\n' "$asked" "$*"
exit 1
