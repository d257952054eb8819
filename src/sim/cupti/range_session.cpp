// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "range_session.hpp"

#include <algorithm>
#include <utility>

#include "../chip/chip_model.hpp"
#include "../counters/metric_table.hpp"
#include "counter_image.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void range_session::configure(range_plan plan) {
    bool const goes_on = !plan.at_pass && plan_ && !plan.kernel_replay && !plan.auto_ranges;
    if (!goes_on || pass_ >= plan.config.passes.size()) pass_ = plan.pass;
    if (!goes_on) level_ = plan.level;
    plan_ = std::move(plan);
    started_ = false;
    finished_.clear();
    first_number_ = next_number_;
}

void range_session::start() {
    if (started_) return;
    started_ = true;
    open_.clear();
    replay_pass_ = {};
    next_number_ = first_number_;
    if (plan_->kernel_replay) replay_pass_.passes = plan_->config.passes;
    else replay_pass_.passes = {plan_->config.passes[(std::min)(pass_, plan_->config.passes.size() - 1)]};
}

bool range_session::stop() {
    started_ = false;
    if (!plan_->auto_ranges)
        for (std::size_t depth = 1; depth <= open_.size(); ++depth)
            if (collects(depth)) record(depth, std::nullopt);
    finished_.push_back(std::move(replay_pass_));
    bool const by_level = !plan_->kernel_replay && !plan_->auto_ranges && how_ == collection::in_passes;
    if (by_level && level_ < plan_->last_level) {
        ++level_;
        return false;
    }
    level_ = plan_->first_level;
    pass_ = plan_->kernel_replay || pass_ + 1 >= plan_->config.passes.size() ? 0 : pass_ + 1;
    if (pass_ == 0) first_number_ = next_number_;
    return pass_ == 0;
}

void range_session::push(std::string_view name, counter_values const& totals) {
    open_.push_back({std::string{name}, totals});
}

void range_session::pop(counter_values const& totals) {
    if (open_.empty()) return;
    if (collects(open_.size())) record(open_.size(), totals - open_.back().at_push);
    open_.pop_back();
}

void range_session::launched(counter_values const& counted) {
    open_.push_back({std::to_string(next_number_++), {}});
    record(1, counted);
    open_.pop_back();
}

bool range_session::decode() {
    auto image = counter_image::open(plan_->image);
    if (!image || image->model() != model_) return false;
    auto ranges = range_finder::make(*image);
    if (!ranges) return false;
    row_places const places = image->places();
    for (replay_pass const& stopped : finished_)
        for (std::vector<occurrence> const& level : stopped.levels) {
            std::vector<bool> seen(image->room());
            std::size_t decoded = 0;
            for (occurrence const& found : level) {
                if (decoded++ == image->room()) break;
                auto const range = ranges->find_or_add(found.names);
                if (!range) break;
                if (!found.counted) continue;
                for (sim::pass const& rows : stopped.passes)
                    for (row_number const row : rows)
                        image->add(*range, places[row], read(*model_, row, *found.counted), !seen[*range]);
                seen[*range] = true;
            }
        }
    finished_.clear();
    return true;
}

bool range_session::collects(std::size_t depth) const noexcept {
    if (depth < plan_->first_level) return false;
    return how_ == collection::at_once ? depth <= plan_->last_level : depth == level_;
}

void range_session::record(std::size_t depth, std::optional<counter_values> counted) {
    std::size_t const level = how_ == collection::at_once ? depth - plan_->first_level : 0;
    if (replay_pass_.levels.size() <= level) replay_pass_.levels.resize(level + 1);
    std::vector<occurrence>& kept = replay_pass_.levels[level];
    if (kept.size() >= 2 * plan_->max_ranges) return;
    occurrence seen{{}, counted};
    for (std::size_t i = 0; i < depth; ++i) seen.names.push_back(open_[i].name);
    kept.push_back(std::move(seen));
}

} // namespace sim
GPUPROF_NAMESPACE_END
