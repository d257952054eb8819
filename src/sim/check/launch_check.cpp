// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "launch_check.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

launch_check::launch_check(kernel const& k, launch_config const& config, device_memory const& memory,
                           memory_shadow& shadow, check_set checks)
    : checks_{checks}, kernel_{k}, grid_{config.grid}, block_{config.block}, memory_{memory}, shadow_{shadow} {
    if (shadow.next_segment > std::uint32_t{1} << 31) {
        shadow.forget_accesses();
        shadow.next_segment = 1;
    }
    clocks.first_segment = shadow.next_segment;
    for (function_code const* const f : k.functions) {
        first_.push_back(instructions_);
        instructions_ += static_cast<std::uint32_t>(f->code.size());
    }
}

finding_side launch_check::side(check_place const& at, std::string did) const {
    finding_side described;
    described.cta = place(at.cta, grid_);
    described.thread = place(at.thread, block_);
    described.did = std::move(did);
    for (std::size_t i = 0; i < first_.size(); ++i) {
        auto const& code = kernel_.functions[i]->code;
        if (at.instruction < first_[i] || at.instruction - first_[i] >= code.size()) continue;
        instruction_info const& info = code[at.instruction - first_[i]].info;
        described.ptx_line = info.line;
        described.source_line = info.source.line;
        described.source_file = kernel_.file_name(info.source.file);
    }
    return described;
}

std::string launch_check::place_of(ptx::space space, std::uint64_t address) const {
    char text[128];
    if (space == ptx::space::shared) {
        std::snprintf(text, sizeof text, "shared memory, byte %llu", static_cast<unsigned long long>(address));
        return text;
    }
    if (space == ptx::space::local) return "local memory";
    auto const* const extent = memory_.find(address);
    if (extent == nullptr) return "global memory";
    std::snprintf(text, sizeof text, "global memory, %llu bytes into an allocation of %llu bytes at 0x%llx",
                  static_cast<unsigned long long>(address - extent->begin),
                  static_cast<unsigned long long>(extent->end - extent->begin),
                  static_cast<unsigned long long>(extent->begin));
    return text;
}

} // namespace sim
GPUPROF_NAMESPACE_END
