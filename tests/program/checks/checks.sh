#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs programs of CUB, Thrust and cooperative groups that are free of errors with all checks: nothing may be found.
#
#   checks.sh GPUPROF FOLDER
#
# GPUPROF is the command of the build tree, FOLDER gets programs, logs and table.txt: a line a program with how it ended and
# how much was found. Needs nvcc.
set -u

[ $# -eq 2 ] || {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
gpuprof=$(readlink -f "$1")
mkdir -p "$2"
folder=$(readlink -f "$2")
cd "$(dirname "$0")" || exit 2
failed=0
total=0
: >"$folder/table.txt"
for library in cub thrust; do
    [ -x "$folder/$library" ] || nvcc -cudart shared -arch=compute_80 -lineinfo -std=c++17 --extended-lambda -w \
        -o "$folder/$library" $library.cu || exit 1
    for name in $("$gpuprof" run --kernels none -- "$folder/$library"); do
        log=$folder/$library.$name.log
        "$gpuprof" run --kernels none --check all -- "$folder/$library" "$name" >"$log" 2>&1 </dev/null
        found=$(sed -n 's/^gpuprof: \([0-9]*\) findings, .*/\1/p' "$log")
        printf '%-8s %-18s %s, %s findings\n' "$library" "$name" "$(grep -qx PASSED "$log" && echo passed || echo failed)" "${found:-?}" |
            tee -a "$folder/table.txt"
        total=$((total + 1))
        { grep -qx PASSED "$log" && [ "${found:-1}" = 0 ]; } || failed=$((failed + 1))
    done
done
echo "$((total - failed)) of $total programs pass and have no findings" | tee -a "$folder/table.txt"
[ "$failed" -eq 0 ]
