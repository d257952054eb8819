#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a program for Windows under Wine, without Wine's own messages, and with the ends of lines that CTest expects.
#
#   run_under_wine.sh PROGRAM [arguments]
#
# Wine keeps its system in WINEPREFIX; if that is not set, in the folder `wine` of the build that the program is run in,
# and outside of one where Wine always does.
set -o pipefail
wine=$(command -v wine64 || echo /usr/lib/wine/wine64)
build=$PWD
while [ ! -f "$build/CMakeCache.txt" ] && [ -n "$build" ]; do build=${build%/*}; done
[ -z "$build" ] || export WINEPREFIX="${WINEPREFIX:-$build/wine}"
export WINEDEBUG="${WINEDEBUG:--all}" DISPLAY=''
"$wine" "$@" | tr -d '\r'
