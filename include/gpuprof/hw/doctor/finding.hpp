// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the doctor says about one thing it looked at. Layer: hw.
#ifndef GPUPROF_HW_DOCTOR_FINDING_HPP
#define GPUPROF_HW_DOCTOR_FINDING_HPP

#include <string>      // texts
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // findings

#include "../../core/error.hpp"
#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
// One thing the doctor looked at.
struct finding {
    enum class topic : unsigned char { driver, cupti, chip_data, device, counters, permission, other_tools };
    enum class severity : unsigned char {
        good,   // as it should be
        note,   // worth knowing
        problem // something will not work
    };

    topic about = topic::driver;
    severity how = severity::good;
    errc code = errc::unavailable; // of a problem: the error that measuring would end in
    std::string text;
    std::string remedy;
};

[[nodiscard]] constexpr std::string_view name(finding::topic about) noexcept {
    switch (about) {
        case finding::topic::driver: return "driver";
        case finding::topic::cupti: return "CUPTI";
        case finding::topic::chip_data: return "chip data";
        case finding::topic::device: return "device";
        case finding::topic::counters: return "counters";
        case finding::topic::permission: return "permission";
        case finding::topic::other_tools: return "other tools";
    }
    return "";
}

namespace hw {

// The findings so far, in the order in which they are told.
class finding_list {
public:
    void add(finding::topic about, finding::severity how, std::string text, std::string remedy = {},
             errc code = errc::unavailable) {
        all_.push_back({about, how, code, std::move(text), std::move(remedy)});
    }
    // An error as a problem: what failed and why, with the remedy.
    void add(finding::topic about, error const& why) {
        add(about, finding::severity::problem, why.what + (why.cause.empty() ? "" : "; because " + why.cause),
            why.remedy, why.code);
    }
    [[nodiscard]] std::vector<finding> take() && noexcept { return std::move(all_); }

private:
    std::vector<finding> all_;
};

} // namespace hw

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_FINDING_HPP
