// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: a doctor who says that. See measure/compiled_out.hpp.
#ifndef GPUPROF_HW_DOCTOR_COMPILED_OUT_HPP
#define GPUPROF_HW_DOCTOR_COMPILED_OUT_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "../../detail/config.hpp"
#include "../machine/compiled_out.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN

// One obstacle: gpuprof is compiled out.
[[nodiscard]] inline std::vector<finding> doctor() {
    finding only;
    only.how = finding::severity::obstacle;
    only.text = "gpuprof is compiled out: GPUPROF_ENABLED is 0";
    only.remedy = "build with GPUPROF_ENABLED=1";
    return {only};
}
[[nodiscard]] inline std::vector<finding> doctor(hw::machine const&) { return doctor(); }
[[nodiscard]] inline std::string to_text(std::vector<finding> const& findings, bool = false, std::size_t = 100) {
    std::string text;
    for (finding const& each : findings) {
        text += "  OBSTACLE " + each.text + '\n';
        if (!each.remedy.empty()) text += "             remedy: " + each.remedy + '\n';
    }
    return text;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_COMPILED_OUT_HPP
