#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What sampling frames costs on a GPU: 600 frames with 64 scopes and 8 counters, and without, in turns.
#   frames.sh FOLDER     gets frames.txt; exit status 0 if every target is met. Takes 20 s.
# Needs a driver, and a toolkit with CUPTI 12.6 or later (CUDA_HOME). BUILD names a folder that has the program already, made
# with: g++ -std=c++20 -O2 -I include -o BUILD/frames tests/hardware/frames.cpp -ldl -lpthread
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: frames.sh FOLDER}
mkdir -p "$out"
. "$here/trace_toolkit.sh"
program=${BUILD:-}/frames
if ! test -n "${BUILD:-}" || ! test -x "$program"; then
    made=$(mktemp -d)
    trap 'rm -rf "$made"' EXIT
    program=$made/frames
    ${CXX:-g++} -std=c++20 -O2 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" ${CPPFLAGS:-} -o "$program" "$here/frames.cpp" -ldl -lpthread \
        > "$out/frames.build.txt" 2>&1
fi
{
    describe_machine
    if test -x "$program"; then
        timeout 60 "$program" ${FRAMES:-600} ${MILLISECONDS:-8} 2>&1
        echo $? > "$out/frames.status"
    else
        cat "$out/frames.build.txt"
        echo 1 > "$out/frames.status"
    fi
} > "$out/frames.txt"
cat "$out/frames.txt"
exit "$(cat "$out/frames.status")"
