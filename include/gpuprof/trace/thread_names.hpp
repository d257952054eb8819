// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of threads for traces.
#ifndef GPUPROF_TRACE_THREAD_NAMES_HPP
#define GPUPROF_TRACE_THREAD_NAMES_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../detail/config.hpp"
#if GPUPROF_ENABLED
#include "../hw/machine/platform/identity.hpp"
#include "../hw/machine/platform/mutex.hpp"
#include "../hw/machine/platform/thread_name.hpp"
#include "names_mutex.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN
#if GPUPROF_ENABLED
namespace detail {

// The names that threads gave themselves. Fixed memory, the process's.
class named_threads {
public:
    static constexpr std::size_t most = 512;
    static constexpr std::size_t longest = 63;

    [[nodiscard]] static named_threads& of_process() noexcept {
        static constinit named_threads all{};
        return all;
    }
    // Names this thread, by both of its numbers. Over `most` threads the oldest name goes.
    void name_this(std::string_view name) noexcept {
        std::uint32_t const system = platform::system_thread_number(), library = platform::library_thread_number();
        platform::lock const held{names_mutex};
        std::size_t at = 0;
        while (at != most && threads_[at].system != system) ++at;
        if (at == most) at = next_++ % most;
        thread& of = threads_[at];
        of.system = system;
        of.library = library;
        of.size = static_cast<unsigned char>(name.size() < longest ? name.size() : longest);
        name.copy(of.name, of.size);
    }
    // Writes the name of a thread into `room`; empty if it has none.
    [[nodiscard]] std::string_view find(std::uint32_t number, std::span<char, longest> room) const noexcept {
        platform::lock const held{names_mutex};
        for (thread const& each : threads_) {
            if (number == 0 || (each.system != number && each.library != number)) continue;
            return {room.data(), std::string_view{each.name, each.size}.copy(room.data(), longest)};
        }
        return {};
    }

private:
    struct thread {
        std::uint32_t system = 0;
        std::uint32_t library = 0;
        unsigned char size = 0;
        char name[longest]{};
    };
    thread threads_[most]{};
    std::size_t next_ = 0;
};

} // namespace detail

// Names the calling thread in traces, in its first 63 bytes, and for the system's tools, in 15 (Linux).
// Threads without such a name have the system's in a trace, if they run when the trace is written.
// Thread-safe; allocates nothing.
inline void name_thread(std::string_view name) noexcept {
    detail::named_threads::of_process().name_this(name);
    platform::name_this_thread(name);
}
#else
inline void name_thread(std::string_view) noexcept {}
#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_THREAD_NAMES_HPP
