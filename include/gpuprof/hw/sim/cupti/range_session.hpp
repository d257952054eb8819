// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One range profiling session of the embedded GPU: replay passes, ranges and what they counted. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_RANGE_SESSION_HPP
#define GPUPROF_HW_SIM_CUPTI_RANGE_SESSION_HPP

#include <algorithm>   // std::min
#include <cstddef>     // std::size_t
#include <cstdint>     // image bytes
#include <optional>    // a configuration or none
#include <span>        // image bytes
#include <string>      // range names
#include <string_view> // range names
#include <utility>     // std::move
#include <vector>      // ranges, replay passes

#include "../../../detail/config.hpp"
#include "../../abi/types.hpp"
#include "../chip/chip_model.hpp"
#include "config_image.hpp"
#include "counter_image.hpp"
#include "../counters/collection.hpp"
#include "../counters/metric_table.hpp"
#include "../counters/raw_counter.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// How ranges are collected (CUPTI 12.0, 2.7.2.2). Levels count from 1, the outermost.
struct range_plan {
    configuration config;
    std::span<std::uint8_t> image; // where decoded ranges go
    bool auto_ranges = false;      // a range for each kernel, instead of push and pop
    bool kernel_replay = false;    // all passes in one replay pass
    std::size_t max_ranges = 0;    // a pass
    std::size_t first_level = 1;
    std::size_t last_level = 1;
    std::size_t pass = 0; // where to begin
    std::size_t level = 1;
};

// A session on one context. A replay pass is what happens between start and stop. On a device that collects in passes it
// collects one pass at one nesting level, levels of a pass first, outermost first; at once, one pass at all levels. Not
// thread-safe: the caller holds the registry's lock.
class range_session {
public:
    range_session(abi::CUcontext context, chip_model const& model, collection how)
        : model_{&model}, how_{how}, context_{context} {}

    [[nodiscard]] abi::CUcontext context() const noexcept { return context_; }
    [[nodiscard]] chip_model const& model() const noexcept { return *model_; }
    [[nodiscard]] bool is_configured() const noexcept { return plan_.has_value(); }
    [[nodiscard]] bool is_started() const noexcept { return started_; }
    [[nodiscard]] bool has_auto_ranges() const noexcept { return plan_ && plan_->auto_ranges; }

    // What the next replay pass collects.
    [[nodiscard]] std::size_t pass() const noexcept { return pass_; }
    [[nodiscard]] std::size_t level() const noexcept { return level_; }

    // Begins anew; what was collected and not decoded is gone. Numbers of auto ranges run on.
    void configure(range_plan plan) {
        pass_ = plan.pass;
        level_ = plan.level;
        plan_ = std::move(plan);
        started_ = false;
        finished_.clear();
        first_number_ = next_number_;
    }

    // @pre is_configured(). Starting again before a stop does nothing.
    void start() {
        if (started_) return;
        started_ = true;
        open_.clear();
        replay_pass_ = {};
        next_number_ = first_number_;
        if (plan_->kernel_replay) replay_pass_.passes = plan_->config.passes;
        else replay_pass_.passes = {plan_->config.passes[(std::min)(pass_, plan_->config.passes.size() - 1)]};
    }

    // Ends the replay pass: ranges of its levels that are still open keep their names and get no values. True after the last
    // replay pass of the last pass. @pre is_started().
    bool stop() {
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

    // A user range opens, with the totals of its context. @pre is_started().
    void push(std::string_view name, counter_values const& totals) { open_.push_back({std::string{name}, totals}); }

    // The innermost range closes; without one nothing happens. @pre is_started().
    void pop(counter_values const& totals) {
        if (open_.empty()) return;
        if (collects(open_.size())) record(open_.size(), totals - open_.back().at_push);
        open_.pop_back();
    }

    // A kernel ran and counted this: an auto range. @pre is_started().
    void launched(counter_values const& counted) {
        open_.push_back({std::to_string(next_number_++), {}});
        record(1, counted);
        open_.pop_back();
    }

    // Moves what stopped replay passes collected into the image. Equal stacks of names are one range: occurrences at a level
    // of a replay pass add up. The image's room is for occurrences: the first that finds none ends the decoding of that
    // level, silently (an H200 with CUPTI 13.0: room for 3, a b a b a b, gave a twice and b once). False if the image is
    // damaged. Linear in the ranges.
    bool decode() {
        auto image = counter_image::open(plan_->image);
        if (!image || image->model() != model_) return false;
        auto ranges = range_finder::make(*image);
        if (!ranges) return false;
        row_places const places = image->places();
        for (replay_pass const& each : finished_)
            for (std::vector<occurrence> const& level : each.levels) {
                std::vector<bool> seen(image->room());
                std::size_t decoded = 0;
                for (occurrence const& one : level) {
                    if (decoded++ == image->room()) break;
                    auto const range = ranges->find_or_add(one.names);
                    if (!range) break;
                    if (!one.counted) continue;
                    for (sim::pass const& rows : each.passes)
                        for (row_number const row : rows)
                            image->add(*range, places[row], read(*model_, row, *one.counted), !seen[*range]);
                    seen[*range] = true;
                }
            }
        finished_.clear();
        return true;
    }

private:
    struct open_range {
        std::string name;
        counter_values at_push;
    };
    struct occurrence {
        std::vector<std::string> names; // outermost first
        std::optional<counter_values> counted;
    };
    struct replay_pass {
        std::vector<sim::pass> passes;
        std::vector<std::vector<occurrence>> levels; // from the first one that it collects
    };

    // Whether the replay pass in progress collects ranges of that depth. One for a level before the first, where a plan may
    // begin, collects nothing.
    [[nodiscard]] bool collects(std::size_t depth) const noexcept {
        if (depth < plan_->first_level) return false;
        return how_ == collection::at_once ? depth <= plan_->last_level : depth == level_;
    }

    // An H200 was seen to keep twice the occurrences of a level that it was told to make room for; what comes later is lost.
    void record(std::size_t depth, std::optional<counter_values> counted) {
        std::size_t const level = how_ == collection::at_once ? depth - plan_->first_level : 0;
        if (replay_pass_.levels.size() <= level) replay_pass_.levels.resize(level + 1);
        std::vector<occurrence>& kept = replay_pass_.levels[level];
        if (kept.size() >= 2 * plan_->max_ranges) return;
        occurrence one{{}, counted};
        for (std::size_t i = 0; i < depth; ++i) one.names.push_back(open_[i].name);
        kept.push_back(std::move(one));
    }

    chip_model const* model_;
    collection how_;
    abi::CUcontext context_;
    std::optional<range_plan> plan_;
    std::size_t pass_ = 0;
    std::size_t level_ = 1;
    bool started_ = false;
    std::vector<open_range> open_;
    replay_pass replay_pass_;
    std::vector<replay_pass> finished_;
    std::size_t first_number_ = 0; // of the auto ranges of this replay
    std::size_t next_number_ = 0;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_RANGE_SESSION_HPP
