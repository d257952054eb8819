#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Everything that shows the tracing on a GPU, with one command: trace_jobs.sh, trace_cost.sh, trace_versions.sh and
# trace_frameworks.sh, whose last tables are last_trace_*.txt.
#   trace_all.sh FOLDER     gets trace_jobs.txt, trace_cost.txt, trace_versions.txt, trace_frameworks.txt, and logs
# Exit status 0 if all is well. One that fails does not stop the others. About three minutes on 16 cores.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: trace_all.sh FOLDER}
mkdir -p "$out"
one() { # part
    begin=$(date +%s)
    timeout "${LIMIT:-280}" "$here/trace_$1.sh" "$out" > "$out/trace_$1.log" 2>&1
    echo $? > "$out/trace_$1.status"
    echo "== $1: $(($(date +%s) - begin)) s, exit status $(cat "$out/trace_$1.status")"
    grep -s -E '\| (NO|MISSED)|: NO$' "$out/trace_$1.txt" | head -n 30
}
# What is counted runs at once; what is timed has the machine for itself.
for part in jobs versions frameworks; do
    one $part > "$out/trace_$part.summary" &
done
wait
cat "$out"/trace_*.summary
one cost
test "$(cat "$out"/trace_*.status | sort -u)" = 0
