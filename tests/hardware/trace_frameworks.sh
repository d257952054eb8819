#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs that know nothing of gpuprof, traced by the injection library on a GPU: PyTorch and cuBLAS.
#   trace_frameworks.sh FOLDER     gets trace_frameworks.txt; exit status 0 if the traces are what the programs did
# Needs a C++20 compiler (CXX), nvcc, python3 with torch, and cuBLAS in the toolkit or among Python's packages.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: trace_frameworks.sh FOLDER}
mkdir -p "$out/trace_frameworks_logs"
out=$(cd "$out" && pwd)
log=$out/trace_frameworks_logs
. "$here/trace_toolkit.sh"
. "$here/injection_library.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

build_injection_library "$build/libgpuprof_injection.so" > "$log/injection_build.txt" 2>&1 &
{
    cublas=$(find -L "$toolkit"/targets/*/lib "$toolkit/lib64" $(python3 -c 'import sys; print(*sys.path[1:])') -maxdepth 4 \
        -name 'libcublas.so.*' 2> /dev/null | head -n 1)
    header=$(find -L "$toolkit"/targets/*/include "$toolkit/include" $(python3 -c 'import sys; print(*sys.path[1:])') \
        -maxdepth 4 -name cublas_v2.h 2> /dev/null | head -n 1)
    echo "$cublas, $header"
    "$nvcc" -std=c++17 -O1 -arch="$arch" $cupti_include -I "$(dirname "$header")" -o "$build/trace_cublas" \
        "$here/trace_cublas.cu" $cupti_link -Xlinker "$cublas" -Xlinker "-rpath=$(dirname "$cublas")"
} > "$log/cublas_build.txt" 2>&1 &
wait

traced() { # name, kinds, command
    name=$1
    kinds=$2
    shift 2
    GPUPROF_TRACE_FILE=$log/$name.json GPUPROF_TRACE_KINDS=$kinds \
        CUDA_INJECTION64_PATH=$build/libgpuprof_injection.so timeout 120 "$@" > "$log/$name.said.txt" 2>&1
    echo "exit status $?" >> "$log/$name.said.txt"
}
failed=0
{
    describe_machine
    echo "program | what | its own | gpuprof | equal"
    if ! test -e "$build/libgpuprof_injection.so"; then
        echo "injection library | - | - | - | NO: it does not build"
        tail -n 5 "$log/injection_build.txt"
        failed=1
    else
        if test -x "$build/trace_cublas"; then
            timeout 60 "$build/trace_cublas" count > "$log/cublas.own.txt" 2>&1
            traced cublas default,driver "$build/trace_cublas"
            python3 "$here/trace_frameworks.py" cuBLAS "$log/cublas.own.txt" "$log/cublas.json" \
                "$log/cublas.said.txt" || failed=1
        else
            echo "cuBLAS | - | - | - | NO: the program does not build"
            tail -n 5 "$log/cublas_build.txt"
            failed=1
        fi
        # PyTorch brings a CUPTI of its own, which gpuprof then uses: it is in the process already.
        unset LD_LIBRARY_PATH GPUPROF_CUPTI_PATH
        if python3 -c 'import torch, sys; sys.exit(not torch.cuda.is_available())' 2> /dev/null; then
            timeout 120 python3 "$here/trace_torch.py" "$log/torch.own.json" > "$log/torch.own.txt" 2>&1
            # The driver's calls too: cuDNN launches by them.
            traced torch default,driver python3 "$here/trace_torch.py"
            python3 "$here/trace_frameworks.py" PyTorch "$log/torch.own.json" "$log/torch.json" \
                "$log/torch.said.txt" || failed=1
            traced torch_default default python3 "$here/trace_torch.py"
            for turn in 1 2; do
                timeout 120 python3 "$here/trace_torch.py" > "$log/torch_bare$turn.said.txt" 2>&1
            done
            step() { sed -n 's/.* \([0-9.]*\) ms a step.*/\1/p' "$log/$1.said.txt"; }
            echo "PyTorch | ms a step, untraced twice; traced: default kinds, default,driver |" \
                "$(step torch_bare1), $(step torch_bare2) | $(step torch_default), $(step torch) | not judged"
        else
            echo "PyTorch | - | - | - | not compared: there is no torch with a GPU here"
        fi
    fi
} > "$out/trace_frameworks.txt" 2>&1
rm -f "$log"/*.own.json
cat "$out/trace_frameworks.txt"
exit $failed
