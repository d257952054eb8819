// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the readers of JSON that people may change by hand: samples of instructions, views of source, baselines. A refusal is
// explained; what is read is written again as it is.
//
//   ./run fuzz [SECONDS] json_files
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include <gpuprof/io/pc_samples_json.hpp>
#include <gpuprof/io/source_view.hpp>
#include <gpuprof/io/source_view_json.hpp>
#include <gpuprof/judge/baseline.hpp>

// Reads, and again what was written of it.
template <class Read, class Write>
static void pass(std::string_view text, Read read, Write write) {
    auto const found = read(text);
    if (!found) {
        if (found.error().what.empty()) std::abort();
        return;
    }
    std::string const written = write(*found);
    auto const again = read(written);
    if (!again || write(*again) != written) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    namespace io = gpuprof::io;
    std::string_view const text{reinterpret_cast<char const*>(data), size};
    pass(text, io::try_parse_pc_samples, [](gpuprof::pc_samples const& of) { return io::json(of); });
    pass(text, io::try_parse_source_view, [](gpuprof::explain::source_view const& of) { return io::json(of); });
    pass(text, gpuprof::baseline::try_parse, [](gpuprof::baseline const& of) { return of.text(); });
    return 0;
}
