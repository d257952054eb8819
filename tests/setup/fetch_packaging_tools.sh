#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fetches Conan, and a CMake that reads CPS, for tests/packages: GPUPROF_PACKAGING_TOOLS=DIRECTORY/bin
# usage: fetch_packaging_tools.sh DIRECTORY. About 100 MB. Without a network it says so and succeeds: the tests are then skipped,
# or do what needs no such tool.
set -u
directory=${1:?usage: fetch_packaging_tools.sh DIRECTORY}
[ ! -x "$directory/bin/conan" ] || [ ! -x "$directory/bin/cmake" ] || exit 0
python3 -m venv --without-pip "$directory" &&
    python3 -m pip --python "$directory/bin/python" install --quiet --disable-pip-version-check 'conan>=2' 'cmake>=4.3' ||
    echo "could not be fetched (no network, or no pip)"
