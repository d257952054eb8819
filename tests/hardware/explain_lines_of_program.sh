#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The lines of source in gpuprof explain of a program that knows nothing of it, on a GPU: it is measured in one run and sampled in another, and the
# scattered store of explain_injection.cu is the line of the finding.
#   explain_lines_of_program.sh FOLDER     gets explain_lines_of_program.txt; exit status 0 if all lines below end with "yes"
# Needs nvcc (CUDA_HOME), a driver, and COMMAND: a gpuprof that is built, with its injection library beside it. BUILD names a folder with a program `plain` that
# is built already, with -lineinfo.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: explain_lines_of_program.sh FOLDER}
command=${COMMAND:?COMMAND names gpuprof}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
log=$out/explain_lines_of_program.txt
: > "$log"
source=$here/explain_injection.cu
if test -n "${BUILD:-}"; then cp "$BUILD/plain" "$build/"; else "$nvcc" -arch="$arch" -O2 -lineinfo -o "$build/plain" "$source" >> "$log" 2>&1; fi
describe_machine >> "$log"

failed=0
check() { # what it is, then a command
    what=$1
    shift
    "$@" >> "$log" 2>&1 && echo "$what: yes" >> "$log" && return
    echo "$what: no" >> "$log"
    failed=1
}
store=$(grep -n 'to\[(i % 32)' "$source" | cut -d: -f1)
for how in auto sampled counted; do
    check "--lines $how: it is explained" sh -c "timeout 240 '$command' explain --on gpu --set full --lines $how --page '$out/$how.html' \
        --json '$build/$how.json' --keep '$build/$how.kept' -- '$build/plain' > '$build/$how.out' 2> '$build/$how.told'"
    cat "$build/$how.told" >> "$log"
    check "--lines $how: the program printed once" sh -c "test \"\$(cat '$build/$how.out')\" = PASSED"
done
check "--lines auto: it says how to get lines" grep -q -e '--lines sampled runs it once more' "$build/auto.told"
# With samples alone, the lines are those at which warps wait: the store itself, or what comes after it.
check "--lines sampled: lines of the source" grep -q "explain_injection.cu" "$build/sampled.told"
check "--lines sampled: the scattered store has samples" grep -q "\"line\": $store," "$build/sampled.kept.lines"
check "--lines counted: counts, or why there are none (CUPTI 13.0)" sh -c "grep -q 'explain_injection.cu:$store' '$build/counted.json' ||
    grep -q 'version mismatch' '$build/counted.kept.lines'"
check "the page has the source" grep -q '<table class="source">' "$out/sampled.html"
cat "$log"
exit $failed
