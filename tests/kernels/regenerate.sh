#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles the kernels here to the PTX that is committed beside them. Needs nvcc; the tests need only the PTX. Those for
# GPUs that nvcc no longer knows are older.sh's.
set -eu
cd "$(dirname "$0")"
compile() { # name, target, further options
    name=$1 target=$2
    shift 2
    "${NVCC:-nvcc}" -std=c++17 -ptx -arch="$target" "$@" "$name.cu" -o "$name.$target.ptx"
    sed -i -e "s|\"[^\"]*/\([^/\"]*\)\"|\"\1\"|" "$name.$target.ptx" # files by name, not by where they were compiled
}
compile elementwise sm_80
compile elementwise sm_90
compile reduce sm_80
compile matrix sm_80
compile control sm_75 -lineinfo
compile bits sm_75
compile wide sm_80
compile bound sm_80
compile functions sm_80
compile tensor sm_80
compile wmma sm_80
compile bulk sm_90
compile clusters sm_90
compile tensor_maps sm_90a
compile waiting sm_90
python3 planted.py
compile planted sm_80 -lineinfo
compile wmma_wide sm_80
compile device_launches sm_80 -rdc=true
