// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source_place.hpp"

#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::string kernel::file_name(std::uint32_t index) const {
    if (source)
        for (auto const& f : source->files)
            if (f.index == index) return std::string{f.name};
    return {};
}

std::optional<source_place> place_in_source(kernel const& k, instruction_info const& info) {
    std::string file = k.file_name(info.source.file);
    if (info.source.line == 0 || file.empty() || file.back() == '/') return std::nullopt;
    return source_place{std::move(file), info.source.line};
}

source_place place_in_ptx(instruction_info const& info, std::uint64_t code_number) {
    char name[24];
    std::snprintf(name, sizeof name, "%08llx.ptx", static_cast<unsigned long long>(code_number));
    return {name, info.line};
}

} // namespace sim
GPUPROF_NAMESPACE_END
