// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checks of the embedded GPU's driver: which are on, and what calls find. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_CHECKS_HPP
#define GPUPROF_HW_SIM_DRIVER_CHECKS_HPP

#include <cstdint> // addresses
#include <cstdio>  // addresses in texts
#include <memory>  // the shadow
#include <string>  // texts
#include <utility> // std::move

#include "../../machine/platform/environment.hpp"
#include "../check/finding.hpp"
#include "../check/memory_shadow.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// Those of GPUPROF_CHECK, if the application chose none; a word there that is no check counts as none.
[[nodiscard]] inline check_set chosen_checks(state const& all) {
    static check_set const from_environment = [] {
        auto const read = checks_named(platform::variable_or_empty("GPUPROF_CHECK"));
        return read ? *read : check_set{};
    }();
    return all.execution.checks ? *all.execution.checks : from_environment;
}

// From now on the context's memory is watched, if any check is on. What was allocated before counts as written.
inline void begin_checks(state const& all, context_state& context) {
    constexpr std::uint64_t gap =
        std::uint64_t{64} * 1024; // between allocations: an index that is wrong by a row is beyond the end, too
    context.checks = chosen_checks(all);
    if (!context.checks.any()) return;
    if (context.checks.has(check::memory)) context.memory.keep_apart(gap);
    if (!context.shadow) context.shadow = std::make_unique<memory_shadow>();
}

[[nodiscard]] inline std::string hexadecimal(std::uint64_t address) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    return text;
}
[[nodiscard]] inline std::string allocation_text(device_memory::extent const& e) {
    return "an allocation of " + std::to_string(e.end - e.begin) + " bytes at " + hexadecimal(e.begin);
}

inline void add_finding(call& in, finding_kind kind, std::uint64_t address, std::string detail) {
    finding one;
    one.kind = kind;
    one.address = address;
    one.detail = std::move(detail);
    in.driver.findings.add(std::move(one));
}

// A free of what is not allocated was refused.
inline void check_free(call& in, std::uint64_t address) {
    if (!in.context->checks.has(check::memory)) return;
    auto const* const freed = in.context->memory.find_freed(address);
    auto const* const within = in.context->memory.find(address);
    add_finding(in, finding_kind::invalid_free, address,
                hexadecimal(address) + (freed != nullptr && freed->begin == address
                                            ? ", which was freed before: " + allocation_text(*freed)
                                        : within != nullptr && within->begin == address
                                            ? ", which another call frees: " + allocation_text(*within)
                                        : within != nullptr ? ", which is within " + allocation_text(*within)
                                                            : ", which is no allocation"));
}

// A copy of rows was carried out.
inline void check_copy(call& in, std::uint64_t to, std::size_t to_row, std::uint64_t from, std::size_t from_row,
                       std::size_t width, std::size_t height) {
    if (!in.context->shadow) return;
    memory_shadow& shadow = *in.context->shadow;
    bool const into = in.context->memory.find(to) != nullptr;
    bool const out = in.context->memory.find(from) != nullptr;
    std::uint64_t unwritten = 0;
    for (std::size_t y = 0; y < height; ++y) {
        if (into && out) shadow.moved(to + y * to_row, from + y * from_row, width);
        else if (into) shadow.written(to + y * to_row, width);
        else if (out) unwritten += shadow.unwritten_in(from + y * from_row, width);
    }
    check_set const checks = in.context->checks;
    bool const nothing = unwritten == std::uint64_t{width} * height;
    if (unwritten == 0 || !(checks.has(check::copies) || (nothing && checks.has(check::initialised)))) return;
    add_finding(in, finding_kind::uninitialised, from,
                "a copy to the host of " + std::to_string(width * height) + " bytes at " + hexadecimal(from) + ", " +
                    (nothing ? std::string{"none"} : std::to_string(unwritten)) + " of which " +
                    (nothing ? "was ever written" : "were never written") + ", in " +
                    allocation_text(*in.context->memory.find(from)));
}

// A kernel was stopped.
inline void check_fault(call& in, launch_error const& why, bool was_freed) {
    if (!in.context->checks.any()) return;
    finding one;
    one.kind = was_freed                                        ? finding_kind::use_after_free
               : why.kind == launch_failure::illegal_address    ? finding_kind::out_of_bounds
               : why.kind == launch_failure::misaligned_address ? finding_kind::misaligned
               : why.kind == launch_failure::divergent_barrier  ? finding_kind::barrier
               : why.kind == launch_failure::deadlock           ? finding_kind::barrier
                                                                : finding_kind::other;
    one.kernel = why.kernel;
    one.here = finding_side{why.cta, why.thread, why.ptx_line, why.source_file, why.source_line, {}};
    one.address = why.address;
    one.detail = std::string{name(why.kind)} + ": " + why.detail;
    in.driver.findings.add(std::move(one), false); // who hears of failures was told
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_CHECKS_HPP
