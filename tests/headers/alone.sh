#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles every public header alone, included twice.
#
#   alone.sh INCLUDE_DIR (all|outer|together) COMPILER [OPTION...]
#
# Left out: adaptors of test frameworks (judge/adaptor/), which need their framework, and judge/checks.hpp, which needs an
# adaptor: the tests of each adaptor compile them. And x.inl.hpp, which is compiled with its x.hpp.
# outer: only the headers directly in gpuprof/, which include the others, each in a translation unit of its own.
# all: g++ parses the standard library once, before them all; that each includes what it uses of it is shown by standard.py.
# Headers that include one another are in one unit, the lower ones first, so that each is alone but for what it would bring
# itself: chains.py.
# together: the outer headers in one unit, in their order and backwards, where each is alone by another compiler.
# A compiler named nvcc gets .cu files, which it reads twice, for the host and for the GPU. No header may tell these apart
# (__CUDA_ARCH__), so that together the second time has declarations alone: the definitions have been read. Prints the headers that fail, with the compiler's words.
set -eu

include_dir=$1
which=$2
depth=''
[ "$which" = all ] || depth='-maxdepth 1'
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

case $(basename "$1") in
    nvcc) suffix=cu ;;
    *) suffix=cpp ;;
esac

# shellcheck disable=SC2086 # two words or none
(cd "$include_dir" && find gpuprof $depth -name '*.hpp' ! -name '*.inl.hpp' ! -path '*/judge/adaptor/*' ! -path '*/judge/checks.hpp' |
    LC_ALL=C sort) >"$scratch/headers"
if [ "$which" = together ]; then
    unit=$scratch/together.$suffix
    for order in '' -r; do
        # shellcheck disable=SC2086 # one word or none
        LC_ALL=C sort $order "$scratch/headers" | sed 's/.*/#include <&>/'
    done >"$unit"
    if [ "$suffix" = cu ]; then
        if grep -r __CUDA_ARCH__ "$include_dir"; then
            echo "headers tell the host from the GPU: let nvcc read the definitions for both"
            exit 1
        fi
        printf '#ifdef __CUDA_ARCH__\n#define GPUPROF_HEADER_ONLY 0\n#endif\n' | cat - "$unit" >"$scratch/for_both.cu"
        unit=$scratch/for_both.cu
    fi
    "$@" -I "$include_dir" "$unit" || { echo "$(wc -l <"$scratch/headers") headers compiled together: some failed"; exit 1; }
    echo "$(wc -l <"$scratch/headers") headers compiled together: all well"
    exit 0
fi
groups=$scratch/headers
if [ "$which" = all ]; then
    groups=$scratch/groups
    python3 "$(dirname "$0")/chains.py" "$include_dir" <"$scratch/headers" >"$groups"
fi
while read -r group; do
    unit=$scratch/$(echo "${group##* }" | tr / -).$suffix
    # shellcheck disable=SC2086 # a word a header
    printf '#include <%s>\n' $group $group >"$unit"
    echo "$unit"
done <"$groups" >"$scratch/units"
count=$(wc -l <"$scratch/headers")
[ "$count" -gt 0 ] || { echo "no header under $include_dir"; exit 1; }

if [ "$which" = all ]; then
    prelude=$scratch/standard.hpp
    python3 "$(dirname "$0")/standard.py" "$include_dir" --list >"$prelude"
    "$@" -fno-syntax-only -x c++-header -o "$prelude.gch" "$prelude"
    [ -s "$prelude.gch" ]
    set -- "$@" -Winvalid-pch -include "$prelude"
fi

# One process a unit, as many at a time as there are processors; xargs' status says whether any failed.
status=0
xargs -P "$(nproc)" -I '{}' "$@" -I "$include_dir" '{}' <"$scratch/units" || status=1
echo "$count headers compiled alone: $([ $status -eq 0 ] && echo all well || echo some failed)"
exit $status
