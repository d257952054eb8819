// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of doctor.hpp. Layer: hw.
#ifndef GPUPROF_HW_DOCTOR_DOCTOR_INL_HPP
#define GPUPROF_HW_DOCTOR_DOCTOR_INL_HPP

#include <string> // texts
#include <vector> // findings

#include "doctor.hpp"
#include "examination.hpp"
#include "surroundings.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_DEFINE std::vector<finding> doctor(hw::machine const& on) {
    return hw::examination::of(on, hw::surroundings::read());
}

GPUPROF_DEFINE std::string to_text(std::vector<finding> const& findings) {
    std::string text;
    for (finding const& each : findings) {
        text += each.how == finding::severity::good   ? "  ok       "
                : each.how == finding::severity::note ? "  note     "
                                                      : "  PROBLEM  ";
        text += name(each.about);
        text += ": " + each.text + '\n';
        if (!each.remedy.empty()) text += "             remedy: " + each.remedy + '\n';
    }
    return text;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_DOCTOR_INL_HPP
