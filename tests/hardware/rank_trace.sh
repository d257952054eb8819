#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One trace of two ranks with a GPU each, on one machine: the error of its clocks, checked by a ping-pong of kernels.
#   rank_trace.sh FOLDER      gets rank_trace.txt and rank_trace.json; exit status 0 if all that is known beforehand is so
# Needs nvcc (CUDA_HOME), a driver and two GPUs; no MPI. BUILD: a folder that has the program already.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: rank_trace.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d /dev/shm/gpuprof.XXXXXX)
trap 'rm -rf "$build"' EXIT
test -z "${BUILD:-}" || cp "$BUILD/rank_trace" "$build/"
test -e "$build/rank_trace" || "$nvcc" -std=c++20 -O1 -arch="$arch" -I "$here/../../include" -o "$build/rank_trace" \
    "$here/rank_trace.cu" -ldl -lpthread > "$out/rank_trace.build.txt" 2>&1 || {
    cat "$out/rank_trace.build.txt"
    exit 2
}
failed=0
{
    describe_machine
    nvidia-smi --query-gpu=name --format=csv,noheader
    pids=''
    for rank in 0 1; do
        timeout "${LIMIT:-240}" "$build/rank_trace" "$build" "$rank" 2 > "$build/$rank.txt" 2>&1 &
        pids="$pids $!"
    done
    for pid in $pids; do
        wait "$pid"
        status=$?
        [ "$status" -eq 0 ] || { echo "exit status $status" && failed=1; }
    done
    cat "$build/0.txt" "$build/1.txt"
    echo "$failed failed"
} > "$out/rank_trace.txt" 2>&1
test ! -e "$build/trace.json" || cp "$build/trace.json" "$out/rank_trace.json"
cat "$out/rank_trace.txt"
exit $failed
