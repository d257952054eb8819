// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the reader of the file that application replay leaves: any text is read as it is, and once more with the digest that it
// should have. A refusal is explained; what is read is written again as it is.
//
//   ./run fuzz [SECONDS] replay_state
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/saved.hpp>
#include <gpuprof/text/sealed_text.hpp>

static void read(std::string const& text) {
    namespace detail = gpuprof::detail;
    auto const found = detail::try_parse_state(text);
    if (!found) {
        if (found.error().what.empty()) std::abort();
        return;
    }
    if (found->counters.data.image.size() > std::size_t{1} << 20) return; // runs of zeros, which take long to write
    std::string const written = detail::state_text(*found);
    auto const again = detail::try_parse_state(written);
    if (!again || detail::state_text(*again) != written || !detail::try_check_same(*found, *again)) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string text{reinterpret_cast<char const*>(data), size};
    read(text);
    text.resize(text.rfind(",\n  \"digest\"") == text.npos ? size : text.rfind(",\n  \"digest\""));
    text += gpuprof::detail::seal_of(text);
    read(text);
    return 0;
}
