// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds errors with the matrix products of warpgroups (wgmma).
//
// The embedded GPU computes a product when it is issued. Here it is under way until a warp of its warpgroup has waited for
// its group, and until the accessing thread knows of that wait (clocks.hpp).
// - Shared memory that a product reads is not written before.
// - A thread that issues a product knows of the plain writes to what it reads. That a fence.proxy.async lies between,
//   async_check looks at.
// - Registers of a product are neither read nor written before it is waited for, but by other products as sums.
// - Between an access of a register and a product that uses it there is a wgmma.fence, and one before the first product.
// Moves between registers are looked through: the assembler removes them.
#ifndef GPUPROF_SRC_SIM_CHECK_PRODUCT_CHECK_HPP
#define GPUPROF_SRC_SIM_CHECK_PRODUCT_CHECK_HPP

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "../code/decoded.hpp"
#include "../code/warp.hpp"
#include "clocks.hpp"
#include "launch_check.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Of a CTA. Costs nothing for kernels without products.
class product_check {
public:
    product_check(launch_check& launch, std::uint32_t cta, cta_clocks& clocks, unsigned warps,
                  std::uint32_t shared_bytes)
        : launch_{launch},
          cta_{cta},
          clocks_{clocks},
          cells_((shared_bytes + 3) / 4),
          warps_(warps),
          groups_((warps + 3) / 4) {}

    // An instruction of a warp is about to be executed.
    void step(warp& w, decoded const& op, lane_mask lanes);
    // Its product reads these bytes, of which a plain write in that segment was the last; 0: none.
    void reads(warp const& w, check_place const& here, std::uint32_t offset, std::uint32_t bytes,
               std::uint32_t written_in, check_place const& writer);
    // A function has been left, and with it its registers.
    void left(warp const& w);
    // wgmma.wait_group is over.
    void awaited(warp const& w);
    // Somebody writes these bytes.
    void written(cta_clocks& clocks, unsigned warp, check_place const& here, std::uint32_t offset, std::uint32_t bytes,
                 bool is_copy);

private:
    enum class role : std::uint8_t { sum, factor };
    struct wait {
        unsigned warp;
        std::uint32_t segment;
    };
    struct product { // of a warpgroup
        check_place place;
        std::uint32_t group; // of its warps
        std::vector<wait> waits;
    };
    struct use { // of a register by a product under way
        std::uint32_t product;
        std::uint32_t group;
        role as;
    };
    struct warp_state {
        std::uint32_t issued = 0; // products
        bool fenced = false;
        std::unordered_map<std::uint64_t, use> used;
        std::unordered_map<std::uint64_t, std::uint32_t> touched; // since the last fence; by which instruction
    };
    struct warpgroup {
        std::vector<product> products;
        std::vector<std::uint32_t> readers; // of each cell: the last product that reads it, plus 1
    };

    void issue(warp& w, decoded const& op, check_place const& here);
    void found(check_place const& here, char const* did, check_place const& other, char const* other_did,
               char const* detail, std::uint64_t address = 0);
    [[nodiscard]] static bool is_complete(product const& p, cta_clocks& clocks, unsigned warp, std::uint32_t cta);

    launch_check& launch_;
    std::uint32_t cta_;
    cta_clocks& clocks_;
    std::size_t cells_;
    std::vector<warp_state> warps_;
    std::vector<warpgroup> groups_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CHECK_PRODUCT_CHECK_HPP
