#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The job of CUPTI's sample pm_sampling with gpuprof, beside the sample: five metrics each 100,000 cycles.
#   pm_sampling.sh FOLDER     gets pm_sampling.txt and the output of both; exit status 0 if all rows say yes
# Needs nvcc, the toolkit with its extras/CUPTI (CUDA_HOME) and a driver. Under 60 s on 16 cores.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: pm_sampling.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
log=$out/pm_sampling_logs
mkdir -p "$log"
"$nvcc" -std=c++20 -O1 -arch="$arch" -I "$here/../../include" $cupti_include ${CPPFLAGS:-} -o "$build/job" \
    "$here/pm_sampling/pm_sampling.cu" -ldl -lpthread > "$log/job.build.txt" 2>&1 &
# 100 kernels end on an H200 before the sample has decoded anything: it gets more of them.
sed "s/NUM_OF_ITERATIONS = 100;/NUM_OF_ITERATIONS = 3000;/" "$samples/pm_sampling/pm_sampling.cu" > "$build/sample.cu"
"$nvcc" -O1 -std=c++17 -arch="$arch" $cupti_include -I "$samples/common" -I "$samples/pm_sampling" -o "$build/sample" "$build/sample.cu" \
    $cupti_link -lcuda > "$log/sample.build.txt" 2>&1 &
wait

failed=0
{
    describe_machine
    echo "job | what | value | as expected"
    timeout 60 "$build/job" > "$log/job.txt" 2>&1 || failed=1
    grep -a " | " "$log/job.txt" || { echo "pm_sampling | runs | see job.txt | NO"; failed=1; }
    lines=$(awk '/sampling ends/ {on = 0} on && NF {++n} /sampling begins/ {on = 1} END {print n + 0}' \
        "$here/pm_sampling/pm_sampling.cu")
    test "$lines" -le 40 && answer=yes || { answer=NO; failed=1; }
    echo "pm_sampling | lines of user code | $lines | $answer"
    # CUPTI's sample prints its first 50 samples; both are medians of that many.
    timeout 120 "$build/sample" -i 100000 > "$log/sample.txt" 2>&1
    echo "pm_sampling | samples that CUPTI's sample has | $(grep -ao 'Total num of Samples: [0-9]*' "$log/sample.txt" | grep -o '[0-9]*$') | not judged"
    for metric in gr__cycles_active.avg gr__cycles_elapsed.max gpu__time_duration.sum \
        sm__inst_executed_realtime.avg.per_cycle_active sm__cycles_active.avg; do
        theirs=$(awk -v name="$metric" '$1 == name {print $2}' "$log/sample.txt" | sort -g | awk '{all[NR] = $1} END {print all[int(NR / 2) + 1]}')
        ours=$(awk -v name="$metric" '$1 == "median:" && $2 == name {print $3}' "$log/job.txt")
        answer=$(awk -v a="${ours:-0}" -v b="${theirs:-0}" 'BEGIN {print (b > 0 && a < 1.03 * b && a > 0.97 * b ? "yes" : "NO")}')
        test "$answer" = yes || failed=1
        echo "pm_sampling | median of $metric, and of CUPTI's sample, within 3 % | ${ours:-none} and ${theirs:-none} | $answer"
    done
} > "$out/pm_sampling.txt" 2>&1
cat "$out/pm_sampling.txt"
exit $failed
