#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Whether passes are alike on a GPU, what that costs, and restoring memory from three places.
#   passes.sh FOLDER     gets passes.txt; exit status 0 if equal work is no problem and other work is one
# Needs a C++20 compiler (CXX), the driver, and CUPTI. Clocks are left as they are.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: passes.sh FOLDER}
mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

"${CXX:-g++}" -std=c++20 -O1 -I "$here/../../include" ${CPPFLAGS:-} "$here/passes.cpp" -o "$build/passes" -pthread -ldl || exit 1
"$build/passes" "$build" >"$out/passes.txt"
status=$?
cat "$out/passes.txt"
exit $status
