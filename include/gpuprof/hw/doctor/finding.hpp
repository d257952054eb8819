// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of the doctor.
#ifndef GPUPROF_HW_DOCTOR_FINDING_HPP
#define GPUPROF_HW_DOCTOR_FINDING_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/error.hpp"
#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
// A fact that the doctor checked.
struct finding {
    enum class topic : unsigned char {
        driver,
        cupti,
        chip_data,
        device,
        counters,
        permission,
        other_tools,
        system,
        values
    };
    enum class severity : unsigned char {
        good,    // in order
        note,    // a property of such a device or system; nothing is wrong
        caveat,  // measuring may fail, or values may be off
        obstacle // measuring will fail
    };

    topic about = topic::driver;
    severity how = severity::good;
    errc code = errc::unavailable; // of an obstacle: the error that measuring would return
    std::string text;
    std::string remedy;
    int device = -1; // the driver's number of the device; -1: the whole machine
};

// Whether measuring will work on the device that open_device() opens: neither the machine as a
// whole nor the first device among the findings has an obstacle. Obstacles of other devices do not
// count.
[[nodiscard]] inline bool can_measure(std::vector<finding> const& findings) noexcept {
    int first = -1;
    for (finding const& each : findings)
        if (each.device >= 0 && (first < 0 || each.device < first)) first = each.device;
    for (finding const& each : findings)
        if (each.how == finding::severity::obstacle && (each.device < 0 || each.device == first)) return false;
    return true;
}

[[nodiscard]] constexpr std::string_view name(finding::topic about) noexcept {
    switch (about) {
        case finding::topic::driver: return "driver";
        case finding::topic::cupti: return "CUPTI";
        case finding::topic::chip_data: return "chip data";
        case finding::topic::device: return "device";
        case finding::topic::counters: return "counters";
        case finding::topic::permission: return "permission";
        case finding::topic::other_tools: return "other tools";
        case finding::topic::system: return "system";
        case finding::topic::values: return "values";
    }
    return "";
}

namespace hw {

// The findings so far, in their order.
class finding_list {
public:
    void add(finding::topic about, finding::severity how, std::string text, std::string remedy = {},
             errc code = errc::unavailable) {
        all_.push_back({about, how, code, std::move(text), std::move(remedy), device_});
    }
    // Adds an error as an obstacle: what failed and why, with the remedy.
    void add(finding::topic about, error const& why) {
        add(about, finding::severity::obstacle, why.what + (why.cause.empty() ? "" : "; because " + why.cause),
            why.remedy, why.code);
    }
    // Later findings are about that device; -1: about the machine.
    void speak_of(int device) noexcept { device_ = device; }
    [[nodiscard]] std::vector<finding> take() && noexcept { return std::move(all_); }

private:
    std::vector<finding> all_;
    int device_ = -1;
};

} // namespace hw

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_FINDING_HPP
