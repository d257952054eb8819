#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds programs with CUDA 11.8 and 12.9 and runs them without a GPU.
#
#   toolkits.sh GPUPROF FOLDER
#
# GPUPROF is the command of the build tree; FOLDER gets the releases (wheels of PyPI: 300 MB), programs and table.txt. PyPI has
# ptxas and NVRTC of these releases, and no nvcc. So kernels.cu becomes PTX by the release's NVRTC, and, with the release's
# headers, a program by clang (16 or so; CLANG names another), which writes the same calls of libcudart as nvcc; libcudart is
# the release's when it is linked, and gpuprof's when it runs.
set -eu

[ $# -eq 2 ] || {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
gpuprof=$(readlink -f "$1")
mkdir -p "$2"
folder=$(readlink -f "$2")
clang=${CLANG:-clang++-16}
echo "toolkits.sh, $("$clang" --version | head -n 1), $(date +%F)" | tee "$folder/table.txt"

fetch() { # name, wheel...
    [ ! -e "$folder/$1/complete" ] || return 0
    to=$folder/$1
    shift
    mkdir -p "$to"
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$to" "$@"
    for wheel in "$to"/*.whl; do python3 -m zipfile -e "$wheel" "$to"; done
    touch "$to/complete"
}
try() { # what, command...: a line of the table
    what=$1
    shift
    if "$@" >log 2>&1; then result=$(tail -n 1 log); else result="status $?: $(tail -n 1 log)"; fi
    printf '%-34s %s\n' "$what" "$result" | tee -a "$folder/table.txt"
}

fetch pack nvidia-nvfatbin-cu12==12.9.82
fetch 11.8 nvidia-cuda-runtime-cu11==11.8.89 nvidia-cuda-nvcc-cu11==11.8.89 nvidia-cuda-nvrtc-cu11==11.8.89 \
    nvidia-cuda-cccl-cu11==11.8.89.post1
fetch 12.9 nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-nvcc-cu12==12.9.86 nvidia-cuda-nvrtc-cu12==12.9.86 \
    nvidia-cuda-cccl-cu12==12.9.27
packer=$folder/pack/nvidia/nvfatbin
g++ -std=c++17 -I "$packer/include" -o "$folder/pack/pack" "$here/pack.cpp" "$packer"/lib/libnvfatbin.so.*

for release in 11.8 12.9; do
    cd "$folder/$release"
    # A folder as clang looks for, with all headers, before those of an installed toolkit.
    mkdir -p bin lib64
    [ -e nvvm ] || ln -s nvidia/cuda_nvcc/nvvm nvvm
    for part in cuda_runtime cuda_nvcc cuda_nvrtc cuda_cccl; do cp -R nvidia/$part/include . || exit 1; done
    nvrtc=$(readlink -f nvidia/cuda_nvrtc/lib)
    g++ -std=c++17 -isystem include -o nvrtc_program "$here/nvrtc_program.cpp" "$(ls "$nvrtc"/libnvrtc.so.*)" \
        -L "$("$gpuprof" --print-libraries)" -l:libcuda.so.1 -Wl,--allow-shlib-undefined
    try "$release, driver API and NVRTC" env LD_LIBRARY_PATH="$nvrtc" "$gpuprof" run --kernels none -- \
        ./nvrtc_program "$here/kernels.cu"
    LD_LIBRARY_PATH="$packer/lib" "$folder/pack/pack" kernels.ptx kernels.fatbin
    "$clang" -x cuda --cuda-host-only --cuda-path=. -nocudalib -Wno-unknown-cuda-version -isystem include -std=c++17 -O2 \
        -Xclang -fcuda-include-gpubinary -Xclang kernels.fatbin -o runtime_program "$here/kernels.cu" \
        -x none "$(ls nvidia/cuda_runtime/lib/libcudart.so.*)"
    readelf -d runtime_program | grep -o 'libcudart[^]]*' >soname
    try "$release, runtime, $(cat soname)" "$gpuprof" run --kernels csv --output kernels.csv -- ./runtime_program
done
