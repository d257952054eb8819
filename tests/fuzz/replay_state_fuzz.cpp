// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the reader of the file that application replay leaves: any text is read as it is, and once more with the digest that it
// should have. A refusal is explained; what is read is written again as it is.
//
//   ./run fuzz [SECONDS] replay_state
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/text/base64.hpp>
#include <gpuprof/text/json_value.hpp>

#include "sealed_text.hpp"

namespace detail = gpuprof::detail;

// Whether the counter data is so long, by what it says itself, that its zeros take up the time and memory of a fuzzer. They need no room
// in the file.
static bool is_long(std::string const& text) {
    auto const parsed = gpuprof::try_read_json(text);
    auto const image = parsed ? detail::bytes_of_base64(parsed->text_of("image")) : std::nullopt;
    std::uint64_t length = 0;
    if (image && image->size() >= sizeof length) std::memcpy(&length, image->data(), sizeof length);
    return length > std::uint64_t{1} << 20 && length <= detail::most_image_bytes;
}

static void read(std::string const& text) {
    if (is_long(text)) return;
    auto const found = detail::try_parse_state(text);
    if (!found) {
        if (found.error().what.empty()) std::abort();
        return;
    }
    std::string const written = detail::state_text(*found);
    auto const again = detail::try_parse_state(written);
    if (!again || detail::state_text(*again) != written || !detail::try_check_same(*found, *again)) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    read_sealed(data, size, &read);
    return 0;
}
