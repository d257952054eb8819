#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs programs that compile kernels while they run, without a GPU: Triton's, Numba's and NVRTC's.
#
#   ways_in.sh GPUPROF FOLDER [PART...]
#
# GPUPROF is the command of the build tree; FOLDER gets the wheels of PyPI (2 GB; PyTorch: 10 GB), caches and table.txt. PART is
# nvrtc, triton, numba or torch; all but torch if none is named. Each case compares what kernels computed with numpy, with PyTorch
# on the CPU, or with a loop. The status is 1 if one fails.
set -eu

[ $# -ge 2 ] || {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
gpuprof=$(readlink -f "$1")
mkdir -p "$2"
folder=$(readlink -f "$2")
shift 2
[ $# -gt 0 ] || set -- nvrtc triton numba
table=$folder/table.txt
status=0
echo "ways_in.sh $*, $(python3 --version), $(uname -m), $(nproc) processors, $(date +%F)" | tee "$table"

fetch() { # name, package...: a virtual environment
    [ ! -e "$folder/$1/complete" ] || return 0
    to=$folder/$1
    shift
    python3 -m venv "$to"
    "$to/bin/pip" install --quiet --disable-pip-version-check "$@"
    touch "$to/complete"
}
try() { # what, command...: its lines in the table
    what=$1
    shift
    printf '\n%s\n' "$what" | tee -a "$table"
    "$gpuprof" run --kernels none -- "$@" >"$folder/lines" 2>"$folder/log.txt" || status=1
    tee -a "$table" <"$folder/lines"
}
export TRITON_CACHE_DIR="$folder/cache" TRITON_DEFAULT_FP_FUSION=1
export TORCHINDUCTOR_CACHE_DIR="$folder/inductor" TORCHINDUCTOR_COMPILE_THREADS=1

nvrtc() { # a program of the driver API
    fetch nvrtc nvidia-cuda-nvrtc==13.0.88 nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88
    library=$(find "$folder/nvrtc" -name libnvrtc.so.13)
    libraries=$(dirname "$library")
    g++ -std=c++17 -isystem "$libraries/../include" -o "$folder/nvrtc_program" "$here/../toolkits/nvrtc_program.cpp" "$library" \
        -L "$("$gpuprof" --print-libraries)" -l:libcuda.so.1 -Wl,--allow-shlib-undefined
    cd "$folder"
    try "NVRTC" env LD_LIBRARY_PATH="$("$gpuprof" --print-libraries):$libraries" ./nvrtc_program "$here/../toolkits/kernels.cu"
}
triton() {
    fetch triton triton==3.9.0 numpy==2.4.6
    try "Triton, for capability 9.0 (wgmma)" "$folder/triton/bin/python" "$here/triton_kernels.py"
    try "Triton, for capability 8.0 (mma)" env TRITON_OVERRIDE_ARCH=sm80 "$folder/triton/bin/python" "$here/triton_kernels.py"
}
numba() {
    fetch numba 'numba-cuda[cu13]==0.30.4' numpy==2.4.6
    try "Numba" "$folder/numba/bin/python" "$here/numba_kernels.py"
    try "cuda.core" "$folder/numba/bin/python" "$here/cuda_core_programs.py"
}
torch() {
    fetch torch torch==2.15.0 numpy==2.4.6
    try "PyTorch" env LD_PRELOAD=libcudart.so.13 "$folder/torch/bin/python" "$here/torch_kernels.py"
}

for part in "$@"; do
    case $part in
    nvrtc) nvrtc ;;
    triton) triton ;;
    numba) numba ;;
    torch) torch ;;
    *) echo "there is no part $part" >&2 && exit 2 ;;
    esac
done
exit $status
