// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libcuda.so.1 and libcudart.so of the embedded GPU are put together from: calls by their symbols.
#ifndef GPUPROF_SRC_LIBCUDA_PROGRAM_CALL_HPP
#define GPUPROF_SRC_LIBCUDA_PROGRAM_CALL_HPP

#include <cstdio>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>

#include <gpuprof/hw/abi/results.hpp>
#include <gpuprof/hw/abi/types.hpp>

#include "../sim/gpu/gpu_process.hpp"
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

// What a call returns that fails for this reason. A library specialises it for its own type of errors.
template <class R>
[[nodiscard]] R failure_of(abi::CUresult) noexcept {
    return R();
}
template <>
[[nodiscard]] inline abi::CUresult failure_of(abi::CUresult why) noexcept {
    return why;
}

// The boundary of the libraries: what a program calls. No exception leaves it, and in a forked child no lock is taken: see
// gpu_process.hpp.
template <auto Function>
struct boundary;
template <class R, class... A, R (*Function)(A...)>
struct boundary<Function> {
    static R call(A... arguments) noexcept {
        if (sim::gpu_process.is_child()) [[unlikely]]
            return failure_of<R>(abi::CUDA_ERROR_NOT_INITIALIZED);
        return in_any_process(arguments...);
    }
    static R in_any_process(A... arguments) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
            return Function(arguments...);
        } catch (std::bad_alloc const&) {
            return failure_of<R>(abi::CUDA_ERROR_OUT_OF_MEMORY);
        } catch (...) { // from a function of the program, or the operating system
            return failure_of<R>(abi::CUDA_ERROR_UNKNOWN);
        }
#else
        return Function(arguments...);
#endif
    }
    static R per_thread(A... arguments) noexcept { return call(with_thread_stream(arguments)...); }
    static constexpr bool takes_stream = (std::is_same_v<A, abi::CUstream> || ...);
};

// A function behind a symbol, and behind the same symbol with "_ptsz" or "_ptds" (a default stream for each thread).
struct call {
    std::string_view symbol;
    void* function = nullptr;
    void* per_thread = nullptr;

    // The function's type must be that of CUDA's header. A synchronous function is the same with a default stream for each
    // thread: its work is done when it returns.
    template <auto Function>
    [[nodiscard]] static call of(std::string_view name) noexcept {
        using guarded = boundary<Function>;
        void* const plain = reinterpret_cast<void*>(&guarded::call);
        if constexpr (guarded::takes_stream) return {name, plain, reinterpret_cast<void*>(&guarded::per_thread)};
        else return {name, plain, plain};
    }
    // With a function of its own for a default stream for each thread.
    template <auto Function, auto PerThread>
    [[nodiscard]] static call of(std::string_view name) noexcept {
        return {name, reinterpret_cast<void*>(&boundary<Function>::call),
                reinterpret_cast<void*>(&boundary<PerThread>::call)};
    }
    // A function that needs no GPU and takes no lock: it works in a forked child, too.
    template <auto Function>
    [[nodiscard]] static call of_any_process(std::string_view name) noexcept {
        void* const plain = reinterpret_cast<void*>(&boundary<Function>::in_any_process);
        return {name, plain, plain};
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
