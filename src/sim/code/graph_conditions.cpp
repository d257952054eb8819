// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "graph_conditions.hpp"

#include <cstdint>
#include <mutex>
#include <optional>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::uint64_t graph_conditions::make(std::optional<std::uint32_t> at_launch) {
    std::lock_guard const only{mutex_};
    std::uint64_t const handle = ++last_;
    conditions_.emplace(handle, condition{at_launch.value_or(0), at_launch});
    return handle;
}

bool graph_conditions::set(std::uint64_t handle, std::uint32_t value) {
    std::lock_guard const only{mutex_};
    auto const found = conditions_.find(handle);
    if (found == conditions_.end()) return false;
    found->second.value = value;
    return true;
}

std::optional<std::uint32_t> graph_conditions::value(std::uint64_t handle) {
    std::lock_guard const only{mutex_};
    auto const found = conditions_.find(handle);
    return found == conditions_.end() ? std::nullopt : std::optional{found->second.value};
}

} // namespace sim
GPUPROF_NAMESPACE_END
