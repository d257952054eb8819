#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures kernels, saves their counters, evaluates them for other metrics in a process that sees no GPU, and compares.
#   saved_counters.sh FOLDER [DEVICE]   gets the reports, the values and saved_counters.txt; exit status 0 if
#       - the counters of a report that measured both lists of metrics give the second list with the same bits
#       - those of a report that measured the first list alone give the same numbers of instructions and sectors as measuring
#         the second list (their means: extremes depend on which SM gets a block), and no value to what was not counted
# DEVICE: cuda:0 if nothing is said. Needs a C++20 compiler (CXX), the driver and CUPTI 12.6 or later (GPUPROF_CUPTI_PATH).
# PROGRAM: saved_counters, if it is built already.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: saved_counters.sh FOLDER [DEVICE]}
device=${2:-cuda:0}
mkdir -p "$out"
out=$(cd "$out" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
program=${PROGRAM:-$build/saved_counters}
[ -n "${PROGRAM:-}" ] || "${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" ${CPPFLAGS:-} \
    "$here/saved_counters.cpp" -o "$program" -pthread -ldl || exit 1
faults=0
fault() { echo "FAULT: $*"; faults=$((faults + 1)); }

rm -f "$out"/*.json "$out"/direct_*.txt "$out"/evaluated_*.txt
{
    GPUPROF_DEVICE=$device "$program" measure "$here" "$out" || fault "measuring failed"
    CUDA_VISIBLE_DEVICES= "$program" evaluate "$out" || fault "evaluating failed"

    kernels=$(cut -d ' ' -f 1 "$out/direct_all.txt" | sort -u | wc -l)
    [ "$kernels" -ge 4 ] || fault "only $kernels kernels were measured"
    cmp "$out/direct_all.txt" "$out/evaluated_all.txt" || fault "values of the same counters differ"
    lines=$(grep -vc ' missing ' "$out/evaluated_all.txt")
    [ "$lines" -ge $((kernels * 10)) ] || fault "only $lines values were compared"
    echo "all.json: $lines values of $kernels kernels have the bits that were measured"

    # What a kernel counts alike in every run, where few.json has its counters.
    exact='^[^ ]* \(smsp__inst_executed.avg\|l1tex__t_sectors_[a-z_]*.avg\|l1tex__average_t_sectors_[a-z_]*.ratio\) '
    grep "$exact" "$out/evaluated_few.txt" | grep -v ' missing ' > "$build/evaluated"
    cut -d ' ' -f 1,2 "$build/evaluated" | sed 's/$/ /' | grep -F -f - "$out/direct_few.txt" > "$build/direct"
    lines=$(wc -l < "$build/evaluated")
    # The last bit of a mean depends on which SM counted what, so the decimals are compared.
    cut -d ' ' -f 1,2,4 "$build/direct" > "$build/direct_numbers"
    cut -d ' ' -f 1,2,4 "$build/evaluated" > "$build/evaluated_numbers"
    if cmp "$build/direct_numbers" "$build/evaluated_numbers" && [ "$lines" -ge $((kernels * 2)) ]; then
        echo "few.json: $lines values are those of another measurement"
    else
        fault "values of few.json are not those of another measurement"
        diff "$build/direct" "$build/evaluated" | head -n 20
    fi
    echo "few.json, what it gives of each metric:"
    for metric in $(cut -d ' ' -f 2 "$out/evaluated_few.txt" | sort -u); do
        given=$(grep " $metric " "$out/evaluated_few.txt" | grep -vc ' missing ')
        echo "    $metric: $given values, $(grep " $metric missing " "$out/evaluated_few.txt" | cut -d ' ' -f 3- | sort -u | head -n 1)"
    done
    grep -q '[^ ]* dram__bytes_read.sum missing .*not in the counter data' "$out/evaluated_few.txt" ||
        fault "bytes of DRAM were not counted, and have a value"
    awk '$2 ~ /inst_executed.(min|avg|max)$/ { v[$1, $2] = $4 } END { for (k in v) { split(k, part, SUBSEP)
        if (part[2] ~ /avg$/ && !(v[part[1], "smsp__inst_executed.min"] <= v[k] && v[k] <= v[part[1], "smsp__inst_executed.max"])) {
            print "FAULT: the mean of " part[1] " is not between its extremes"; bad = 1 } } exit bad }' "$out/evaluated_few.txt" ||
        faults=$((faults + 1))
    ls -l "$out"/*.json | awk '{ print $5 " bytes of " $NF }' | sed 's|/.*/||'
    echo "$faults faults"
    [ "$faults" = 0 ]
} > "$out/saved_counters.txt" 2>&1
cat "$out/saved_counters.txt"
tail -n 1 "$out/saved_counters.txt" | grep -qx '0 faults'
