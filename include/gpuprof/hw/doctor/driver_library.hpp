// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: which driver was loaded.
#ifndef GPUPROF_HW_DOCTOR_DRIVER_LIBRARY_HPP
#define GPUPROF_HW_DOCTOR_DRIVER_LIBRARY_HPP

#include <string>

#include "../../detail/config.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// The driver that was loaded, and its CUDA release; or why there is none.
inline void driver_library(examined_machine const& machine, finding_list& found) {
    hw::machine const& on = machine.on();
    if (on.driver_error) return found.add(finding::topic::driver, *on.driver_error);
    found.add(finding::topic::driver, finding::severity::good,
              "CUDA " + std::to_string(on.driver_library.version / 1000) + '.' +
                  std::to_string(on.driver_library.version % 1000 / 10) + ", " + on.driver_library.path);
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_DRIVER_LIBRARY_HPP
