// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loops of a PTX function, by the order of its text.
#ifndef GPUPROF_SRC_SIM_SASS_LOOPS_HPP
#define GPUPROF_SRC_SIM_SASS_LOOPS_HPP

#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A loop is what stands between a label and a branch that goes back to it. Instructions go by their number in the function.
class loops {
public:
    explicit loops(ptx::function const& of);

    struct interval { // the first and the last instruction
        std::uint32_t first;
        std::uint32_t last;
        [[nodiscard]] bool has(std::uint32_t i) const noexcept { return first <= i && i <= last; }
    };
    [[nodiscard]] std::vector<interval> const& all() const noexcept { return all_; }

    // Whether each loop around `inner` is around `outer`, too.
    [[nodiscard]] bool share(std::uint32_t outer, std::uint32_t inner) const noexcept;
    // The instruction in front of the outermost loop around i; i where there is none.
    [[nodiscard]] std::uint32_t before(std::uint32_t i) const noexcept;
    // The loop around i that has no other in it; null where i is in none.
    [[nodiscard]] interval const* innermost(std::uint32_t i) const noexcept;

private:
    std::vector<interval> all_;
};

// The instructions of a loop that write a register, in its order.
[[nodiscard]] std::vector<std::uint32_t> writers_in(ptx::function const& of, loops::interval const& loop,
                                                    std::uint32_t register_index);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_LOOPS_HPP
