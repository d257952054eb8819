// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the reader of CUPTI's own files of PC samples. A refusal is explained; what is read has a name for each stall, and is the
// same as gpuprof's own file.
//
//   ./run fuzz [SECONDS] cupti_samples
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include <gpuprof/io/cupti_samples.hpp>
#include <gpuprof/io/pc_samples_json.hpp>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const ranges = gpuprof::io::try_parse_cupti_samples({reinterpret_cast<char const*>(data), size});
    if (!ranges) {
        if (ranges.error().cause.empty()) std::abort();
        return 0;
    }
    for (auto const& each : *ranges) {
        for (auto const& record : each.samples.records)
            for (auto const& stall : record.stalls)
                if (stall.reason >= each.samples.reasons.size()) std::abort();
        static_cast<void>(gpuprof::io::json(each.samples));
    }
    return 0;
}
