#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Everything that shows the tracing on a GPU, with one command: trace_jobs.sh, trace_cost.sh, trace_versions.sh and
# trace_frameworks.sh, whose last tables are last_trace_*.txt.
#   trace_all.sh FOLDER     gets trace_jobs.txt, trace_cost.txt, trace_versions.txt, trace_frameworks.txt, and logs
# Exit status 0 if all is well. One that fails does not stop the others.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: trace_all.sh FOLDER}
mkdir -p "$out"
failed=0
for part in jobs versions frameworks cost; do
    begin=$(date +%s)
    "$here/trace_$part.sh" "$out" > "$out/trace_$part.log" 2>&1 || failed=1
    echo "== $part: $(($(date +%s) - begin)) s; $(grep -c -E '\| (NO|MISSED)|: NO$' "$out/trace_$part.txt") rows say no"
    grep -E '\| (NO|MISSED)|: NO$' "$out/trace_$part.txt" | head -n 20
done
exit $failed
