#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The table by scope of a program with NVTX ranges, on a GPU: CUPTI's markers, calls and kernels are joined.
#   trace_ranges.sh FOLDER     gets trace_ranges.txt; exit status 0 if every range has the kernels, copies and sets that it should
# Needs nvcc with nvtx3 (CUDA_HOME), a C++20 compiler (CXX) and a driver. INJECTION names a libgpuprof_injection.so that is built.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
out=${1:?usage: trace_ranges.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
. "$here/injection_library.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
log=$out/trace_ranges.txt
: > "$log"
test -z "${BUILD:-}" || cp "$BUILD/trace_ranges" "$build/" # a folder that has it already
test -e "$build/trace_ranges" || "$nvcc" -std=c++17 -O1 -arch="$arch" -I "$toolkit/include" ${CPPFLAGS:-} -o "$build/trace_ranges" "$here/trace_ranges.cu" \
    -ldl -lpthread >> "$log" 2>&1 &
injection=${INJECTION:-$build/libgpuprof_injection.so}
build_injection_library "$injection" >> "$log" 2>&1
wait
describe_machine >> "$log"

traced() { # kinds
    env CUDA_INJECTION64_PATH="$injection" NVTX_INJECTION64_PATH="$injection" GPUPROF_TRACE_KINDS="$1" \
        GPUPROF_TRACE_FILE="$build/trace.json" timeout 120 "$build/trace_ranges" > "$build/said" 2>&1
}
failed=0
row() { # path, kernels, copies, sets
    if grep -q -E "^$1 +$2 +$3 +$4 +[0-9]" "$build/said"; then echo "$kinds: $1: yes" >> "$log"
    else
        echo "$kinds: $1 with $2 kernels, $3 copies, $4 sets: NO" >> "$log"
        failed=1
    fi
}
for kinds in default default,driver; do
    traced "$kinds"
    sed -n '/^scope /,$p' "$build/said" >> "$log"
    # CUPTI marks a range of nvtxRangeStart as one of the thread that began it: "epoch" is around what that thread launches.
    row epoch/step/forward 2,000 0 0
    row epoch/step/loader:batch 0 1,000 0
    row epoch/step 1,000 0 0
    row worker 40 0 0
    row epoch/replay 50 0 0
    row 'epoch/left open' 1 0 0
    row '\(in none\)' 1 0 1
    grep -q 'not known' "$build/said" && echo "$kinds: all is known: NO" >> "$log" && failed=1
done
kinds=kernel,memcpy,marker
traced "$kinds"
grep -q '^scope ' "$build/said" && echo "$kinds: no table without calls: NO" >> "$log" && failed=1
grep -q '^kernel ' "$build/said" || { echo "$kinds: a table of kernels: NO" >> "$log"; failed=1; }
cat "$log"
exit $failed
