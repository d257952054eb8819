#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Does the jobs of CUPTI's activity and callback samples with gpuprof, on a GPU, and compares the numbers of records.
#   trace_jobs.sh FOLDER     gets trace_jobs.txt and the output of every program; exit status 0 if all are equal
# Needs nvcc, the toolkit with its extras/CUPTI (CUDA_HOME), python3 and a driver. JOBS names some jobs; default: all.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: trace_jobs.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
jobs=${JOBS:-activity_trace_async callback_timestamp cuda_graphs_trace cuda_memory_trace cupti_correlation
    cupti_external_correlation cupti_finalize cupti_nvtx cupti_trace_injection unified_memory}
log=$out/trace_jobs_logs
mkdir -p "$log"

build_sample() { # job
    folder=$samples/$1
    source=$(ls "$folder"/*.cu "$folder"/*.cpp 2> /dev/null | head -n 1)
    test -n "$source" || { echo "no sample"; return 1; }
    case $1 in
        cupti_finalize | cupti_trace_injection) set -- "$1" -shared -Xcompiler -fPIC ;;
    esac
    made=$build/sample_$1
    shift
    "$nvcc" -arch="$arch" "$@" $cupti_include -I "$samples/common" -o "$made" "$source" \
        $cupti_link -lcuda -lpthread
}
build_ours() { # program
    shared=
    case $1 in
        cupti_finalize | cupti_trace_injection) shared="-shared -Xcompiler -fPIC" ;;
    esac
    "$nvcc" -std=c++20 -O1 -arch="$arch" $shared -I "$here/../../include" ${CPPFLAGS:-} \
        -o "$build/$1" "$here/trace_jobs/$1.cu" -lcuda -ldl -lpthread
}
for job in $jobs; do
    build_sample "$job" > "$log/$job.sample_build.txt" 2>&1 &
    test -e "$here/trace_jobs/$job.cu" && build_ours "$job" > "$log/$job.build.txt" 2>&1 &
done
build_ours target > "$log/target.build.txt" 2>&1 &
build_ours not_shipped > "$log/not_shipped.build.txt" 2>&1 &
wait

run() { # program, output
    program=$1
    case $2 in
        */cupti_finalize.*)
            CUDA_INJECTION64_PATH=$program timeout 60 "$build/target" bursts > "$2" 2>&1 ;;
        */cupti_trace_injection.*)
            CUDA_INJECTION64_PATH=$program NVTX_INJECTION64_PATH=$cupti_library timeout 60 "$build/target" > "$2" 2>&1 ;;
        */cupti_nvtx.*)
            NVTX_INJECTION64_PATH=$cupti_library timeout 60 "$program" > "$2" 2>&1 ;;
        *) timeout 60 "$program" > "$2" 2>&1 ;;
    esac
    status=$?
    # 2: the program says that the machine cannot
    test $status -eq 0 -o $status -eq 2 || echo "exit status $status" >> "$2"
}
do_job() { # job
    run "$build/sample_$1" "$log/$1.sample.txt"
    run "$build/sample_$1" "$log/$1.sample_again.txt"
    run "$build/$1" "$log/$1.gpuprof.txt"
}
# Those that take seconds of waiting run beside the others.
case " $(echo $jobs) " in *" cupti_finalize "*)
    run "$build/sample_cupti_finalize" "$log/cupti_finalize.sample.txt" &
    run "$build/sample_cupti_finalize" "$log/cupti_finalize.sample_again.txt" &
    run "$build/cupti_finalize" "$log/cupti_finalize.gpuprof.txt" & ;;
esac
for job in $jobs; do
    test "$job" = cupti_finalize || do_job "$job"
done
wait

failed=0
{
    describe_machine
    echo "job | kind | sample | gpuprof | equal"
    for job in $jobs; do
        if ! test -e "$build/$job"; then
            echo "$job | - | - | - | NO: ours does not build"
            failed=1
        elif ! test -e "$build/sample_$job"; then
            echo "$job | - | - | - | not compared: the sample does not build here"
        else
            python3 "$here/trace_jobs/count.py" "$job" "$here/trace_jobs/$job.cu" "$log/$job.sample.txt" \
                "$log/$job.sample_again.txt" "$log/$job.gpuprof.txt" || failed=1
        fi
    done
    # Samples that CUDA 13.0 does not ship: against arithmetic.
    echo "job | what | expected | gpuprof | equal"
    for part in counters links source; do
        timeout 60 "$build/not_shipped" $part 2>&1
        status=$?
        test $status -eq 0 || failed=1
        test $status -le 1 || echo "not_shipped $part | - | - | exit status $status | NO"
    done
} > "$out/trace_jobs.txt" 2>&1
cat "$out/trace_jobs.txt"
exit $failed
