#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles older.cu to the PTX that is committed beside it, with the NVRTC of CUDA 11.8 from the package index: the last
# compilers know no GPU before Turing. Needs python3 with pip; the tests need only the PTX.
set -eu
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$scratch" \
    nvidia-cuda-nvrtc-cu11==11.8.89 nvidia-cuda-runtime-cu11==11.8.89
for wheel in "$scratch"/*.whl; do
    python3 -m zipfile -e "$wheel" "$scratch"
done
export LD_LIBRARY_PATH="$scratch/nvidia/cuda_nvrtc/lib" # NVRTC loads a second library
for sm in 52 60 70; do
    python3 older.py libnvrtc.so.11.2 "$scratch/nvidia/cuda_runtime/include" $sm
done
