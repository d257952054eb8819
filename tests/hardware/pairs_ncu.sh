#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Asks Nsight Compute alone about pairs of pairs/, in pieces, for a machine that is lent for minutes: pairs.sh has to end.
#   pairs_ncu.sh FOLDER SECONDS --blind|NAME...     FOLDER gets ncu_rules.csv and ncu_raw.csv of the pieces that were done in
#                       time, one after another, list.csv, and pieces.txt: which pieces those are and how long each took. Exit
#                       status 0 if all were. pairs_table.py reads FOLDER, with time.csv of another run in it
# PAIRS: the program, by pairs.sh --build. PIECE: pairs a piece, 6 if it is not set.
# Of the set "full", those sections are left out that have no rule: charts of rooflines by level, samples over the time, NVLink.
# Two pieces run side by side, so that one's data are made while the other's kernels are profiled; ncu lets one kernel at a time.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/trace_toolkit.sh"
out=${1:?usage: pairs_ncu.sh FOLDER SECONDS --GROUP|NAME...}
end=$(($(date +%s) + ${2:?usage: pairs_ncu.sh FOLDER SECONDS --GROUP|NAME...}))
shift 2
mkdir -p "$out/pieces"
ncu=${NCU:-$(command -v ncu || ls -d "$toolkit"/bin/ncu /opt/nvidia/nsight-compute/*/ncu 2> /dev/null | tail -n 1)}
pairs=${PAIRS:?a program by pairs.sh --build}
sections=
for each in SpeedOfLight SpeedOfLight_RooflineChart ComputeWorkloadAnalysis InstructionStats LaunchStats MemoryWorkloadAnalysis \
    MemoryWorkloadAnalysis_Tables Occupancy SchedulerStats SourceCounters WarpStateStats WorkloadDistribution; do
    sections="$sections --section $each"
done

"$pairs" list "$@" > "$out/list.csv" || exit 1
tail -n +2 "$out/list.csv" | cut -d, -f1 | xargs -n "${PIECE:-6}" > "$out/pieces.list"

pages() { # of one piece, as text
    "$ncu" --import "$1.ncu-rep" --csv --page details --print-details all --print-metric-name label-name --print-units base \
        > "$1.rules.csv" 2>> "$1.log"
    "$ncu" --import "$1.ncu-rep" --csv --page raw --print-units base > "$1.raw.csv" 2>> "$1.log"
}
lane() { # every second piece, from the one of this number on
    sed -n "$1~2p" "$out/pieces.list" | {
        while read -r names; do
            begin=$(date +%s)
            test $begin -lt $((end - 5)) || break
            piece=$out/pieces/$(echo "$names" | cut -d' ' -f1)
            # shellcheck disable=SC2086 # names and sections are lists
            timeout $((end - begin)) "$ncu" $sections --import-source no --clock-control none \
                --kernel-name 'regex:^(bad|mended|clean)_' -f -o "$piece" "$pairs" once $names > "$piece.log" 2>&1 < /dev/null ||
                { echo "FAILED after $(($(date +%s) - begin)) s: $names: $(tail -n 1 "$piece.log")" >> "$out/pieces.txt"; continue; }
            echo "$(($(date +%s) - begin)) s: $names" >> "$out/pieces.txt"
            pages "$piece" < /dev/null &
        done
        wait
    }
}

describe_machine > "$out/pieces.txt" 2>&1
lane 1 &
lane 2 &
wait
cat "$out"/pieces/*.rules.csv > "$out/ncu_rules.csv"
cat "$out"/pieces/*.raw.csv > "$out/ncu_raw.csv"
cat "$out/pieces.txt"
test "$(grep -c ' s: ' "$out/pieces.txt")" -eq "$(wc -l < "$out/pieces.list")" && ! grep -q FAILED "$out/pieces.txt"
