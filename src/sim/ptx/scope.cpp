// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scope.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

GPUPROF_NAMESPACE_BEGIN
namespace sim::ptx {

void scope_stack::open(std::vector<std::uint32_t>& parents) {
    parents.push_back(scopes_.empty() ? 0 : scopes_.back().number);
    scopes_.push_back({static_cast<std::uint32_t>(parents.size() - 1), {}});
}

named scope_stack::find(std::string_view name) const {
    std::size_t stem = name.size();
    while (stem > 0 && name[stem - 1] >= '0' && name[stem - 1] <= '9') --stem;
    std::size_t const digits = name.size() - stem;
    bool const numbered = digits > 0 && digits < 9 && (digits == 1 || name[stem] != '0');
    for (auto level = scopes_.rbegin(); level != scopes_.rend(); ++level) {
        if (auto const found = level->names.find(name);
            found != level->names.end() && found->second.kind != named::kind::family)
            return found->second;
        if (!numbered) continue;
        auto const family = level->names.find(name.substr(0, stem));
        if (family == level->names.end() || family->second.kind != named::kind::family) continue;
        std::uint32_t number = 0;
        for (char const c : name.substr(stem)) number = number * 10 + static_cast<std::uint32_t>(c - '0');
        if (number < family->second.count) return {named::kind::reg, family->second.index + number, 0};
    }
    return {};
}

} // namespace sim::ptx
GPUPROF_NAMESPACE_END
