// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checks of the embedded GPU find.
#ifndef GPUPROF_SIM_FINDING_HPP
#define GPUPROF_SIM_FINDING_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../detail/config.hpp"
#include "extent.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The kinds of faults that checks find in kernels.
enum class finding_kind : std::uint8_t {
    out_of_bounds,
    misaligned,
    use_after_free,
    invalid_free, // of what was never allocated, or of what was freed
    leak,
    uninitialised, // a value that nobody wrote decides something
    race,
    barrier,      // not reached by all, or not at the same place; an mbarrier used wrongly
    asynchronous, // an access to memory that an asynchronous copy still reads or writes
    proxy,        // no fence.proxy.async between a write and an asynchronous copy that reads it
    other         // any other reason why a kernel was stopped
};
// "out of bounds", "race": the kind in words.
[[nodiscard]] std::string_view name(finding_kind kind) noexcept;

// What one thread did. `ptx_line` and `source_line` count from one, 0 when unknown.
struct finding_side {
    extent3 cta{0, 0, 0};
    extent3 thread{0, 0, 0};
    std::uint32_t ptx_line = 0;
    std::string source_file;
    std::uint32_t source_line = 0;
    std::string did; // "write of 4 bytes"

    [[nodiscard]] std::string text() const;
};

// One error of the program. The same kind at the same lines of the same kernel is one finding, whose first case is kept.
struct finding {
    finding_kind kind = finding_kind::other;
    std::string kernel; // empty: not in a kernel
    std::optional<finding_side> here;
    std::optional<finding_side>
        other;                 // of a race: the thread before; of an uninitialised value: who read it from memory
    std::uint64_t address = 0; // generic
    std::string detail;        // the memory it is about, or what is wrong
    std::uint64_t count = 1;   // cases

    // "race: kernel k, CTA (0, 0, 0), thread (1, 0, 0), PTX line 40, k.cu:3: write of 4 bytes at 0x…, …; and CTA …"
    [[nodiscard]] std::string message() const;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SIM_FINDING_HPP
