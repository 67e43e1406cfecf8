#!/bin/sh
# check_header.sh CC CXX HEADER: the header compiles alone, in every standard that C users have.
set -eu
flags="-Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -fsyntax-only"
for standard in c99 c11 c17; do
    "$1" -std=$standard $flags -x c "$3"
done
flags="-Wall -Wextra -Wpedantic -Werror -fsyntax-only"
for standard in c++11 c++17 c++20; do
    "$2" -std=$standard $flags -x c++ "$3"
done
