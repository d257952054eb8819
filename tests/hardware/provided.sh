#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares the metrics that need no counter (launch__, device__attribute_, links, NUMA) with Nsight Compute's, on a GPU.
#   provided.sh FOLDER     gets provided.txt (the comparison) and provided.log; exit status 0 if all agree
# Needs a C++20 compiler (CXX), python3, the driver, CUPTI and ncu.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: provided.sh FOLDER}
mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

for program in provided conformance_app; do
    "${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" -I "$here/.." ${CPPFLAGS:-} "$here/$program.cpp" \
        -o "$build/$program" -pthread -ldl || exit 1
done
python3 "$here/compare_provided.py" --build "$build" --out "$out/provided.txt" 2> "$out/provided.log"
status=$?
tail -n 5 "$out/provided.log"
exit $status
