// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sanitizer this test is built with: what cannot run under one, or takes too long, is skipped. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_SANITIZED_HPP
#define GPUPROF_TESTS_SUPPORT_SANITIZED_HPP

#if defined(__has_feature)
inline constexpr bool address_sanitized = __has_feature(address_sanitizer);
inline constexpr bool thread_sanitized = __has_feature(thread_sanitizer);
#else
#if defined(__SANITIZE_ADDRESS__)
inline constexpr bool address_sanitized = true;
#else
inline constexpr bool address_sanitized = false;
#endif
#if defined(__SANITIZE_THREAD__)
inline constexpr bool thread_sanitized = true;
#else
inline constexpr bool thread_sanitized = false;
#endif
#endif

inline constexpr bool sanitized = address_sanitized || thread_sanitized;

#endif // GPUPROF_TESTS_SUPPORT_SANITIZED_HPP
