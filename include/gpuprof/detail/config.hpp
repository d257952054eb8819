// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Configuration macros, each 0 or 1, and the ABI-tagged namespace. Layer: below everything; includes nothing.
#ifndef GPUPROF_DETAIL_CONFIG_HPP
#define GPUPROF_DETAIL_CONFIG_HPP

// Every header of gpuprof comes here before it says anything. The include stops the compiler: without it g++ 12 goes on for
// 1,485 lines. (Angle brackets, since it is no file of gpuprof's.)
#if !(defined(_MSVC_LANG) && _MSVC_LANG >= 202002L) && !(defined(__cplusplus) && __cplusplus >= 202002L)
#error "gpuprof needs C++20: compile with -std=c++20 (g++ 12, clang 14, nvcc 12 or later)"
#include <gpuprof_needs_cxx20>
#endif

// The library's version. Kept in step with project(VERSION) in CMakeLists.txt, which reads it from here.
#define GPUPROF_VERSION_MAJOR 0
#define GPUPROF_VERSION_MINOR 1
#define GPUPROF_VERSION_PATCH 0

// 0: scopes compile to no instruction at all, and what gpuprof.hpp names does nothing and leaves no code: see
// measure/compiled_out.hpp.
#ifndef GPUPROF_ENABLED
#define GPUPROF_ENABLED 1
#endif

// 0: the throwing spellings do not exist; use try_…, which returns result<T>. Follows the compiler's own setting.
#ifndef GPUPROF_EXCEPTIONS
#if defined(__cpp_exceptions) || defined(__EXCEPTIONS)
#define GPUPROF_EXCEPTIONS 1
#else
#define GPUPROF_EXCEPTIONS 0
#endif
#endif

// What changes the layout or the meaning of an inline function names the namespace, so two object files built with
// different settings never share a symbol.
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

// A type whose values must not be dropped. Not for EDG (nvcc): it also complains of an assignment's unused reference.
#if defined(__CUDACC__) || defined(__EDG__)
#define GPUPROF_NODISCARD_TYPE
#else
#define GPUPROF_NODISCARD_TYPE [[nodiscard]]
#endif

// Deletes a function and says why, in the compiler's message where it takes a reason (C++26), else in the line of code that it
// shows: keep the declaration's name and this on one line.
#if defined(__cpp_deleted_function)
#define GPUPROF_DELETE(reason) delete (reason)
#else
#define GPUPROF_DELETE(reason) delete
#endif

// Marks a function (or a class) of a policy's inside that is compiled where it is called, not wherever its header is
// included: a template that deduces nothing.
#define GPUPROF_LAZY template <class = void>

// 1: the headers are the whole library. 0: what is cold comes from the compiled library (the target gpuprof::compiled, which
// sets this), made once; GPUPROF_ENABLED and exceptions must be set alike there, and do not link otherwise, by the
// namespace's name.
#if !GPUPROF_ENABLED // there is nothing to compile once
#undef GPUPROF_HEADER_ONLY
#endif
#ifndef GPUPROF_HEADER_ONLY
#define GPUPROF_HEADER_ONLY 1
#endif

// Marks a function whose definition stands in the .inl.hpp beside its header (there with GPUPROF_DEFINE). From the compiled
// library it is a plain function. In header-only use it is a template that deduces nothing, so that a file compiles what it
// calls, not what it includes: a file that includes gpuprof.hpp and uses none of it takes g++ 12 0.44 s, with plain inline
// functions 0.57 s (2-core EPYC, user time, the same at -O0 and -O2).
#if GPUPROF_HEADER_ONLY
#define GPUPROF_DECLARE template <class = void>
#define GPUPROF_DEFINE template <class>
#define GPUPROF_INLINE inline
#else
#define GPUPROF_DECLARE
#define GPUPROF_DEFINE
#define GPUPROF_INLINE
#endif

#endif // GPUPROF_DETAIL_CONFIG_HPP
