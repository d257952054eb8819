// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lz4.hpp"

#include <cstddef>
#include <cstring>
#include <span>

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

bool unpack_lz4(std::span<std::byte const> packed, std::span<std::byte> to) noexcept {
    std::size_t in = 0;
    std::size_t out = 0;
    // A length of 15 goes on in the bytes that follow, up to the first that is not 255.
    auto const read_length = [&](std::size_t& length) {
        if (length != 15) return true;
        for (;;) {
            if (in == packed.size() || length > to.size()) return false;
            auto const more = std::to_integer<std::size_t>(packed[in++]);
            length += more;
            if (more != 255) return true;
        }
    };
    while (in < packed.size()) {
        auto const token = std::to_integer<std::size_t>(packed[in++]);
        std::size_t literals = token >> 4;
        if (!read_length(literals)) return false;
        if (literals > packed.size() - in || literals > to.size() - out) return false;
        if (literals != 0) std::memcpy(to.data() + out, packed.data() + in, literals);
        in += literals;
        out += literals;
        if (in == packed.size()) return out == to.size(); // the last sequence has literals alone

        if (packed.size() - in < 2) return false;
        std::size_t const distance =
            std::to_integer<std::size_t>(packed[in]) | std::to_integer<std::size_t>(packed[in + 1]) << 8;
        in += 2;
        std::size_t length = token & 15;
        if (!read_length(length)) return false;
        length += 4;
        if (distance == 0 || distance > out || length > to.size() - out) return false;
        for (; length != 0; --length, ++out) to[out] = to[out - distance]; // may overlap: a repetition
    }
    return false; // empty, or ended within a sequence
}

} // namespace sim::image
GPUPROF_NAMESPACE_END
