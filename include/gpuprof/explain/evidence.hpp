// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The values of one range as rules read them: what was read, how far it can be trusted, and what is missing.
#ifndef GPUPROF_EXPLAIN_EVIDENCE_HPP
#define GPUPROF_EXPLAIN_EVIDENCE_HPP

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../core/fidelity.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

namespace detail {
// The value of a metric in a range; nothing for one that was not asked for, not collected, or not a number.
[[nodiscard]] inline std::optional<double> number_of(range_view const& range, std::string_view metric) {
    auto const value = range.try_value(metric);
    if (!value || value->value != value->value) return {};
    return value->value;
}
inline void add_once(std::vector<std::string>& list, std::string_view name) {
    for (std::string const& each : list)
        if (each == name) return;
    list.emplace_back(name);
}
} // namespace detail

// Remembers what a rule read. Not thread-safe: one for each rule and range.
class evidence {
public:
    explicit evidence(range_view const& of) : range_{of}, report_{of.report()} {}

    // Nothing for a metric that was not measured, not collected, or not a number: its name is then in missing().
    [[nodiscard]] std::optional<double> find(std::string_view metric);
    // The same, with a value for what is not known. It is not in missing().
    [[nodiscard]] double find_or(std::string_view metric, double otherwise);

    [[nodiscard]] fidelity least() const noexcept { return least_; }
    [[nodiscard]] std::vector<std::string> const& read() const noexcept { return read_; }
    [[nodiscard]] std::vector<std::string> const& missing() const noexcept { return missing_; }
    [[nodiscard]] range_view const& range() const noexcept { return range_; }
    [[nodiscard]] gpuprof::report const& report() const noexcept { return report_; }

private:
    [[nodiscard]] std::optional<double> read_if_known(std::string_view metric);

    range_view range_;
    gpuprof::report report_;
    fidelity least_ = fidelity::exact;
    std::vector<std::string> read_{};
    std::vector<std::string> missing_{};
};

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "evidence.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_EVIDENCE_HPP
