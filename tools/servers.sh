#!/bin/sh
# The servers that tests of stores across a network speak to: installed once, started on loopback, stopped.
#   tools/servers.sh install
#   tools/servers.sh run COMMAND [ARG...]
[ "${1:-}" = run ] && shift
exec python3 "$(dirname "$0")/../tests/servers/run.py" "$@"
