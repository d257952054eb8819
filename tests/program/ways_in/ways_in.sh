#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs programs that compile kernels while they run, without a GPU: Triton's, Numba's and NVRTC's.
#
#   ways_in.sh GPUPROF FOLDER
#
# GPUPROF is the command of the build tree; FOLDER gets the wheels of PyPI (1.5 GB), caches and table.txt. Each case compares
# what kernels computed with numpy, or with a loop.
set -eu

[ $# -eq 2 ] || {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
here=$(cd "$(dirname "$0")" && pwd)
gpuprof=$(readlink -f "$1")
mkdir -p "$2"
folder=$(readlink -f "$2")
table=$folder/table.txt
status=0
echo "ways_in.sh, $(python3 --version), $(uname -m), $(date +%F)" | tee "$table"

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
    "$gpuprof" run --kernels none -- "$@" >"$folder/lines" 2>"$folder/log" || status=1
    tee -a "$table" <"$folder/lines"
}

fetch triton triton==3.9.0 numpy==2.4.6
fetch numba 'numba-cuda[cu13]==0.30.4' numpy==2.4.6
export TRITON_CACHE_DIR="$folder/cache" TRITON_DEFAULT_FP_FUSION=1
try "Triton, for capability 9.0 (wgmma)" "$folder/triton/bin/python" "$here/triton_kernels.py"
try "Triton, for capability 8.0 (mma)" env TRITON_OVERRIDE_ARCH=sm80 "$folder/triton/bin/python" "$here/triton_kernels.py"
try "Numba" "$folder/numba/bin/python" "$here/numba_kernels.py"

# NVRTC of the same wheels.
nvrtc=$(dirname "$(find "$folder/numba" -name 'libnvrtc.so.*' | head -n 1)")
g++ -std=c++17 -I "$(dirname "$nvrtc")/include" -o "$folder/nvrtc_program" "$here/../toolkits/nvrtc_program.cpp" \
    "$nvrtc"/libnvrtc.so.13 -L "$("$gpuprof" --print-libraries)" -l:libcuda.so.1 -Wl,--allow-shlib-undefined
cd "$folder"
try "NVRTC" env LD_LIBRARY_PATH="$nvrtc:$("$gpuprof" --print-libraries)" ./nvrtc_program "$here/../toolkits/kernels.cu"
exit $status
