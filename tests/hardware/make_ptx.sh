#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes kernels.ptx from kernels.cu with nvcc. The code uses nothing newer than PTX 7.0 and compute capability 7.0, which
# current compilers no longer name as a target, so the two directives that say so are rewritten; ptxas then has a look.
set -eu
cd "$(dirname "$0")"
made=$(mktemp)
trap 'rm -f "$made" "$made.cubin"' EXIT
nvcc -std=c++17 -arch=compute_75 -ptx -o "$made" kernels.cu
sed -i -e 's/^\.version .*/.version 7.0/' -e 's/^\.target .*/.target sm_70/' \
    -e '/^\/\//d' "$made"
ptxas -arch="${1:-sm_90}" -o "$made.cubin" "$made"
{
    echo "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
    echo "// Generated from kernels.cu by make_ptx.sh. Do not edit."
    cat "$made"
} > kernels.ptx
