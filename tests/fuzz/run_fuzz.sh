#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs a fuzzer on the committed corpus and on what earlier runs added, then says in one line how that ended.
#
#   run_fuzz.sh FUZZER SECONDS   findings, the log and new inputs lie beside FUZZER; the status is 1 for a finding. The corpus
#                                of NAME_fuzz is the folder NAME_corpus; NAME.dict, if it is there, has words of the input
set -eu

here=$(cd "$(dirname "$0")" && pwd)
fuzzer=$1
seconds=$2
name=$(basename "$fuzzer" _fuzz)
work=$(dirname "$fuzzer")/$name
mkdir -p "$work/found"
words=$here/$name.dict
[ -f "$words" ] || words=''

status=0
# What kernels print is closed off. An input that takes ten seconds is a finding.
"$fuzzer" ${words:+-dict="$words"} -max_total_time="$seconds" -timeout=10 -rss_limit_mb=3072 -close_fd_mask=1 \
    -print_final_stats=1 -artifact_prefix="$work/" "$work/found" "$here/${name}_corpus" 2>"$work/fuzz.log" || status=$?
runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/fuzz.log")
if [ "$status" -ne 0 ]; then
    tail -n 60 "$work/fuzz.log"
    echo "fuzz: A FINDING after ${runs:-?} runs, beside $work/fuzz.log"
    exit 1
fi
echo "fuzz: $runs runs in $seconds s, no findings"
