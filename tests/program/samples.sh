#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds NVIDIA's cuda-samples for the embedded GPU and runs them, unmodified, without a GPU.
#
#   samples.sh SAMPLES GPUPROF FOLDER [NAME...]
#
# SAMPLES is a checkout of github.com/NVIDIA/cuda-samples, GPUPROF the command of the build tree, FOLDER gets programs, logs and
# table.txt: a line a sample with how it ended. NAMEs choose samples. SECONDS_EACH (60) of processor time bound a run: other
# work of the machine does not count. Needs nvcc. tests/program/last_samples.txt is a table that was kept.
set -u

[ $# -ge 3 ] || {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
samples=$(readlink -f "$1")
gpuprof=$(readlink -f "$2")
mkdir -p "$3"
folder=$(readlink -f "$3")
shift 3
chosen=" $* "
seconds=${SECONDS_EACH:-60}
export GPUPROF_SIM_STEPS=4000000000 # what does not end is stopped by its processor time
flags='-cudart shared -arch=compute_80 -std=c++17 -O2 --extended-lambda -w'

# Samples are sized for GPUs: these have options for sizes.
options_of() {
    case $1 in
        matrixMul) echo '-wA=128 -hA=64 -wB=64 -hB=128' ;;
        globalToShmemAsyncCopy) echo '-wA=128 -hA=128 -wB=128 -hB=128' ;;
        radixSortThrust) echo '-n=65536 -iterations=2' ;;
        transpose) echo '-dimX=128 -dimY=128' ;;
        reduction | threadFenceReduction) echo '-n=262144' ;;
        eigenvalues) echo '-matrix-size=512' ;;
        FDTD3d) echo '--dimx=96 --dimy=96 --dimz=96 --timesteps=1' ;;
        NV12toBGRandResize) echo '-input=data/test640x480.nv12 -width=640 -height=480 -dst_width=160 -dst_height=120 -batch=1' ;;
        UnifiedMemoryPerf) echo '-kernel-iterations=1' ;;
        SobolQRNG) echo '-vectors=1000 -dimensions=100' ;;
        *) ;;
    esac
}

passed=0
total=0
: >"$folder/table.txt"
say() {
    total=$((total + 1))
    printf '%-30s %s\n' "$1" "$2" | tee -a "$folder/table.txt"
}

for directory in "$samples"/Samples/[0-6]_*/*/ "$samples"/cpp/[0-6]_*/*/; do
    [ -d "$directory" ] || continue
    name=$(basename "$directory")
    [ "$chosen" = '  ' ] || case $chosen in *" $name "*) ;; *) continue ;; esac
    sources=$(find "$directory" -maxdepth 2 \( -name '*.cu' -o -name '*.cpp' \) | sort)
    [ -n "$sources" ] || continue
    # Windows, other GPUs, machine code of NVIDIA's libraries, other languages: not what the embedded GPU is for.
    # shellcheck disable=SC2086 # file names
    if grep -qE '#include *["<](.*/)?(GL|gl_|glut|vulkan|cuda_gl|d3d|EGL|egl|nvsci|NvSci|cudaNvSci|cuda_d3d|cublas|cufft|cusolver|cusparse|curand|npp|nvjpeg|nvrtc|mpi|omp|cudla|nvvm|nvJitLink|FreeImage)' $sources; then
        continue
    fi
    if [ ! -x "$folder/$name" ]; then
        extra=''
        case $name in cdp* | *Separate*) extra='-rdc=true' ;; esac
        # shellcheck disable=SC2086 # flags, file names
        if ! nvcc $flags $extra -I "$samples/Common" -I "$directory" -I "$directory/inc" -o "$folder/$name" $sources -lcuda \
            -L "$(dirname "$(command -v nvcc)")/../lib64/stubs" -Xlinker --allow-shlib-undefined >"$folder/$name.build" 2>&1; then
            say "$name" "does not build: $(grep -m 1 -E 'error|fatal' "$folder/$name.build")"
            continue
        fi
    fi
    # Kernels that a sample loads from a file beside it, as its own build makes them.
    # shellcheck disable=SC2086 # file names
    for file in $(sed -n 's/.*"\([A-Za-z]*_kernel64\)\.\(fatbin\|ptx\)".*/\1.\2/p' $sources | sort -u); do
        kernel=$directory/${file%64.*}.cu
        [ ! -f "$kernel" ] || nvcc -w "-${file##*.}" -arch=compute_80 -o "$directory/$file" "$kernel"
    done
    options=$(options_of "$name")
    # shellcheck disable=SC2086 # options
    (cd "$directory" && ulimit -t "$seconds" && timeout 3600 "$gpuprof" run --output "$folder/$name.kernels" -- "$folder/$name" $options) \
        >"$folder/$name.log" 2>&1 </dev/null
    status=$?
    reason=$(grep -m 1 '^gpuprof: ' "$folder/$name.log")
    case $status in
        0)
            passed=$((passed + 1))
            say "$name" "passed${options:+ with $options}"
            ;;
        137 | 152) say "$name" "does not end in $seconds s of processor time${options:+ with $options}" ;;
        2) say "$name" "waived by itself: $(tail -n 1 "$folder/$name.log")" ;;
        *) say "$name" "status $status ${reason:-$(tail -n 1 "$folder/$name.log")}" ;;
    esac
done
echo "$passed of $total passed" | tee -a "$folder/table.txt"
