#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Records checks of kernels on a GPU and on the embedded GPU, replays both recordings without one, and compares.
#   recording.sh FOLDER [DEVICE]   gets gpu.json, sim.json, what each run printed, and recording.txt; exit status 0 if the replays
#                                  print what the recorded runs did, and GPU and embedded GPU come to the same verdicts
# DEVICE: cuda:0 if nothing is said. Needs a C++20 compiler (CXX), the driver and CUPTI; uses cuBLAS if it is there.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: recording.sh FOLDER [DEVICE]}
device=${2:-cuda:0}
mkdir -p "$out"
out=$(cd "$out" && pwd)
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
"${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" ${CPPFLAGS:-} "$here/recording.cpp" \
    "$here/../../examples/unit_test/kernels.cpp" -o "$build/recording" -pthread -ldl || exit 1
unset GPUPROF_RECORD
faults=0
fault() { echo "FAULT: $*"; faults=$((faults + 1)); }

rm -f "$out/gpu.json" "$out/sim.json"
GPUPROF_DEVICE=$device GPUPROF_RECORD=$out/gpu.json "$build/recording" library outputs > "$out/gpu.txt" 2> "$out/gpu_missing.txt"
GPUPROF_DEVICE=sim GPUPROF_RECORD=$out/sim.json "$build/recording" outputs > "$out/sim.txt" 2> "$out/sim_missing.txt"
# No GPU to be seen: the library cannot run, and the recording answers.
CUDA_VISIBLE_DEVICES= GPUPROF_DEVICE=replay:$out/gpu.json "$build/recording" library outputs > "$out/gpu_replayed.txt" 2> /dev/null
CUDA_VISIBLE_DEVICES= GPUPROF_DEVICE=replay:$out/sim.json "$build/recording" outputs > "$out/sim_replayed.txt" 2> /dev/null
# Asked for more than it has: inconclusive, by name.
CUDA_VISIBLE_DEVICES= GPUPROF_DEVICE=replay:$out/sim.json "$build/recording" library > "$out/sim_asked_for_more.txt" 2>&1

{
    echo "recorded on $device:"
    sed -n '1p; / pass \| fail \| inconclusive /p' "$out/gpu.txt"
    for each in gpu sim; do
        cmp "$out/$each.txt" "$out/${each}_replayed.txt" || fault "the replay of $each.json is not what was recorded"
        lines=$(grep -c ' pass \| fail \| inconclusive ' "$out/$each.txt")
        [ "$lines" -ge 9 ] || fault "$each.txt has $lines checks"
        echo "$each: $lines checks replayed"
        # Of each kind: what CUPTI does not do here (counts of instructions by 13.0) is named beside.
        for word in '^kernel ' '^call ' '^scope ' '^sample ' '^step 2 times ' ' samples$' '^frame.gpu_time '; do
            found=$(grep -c "$word" "$out/$each.txt")
            [ "$found" -gt 0 ] || fault "$each.txt has no line \"$word\""
            echo "$each: $found lines \"$word\" replayed"
        done
        cat "$out/${each}_missing.txt"
    done
    # The verdict stands behind the name of the check.
    verdicts() { grep ' pass \| fail \| inconclusive ' "$1" | grep -v '^cuBLAS' | sed -n 's/^\(.\{34\} [a-z]*\) .*/\1/p'; }
    verdicts "$out/gpu.txt" > "$build/gpu"
    verdicts "$out/sim.txt" > "$build/sim"
    if diff "$build/gpu" "$build/sim"; then echo "GPU and embedded GPU: the same $(wc -l < "$build/gpu") verdicts"
    else fault "GPU and embedded GPU come to different verdicts"; fi
    grep -q 'has no range "observed" of "cuBLAS"' "$out/sim_asked_for_more.txt" || fault "what was not recorded is not named"
    [ "$(grep -c '^cuBLAS.* inconclusive ' "$out/sim_asked_for_more.txt")" = 3 ] || fault "it is not inconclusive"
    echo "$faults faults"
    [ "$faults" = 0 ]
} > "$out/recording.txt" 2>&1
status=$?
cat "$out/recording.txt"
exit $status
