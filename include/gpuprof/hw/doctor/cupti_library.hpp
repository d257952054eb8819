// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: which CUPTI was loaded.
#ifndef GPUPROF_HW_DOCTOR_CUPTI_LIBRARY_HPP
#define GPUPROF_HW_DOCTOR_CUPTI_LIBRARY_HPP

#include <string>

#include "../../detail/config.hpp"
#include "../machine/machine.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// The CUPTI that was loaded, its release and where it was found; or why there is none.
inline void cupti_library(examined_machine const& machine, finding_list& found) {
    hw::machine const& on = machine.on();
    if (on.cupti_error) return found.add(finding::topic::cupti, *on.cupti_error);
    found.add(finding::topic::cupti, finding::severity::good,
              "CUPTI " + cupti_version_text(on.cupti_library.version) + ", " + on.cupti_library.path + " (" +
                  std::string{name(on.cupti_library.how)} + ')');
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_CUPTI_LIBRARY_HPP
