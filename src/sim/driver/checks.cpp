// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "checks.hpp"

#include <cstdio>
#include <memory>
#include <utility>

#include <gpuprof/hw/machine/platform/environment.hpp>

#include "../check/memory_shadow.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

result<check_set> checks_of_environment() {
    auto named = checks_named(platform::trusted_variable("GPUPROF_CHECK"));
    if (named) return named;
    error why = std::move(named).error();
    why.what.insert(0, "GPUPROF_CHECK: ");
    return why;
}

// The checks that the application chose, or else those of GPUPROF_CHECK. A device was not opened if that is wrong.
[[nodiscard]] static check_set chosen_checks(state const& all) {
    static check_set const from_environment = checks_of_environment().value_or(check_set{});
    return all.execution.checks ? *all.execution.checks : from_environment;
}

void begin_checks(state const& all, context_state& context) {
    // Between allocations: an index that is wrong by a row still ends beyond the allocation.
    constexpr std::uint64_t gap = std::uint64_t{64} * 1024;
    context.checks = chosen_checks(all);
    if (!context.checks.any()) return;
    if (context.checks.has(check::memory)) context.memory.keep_apart(gap);
    if (!context.shadow) context.shadow = std::make_unique<memory_shadow>();
}

std::string hexadecimal(std::uint64_t address) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(address));
    return text;
}

[[nodiscard]] static std::string allocation_text(device_memory::extent const& extent) {
    return "an allocation of " + std::to_string(extent.end - extent.begin) + " bytes at " + hexadecimal(extent.begin);
}

void add_finding(call& in, finding_kind kind, std::uint64_t address, std::string detail) {
    finding found;
    found.kind = kind;
    found.address = address;
    found.detail = std::move(detail);
    in.driver.findings.add(std::move(found));
}

void check_free(call& in, std::uint64_t address) {
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

void check_copy(call& in, std::uint64_t to, std::size_t to_row, std::uint64_t from, std::size_t from_row,
                std::size_t width, std::size_t height) {
    if (!in.context->shadow) return;
    memory_shadow& shadow = *in.context->shadow;
    bool const to_device = in.context->memory.find(to) != nullptr;
    bool const from_device = in.context->memory.find(from) != nullptr;
    std::uint64_t unwritten = 0;
    for (std::size_t y = 0; y < height; ++y) {
        if (to_device && from_device) shadow.moved(to + y * to_row, from + y * from_row, width);
        else if (to_device) shadow.written(to + y * to_row, width);
        else if (from_device) unwritten += shadow.unwritten_in(from + y * from_row, width);
    }
    check_set const checks = in.context->checks;
    bool const none_written = unwritten == std::uint64_t{width} * height;
    if (unwritten == 0 || !(checks.has(check::copies) || (none_written && checks.has(check::initialised)))) return;
    add_finding(in, finding_kind::uninitialised, from,
                "a copy to the host of " + std::to_string(width * height) + " bytes at " + hexadecimal(from) + ", " +
                    (none_written ? std::string{"none"} : std::to_string(unwritten)) + " of which " +
                    (none_written ? "was ever written" : "were never written") + ", in " +
                    allocation_text(*in.context->memory.find(from)));
}

void check_fault(call& in, launch_error const& why, bool was_freed) {
    if (!in.context->checks.any()) return;
    finding found;
    found.kind = was_freed                                        ? finding_kind::use_after_free
                 : why.kind == launch_failure::illegal_address    ? finding_kind::out_of_bounds
                 : why.kind == launch_failure::misaligned_address ? finding_kind::misaligned
                 : why.kind == launch_failure::divergent_barrier  ? finding_kind::barrier
                 : why.kind == launch_failure::deadlock           ? finding_kind::barrier
                                                                  : finding_kind::other;
    found.kernel = why.kernel;
    found.here = finding_side{why.cta, why.thread, why.ptx_line, why.source_file, why.source_line, {}};
    found.address = why.address;
    found.detail = std::string{name(why.kind)} + ": " + why.detail;
    in.driver.findings.add(std::move(found), false); // the failure itself was reported already
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
