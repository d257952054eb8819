// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stop_report.hpp"

#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

bool stop_report::stop(warp& w, launch_failure kind, unsigned lane, std::string detail, std::uint64_t address,
                       unsigned bytes) {
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

} // namespace sim
GPUPROF_NAMESPACE_END
