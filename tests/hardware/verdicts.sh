#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs one test program on the embedded GPU (GH100) and on a GPU, records both runs and replays both recordings, and compares the
# verdict of each check. Then runs the project examples/unit_test/cuda, whose kernels are launched by <<<>>>, on the GPU.
#   verdicts.sh FOLDER     gets verdicts.txt, embedded.json, gpu.json and what was printed; exit status 0 if all verdicts are
#                          equal and as expected
# Needs a C++20 compiler (CXX), nvcc, doctest (an include folder in CPPFLAGS if it is not installed), CUPTI and a driver.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: verdicts.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

"${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" -I "$here/.." ${CPPFLAGS:-} -o "$build/verdicts" "$here/verdicts.cpp" \
    -pthread -ldl > "$out/verdicts_build.log" 2>&1 &
"$nvcc" -std=c++20 -O1 -arch="$arch" -Xcompiler -Wall -I "$here/../../include" ${CPPFLAGS:-} -o "$build/kernel_tests" \
    "$here/../../examples/unit_test/cuda/kernel_tests.cu" -lcuda -ldl -lpthread > "$out/kernel_tests_build.log" 2>&1 &
wait

failed=0
unset GPUPROF_RECORD
rm -f "$out/embedded.json" "$out/gpu.json"
run_verdicts() { # name, device, further settings
    name=$1
    device=$2
    shift 2
    env GPUPROF_DEVICE="$device" "$@" "$build/verdicts" "$here" > "$out/verdicts_$name.txt" 2> "$out/verdicts_$name.log" ||
        failed=1
}
run_verdicts embedded sim:gh100 GPUPROF_RECORD="$out/embedded.json"
run_verdicts gpu cuda:0 GPUPROF_RECORD="$out/gpu.json"
# No GPU to be seen.
run_verdicts embedded_replayed replay:"$out/embedded.json" CUDA_VISIBLE_DEVICES=
run_verdicts gpu_replayed replay:"$out/gpu.json" CUDA_VISIBLE_DEVICES=
for case in saxpy saxpy_alone transpose transpose_unpadded saxpy_twice saxpy_looks; do
    GPUPROF_DEVICE=cuda:0 "$build/kernel_tests" --no-colors=true --test-case=$case > "$out/kernel_tests_$case.txt" 2>&1
    echo $? > "$build/status_$case"
done

cuda_row() { # case, expected exit status, text
    verdict=pass
    test "$(cat "$build/status_$1")" = 0 || verdict=fail
    row="$1 | $2 | $verdict"
    if test "$2" != $verdict || ! grep -q "$3" "$out/kernel_tests_$1.txt"; then
        row="$row | NO"
        failed=1
    fi
    echo "$row"
}
{
    describe_machine
    head -n 1 "$out/verdicts_embedded.txt"
    head -n 1 "$out/verdicts_gpu.txt"
    head -n 1 "$out/verdicts_gpu.txt" | grep -q '| hardware$' || { echo "no GPU"; failed=1; }
    echo "assertion | embedded | GPU | embedded, replayed | GPU, replayed | expected"
    # Of the four files: lines of a check have four columns.
    awk -F' [|] ' '
        FNR == 1 { file++ }
        NF != 4 { next }
        !($1 in expected) { names[++count] = $1; expected[$1] = $3; kind[$1] = $4 }
        { verdict[file, $1] = $2 }
        END {
            for (i = 1; i <= count; ++i) {
                name = names[i]
                line = name
                equal = caught_on = 0
                for (k = 1; k <= 4; ++k) {
                    line = line " | " verdict[k, name]
                    equal += verdict[k, name] == expected[name]
                    caught_on += verdict[k, name] == "fail"
                }
                print line " | " expected[name] (equal == 4 ? "" : " | NO")
                if (equal != 4) wrong++
                if (kind[name] == "planted") { planted++; if (caught_on == 4) caught++ }
                else checks++
            }
            printf "%d assertions, %d planted regressions, %d of them caught by all four, %d not equal\n", checks, planted,
                caught, wrong
            exit file != 4 || wrong > 0 || checks < 15 || planted < 6 || caught != planted
        }' "$out/verdicts_embedded.txt" "$out/verdicts_gpu.txt" "$out/verdicts_embedded_replayed.txt" \
        "$out/verdicts_gpu_replayed.txt" || failed=1
    # What a failure says is replayed, too, and says that it is.
    # Lines may break elsewhere.
    for each in embedded gpu; do
        tr -s ' \n' ' ' < "$out/verdicts_$each.log" > "$build/measured.txt"
        tr -s ' \n' ' ' < "$out/verdicts_${each}_replayed.log" | sed 's/, a recording: not measured now//g' |
            cmp - "$build/measured.txt" || { echo "$each: the replay says other things"; failed=1; }
    done
    echo "examples/unit_test/cuda | expected | GPU"
    cuda_row saxpy pass "1 passed"
    cuda_row saxpy_alone pass "1 passed"
    cuda_row transpose pass "1 passed"
    cuda_row transpose_unpadded fail "no bank conflicts: [0-9,]* conflicts* is to be"
    cuda_row saxpy_twice fail "launches: 2 is to be exactly 1"
    cuda_row saxpy_looks fail "no hidden synchronisation: 2 is to be at most 0"
    cat "$out/verdicts_build.log" "$out/kernel_tests_build.log"
} > "$out/verdicts.txt" 2>&1
cat "$out/verdicts.txt"
exit $failed
