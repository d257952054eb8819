#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Makes a package by conanfile.py, and builds a project that takes it: conan.sh SOURCE BUILD COMPILER
# Needs Conan 2, which tests/setup/fetch_packaging_tools.sh fetches; without it, it is skipped.
set -eu
source=$1
build=$2
export CXX="$3"
PATH=$PATH:${GPUPROF_PACKAGING_TOOLS:-}
command -v conan >/dev/null || {
    echo "skipped: there is no conan (python3 -m pip install conan)"
    exit 77
}
rm -rf "$build"
mkdir -p "$build"
cd "$build"
export CONAN_HOME="$build/home"
conan profile detect --force
settings="--settings compiler.cppstd=20 --conf tools.cmake.cmaketoolchain:generator=Ninja"
# shellcheck disable=SC2086 # one word each
{
    conan create "$source" $settings --test-folder ''
    conan install --requires=gpuprof/[*] $settings --generator CMakeToolchain --output-folder consumer
    # What the options ask for; a whole build of it is the consumers' with CMake.
    conan install "$source" $settings --options '&:compiled=True' --options '&:noexcept=True' --output-folder compiled
}
for option in COMPILED NOEXCEPT; do
    grep -rq "GPUPROF_INSTALL_$option\"*[:= ]*\"*\(ON\|TRUE\)" compiled || {
        echo "the recipe does not hand GPUPROF_INSTALL_$option on"
        exit 1
    }
done
cmake -S "$source/tests/consumer/find_package" -B consumer -G Ninja -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_TOOLCHAIN_FILE="$build/consumer/conan_toolchain.cmake"
cmake --build consumer
consumer/consumer
