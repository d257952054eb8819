#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Which unit bounds a kernel, on a GPU: five kernels built to be bound by DRAM, L2, FMA, shared memory and latency.
#   bottleneck.sh FOLDER     gets bottleneck.txt; exit status 0 if the verdict is right for each.
# Runs $BUILD/bottleneck if it is there, else compiles it with ${CXX:-g++}. Needs no nvcc: the driver compiles the PTX.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: bottleneck.sh FOLDER}
mkdir -p "$out"
. "$here/trace_toolkit.sh"
program=${BUILD:-}/bottleneck
if ! test -x "$program"; then
    program=$out/bottleneck.program
    "${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" ${CPPFLAGS:-} -o "$program" "$here/bottleneck.cpp" -pthread \
        -ldl > "$out/bottleneck.build.txt" 2>&1 || { cat "$out/bottleneck.build.txt"; exit 2; }
fi
{
    describe_machine
    timeout 60 "$program" "$here/../kernels"
    echo "exit status $?"
} > "$out/bottleneck.txt" 2>&1
cat "$out/bottleneck.txt"
tail -n 1 "$out/bottleneck.txt" | grep -q '^exit status 0$'
