// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes and builtins of compilers: no other header of gpuprof names one. Also atomic access to
// plain objects.
#ifndef GPUPROF_DETAIL_BUILTIN_HPP
#define GPUPROF_DETAIL_BUILTIN_HPP

#include <cstddef>

#include "config.hpp"

#if !defined(__GNUC__)
#error "gpuprof needs g++, clang or nvcc: it uses the builtins of GNU's compilers"
#endif

// For slow paths (errors, set-up): keeps them out of the caller's code and optimises them for size.
#define GPUPROF_COLD [[gnu::cold, gnu::noinline]]
#define GPUPROF_NOINLINE [[gnu::noinline]]

// Inlines all that a function calls. For code that runs with cold caches before a driver call.
#if !defined(__CUDACC__)
#define GPUPROF_FLATTEN [[gnu::flatten]]
#else
#define GPUPROF_FLATTEN
#endif

// Inlines a function into each caller. For functions of which each caller needs a small part.
#define GPUPROF_ALWAYS_INLINE [[gnu::always_inline]]

// A type of several numbers, of so many bytes together, that a processor computes with at once; and the numbers of one such
// type in another.
#define GPUPROF_VECTOR_OF(bytes) [[gnu::vector_size(bytes)]]
#define GPUPROF_CONVERT_VECTOR(numbers, type) __builtin_convertvector(numbers, type)

// 1: std::fma rounds once. That of mingw-w64 adds a product in two parts, which rounds twice.
#if defined(__MINGW32__) && !defined(__FMA__)
#define GPUPROF_FMA_ROUNDS_ONCE 0
#else
#define GPUPROF_FMA_ROUNDS_ONCE 1
#endif

// Compiles a function for x86-64 processors with FMA, whatever the rest is compiled for. Call it
// only where detail::fuses_in_hardware() of processor.hpp is true. Not on Windows: there g++ does
// not align the stack for such code.
#if defined(__x86_64__) && !defined(__MINGW32__)
#define GPUPROF_TARGET_FMA [[gnu::target("avx2,fma")]]
#define GPUPROF_FUSES_IN_HARDWARE (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
#elif defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
#define GPUPROF_TARGET_FMA
#define GPUPROF_FUSES_IN_HARDWARE true
#else
#define GPUPROF_TARGET_FMA
#define GPUPROF_FUSES_IN_HARDWARE false
#endif

// On an alias of a type: its values may alias objects of other types, as bytes do.
#define GPUPROF_MAY_ALIAS [[gnu::may_alias]]

// Before a loop whose rounds are independent, although the compiler cannot know: it may vectorise.
// Clang's counterpart is an order and warns where it cannot be followed; for clang, copy the input
// first.
#if !defined(__clang__)
#define GPUPROF_INDEPENDENT_ROUNDS _Pragma("GCC ivdep")
#define GPUPROF_HAS_INDEPENDENT_ROUNDS 1
#else
#define GPUPROF_INDEPENDENT_ROUNDS
#define GPUPROF_HAS_INDEPENDENT_ROUNDS 0
#endif

// Implements detail::prefetch() of processor.hpp.
#define GPUPROF_PREFETCH(at) __builtin_prefetch(at)

// Declares a function of a Windows library: calls go directly through the import table.
#define GPUPROF_WINDOWS_IMPORT __attribute__((dllimport))

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Ends the program. For broken preconditions, and for errors in constant expressions.
[[noreturn]] inline void trap() noexcept { __builtin_trap(); }

// NaN and infinity without <limits>.
inline constexpr double quiet_nan = __builtin_nan("");
inline constexpr double infinite = __builtin_inf();

// std::sqrt without the 5,000 lines of <cmath>.
[[nodiscard]] inline double square_root(double of) noexcept { return __builtin_sqrt(of); }

// The length of a C string, also in constant expressions.
[[nodiscard]] constexpr std::size_t text_length(char const* text) noexcept { return __builtin_strlen(text); }

// The processor's time counter: GPUPROF_PROCESSOR_TICKS is 1 if the compiler can read one.
// processor_ticks_per_second() is 0 where the processor does not say; AArch64 does.
#if defined(__x86_64__) || defined(__aarch64__)
#define GPUPROF_PROCESSOR_TICKS 1
[[nodiscard]] inline unsigned long long processor_ticks() noexcept {
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#else
    unsigned long long value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#endif
}
[[nodiscard]] inline unsigned long long processor_ticks_per_second() noexcept {
#if defined(__aarch64__)
    unsigned long long value;
    asm("mrs %0, cntfrq_el0" : "=r"(value));
    return value & 0xffff'ffff; // the upper half is reserved
#else
    return 0;
#endif
}
#else
#define GPUPROF_PROCESSOR_TICKS 0
#endif

// Casts a function pointer to another function type. For symbols that a library gives by name.
template <class Call, class Given>
[[nodiscard]] Call* function_cast(Given* given) noexcept {
#if !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-function-type"
    return reinterpret_cast<Call*>(given);
#pragma GCC diagnostic pop
#else
    return reinterpret_cast<Call*>(given);
#endif
}

// Casts a function's address to an object's. Both are alike on every system with dlsym or
// GetProcAddress.
template <class Given>
[[nodiscard]] void* data_cast(Given* function) noexcept {
    return reinterpret_cast<void*>(function);
}

// std::type_identity_t. <type_traits> has 2,372 preprocessed lines (g++ 12), scope.hpp at most 410.
template <class T>
struct type_identity {
    using type = T;
};
template <class T>
using type_identity_t = typename type_identity<T>::type;

// std::atomic_ref's operations on a plain object of at most 8 bytes. <atomic> takes g++ 12 60 ms a
// file; scope.hpp takes 10 ms in all. Three orders: relaxed for flags and statistics; acquire and
// release where data is handed over; "ordered" (sequentially consistent) where each of two threads
// writes one object and then reads the other's.
template <class T>
[[nodiscard]] T load_relaxed(T const& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_RELAXED);
}
template <class T>
[[nodiscard]] T load_acquire(T const& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_ACQUIRE);
}
template <class T>
void store_relaxed(T& to, type_identity_t<T> value) noexcept {
    __atomic_store_n(&to, value, __ATOMIC_RELAXED);
}
template <class T>
void store_release(T& to, type_identity_t<T> value) noexcept {
    __atomic_store_n(&to, value, __ATOMIC_RELEASE);
}
// Adds and returns the sum.
template <class T>
T add_relaxed(T& to, type_identity_t<T> value) noexcept {
    return __atomic_add_fetch(&to, value, __ATOMIC_RELAXED);
}
template <class T>
[[nodiscard]] T load_ordered(T const& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_SEQ_CST);
}
template <class T>
void store_ordered(T& to, type_identity_t<T> value) noexcept {
    __atomic_store_n(&to, value, __ATOMIC_SEQ_CST);
}
template <class T>
T add_ordered(T& to, type_identity_t<T> value) noexcept {
    return __atomic_add_fetch(&to, value, __ATOMIC_SEQ_CST);
}
// Subtracts and returns the difference. Acquire and release: for counts of owners.
template <class T>
T subtract(T& from, type_identity_t<T> value) noexcept {
    return __atomic_sub_fetch(&from, value, __ATOMIC_ACQ_REL);
}
// Stores `desired` and returns the old value. Acquire and release.
template <class T>
T exchange(T& at, type_identity_t<T> desired) noexcept {
    return __atomic_exchange_n(&at, desired, __ATOMIC_ACQ_REL);
}
// Replaces `expected` by `desired`. If the object holds another value: stores it in `expected` and
// returns false. May fail spuriously, so call it in a loop. Acquire and release.
template <class T>
[[nodiscard]] bool exchange_weak(T& at, T& expected, type_identity_t<T> desired) noexcept {
    return __atomic_compare_exchange_n(&at, &expected, desired, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_BUILTIN_HPP
