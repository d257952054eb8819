// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Estimates how many registers a thread needs.
#ifndef GPUPROF_SRC_SIM_SASS_LIVENESS_HPP
#define GPUPROF_SRC_SIM_SASS_LIVENESS_HPP

#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A branch back to an instruction, itself one, and the registers whose values go that way.
struct backward_branch {
    std::uint32_t to = 0;
    std::uint32_t from = 0;
    std::vector<std::uint32_t> live;
};

struct register_liveness {
    // The most 32-bit registers that hold values which are read later, and a few more up to 32. Parameters of a kernel and
    // constants take none: ptxas loads them where they are read; nor does a word that is zero or that nobody needs. An estimate:
    // ptxas reorders, spills and reserves.
    std::uint32_t demand = 0;
    std::vector<bool> read_unwritten; // by register: whether a thread may read it before it has written it
    std::vector<backward_branch> loops;
};
[[nodiscard]] register_liveness liveness_of(ptx::function const& f);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_LIVENESS_HPP
