// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why a CTA was stopped, and where. Layer: embedded GPU, executor.
#ifndef GPUPROF_HW_SIM_CODE_STOP_REPORT_HPP
#define GPUPROF_HW_SIM_CODE_STOP_REPORT_HPP

#include <bit>      // lowest lane
#include <cstdint>  // addresses
#include <cstdio>   // addresses in texts
#include <optional> // a failure or none
#include <string>   // its text
#include <utility>  // std::move

#include "kernel.hpp"
#include "launch.hpp"
#include "special_registers.hpp"
#include "warp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What the parts of an executor end a kernel through. @pre kernel and place outlive it.
class stop_report {
public:
    stop_report(kernel const& k, warp_place const& place) noexcept : kernel_{k}, place_{place} {}

    // The instruction that anything to be reported happens at.
    void at(instruction_info const& info) noexcept { current_ = &info; }

    // Keeps the reason. Always false.
    GPUPROF_COLD bool stop(warp& w, launch_failure kind, unsigned lane, std::string detail, std::uint64_t address = 0,
                           unsigned bytes = 0) {
        launch_error why;
        why.kind = kind;
        why.kernel = kernel_.name;
        why.cta = place_.cta;
        why.thread = place(std::uint64_t{w.number()} * warp_size + lane, place_.block);
        why.address = address;
        why.detail = std::move(detail);
        if (bytes != 0) {
            char text[64];
            std::snprintf(text, sizeof text, "%u bytes at 0x%llx, ", bytes, static_cast<unsigned long long>(address));
            why.detail = text + why.detail;
        }
        if (current_ != nullptr) {
            why.ptx_line = current_->line;
            why.source_line = current_->source.line;
            why.source_file = kernel_.file_name(current_->source.file);
        }
        error_ = std::move(why);
        return false;
    }

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

#endif // GPUPROF_HW_SIM_CODE_STOP_REPORT_HPP
