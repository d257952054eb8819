#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Everything of cutlass.py in one go, on a machine with a GPU, Nsight Compute and many processors, in at most ten minutes: programs are
# built, the first test of each is profiled and run on the embedded GPU as soon as it is there, further tests as long as time is left.
#
#   cutlass.sh SOURCES GPUPROF FOLDER
#
# SOURCES has CUTLASS, hopper/ of FlashAttention and googletest/, as cutlass.py wants them; GPUPROF is the command of a Release build.
# FOLDER gets what was found, logs, and the programs without machine code, packed and split into pieces of 15 MB.
# In the environment: BUILD_SECONDS (380), SECONDS_ALL (500) after which nothing runs any more, SECONDS_EACH (300) for a test, TESTS (3)
# of each program; NAMES, regular expressions of the programs' names (all); PROGRAMS, what an earlier run packed: its programs are not
# built again, but run anew.
set -u
[ $# -eq 3 ] || {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
sources=$1
gpuprof=$2
out=$3
here=$(dirname "$0")
all=${SECONDS_ALL:-500}
work=$(mktemp -d)
mkdir -p "$out" "$work/f"
cutlass() {
    what=$1
    shift
    python3 "$here/cutlass.py" "$what" "$work/f" "$@" >"$out/$what.log" 2>&1
}
[ -z "${PROGRAMS:-}" ] || tar xf "$PROGRAMS" -C "$work/f"
rm -f "$work/f/ran.json"
: >"$work/f/programs.txt"
cutlass build --cutlass "$sources" --googletest "$sources/googletest" --seconds 150 --code both 'cute_hopper\.stsm'
if [ ! -x "$work/f/cute_hopper.stsm" ]; then # nothing else would build either
    cat "$out/build.log"
    exit 1
fi
rm "$work/f/built"
cutlass build --cutlass "$sources" --flash-attention "$sources" --googletest "$sources/googletest" --seconds "${BUILD_SECONDS:-380}" \
    --jobs "$(nproc)" ${NAMES:-} &
cutlass profile --wait --seconds "$all" --seconds-each 40 ${NAMES:-} &
nice -n 15 python3 "$here/cutlass.py" run "$work/f" --gpuprof "$gpuprof" --wait --tests "${TESTS:-3}" --seconds "$all" \
    --seconds-each "${SECONDS_EACH:-300}" --jobs "$(nproc)" ${NAMES:-} >"$out/run.log" 2>&1 &
wait
cutlass count --gpuprof "$gpuprof" --seconds-each 20 ${NAMES:-}
cutlass tables --out "$out/tests.txt" --counters "$out/counters.txt"
cutlass pack
cat "$out"/*.log >"$out/log" && rm "$out"/*.log
head -n 8 "$out/tests.txt"
sed '/^$/,$!d' "$out/counters.txt" | head -n 60
tar cf - -C "$work/f/packed" . | xz -T0 -5 | split -b 15m - "$out/programs.tar.xz."
rm -rf "$work"
