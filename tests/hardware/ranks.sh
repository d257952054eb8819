#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Ranks on one machine: passes spread over as many as have a GPU each, and the slower one of twice as many, two on a GPU by turns.
#   ranks.sh FOLDER GPUS      gets ranks.txt; exit status 0 if all that is known beforehand is so
# Needs nvcc (CUDA_HOME) and a driver; no MPI. BUILD: a folder that has the program already.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: ranks.sh FOLDER GPUS}
gpus=${2:?usage: ranks.sh FOLDER GPUS}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
test -z "${BUILD:-}" || cp "$BUILD/ranks" "$build/"
test -e "$build/ranks" || "$nvcc" -std=c++20 -O1 -arch="$arch" -I "$here/../../include" -o "$build/ranks" "$here/ranks.cu" \
    -ldl -lpthread > "$out/ranks.build.txt" 2>&1 || {
    cat "$out/ranks.build.txt"
    exit 2
}
failed=0
together() { # mode, ranks
    ranks=$2
    echo "--- $1, $ranks ranks"
    rank=0
    pids=''
    while [ "$rank" -lt "$ranks" ]; do
        timeout "${LIMIT:-240}" "$build/ranks" "$build/messages-$1" "$rank" "$ranks" "$1" > "$build/$1.$rank" 2>&1 &
        pids="$pids $!"
        rank=$((rank + 1))
    done
    for pid in $pids; do
        wait "$pid"
        status=$?
        [ "$status" -eq 0 ] || { echo "exit status $status" && failed=1; }
    done
    rank=0
    while [ "$rank" -lt "$ranks" ]; do
        cat "$build/$1.$rank"
        rank=$((rank + 1))
    done
}
{
    describe_machine
    nvidia-smi --query-gpu=name --format=csv,noheader
    [ "$gpus" -lt 2 ] || together spread "$gpus"
    together straggler $((gpus < 2 ? 4 : 2 * gpus))
    echo "$failed failed"
} > "$out/ranks.txt" 2>&1
cat "$out/ranks.txt"
exit $failed
