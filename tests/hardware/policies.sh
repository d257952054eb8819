#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Measures one program by the CUPTIs of several releases and by both of their interfaces, and puts the values into one table.
#   policies.sh FOLDER CUPTI...   gets policies.txt and a log of each run; exit status 0 if no run has a problem and all counts
#                                 that arithmetic knows are right. A run that ends by a signal is said by its exit status.
# CUPTI: a folder as GPUPROF_CUPTI_PATH takes it, whose last component names the column ("wheels/12.0"); "default" for what is
# found by itself. Needs a C++20 compiler (CXX) and the driver. PROGRAM: policies, if it is built already.
# DEVICE: cuda:0 if nothing is said.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: policies.sh FOLDER CUPTI...}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
program=${PROGRAM:-$build/policies}
[ -n "${PROGRAM:-}" ] || "${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" ${CPPFLAGS:-} \
    "$here/policies.cpp" -o "$program" -pthread -ldl || exit 1

faults=0
columns=
for cupti in "$@"; do
    for policy in target range chosen samples; do # chosen: by what profilers choose; samples of instructions
        name=$(basename "$cupti")-$policy
        log=$out/policies_$name.txt
        [ "$cupti" = default ] || export GPUPROF_CUPTI_PATH="$cupti"
        GPUPROF_DEVICE=${DEVICE:-cuda:0} timeout 300 "$program" ${policy#chosen} > "$log" 2>&1
        status=$?
        echo "exit status $status" >> "$log"
        unset GPUPROF_CUPTI_PATH
        # CUPTI before 12.6 has no range profiler: an answer, no fault. So is a version that does not do what is asked.
        if [ $policy = range ] && grep -q '^problem nested unavailable: cuptiProfilerHostInitialize' "$log"; then
            echo "$name: no range profiler"
            continue
        fi
        if [ $status = 1 ] && ! grep '^problem' "$log" | grep -qv ' version mismatch: '; then
            awk -v run="$name" '/^problem/ { mode = $2; sub(/^problem [^ ]* version mismatch: /, ""); text[$0] = text[$0] " " mode }
                                END { for (t in text) printf "%s: refused (%s): %s\n", run, substr(text[t], 2), t }' "$log"
            status=0
        fi
        grep -q '^value' "$log" || [ $status != 0 ] || continue
        columns="$columns $log"
        [ $status = 0 ] || faults=$((faults + 1))
    done
done > "$build/notes"

{
    for log in $columns; do sed -n "s/^cupti /$(basename "$log" .txt): CUPTI /p; s/^device /$(basename "$log" .txt): /p" "$log"; done
    cat "$build/notes"
    for log in $columns; do sed -n "/^problem/{/ version mismatch: /!s/^/$(basename "$log" .txt): /p}; /^exit status [^01]/s/^/$(basename "$log" .txt): /p" "$log"; done
    echo
    awk '
        FNR == 1 { file = FILENAME; sub(/.*policies_/, "", file); sub(/\.txt$/, "", file); names[++files] = file }
        $1 == "passes" { row = $2 " passes"; if (!(row in seen)) { seen[row] = 1; rows[++count] = row }
                         sub(/,$/, "", $3); value[row, files] = $3 }
        $1 == "value" { row = $2 " " $3; if (!(row in seen)) { seen[row] = 1; rows[++count] = row } value[row, files] = $4 }
        END {
            printf "%-80s", "range, metric"
            for (f = 1; f <= files; ++f) printf " %14s", names[f]
            print ""
            for (r = 1; r <= count; ++r) {
                printf "%-80s", rows[r]
                for (f = 1; f <= files; ++f) printf " %14s", ((rows[r], f) in value) ? sprintf("%.8g", value[rows[r], f]) : "-"
                print ""
            }
        }' $columns /dev/null
    echo "$faults runs with problems"
} > "$out/policies.txt"
cat "$out/policies.txt"
[ $faults = 0 ]
