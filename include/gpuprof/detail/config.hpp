// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Configuration macros, each 0 or 1, and the ABI-tagged namespace. Includes nothing.
#ifndef GPUPROF_DETAIL_CONFIG_HPP
#define GPUPROF_DETAIL_CONFIG_HPP

// Every header of gpuprof includes this one first. The include stops the compiler: without it g++
// 12 continues for 1,485 lines of errors. (Angle brackets, since it is no file of gpuprof.)
#if !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L) && !(defined(__cplusplus) && __cplusplus >= 202002L)
#error "gpuprof needs C++20: compile with -std=c++20 (g++ 12, clang 14, nvcc 12 or later)"
#include <gpuprof_needs_cxx20>
#endif

// The library's version. Kept in step with project(VERSION) in CMakeLists.txt, which reads it from
// here.
#define GPUPROF_VERSION_MAJOR 0
#define GPUPROF_VERSION_MINOR 1
#define GPUPROF_VERSION_PATCH 0

// 0: scopes compile to no instruction, and the names of all headers do nothing and leave no code:
// see measure/compiled_out.hpp.
#ifndef GPUPROF_ENABLED
#define GPUPROF_ENABLED 1
#endif

// 0: the throwing spellings do not exist; use the try_ functions, which return result<T>. Follows
// the compiler's own setting.
#ifndef GPUPROF_EXCEPTIONS
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define GPUPROF_EXCEPTIONS 1
#else
#define GPUPROF_EXCEPTIONS 0
#endif
#endif

// Settings that change the layout or the meaning of inline functions are in the namespace's name,
// so two object files with different settings never share a symbol.
#if GPUPROF_ENABLED && GPUPROF_EXCEPTIONS
#define GPUPROF_ABI_NAMESPACE v0
#elif GPUPROF_ENABLED
#define GPUPROF_ABI_NAMESPACE v0_noexcept
#elif GPUPROF_EXCEPTIONS
#define GPUPROF_ABI_NAMESPACE v0_off
#else
#define GPUPROF_ABI_NAMESPACE v0_off_noexcept
#endif

#define GPUPROF_NAMESPACE_BEGIN                                                                                        \
    namespace gpuprof {                                                                                                \
    inline namespace GPUPROF_ABI_NAMESPACE {
#define GPUPROF_NAMESPACE_END                                                                                          \
    }                                                                                                                  \
    }

// The name followed by the library's version: files of two versions do not link.
#define GPUPROF_JOIN_VERSION(name, major_number, minor_number, patch) name##_##major_number##_##minor_number##_##patch
#define GPUPROF_EXPAND_VERSION(name, a, b, c) GPUPROF_JOIN_VERSION(name, a, b, c)
#define GPUPROF_VERSIONED(name)                                                                                        \
    GPUPROF_EXPAND_VERSION(name, GPUPROF_VERSION_MAJOR, GPUPROF_VERSION_MINOR, GPUPROF_VERSION_PATCH)

// An object that one file of a program compiles for all others. Each file that needs it refers to a
// constant whose name says what to do: the linker prints that name if no file, or more than one,
// defines it.
#define GPUPROF_COMPILED_ELSEWHERE(advice)                                                                             \
    extern int const GPUPROF_VERSIONED(advice);                                                                        \
    [[gnu::used]] inline int const* const GPUPROF_VERSIONED(advice##_needed) = &GPUPROF_VERSIONED(advice)
#define GPUPROF_COMPILED_HERE(advice)                                                                                  \
    extern int const GPUPROF_VERSIONED(advice);                                                                        \
    int const GPUPROF_VERSIONED(advice) = 1

// A type whose values must not be dropped. Not for EDG (nvcc), which also complains of an
// assignment's unused reference.
#if defined(__CUDACC__) || defined(__EDG__)
#define GPUPROF_NODISCARD_TYPE
#else
#define GPUPROF_NODISCARD_TYPE [[nodiscard]]
#endif

// Deletes a function and says why: in the compiler's message if it takes a reason (C++26), else in
// the line of code that it shows, so keep the declaration's name and this on one line.
#if defined(__cpp_deleted_function)
#define GPUPROF_DELETE(reason) delete (reason)
#else
#define GPUPROF_DELETE(reason) delete
#endif

// How the cold parts of the library are compiled. 1, the default: in every file that uses them. 0,
// for every file of a program: once, by the target gpuprof::compiled, or by the one file that
// defines GPUPROF_IMPLEMENTATION before it includes gpuprof (docs/compiled-library.md).
// GPUPROF_ENABLED and exceptions must be equal in all files: otherwise they do not link, by the
// namespace's name.
#if !GPUPROF_ENABLED // there is nothing to compile once
#undef GPUPROF_HEADER_ONLY
#define GPUPROF_HEADER_ONLY 1
#endif
#ifndef GPUPROF_HEADER_ONLY
#ifdef GPUPROF_IMPLEMENTATION
#define GPUPROF_HEADER_ONLY 0
#else
#define GPUPROF_HEADER_ONLY 1
#endif
#endif

// Marks the definition of a cold function, in the .inl.hpp beside its header.
#if GPUPROF_HEADER_ONLY
#define GPUPROF_INLINE inline
#else
#define GPUPROF_INLINE
#endif

#endif // GPUPROF_DETAIL_CONFIG_HPP
