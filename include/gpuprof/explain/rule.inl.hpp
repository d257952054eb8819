// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of rule.hpp.
#ifndef GPUPROF_EXPLAIN_RULE_INL_HPP
#define GPUPROF_EXPLAIN_RULE_INL_HPP

#include <algorithm>
#include <string>
#include <utility>

#include "rule.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

GPUPROF_INLINE void examination_of_range::say(finding what, change const& mended, time_profile const& time) {
    what.id = by_->id;
    what.title = by_->title;
    if (what.advice.empty()) what.advice = by_->advice;
    what.range = range_;
    what.path = values.range().path();
    what.metrics = values.read();
    what.trust = values.least();
    if (what.kind == finding_kind::advice) what.gain = estimate(time, mended);
    proposals_.push_back({std::move(what), mended});
}

GPUPROF_INLINE void examination_of_range::say(finding what, change const& mended, change const& least,
                                              change const& most) {
    say(std::move(what), mended);
    gain& widened = proposals_.back().what.gain;
    widened.least = std::min(widened.least, estimate(now, least).least);
    widened.most = std::max(widened.most, estimate(now, most).most);
}

GPUPROF_INLINE void examination_of_range::cannot(std::string why) {
    silences_.push_back({by_->id, range_, std::move(why)});
}

GPUPROF_INLINE bool examination_of_range::lacks_values() {
    auto const& missing = values.missing();
    if (missing.empty()) return false;
    std::string list;
    for (std::string const& each : missing) (list += list.empty() ? "" : ", ") += each;
    cannot(gpuprof::detail::joined({"no value of ", list}));
    return true;
}

} // namespace explain
GPUPROF_NAMESPACE_END

#endif // GPUPROF_EXPLAIN_RULE_INL_HPP
