#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Instructions of gpuprof's own a range, counted by callgrind: those of 3,000 ranges less those of 1,000. The whole, with
# the report's part of each range, then the functions that run when a scope opens and closes.
#
#   range_path.sh [INCLUDE_DIR]     header-only, c++ -O2
set -eu
here=$(cd "$(dirname "$0")" && pwd)
include=${1:-$here/../../include}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
"${CXX:-c++}" -std=c++20 -O2 -DGPUPROF_NVTX=0 -DGPUPROF_SIM_IMPLEMENTATION -I "$include" -I "$include/../src" "$here/range_path.cpp" -o "$scratch/range_path" -pthread -ldl

count() {
    valgrind --tool=callgrind --callgrind-out-file="$scratch/$1" "$scratch/range_path" "$1" 2>&1 |
        sed -n 's/.*Collected : //p'
}
few=$(count 1000)
many=$(count 3000)
echo "$(((many - few) / 2000)) instructions a range, report included; by function, of 3,000 ranges:"
callgrind_annotate "$scratch/3000" | grep -E 'profiler::(enter|leave)|range_log::|backend_of<.*>::' |
    sed 's/gpuprof::v0:://g' | cut -c 1-130
