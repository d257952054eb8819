#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Cold caches on a GPU: bytes of device memory and sectors of L2 of each kernel, flushed by gpuprof (cache_control::flush) and
# by Nsight Compute (--cache-control all).
#   cold_cache.sh FOLDER     gets cold_cache.txt (the comparison) and cold_cache.log; exit status 0 if gpuprof is as ncu
# Needs a C++20 compiler (CXX), python3, the driver, CUPTI and ncu. Clocks are left as they are.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: cold_cache.sh FOLDER}
mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

for program in conformance conformance_app; do
    "${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" -I "$here/.." ${CPPFLAGS:-} "$here/$program.cpp" \
        -o "$build/$program" -pthread -ldl || exit 1
done
python3 "$here/compare.py" --cold --build "$build" --out "$out/cold_cache.txt" 2> "$out/cold_cache.log"
status=$?
tail -n 5 "$out/cold_cache.log"
exit $status
