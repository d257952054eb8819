// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of sampling_session.hpp.
#ifndef GPUPROF_SAMPLE_SAMPLING_SESSION_INL_HPP
#define GPUPROF_SAMPLE_SAMPLING_SESSION_INL_HPP

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/unit_symbol.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/thread.hpp"
#include "../hw/machine/output_fields.hpp"
#include "../measure/disturbances.hpp"
#include "../trace/scope_names_output.hpp"
#include "sample_decoding.hpp"
#include "sampled_metrics.hpp"
#include "sampling_session.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// ---- scopes -------------------------------------------------------------------------------------

// A ticket contains the thread's previous innermost scope, and a token: the number of the burst in
// the upper half, the slot from 1 on in the lower.
GPUPROF_INLINE scope_target::ticket sampled_stream::enter(scope_target& self, scope_name name) noexcept {
    auto& lane = static_cast<sampled_stream&>(self);
    sampling_session& all = *lane.session;
    ticket opened{0, 0};
    all.inside_.fetch_add(1);
    if (all.running_.load()) {
        thread_scopes* const mine = all.threads_.mine();
        std::uint32_t const at = mine != nullptr ? all.pool_->take() : scope_slot::none;
        if (mine == nullptr) all.nameless_.fetch_add(1, std::memory_order_relaxed);
        if (at != scope_slot::none) {
            scope_slot& slot = (*all.pool_)[at];
            std::uint64_t const burst = std::uint64_t{all.burst_.load(std::memory_order_relaxed)} << 32;
            bool const nested = mine->open != 0 && (mine->open & ~std::uint64_t{0xffffffff}) == burst;
            slot.around = nested ? static_cast<std::uint32_t>(mine->open) - 1 : scope_slot::none;
            slot.stream = lane.number;
            slot.refusal = abi::CUDA_SUCCESS;
            slot.node = 0;
#if GPUPROF_EXCEPTIONS
            try {
#endif
                std::uint64_t const around = nested ? (*all.pool_)[slot.around].node : 0;
                slot.node = all.names_.number_of(around, {name.data, name.length()});
#if GPUPROF_EXCEPTIONS
            } catch (...) {} // no memory for another name
#endif
            if (slot.node == 0) all.nameless_.fetch_add(1, std::memory_order_relaxed);
            else slot.refusal = all.gpu_.driver().EventRecord(slot.begin, lane.stream);
            bool const good = slot.node != 0 && slot.refusal == abi::CUDA_SUCCESS;
            slot.state.store(good ? scope_slot::stage::open : scope_slot::stage::failed, std::memory_order_release);
            if (good) {
                opened = {mine->open, burst | (at + 1)};
                mine->open = opened.token;
            }
        }
    }
    all.inside_.fetch_sub(1);
    return opened;
}

GPUPROF_INLINE void sampled_stream::leave(scope_target& self, scope_name, ticket opened) noexcept {
    if (opened.token == 0) return;
    auto& lane = static_cast<sampled_stream&>(self);
    sampling_session& all = *lane.session;
    all.inside_.fetch_add(1);
    if (thread_scopes* const mine = all.threads_.mine(); mine != nullptr) mine->open = opened.begin;
    bool const current = (opened.token >> 32) == all.burst_.load(std::memory_order_relaxed);
    if (all.running_.load() && current) {
        scope_slot& slot = (*all.pool_)[static_cast<std::uint32_t>(opened.token) - 1];
        slot.refusal = all.gpu_.driver().EventRecord(slot.end, lane.stream);
        slot.state.store(slot.refusal == abi::CUDA_SUCCESS ? scope_slot::stage::closed : scope_slot::stage::failed,
                         std::memory_order_release);
    }
    all.inside_.fetch_sub(1);
}

GPUPROF_INLINE scope_target& sampling_session::on(abi::CUstream stream) noexcept {
    platform::lock const held{adding_stream_};
    std::size_t const count = stream_count_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < count; ++i)
        if (streams_[i].stream == stream) return streams_[i];
    if (count == options_.max_streams) {
        unserved_.fetch_add(1, std::memory_order_relaxed);
        return idle_target();
    }
    sampled_stream& added = streams_[count];
    added.session = this;
    added.stream = stream;
    added.number = static_cast<std::uint32_t>(count);
    added.arm(running_.load());
    stream_count_.store(count + 1, std::memory_order_release);
    return added;
}

// ---- planning -----------------------------------------------------------------------------------

GPUPROF_INLINE result<std::unique_ptr<sampling_session>>
sampling_session::try_create(device const& gpu, sampled_options const& options, std::vector<metric_info> metrics) {
    if (options.interval.length == 0 || options.image_samples == 0 || options.buffer_bytes == 0 ||
        options.max_scopes == 0 || options.max_scopes > 0x7fffffff || options.max_streams == 0 ||
        options.max_streams > 0xffff) {
        error why{errc::invalid_argument, 0, "a sampled profiler without interval or room",
                  "one of sampled_options is 0, max_scopes over 2^31, or max_streams over 65,535",
                  "leave what is not known as it is"};
        return why;
    }
    auto shared = gpu.try_share();
    if (!shared) return std::move(shared).error();
    std::unique_ptr<sampling_session> session{new sampling_session{*std::move(shared), options, std::move(metrics)}};
    if (auto begun = session->begin_outputs(); !begun) return std::move(begun).error();
    if (auto planned = session->plan(); !planned) return std::move(planned).error();
    auto clock = device_clock::try_create(session->gpu_);
    if (!clock) return std::move(clock).error();
    session->clock_.emplace(*std::move(clock));
    auto pool = scope_pool::try_create(session->gpu_, options.max_scopes);
    if (!pool) return std::move(pool).error();
    session->pool_.emplace(*std::move(pool));
    session->streams_.reset(new sampled_stream[options.max_streams]);
    session->streams_[0].session = session.get();
    session->streams_[0].stream = options.stream;
    return result<std::unique_ptr<sampling_session>>{std::move(session)};
}

GPUPROF_INLINE result<void> sampling_session::plan() {
    std::vector<metric_info> counters;
    for (metric_info const& each : metrics_) {
        sampled_column column;
        std::string_view const name = without_sampling_prefix(each.name);
        column.of_events = name == "gpu__time_duration.sum" || name == "gpu__time_duration.avg";
        if (each.aggregation == aggregation::minimum || each.aggregation == aggregation::maximum) {
            error why{errc::invalid_argument, 0, joined({each.name, " of sampled scopes"}),
                      "the least or the most of a unit's instances over a scope does not follow from that of samples",
                      "ask for the .sum or the .avg"};
            return why;
        }
        column.how = each.aggregation == aggregation::sum ? sample_combination::sum : sample_combination::mean;
        column.counter = counters.size();
        columns_.push_back(column);
        if (!column.of_events) counters.push_back(each);
    }
    if (metrics_.empty()) return names_in_samples(metrics_).error();
    if (counters.empty()) return {};
    auto names = names_in_samples(counters);
    if (names && is_played()) return {};
    if (!names) return std::move(names).error();
    auto planner = hw::pm_planner::try_open(gpu_);
    auto groups = planner ? planner->try_plan(*names) : result<std::vector<hw::pm_group>>{planner.error()};
    if (!groups) {
        if (groups.error().code != errc::busy) return std::move(groups).error();
        held_ = std::move(groups).error();
        return {};
    }
    if (groups->size() > 1) {
        error why{errc::invalid_argument, 0, joined({"these metrics take ", std::to_string(groups->size()), " passes"}),
                  "what is sampled runs once: the hardware has too few counters for all of them at once",
                  "ask for fewer metrics, or profile ranges (gpuprof::profiler)"};
        return why;
    }
    group_ = std::move((*groups)[0]);
    return open_counters();
}

// If another tool holds the hardware, scopes have only event times.
GPUPROF_INLINE result<void> sampling_session::open_counters() {
    held_.reset();
    auto opened = hw::pm_session::try_open(
        gpu_, *group_, {interval_.length, interval_.by_cycles, options_.buffer_bytes, options_.image_samples, false});
    if (opened) {
        samples_.emplace(*std::move(opened));
        return {};
    }
    if (opened.error().code != errc::busy) return std::move(opened).error();
    held_ = std::move(opened).error();
    return {};
}

// ---- bursts -------------------------------------------------------------------------------------

GPUPROF_INLINE result<void> sampling_session::try_start() {
    if (is_running()) return error{errc::invalid_state, 0, "starting a burst in a burst", "", "stop the first one"};
    if (is_played()) {
        ++bursts_;
        burst_.fetch_add(1);
        running_.store(true);
        platform::lock const held{adding_stream_};
        for (std::size_t i = 0; i < stream_count_.load(); ++i) streams_[i].arm(true);
        return {};
    }
    if (group_ && !samples_)
        if (auto opened = open_counters(); !opened) return opened; // the other session may have ended
    if (auto set = clock_->try_set(); !set) return set;
    if (!clock_reader_) clock_reader_.emplace(gpu_);
    clock_state state{clock_reader_->sm(), 0, 0, clock_reader_->most_sm(), clock_reader_->memory()};
    state.limits = clock_reader_->limits();
    counting_ = false;
    if (samples_) {
        sequence_.start();
        auto started = samples_->try_start();
        if (!started && started.error().code != errc::busy) return started;
        if (!started) held_ = std::move(started).error();
        counting_ = static_cast<bool>(started);
        await_samples(); // the first sample after a start does not count
    }
    state.during = clock_reader_->sm();
    clocks_ = state;
    ++bursts_;
    burst_.fetch_add(1);
    running_.store(true);
    platform::lock const held{adding_stream_};
    for (std::size_t i = 0; i < stream_count_.load(); ++i) streams_[i].arm(true);
    return {};
}

GPUPROF_INLINE result<void> sampling_session::try_stop() {
    if (!is_running())
        return error{errc::invalid_state, 0, "stopping a burst", "no burst is running", "start one first"};
    {
        platform::lock const held{adding_stream_};
        for (std::size_t i = 0; i < stream_count_.load(); ++i) streams_[i].arm(false);
    }
    running_.store(false);
    for (unsigned round = 0; inside_.load() != 0; ++round) platform::wait_a_little(round);
    if (is_played()) {
        auto played = play_burst();
        if (!played) keep(played.error());
        pool_->clear();
        return played;
    }
    result<void> outcome = await_scopes();
    clocks_->memory_during = clock_reader_->memory();
    clocks_->limits |= clock_reader_->limits();
    clocks_->during = clock_reader_->sm(); // after work: at the start the device may have been idle
    if (counting_) {
        auto stopped = samples_->try_stop();
        if (!stopped && outcome) outcome = std::move(stopped);
    }
    clocks_->after = clock_reader_->sm();
    clocks_->memory_after = clock_reader_->memory();
    clocks_->limits |= clock_reader_->limits();
    std::vector<timed_scope> scopes = take_times();
    find_overlaps(scopes);
    bool counted = counting_;
    if (counting_) {
        auto done = attribute(scopes);
        counted = static_cast<bool>(done);
        if (!done && outcome) outcome = std::move(done);
    }
    if (!outcome) keep(outcome.error());
    std::size_t const first_row = rows_.size();
    add_rows(scopes, counted);
    counts_.over_room += pool_->refused();
    counts_.nameless += nameless_.exchange(0);
    counts_.streams += unserved_.exchange(0);
    pool_->clear();
    if (samples_) hardware_ = joined({"samples of ", interval_.text()});
    if (auto passed = pass_burst(first_row); !passed && outcome) outcome = std::move(passed);
    return outcome;
}

// ---- recordings ---------------------------------------------------------------------------------

GPUPROF_INLINE result<void> sampling_session::begin_outputs() {
    std::string names;
    for (metric_info const& each : metrics_) names += (names.empty() ? "" : ", ") + each.name;
    // The launches of its own clock are heard as the program's.
    auto line = hw::try_begin_outputs(gpu_, {"sampled scopes", {std::move(names), options_.interval.text()}, false});
    if (!line) return std::move(line).error();
    line_ = *std::move(line);
    if (line_) scope_names_output::number_all(*line_, names_);
    return {};
}

// Keeps a burst, or adds that of a recording.
GPUPROF_INLINE result<void> sampling_session::pass_burst(std::size_t first_row) {
    if (!line_) return {};
    struct row_output {
        row at{};
        std::vector<double> values{}, deviations{};
    };
    struct note_output {
        std::size_t metric = 0, row = 0;
        std::optional<error> why{};
    };
    std::vector<row_output> rows;
    std::vector<note_output> notes;
    auto names = scope_names_output::of(names_, names_kept_);
    std::size_t const width = columns_.size();
    auto const part = [&](std::vector<double> const& of, std::size_t at) {
        auto const begin = of.begin() + static_cast<std::ptrdiff_t>(at * width);
        return std::vector<double>{begin, begin + static_cast<std::ptrdiff_t>(width)};
    };
    if (!is_played()) {
        for (std::size_t i = first_row; i < rows_.size(); ++i)
            rows.push_back({rows_[i], part(values_, i), part(deviations_, i)});
        for (report_note const& each : notes_)
            if (each.row >= first_row && each.row < rows_.size())
                notes.push_back({each.metric, each.row - first_row, each.missing});
    }
    auto passed = line_->pass([&](hw::output_fields& fields) {
        names.describe(fields);
        fields.text("hardware", hardware_);
        fields.list("scopes", rows, [&](row_output& each) {
            fields.whole("scope", each.at.node);
            fields.whole("begin", each.at.time.start.ticks);
            fields.whole("end", each.at.time.end.ticks);
            fields.numbers("values", each.values);
            fields.numbers("deviations", each.deviations);
            fields.check(each.values.size() == width && each.deviations.size() == width, "a scope has other metrics");
            fields.check(each.at.node - 1 < names_.size(), "a scope has no name");
        });
        fields.list("notes", notes, [&](note_output& each) {
            fields.whole("metric", each.metric);
            fields.whole("row", each.row);
            fields.problem("why", each.why);
            fields.check(each.metric < width && each.row < rows.size(), "a note is of no value");
        });
        for (auto const& [name, count] :
             {std::pair{"too_short", &counts_.too_short}, std::pair{"uncovered", &counts_.uncovered},
              std::pair{"overlapping", &counts_.overlapping}, std::pair{"left_open", &counts_.left_open},
              std::pair{"over_max_scopes", &counts_.over_room}, std::pair{"refused", &counts_.refused},
              std::pair{"without_time", &counts_.unknown}, std::pair{"over_max_streams", &counts_.streams},
              std::pair{"nameless", &counts_.nameless}, std::pair{"overflows", &lost_.overflows},
              std::pair{"dropped", &lost_.dropped}, std::pair{"merged", &lost_.merged},
              std::pair{"over_room", &lost_.over_room}})
            fields.whole(name, *count);
        clock_state clocks = clocks_.value_or(clock_state{});
        for (auto const& [name, value] :
             {std::pair{"clock_before", &clocks.before}, std::pair{"clock_during", &clocks.during},
              std::pair{"clock_after", &clocks.after}, std::pair{"most_clock", &clocks.most},
              std::pair{"memory_before", &clocks.memory_before}, std::pair{"memory_during", &clocks.memory_during},
              std::pair{"memory_after", &clocks.memory_after}, std::pair{"limits", &clocks.limits}})
            fields.whole(name, *value);
        clocks_ = clocks;
        fields.number("deviation", deviation_);
        fields.problem("no_counters", held_);
        fields.problem("failure", failure_);
    });
    if (!passed || !is_played()) return passed;
    for (row_output const& each : rows) {
        rows_.push_back(each.at);
        values_.insert(values_.end(), each.values.begin(), each.values.end());
        deviations_.insert(deviations_.end(), each.deviations.begin(), each.deviations.end());
    }
    for (note_output& each : notes) notes_.push_back({each.metric, first_row + each.row, {}, std::move(each.why)});
    return {};
}

// The scopes of the burst must be those that were recorded, as many of each.
GPUPROF_INLINE result<void> sampling_session::play_burst() {
    std::vector<std::uint64_t> now, then;
    for (std::size_t i = 0; i < pool_->used(); ++i)
        if ((*pool_)[i].state.load(std::memory_order_acquire) == scope_slot::stage::closed)
            now.push_back((*pool_)[i].node);
    std::size_t const first_row = rows_.size();
    if (auto passed = pass_burst(first_row); !passed) return passed;
    for (std::size_t i = first_row; i < rows_.size(); ++i) then.push_back(rows_[i].node);
    std::sort(now.begin(), now.end());
    std::sort(then.begin(), then.end());
    auto const [here, there] = std::mismatch(now.begin(), now.end(), then.begin(), then.end());
    if (here == now.end() && there == then.end()) return {};
    std::uint64_t const unlike = here == now.end() || (there != then.end() && *there < *here) ? *there : *here;
    return hw::unlike_recording(
        joined({"scope \"", names_.path_of(unlike), "\" was opened ",
                std::to_string(std::count(now.begin(), now.end(), unlike)), " times, and ",
                std::to_string(std::count(then.begin(), then.end(), unlike)), " times in the recording"}));
}

// Waits until every scope has ended on the device, and its last sample, too.
GPUPROF_INLINE result<void> sampling_session::await_scopes() {
    current_context const here{gpu_};
    for (std::size_t i = 0; i < pool_->used(); ++i) {
        scope_slot& slot = (*pool_)[i];
        if (slot.state.load(std::memory_order_acquire) != scope_slot::stage::closed) continue;
        if (auto const status = gpu_.driver().EventSynchronize(slot.end))
            return hw::explain("cuEventSynchronize", status);
    }
    await_samples();
    return {};
}

// Waits for three samples and a command's way to the device. A cycle is taken as a nanosecond,
// which is longer.
GPUPROF_INLINE void sampling_session::await_samples() const noexcept {
    if (!counting_ || gpu_.source() == device_source::embedded) return;
    std::uint64_t const until = platform::monotonic_nanoseconds() + 3 * interval_.length + 20'000;
    while (platform::monotonic_nanoseconds() < until) {}
}

// The closed scopes, in the order of their begin.
GPUPROF_INLINE std::vector<sampling_session::timed_scope> sampling_session::take_times() {
    std::vector<timed_scope> scopes;
    current_context const here{gpu_};
    for (std::size_t i = 0; i < pool_->used(); ++i) {
        scope_slot& slot = (*pool_)[i];
        auto const state = slot.state.load(std::memory_order_acquire);
        if (state == scope_slot::stage::open) ++counts_.left_open;
        if (state == scope_slot::stage::failed && slot.node != 0) ++counts_.refused;
        if (state != scope_slot::stage::closed) continue;
        auto const begin = clock_->try_time(slot.begin);
        auto const end = begin ? clock_->try_time(slot.end) : begin;
        if (!begin || !end) {
            ++counts_.unknown;
            keep(begin ? end.error() : begin.error());
            continue;
        }
        scopes.push_back({static_cast<std::uint32_t>(i), false, sampled_span{*begin, *end, columns_.size()}});
    }
    std::sort(scopes.begin(), scopes.end(), [](timed_scope const& left, timed_scope const& right) {
        return left.span.begin() < right.span.begin() ||
               (left.span.begin() == right.span.begin() && left.slot < right.slot);
    });
    return scopes;
}

GPUPROF_INLINE bool sampling_session::is_around(std::uint32_t outer, std::uint32_t inner) {
    while (inner != scope_slot::none && inner != outer) inner = (*pool_)[inner].around;
    return inner == outer;
}

GPUPROF_INLINE void sampling_session::find_overlaps(std::vector<timed_scope>& scopes) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < scopes.size(); ++i) {
        std::erase_if(open, [&](std::size_t scope) { return scopes[scope].span.end() <= scopes[i].span.begin(); });
        for (std::size_t const other : open) {
            std::uint32_t const slot = scopes[i].slot, other_slot = scopes[other].slot;
            if ((*pool_)[slot].stream == (*pool_)[other_slot].stream || is_around(slot, other_slot) ||
                is_around(other_slot, slot))
                continue;
            scopes[i].overlaps = scopes[other].overlaps = true;
        }
        open.push_back(i);
    }
}

GPUPROF_INLINE result<void> sampling_session::attribute(std::vector<timed_scope>& scopes) {
    std::uint64_t const origin = clock_->origin();
    auto const since = [&](std::uint64_t time) {
        return static_cast<double>(static_cast<std::int64_t>(time - origin));
    };
    taken_.clear(group_->metrics.size());
    auto const decoded =
        try_decode_samples(*samples_, decoding::all, sequence_, lost_,
                           [&](std::uint64_t begin, std::uint64_t end, std::span<double const> values) {
                               if (begin < end) taken_.add(since(begin), since(end), values);
                           });
    if (!decoded) return decoded.error();
    fit_scopes(scopes);

    std::vector<std::size_t> open;
    std::size_t next = 0;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
        double const from = taken_.begin_of(i), to = taken_.end_of(i);
        while (next < scopes.size() && scopes[next].span.begin() < to) open.push_back(next++);
        for (std::size_t const each : open) scopes[each].span.add(from, to, taken_.values_of(i), deviation_);
        std::erase_if(open, [&](std::size_t scope) { return scopes[scope].span.end() <= to; });
    }
    return {};
}

// Shifts scopes to where the samples show their counts, within the clocks' error.
GPUPROF_INLINE void sampling_session::fit_scopes(std::vector<timed_scope>& scopes) {
    deviation_ = clock_->deviation();
    if (deviation_ <= 2 * clock_resolution) return;
    std::size_t column = 0; // a column of counts, if there is one
    while (column < columns_.size() && (columns_[column].of_events || columns_[column].how != sample_combination::sum))
        ++column;
    if (column == columns_.size())
        for (column = 0; columns_[column].of_events;) ++column;
    std::vector<sampled_span const*> spans;
    for (timed_scope const& each : scopes) spans.push_back(&each.span);
    auto const fit = taken_.fit_of(spans, 3 * deviation_, columns_[column].counter, columns_[column].how);
    for (timed_scope& each : scopes) each.span.shift(fit.shift);
    if (fit.deviation + clock_resolution < deviation_) deviation_ = fit.deviation + clock_resolution;
}

// ---- rows and report ----------------------------------------------------------------------------

GPUPROF_INLINE void sampling_session::add_rows(std::vector<timed_scope> const& scopes, bool counted) {
    for (timed_scope const& each : scopes) add_row(each, counted);
}

// Why the samples say nothing of a scope; none if they do.
GPUPROF_INLINE std::optional<error> sampling_session::why_inconclusive(timed_scope const& scope, bool counted) {
    auto const missing = [](std::string what, std::string cause, std::string_view remedy) {
        return error{errc::not_collected, 0, what, cause, remedy};
    };
    if (!counted) {
        if (held_) return held_;
        if (failure_) return failure_;
        return missing("no samples were taken", "", "");
    }
    sampled_span const& span = scope.span;
    auto const nanoseconds = [](double of) { return std::to_string(static_cast<long long>(of)) + " ns"; };
    if (span.length() < 2 * sample_length()) {
        ++counts_.too_short;
        return missing(joined({"a scope of ", nanoseconds(span.length()), " is inconclusive"}),
                       joined({"it is shorter than two samples of ", nanoseconds(sample_length())}),
                       "open the scope around more work, or shorten sampled_options::interval");
    }
    // Each sample ends a nanosecond before the next (H200).
    double const gap = span.length() - span.covered();
    if (span.samples() < 2 || gap > 0.002 * span.length() + 2 * static_cast<double>(span.samples())) {
        ++counts_.uncovered;
        return missing("samples of a scope are missing",
                       lost_.overflows != 0   ? "the hardware's buffer overflowed in or before it"
                       : lost_.over_room != 0 ? "the burst was longer than sampled_options::image_samples"
                                              : "the hardware dropped them, or the scope was not all in the burst",
                       "sample shorter bursts, or less often; enlarge sampled_options::buffer_bytes and image_samples");
    }
    return {};
}

GPUPROF_INLINE void sampling_session::add_row(timed_scope const& scope, bool counted) {
    auto const inconclusive = group_ || held_ ? why_inconclusive(scope, counted) : std::nullopt;
    std::uint64_t const node = (*pool_)[scope.slot].node;
    sampled_span const& span = scope.span;
    counts_.overlapping += scope.overlaps;
    auto const absolute = [&](double since) {
        return activity::timestamp{clock_->origin() + static_cast<std::uint64_t>(static_cast<std::int64_t>(since))};
    };
    rows_.push_back({node, {absolute(span.begin()), absolute(span.end())}});
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        sampled_span::estimate value{quiet_nan, quiet_nan};
        if (columns_[i].of_events) value = {span.length(), 1.4142 * clock_resolution};
        else if (!inconclusive) value = span.of(columns_[i].counter, columns_[i].how);
        else note(node, i, *inconclusive);
        values_.push_back(value.value);
        deviations_.push_back(value.deviation);
    }
}

// Adds one note a scope and metric, for all repetitions.
GPUPROF_INLINE void sampling_session::note(std::uint64_t node, std::size_t metric, error const& why) {
    std::pair<std::uint64_t, std::size_t> const key{node, metric};
    if (std::find(noted_.begin(), noted_.end(), key) != noted_.end()) return;
    noted_.push_back(key);
    notes_.push_back({metric, rows_.size() - 1, {}, why});
}

GPUPROF_INLINE std::vector<error> sampling_session::problems() const {
    std::vector<error> list;
    auto const count = [&](std::size_t number, errc code, std::string_view singular, std::string_view plural,
                           std::string_view cause, std::string_view remedy) {
        if (number == 0) return;
        list.emplace_back(code, 0, joined({std::to_string(number), " ", number == 1 ? singular : plural}), cause,
                          remedy);
    };
    if (held_) {
        list.push_back(*held_);
        list.back().cause += "; scopes have event times alone";
    }
    if (failure_) list.push_back(*failure_);
    count(counts_.uncovered, errc::not_collected, "scope lacks samples", "scopes lack samples",
          lost_.overflows != 0   ? "the hardware's buffer overflowed"
          : lost_.over_room != 0 ? "bursts were longer than sampled_options::image_samples"
                                 : "the hardware dropped samples",
          "sample shorter bursts, or less often; enlarge sampled_options::buffer_bytes and image_samples");
    count(counts_.too_short, errc::not_collected, "scope was shorter than two samples",
          "scopes were shorter than two samples", joined({"a sample is ", interval_.text()}),
          "open scopes around more work, or shorten sampled_options::interval");
    count(counts_.overlapping, errc::not_collected, "scope ran beside one of another stream",
          "scopes ran beside ones of other streams",
          "the hardware counts for the device: values hold what both did while both ran",
          "let streams wait for one another while sampling, or put one scope around both");
    count(counts_.refused, errc::not_collected, "scope could not be marked in its stream",
          "scopes could not be marked in their streams", "the driver refused an event (cuEventRecord)",
          "make the context of the stream current on the thread; give sampled_profiler::on() the stream");
    count(counts_.unknown, errc::not_collected, "scope has no time", "scopes have no time",
          "the driver does not tell when its events came, as of those recorded while a graph is captured",
          "open the scope around the graph's launch");
    count(counts_.left_open, errc::invalid_state, "scope was open when a burst ended",
          "scopes were open when a burst ended", "", "end the burst after its scopes");
    count(counts_.over_room, errc::too_many_ranges, "scope was over the room", "scopes were over the room",
          joined({"sampled_options::max_scopes is ", std::to_string(options_.max_scopes)}),
          "raise it, or make bursts shorter");
    count(counts_.streams, errc::too_many_ranges, "stream was over the room", "streams were over the room",
          joined({"sampled_options::max_streams is ", std::to_string(options_.max_streams)}), "raise it");
    count(counts_.nameless, errc::not_collected, "scope found no memory for its name",
          "scopes found no memory for their names", "", "");
    return list;
}

GPUPROF_INLINE report sampling_session::write_report() const {
    report::contents contents;
    contents.device = std::string{gpu_.name()};
    contents.chip = gpu_.chip();
    contents.source = gpu_.source();
    contents.hardware = samples_ && !is_played() ? joined({"samples of ", interval_.text()}) : hardware_;
    if (is_played()) contents.recording = line_->file();
    contents.metrics = metrics_;
    contents.values = values_;
    contents.deviations = deviations_;
    contents.notes = notes_;
    contents.clocks = clocks_;
    for (sampled_column const& each : columns_)
        contents.fidelities.push_back(each.of_events && gpu_.source() == device_source::hardware ? fidelity::exact
                                                                                                 : fidelity::estimated);
    contents.completeness.passes_needed = 1;
    contents.completeness.bursts = bursts_;
    contents.completeness.problems = problems();
    add_disturbances(gpu_, contents);

    std::vector<std::uint64_t> nodes; // of scopes and the scopes around them; parents have lower numbers
    for (row const& each : rows_)
        for (std::uint64_t at = each.node; at != 0; at = names_.parent_of(at)) nodes.push_back(at);
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    auto const place = [&](std::uint64_t node) {
        return static_cast<std::size_t>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
    };
    for (std::uint64_t const each : nodes) {
        std::uint64_t const parent = names_.parent_of(each);
        report_range range;
        range.name = std::string{names_.name_of(each)};
        range.parent = parent == 0 ? report_range::top : place(parent);
        contents.ranges.push_back(std::move(range));
    }
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        report_range& range = contents.ranges[place(rows_[i].node)];
        range.rows.push_back(i);
        ++range.count;
        contents.times.push_back(rows_[i].time);
    }
    return report{std::move(contents)};
}

GPUPROF_INLINE void sampling_session::clear() noexcept {
    rows_.clear();
    values_.clear();
    deviations_.clear();
    notes_.clear();
    noted_.clear();
    counts_ = {};
    lost_ = {};
    failure_.reset();
    bursts_ = 0;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SAMPLING_SESSION_INL_HPP
