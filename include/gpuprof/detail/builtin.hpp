// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is asked of the compiler and not of the language: attributes, atomic access to plain objects, lengths of text.
// Layer: below everything but config. Nothing else in gpuprof names a builtin or an attribute of one compiler.
#ifndef GPUPROF_DETAIL_BUILTIN_HPP
#define GPUPROF_DETAIL_BUILTIN_HPP

#include <cstddef> // std::size_t

#if defined(_MSC_VER) && !defined(__clang__)
#include <atomic>  // std::atomic_ref
#include <cstring> // std::strlen
#endif

#include "config.hpp"

// Keeps slow paths (errors, set-up) out of the caller's code: out of line, made for size.
#if defined(__GNUC__)
#define GPUPROF_COLD [[gnu::cold, gnu::noinline]]
#define GPUPROF_NOINLINE [[gnu::noinline]]
#elif defined(_MSC_VER)
#define GPUPROF_COLD __declspec(noinline)
#define GPUPROF_NOINLINE __declspec(noinline)
#else
#define GPUPROF_COLD
#define GPUPROF_NOINLINE
#endif

// Makes one straight piece of code of all that a function calls: where caches are cold, since a driver call comes next.
#if defined(__GNUC__) && !defined(__CUDACC__)
#define GPUPROF_FLATTEN [[gnu::flatten]]
#else
#define GPUPROF_FLATTEN
#endif

// Part of its caller, whatever the compiler thinks: where most of what a function does is not needed by each caller.
#if defined(__GNUC__)
#define GPUPROF_ALWAYS_INLINE [[gnu::always_inline]]
#elif defined(_MSC_VER)
#define GPUPROF_ALWAYS_INLINE [[msvc::forceinline]]
#else
#define GPUPROF_ALWAYS_INLINE
#endif

// 1: std::fma rounds once. That of mingw-w64 adds a product in two parts, which rounds twice.
#if defined(__MINGW32__) && !defined(__FMA__)
#define GPUPROF_FMA_ROUNDS_ONCE 0
#else
#define GPUPROF_FMA_ROUNDS_ONCE 1
#endif

// A function that is compiled for x86-64 processors with FMA, whatever the rest is compiled for; call it where
// detail::fuses_in_hardware() of processor.hpp is true. Not on Windows, where g++ does not align what such code puts on the
// stack.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(__MINGW32__) && !defined(_MSC_VER)
#define GPUPROF_TARGET_FMA [[gnu::target("avx2,fma")]]
#define GPUPROF_FUSES_IN_HARDWARE (__builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0)
#elif defined(__FP_FAST_FMA) && defined(__FP_FAST_FMAF)
#define GPUPROF_TARGET_FMA
#define GPUPROF_FUSES_IN_HARDWARE true
#else
#define GPUPROF_TARGET_FMA
#define GPUPROF_FUSES_IN_HARDWARE false
#endif

// On an alias of a type: its values may be read and written where objects of other types lie, as bytes may be.
#if defined(__GNUC__)
#define GPUPROF_MAY_ALIAS [[gnu::may_alias]]
#else
#define GPUPROF_MAY_ALIAS
#endif

// Before a loop of which no round needs what another wrote, although the compiler cannot know: it may compute several at once.
// Clang's counterpart demands it, and warns where it is not done; there, what is read is better copied first.
#if defined(__GNUC__) && !defined(__clang__)
#define GPUPROF_INDEPENDENT_ROUNDS _Pragma("GCC ivdep")
#define GPUPROF_HAS_INDEPENDENT_ROUNDS 1
#else
#define GPUPROF_INDEPENDENT_ROUNDS
#define GPUPROF_HAS_INDEPENDENT_ROUNDS 0
#endif

// What detail::prefetch() of processor.hpp does.
#if defined(__GNUC__)
#define GPUPROF_PREFETCH(at) __builtin_prefetch(at)
#else
#define GPUPROF_PREFETCH(at) static_cast<void>(at)
#endif

// A function of a library of Windows: the linker finds its address in a table, and nothing jumps twice.
#if defined(__GNUC__)
#define GPUPROF_WINDOWS_IMPORT __attribute__((dllimport))
#elif defined(_MSC_VER)
#define GPUPROF_WINDOWS_IMPORT __declspec(dllimport)
#endif

// MSVC's own instructions, by its names; clang-cl has them, too.
#if defined(_MSC_VER) && !defined(__GNUC__)
extern "C" {
[[noreturn]] void __fastfail(unsigned);
#if defined(_M_X64)
unsigned long long __rdtsc();
#elif defined(_M_ARM64)
long long _ReadStatusReg(int);
#endif
}
#if !defined(__clang__)
#pragma intrinsic(__fastfail)
#if defined(_M_X64)
#pragma intrinsic(__rdtsc)
#elif defined(_M_ARM64)
#pragma intrinsic(_ReadStatusReg)
#endif
#endif
#endif

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Ends the program: where a constant expression must not go on, or a promise of the caller's is broken.
[[noreturn]] inline void trap() noexcept {
#if defined(__GNUC__)
    __builtin_trap();
#else
    __fastfail(7);
#endif
}

// A NaN and infinity without <limits>.
#if defined(__GNUC__) || defined(_MSC_VER)
inline constexpr double quiet_nan = __builtin_nan("");
inline constexpr double infinite = __builtin_inf();
#else
inline constexpr double quiet_nan = static_cast<double>(0.0f * 1e300 * 1e300);
inline constexpr double infinite = static_cast<double>(1e300f * 1e300);
#endif

// <cmath> is 5,000 lines for this one.
[[nodiscard]] inline double square_root(double of) noexcept {
#if defined(__GNUC__)
    return __builtin_sqrt(of);
#else
    if (!(of > 0)) return of == 0 ? 0 : quiet_nan;
    double root = of > 1 ? of : 1;
    for (double next = (root + of / root) / 2; next < root; next = (root + of / root) / 2) root = next;
    return root;
#endif
}

// Length of a C string, also when constant-evaluated.
[[nodiscard]] constexpr std::size_t text_length(char const* text) noexcept {
#if defined(__GNUC__) || defined(_MSC_VER)
    return __builtin_strlen(text);
#else
    std::size_t size = 0;
    while (text[size] != '\0') ++size;
    return size;
#endif
}

// The processor's own count of time, where the compiler can read one: 1 if processor_ticks() is there. AArch64's virtual
// counter says how fast it counts; 0 ticks a second where the processor does not.
#if (defined(__GNUC__) && (defined(__x86_64__) || defined(__aarch64__))) ||                                            \
    (defined(_MSC_VER) && (defined(_M_X64) || defined(_M_ARM64)))
#define GPUPROF_PROCESSOR_TICKS 1
[[nodiscard]] inline unsigned long long processor_ticks() noexcept {
#if defined(__GNUC__) && defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__GNUC__)
    unsigned long long value;
    asm volatile("mrs %0, cntvct_el0" : "=r"(value));
    return value;
#elif defined(_M_X64)
    return __rdtsc();
#else
    return static_cast<unsigned long long>(_ReadStatusReg(0x5f02)); // CNTVCT_EL0, as MSVC numbers system registers
#endif
}
[[nodiscard]] inline unsigned long long processor_ticks_per_second() noexcept {
#if defined(__GNUC__) && defined(__aarch64__)
    unsigned long long value;
    asm("mrs %0, cntfrq_el0" : "=r"(value));
    return value & 0xffff'ffff; // the rest is reserved
#elif defined(_MSC_VER) && defined(_M_ARM64)
    return static_cast<unsigned long long>(_ReadStatusReg(0x5f00)) & 0xffff'ffff; // CNTFRQ_EL0
#else
    return 0;
#endif
}
#else
#define GPUPROF_PROCESSOR_TICKS 0
#endif

// A pointer to a function as one to another type of function: for what a library gives by name.
template <class Call, class Given>
[[nodiscard]] Call* function_cast(Given* given) noexcept {
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-function-type"
    return reinterpret_cast<Call*>(given);
#pragma GCC diagnostic pop
#else
    return reinterpret_cast<Call*>(given);
#endif
}

// The address of a function, as that of an object: they are alike wherever a library's symbols are looked up by name.
template <class Given>
[[nodiscard]] void* data_cast(Given* function) noexcept {
    return reinterpret_cast<void*>(function);
}

// A parameter of the type that another one decided.
template <class T>
struct exactly {
    using type = T;
};

// std::atomic_ref's operations on a plain object of at most 8 bytes: <atomic> would take g++ 12 60 ms of each file that
// includes gpuprof.hpp, scope.hpp takes 10 ms in all. Three orders only: relaxed for flags and statistics, acquire and
// release where data is handed over, and "ordered" (sequentially consistent) where each of two threads writes one object and
// then reads the other's.
#if defined(__GNUC__)
template <class T>
[[nodiscard]] T load_relaxed(T const& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_RELAXED);
}
template <class T>
[[nodiscard]] T load_acquire(T const& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_ACQUIRE);
}
template <class T>
void store_relaxed(T& to, typename exactly<T>::type value) noexcept {
    __atomic_store_n(&to, value, __ATOMIC_RELAXED);
}
template <class T>
void store_release(T& to, typename exactly<T>::type value) noexcept {
    __atomic_store_n(&to, value, __ATOMIC_RELEASE);
}
// Adds and returns the sum.
template <class T>
T add_relaxed(T& to, typename exactly<T>::type value) noexcept {
    return __atomic_add_fetch(&to, value, __ATOMIC_RELAXED);
}
template <class T>
[[nodiscard]] T load_ordered(T const& from) noexcept {
    return __atomic_load_n(&from, __ATOMIC_SEQ_CST);
}
template <class T>
void store_ordered(T& to, typename exactly<T>::type value) noexcept {
    __atomic_store_n(&to, value, __ATOMIC_SEQ_CST);
}
template <class T>
T add_ordered(T& to, typename exactly<T>::type value) noexcept {
    return __atomic_add_fetch(&to, value, __ATOMIC_SEQ_CST);
}
// Subtracts and returns the difference. Acquire and release: for counts of owners.
template <class T>
T subtract(T& from, typename exactly<T>::type value) noexcept {
    return __atomic_sub_fetch(&from, value, __ATOMIC_ACQ_REL);
}
// Puts `desired` there and returns what was there before. Acquire and release.
template <class T>
T exchange(T& at, typename exactly<T>::type desired) noexcept {
    return __atomic_exchange_n(&at, desired, __ATOMIC_ACQ_REL);
}
// Puts `desired` in place of `expected`; false, with what is there in `expected`, if something else was. May fail for no
// reason: for loops. Acquire and release.
template <class T>
[[nodiscard]] bool exchange_weak(T& at, T& expected, typename exactly<T>::type desired) noexcept {
    return __atomic_compare_exchange_n(&at, &expected, desired, true, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}
#else
template <class T>
[[nodiscard]] T load_relaxed(T const& from) noexcept {
    return std::atomic_ref<T>{const_cast<T&>(from)}.load(std::memory_order_relaxed);
}
template <class T>
[[nodiscard]] T load_acquire(T const& from) noexcept {
    return std::atomic_ref<T>{const_cast<T&>(from)}.load(std::memory_order_acquire);
}
template <class T>
void store_relaxed(T& to, typename exactly<T>::type value) noexcept {
    std::atomic_ref<T>{to}.store(value, std::memory_order_relaxed);
}
template <class T>
void store_release(T& to, typename exactly<T>::type value) noexcept {
    std::atomic_ref<T>{to}.store(value, std::memory_order_release);
}
template <class T>
T add_relaxed(T& to, typename exactly<T>::type value) noexcept {
    return std::atomic_ref<T>{to}.fetch_add(value, std::memory_order_relaxed) + value;
}
template <class T>
[[nodiscard]] T load_ordered(T const& from) noexcept {
    return std::atomic_ref<T>{const_cast<T&>(from)}.load();
}
template <class T>
void store_ordered(T& to, typename exactly<T>::type value) noexcept {
    std::atomic_ref<T>{to}.store(value);
}
template <class T>
T add_ordered(T& to, typename exactly<T>::type value) noexcept {
    return std::atomic_ref<T>{to}.fetch_add(value) + value;
}
template <class T>
T subtract(T& from, typename exactly<T>::type value) noexcept {
    return std::atomic_ref<T>{from}.fetch_sub(value, std::memory_order_acq_rel) - value;
}
template <class T>
T exchange(T& at, typename exactly<T>::type desired) noexcept {
    return std::atomic_ref<T>{at}.exchange(desired, std::memory_order_acq_rel);
}
template <class T>
[[nodiscard]] bool exchange_weak(T& at, T& expected, typename exactly<T>::type desired) noexcept {
    return std::atomic_ref<T>{at}.compare_exchange_weak(expected, desired, std::memory_order_acq_rel,
                                                        std::memory_order_acquire);
}
#endif

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_BUILTIN_HPP
