# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the injection library without CMake, for the scripts beside it that load it into programs. Sourced; needs $here.
#   build_injection_library FILE     0 if FILE is there then; what compilers say goes to stdout. Needs a C++20 compiler (CXX).
# The sources are those of its folder and of the compiled library, so that no list of them stands in a script.
build_injection_library() {
    test -e "$1" && return 0
    injection_objects=$(mktemp -d)
    # Two folders have a sampling.cpp.
    for source in "$here"/../../src/injection/*.cpp "$here"/../../src/*.cpp; do
        echo "$source" "$injection_objects/$(basename "$(dirname "$source")")_$(basename "$source").o"
    done | xargs -P "$(nproc)" -n 2 sh -c '"${CXX:-g++}" -std=c++20 -O1 -w -fPIC -fvisibility=hidden -fvisibility-inlines-hidden \
        -DGPUPROF_HEADER_ONLY=0 -I "$0/../../include" ${CPPFLAGS:-} -c "$1" -o "$2" 2>&1' "$here"
    "${CXX:-g++}" -shared "$injection_objects"/*.o -Wl,-z,nodelete,-z,defs \
        -Wl,--version-script="$here/../../src/injection/exports.map" -o "$1" -pthread -ldl 2>&1
    rm -rf "$injection_objects"
    test -e "$1"
}
