// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Findings of rules as expectations of unit tests. Include it beside explain.hpp and an adaptor.
#ifndef GPUPROF_JUDGE_NO_FINDING_HPP
#define GPUPROF_JUDGE_NO_FINDING_HPP

#include <cmath>
#include <string>
#include <string_view>

#include "../detail/config.hpp"
#include "../explain/explanation.hpp"
#include "../explain/rules.hpp"
#include "observation.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN

// That no rule finds something in any range; see expect::no_finding.
class absence_of_finding {
public:
    constexpr absence_of_finding(std::string_view id, double at_most) noexcept : id_{id}, at_most_{at_most} {}

    // Inconclusive if no rule has that id, if it belongs to no section of the set, or if it could not judge a range.
    [[nodiscard]] outcome operator()(explain::explanation const& of) const {
        using detail::joined;
        explain::rule const* const rule = explain::find_rule(id_);
        std::string const asked = joined({"no finding ", id_});
        if (rule == nullptr) return {verdict::inconclusive, asked, "there is no rule of that name", {}};
        for (explain::finding const& each : of.findings())
            if (each.id == id_ && each.kind == explain::finding_kind::advice && each.gain.likely > at_most_)
                return {verdict::fail,
                        joined({asked, ": ", each.meaning, "; about ", percent(each.gain.likely), " of the time of ",
                                each.path, "\n  advice: ", each.advice}),
                        {},
                        {}};
        for (explain::unjudged const& each : of.silences())
            if (each.id == id_) return {verdict::inconclusive, asked, each.why, {}};
        bool looked = false;
        for (explain::section const* const each : of.sections()) looked = looked || each->id == rule->section_id;
        if (!looked || of.ranges().empty())
            return {verdict::inconclusive,
                    asked,
                    looked ? std::string{"nothing was measured"}
                           : joined({"the set lacks the section ", rule->section_id}),
                    {}};
        return {verdict::pass, asked, {}, {}};
    }
    // Of the report that a range belongs to. @pre observed with the metrics of the rule's section: explain::metric_names_of
    [[nodiscard]] outcome operator()(observation const& of) const {
        if (!of.range()) return judge::not_answered(*of.why_not());
        return (*this)(explain::explanation{of.range()->report(), explain::set::full});
    }

private:
    [[nodiscard]] static std::string percent(double share) {
        return detail::joined({std::to_string(std::lround(100 * share)), " %"});
    }

    std::string_view id_;
    double at_most_;
};

namespace expect {

// The rule of that id finds nothing, or nothing that costs more than a share of the time.
//
//     auto why = gpuprof::explain::measure(gpu, gpuprof::explain::set::detailed, [&] { launch(); });
//     GPUPROF_EXPECT(why, expect::no_finding("uncoalesced_global_access"));
//
// @param id of rules.hpp; lives as long as the expectation. @param at_most from 0 to 1
[[nodiscard]] constexpr absence_of_finding no_finding(std::string_view id, double at_most = 0) noexcept {
    return {id, at_most};
}

} // namespace expect
GPUPROF_NAMESPACE_END

#endif // GPUPROF_JUDGE_NO_FINDING_HPP
