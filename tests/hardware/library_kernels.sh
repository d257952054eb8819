#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What gpuprof explain says of kernels of libraries on a GPU: a product of matrices (cuBLAS), a sort and a reduction (CUB), a
# sparse product (cuSPARSE) and, where python3 has PyTorch, attention.
#   library_kernels.sh FOLDER     gets library_kernels.txt and a page for each; exit status 0 if all were explained
# COMMAND: a gpuprof with its injection library beside it. Needs nvcc (CUDA_HOME) and a driver.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: library_kernels.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
test -z "${BUILD:-}" || cp "$BUILD/library_kernels" "$build/" # a folder that has it already
test -e "$build/library_kernels" || "$nvcc" -std=c++17 -O2 -arch="$arch" -lineinfo -o "$build/library_kernels" "$here/library_kernels.cu" -lcublas -lcusparse || exit 2
failed=0
explain() { # what it is, then a command
    name=$1
    shift
    echo "=== $name"
    timeout "${LIMIT:-60}" "$COMMAND" explain --set full --launch all --most 64 --page "$out/library_$name.html" -- "$@" || {
        echo "exit status $?"
        failed=1
    }
}
{
    describe_machine
    for kind in gemm sort reduce sparse; do explain $kind "$build/library_kernels" $kind; done
    python3 -c 'import torch' 2> /dev/null && explain attention python3 "$here/library_attention.py"
} > "$out/library_kernels.txt" 2>&1
cat "$out/library_kernels.txt"
exit $failed
