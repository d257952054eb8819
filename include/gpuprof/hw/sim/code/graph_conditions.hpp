// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values that decide which way a graph goes. Layer: embedded GPU, memory.
#ifndef GPUPROF_HW_SIM_CODE_GRAPH_CONDITIONS_HPP
#define GPUPROF_HW_SIM_CODE_GRAPH_CONDITIONS_HPP

#include <cstdint>  // handles, values
#include <map>      // conditions by handle
#include <mutex>    // blocks that run side by side
#include <optional> // a value at launch, or none

#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A value for each handle that cuGraphConditionalHandleCreate gave: kernels set it by cudaGraphSetConditional, conditional
// nodes read it. CUDA leaves the value open until it is set first; here it is 0. Thread-safe.
class graph_conditions {
public:
    // @param at_launch what the value becomes whenever its graph is launched; nothing: it stays
    [[nodiscard]] std::uint64_t make(std::optional<std::uint32_t> at_launch) {
        std::lock_guard const only{mutex_};
        std::uint64_t const handle = ++last_;
        conditions_.emplace(handle, condition{at_launch.value_or(0), at_launch});
        return handle;
    }
    // The graph of these handles, which make() gave, is launched.
    template <class Handles>
    void begin_launch(Handles const& handles) {
        std::lock_guard const only{mutex_};
        for (std::uint64_t const handle : handles)
            if (condition& one = conditions_.at(handle); one.at_launch) one.value = *one.at_launch;
    }
    // False for what make() did not give.
    [[nodiscard]] bool set(std::uint64_t handle, std::uint32_t value) {
        std::lock_guard const only{mutex_};
        auto const found = conditions_.find(handle);
        if (found == conditions_.end()) return false;
        found->second.value = value;
        return true;
    }
    // Nothing for what make() did not give.
    [[nodiscard]] std::optional<std::uint32_t> value(std::uint64_t handle) {
        std::lock_guard const only{mutex_};
        auto const found = conditions_.find(handle);
        return found == conditions_.end() ? std::nullopt : std::optional{found->second.value};
    }

private:
    struct condition {
        std::uint32_t value;
        std::optional<std::uint32_t> at_launch;
    };
    std::mutex mutex_;
    std::uint64_t last_ = 0;
    std::map<std::uint64_t, condition> conditions_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CODE_GRAPH_CONDITIONS_HPP
