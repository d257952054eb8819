// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a rule is: it looks at the values of one range and says what is wrong, or why it cannot say.
#ifndef GPUPROF_EXPLAIN_RULE_HPP
#define GPUPROF_EXPLAIN_RULE_HPP

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "evidence.hpp"
#include "finding.hpp"
#include "section.hpp"
#include "time_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// A finding together with what mending it changes: several findings are bounded together by all their changes.
struct proposal {
    finding what;
    change mended{};
};

struct rule;

// What a rule works with, for one range.
class examination_of_range {
public:
    examination_of_range(rule const& by, range_view const& of, std::size_t range, time_profile const& profile)
        : values{of}, now{profile}, by_{&by}, range_{range} {}

    evidence values;
    time_profile const& now;

    // Says what is wrong. `what` lacks what this adds: id, range, path, gain, metrics and trust.
    void say(finding what, change const& mended) { say(std::move(what), mended, now); }
    // The same, where a rule knows better than the counters where the time goes.
    void say(finding what, change const& mended, time_profile const& time);
    // The same, where the counters do not tell how much can be changed: the ends of the interval are those of other changes.
    void say(finding what, change const& mended, change const& least, change const& most);
    // Says why the rule cannot say anything.
    void cannot(std::string why);
    // The same, if a metric that was looked for is missing. @return whether one is
    [[nodiscard]] bool lacks_values();

    [[nodiscard]] std::vector<proposal>& proposals() noexcept { return proposals_; }
    [[nodiscard]] std::vector<unjudged>& silences() noexcept { return silences_; }

private:
    rule const* by_;
    std::size_t range_;
    std::vector<proposal> proposals_{};
    std::vector<unjudged> silences_{};
};

// One rule. A rule of one's own is such an object, in the list that explain() is given.
struct rule {
    std::string_view id;                       // of the finding that it makes
    std::string_view title;                    // of that finding
    std::string_view section_id;               // where it stands on a page
    std::string_view advice;                   // what to do
    std::span<std::string_view const> metrics; // that it reads, beside those of the time profile
    void (*judge)(examination_of_range& of);
};

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "rule.inl.hpp"
#endif

#endif // GPUPROF_EXPLAIN_RULE_HPP
