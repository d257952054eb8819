// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of doctor.hpp.
#ifndef GPUPROF_HW_DOCTOR_DOCTOR_INL_HPP
#define GPUPROF_HW_DOCTOR_DOCTOR_INL_HPP

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "../../text/printable.hpp"
#include "../../text/wrapped.hpp"
#include "../machine/device.hpp"
#include "chosen_device.hpp"
#include "doctor.hpp"
#include "examination.hpp"
#include "surroundings.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_INLINE std::vector<finding> doctor(hw::machine const& on) {
    return hw::examination::of(on, hw::surroundings::read());
}

GPUPROF_INLINE std::vector<finding> doctor() {
    hw::surroundings const here = hw::surroundings::read();
    std::string const wanted = here.variable("GPUPROF_DEVICE").value_or(std::string{});
    int ordinal = -1;
    if (!wanted.empty() && !hw::names_hardware(wanted, ordinal)) {
        hw::finding_list found;
        auto const gpu = try_open_device();
        if (gpu) return hw::examination::of_embedded(*gpu, "GPUPROF_DEVICE=" + detail::printable(wanted));
        found.add(finding::topic::device, gpu.error());
        return std::move(found).take();
    }
    auto found = hw::examination::of(hw::real_machine(), here, ordinal);
    bool no_device = wanted.empty() && hw::embedded_device != nullptr;
    for (finding const& each : found) no_device = no_device && each.device < 0;
    if (no_device)
        found.push_back({finding::topic::device, finding::severity::caveat, errc::unavailable,
                         "without a GPU, open_device() opens the embedded GPU, which is not hardware",
                         "GPUPROF_DEVICE=sim chooses it on every machine"});
    return found;
}

GPUPROF_INLINE std::string to_text(std::vector<finding> const& findings, bool with_notes, std::size_t width) {
    std::string text;
    for (finding const& each : findings) {
        if (each.how == finding::severity::note && !with_notes) continue;
        text += each.how == finding::severity::good     ? "  ok       "
                : each.how == finding::severity::note   ? "  note     "
                : each.how == finding::severity::caveat ? "  caveat   "
                                                        : "  OBSTACLE ";
        constexpr std::size_t indent = 11; // the length of the words above
        detail::append_wrapped(text, detail::joined({name(each.about), ": ", each.text}), indent, indent, width);
        text += '\n';
        if (each.remedy.empty()) continue;
        text.append(indent + 2, ' ');
        detail::append_wrapped(text, "remedy: " + each.remedy, indent + 2, indent + 2, width);
        text += '\n';
    }
    return text;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_DOCTOR_INL_HPP
