#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# In ptxas's place for programs that run it (Triton: TRITON_PTXAS_PATH): the "machine code" for the embedded GPU is the PTX itself.
#
#   ptxas [OPTIONS] -o OUTPUT INPUT
set -eu

output=
input=
while [ $# -gt 0 ]; do
    case $1 in
    # Programs read the release, and choose the version of PTX by it: 8.7.
    --version | -V) echo "gpuprof, which takes PTX as ptxas of release 12.8, V12.8.0 does" && exit 0 ;;
    -o | --output-file) output=$2 && shift ;;
    -*) ;; # they tune a compiler, of which there is none
    *) [ ! -f "$1" ] || input=$1 ;;
    esac
    shift
done
[ -n "$output" ] && [ -n "$input" ] || {
    echo "ptxas of gpuprof: name a file of PTX, and by -o another one for the embedded GPU" >&2
    exit 2
}
cat "$input" >"$output"
printf '\0' >>"$output" # the driver reads up to there
