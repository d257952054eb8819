#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Every row of every section of set full beside Nsight Compute's value, for each kernel of the suite.
#   sections.sh FOLDER     gets sections.txt (the table) and sections.log; exit status 0 if all rows are as ncu's
# Needs a C++20 compiler (CXX), python3, the driver, CUPTI and ncu. Caches and clocks are left as they are; MORE=--cold has
# the caches flushed before each pass.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: sections.sh FOLDER}
mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

for program in sections conformance_app; do # BUILD: a folder that has both already
    if [ -n "${BUILD:-}" ]; then
        cp "$BUILD/$program" "$build/" || exit 1
        continue
    fi
    "${CXX:-g++}" -std=c++20 -O1 -I "$here/../../include" -I "$here/.." ${CPPFLAGS:-} "$here/$program.cpp" \
        -o "$build/$program" -pthread -ldl &
done
wait
# shellcheck disable=SC2086 # MORE: options of compare_sections.py
python3 "$here/compare_sections.py" --build "$build" ${MORE:-} --out "$out/sections.txt" 2> "$out/sections.log"
status=$?
tail -n 5 "$out/sections.log"
exit $status
