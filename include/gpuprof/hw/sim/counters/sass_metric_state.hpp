// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What instructions counted, for contexts whose SASS metrics are collected. Layer: hw/sim; between what runs kernels and
// CUPTI's calls.
#ifndef GPUPROF_HW_SIM_COUNTERS_SASS_METRIC_STATE_HPP
#define GPUPROF_HW_SIM_COUNTERS_SASS_METRIC_STATE_HPP

#include <algorithm>        // std::find_if
#include <cstddef>          // std::size_t
#include <cstdint>          // counts
#include <initializer_list> // sums
#include <map>              // by context, by place
#include <string>           // names
#include <string_view>      // names
#include <tuple>            // order of places
#include <vector>           // metrics

#include "../../../detail/config.hpp"
#include "../../../detail/hash.hpp"
#include "../../abi/types.hpp"
#include "gpu_registry.hpp"
#include "raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A metric that has a value for each instruction: a sum of raw counters.
struct sass_metric_row {
    char const* name;
    char const* description;
    raw_counter sum[5];

    [[nodiscard]] constexpr std::uint64_t id() const noexcept {
        return gpuprof::detail::fnv1a(gpuprof::detail::fnv1a_start, name);
    }
    [[nodiscard]] constexpr std::uint64_t of(counter_values const& counted) const noexcept {
        std::uint64_t value = 0;
        for (raw_counter const each : sum)
            if (each != raw_counter::none) value += counted[each];
        return value;
    }
};

// Those of an H200's 60 that follow from what instructions are and how often they ran. What depends on addresses (sectors,
// wavefronts, tags, generic accesses) the model knows of kernels, not of instructions.
inline constexpr sass_metric_row sass_metric_rows[] = {
    {"smsp__sass_inst_executed", "Instructions that warps executed.", {raw_counter::inst_executed}},
    {"smsp__sass_inst_executed_op_branch", "Instructions executed: branches.", {raw_counter::inst_branch}},
    {"smsp__sass_inst_executed_op_global",
     "Instructions executed: global memory.",
     {raw_counter::inst_global_ld, raw_counter::inst_global_st, raw_counter::inst_global_atom,
      raw_counter::inst_global_red}},
    {"smsp__sass_inst_executed_op_global_atom",
     "Instructions executed: atomics on global memory.",
     {raw_counter::inst_global_atom}},
    {"smsp__sass_inst_executed_op_global_ld",
     "Instructions executed: loads from global memory.",
     {raw_counter::inst_global_ld}},
    {"smsp__sass_inst_executed_op_global_red",
     "Instructions executed: reductions on global memory.",
     {raw_counter::inst_global_red}},
    {"smsp__sass_inst_executed_op_global_st",
     "Instructions executed: stores to global memory.",
     {raw_counter::inst_global_st}},
    {"smsp__sass_inst_executed_op_ldgsts",
     "Instructions executed: copies from global to shared memory.",
     {raw_counter::inst_ldgsts}},
    {"smsp__sass_inst_executed_op_ldsm",
     "Instructions executed: matrix loads from shared memory.",
     {raw_counter::inst_ldsm}},
    {"smsp__sass_inst_executed_op_local",
     "Instructions executed: local memory.",
     {raw_counter::inst_local_ld, raw_counter::inst_local_st}},
    {"smsp__sass_inst_executed_op_local_ld",
     "Instructions executed: loads from local memory.",
     {raw_counter::inst_local_ld}},
    {"smsp__sass_inst_executed_op_local_st",
     "Instructions executed: stores to local memory.",
     {raw_counter::inst_local_st}},
    {"smsp__sass_inst_executed_op_memory_128b",
     "Memory instructions of 128 bits a thread.",
     {raw_counter::inst_memory_128b}},
    {"smsp__sass_inst_executed_op_memory_16b",
     "Memory instructions of 16 bits a thread.",
     {raw_counter::inst_memory_16b}},
    {"smsp__sass_inst_executed_op_memory_32b",
     "Memory instructions of 32 bits a thread.",
     {raw_counter::inst_memory_32b}},
    {"smsp__sass_inst_executed_op_memory_64b",
     "Memory instructions of 64 bits a thread.",
     {raw_counter::inst_memory_64b}},
    {"smsp__sass_inst_executed_op_memory_8b", "Memory instructions of 8 bits a thread.", {raw_counter::inst_memory_8b}},
    {"smsp__sass_inst_executed_op_shared",
     "Instructions executed: shared memory.",
     {raw_counter::inst_shared_ld, raw_counter::inst_shared_st, raw_counter::inst_shared_atom}},
    {"smsp__sass_inst_executed_op_shared_atom",
     "Instructions executed: atomics on shared memory.",
     {raw_counter::inst_shared_atom}},
    {"smsp__sass_inst_executed_op_shared_ld",
     "Instructions executed: loads from shared memory.",
     {raw_counter::inst_shared_ld}},
    {"smsp__sass_inst_executed_op_shared_st",
     "Instructions executed: stores to shared memory.",
     {raw_counter::inst_shared_st}},
    {"smsp__sass_thread_inst_executed",
     "Instructions by threads, predicated off included.",
     {raw_counter::thread_inst_executed}},
    {"smsp__sass_thread_inst_executed_pred_on",
     "Instructions by threads, predicated on.",
     {raw_counter::thread_inst_executed_pred_on}}};

[[nodiscard]] constexpr sass_metric_row const* find_sass_metric(std::uint64_t id) noexcept {
    for (sass_metric_row const& each : sass_metric_rows)
        if (each.id() == id) return &each;
    return nullptr;
}
[[nodiscard]] constexpr sass_metric_row const* find_sass_metric(std::string_view name) noexcept {
    for (sass_metric_row const& each : sass_metric_rows)
        if (each.name == name) return &each;
    return nullptr;
}

// What the instructions of a launch counted; of those that ran.
struct counted_instructions {
    struct function {
        std::string name;
        std::uint32_t index = 0; // in its module
    };
    struct instruction {
        std::uint32_t function = 0; // of `functions`
        std::uint64_t offset = 0;   // bytes from the function's beginning
        counter_values counted{};
    };
    std::vector<function> functions;
    std::vector<instruction> instructions;
};

// Metrics of a device, and what the instructions of each context counted since the last flush. Guarded by the registry's lock.
class sass_metric_state {
public:
    struct place {
        std::uint64_t code = 0; // number_of_code()
        std::string function;
        std::uint64_t offset = 0;
        std::uint32_t function_index = 0;

        friend bool operator<(place const& a, place const& b) {
            return std::tie(a.code, a.function_index, a.function, a.offset) <
                   std::tie(b.code, b.function_index, b.function, b.offset);
        }
    };
    struct of_context {
        int device = -1;
        std::map<place, std::vector<std::uint64_t>> counted{}; // in the order of the device's metrics
    };

    [[nodiscard]] static sass_metric_state& instance() {
        static auto* const one = new sass_metric_state; // outlives every static that may still call
        return *one;
    }

    std::map<int, std::vector<sass_metric_row const*>> metrics{}; // of devices that are configured
    std::map<abi::CUcontext, of_context> contexts{};              // those that are enabled

    void add(abi::CUcontext context, counted_instructions const& launch, std::uint64_t code) {
        auto const found = contexts.find(context);
        if (found == contexts.end()) return;
        auto const& wanted = metrics[found->second.device];
        for (auto const& each : launch.instructions) {
            auto const& function = launch.functions[each.function];
            auto& values = found->second.counted[{code, function.name, each.offset, function.index}];
            values.resize(wanted.size());
            for (std::size_t m = 0; m < wanted.size(); ++m) values[m] += wanted[m]->of(each.counted);
        }
    }
    void clear() {
        metrics.clear();
        contexts.clear();
    }

private:
    sass_metric_state() = default;
};

// Whether instructions of a kernel that ends now in the context are counted.
[[nodiscard]] inline bool counts_instructions(abi::CUcontext context) {
    auto const held = gpu_registry::instance().lock();
    return sass_metric_state::instance().contexts.contains(context);
}

inline void count_instructions_of(abi::CUcontext context, counted_instructions const& launch, std::uint64_t code) {
    auto const held = gpu_registry::instance().lock();
    sass_metric_state::instance().add(context, launch, code);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_COUNTERS_SASS_METRIC_STATE_HPP
