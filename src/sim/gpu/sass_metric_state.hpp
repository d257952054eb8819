// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SASS metrics: their rows, and the counts of instructions in contexts that collect them.
#ifndef GPUPROF_SRC_SIM_GPU_SASS_METRIC_STATE_HPP
#define GPUPROF_SRC_SIM_GPU_SASS_METRIC_STATE_HPP

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/detail/hash.hpp>
#include <gpuprof/hw/abi/types.hpp>

#include "../counters/raw_counter.hpp"

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
        for (raw_counter const counter : sum)
            if (counter != raw_counter::none) value += counted[counter];
        return value;
    }
};

// Those of an H200's 60 SASS metrics that follow from what instructions are, how often they ran, and
// which addresses they named.
extern std::span<sass_metric_row const> const sass_metric_rows;

[[nodiscard]] sass_metric_row const* find_sass_metric(std::uint64_t id) noexcept;
[[nodiscard]] sass_metric_row const* find_sass_metric(std::string_view name) noexcept;

// The counts of a launch by instruction; only instructions that ran.
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

// The metrics of each device, and the counts of each context since the last flush. Guarded by the
// registry's lock.
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

    std::map<int, std::vector<sass_metric_row const*>> metrics{}; // by device; only configured devices
    std::map<abi::CUcontext, of_context> contexts{};              // only enabled contexts

    void add(abi::CUcontext context, counted_instructions const& launch, std::uint64_t code);
    void clear();
};

// Whether instructions of a kernel that ends now in the context are counted.
[[nodiscard]] bool counts_instructions(abi::CUcontext context);

// Adds what the instructions of a kernel that ended counted, if the context's instructions are
// counted.
void count_instructions_of(abi::CUcontext context, counted_instructions const& launch, std::uint64_t code);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_SASS_METRIC_STATE_HPP
