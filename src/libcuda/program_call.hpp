// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libcuda.so.1 and libcudart.so of the embedded GPU are put together from: calls by their symbols.
#ifndef GPUPROF_SRC_LIBCUDA_PROGRAM_CALL_HPP
#define GPUPROF_SRC_LIBCUDA_PROGRAM_CALL_HPP

#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

#include <gpuprof/hw/abi/types.hpp>

#include "fork_safe_mutex.hpp"

// An exported function that jumps through a slot, so that one symbol can lead to whatever is put there when the library is
// loaded. Exported by the assembler, because a name may be a macro, and a function of any type may stand behind it.
#if defined(__x86_64__)
#define GPUPROF_JUMP(slot) "jmp *" slot "(%rip)\n"
#elif defined(__aarch64__)
#define GPUPROF_JUMP(slot) "adrp x16, " slot "\nldr x16, [x16, :lo12:" slot "]\nbr x16\n"
#else
#error "no jump is written down for this processor"
#endif
#define GPUPROF_EXPORT_SLOT(symbol)                                                                                    \
    extern "C" {                                                                                                       \
    __attribute__((visibility("hidden"), used)) void* gpuprof_slot_##symbol = nullptr;                                 \
    }                                                                                                                  \
    __asm__(".pushsection .text\n.globl " #symbol "\n.type " #symbol ", %function\n" #symbol                           \
            ":\n" GPUPROF_JUMP("gpuprof_slot_" #symbol) ".size " #symbol ", . - " #symbol "\n.popsection\n");

namespace gpuprof::program {

// The default stream of the calling thread, by CUDA's number for it.
[[nodiscard]] inline abi::CUstream thread_stream() noexcept { return reinterpret_cast<abi::CUstream>(2); }

// In place of a null stream, in a program that is built with a default stream for each thread.
template <class T>
[[nodiscard]] T with_thread_stream(T argument) noexcept {
    if constexpr (std::is_same_v<T, abi::CUstream>) return argument == nullptr ? thread_stream() : argument;
    else return argument;
}

namespace detail {
template <auto Function>
struct per_thread;
template <class R, class... A, R (*Function)(A...)>
struct per_thread<Function> {
    static R call(A... arguments) { return Function(with_thread_stream(arguments)...); }
    static constexpr bool takes_stream = (std::is_same_v<A, abi::CUstream> || ...);
};
} // namespace detail

// A function behind a symbol, and behind the same symbol with "_ptsz" or "_ptds" (a default stream for each thread).
struct call {
    std::string_view symbol;
    void* function = nullptr;
    void* per_thread = nullptr;

    // The function's type must be that of CUDA's header. A synchronous function is the same with a default stream for each
    // thread: its work is done when it returns.
    template <auto Function>
    [[nodiscard]] static call of(std::string_view name) noexcept {
        using other = detail::per_thread<Function>;
        void* const plain = reinterpret_cast<void*>(Function);
        if constexpr (other::takes_stream) return {name, plain, reinterpret_cast<void*>(&other::call)};
        else return {name, plain, plain};
    }
};

// Says on the standard error output what a user should know, each text once in a process.
inline void tell_once(std::string_view text) {
    static auto* const told = new std::set<std::string, std::less<>>;
    std::lock_guard const held{fork_safe_mutex<std::set<std::string, std::less<>>>()};
    if (told->emplace(text).second) std::fprintf(stderr, "gpuprof: %.*s\n", static_cast<int>(text.size()), text.data());
}

} // namespace gpuprof::program

#endif // GPUPROF_SRC_LIBCUDA_PROGRAM_CALL_HPP
