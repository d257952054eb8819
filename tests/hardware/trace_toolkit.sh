# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Where the toolkit and its CUPTI are, for the trace_*.sh beside it: nvcc, arch, samples, cupti_include, cupti_link,
# cupti_library. Programs then find that CUPTI, and so does gpuprof.
toolkit=${CUDA_HOME:-$(ls -d /usr/local/cuda-13* /usr/local/cuda 2> /dev/null | head -n 1)}
nvcc=$toolkit/bin/nvcc
arch=${ARCH:-sm_90}
samples=$toolkit/extras/CUPTI/samples
cupti_include="-I $toolkit/extras/CUPTI/include -I $toolkit/include"
cupti_library=
for each in "$toolkit/extras/CUPTI/lib64" "$toolkit/lib64"; do
    test -e "$each/libcupti.so" && cupti_library=$each/libcupti.so && break
done
cupti_folder=$(dirname "${cupti_library:-/}")
cupti_link="-L $cupti_folder -lcupti -Xlinker -rpath=$cupti_folder"
export LD_LIBRARY_PATH="$cupti_folder:$toolkit/lib64${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export GPUPROF_CUPTI_PATH="${GPUPROF_CUPTI_PATH:-$cupti_library}"

describe_machine() {
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null | head -n 1
    echo "$("$nvcc" --version | tail -n 1), $(basename "$(readlink -f "$cupti_library")"), $(date -u +%Y-%m-%d)"
}
