#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Counters without replay on a GPU: what sampled scopes count beside range profiling, and what they cost.
#   sampling.sh FOLDER     gets sampling.txt; exit status 0 if every target is met. About 60 s, half of it compiling.
# Needs a C++20 compiler (CXX), the driver, CUPTI 12.6 or later (GPUPROF_CUPTI_PATH), and a GPU that nothing else uses.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: sampling.sh FOLDER}
mkdir -p "$out"
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
{
    describe_machine
    if "${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" ${CPPFLAGS:-} "$here/sampled_scopes.cpp" \
        -o "$build/sampled_scopes" -pthread -ldl; then
        timeout 100 "$build/sampled_scopes" "$here" ${SCOPES:-100}
        echo "exit status $?"
    fi
} > "$out/sampling.txt" 2>&1
cat "$out/sampling.txt"
grep -q '^exit status 0$' "$out/sampling.txt"
