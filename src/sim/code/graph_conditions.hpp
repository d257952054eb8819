// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of a graph's conditional handles.
#ifndef GPUPROF_SRC_SIM_CODE_GRAPH_CONDITIONS_HPP
#define GPUPROF_SRC_SIM_CODE_GRAPH_CONDITIONS_HPP

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include <gpuprof/detail/config.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A value for each handle that cuGraphConditionalHandleCreate gave: kernels set it by
// cudaGraphSetConditional, conditional nodes read it. CUDA leaves the value open until it is set
// first; here it is 0. Thread-safe.
class graph_conditions {
public:
    // A new handle.
    // @param at_launch what the value becomes whenever its graph is launched; nothing: it stays
    [[nodiscard]] std::uint64_t make(std::optional<std::uint32_t> at_launch);
    // The graph of these handles is launched. @pre make() returned them
    template <class Handles>
    void begin_launch(Handles const& handles) {
        std::lock_guard const only{mutex_};
        for (std::uint64_t const handle : handles)
            if (condition& c = conditions_.at(handle); c.at_launch) c.value = *c.at_launch;
    }
    // False for a handle that make() did not return.
    [[nodiscard]] bool set(std::uint64_t handle, std::uint32_t value);
    // Nothing for a handle that make() did not return.
    [[nodiscard]] std::optional<std::uint32_t> value(std::uint64_t handle);

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

#endif // GPUPROF_SRC_SIM_CODE_GRAPH_CONDITIONS_HPP
