// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Raw counters of a collection, kept to be evaluated later.
#ifndef GPUPROF_HW_COUNTERS_COUNTER_DATA_HPP
#define GPUPROF_HW_COUNTERS_COUNTER_DATA_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../core/device_source.hpp"
#include "../../core/error.hpp"
#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What the counter hardware counted in all ranges, in its own form, and what is needed to read it.
struct counter_data {
    std::string chip;
    device_source source = device_source::hardware;
    std::string version;                 // of what wrote the image and must read it: cuptiGetVersion's number
    std::vector<std::string> counters{}; // the metrics that were planned for
    std::vector<std::uint8_t> image{};
    std::vector<std::uint8_t> configuration{}; // how the passes are made up; with replay_mode::application only
};

// Values of metrics that counter data gave. NaN: none.
struct evaluated_counters {
    std::vector<std::vector<double>> ranges{};   // of each range of the data, one a metric
    std::vector<std::optional<error>> missing{}; // of each metric: why no range has a value
};

// The error of hardware that gives nothing but values.
[[nodiscard]] inline error no_counter_data() {
    return {errc::unavailable, 0, "there is no counter data", "this counter hardware keeps nothing but values",
            "ask for all metrics when measuring"};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_COUNTER_DATA_HPP
