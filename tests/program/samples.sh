#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds NVIDIA's cuda-samples for the embedded GPU and runs them, unmodified, without a GPU.
#
#   samples.sh SAMPLES GPUPROF FOLDER [NAME...]
#
# SAMPLES is a checkout of github.com/NVIDIA/cuda-samples, GPUPROF the command of the build tree, FOLDER gets programs, logs and
# table.txt: a line a sample with how it ended. NAMEs choose samples. SECONDS_EACH (60) bounds a run. Needs nvcc.
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
flags='-cudart shared -arch=compute_80 -std=c++17 -O2 --extended-lambda -w'

passed=0
total=0
: >"$folder/table.txt"
say() {
    total=$((total + 1))
    printf '%-36s %s\n' "$1" "$2" | tee -a "$folder/table.txt"
}

for directory in "$samples"/Samples/[0-6]_*/*/ "$samples"/cpp/[0-6]_*/*/; do
    [ -d "$directory" ] || continue
    name=$(basename "$directory")
    [ "$chosen" = '  ' ] || case $chosen in *" $name "*) ;; *) continue ;; esac
    sources=$(find "$directory" -maxdepth 1 \( -name '*.cu' -o -name '*.cpp' \) | sort)
    case $sources in *.cu*) ;; *) continue ;; esac
    # Windows, other GPUs, machine code of NVIDIA's libraries, other languages: not what the embedded GPU is for.
    # shellcheck disable=SC2086 # file names
    if grep -qE '#include.*(GL|gl_|glut|vulkan|d3d|EGL|egl|nvsci|NvSci|cublas|cufft|cusolver|cusparse|curand|npp|nvjpeg|nvrtc|mpi|omp|cudla|nvvm)' $sources; then
        continue
    fi
    if [ ! -x "$folder/$name" ]; then
        extra=''
        case $name in cdp* | *Separate*) extra='-rdc=true' ;; esac
        # shellcheck disable=SC2086 # flags, file names
        if ! nvcc $flags $extra -I "$samples/Common" -I "$directory" -o "$folder/$name" $sources -lcuda \
            -L "$("$gpuprof" --print-libraries)" -Xlinker --allow-shlib-undefined >"$folder/$name.build" 2>&1; then
            say "$name" "does not build: $(grep -m 1 -E 'error|fatal' "$folder/$name.build")"
            continue
        fi
    fi
    (cd "$directory" && timeout "$seconds" "$gpuprof" run --output "$folder/$name.kernels" -- "$folder/$name") \
        >"$folder/$name.log" 2>&1 </dev/null
    status=$?
    reason=$(grep -m 1 '^gpuprof: ' "$folder/$name.log")
    case $status in
        0)
            passed=$((passed + 1))
            say "$name" passed
            ;;
        124) say "$name" "does not end in $seconds s" ;;
        *) say "$name" "status $status ${reason:-$(tail -n 1 "$folder/$name.log")}" ;;
    esac
done
echo "$passed of $total passed" | tee -a "$folder/table.txt"
