#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs that nobody prepared, each measured by every replay mode of gpuprof: what the same work counts alike in every run is the same
# in all, or the mode says what it does not measure and why.
#   replay_programs.sh FOLDER PROGRAM...              programs without arguments, each run in its folder
#   replay_programs.sh FOLDER --list LIST PROGRAMS    those of LIST, a line each with its arguments (# is a comment), in the folder
#       PROGRAMS. Each is run in a folder of its own; PROGRAMS/data is two and three folders above it, where Rodinia looks for data
# FOLDER gets replay_programs.txt and the output of each; exit status 0 if all are equal or refused.
# A range is what is launched until the program waits for it. COMMAND: a gpuprof with its injection library beside it. Needs a
# C++20 compiler (CXX) and a driver, or OPTIONS for the embedded GPU ("--chip gh100 --passes"). COMPARE: replay_modes, if it is
# built already. LIMIT: seconds for one measurement, 60 if nothing is said. BUDGET: seconds after which no other program is
# begun. MOST: launches that are measured, 256 if nothing is said. MODES: those that are compared with kernel replay, "launch
# range application" if nothing is said.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: replay_programs.sh FOLDER PROGRAM... or FOLDER --list LIST PROGRAMS}
shift
mkdir -p "$out"
out=$(cd "$out" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
lines=$build/programs # the folder to run in, the program and its arguments
if [ "${1:-}" = --list ]; then
    programs=$(cd "${3:?PROGRAMS}" && pwd)
    mkdir "$build/runs"
    ln -s "$programs/data" "$build/data"
    ln -s "$programs/data" "$build/runs/data"
    grep -v -e '^#' -e '^!' -e '^ *$' "$2" | while read -r program arguments; do
        folder=$build/runs/$(basename "$program")/here
        mkdir -p "$folder"
        echo "$folder $programs/$program $arguments"
    done > "$lines"
else
    for program in "$@"; do echo "$(cd "$(dirname "$program")" && pwd) $program"; done > "$lines"
fi
compare=${COMPARE:-$build/replay_modes}
[ -n "${COMPARE:-}" ] || "${CXX:-g++}" -std=c++20 -O1 -I "$here/../../include" ${CPPFLAGS:-} "$here/replay_modes.cpp" -o "$compare" \
    -pthread -ldl || exit 1
metrics=smsp__inst_executed.sum,smsp__thread_inst_executed.sum,smsp__inst_executed_op_global_ld.sum,smsp__inst_executed_op_global_st.sum
metrics=$metrics,smsp__inst_executed_op_shared_ld.sum,smsp__inst_executed_op_shared_st.sum,l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
metrics=$metrics,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,dram__bytes_read.sum,lts__t_sectors_op_read.sum
metrics=$metrics,smsp__issue_active.avg

# measure AS FILE MODE OPTIONS... -- PROGRAM: adds "AS=FILE" to $measured, and the exit status to $statuses
measure() {
    as=$1
    file=$2
    how=$3
    shift 3
    timeout "${LIMIT:-60}" "$COMMAND" replay --mode "$how" --metrics "$metrics" --most "${MOST:-256}" ${OPTIONS:-} --keep "$file" "$@" \
        >> "$log" 2>&1 < /dev/null
    statuses="$statuses $?"
    measured="$measured $as=$file"
}

alike=0
all=0
begun=$(date +%s)
{
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2> /dev/null || echo "the embedded GPU, ${OPTIONS:-}"
    while read -r folder program arguments; do
        name=$(basename "$program")
        if [ -n "${BUDGET:-}" ] && [ $(($(date +%s) - begun)) -gt "$BUDGET" ]; then
            echo "$name: not begun, $BUDGET s are over"
            continue
        fi
        cd "$folder" || continue
        log=$out/$name.txt
        : > "$log"
        kept=$build/$name
        measured=
        statuses=
        measure kernel "$kept.kernel" kernel -- "$program" $arguments
        for mode in ${MODES:-launch range application}; do
            case $mode in
            range) measure range "$kept.range" range --range waits -- "$program" $arguments ;;
            application) measure application "$kept.application" application --fresh --state "$kept.passes" -- "$program" $arguments ;;
            *) measure "$mode" "$kept.$mode" "$mode" -- "$program" $arguments ;;
            esac
        done
        # A program that fails, or is too slow, in every mode says nothing of replay.
        different=$(echo $statuses | tr ' ' '\n' | sort -u | tr '\n' ' ')
        if [ "$different" = "${statuses##* } " ] && [ "${statuses##* }" != 0 ]; then
            echo "$name: does not run here, exit status ${statuses##* }"
            continue
        fi
        all=$((all + 1))
        said=$("$compare" $measured 2>&1)
        result=$?
        [ "$different" = "0 " ] || result=2
        if [ $result = 1 ]; then # perhaps it counts something else each time
            measure again "$kept.again" kernel -- "$program" $arguments
            said=$("$compare" $measured 2>&1)
            result=$?
        fi
        case $result in
        0) answer=equal alike=$((alike + 1)) ;;
        3) answer=refused alike=$((alike + 1)) ;;
        *) answer="NOT ALIKE" ;;
        esac
        echo "$name: $answer, exit statuses$statuses"
        echo "$said" | grep -v '^problem' | sed 's/^/    /' | cut -c 1-220
        echo "$said" >> "$log"
    done < "$lines"
    echo "$alike of $all programs alike"
} > "$out/replay_programs.txt"
cat "$out/replay_programs.txt"
[ $alike = $all ] && [ $all -gt 0 ]
