#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the programs of two reports of faults, and says of each whether gpuprof behaves today. The programs are not part of this repository.
#   reproducers.sh FOLDER BUILD     FOLDER has faults/ and users/; BUILD is a build of the preset `test`. A line for each, then
#                                   "N of N behave"; exit status 0 if all do
# Needs nvcc, g++ and python3 with pybind11 and pandas; as root, for full disks and set-user-ID programs. Some four minutes.
set -u
reports=$(cd "${1:?usage: reproducers.sh FOLDER BUILD}" && pwd)
build=$(cd "${2:?usage: reproducers.sh FOLDER BUILD}" && pwd)
source=$(cd "$(dirname "$0")/../.." && pwd)
export GPUPROF=$build/gpuprof PATH=$PATH:/usr/local/cuda/bin
work=$(mktemp -d)
trap 'umount "$work/small" 2> /dev/null; rm -rf "$work"' EXIT
cd "$work" || exit 2
chmod 755 .
good=0
all=0

cuda() { # REPORT PROGRAM OPTIONS...
    nvcc -w -std=c++17 -cudart shared -arch=compute_80 -o "$2" "$reports/$1" "${@:3}"
}
cpp() { # REPORT PROGRAM SOURCES...
    g++ -std=c++20 -w -DGPUPROF_HEADER_ONLY=0 -I "$source/include" -I "$source/examples" -I "$reports/users" "$reports/$1" "${@:3}" \
        "$build"/src/libgpuprof_{embedded,opt_in,core}.a -ldl -pthread -o "$2"
}
plain() { "$GPUPROF" run --kernels none "$@"; }
checked() { "$GPUPROF" run --check all --check-exit-code 9 "$@"; }
run() { # COMMAND...: what it prints is in `said`, its exit status in $status
    timeout "${LIMIT:-60}" bash -c '"$@"' run "$@" > said 2>&1 < /dev/null
    status=$?
}
export -f plain checked
is() { # NAME STATUS WORDS: the last run ended so, and printed that
    all=$((all + 1))
    if [ "$status" = "$2" ] && grep -qE -- "$3" said; then
        good=$((good + 1))
        echo "yes $1"
    else
        echo "NO  $1: exit status $status, not $2, or no \"$3\""
        head -5 said
    fi
}
in_folder() { # NAME SCRIPT...: runs it in a folder of its own
    mkdir -p "$1" && chmod 777 "$1"
    (cd "$1" && shift && timeout 100 "$@") > said 2>&1
    status=$?
}

# ---- faults: programs of the CUDA runtime ---------------------------------------------------------------------------------------
cuda faults/01_copy3d_wraps.cu c01 && run plain -- ./c01 4
is "01 a copy beyond all addresses" 0 cudaErrorInvalid
cuda faults/02_module_load_of_a_directory.cu c02 -lcuda && run plain -- ./c02
is "02 a directory as a module" 0 '^[1-9][0-9]*$'
cuda faults/03_launch_at_exit.cu c03 && run plain -- ./c03
is "03 a launch at exit" 0 launch
cuda faults/04_printf_precision.cu c04 && LIMIT=10 run plain -- ./c04
is "04 a number of 10^9 digits" 0 cudaSuccess
cuda faults/11_fork_then_launch.cu c11 && run plain -- ./c11
is "11 a child that launches" 0 'hung 0'
cuda faults/14_copy2d_direction.cu c14
for each in 0 1 2 3 4 5 6 8; do
    run plain --check memory -- ./c14 $each
    is "14 a copy the wrong way, $each" 0 cudaError
done
run plain -- ./c14 7
is "14 a copy from host to host of device memory, as an H200 does it" 0 cudaSuccess
cuda faults/17_check_exit_code_loses_data.cu c17 && run checked --kernels none -- ./c17
cat data.txt >> said
is "17 data of static objects" 9 'last line'
cuda faults/18_clearenv.cu c18 && run checked -- ./c18
is "18 a program without an environment" 9 '[1-9] finding'
cuda faults/19_fork_overwrites_table.cu c19 && run "$GPUPROF" run --kernels csv --output k.csv -- ./c19
sleep 1 && cp k.csv said
is "19 the table of a program that forks" 0 'nothing\(\)"?,6'
cuda faults/23_static_destructors_not_counted.cu c23 && run checked -- ./c23
is "23 kernels of static destructors" 9 race
cuda faults/24_heap_false_report.cu c24
for each in '' n p; do
    run checked --kernels none -- ./c24 $each
    is "24 malloc, new and printf: ${each:-m}" 0 cudaSuccess
done
cuda faults/25_int128_division.cu c25 && run plain -- ./c25
grep -q WRONG said && status=1
is "25 division of 128 bits" 0 right
cuda faults/26_rsqrt_double.cu c26 && run plain -- ./c26
is "26 rsqrt of doubles" 0 'rsqrt\(3\) = 0.5773502691896257'
cuda faults/27_fork_exit_hang.cu c27 && LIMIT=200 run "$GPUPROF" run --output c27.txt -- ./c27 500
is "27 children that only exit" 0 'hung 0|0 hung'
cuda faults/29_cas_loop_counts.cu c29 && run "$GPUPROF" run --kernels csv --metrics smsp__inst_executed.sum -- ./c29
grep 'loop over `atomicCAS`' "$source/docs/embedded-gpu.md" >> said
is "29 counts of loops of atomicCAS: a smaller promise" 0 'its first read is plain'
cuda faults/30_quadratic.cu c30
for each in 'chain 20000' 'alloc 40000' 'deep 400'; do
    # shellcheck disable=SC2086 # two words
    LIMIT=10 run plain -- ./c30 $each
    is "30 $each in 10 s" 0 .
done
cuda faults/31_recursion.cu c31 && run plain -- ./c31 5000 523712
is "31 deep recursion" 0 cudaSuccess
run plain -- ./c31 500 0
is "31 a stack that is too small" 0 cudaError
cat > nested.cu << 'X'
#include <cstdio>
static int depth;
static void again(void* stream) { if (++depth < 20000) cudaLaunchHostFunc(static_cast<cudaStream_t>(stream), again, stream); }
int main() { cudaStream_t s; cudaStreamCreate(&s); cudaLaunchHostFunc(s, again, s); cudaDeviceSynchronize(); std::printf("at least %d\n", depth > 0); }
X
nvcc -w -cudart shared -arch=compute_80 -o c13 nested.cu && run plain -- ./c13
is "13 nested host functions" 0 'at least 1'
cp -r "$reports/faults/15_oom" d15 && sed -i 's/ --print-libraries/ run --print-libraries/' d15/run.sh
LIMIT=500 run sh -c 'cd d15 && sh run.sh'
grep -qE 'terminate' said && status=1
is "15 each allocation fails" "$status" 'afterwards'

# ---- faults: programs of gpuprof's library --------------------------------------------------------------------------------------
cpp faults/05_frame_sampler_options.cpp c05
for each in 0 1 2 3 4 5; do # 05b is case 0
    run ./c05 $each
    is "05 sizes of a frame sampler, $each" 0 'refused|ran|child status 0'
done
cpp faults/06_judge.cpp c06 && run ./c06
is "06 assertions" 0 '7 came out of observe'
cpp faults/08_frames_after_fork.cpp c08 && run ./c08
is "08 frames and a fork" 0 'mode 1: child status 0'
cpp faults/08b_frame_sampler_fork_minimal.cpp c08b && run ./c08b
is "08b the same, smaller" 0 'status: 0'
cpp faults/16_frames_scope_on_moved.cpp c16 && run ./c16
echo ended >> said
is "16 a scope on what was moved from" 0 ended
cpp faults/28_baseline_passes_empty.cpp c28 && run ./c28
is "28 a baseline of nothing" 0 'verdicts 2 2'

# ---- faults: files, disks and other users ---------------------------------------------------------------------------------------
in_folder d07 sh "$reports/faults/07_check_exit_code.sh"
[ "$(grep -c 'status 2,' said)" = 5 ] || status=1
is "07 exit codes that are none" 0 '^1: status 1,'
cat > load.cu << 'X'
#include <cstdlib>
__global__ void k(int* p) { p[threadIdx.x] = 1; }
int main(int, char** v) { int* p; cudaMalloc(&p, 256); for (int i = 0; i < std::atoi(v[1]); ++i) k<<<1, 64>>>(p); return cudaDeviceSynchronize(); }
X
nvcc -w -cudart shared -arch=compute_80 -o load load.cu
libraries=$("$GPUPROF" run --print-libraries)
mkdir small whole
mount -t tmpfs -o size=256k tmpfs small
for each in json ndjson csv; do
    LD_LIBRARY_PATH=$libraries CUDA_INJECTION64_PATH=$build/src/libgpuprof_injection.so GPUPROF_TRACE_FLUSH_MS=20 GPUPROF_TRACE_TABLE=0 \
        GPUPROF_TRACE_KINDS=default,driver GPUPROF_TRACE_FILE=small/t.$each timeout 60 ./load 3000 > said 2>&1
    mv small/t*."$each" whole/
done
umount small
run python3 -c '
import csv, glob, json
json.load(open("whole/t.json"))
lines = [json.loads(each) for each in open("whole/t.ndjson")]
tables = [list(csv.reader(open(each))) for each in glob.glob("whole/*.csv")]
assert len(lines) > 100 and tables and all(len(row) == len(table[0]) for table in tables for row in table)
print(len(lines), "whole")'
is "09 a trace on a full disk" 0 whole
mkdir suid && chmod 777 suid && cp -a "$libraries" suid/lib && chmod -R a+rX suid/lib
cp load.cu suid/ && (cd suid && nvcc -w -cudart shared -arch=compute_80 -o suid load.cu -Xlinker -rpath -Xlinker "$PWD/lib" && chmod 4755 suid)
echo secret > suid/mine && chmod 600 suid/mine
su -s /bin/sh nobody -c "GPUPROF_KERNELS=csv:$work/suid/mine $work/suid/suid 3" > /dev/null 2>&1
run cat suid/mine
is "10 a set-user-ID program" 0 '^secret'
cpp faults/20_program.cpp recorded
export PROGRAM=$work/recorded
in_folder d12 sh "$reports/faults/12_recording_mode.sh"
is "12 the mode of a recording" 0 '^-rw-r--r--'
in_folder d20 sh "$reports/faults/20_recording_overwrites_others.sh"
[ "$(stat -c %s d20/data.bin)" = 70000000 ] && [ "$(cat d20/notes)" = "secret notes" ] && [ -p d20/ff ] && echo kept >> said
is "20 files that are no recordings" "$status" '^kept'
in_folder d21 sh "$reports/faults/21_recording_fork.sh"
[ "$(sed -n 1p said)" = "$(sed -n 2p said)" ] || status=1
is "21 a recording and a fork" 0 '^29$'
in_folder d22 sh -c "sed 's/timeout 5/timeout 15/; s/sleep 8/sleep 20/' '$reports/faults/22_recording_lock.sh' | sh"
is "22 a lock that another user holds" 0 'status 0'
cp d07/race . && PROGRAM=./race in_folder . sh "$reports/faults/32_table_lost_on_full_disk.sh"
is "32 a table on a full disk" 0 'kernel,launches|^k\('

# ---- users ------------------------------------------------------------------------------------------------------------------------
in_folder u04 sh "$reports/users/04_check_typo.sh"
[ "$(grep -c 'status 2 ' said)" = 2 ] || status=1
is "users 04: typing errors" "$status" '^races: status 1'
run g++ -std=c++20 -DGPUPROF_ENABLED=0 -I "$source/include" -fsyntax-only "$reports/users/05_frames_compiled_out.cpp"
echo compiled >> said
is "users 05: frames, compiled out" 0 compiled
prefix=$build/tests/consumer/prefix_compiled # of the consumers' tests
if [ -d "$prefix" ]; then
    cp -r "$reports/users/06_embedded_test_order" d06
    LIMIT=300 run sh -c "cmake -S d06 -B d06/b -DCMAKE_PREFIX_PATH=$prefix -DCMAKE_CUDA_ARCHITECTURES=80 && cmake --build d06/b && ctest --test-dir d06/b"
    is "users 06: libraries that are linked late" 0 '100% tests passed'
fi
cpp users/07_progress_glued_to_report.cpp u07
GPUPROF_DEVICE=sim:gh100,passes run script -qc ./u07 /dev/null
grep -aqE 'passes *[A-Za-z]' said && status=1
is "users 07: a line of progress" 0 'inst_executed'
cpp users/08_embedded_trace_has_no_host_time.cpp u08 "$reports/users/jobs.cpp" && GPUPROF_DEVICE=sim run ./u08
run python3 -c '
import json
events = json.load(open("frame.json"))
events = events if isinstance(events, list) else events["traceEvents"]
longest = max(each["dur"] for each in events if each.get("ph") == "X" and each["name"] in ("physics", "animation"))
print("us", longest, "long" if longest > 20 else "short")'
is "users 08: times of the host" 0 long
cp -r "$reports/users/p4" . && nvcc -w -cudart shared -arch=compute_80 -Xcompiler -fPIC -shared -o p4/libk.so p4/k.cu
# shellcheck disable=SC2046 # options
g++ -std=c++20 -O1 -w -shared -fPIC -I "$source/include" $(python3 -m pybind11 --includes) p4/gpext.cpp -o p4/gpext.so -ldl -pthread
LIMIT=100 run sh -c 'cd p4 && "$GPUPROF" run -- python3 local.py'
is "users, Python without a GPU" 0 step/saxpy

echo "$good of $all behave"
[ "$good" = "$all" ]
