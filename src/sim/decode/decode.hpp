// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Joins the lists of decoders, and decodes whole functions.
#ifndef GPUPROF_SRC_SIM_DECODE_DECODE_HPP
#define GPUPROF_SRC_SIM_DECODE_DECODE_HPP

#include <algorithm>
#include <array>
#include <span>

#include <gpuprof/core/result.hpp>

#include "../code/kernel.hpp"
#include "../ptx/instruction_set.hpp"
#include "../ptx/module.hpp"
#include "bits.hpp"
#include "control.hpp"
#include "float.hpp"
#include "function_builder.hpp"
#include "integer.hpp"
#include "matrix.hpp"
#include "mbarrier.hpp"
#include "memory.hpp"
#include "select.hpp"
#include "texture.hpp"
#include "video.hpp"
#include "warp.hpp"
#include "wgmma.hpp"
#include "wmma.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

namespace decode {

using decoder_array = std::array<decoder_pointer, ptx::instruction_set.size()>;

// The decoders of some lists, each at its row of the instruction set. Counts decoders without a
// row, and decoders whose row is taken.
struct joined_decoders {
    decoder_array at{};
    unsigned without_row = 0;
    unsigned repeated = 0;

    constexpr void add(std::span<decoder_row const> list) {
        for (decoder_row const& row : list) {
            std::size_t const found = ptx::row_of(row.opcode);
            if (found == at.size()) ++without_row;
            else if (at[found] != nullptr) ++repeated;
            else at[found] = row.decode;
        }
    }
};

// The decoders of all lists. Does not compile unless every row has one decoder and every decoder a
// row.
template <auto const&... Lists>
[[nodiscard]] consteval decoder_array join_decoders() {
    constexpr joined_decoders all = [] {
        joined_decoders join;
        (join.add(Lists), ...);
        return join;
    }();
    static_assert(all.without_row == 0, "gpuprof: an opcode with a decoder has no row in ptx/instruction_set.hpp");
    static_assert(all.repeated == 0, "gpuprof: an opcode has two decoders");
    static_assert(std::find(all.at.begin(), all.at.end(), nullptr) == all.at.end(),
                  "gpuprof: a row of ptx/instruction_set.hpp has no decoder in the lists of decode/");
    return all.at;
}

} // namespace decode

// Decodes one function of a kernel. The error is that of the first instruction that is malformed
// (invalid_argument) or, if none is, of the first that is not supported (unavailable).
[[nodiscard]] result<function_code> decode_function(link_context& link, ptx::function const& from);

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DECODE_DECODE_HPP
