#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# gpuprof explain of a program that knows nothing of it, on a GPU: the injection library measures three kernels by auto ranges
# and kernel replay (CUPTI 12.0, 2.13), and the values are those that explain::measure() has in a process of its own.
#   explain_injection.sh FOLDER     gets explain_injection.txt; exit status 0 if they are the same
# Needs nvcc (CUDA_HOME), a C++20 compiler (CXX) and a driver. BUILD names a folder with plain and in_process that are built already, INJECTION a libgpuprof_injection.so that is built; COMMAND a
# gpuprof, whose table of findings is then shown, too.
set -u
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
out=${1:?usage: explain_injection.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
. "$here/injection_library.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
log=$out/explain_injection.txt
: > "$log"

for program in plain in_process; do test -z "${BUILD:-}" || cp "$BUILD/$program" "$build/"; done
test -e "$build/plain" || "$nvcc" -arch="$arch" -O2 -o "$build/plain" "$here/explain_injection.cu" >> "$log" 2>&1 &
test -e "$build/in_process" || "$nvcc" -std=c++20 -arch="$arch" -O1 -DIN_PROCESS -I "$root/include" ${CPPFLAGS:-} -o "$build/in_process" \
    "$here/explain_injection.cu" -ldl -lpthread >> "$log" 2>&1 &
injection=${INJECTION:-$build/libgpuprof_injection.so}
build_injection_library "$injection" >> "$log" 2>&1
wait
describe_machine >> "$log"

failed=0
check() { # what it is, then a command
    what=$1
    shift
    "$@" >> "$log" 2>&1 && echo "$what: yes" >> "$log" && return
    echo "$what: no" >> "$log"
    failed=1
}
measure() { # file, settings of the environment
    file=$1
    shift
    env GPUPROF_EXPLAIN_FILE="$file" CUDA_INJECTION64_PATH="$injection" "$@" timeout 120 "$build/plain"
}
check "the program runs, and is measured" measure "$build/full.json" GPUPROF_EXPLAIN_SET=full
check "the values are those of its own process" timeout 120 "$build/in_process" "$build/full.json"
check "one kernel by its name" measure "$build/scatter.json" GPUPROF_EXPLAIN_KERNELS=scatter
check "no other kernel is in it" sh -c "grep -q scatter '$build/scatter.json' && ! grep -q sum_blocks '$build/scatter.json'"
check "the second launch" measure "$build/second.json" GPUPROF_EXPLAIN_LAUNCH=2
check "it says which it is" grep -q 'sum_blocks.*(launch 2)' "$build/second.json"
check "all launches" measure "$build/all.json" GPUPROF_EXPLAIN_LAUNCH=all
test -z "${COMMAND:-}" || check "the command explains it" timeout 120 "$COMMAND" explain --set full --kernels scatter -- "$build/plain"
cat "$log"
exit $failed
