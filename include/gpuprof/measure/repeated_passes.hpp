// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The passes of work that gpuprof repeats itself: counters, caches and memory around each.
#ifndef GPUPROF_MEASURE_REPEATED_PASSES_HPP
#define GPUPROF_MEASURE_REPEATED_PASSES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../detail/owned.hpp"
#include "../hw/counters/cache_flusher.hpp"
#include "../hw/machine/stream_marks.hpp"
#include "../hw/memory/written_memory.hpp"
#include "call_replay.hpp"
#include "profiler_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What a pass of repeated work came to.
enum class repetition : unsigned char {
    ended,  // and there is another one to be made
    last,   // and every pass is made
    running // it has not ended by the deadline: the pass stays open
};

// One piece of work after another, each with all its passes. A session collects one piece at a time, and is prepared anew for the
// next. On an H200 a pass costs 20 ms beside the work, since each has other counters than the one before; reading costs 1 ms.
//
// CUPTI 13.0 there waits for all work of the context when a pass begins, when a range is closed and when the session ends: this
// looks first whether there is any, by marks, and leaves the pass open where some does not end. Whoever gives the context work
// that it does not wait for marks it.
//
// Not thread-safe. @pre the context is current in each call
class repeated_passes {
public:
    explicit repeated_passes(lent_collection const& from) noexcept
        : from_{from}, marks_{*from.gpu, from.options->replay_deadline_ms} {}

    // What keeps caches from being flushed is a problem.
    void begin() {
        if (from_.options->caches == cache_control::leave) return;
        if (auto created = hw::cache_flusher::try_create(*from_.gpu)) flusher_.emplace(*std::move(created));
        else left.problems.push_back(std::move(created).error());
    }

    [[nodiscard]] result<void> try_mark(abi::CUstream stream) { return marks_.try_mark(stream); }
    // Whether nothing runs that was marked. Waits once for each piece of work that does not end.
    [[nodiscard]] result<bool> try_wait() { return marks_.try_wait(); }
    void be_patient() noexcept { marks_.be_patient(); }
    [[nodiscard]] bool has_deadline() const noexcept { return marks_.has_deadline(); }
    [[nodiscard]] unsigned deadline_ms() const noexcept { return marks_.deadline_ms(); }

    // Saves what a launch of the work reaches before it runs. Errors: of hw::written_memory.
    [[nodiscard]] result<void> try_save(hw::launch_event const& launch) {
        if (!memory_) memory_ = owned<hw::written_memory>{new hw::written_memory{*from_.gpu}};
        return memory_->try_add(launch);
    }
    // After the work first ran. Errors: of hw::written_memory; nothing is put back then.
    [[nodiscard]] result<void> try_end_first_run() { return memory_ ? memory_->try_end_run() : result<void>{}; }
    [[nodiscard]] result<void> try_put_back() {
        if (!memory_) return {};
        if (auto done = memory_->try_put_back(); !done) return done;
        ++left.memory_restores;
        return {};
    }
    // What was saved is freed when nothing runs, since the driver waits for all work then.
    void forget_memory(bool is_idle) {
        if (memory_) aside_.push_back(std::move(memory_));
        if (is_idle) aside_.clear();
    }

    [[nodiscard]] result<void> try_prepare(hw::session_shape const& shape) { return from_.session->try_prepare(shape); }
    // Makes the passes that are left without any work, before what is there is read: CUPTI 13.0 goes on with the pass that is
    // next, whatever a new configuration says.
    [[nodiscard]] result<void> try_make_up() {
        while (is_within_passes_)
            if (auto begun = from_.session->try_begin_replay_pass(); !begun) return begun;
            else if (auto ended = try_end_pass(); !ended) return std::move(ended).error();
        return {};
    }
    [[nodiscard]] result<void> try_begin_pass() {
        if (flusher_) {
            if (auto flushed = flusher_->try_flush(); flushed) {
                ++left.cache_flushes;
            } else {
                left.problems.push_back(std::move(flushed).error());
                flusher_.reset();
            }
        }
        return from_.session->try_begin_replay_pass();
    }
    // @pre nothing runs, and no range is open
    [[nodiscard]] result<repetition> try_end_pass() {
        auto ended = from_.session->try_end_replay_pass();
        if (!ended) return std::move(ended).error();
        is_within_passes_ = !ended->last;
        return ended->last ? repetition::last : repetition::ended;
    }

    // Adds what the session read. How many ranges that were.
    [[nodiscard]] result<std::size_t> try_read(std::uint32_t first_id) {
        auto read = from_.session->try_read();
        if (!read) return std::move(read).error();
        for (hw::range_values& each : *read) {
            each.id += first_id;
            left.values.push_back(std::move(each));
        }
        return read->size();
    }

    replayed_calls left;

private:
    lent_collection const from_;
    hw::stream_marks marks_;
    bool is_within_passes_ = false; // some passes of a piece of work are made, and others are not
    std::optional<hw::cache_flusher> flusher_;
    owned<hw::written_memory> memory_;
    std::vector<owned<hw::written_memory>> aside_; // of work that had not ended
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_REPEATED_PASSES_HPP
