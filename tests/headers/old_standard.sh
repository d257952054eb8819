#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Each header that users include, and some of the deeper ones, with a standard before C++20: one #error that says what to do,
# and the compiler stops.
#
#   old_standard.sh INCLUDE_DIR COMPILER [OPTION...]
set -eu

include_dir=$1
shift
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
suffix=cpp
[ "$(basename "$1")" = nvcc ] && suffix=cu
# Where the message stands, two lines of source for each of the two errors, and at most six levels of "included from".
most=14

status=0
for header in scope gpuprof legacy sim core/units metric/metric measure/profiler; do
    unit=$scratch/unit.$suffix
    printf '#include <gpuprof/%s.hpp>\nint main() {}\n' "$header" >"$unit"
    if "$@" -I "$include_dir" "$unit" 2>"$scratch/said"; then
        echo "gpuprof/$header.hpp: compiles"
        exit 1
    fi
    lines=$(wc -l <"$scratch/said")
    errors=$(grep -cE ': error: .*gpuprof needs C\+\+20: compile with -std=c\+\+20' "$scratch/said" || true)
    if [ "$errors" -ne 1 ] || [ "$lines" -gt $most ]; then
        echo "gpuprof/$header.hpp: $errors messages that name C++20 in $lines lines"
        head -n 40 "$scratch/said"
        status=1
    fi
done
exit $status
