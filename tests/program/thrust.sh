#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds Thrust's own unit tests for the embedded GPU and runs them, unmodified, without a GPU.
#
#   thrust.sh CCCL GPUPROF FOLDER [NAME...]
#
# CCCL is a checkout of github.com/NVIDIA/cccl of the version that nvcc's toolkit has, GPUPROF the command of the build tree,
# FOLDER gets programs, logs and table.txt: a line a program with how it ended and how many kernels it ran. NAMEs choose programs
# (sort, tuple_scan); otherwise all of thrust/testing, the shortest sources first. SIZES (small) is the largest size of a test in
# the words of Thrust's own option --sizes: 256 elements. SECONDS_EACH (300) bounds a run. Needs nvcc.
set -u

[ $# -ge 3 ] || {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
testing=$(readlink -f "$1/thrust/testing")
gpuprof=$(readlink -f "$2")
mkdir -p "$3"
folder=$(readlink -f "$3")
shift 3
seconds=${SECONDS_EACH:-300}
sizes=${SIZES:-small}
flags="-cudart shared -arch=compute_80 -std=c++17 --extended-lambda -w -I $testing"

for source in testframework cuda/testframework; do
    object=$folder/$(echo "$source" | tr / _).o
    # shellcheck disable=SC2086 # flags
    [ -e "$object" ] || nvcc $flags -c -o "$object" "$testing/unittest/$source.cu" || exit 1
done

[ $# -gt 0 ] || {
    # shellcheck disable=SC2046 # names without blanks
    set -- $(wc -l "$testing"/*.cu | grep -v ' total$' | sort -n | sed 's|.*/||; s|\.cu$||')
}
passed=0
total=0
cccl=$(sed -n 's/^#define CCCL_VERSION //p' "$(dirname "$(command -v nvcc)")/../include/cccl/cuda/std/__cccl/version.h")
compiler=$(nvcc --version | sed -n 's/.*, \(V[0-9.]*\)$/\1/p')
echo "thrust.sh, CCCL_VERSION ${cccl:-unknown}, nvcc $compiler, --sizes=$sizes, $(date +%F)" | tee "$folder/table.txt"
say() {
    total=$((total + 1))
    printf '%-44s %s\n' "$1" "$2" | tee -a "$folder/table.txt"
}

for name; do
    if [ ! -x "$folder/$name" ]; then
        # shellcheck disable=SC2086 # flags
        if ! nvcc $flags -o "$folder/$name" "$testing/$name.cu" "$folder"/*testframework.o >"$folder/$name.build" 2>&1; then
            say "$name" "does not build: $(grep -m 1 -E 'error|fatal' "$folder/$name.build")"
            continue
        fi
    fi
    begin=$(date +%s)
    timeout "$seconds" "$gpuprof" run --kernels csv --output "$folder/$name.csv" -- "$folder/$name" "--sizes=$sizes" --verbose \
        >"$folder/$name.log" 2>&1 </dev/null
    status=$?
    tests=$(sed -n 's/^Totals: \(.*\)\.$/\1/p' "$folder/$name.log")
    case $status in
        0)
            passed=$((passed + 1))
            kernels=$(($(wc -l <"$folder/$name.csv") - 1)) # the first line is the heading
            say "$name" "passed: ${tests:-?}; $kernels kernels, $(($(date +%s) - begin)) s"
            ;;
        124) say "$name" "does not end in $seconds s" ;;
        *) say "$name" "status $status $(grep -m 1 -E '^gpuprof: |FAIL|ERROR' "$folder/$name.log")" ;;
    esac
done
echo "$passed of $total passed" | tee -a "$folder/table.txt"
