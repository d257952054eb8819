#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Memory restored between passes on a GPU, and what that costs.
#   memory.sh FOLDER     gets memory.txt; exit status 0 if every value is that of one pass
# Needs a C++20 compiler (CXX), the driver, and CUPTI with libcheckpoint. Clocks are left as they are.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: memory.sh FOLDER}
mkdir -p "$out"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT

"${CXX:-g++}" -std=c++20 -O1 -I "$here/../../include" ${CPPFLAGS:-} "$here/memory.cpp" -o "$build/memory" -pthread -ldl || exit 1
"$build/memory" >"$out/memory.txt"
status=$?
cat "$out/memory.txt"
exit $status
