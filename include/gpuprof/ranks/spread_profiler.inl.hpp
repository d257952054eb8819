// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of spread_profiler.hpp.
#ifndef GPUPROF_RANKS_SPREAD_PROFILER_INL_HPP
#define GPUPROF_RANKS_SPREAD_PROFILER_INL_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/builtin.hpp"
#include "../recording/saved_report.hpp"
#include "rank_message.hpp"
#include "spread_profiler.hpp"
#include "tree.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

namespace detail {

[[nodiscard]] inline bool has_metric(std::span<metric_info const> list, std::string_view name) {
    for (metric_info const& each : list)
        if (each.name == name) return true;
    return false;
}

// The metrics in groups that take one pass each, neighbours together. A metric that takes several by itself is a group.
class share_planner {
public:
    share_planner(device const& gpu, profiler_options const& options, std::optional<metric_info> common)
        : gpu_{&gpu}, options_{options}, common_{std::move(common)} {}

    using group = std::vector<metric_info>;
    [[nodiscard]] result<std::vector<group>> try_plan(std::span<metric_info const> metrics) {
        std::vector<group> groups;
        while (!metrics.empty()) {
            // The most metrics from the first on that fit: twice as many while they do, then halves of what is between.
            std::size_t fit = 1, too_many = metrics.size() + 1;
            for (std::size_t next = 2; fit + 1 < too_many;) {
                if (next > metrics.size()) next = metrics.size();
                auto fits = try_fit(metrics.first(next));
                if (!fits) return std::move(fits).error();
                if (*fits) fit = next;
                else too_many = next;
                next = too_many > metrics.size() ? 2 * fit : fit + (too_many - fit) / 2;
            }
            group made{metrics.begin(), metrics.begin() + static_cast<std::ptrdiff_t>(fit)};
            if (common_ && !has_metric(made, common_->name)) {
                made.push_back(*common_);
                auto costs_nothing = try_passes(made);
                if (!costs_nothing) return std::move(costs_nothing).error();
                if (*costs_nothing > 1) made.pop_back();
            }
            groups.push_back(std::move(made));
            metrics = metrics.subspan(fit);
        }
        return groups;
    }

private:
    [[nodiscard]] result<std::size_t> try_passes(std::span<metric_info const> metrics) const {
        auto planned = profiler::try_create(*gpu_, options_, metrics);
        if (!planned) return std::move(planned).error();
        return planned->passes_needed();
    }
    [[nodiscard]] result<bool> try_fit(std::span<metric_info const> metrics) const {
        group with{metrics.begin(), metrics.end()};
        if (common_ && !has_metric(metrics, common_->name)) with.push_back(*common_);
        auto passes = try_passes(with);
        if (!passes) return std::move(passes).error();
        return *passes <= 1;
    }

    device const* gpu_;
    profiler_options options_;
    std::optional<metric_info> common_;
};

// Whether a failure is that of all ranks: of what the program asked for, not of a machine.
[[nodiscard]] inline bool is_of_program(error const& why) noexcept {
    return why.code == errc::invalid_argument || why.code == errc::unknown_metric || why.code == errc::invalid_state;
}

// Puts the reports of shares together.
class share_merger {
public:
    share_merger(rank_report const& all, spread_options const& options) : all_{&all}, options_{&options} {}

    // @param problems what keeps values from being in the report
    [[nodiscard]] report_contents merge(std::vector<share_report> const& shares, std::span<metric_info const> metrics,
                                        std::vector<error>& problems) const;

private:
    struct part {
        report from;
        std::size_t rank;
        std::optional<error> differs; // its values do not count
    };
    [[nodiscard]] std::optional<error> difference(report const& from, std::size_t rank, std::uint64_t work) const;
    static void add_column(report_contents& to, std::size_t column, report_contents const& from, std::size_t source);

    rank_report const* all_;
    spread_options const* options_;
};

// A rank of the majority counts what the others count.
GPUPROF_INLINE std::optional<error> share_merger::difference(report const& from, std::size_t rank,
                                                             std::uint64_t work) const {
    std::string const name = "rank " + std::to_string(rank);
    if (!all_->work.empty() && work != all_->work.front().work)
        return error{errc::replay_mismatch, 0, name + " did other work than most ranks",
                     "its ranges have other names or counts, or other kernels were launched in them",
                     "let all ranks do the same work while metrics are spread over them"};
    for (range_view const range : from) {
        auto const mine = range.try_value(options_->common);
        auto const others = all_->try_values(range.path(), options_->common);
        if (!mine || !others) continue;
        double const apart = std::fabs(mine->value - others->median());
        if (!(apart > options_->most_difference * std::fabs(others->median()))) continue;
        return error{errc::replay_mismatch, 0,
                     gpuprof::detail::joined({name, " counted ", gpuprof::detail::number_text(mine->value), " for ",
                                              options_->common, " in \"", range.path(), "\", the median rank ",
                                              gpuprof::detail::number_text(others->median())}),
                     "it had more or less to do", "let all ranks do the same work while metrics are spread over them"};
    }
    return {};
}

// Values and notes of a metric. @pre both have the same ranges and rows
GPUPROF_INLINE void share_merger::add_column(report_contents& to, std::size_t column, report_contents const& from,
                                             std::size_t source) {
    std::size_t const width = to.metrics.size(), from_width = from.metrics.size();
    for (std::size_t row = 0; row * from_width < from.values.size() && row * width < to.values.size(); ++row)
        to.values[row * width + column] = from.values[row * from_width + source];
    to.fidelities[column] = source < from.fidelities.size() ? from.fidelities[source] : fidelity::exact;
    for (report_note note : from.notes) {
        if (note.metric != source) continue;
        note.metric = column;
        to.notes.push_back(std::move(note));
    }
}

GPUPROF_INLINE report_contents share_merger::merge(std::vector<share_report> const& shares,
                                                   std::span<metric_info const> metrics,
                                                   std::vector<error>& problems) const {
    std::vector<part> parts;
    for (share_report const& each : shares) {
        auto from = try_parse_report(each.saved);
        if (!from) problems.push_back(std::move(from).error());
        else parts.push_back({*from, each.rank, difference(*from, each.rank, each.work)});
    }
    report_contents made;
    part const* base = nullptr; // ranges are those of the lowest rank of the majority
    for (part const& each : parts)
        if (!each.differs && (base == nullptr || each.rank < base->rank)) base = &each;
    if (base != nullptr) made = base->from.whole();
    std::size_t const rows = made.metrics.empty() ? 0 : made.values.size() / made.metrics.size();
    made.metrics.assign(metrics.begin(), metrics.end());
    made.values.assign(rows * metrics.size(), gpuprof::detail::quiet_nan);
    made.fidelities.assign(metrics.size(), fidelity::exact);
    made.notes.clear();
    made.deviations.clear();
    made.times.clear();
    made.completeness.problems.clear();
    std::vector<report> counted; // whose passes are in the sum
    made.completeness.passes_needed = 0;
    std::vector<std::size_t> told;
    for (std::size_t column = 0; column < metrics.size(); ++column) {
        part const* best = nullptr;
        part const* other = nullptr;
        for (part const& each : parts) {
            if (!has_metric(each.from.metrics(), metrics[column].name)) continue;
            (each.differs ? other : best) =
                (each.differs ? other : best) == nullptr ? &each : (each.differs ? other : best);
        }
        if (best != nullptr) {
            std::size_t source = 0;
            while (best->from.metrics()[source].name != metrics[column].name) ++source;
            add_column(made, column, best->from.whole(), source);
            continue;
        }
        error const why = other != nullptr         ? *other->differs
                          : all_->problems.empty() ? error{errc::not_collected, 0, "no rank collected it", {}, {}}
                                                   : all_->problems.front();
        report_note note;
        note.metric = column;
        note.missing = error{errc::not_collected, 0, metrics[column].name, why.message(), why.remedy};
        made.notes.push_back(std::move(note));
    }
    for (part const& each : parts)
        if (each.differs) problems.push_back(*each.differs);
    std::uint64_t last_share = 0;
    for (share_report const& each : shares) { // each share once
        auto const from = each.share != last_share ? try_parse_report(each.saved) : result<report>{error{}};
        last_share = each.share;
        if (from) made.completeness.passes_needed += from->completeness().passes_needed;
    }
    return made;
}

} // namespace detail

GPUPROF_INLINE result<spread_profiler> spread_profiler::try_create(device const& gpu, communicator& ranks,
                                                                   spread_options const& options,
                                                                   std::span<metric_info const> metrics) {
    spread_profiler made;
    made.ranks_ = &ranks;
    made.options_ = options;
    made.metrics_.assign(metrics.begin(), metrics.end());
    if (options.measure.replay == replay_mode::application || options.measure.keep_counter_data)
        return error{errc::invalid_argument, 0, "metrics spread over ranks in application replay, or with raw counters",
                     "passes are spread over ranks instead, and counters of several ranks are no collection",
                     "use replay_mode::user, and keep_counter_data = false"};
    std::optional<metric_info> common;
    if (!options.common.empty()) {
        auto found = try_metric(options.common);
        if (!found) return std::move(found).error();
        metric_info const alone[]{*found};
        if (auto const has = profiler::try_create(gpu, options.measure, std::span<metric_info const>{alone}); has)
            common = *std::move(found); // a device without it compares launches alone
    }
    auto const created = [&]() -> result<void> {
        auto groups = detail::share_planner{gpu, options.measure, std::move(common)}.try_plan(metrics);
        if (!groups) return std::move(groups).error();
        made.groups_ = groups->size();
        std::size_t const count = groups->empty() ? 1 : groups->size();
        for (std::size_t g = ranks.rank() % count; g < groups->size(); g += ranks.size())
            for (metric_info const& each : (*groups)[g])
                if (!detail::has_metric(made.share_, each.name)) made.share_.push_back(each);
        auto own = profiler::try_create(gpu, options.measure, std::span<metric_info const>{made.share_});
        if (!own) return std::move(own).error();
        made.own_ = gpuprof::detail::owned<profiler>{new profiler{*std::move(own)}};
        return {};
    }();
    if (!created) {
        if (detail::is_of_program(created.error())) return created.error();
        made.failure_ = created.error();
    }
    return result<spread_profiler>{std::move(made)};
}

GPUPROF_INLINE spread_profiler::operator scope_target&() noexcept {
    if (own_) return *own_;
    return idle_;
}

GPUPROF_INLINE spread_passes::spread_passes(spread_profiler& of) : of_{&of} {
    of.silent_.clear();
    number_ = of.ranks_->next_operation();
    if (!of.own_) return;
    pass_sequence& begun = own_.emplace(*of.own_);
    now_ = *begun.begin();
}
GPUPROF_INLINE spread_passes::~spread_passes() = default;

GPUPROF_INLINE void spread_passes::advance() {
    bool mine = false;
    if (own_) {
        auto next = own_->begin();
        mine = ++next != own_->end();
        now_ = *next;
        if (!mine) own_.reset();
    }
    if (!mine) now_ = {now_.index + (own_ ? 0 : 1), false};
    more_ = mine;
    if (!of_->silent_.empty()) return;
    auto found = detail::agree(*of_->ranks_, number_++, mine, of_->options_.deadline_ms);
    of_->silent_ = std::move(found.silent);
    if (of_->silent_.empty()) more_ = found.any;
}

GPUPROF_INLINE result<rank_report> spread_profiler::try_report() {
    gpuprof::report own;
    if (own_) {
        auto made = own_->try_report();
        if (made) own = *std::move(made);
        else failure_ = std::move(made).error();
    }
    if (failure_ && own.size() == 0) {
        report_contents none;
        none.completeness.problems.push_back(*failure_);
        own = gpuprof::report{std::move(none)};
    }
    auto all = detail::rank_message::of(own, ranks_->rank(), own.size() != 0);
    auto const done = all.try_reduce(*ranks_, ranks_->next_operation(), options_.deadline_ms);
    if (!done) return done.error();
    std::vector<detail::share_report> const shares = std::move(all.shares);
    rank_report made = std::move(all).report_of(*ranks_, metrics_, true);
    if (ranks_->rank() != 0) {
        made.merged = std::move(own);
        return result<rank_report>{std::move(made)};
    }
    auto merged = detail::share_merger{made, options_}.merge(shares, metrics_, made.problems);
    merged.completeness.problems = made.problems;
    made.merged = gpuprof::report{std::move(merged)};
    return result<rank_report>{std::move(made)};
}

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_SPREAD_PROFILER_INL_HPP
