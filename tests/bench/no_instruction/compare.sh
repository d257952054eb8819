#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compares the assembly of hot_loop.cpp with scopes to the one without.
#
#   compare.sh same|different nothing|variable "LEVEL..." INCLUDE_DIR COMPILER [OPTION...]
#
# At every level of optimisation (-O1 …) the two must be as the first word says, "different" being the canary. The second
# word is what stands in the place of a scope. Before the comparison comments and the names of file and compiler are
# taken out, and g++'s running number of a function in its own labels.
set -eu

expected=$1
instead=$2
levels=$3
include_dir=$4
shift 4
source=$(dirname "$0")/hot_loop.cpp
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# assembly VERSION LEVEL COMPILER [OPTION...]
assembly() {
    version=$1
    level=$2
    shift 2
    "$@" -std=c++20 "$level" -S -DWITH_"$version" -I "$include_dir" -o "$scratch/whole" "$source"
    sed -e 's/[[:space:]]*#.*$//' -e '/^[[:space:]]*\.\(file\|ident\)[[:space:]]/d' -e '/^[[:space:]]*$/d' \
        -e 's/\.\(LF[A-Z]*\|LCOLD[A-Z]*\|LHOT[A-Z]*\|LLSDA[A-Z]*\)[0-9][0-9]*/.\1/g' "$scratch/whole" >"$scratch/$version"
    grep -q nested "$scratch/$version" || { echo "$level: there is no assembly to compare"; exit 1; }
}

status=0
for level in $levels; do
    assembly scope "$level" "$@"
    assembly "$instead" "$level" "$@"
    if diff "$scratch/$instead" "$scratch/scope" >"$scratch/difference"; then found=same; else found=different; fi
    echo "$level: $found ($(wc -l <"$scratch/scope") lines with scopes, $(wc -l <"$scratch/$instead") with $instead)"
    [ $found = "$expected" ] || { status=1; head -n 40 "$scratch/difference"; }
done
exit $status
