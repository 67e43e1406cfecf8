#!/bin/sh
# check_syslibs.sh FILE -lfoo...: what rustc asked for when it built is what zarrc.pc and the
# CMake package name, but for what the compiler adds by itself.
file=$1
shift
asked=$(tr -s ' \n' '\n' < "$file" | grep -vx -e '' -e -lgcc_s -e -lc | tr '\n' ' ' | sed 's/ $//')
[ "$asked" = "$*" ] && exit 0
printf 'asked for: %s\nnamed:     %s\n' "$asked" "$*"
exit 1
