#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# One binary traces with CUPTIs of many releases, on a GPU.
#   trace_versions.sh FOLDER     gets trace_versions.txt; exit status 0 if 11.8 and later give the same numbers of records
# Needs nvcc, python3, and older CUPTIs: in CUPTIS (a folder of libcupti.so.N), else those of Nsight Compute.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: trace_versions.sh FOLDER}
mkdir -p "$out/trace_versions_logs"
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
older=${CUPTIS:-$(ls -d /opt/nvidia/nsight-compute/*/host/target-linux-x64 2> /dev/null | tail -n 1)}
"$nvcc" -std=c++20 -O1 -arch="$arch" -I "$here/../../include" ${CPPFLAGS:-} -o "$build/trace_versions" \
    "$here/trace_versions.cu" -lcuda -ldl > "$out/trace_versions_logs/build.txt" 2>&1
arguments=
for release in 10.2 11.2 11.7 11.8 12.9 13.0; do
    library=$older/libcupti.so.$release
    # The toolkit's own, if Nsight Compute does not bring it.
    test -e "$library" || { test "$release" = 13.0 && library=$cupti_library; }
    test -e "$library" || continue
    log=$out/trace_versions_logs/$release.txt
    env -u LD_LIBRARY_PATH GPUPROF_CUPTI_PATH="$library" timeout 60 "$build/trace_versions" > "$log" 2>&1
    echo "exit status $?" >> "$log"
    arguments="$arguments $release=$log"
done
{
    describe_machine
    python3 "$here/trace_versions.py" $arguments
} > "$out/trace_versions.txt" 2>&1
status=$?
cat "$out/trace_versions.txt"
exit $status
