#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What tracing costs on a GPU, beside bare calls of CUPTI; what it loses and needs over a million launches.
#   trace_cost.sh FOLDER     gets trace_cost.txt; exit status 0 if every target is met. PARTS names some parts; default: all.
# Needs nvcc, the toolkit with its extras/CUPTI (CUDA_HOME), and a GPU that nothing else uses.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: trace_cost.sh FOLDER}
mkdir -p "$out"
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
"$nvcc" -std=c++20 -O2 -arch="$arch" -I "$here/../../include" $cupti_include ${CPPFLAGS:-} -o "$build/trace_cost" \
    "$here/trace_cost.cu" $cupti_link -lcuda -ldl -lpthread > "$out/trace_cost.build.txt" 2>&1
failed=0
{
    describe_machine
    echo "what | gpuprof | bare CUPTI | ratio | target | verdict"
    if ! test -x "$build/trace_cost"; then
        cat "$out/trace_cost.build.txt"
        failed=1
    else
        for part in ${PARTS:-kernels calls scopes left bare_left visit callbacks lossy bare_null bare_spare graph}; do
            echo "# $part"
            timeout 60 "$build/trace_cost" "$part" 2>&1
            status=$?
            test $status -eq 0 || failed=1
            test $status -le 1 || echo "$part | exit status $status"
        done
    fi
} > "$out/trace_cost.txt"
cat "$out/trace_cost.txt"
exit $failed
