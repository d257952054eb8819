#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs that nobody prepared, each measured by kernel replay and by application replay: what the same work counts alike in
# every run is the same in both, or the difference is said.
#   replay_programs.sh FOLDER PROGRAM...    gets replay_programs.txt and the output of each; exit status 0 if all are alike
# COMMAND: a gpuprof with its injection library beside it. Needs a C++20 compiler (CXX), nvidia-smi and a driver. COMPARE:
# replay_modes, if it is built already. LIMIT: seconds for one measurement, 60 if nothing is said. MOST: launches that are measured, 64
# if nothing is said.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: replay_programs.sh FOLDER PROGRAM...}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
compare=${COMPARE:-$build/replay_modes}
[ -n "${COMPARE:-}" ] || "${CXX:-g++}" -std=c++20 -O1 -I "$here/../../include" ${CPPFLAGS:-} "$here/replay_modes.cpp" -o "$compare" \
    -pthread -ldl || exit 1
metrics=smsp__inst_executed.sum,smsp__thread_inst_executed.sum,smsp__inst_executed_op_global_ld.sum,smsp__inst_executed_op_global_st.sum
metrics=$metrics,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,dram__bytes_read.sum,lts__t_sectors_op_read.sum
metrics=$metrics,smsp__issue_active.avg,sm__throughput.avg.pct_of_peak_sustained_elapsed

alike=0
all=0
{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    for program in "$@"; do
        name=$(basename "$program")
        cd "$(dirname "$program")" || continue
        all=$((all + 1))
        log=$out/$name.txt
        timeout "${LIMIT:-60}" "$COMMAND" explain --set full --launch all --most "${MOST:-64}" --keep "$build/$name.kernel" -- "$program" \
            > "$log" 2>&1
        kernel=$?
        timeout "${LIMIT:-60}" "$COMMAND" replay --fresh --state "$build/$name.passes" --metrics "$metrics" --most "${MOST:-64}" --keep \
            "$build/$name.application" -- "$program" >> "$log" 2>&1
        application=$?
        passes=$(grep -c '^gpuprof: pass ' "$log")
        if said=$("$compare" "$build/$name.kernel" "$build/$name.application" 2>&1); then
            alike=$((alike + 1))
            answer=alike
        else
            answer="NOT ALIKE"
        fi
        echo "$name: $answer, exit status $kernel and $application, $passes runs: $(echo "$said" | tail -n 1)"
        echo "$said" | sed '$d' | sed 's/^/    /' | cut -c 1-220
    done
    echo "$alike of $all programs alike"
} > "$out/replay_programs.txt"
cat "$out/replay_programs.txt"
[ $alike = $all ] && [ $all -gt 0 ]
