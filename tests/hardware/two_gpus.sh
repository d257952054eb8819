#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Two GPUs of one machine: counters of each alone and side by side, what goes over the links, and an all-reduce of NCCL in each
# mode, in the process and by the command. What does not end in 60 s is ended, and said.
#   two_gpus.sh FOLDER     gets two_gpus.txt; exit status 0 if all that is known beforehand is so and everything ended
# Needs nvcc (CUDA_HOME), NCCL (NCCL_FLAGS: options that find it) and a driver. COMMAND: a gpuprof with its injection library beside it, for what measures
# programs as they are.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: two_gpus.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
test -z "${BUILD:-}" || cp "$BUILD/two_gpus" "$build/" # a folder that has it already
test -e "$build/two_gpus" || "$nvcc" -std=c++20 -O1 -arch="$arch" -I "$here/../../include" ${NCCL_FLAGS:-} -o "$build/two_gpus" "$here/two_gpus.cu" \
    -lnccl -ldl -lpthread > "$out/two_gpus.build.txt" 2>&1 || {
    cat "$out/two_gpus.build.txt"
    exit 2
}
failed=0
try() { # what it is, then a command
    echo "--- $1"
    shift
    timeout "${LIMIT:-60}" "$@"
    status=$?
    case $status in
    0) echo "ended well" ;;
    124) echo "DID NOT END in ${LIMIT:-60} s" && failed=1 ;;
    *) echo "exit status $status" && failed=1 ;;
    esac
}
{
    describe_machine
    nvidia-smi --query-gpu=name --format=csv,noheader
    try "counters" "$build/two_gpus" counters
    try "links" "$build/two_gpus" links
    # A report of GPUs side by side, a copy between them in a trace, and a kernel that reads the other one's memory.
    test -z "${BUILD:-}" || cp "$BUILD/side_by_side" "$build/"
    test -e "$build/side_by_side" || "${CXX:-g++}" -std=c++20 -O1 -DGPUPROF_SIM_IMPLEMENTATION -I "$here/../../include" -o "$build/side_by_side" \
        "$here/../../examples/two_gpus.cpp" -ldl -lpthread
    test -e "$build/side_by_side" && try "examples/two_gpus" "$build/side_by_side"
    try "copies" "$build/two_gpus" copies
    try "each link" "$build/two_gpus" by_link
    for mode in user written auto_user launch auto_kernel; do
        try "all-reduce, $mode" "$build/two_gpus" all_reduce $mode
    done
    try "all-reduce, auto_kernel, by CUPTI" env NCCL_CUMEM_ENABLE=0 "$build/two_gpus" all_reduce auto_kernel
    if [ -n "${COMMAND:-}" ]; then
        cd "$build" || exit 2
        try "gpuprof explain" "$COMMAND" explain --launch all -- ./two_gpus plain
        try "gpuprof replay" "$COMMAND" replay --fresh --kernels-wait --metrics \
            smsp__warps_launched.sum,dram__bytes_read.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum -- ./two_gpus plain
    fi
    echo "$failed failed"
} > "$out/two_gpus.txt" 2>&1
cat "$out/two_gpus.txt"
exit $failed
