#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Counts of instructions on a GPU: the job of CUPTI's sample sass_metrics with gpuprof, and sums against the range profiler.
#   sass_metrics.sh FOLDER     gets sass_metrics.txt and the output of every program; exit status 0 if all rows say yes
# Needs nvcc, the toolkit with its extras/CUPTI (CUDA_HOME) and a driver. CUPTI 13.0 counts the first kernel only: name the
# libcupti.so of another release in GPUPROF_CUPTI_PATH, such as 12.9 (tests/setup/fetch_cupti_wheels.sh). Under 60 s on 16 cores.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: sass_metrics.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
cupti_link="-Xlinker $GPUPROF_CUPTI_PATH -Xlinker -rpath=$(dirname "$GPUPROF_CUPTI_PATH")" # CUPTI's sample uses the same one
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
log=$out/sass_metrics_logs
mkdir -p "$log"
sample=$samples/sass_metrics/sass_metrics.cu

for job in sass_metrics against_ranges; do
    "$nvcc" -std=c++20 -O1 -lineinfo -arch="$arch" -I "$here/../../include" $cupti_include -I "$samples/common" \
        "-DSASS_SAMPLE=\"$sample\"" -o "$build/$job" "$here/sass_metrics/$job.cu" $cupti_link -lcuda -ldl -lpthread \
        > "$log/$job.build.txt" 2>&1 &
done
"$nvcc" -O1 -lineinfo -arch="$arch" $cupti_include -I "$samples/common" -o "$build/sample" "$sample" $cupti_link -lcuda \
    > "$log/sample.build.txt" 2>&1 &
wait

run() { # job
    if ! test -x "$build/$1"; then
        echo "$1 | builds | see $1.build.txt | NO"
        return 1
    fi
    timeout 60 "$build/$1" > "$log/$1.txt" 2>&1
    status=$?
    grep -a " | " "$log/$1.txt"
    test $status -eq 0 || echo "$1 | exit status | $status | NO"
    return $status
}

failed=0
{
    describe_machine
    echo "CUPTI of all programs: $(echo "$GPUPROF_CUPTI_PATH" | grep -o "[0-9]*\.[0-9]*/.*" || basename "$GPUPROF_CUPTI_PATH")"
    echo "job | what | value | as expected"
    run sass_metrics || failed=1
    lines=$(awk '/counting ends/ {on = 0} on && NF {++n} /counting begins/ {on = 1} END {print n + 0}' \
        "$here/sass_metrics/sass_metrics.cu")
    test "$lines" -le 40 && answer=yes || { answer=NO; failed=1; }
    echo "sass_metrics | lines of user code | $lines | $answer"
    # The counts of the first kernel that CUPTI's sample prints are gpuprof's.
    if test -x "$build/sample"; then
        timeout 60 "$build/sample" > "$log/sample.txt" 2>&1
        awk '/Launching VectorSubtract/ {exit} /pcOffset:/ {print "record: " $3 " " $6}' "$log/sample.txt" > "$build/theirs"
        grep -a "^record: " "$log/sass_metrics.txt" > "$build/ours"
        answer=yes
        test -s "$build/theirs" && cmp -s "$build/ours" "$build/theirs" || { answer=NO; failed=1; }
        echo "sass_metrics | instructions of VectorAdd with the counts that CUPTI's sample prints | $(grep -cxFf "$build/theirs" "$build/ours") of $(wc -l < "$build/theirs") | $answer"
    else
        echo "sass_metrics | CUPTI's sample | does not build here | not compared"
    fi
    run against_ranges || failed=1
} > "$out/sass_metrics.txt" 2>&1
cat "$out/sass_metrics.txt"
exit $failed
