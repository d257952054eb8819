#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures everything that this machine can and writes results.txt beside this script. Wants an idle machine.
#
#   run_bench.sh [SCOPE_BENCH RANGE_BENCH SIM_BENCH SIM_KERNELS]   the programs; without them they are built here with c++ -O2
#
# The CMake target bench_report runs it with the programs of the preset `bench`.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
root=$(dirname "$(dirname "$here")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compiler=${CXX:-c++}

if [ $# -eq 4 ]; then
    scope_bench=$1
    range_bench=$2
    sim_bench=$3
    sim_kernels=$4
else
    scope_bench=$scratch/scope_bench
    range_bench=$scratch/range_bench
    sim_bench=$scratch/sim_bench
    sim_kernels=$scratch/sim_kernels
    nvtx=''
    [ ! -e /usr/local/cuda/include/nvtx3/nvtx3.hpp ] || nvtx='-isystem /usr/local/cuda/include'
    # shellcheck disable=SC2086 # two words or none
    "$compiler" -std=c++20 -O2 -I "$root/include" $nvtx "$here/scope_bench.cpp" -lbenchmark -lpthread -ldl -o "$scope_bench"
    "$compiler" -std=c++20 -O2 -I "$root/include" "$here/range_bench.cpp" -lpthread -ldl -o "$range_bench"
    "$compiler" -std=c++20 -O2 -I "$root/include" -c "$root/src/sim/sim.cpp" -o "$scratch/sim.o"
    for bench in sim_bench sim_kernels; do
        "$compiler" -std=c++20 -O2 -I "$root/include" -I "$root/src" -I "$root/tests" \
            "-DGPUPROF_TEST_SOURCE_DIR=\"$root/tests\"" "$here/$bench.cpp" "$scratch/sim.o" -lbenchmark -lpthread -ldl \
            -o "$scratch/$bench"
    done
fi

section() {
    printf '\n== %s\n' "$*"
}

{
    echo "gpuprof's costs, as tests/bench/run_bench.sh prints them"
    model=$(sed -n 's/^model name[[:space:]]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1)
    echo "$(uname -sm), $(nproc) processors, ${model:-unknown processor}, $("$compiler" --version | head -n 1)"

    section "A scope on the host (scope_bench)"
    "$scope_bench"

    section "A scope compiled out (no_instruction/compare.sh)"
    sh "$here/no_instruction/compare.sh" same nothing "-O1 -O2 -O3 -Os" "$root/include" "$compiler" -DGPUPROF_ENABLED=0

    section "A range and the first counter on the GPU (range_bench)"
    "$range_bench"

    section "The embedded GPU (sim_bench)"
    "$sim_bench"

    section "The embedded GPU, kernels of every kind, one host thread and all (sim_kernels)"
    "$sim_kernels"

    section "Headers (header_cost.py)"
    python3 "$here/header_cost.py"

    section "Whole files (compile_cost.py)"
    python3 "$here/compile_cost.py"

    section "1,000 metric descriptors in one file (descriptors_1000.py)"
    python3 "$here/descriptors_1000.py" >"$scratch/descriptors_1000.cpp"
    python3 "$here/header_cost.py" --source "$scratch/descriptors_1000.cpp"
} >"$scratch/results" 2>&1 || {
    cat "$scratch/results"
    exit 1
}
cp "$scratch/results" "$here/results.txt"
cat "$here/results.txt"
