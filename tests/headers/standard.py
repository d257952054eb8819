#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads gpuprof's headers and fails on one that names something of the standard library whose header it does not include.

    standard.py INCLUDE_DIR                prints what is wrong; exit 1 if anything is
    standard.py INCLUDE_DIR --plant DIR    copies the headers to DIR first and takes an include out of one
    standard.py INCLUDE_DIR --list         prints a line `#include <...>` for each standard header that gpuprof includes

A header says itself what it uses, as x.inl.hpp and x.hpp do together: what another header happens to include is no
promise. So alone.sh can compile each header where the whole standard library stands before it, in two thirds of the time.
"""
import argparse
import re
import shutil
import sys
from pathlib import Path

sys.dont_write_bytecode = True  # the source tree stays as it is
from system import code_of

# Of a name that several headers declare, any will do.
DECLARES = {
    "algorithm": """adjacent_find all_of any_of binary_search clamp copy copy_if copy_n count count_if equal equal_range fill fill_n find
        find_if find_if_not find_first_of for_each generate includes inplace_merge is_sorted iter_swap lexicographical_compare
        lower_bound max max_element merge min min_element minmax mismatch move_backward none_of nth_element partial_sort partition pop_heap push_heap remove
        remove_if replace reverse rotate search set_difference set_intersection set_union sort stable_partition stable_sort
        transform unique upper_bound""",
    "array": "array to_array",
    "atomic": "atomic atomic_ref atomic_flag atomic_thread_fence atomic_signal_fence memory_order memory_order_relaxed "
              "memory_order_acquire memory_order_release memory_order_acq_rel memory_order_seq_cst",
    "bit": "bit_cast bit_ceil bit_floor bit_width countl_zero countl_one countr_zero countr_one endian has_single_bit popcount rotl rotr",
    "cfenv": "fegetround fesetround feclearexcept fetestexcept",
    "charconv": "to_chars from_chars chars_format",
    "chrono": "chrono",
    "cmath": """acos asin atan atan2 cbrt ceil copysign cos erf exp exp2 fabs floor fma fmod fpclassify hypot isfinite isinf isnan
        isnormal ldexp lgamma log log10 log2 lround nearbyint nextafter pow remainder rint round signbit sin sqrt tan tanh trunc""",
    "compare": "partial_ordering strong_ordering weak_ordering",
    "concepts": """same_as derived_from convertible_to integral signed_integral unsigned_integral floating_point invocable
        predicate regular_invocable constructible_from move_constructible copy_constructible copyable movable equality_comparable
        totally_ordered destructible default_initializable""",
    "condition_variable": "condition_variable condition_variable_any cv_status",
    "cstddef": "byte ptrdiff_t max_align_t nullptr_t to_integer",
    "cstdint": "int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t",
    "cstdio": "FILE fclose fflush fopen fprintf fputs fread fseek ftell fwrite printf puts remove rename rewind snprintf vsnprintf sscanf tmpfile",
    "cstdlib": "abort aligned_alloc atexit at_quick_exit calloc exit free getenv malloc qsort quick_exit realloc strtod strtol strtoll strtoul strtoull _Exit",
    "cstring": "memchr memcmp memcpy memmove memset strchr strcmp strcpy strlen strncmp strrchr strstr",
    "deque": "deque",
    "exception": "exception current_exception exception_ptr rethrow_exception terminate uncaught_exceptions",
    "functional": "bind equal_to function greater hash invoke less plus reference_wrapper ref cref",
    "initializer_list": "initializer_list",
    "iterator": "back_inserter distance advance next prev reverse_iterator default_sentinel_t default_sentinel input_iterator_tag "
                "forward_iterator_tag random_access_iterator_tag make_move_iterator",
    "limits": "numeric_limits",
    "list": "list",
    "map": "map multimap",
    "memory": """addressof allocator allocator_traits construct_at destroy_at enable_shared_from_this make_shared make_unique
        shared_ptr static_pointer_cast unique_ptr weak_ptr""",
    "mutex": "lock_guard mutex once_flag recursive_mutex scoped_lock unique_lock call_once try_to_lock",
    "new": "bad_alloc nothrow launder align_val_t",
    "numeric": "accumulate exclusive_scan gcd iota lcm midpoint reduce",
    "optional": "nullopt optional nullopt_t",
    "ostream": "endl flush",
    "queue": "priority_queue queue",
    "iostream": "cout cerr clog cin",
    "set": "set multiset",
    "shared_mutex": "shared_mutex shared_lock",
    "span": "as_bytes as_writable_bytes dynamic_extent span",
    "stdexcept": "runtime_error logic_error invalid_argument out_of_range length_error",
    "string": "basic_string char_traits stod stoi stoul stoull string to_string to_wstring wstring u8string",
    "string_view": "basic_string_view string_view wstring_view",
    "system_error": "errc error_code error_category generic_category make_error_code system_category system_error",
    "thread": "thread jthread this_thread",
    "tuple": "apply forward_as_tuple make_tuple tie tuple tuple_element tuple_element_t tuple_size tuple_size_v",
    "type_traits": """common_type_t conditional_t conjunction_v decay_t enable_if_t false_type integral_constant invoke_result_t
        is_arithmetic_v is_base_of_v is_class_v is_const_v is_constructible_v is_convertible_v is_copy_constructible_v
        is_default_constructible_v is_empty_v is_enum_v is_final_v is_floating_point_v is_function_v is_integral_v is_invocable_r_v
        is_invocable_v is_lvalue_reference_v is_move_constructible_v is_nothrow_invocable_v is_nothrow_move_constructible_v
        is_object_v is_pointer_v is_reference_v is_same is_same_v is_signed_v is_standard_layout_v is_trivial_v
        is_trivially_copyable_v is_trivially_destructible_v is_unsigned_v is_void_v make_signed_t make_unsigned_t remove_const_t
        remove_cv_t remove_cvref_t remove_pointer_t remove_reference_t true_type type_identity type_identity_t underlying_type_t void_t""",
    "unordered_map": "unordered_map unordered_multimap",
    "unordered_set": "unordered_set",
    "utility": "as_const declval exchange forward index_sequence index_sequence_for integer_sequence make_index_sequence "
               "make_pair move pair piecewise_construct swap in_place",
    "variant": "get_if holds_alternative monostate variant variant_alternative_t variant_size_v visit",
    "vector": "vector",
}
# What several headers declare, and what is named by a word that others use, too.
ANY_OF = {
    "begin": {"array", "iterator", "string", "string_view", "vector", "map", "set", "span"},
    "end": {"array", "iterator", "string", "string_view", "vector", "map", "set", "span"},
    "size": {"array", "iterator", "string", "string_view", "vector", "map", "set", "span"},
    "data": {"array", "iterator", "string", "string_view", "vector", "span"},
    "empty": {"array", "iterator", "string", "string_view", "vector", "map", "set", "span"},
    "erase": {"string", "vector", "deque", "list"},
    "erase_if": {"string", "vector", "map", "set", "unordered_map", "unordered_set", "deque"},
    "size_t": {"cstddef", "cstdio", "cstdlib", "cstring", "string", "string_view", "array", "vector", "span"},
    "get": {"array", "tuple", "utility", "variant"},
    "abs": {"cmath", "cstdlib"},
    "remove": {"algorithm", "cstdio"},
    "move": {"utility", "algorithm"},
    "swap": {"utility"},
    "hash": {"functional", "string", "string_view", "memory"},
    "basic_ostream": {"iosfwd", "ostream", "iostream"},
    "ostream": {"iosfwd", "ostream", "iostream"},
    "less": {"functional", "map", "set"},
    "ranges": {"algorithm", "ranges", "iterator"},
    "initializer_list": {"initializer_list", "vector", "string"},
}
KNOWN = {}
for header, names in DECLARES.items():
    for name in names.split():
        KNOWN.setdefault(name, set()).add(header)
for name, headers in ANY_OF.items():
    KNOWN[name] = headers
NAMED = re.compile(r"(?<![\w:])(?:::)?std::(\w+)")
INCLUDED = re.compile(r"^[ \t]*#[ \t]*include[ \t]*<(?!gpuprof_)(\w+)>", re.MULTILINE)
FEWEST_NAMES = 5000
PLANTED = "core/error.hpp"


def faults(text, included):
    """(line, what is wrong) for each name, once."""
    said = set()
    code = code_of(text)
    for found in NAMED.finditer(code):
        name = found[1]
        if name in said:
            continue
        line = code.count("\n", 0, found.start()) + 1
        if name not in KNOWN:
            said.add(name)
            yield line, f"std::{name} is in no list of standard.py"
        elif not KNOWN[name] & included:
            said.add(name)
            yield line, f"std::{name} without <{'>, <'.join(sorted(KNOWN[name]))}>"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("include_dir")
    parser.add_argument("--plant", metavar="DIR")
    parser.add_argument("--also", metavar="DIR", action="append", default=[], help="sources that keep the same rule")
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    if arguments.plant:
        shutil.rmtree(arguments.plant, ignore_errors=True)
        shutil.copytree(arguments.include_dir, arguments.plant)
        victim = Path(arguments.plant, "gpuprof", PLANTED)
        victim.write_text(re.sub(r"#include <string>.*\n", "", victim.read_text(encoding="utf-8")), encoding="utf-8")
        arguments.include_dir = arguments.plant
    base = Path(arguments.include_dir, "gpuprof")
    paths = sorted(base.rglob("*.hpp")) + [path for also in arguments.also for path in sorted(Path(also).rglob("*.[hc]pp"))]
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    if arguments.list:
        print("\n".join(f"#include <{header}>" for header in sorted({each for text in texts.values() for each in INCLUDED.findall(text)})))
        return
    wrong = names = 0
    for path, text in texts.items():
        included = set(INCLUDED.findall(text))
        names += len(NAMED.findall(text))
        beside = path.with_name(path.name.replace(".inl.hpp", ".hpp")) if path.suffix == ".hpp" else path.with_suffix(".hpp")
        if beside != path:
            included |= set(INCLUDED.findall(texts.get(beside, "")))
        for line, words in faults(text, included):
            wrong += 1
            shown = path.relative_to(base) if path.is_relative_to(base) else path
            print(f"{shown.as_posix()}:{line} {words}")
    print(f"{len(texts)} headers read, {names} names, {wrong} without their header")
    sys.exit(1 if wrong or names < FEWEST_NAMES else 0)


if __name__ == "__main__":
    main()
