#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds CUB's own unit tests for the embedded GPU and runs them, unmodified, without a GPU.
#
#   cub.sh CCCL CATCH2 GPUPROF FOLDER [NAME...]
#
# CCCL is a checkout of github.com/NVIDIA/cccl of the version that nvcc's toolkit has, CATCH2 one of github.com/catchorg/Catch2
# (version 3), GPUPROF the command of the build tree. FOLDER gets programs, logs and table.txt: a line a program with how it
# ended, what it checked and how many kernels it ran.
# A NAME is CUB's own name of a test with its parameters (warp_scan, block_reduce.dimx_32.dimyz_2). A parameter that is left out has
# its first value. After a colon follow words of Catch2's own that choose test cases (device_scan:~*large*): the table then says
# "in part". Without NAMEs: each source of cub/test once, the shortest first.
# In the environment: SECONDS_EACH (300) of processor time bound a run, BUILD_SECONDS (300) each step of a build, MEMORY_EACH
# (12582912) are the KiB of a run, SEEDS (1) the number of random seeds that a test tries, DEVICE_MEMORY (2147483648) the bytes that
# CUB's tests may allocate on the device.
# Not run: sources that shall not compile (…_fail), and device-side launches (lid_1). Needs nvcc.
set -u

[ $# -ge 4 ] || {
    sed -n 's/^#   //p' "$0" >&2
    exit 2
}
cccl=$(readlink -f "$1")
catch=$(readlink -f "$2")
gpuprof=$(readlink -f "$3")
mkdir -p "$4"
folder=$(readlink -f "$4")
shift 4
tests=$cccl/cub/test
seconds=${SECONDS_EACH:-300}
build=${BUILD_SECONDS:-300}
memory=${MEMORY_EACH:-12582912}
export CCCL_SEED_COUNT_OVERRIDE="${SEEDS:-1}" CCCL_DEVICE_MEMORY_LIMIT="${DEVICE_MEMORY:-2147483648}"

# The flags of cub/test/CMakeLists.txt; random numbers come from Thrust, since cuRAND is a library of machine code.
flags="-cudart shared -arch=compute_80 -std=c++17 --extended-lambda -ftemplate-depth=1000 -w -DCCCL_ENABLE_ASSERTIONS
    -DC2H_HAS_CURAND=0 -I $tests -I $cccl/c2h/include -I $catch/src -I $folder/catch2"
mkdir -p "$folder/catch2/catch2"
sed '/#cmakedefine/d; s/@CATCH_CONFIG_DEFAULT_REPORTER@/console/; s/@CATCH_CONFIG_CONSOLE_WIDTH@/80/' \
    "$catch/src/catch2/catch_user_config.hpp.in" >"$folder/catch2/catch2/catch_user_config.hpp"
[ -e "$folder/catch2.o" ] ||
    c++ -std=c++17 -DCATCH_AMALGAMATED_CUSTOM_MAIN -c -o "$folder/catch2.o" "$catch/extras/catch_amalgamated.cpp" || exit 1
for source in catch2_runner.cpp catch2_runner_helper.cu generators.cu; do
    object=$folder/c2h_${source%.*}.o
    # shellcheck disable=SC2086 # flags
    [ -e "$object" ] || nvcc $flags -c -o "$object" "$cccl/c2h/$source" || exit 1
done
ar rc "$folder/c2h.a" "$folder/c2h_generators.o" # a library: only tests with random input take its kernels

source_of() {
    find "$tests" \( -name "catch2_test_$1.cu" -o -name "test_$1.cu" \)
}

# The definitions of a test with its parameters, and its full name: "TEST_TYPES=1 device_scan.types_1" from device_scan.types_1.
variant() {
    sed -n 's|.*// *%PARAM% *\([A-Z_]* [a-z_]* [0-9:]*\).*|\1|p' "$2" | awk -v name="$1" '
        BEGIN { parts = split(name, part, "."); full = part[1]; at = 2 }
        {
            count = split($3, values, ":")
            value = values[1]
            for (i = 1; i <= count; i++)
                if (part[at] == $2 "_" values[i]) { value = values[i]; at++; break }
            defines = defines " -D" $1 "=" value
            full = full "." $2 "_" value
        }
        END { print full defines; exit at <= parts }'
}

[ $# -gt 0 ] || {
    # shellcheck disable=SC2046 # names without blanks
    set -- $(find "$tests" -name '*test_*.cu' ! -name '*_fail.cu' -exec wc -l {} + | grep -v ' total$' | sort -n |
        sed 's|.*/||; s|\.cu$||; s|^catch2_||; s|^test_||')
}
passed=0
total=0
version=$(sed -n 's/^#define CCCL_VERSION //p' "$(dirname "$(command -v nvcc)")/../include/cccl/cuda/std/__cccl/version.h")
compiler=$(nvcc --version | sed -n 's/.*, \(V[0-9.]*\)$/\1/p')
framework=$(sed -n '1,20s|^// *Catch \(v[0-9.]*\)$|\1|p' "$catch/extras/catch_amalgamated.hpp")
echo "cub.sh, CCCL_VERSION ${version:-unknown}, Catch2 ${framework:-unknown}, nvcc $compiler, SEEDS=$CCCL_SEED_COUNT_OVERRIDE," \
    "DEVICE_MEMORY=$CCCL_DEVICE_MEMORY_LIMIT, $(date +%F)" | tee "$folder/table.txt"
say() {
    total=$((total + 1))
    printf '%-44s %s\n' "$1" "$2" | tee -a "$folder/table.txt"
}

for argument; do
    name=${argument%%:*}
    chosen=
    [ "$name" = "$argument" ] || chosen=${argument#*:}
    source=$(source_of "${name%%.*}")
    if [ -z "$source" ] || ! definitions=$(variant "$name" "$source"); then
        say "$name" "not a test of CUB"
        continue
    fi
    name=${definitions%% *}
    definitions=${definitions#"$name"}
    program=$folder/$name
    if [ ! -x "$program" ]; then
        case $source in
            */catch2_test_*) objects="$folder/c2h_catch2_runner.o $folder/c2h_catch2_runner_helper.o $folder/c2h.a $folder/catch2.o" ;;
            *) objects="$folder/c2h.a -DCUB_DEBUG_SYNC" ;;
        esac
        # shellcheck disable=SC2086,SC3045 # flags, definitions, objects; dash has ulimit -t
        if ! (ulimit -t "$build" && nvcc $flags $definitions -o "$program" "$source" $objects -Xlinker --as-needed -lcuda -lnvrtc) \
            >"$program.build" 2>&1; then
            say "$name" "does not build in $build s: $(grep -m 1 -E 'error|fatal|Killed|CPU' "$program.build")"
            continue
        fi
    fi
    begin=$(date +%s)
    : >"$program.csv" # a program that calls nothing of CUDA writes no table
    (
        # shellcheck disable=SC3045 # dash has it, too
        ulimit -v "$memory" && ulimit -t "$seconds"
        timeout 3600 "$gpuprof" run --kernels csv --output "$program.csv" -- "$program" ${chosen:+"$chosen"} \
            >"$program.log" 2>&1 </dev/null
    )
    status=$?
    checked=$(sed -n 's/^All tests passed (\(.*\))$/\1/p; s/^test cases: *\(.*\)$/of test cases \1/p' "$program.log" | tail -n 1)
    [ -z "$chosen" ] || checked="in part, $chosen: $checked"
    case $status in
        0)
            passed=$((passed + 1))
            kernels=$(tail -n +2 "$program.csv" | wc -l) # the first line is the heading
            say "$name" "passed: ${checked:-status 0}; $kernels kernels, $(($(date +%s) - begin)) s"
            ;;
        124 | 137 | 152) say "$name" "does not end in $seconds s" ;;
        *) say "$name" "status $status: $(grep -m 1 -E '^gpuprof: |FAILED|[Ee]rror' "$program.log" | sed "s|$tests/||"); $checked" ;;
    esac
done
echo "$passed of $total passed" | tee -a "$folder/table.txt"
