#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What each mechanism of time takes on a GPU, by the microbenchmarks in time/, beside the embedded GPU's model of it.
#   time.sh FOLDER [PREFIX]     of all, or of those whose names begin with PREFIX. FOLDER gets hardware.csv, machine.txt, model.csv
#                       and time.txt (the table by time_table.py, which becomes last_time.txt); exit status 0 if both sides ran
#   BUILD=FOLDER time.sh --build     only makes the two programs
# BUILD: a folder with time_benchmarks (the static runtime, for a GPU) and time_embedded (the shared one), or for them; nvcc is not
# needed where they are. GPUPROF: the command, for the model's side; none leaves that out, and model.csv is kept if it is there.
# Without a GPU, FOLDER's hardware.csv is kept; if there is none, the table says "not measured yet". Clocks are left as they are.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
programs=${BUILD:-$build}

make_programs() {
    mkdir -p "$programs"
    for source in "$here"/time/*.cu; do # for the chip, and the PTX that the embedded GPU runs
        "$nvcc" -std=c++20 -O3 -gencode arch=compute_90a,code=sm_90a -gencode arch=compute_90,code=compute_90 -Xcompiler -Wall \
            -c "$source" -o "$build/$(basename "$source" .cu).o" || return 1
    done
    "$nvcc" -arch=sm_90a -o "$programs/time_benchmarks" "$build"/*.o &&
        "$nvcc" -arch=sm_90a -cudart shared -o "$programs/time_embedded" "$build"/*.o
}

if [ "${1:-}" = --build ]; then
    make_programs
    exit
fi
out=${1:?usage: time.sh FOLDER [PREFIX]}
prefix=${2:-}
mkdir -p "$out"
if [ ! -x "$programs/time_benchmarks" ] || [ ! -x "$programs/time_embedded" ]; then
    make_programs > "$out/build.log" 2>&1 || { cat "$out/build.log"; exit 1; }
fi

failed=0
if nvidia-smi -L > /dev/null 2>&1; then
    "$programs/time_benchmarks" ${prefix:+"$prefix"} > "$out/hardware.csv" || failed=1
    {
        describe_machine
        nvidia-smi --query-gpu=clocks.sm,clocks.mem,clocks.max.sm --format=csv,noheader | head -n 1
    } > "$out/machine.txt"
fi
gpuprof=${GPUPROF:-gpuprof}
if [ "$gpuprof" != none ]; then # the same in each run: one sample
    "$gpuprof" run --kernels none -- "$programs/time_embedded" --samples 1 --events-only ${prefix:+"$prefix"} > "$out/model.csv" || failed=1
fi
python3 "$here/time_table.py" "$out" > "$out/time.txt" || failed=1
tail -n 12 "$out/time.txt"
exit $failed
