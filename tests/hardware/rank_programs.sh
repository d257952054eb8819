#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A stencil by MPI and a training loop by NCCL, two ranks with a GPU each: passes spread over them count what each alone counts.
#   rank_programs.sh FOLDER      gets rank_programs.txt; exit status 0 if all that is known beforehand is so
# Needs nvcc (CUDA_HOME), Open MPI (MPI_FLAGS: options that find its header and library), NCCL (NCCL_FLAGS: the same), a driver and two GPUs.
# BUILD: a folder that has the program already.
set -u
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: rank_programs.sh FOLDER}
mkdir -p "$out"
out=$(cd "$out" && pwd)
. "$here/trace_toolkit.sh"
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
mpi_flags() {
    for each in $(mpicxx --showme:incdirs); do printf ' -I %s' "$each"; done
    for each in $(mpicxx --showme:libdirs); do printf ' -L %s' "$each"; done
}
test -z "${BUILD:-}" || cp "$BUILD/rank_programs" "$build/"
# shellcheck disable=SC2086
test -e "$build/rank_programs" || "$nvcc" -std=c++20 -O1 -arch="$arch" -I "$here/../../include" ${MPI_FLAGS:-$(mpi_flags)} ${NCCL_FLAGS:-} -o "$build/rank_programs" \
    "$here/rank_programs.cu" -lmpi -lnccl -ldl -lpthread > "$out/rank_programs.build.txt" 2>&1 || {
    cat "$out/rank_programs.build.txt"
    exit 2
}
failed=0
{
    describe_machine
    nvidia-smi --query-gpu=name --format=csv,noheader
    for program in stencil training; do
        echo "--- $program"
        timeout "${LIMIT:-120}" mpirun --allow-run-as-root --oversubscribe -n 2 "$build/rank_programs" "$program" || {
            echo "exit status $?"
            failed=1
        }
    done
    echo "$failed failed"
} > "$out/rank_programs.txt" 2>&1
cat "$out/rank_programs.txt"
exit $failed
