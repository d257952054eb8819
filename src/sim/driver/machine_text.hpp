// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machine code of a module, by the programs of a CUDA toolkit.
#ifndef GPUPROF_SRC_SIM_DRIVER_MACHINE_TEXT_HPP
#define GPUPROF_SRC_SIM_DRIVER_MACHINE_TEXT_HPP

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "../chip/chip_model.hpp"
#include "../code/machine_listing.hpp"
#include "../image/machine_code.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

struct machine_text {
    std::map<std::string, image::kernel_resources> resources{}; // by mangled name
    std::shared_ptr<listed_module const> listing{};             // null if it is not asked for
};

// The machine code for the chip beside the PTX, or, with `compiled` where there is none, what ptxas makes of the PTX at once. nvdisasm
// runs when a kernel of the module is first counted.
[[nodiscard]] machine_text machine_text_of(void const* image, std::string_view ptx, chip_model const& chip,
                                           machine_code_use use);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_MACHINE_TEXT_HPP
