// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a trace lacks, counted.
#ifndef GPUPROF_TRACE_LOSSES_HPP
#define GPUPROF_TRACE_LOSSES_HPP

#include <cstddef>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// Numbers of records and scopes. complete() means: whatever was asked for and happened is there, with its times.
struct trace_losses {
    std::size_t dropped = 0;        // by CUPTI, because there was no buffer: ask for more of them, or visit sooner
    std::size_t without_time = 0;   // CUPTI could not take a time: it is 0 in the record
    std::size_t undecoded = 0;      // of a kind or a size that this version of gpuprof does not know
    std::size_t scopes_dropped = 0; // scopes there was no room for: ask for more of it, or visit sooner

    [[nodiscard]] constexpr bool complete() const noexcept { return *this == trace_losses{}; }
    constexpr trace_losses& operator+=(trace_losses const& more) noexcept {
        dropped += more.dropped;
        without_time += more.without_time;
        undecoded += more.undecoded;
        scopes_dropped += more.scopes_dropped;
        return *this;
    }
    friend constexpr bool operator==(trace_losses const&, trace_losses const&) = default;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_LOSSES_HPP
