// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which series would test what a finding advises.
#ifndef GPUPROF_EXPLAIN_SERIES_ADVICE_HPP
#define GPUPROF_EXPLAIN_SERIES_ADVICE_HPP

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/abi/types.hpp"
#include "finding.hpp"
#include "series_axis.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// The axis to begin with, for the launch that a finding is about: "block" for what the size of blocks causes, "registers" for
// what register_variants can limit, "carveout", set at `kernel`, for shared memory. Nothing where no launch parameter tests it.
[[nodiscard]] inline std::optional<axis> series_for(finding const& of, abi::CUfunction kernel = nullptr) {
    for (std::string_view const id :
         {"partial_warps", "occupancy_limited_by_block_size", "tiny_blocks", "tail_effect", "small_grid"})
        if (of.id == id) return axis{"block", {32, 64, 128, 256, 512, 1024}};
    if (of.id == "occupancy_limited_by_registers") return axis{"registers", {0, 32, 40, 48, 64, 96, 128}};
    if (of.id == "occupancy_limited_by_shared_memory") {
        std::vector<long long> percents{-1, 25, 50, 75, 100};
        if (kernel != nullptr) return carveout_axis(kernel, std::move(percents));
        return axis{"carveout", std::move(percents)};
    }
    return std::nullopt;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_SERIES_ADVICE_HPP
