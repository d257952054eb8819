#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Launches that wait: for the grid, for the host, for another thread, for each other, in each mode of a profiler on a GPU.
#   hard_launches.sh FOLDER     gets hard_launches.txt; takes 20 s for each that does not end; exit status 1 if one does not
# Needs a C++20 compiler (CXX), the driver and CUPTI. Clocks are left as they are.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: hard_launches.sh FOLDER}
mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

"${CXX:-g++}" -std=c++20 -O1 -I "$here/../../include" ${CPPFLAGS:-} "$here/hard_launches.cpp" -o "$build/hard_launches" -pthread -ldl || exit 1
"$build/hard_launches" >"$out/hard_launches.txt"
status=$?
cat "$out/hard_launches.txt"
exit $status
