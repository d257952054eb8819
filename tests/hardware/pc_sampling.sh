#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Samples instructions on a GPU: the jobs of CUPTI's samples with gpuprof, and what CUPTI's header leaves open.
#   pc_sampling.sh FOLDER     gets pc_sampling.txt, hot_lines.html and the output of every program; exit status 0 if all rows
#                             say yes
# Needs nvcc, the toolkit with its extras/CUPTI (CUDA_HOME) and a driver. Under 60 s on 16 cores.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: pc_sampling.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
log=$out/pc_sampling_logs
mkdir -p "$log"
jobs="facts pc_sampling pc_sampling_continuous pc_sampling_start_stop pc_sampling_utility"

for job in $jobs; do
    "$nvcc" -std=c++20 -O1 -lineinfo -arch="$arch" -I "$here/../../include" $cupti_include ${CPPFLAGS:-} \
        -o "$build/$job" "$here/pc_sampling/$job.cu" $cupti_link -lcuda -ldl -lpthread > "$log/$job.build.txt" 2>&1 &
done
# CUPTI's own sample of ranges prints the names of stall reasons, if it is there.
folder=$samples/pc_sampling_start_stop
source=$(ls "$folder"/*.cu 2> /dev/null | head -n 1)
test -n "$source" && "$nvcc" -arch="$arch" $cupti_include -I "$samples/common" -o "$build/sample" "$source" $cupti_link \
    -lcuda -lpthread > "$log/sample.build.txt" 2>&1 &
wait

run() { # job, arguments
    job=$1
    shift
    if ! test -x "$build/$job"; then
        echo "$job | builds | see $job.build.txt | NO"
        return 1
    fi
    timeout 60 "$build/$job" "$@" > "$log/$job.txt" 2>&1
    status=$?
    grep -a " | \|^fact: " "$log/$job.txt"
    test $status -eq 0 || echo "$job | exit status | $status | NO"
    return $status
}

failed=0
{
    describe_machine
    echo "job | what | value | as expected"
    run facts || failed=1
    run pc_sampling || failed=1
    run pc_sampling_start_stop || failed=1
    run pc_sampling_continuous "$build/again.json" || failed=1
    run pc_sampling_continuous "$out/pc_samples.json" "$out/hot_lines.html" || failed=1
    (cd "$build" && "$toolkit/bin/cuobjdump" -xelf all pc_sampling_continuous > "$log/cuobjdump.txt" 2>&1)
    run pc_sampling_utility "$build/again.json" "$out/pc_samples.json" $(ls "$build"/*.cubin 2> /dev/null) || failed=1
    # Lines of user code.
    for job in pc_sampling pc_sampling_continuous pc_sampling_start_stop pc_sampling_utility; do
        lines=$(awk '/sampling ends/ {on = 0} on && NF {++n} /sampling begins/ {on = 1} END {print n + 0}' \
            "$here/pc_sampling/$job.cu")
        test "$lines" -le 40 && answer=yes || { answer=NO; failed=1; }
        echo "$job | lines of user code | $lines | $answer"
    done
    # Every reason that CUPTI's sample prints is one of the list.
    if test -x "$build/sample"; then
        timeout 60 "$build/sample" > "$log/sample.txt" 2>&1
        echo "sample | exit status | $? | not judged"
        printed=$(grep -ao "smsp__pcsamp_[a-z_]*" "$log/sample.txt" | sort -u)
        strange=
        for reason in $printed; do grep -qx "reason: $reason" "$log/facts.txt" || strange="$strange $reason"; done
        answer=yes
        test -z "$strange" -a -n "$printed" || { answer=NO; failed=1; }
        echo "sample | stall reasons printed by CUPTI's sample that gpuprof does not have | ${strange:-none} of $(echo "$printed" | wc -w) | $answer"
    else
        echo "sample | pc_sampling_start_stop | does not build here | not compared"
    fi
} > "$out/pc_sampling.txt" 2>&1
cat "$out/pc_sampling.txt"
exit $failed
