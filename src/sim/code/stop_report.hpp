// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reason why a CTA was stopped, and the place.
#ifndef GPUPROF_SRC_SIM_CODE_STOP_REPORT_HPP
#define GPUPROF_SRC_SIM_CODE_STOP_REPORT_HPP

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "kernel.hpp"
#include "launch.hpp"
#include "special_registers.hpp"
#include "warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The parts of an executor stop a kernel through this. @pre kernel and place outlive it.
class stop_report {
public:
    stop_report(kernel const& k, warp_place const& place) noexcept : kernel_{k}, place_{place} {}

    // Sets the instruction that a report names.
    void at(instruction_info const& info) noexcept { current_ = &info; }

    // Keeps the reason. Always false.
    GPUPROF_COLD bool stop(warp& w, launch_failure kind, unsigned lane, std::string detail, std::uint64_t address = 0,
                           unsigned bytes = 0);

    [[nodiscard]] std::optional<launch_error> const& error() const noexcept { return error_; }
    void replace(launch_error why) { error_ = std::move(why); }
    void forget() noexcept { error_.reset(); }

private:
    kernel const& kernel_;
    warp_place const& place_;
    instruction_info const* current_ = nullptr;
    std::optional<launch_error> error_;
};

// The lane that speaks for `mask`.
[[nodiscard]] inline unsigned lowest_lane(lane_mask mask) noexcept {
    return static_cast<unsigned>(std::countr_zero(mask)) & 31;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_STOP_REPORT_HPP
