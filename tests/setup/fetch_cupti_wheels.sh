#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches the CUPTI and driver headers of several CUDA releases, with their libcupti, for the ABI and loader tests.
# usage: fetch_cupti_wheels.sh DIRECTORY [all|every]: fills DIRECTORY/<release>/, skips what is there already. About 250 MB. Without a
# network it says so and succeeds: the tests that need the files then report themselves as skipped. With "all" the releases between
# them too, which tools/generate_function_lists.py reads: 120 MB more. With "every", DIRECTORY gets nothing but the headers of each
# package that PyPI has (27 November 2026), DIRECTORY/<version>, for tests/abi/all_releases.py: 420 MB are fetched, 60 MB stay.
set -u
directory=${1:?usage: fetch_cupti_wheels.sh DIRECTORY [all]}
mkdir -p "$directory" || exit 1

fetch() { # release, requirement...
    release=$1
    shift
    if [ -e "$directory/$release/.complete" ]; then
        echo "CUDA $release: already there"
        return
    fi
    parts=$directory/$release.part
    rm -rf "$parts" "$directory/$release"
    mkdir -p "$parts/wheels"
    if ! python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$parts/wheels" "$@"; then
        echo "CUDA $release: could not be fetched (no network, or no pip); tests that need it will be skipped"
        rm -rf "$parts"
        return
    fi
    for wheel in "$parts"/wheels/*.whl; do
        python3 -m zipfile -e "$wheel" "$parts" || exit 1
    done
    rm -rf "$parts/wheels"
    touch "$parts/.complete"
    mv "$parts" "$directory/$release"
    echo "CUDA $release: fetched"
}

headers() { # package suffix, "CUPTI's version:runtime's version"...
    suffix=$1
    shift
    for pair in "$@"; do
        fetch "${pair%:*}" "nvidia-cuda-cupti$suffix==${pair%:*}" "nvidia-cuda-runtime$suffix==${pair#*:}"
        find "$directory/${pair%:*}" -type f ! -path '*/include/*' ! -name .complete -delete
    done
}

if [ "${2:-}" = every ]; then
    headers -cu11 11.7.101:11.7.99 11.8.87:11.8.89
    headers -cu12 12.0.90:12.0.107 12.0.146:12.0.146 12.1.62:12.1.55 12.1.105:12.1.105 12.2.60:12.2.53 12.2.131:12.2.128 \
        12.2.142:12.2.140 12.3.52:12.3.52 12.3.101:12.3.101 12.4.99:12.4.99 12.4.127:12.4.127 12.5.39:12.5.39 12.5.82:12.5.82 \
        12.6.37:12.6.37 12.6.68:12.6.68 12.6.80:12.6.77 12.8.57:12.8.57 12.8.90:12.8.90 12.9.19:12.9.37 12.9.79:12.9.79
    headers '' 13.0.48:13.0.48 13.0.85:13.0.96 13.1.75:13.1.80 13.1.115:13.1.80 13.2.23:13.2.51 13.2.75:13.2.75 13.2.86:13.2.86 \
        13.3.35:13.3.29 13.3.75:13.3.29 13.4.58:13.4.49 13.4.92:13.4.92 13.5.25:13.5.37
    exit 0
fi

fetch 11.8 nvidia-cuda-cupti-cu11==11.8.87 nvidia-cuda-runtime-cu11==11.8.89
fetch 12.0 nvidia-cuda-cupti-cu12==12.0.146 nvidia-cuda-runtime-cu12==12.0.146
fetch 12.6 nvidia-cuda-cupti-cu12==12.6.80 nvidia-cuda-runtime-cu12==12.6.77
fetch 12.9 nvidia-cuda-cupti-cu12==12.9.79 nvidia-cuda-runtime-cu12==12.9.79
fetch 13.0 nvidia-cuda-cupti==13.0.85 nvidia-cuda-runtime==13.0.96
fetch 13.5 nvidia-cuda-cupti==13.5.25 nvidia-cuda-runtime==13.5.37
[ "${2:-}" = all ] || exit 0
fetch 12.1 nvidia-cuda-cupti-cu12==12.1.105
fetch 12.2 nvidia-cuda-cupti-cu12==12.2.142
fetch 12.3 nvidia-cuda-cupti-cu12==12.3.101
fetch 12.4 nvidia-cuda-cupti-cu12==12.4.127
fetch 12.5 nvidia-cuda-cupti-cu12==12.5.82
fetch 12.8 nvidia-cuda-cupti-cu12==12.8.90
fetch 13.1 nvidia-cuda-cupti==13.1.115
fetch 13.2 nvidia-cuda-cupti==13.2.86
fetch 13.3 nvidia-cuda-cupti==13.3.75
fetch 13.4 nvidia-cuda-cupti==13.4.92
