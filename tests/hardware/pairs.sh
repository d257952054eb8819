#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Times the pairs of kernels in pairs/, a bad one and a mended one each, and asks Nsight Compute what it advises for all of them.
#   pairs.sh FOLDER [--GROUP] [NAME...]     of all pairs, of a group (pairs/groups.txt), or of these only. FOLDER gets
#                       check.txt, list.csv, time.csv, values.csv (what gpuprof measured of each kernel), gpuprof.json (what it
#                       found), ncu.ncu-rep, ncu_rules.csv (the details page: values of the sections and results of the rules),
#                       ncu_raw.csv (one row a kernel), ncu.log and pairs.txt (the table by pairs_table.py); exit status 0 if all
#                       pairs compute the same and all kernels were profiled
#   BUILD=FOLDER pairs.sh --build     only makes the programs
# BUILD: a folder with pairs, measure_pairs and pair_findings, or for them; neither nvcc nor a compiler is needed where they are.
# Needs nvcc else, and a driver, CUPTI, python3 and ncu. Clocks are left as they are; ncu empties the caches before each pass, the
# times are measured with what the launch before left in them. NCU_NAMES: ncu looks at these only, and at none if NCU is none: it
# takes 2 s a kernel.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
programs=${BUILD:-$build}

make_programs() {
    for source in "$here"/pairs/*.cu; do
        case $source in */measure_pairs.cu) continue ;; esac # a program of its own
        "$nvcc" -std=c++17 -O3 -lineinfo -arch="$arch" -Xcompiler -Wall -c "$source" -o "$build/$(basename "$source" .cu).o" &
    done
    "$nvcc" -std=c++20 -O1 -arch="$arch" -I "$here/../../include" -c "$here/pairs/measure_pairs.cu" \
        -o "$build/measure_pairs.obj" &
    mkdir -p "$programs"
    "${CXX:-g++}" -std=c++20 -O1 -I "$here/../../include" -o "$programs/pair_findings" "$here/../explain/pair_findings.cpp" \
        -ldl -lpthread &
    wait
    "$nvcc" -arch="$arch" -o "$programs/pairs" "$build"/*.o || return 1
    rm "$build/main.o"
    "$nvcc" -arch="$arch" -o "$programs/measure_pairs" "$build"/*.o "$build/measure_pairs.obj" -ldl -lpthread || return 1
    test -e "$programs/pair_findings"
}

if [ "${1:-}" = --build ]; then
    make_programs
    exit
fi
out=${1:?usage: pairs.sh FOLDER [--GROUP] [NAME...]}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
ncu=${NCU:-$(command -v ncu || ls -d "$toolkit"/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2> /dev/null | tail -n 1)}
for program in pairs measure_pairs pair_findings; do
    test -x "$programs/$program" && continue
    make_programs > "$out/build.log" 2>&1 || { cat "$out/build.log"; exit 1; }
    break
done

failed=0
"$programs/pairs" list "$@" > "$out/list.csv" || exit 1
{
    describe_machine
    "$programs/pairs" check "$@"
} > "$out/check.txt" 2>&1 || failed=1
tail -n 1 "$out/check.txt"
"$programs/pairs" time "$@" > "$out/time.csv" || failed=1
"$programs/measure_pairs" "$@" > "$out/values.csv" 2> "$out/measure.log" || failed=1
"$programs/pair_findings" < "$out/values.csv" > "$out/gpuprof.json" 2>> "$out/measure.log" || failed=1
if [ "$ncu" = none ]; then
    :
elif [ -n "$ncu" ]; then
    rm -f "$out/ncu.ncu-rep"
    "$ncu" --set full --import-source no --clock-control none --kernel-name 'regex:^(bad|mended|clean)_' -f -o "$out/ncu" \
        "$programs/pairs" once ${NCU_NAMES:-"$@"} > "$out/ncu.log" 2>&1 || failed=1
    "$ncu" --import "$out/ncu.ncu-rep" --csv --page details --print-details all --print-metric-name label-name \
        --print-units base > "$out/ncu_rules.csv" 2>> "$out/ncu.log" || failed=1
    "$ncu" --import "$out/ncu.ncu-rep" --csv --page raw --print-units base > "$out/ncu_raw.csv" 2>> "$out/ncu.log" || failed=1
    tail -n 2 "$out/ncu.log"
else
    echo "no ncu"
    failed=1
fi
{
    describe_machine
    python3 "$here/pairs_table.py" "$out" || failed=1
} > "$out/pairs.txt" 2>&1
cat "$out/pairs.txt"
exit $failed
