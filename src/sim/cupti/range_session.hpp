// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One range profiling session of the embedded GPU: replay passes, ranges and what they counted.
#ifndef GPUPROF_SRC_SIM_CUPTI_RANGE_SESSION_HPP
#define GPUPROF_SRC_SIM_CUPTI_RANGE_SESSION_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/types.hpp>
#include <gpuprof/sim/collection.hpp>
#include "../counters/raw_counter.hpp"
#include "../gpu/pass_scheduler.hpp"
#include "config_image.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

struct chip_model;

// How ranges are collected (CUPTI 12.0, 2.7.2.2). Levels count from 1, the outermost.
struct range_plan {
    configuration config;
    std::span<std::uint8_t> image; // where decoded ranges go
    bool auto_ranges = false;      // a range for each kernel, instead of push and pop
    bool kernel_replay = false;    // all passes in one replay pass
    std::size_t max_ranges = 0;    // a pass
    std::size_t first_level = 1;
    std::size_t last_level = 1;
    // Application replay: where to begin. Other replays go on where the session stands, as CUPTI 13.0 does on an H200.
    bool at_pass = false;
    std::size_t pass = 0;
    std::size_t level = 1;
};

// A session on one context. A replay pass is what happens between start and stop. On a device that
// collects in passes it collects one pass at one nesting level, levels of a pass first, outermost
// first; at once, one pass at all levels. Not thread-safe: the caller holds the registry's lock.
class range_session {
public:
    range_session(abi::CUcontext context, chip_model const& model, collection how)
        : model_{&model}, how_{how}, context_{context} {}

    [[nodiscard]] abi::CUcontext context() const noexcept { return context_; }
    [[nodiscard]] chip_model const& model() const noexcept { return *model_; }
    [[nodiscard]] bool is_configured() const noexcept { return plan_.has_value(); }
    [[nodiscard]] bool is_started() const noexcept { return started_; }
    [[nodiscard]] bool has_auto_ranges() const noexcept { return plan_ && plan_->auto_ranges; }

    // The pass and the level that the next replay pass collects.
    [[nodiscard]] std::size_t pass() const noexcept { return pass_; }
    [[nodiscard]] std::size_t level() const noexcept { return level_; }

    // Begins anew; what was collected and not decoded is gone. Numbers of auto ranges run on, and so do passes that were begun.
    void configure(range_plan plan);

    // @pre is_configured(). Starting again before a stop does nothing.
    void start();

    // Ends the replay pass: ranges of its levels that are still open keep their names and get no
    // values. True after the last replay pass of the last pass. @pre is_started().
    bool stop();

    // Opens a user range, with the totals of its context. @pre is_started().
    void push(std::string_view name, counter_values const& totals);

    // Closes the innermost range; without one nothing happens. @pre is_started().
    void pop(counter_values const& totals);

    // Adds an auto range: a kernel that ran and counted this. @pre is_started().
    void launched(counter_values const& counted);

    // Moves what stopped replay passes collected into the image. Equal stacks of names are one
    // range: occurrences at a level of a replay pass add up. The image's room is for occurrences:
    // the first that finds none ends the decoding of that level, silently (an H200 with CUPTI 13.0:
    // room for 3, a b a b a b, gave a twice and b once). False if the image is damaged. Linear in
    // the ranges.
    bool decode();

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

    // Whether the replay pass in progress collects ranges of that depth. One for a level before the
    // first, where a plan may begin, collects nothing.
    [[nodiscard]] bool collects(std::size_t depth) const noexcept;

    // Keeps an occurrence of the outermost `depth` open ranges. An H200 was seen to keep twice the
    // occurrences of a level that it was told to make room for; what comes later is lost.
    void record(std::size_t depth, std::optional<counter_values> counted);

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

#endif // GPUPROF_SRC_SIM_CUPTI_RANGE_SESSION_HPP
