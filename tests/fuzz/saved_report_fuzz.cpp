// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fuzzes the reader of saved reports: any text is read as it is, and once more with the digest that it should have. A refusal
// is explained; what is read can be asked for everything, and is saved and loaded again as it is.
//
//   ./run fuzz [SECONDS] saved_report
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/saved.hpp>

#include "sealed_text.hpp"

static void read(std::string const& text) {
    auto const found = gpuprof::try_parse_report(text);
    if (!found) {
        if (found.error().cause.empty()) std::abort();
        return;
    }
    for (gpuprof::range_view const range : *found)
        for (gpuprof::metric_info const& metric : found->metrics()) {
            static_cast<void>(range.try_value(metric.name).has_value());
            static_cast<void>(range.try_deviation(metric.name).has_value());
            static_cast<void>(range.try_provided(metric.name).has_value());
        }
    static_cast<void>(gpuprof::io::table(*found));
    std::string const saved = gpuprof::saved_text(*found);
    auto const again = gpuprof::try_parse_report(saved);
    if (!again || gpuprof::saved_text(*again) != saved) std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    read_sealed(data, size, &read);
    return 0;
}
