#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Everything there is to run on a GPU, with one command: builds, runs the tests, compares with Nsight Compute.
#   run_all.sh FOLDER     gets gpu_tests.txt, last_run.txt (the comparison) and compare.log; exit status 0 if all is well
# Needs a C++20 compiler (CXX), doctest, python3, the driver, CUPTI and ncu. Clocks are left as they are.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: run_all.sh FOLDER}
mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
failed=0

compile() { # what it makes, then sources
    made=$1
    shift
    "${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" -I "$here/.." ${CPPFLAGS:-} -DGPUPROF_TEST_SOURCE_DIR="\"$here/..\"" \
        "$@" -o "$build/$made" -pthread -ldl || echo "$made does not build"
}
cd "$here" || exit 1
compile conformance conformance.cpp &
compile conformance_app conformance_app.cpp &
compile hot_loop ../../examples/hot_loop.cpp &
compile gpu_tests ranges.test.cpp outcomes.test.cpp ../main.cpp &
wait

if [ -x "$build/gpu_tests" ]; then
    "$build/gpu_tests" --no-colors=true --duration=true > "$out/gpu_tests.txt" 2>&1 || failed=1
else
    echo "the tests do not build" > "$out/gpu_tests.txt"
    failed=1
fi
tail -n 40 "$out/gpu_tests.txt"

python3 "$here/compare.py" --build "$build" --out "$out/last_run.txt" 2> "$out/compare.log" || failed=1
tail -n 5 "$out/compare.log"
exit $failed
