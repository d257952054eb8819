// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds floating-point products and sums that ptxas contracts to one instruction, which rounds once.
#ifndef GPUPROF_SRC_SIM_SASS_CONTRACTION_HPP
#define GPUPROF_SRC_SIM_SASS_CONTRACTION_HPP

#include <cstdint>
#include <vector>

#include "../ptx/module.hpp"
#include "def_use.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A sum or a difference of which one part is a product.
struct contracted_sum {
    ptx::instruction const* product = nullptr; // null: it is not contracted
    bool product_is_second = false;            // of the two parts
};

// PTX lets a compiler contract `mul` and `add` or `sub` without a rounding modifier. ptxas 13.0 does so where both have the same type
// and .ftz, and all that reads the product is contracted; in another basic block only a product by a constant or a parameter. Of two
// products it takes the one that nobody else reads, or else the first part. Of several sums of a product none may be merely compared
// with 0. A view of the function. Immutable.
class contraction {
public:
    explicit contraction(ptx::function const& of);

    [[nodiscard]] contracted_sum sum(std::uint32_t i) const noexcept {
        return sums_.empty() ? contracted_sum{} : sums_[i];
    }
    // Whether the instruction is a product that sums have taken.
    [[nodiscard]] bool is_taken(std::uint32_t i) const noexcept { return !taken_.empty() && taken_[i]; }

private:
    void contract(ptx::function const& of, def_use const& flow);

    std::vector<contracted_sum> sums_; // by instruction; empty where there is none
    std::vector<bool> taken_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_SASS_CONTRACTION_HPP
