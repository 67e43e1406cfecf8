#!/bin/sh
# check_syslibs.sh FILE -lfoo...: what rustc asked for when it built is what zarrc.pc and the
# CMake package name, but for what the compiler adds by itself, and for repetitions before the last.
file=$1
shift
asked=$(tr -s ' \n' '\n' < "$file" | grep -vx -e '' -e -lgcc_s -e -lc |
  awk '{ last[$0] = NR; line[NR] = $0 } END { for (n = 1; n <= NR; n++) if (last[line[n]] == n) print line[n] }' |
  tr '\n' ' ' | sed 's/ $//')
[ "$asked" = "$*" ] && exit 0
printf 'asked for: %s\nnamed:     %s\n' "$asked" "$*"
exit 1
