// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the reader of fat binaries: any bytes are read as a container, and all that is packed in it is unpacked. Whatever the
// bytes, nothing is read beyond them, and a refusal is explained.
//
//   ./run fuzz [SECONDS] fat_binary
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sim/chip/chips.hpp"
#include "sim/image/choose_ptx.hpp"

namespace image = gpuprof::sim::image;

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::vector<std::uint8_t> const exact(data, data + size); // so that a sanitizer knows its end
    auto const container = std::as_bytes(std::span{exact});
    auto const entries = image::read_container(container);
    if (!entries && entries.error().message().empty()) std::abort();
    if (entries)
        for (auto const& entry : *entries) {
            auto const text = image::unpack(entry);
            if (!text && text.error().message().empty()) std::abort();
            if (text && text->size() > entry.unpacked_bytes) std::abort();
        }
    auto const chosen = image::choose_ptx(container, gpuprof::sim::gh100);
    if (!chosen && chosen.error().message().empty()) std::abort();
    return 0;
}
