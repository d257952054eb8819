// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many embedded GPUs a program has side by side, as the environment says.
#ifndef GPUPROF_HW_MACHINE_EMBEDDED_COUNT_HPP
#define GPUPROF_HW_MACHINE_EMBEDDED_COUNT_HPP

#include <string>

#include "../../core/device_source.hpp"
#include "../../core/error.hpp"
#include "../../core/result.hpp"
#include "../../text/printable.hpp"
#include "platform/environment.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The number in GPUPROF_SIM_DEVICES; 1 where it is not set. Errors: invalid_argument for what is no number from 1 to
// most_embedded_devices.
[[nodiscard]] inline result<unsigned> try_embedded_count() {
    std::string const value = platform::trusted_variable("GPUPROF_SIM_DEVICES");
    if (value.empty()) return 1u;
    unsigned count = 0;
    bool digits = value.size() < 4;
    for (char const c : value) {
        digits = digits && c >= '0' && c <= '9';
        count = digits ? count * 10 + static_cast<unsigned>(c - '0') : 0;
    }
    if (count >= 1 && count <= most_embedded_devices) return count;
    return error{errc::invalid_argument, 0, "GPUPROF_SIM_DEVICES=" + gpuprof::detail::printable(value),
                 "a program has 1 to " + std::to_string(most_embedded_devices) + " embedded GPUs", "use 2"};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_EMBEDDED_COUNT_HPP
