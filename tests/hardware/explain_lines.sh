#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Lines of findings on a GPU: five kernels with one flaw each, at a line that is known.
#   explain_lines.sh FOLDER     gets explain_lines.txt (a row for each flaw, and below them the source view), exit status 0 if all
#                               rows say yes
# Needs nvcc, nvdisasm and a driver. CUPTI 13.0 counts the instructions of the first kernel only, so that gpuprof refuses it:
# name the libcupti.so of another release in GPUPROF_CUPTI_PATH, such as 12.9 (tests/setup/fetch_cupti_wheels.sh). 40 s. BUILD: a folder that has explain_lines already.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: explain_lines.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
export PATH="$toolkit/bin:$PATH" # nvdisasm
test -z "${BUILD:-}" || cp "$BUILD/explain_lines" "$build/"
test -e "$build/explain_lines" || "$nvcc" -std=c++20 -O3 -lineinfo -arch="$arch" -I "$here/../../include" $cupti_include -o "$build/explain_lines" \
    "$here/explain_lines.cu" -lcuda -ldl -lpthread > "$out/explain_lines.build.txt" 2>&1 || {
    cat "$out/explain_lines.build.txt"
    exit 2
}
{
    describe_machine
    echo "kernel | what | value | as expected"
    timeout 120 "$build/explain_lines"
    echo "exit status $?"
} > "$out/explain_lines.txt" 2>&1
cat "$out/explain_lines.txt"
tail -n 1 "$out/explain_lines.txt" | grep -q '^exit status 0$'
