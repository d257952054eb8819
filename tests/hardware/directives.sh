#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# OpenACC and OpenMP in traces, and samples of a program that knows nothing of gpuprof, on a GPU.
#   directives.sh FOLDER           gets directives.txt; exit status 0 if all of it is there
# Needs a C++20 compiler (CXX) and nvcc (NVCC). Real runtimes are traced where there are clang with OpenMP and gcc with OpenACC; a
# stand-in for both always is. GPUPROF_LIBCUDA and GPUPROF_INJECTION name other libraries, as of the embedded GPU.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: directives.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
root=$here/../..
. "$here/injection_library.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
cuda=${GPUPROF_LIBCUDA:-libcuda.so.1}
library=${GPUPROF_INJECTION:-$build/libgpuprof_injection.so}
cxx=${CXX:-g++}
build_injection_library "$library" || exit 2
$cxx -std=c++20 -O1 -w "$here/directives.cpp" -o "$build/directives" -ldl || exit 2
export CUDA_INJECTION64_PATH="$library"
export GPUPROF_TRACE_TABLE=0
failed=0

expect() { # file, words, least
    found=$(grep -c "$2" "$1" 2>/dev/null)
    echo "  $2: ${found:-0}, at least $3"
    [ "${found:-0}" -ge "$3" ] || failed=1
}
{
    echo "a stand-in for both runtimes"
    {
    GPUPROF_TRACE_FILE=$build/t.ndjson GPUPROF_TRACE_KINDS=kernel,driver,openmp,openacc timeout 120 "$build/directives" "$cuda" "$library" 2>&1
    echo "  exit status $?"
    } > "$build/stand-in.txt"
    cat "$build/stand-in.txt"
    for each in openmp kernel; do expect "$build/t.ndjson" "\"record\":\"$each\"" 1; done
    # CUPTI of a GPU asks for routines that the stand-in lacks, which the trace says then; gcc's runtime below has them.
    if grep -q OPENACC_UNDEFINED_ROUTINE "$build/stand-in.txt"; then
        grep -q "remedy: " "$build/stand-in.txt" && echo "  what CUPTI lacks is said" || failed=1
    else
        for each in openacc_other openacc_launch external_correlation; do expect "$build/t.ndjson" "\"record\":\"$each\"" 1; done
    fi
    grep -E '"record":"(openmp|openacc|external)' "$build/t.ndjson"
    for each in "clang -fopenmp openmp" "clang-14 -fopenmp openmp" "gcc -fopenacc openacc"; do
        set -- $each
        $1 $2 "$root/tests/injection/$3_program.c" -o "$build/$3" -ldl 2> /dev/null || continue
        echo "$1 $2"
        ACC_PROFLIB=$library OMP_TOOL_LIBRARIES=$library GPUPROF_TRACE_FILE=$build/$3.ndjson GPUPROF_TRACE_KINDS=kernel,driver,$3 \
            timeout 120 "$build/$3" "$cuda" 2>&1
        echo "  exit status $?"
        expect "$build/$3.ndjson" "\"record\":\"$3" 1
    done
    echo "samples"
    cat > "$build/lines.cu" <<'CODE'
__global__ void sums(float* x, int n) {
    float sum = 0;
    for (int i = threadIdx.x; i < n; i += 32) sum += x[i] * x[i];
    x[threadIdx.x + blockIdx.x * blockDim.x] = sum;
}
int main() {
    float* x = nullptr;
    cudaMalloc(&x, 1 << 24);
    for (int i = 0; i < 20; ++i) sums<<<256, 256>>>(x, 1 << 20);
    return cudaDeviceSynchronize();
}
CODE
    if ${NVCC:-nvcc} -O1 -lineinfo -arch="${ARCH:-native}" -o "$build/lines" "$build/lines.cu" > "$build/nvcc.txt" 2>&1; then
        GPUPROF_SAMPLE_FILE=$build/s.csv timeout 120 "$build/lines" > "$build/s.txt" 2>&1
        echo "  exit status $?"
        tail -n 40 "$build/s.txt"
        expect "$build/s.csv" "lines.cu" 1
    else
        cat "$build/nvcc.txt"
    fi
} > "$out/directives.txt"
cat "$out/directives.txt"
[ "$failed" = 0 ] && echo "all of it is there" && exit 0
exit 1
