#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Several passes of a sampler on one time line, samples lost while it runs, and a kernel bound by the texture unit.
#   pm_passes.sh FOLDER     gets pm_passes.txt; exit status 0 if all judged rows say yes
# Needs nvcc and a driver. About 90 s, most of it for nvcc.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: pm_passes.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
"$nvcc" -std=c++20 -O1 -arch="$arch" -I "$here/../../include" ${CPPFLAGS:-} -o "$build/job" "$here/pm_passes.cu" -ldl -lpthread || exit 1
{
    describe_machine
    timeout 300 "$build/job"
} > "$out/pm_passes.txt" 2>&1
status=$?
cat "$out/pm_passes.txt"
exit $status
