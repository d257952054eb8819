// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of rank_trace.hpp.
#ifndef GPUPROF_IO_RANK_TRACE_INL_HPP
#define GPUPROF_IO_RANK_TRACE_INL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../hw/machine/platform/clock.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../hw/machine/platform/host_name.hpp"
#include "../ranks/collective_join.hpp"
#include "../ranks/message.hpp"
#include "../ranks/tree.hpp"
#include "../text/json_members.hpp"
#include "../text/printable.hpp"
#include "rank_trace.hpp"
#include "rank_trace_part.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {
namespace detail {

// A row of the report, and what else rank 0 writes of a rank.
struct rank_row_message {
    ranks::rank_wait row{};
    std::string other_data{};
    std::vector<std::uint64_t> waits{}; // of all collectives, in order, and one more; 0: this rank has none
    std::string problem{};              // of this rank; empty: none
};
struct rank_rows {
    std::vector<rank_row_message> list{};
    std::vector<ranks::silent_rank> silent{};

    [[nodiscard]] std::string written() const {
        ranks::detail::message_writer to;
        ranks::detail::write_silent(to, silent);
        to.list(list, [&](rank_row_message const& each) {
            to.small(each.row.rank);
            to.text(each.row.place);
            for (std::uint64_t const number :
                 {each.row.collectives, each.row.last, each.row.wait, each.row.work, each.row.longest,
                  static_cast<std::uint64_t>(each.row.clock_ahead), each.row.clock_error})
                to.number(number);
            to.real(each.row.clock_drift_ppm);
            to.small(each.row.clock_known ? 1 : 0);
            to.text(each.other_data);
            to.text(each.problem);
            to.list(each.waits, [&](std::uint64_t wait) { to.number(wait); });
        });
        return to.take();
    }
    [[nodiscard]] bool read(std::string_view bytes) {
        ranks::detail::message_reader from{bytes};
        std::size_t const before = list.size();
        std::vector<ranks::silent_rank> theirs;
        ranks::detail::read_silent(from, theirs);
        from.list([&] {
            rank_row_message& each = list.emplace_back();
            each.row.rank = from.small();
            each.row.place = from.text();
            for (std::uint64_t* const number :
                 {&each.row.collectives, &each.row.last, &each.row.wait, &each.row.work, &each.row.longest})
                *number = from.number();
            each.row.clock_ahead = static_cast<std::int64_t>(from.number());
            each.row.clock_error = from.number();
            each.row.clock_drift_ppm = from.real();
            each.row.clock_known = from.small() != 0;
            each.other_data = from.text();
            each.problem = from.text();
            from.list([&] { each.waits.push_back(from.number()); });
        });
        if (from.whole()) {
            ranks::detail::add_silent(silent, theirs);
            return true;
        }
        list.resize(before);
        return false;
    }
    // Passes all rows to rank 0.
    [[nodiscard]] result<void> try_gather(ranks::communicator& all, unsigned deadline_ms) {
        std::uint64_t const number = all.next_operation();
        auto const take = [&](std::string_view message) { return read(message); };
        auto found = ranks::detail::try_take(all, number, deadline_ms, take, silent);
        if (!found) return std::move(found).error();
        ranks::detail::add_silent(silent, *found);
        if (all.rank() == 0) return {};
        return ranks::detail::try_pass_on(all, number, written(), deadline_ms);
    }
};

[[nodiscard]] inline rank_row_message row_of(part_scan const& scan, ranks::rank_clock const& clock,
                                             ranks::detail::trace_summary& all, rank_trace_options const& options,
                                             std::size_t rank, std::size_t size, std::string const& part) {
    rank_row_message made;
    made.row.rank = rank;
    made.row.place = options.place.empty() ? platform::host_name() : options.place;
    made.row.clock_known = clock.known();
    made.row.clock_ahead = clock.ahead_at(0);
    made.row.clock_drift_ppm = clock.drift_ppm();
    made.row.clock_error = clock.error();
    made.other_data = scan.other_data;
    if (!scan.is_open) made.problem = "its file " + part + " cannot be read";
    else if (!scan.is_whole) made.problem = "its file " + part + " is no trace, or has no end";
    else if (!clock.known()) made.problem = "its clock was not compared with rank 0's";
    std::vector<std::size_t> first;
    std::size_t numbers = 0;
    for (auto const& each : all.sequences) {
        first.push_back(numbers);
        numbers += each.list.size();
    }
    if (numbers * size <= options.most_waits) made.waits.resize(numbers);
    for (part_scan::kernel const& kernel : scan.kernels) {
        auto const* const sequence = all.find(options.group, kernel.stream, scan.names[kernel.name]);
        if (sequence == nullptr || kernel.index >= sequence->list.size()) continue;
        auto const& joint = sequence->list[kernel.index];
        std::uint64_t const length = kernel.end - std::min(kernel.end, kernel.begin);
        std::uint64_t const wait = std::min(joint.last_begin - std::min(joint.last_begin, kernel.begin), length);
        ++made.row.collectives;
        made.row.wait += wait;
        made.row.work += length - wait;
        made.row.longest = std::max(made.row.longest, wait);
        if (joint.last_rank == rank && joint.ranks > 1 && joint.last_begin - joint.first_begin > 2 * clock.error())
            ++made.row.last;
        if (!made.waits.empty())
            made.waits[first[static_cast<std::size_t>(sequence - all.sequences.data())] + kernel.index] = wait + 1;
    }
    return made;
}

// What rank 0 says to a rank whose turn it is, or is not yet.
enum class part_turn : char { wait = 'w', give = 'g', stop = 's', done = 'd' };

[[nodiscard]] inline error no_more_events() {
    return {errc::io, 0, "rank 0 could not write the joint trace", "its disk is full, or its file cannot be made",
            "look at the error of rank 0; each rank's own file is still there"};
}

// Gives this rank's events to rank 0, when that asks.
[[nodiscard]] inline result<void> try_give(ranks::communicator& all, std::uint64_t number, part_events& events,
                                           std::size_t block_bytes, unsigned deadline_ms) {
    for (bool goes_on = true;; ++number) {
        // Twice: rank 0 may wait for another rank for one deadline before it says that it goes on.
        auto turn = ranks::detail::try_hear_of(all, 0, number, 2 * deadline_ms);
        if (!turn) return std::move(turn).error();
        if (!*turn || (*turn)->size() != 1) return ranks::problem_of({{0, 0}});
        auto const said = static_cast<part_turn>((**turn)[0]);
        if (said == part_turn::stop) return no_more_events();
        if (said == part_turn::done) return {};
        if (said == part_turn::wait) continue;
        std::string block(1, ' ');
        goes_on = goes_on && events.next(block, block_bytes);
        block[0] = goes_on ? '+' : '.';
        if (auto sent = ranks::detail::try_send_to(all, 0, number, block, deadline_ms); !sent)
            return std::move(sent).error();
    }
}

// Rank 0's end of it.
class part_taker {
public:
    part_taker(ranks::communicator& all, std::vector<std::uint64_t> numbers, unsigned deadline_ms)
        : all_{&all},
          numbers_{std::move(numbers)},
          deadline_ms_{deadline_ms},
          said_{platform::monotonic_nanoseconds()} {}

    // Of ranks that are silent, nothing.
    [[nodiscard]] result<std::optional<std::string>> try_block(std::size_t from) {
        if (auto sent = try_say(from, part_turn::give); !sent) return std::move(sent).error();
        return ranks::detail::try_hear_of(*all_, from, numbers_[from] - 1, deadline_ms_);
    }
    [[nodiscard]] result<void> try_say(std::size_t to, part_turn what) {
        char const letter = static_cast<char>(what);
        return ranks::detail::try_send_to(*all_, to, numbers_[to]++, {&letter, 1}, deadline_ms_);
    }
    // Tells those whose turn is later that rank 0 lives.
    [[nodiscard]] result<void> try_keep_waiting(std::size_t first, bool at_once) {
        std::uint64_t const now = platform::monotonic_nanoseconds();
        if (!at_once && now - said_ < std::uint64_t{500'000} * deadline_ms_) return {};
        said_ = now;
        for (std::size_t rank = first; rank < numbers_.size(); ++rank)
            if (auto sent = try_say(rank, part_turn::wait); !sent) return sent;
        return {};
    }
    // Each rank has 65,536 numbers; after these it is taken as silent.
    [[nodiscard]] bool has_numbers(std::size_t of) const noexcept { return (numbers_[of] & 0xffff) < 0xfff0; }

private:
    ranks::communicator* all_;
    std::vector<std::uint64_t> numbers_; // of the next message, by rank
    unsigned deadline_ms_;
    std::uint64_t said_;
};

[[nodiscard]] inline std::string ending_of(std::uint64_t base, rank_rows const& rows) {
    using gpuprof::detail::add_number;
    using gpuprof::detail::add_text;
    std::string text;
    gpuprof::detail::text_appender const to{text};
    to.text("\n],\"otherData\":{\"writer\":\"gpuprof\",\"base_ns\":\"");
    to.number(base);
    to.text("\",\"ranks\":[");
    for (rank_row_message const& each : rows.list) {
        to.text(&each == rows.list.data() ? "\n{\"rank\":" : ",\n{\"rank\":");
        to.number(each.row.rank);
        add_text(to, ",\"place\":", each.row.place);
        to.text(each.row.clock_known ? ",\"clock\":{\"known\":true" : ",\"clock\":{\"known\":false");
        to.text(",\"ahead (ns)\":");
        to.number(each.row.clock_ahead);
        add_number(to, ",\"drift (ppm)\":", each.row.clock_drift_ppm);
        to.text(",\"error (ns)\":");
        to.number(each.row.clock_error);
        to.text("},\"collectives\":");
        to.number(each.row.collectives);
        to.text(",\"last\":");
        to.number(each.row.last);
        to.text(",\"wait (ns)\":");
        to.number(each.row.wait);
        to.text(",\"work (ns)\":");
        to.number(each.row.work);
        to.text(",\"own\":");
        to.text(each.other_data.empty() ? std::string_view{"null"} : std::string_view{each.other_data});
        to.text("}");
    }
    to.text("]}}\n");
    return text;
}

// Rank 0 writes the file: its own events, then those of the others. Ranks that fall silent are added to `silent`.
[[nodiscard]] inline result<void> try_write_joint(ranks::communicator& all, std::vector<std::uint64_t> numbers,
                                                  part_events& own, rank_rows& rows, std::uint64_t base,
                                                  std::string const& path, rank_trace_options const& options,
                                                  std::vector<ranks::silent_rank>& silent) {
    unsigned const deadline_ms = options.clocks.deadline_ms;
    part_taker taker{all, std::move(numbers), deadline_ms};
    auto file = file_sink::try_open(path);
    std::optional<error> problem;
    if (!file) problem = file.error();
    std::string ending = ending_of(base, rows);
    auto const put = [&](std::string_view text, std::string_view end) {
        if (problem) return;
        auto const to = file->sink();
        if (auto done = to.put(to.to, text, end); !done) problem = std::move(done).error();
    };
    auto const row_of = [&](std::size_t rank) -> ranks::rank_wait* {
        for (rank_row_message& each : rows.list)
            if (each.row.rank == rank) return &each.row;
        return nullptr;
    };
    // Without the comma before its first event.
    put("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", {});
    bool is_first = true;
    auto const put_block = [&](std::string_view text) {
        if (is_first && text.starts_with(',')) text.remove_prefix(1);
        is_first = is_first && text.empty();
        put(text, ending);
    };
    for (bool goes_on = true; goes_on && !problem;) {
        std::string block;
        goes_on = own.next(block, options.block_bytes);
        put_block(block);
        if (auto said = taker.try_keep_waiting(1, false); !said) return said;
    }
    if (ranks::rank_wait* const row = row_of(0)) row->events = own.events();
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
        auto const is_this = [&](ranks::silent_rank const& each) { return each.rank == rank; };
        bool const is_known_silent = std::any_of(silent.begin(), silent.end(), is_this);
        bool is_silent = false;
        for (bool goes_on = !is_known_silent; goes_on && !problem;) {
            auto block =
                taker.has_numbers(rank) ? taker.try_block(rank) : result<std::optional<std::string>>{std::nullopt};
            if (!block) return std::move(block).error();
            is_silent = !*block || (*block)->empty();
            if (is_silent) break;
            goes_on = (**block)[0] == '+';
            std::string_view const events = std::string_view{**block}.substr(1);
            if (ranks::rank_wait* const row = row_of(rank))
                row->events += static_cast<std::uint64_t>(std::count(events.begin(), events.end(), '\n'));
            put_block(events);
            if (auto said = taker.try_keep_waiting(rank + 1, false); !said) return said;
        }
        if (is_silent) silent.push_back({rank, 0});
        if (is_known_silent) continue;
        if (auto said = taker.try_say(rank, problem ? part_turn::stop : part_turn::done); !said) return said;
        if (is_silent)
            if (auto said = taker.try_keep_waiting(rank + 1, true); !said) return said;
    }
    put(ending, {});
    if (!problem)
        if (auto closed = file->close(); !closed) problem = std::move(closed).error();
    if (problem) return *std::move(problem);
    return {};
}

[[nodiscard]] inline std::vector<ranks::collective> collectives_of(ranks::detail::trace_summary const& all,
                                                                   rank_rows const& rows, std::size_t size) {
    std::vector<ranks::collective> made;
    for (auto const& sequence : all.sequences)
        for (std::size_t i = 0; i < sequence.list.size(); ++i) {
            auto const& from = sequence.list[i];
            ranks::collective& to = made.emplace_back();
            to.name = sequence.name;
            to.stream = sequence.stream;
            to.index = i;
            to.ranks = from.ranks;
            to.first_rank = from.first_rank;
            to.last_rank = from.last_rank;
            to.first_begin = from.first_begin;
            to.last_begin = from.last_begin;
            to.first_end = from.first_end;
        }
    for (rank_row_message const& row : rows.list)
        for (std::size_t i = 0; i < row.waits.size() && i < made.size(); ++i) {
            if (made[i].waits.empty()) made[i].waits.resize(size);
            if (row.waits[i] != 0 && row.row.rank < size) made[i].waits[row.row.rank] = row.waits[i] - 1;
        }
    std::stable_sort(made.begin(), made.end(), [](ranks::collective const& a, ranks::collective const& b) {
        return a.first_begin < b.first_begin;
    });
    return made;
}

// @param gone ranks that were silent before
[[nodiscard]] inline result<ranks::wait_report> try_join(ranks::communicator& all, ranks::rank_clock const& clock,
                                                         std::string const& part, std::string const& file,
                                                         rank_trace_options const& options,
                                                         std::vector<ranks::silent_rank> gone) {
    unsigned const deadline_ms = options.clocks.deadline_ms;
    std::size_t const rank = all.rank(), size = all.size();
    auto const scan = detail::scan_part(part, clock, options.collectives, options.most_collectives, {rank, size});

    ranks::detail::trace_summary summary;
    summary.first_event = scan.first_event;
    summary.left_out = scan.left_out;
    summary.silent = std::move(gone);
    std::vector<std::size_t> order(scan.kernels.size()); // by index within each sequence
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return scan.kernels[a].index < scan.kernels[b].index; });
    for (std::size_t const at : order) {
        auto const& kernel = scan.kernels[at];
        auto* sequence = summary.find(options.group, kernel.stream, scan.names[kernel.name]);
        if (sequence == nullptr)
            sequence = &summary.sequences.emplace_back(
                ranks::detail::collective_sequence{options.group, kernel.stream, scan.names[kernel.name], {}});
        auto const me = static_cast<std::uint32_t>(rank);
        sequence->list.push_back({kernel.begin, kernel.begin, kernel.end, me, me, 1, kernel.process, kernel.thread});
    }
    auto shared = ranks::detail::try_share(all, summary, deadline_ms);
    if (!shared) return std::move(shared).error();
    if (!*shared) return ranks::problem_of(summary.silent);

    detail::rank_rows rows;
    rows.silent = summary.silent;
    rows.list.push_back(detail::row_of(scan, clock, summary, options, rank, size, part));
    std::string const place = rows.list.front().row.place;
    if (auto gathered = rows.try_gather(all, deadline_ms); !gathered) return std::move(gathered).error();
    std::sort(rows.list.begin(), rows.list.end(), [](auto const& a, auto const& b) { return a.row.rank < b.row.rank; });

    constexpr std::uint64_t a_day = 86'400'000'000'000;
    std::uint64_t const base = summary.first_event == summary.no_time ? 0 : summary.first_event / a_day * a_day;
    std::vector<std::uint64_t> numbers(size);
    for (std::uint64_t& each : numbers) each = all.next_operation();
    detail::part_events events{part, scan, {rank, size, base, options.group, &place, &clock, &summary}};
    ranks::wait_report made;
    made.rank = rank;
    made.size = size;
    made.left_out = summary.left_out;
    if (rank != 0) {
        if (auto given = detail::try_give(all, numbers[rank], events, options.block_bytes, deadline_ms); !given)
            return std::move(given).error();
        made.heard = 1;
        for (auto& each : rows.list)
            if (each.row.rank == rank) {
                each.row.events = events.events();
                made.ranks.push_back(std::move(each.row));
            }
        return result<ranks::wait_report>{std::move(made)};
    }
    // Who was silent once is not waited for again; the others may be heard of later on.
    made.silent = rows.silent;
    if (auto written = detail::try_write_joint(all, std::move(numbers), events, rows, base, file, options, made.silent);
        !written)
        return std::move(written).error();
    made.collectives = detail::collectives_of(summary, rows, size);
    made.heard = rows.list.size();
    for (detail::rank_row_message& each : rows.list) {
        if (!each.problem.empty())
            made.problems.push_back({errc::not_collected, 0,
                                     gpuprof::detail::joined({"the trace of rank ", std::to_string(each.row.rank),
                                                              " is not as it should be"}),
                                     each.problem, "look at that rank"});
        made.ranks.push_back(std::move(each.row));
    }
    if (!made.silent.empty()) made.problems.push_back(ranks::problem_of(made.silent));
    std::size_t incomplete = 0, apart = 0;
    for (auto const& sequence : summary.sequences)
        for (std::size_t i = 0; i < sequence.list.size(); ++i) {
            if (sequence.list[i].ranks != sequence.list[0].ranks) ++incomplete;
            if (sequence.list[i].first_end + 2 * made.clock_error() < sequence.list[i].last_begin) ++apart;
        }
    if (incomplete != 0)
        made.problems.push_back({errc::not_collected, 0,
                                 gpuprof::detail::joined({std::to_string(incomplete),
                                                          " collectives are not on all ranks that had the first one"}),
                                 "records were lost, or ranks began or ended their traces at different steps",
                                 "begin and end the trace where all ranks have the same collectives behind them"});
    if (apart != 0)
        made.problems.push_back(
            {errc::not_collected, 0,
             gpuprof::detail::joined(
                 {"in ", std::to_string(apart), " collectives a kernel ended before the last one began"}),
             "kernels that only send need not wait; or ranks of different groups were joined",
             "give each group of ranks that calls collectives of its own its number (rank_trace_options::group)"});
    if (made.left_out != 0)
        made.problems.push_back(
            {errc::not_collected, 0,
             gpuprof::detail::joined({std::to_string(made.left_out), " collectives of a rank are not joined"}),
             "there are more than rank_trace_options::most_collectives", "raise that number, or trace fewer steps"});
    return result<ranks::wait_report>{std::move(made)};
}

} // namespace detail

GPUPROF_INLINE result<ranks::wait_report> try_join_traces(ranks::communicator& all, ranks::rank_clock const& clock,
                                                          std::string const& part, std::string const& file,
                                                          rank_trace_options const& options) {
    return detail::try_join(all, clock, part, file, options, {});
}

GPUPROF_INLINE result<rank_trace> rank_trace::try_begin(ranks::communicator& all, device const& gpu, std::string file,
                                                        rank_trace_options options) {
    if (options.clock.now == nullptr) options.clock = ranks::clock_of(gpu);
    if (options.place.empty()) options.place = gpuprof::detail::joined({platform::host_name(), ", ", gpu.name()});
    if (options.part.empty()) options.part = gpuprof::detail::joined({file, ".rank", std::to_string(all.rank())});
    options.events.base.reset();
    auto begin = ranks::try_read_clock(all, options.clock, options.clocks);
    if (!begin) return std::move(begin).error();
    auto opened = file_sink::try_open(options.part);
    if (!opened) return std::move(opened).error();
    std::unique_ptr<parts> made{new parts{*std::move(opened), std::move(options)}};
    made->joint = std::move(file);
    made->begin = *std::move(begin);
    return result<rank_trace>{rank_trace{std::move(made)}};
}

GPUPROF_INLINE result<ranks::wait_report> rank_trace::try_finish(ranks::communicator& all) {
    auto& of = *parts_;
    auto written = of.writer.finish();
    if (written) written = of.file.close();
    auto end = ranks::try_read_clock(all, of.options.clock, of.options.clocks);
    if (!end) return std::move(end).error();
    auto joined = detail::try_join(all, {of.begin, *end}, of.options.part, of.joint, of.options, end->silent);
    if (!joined) return std::move(joined).error();
    if (!written) {
        joined->problems.push_back(std::move(written).error());
    } else {
        static_cast<void>(platform::remove_file(of.options.part));
    }
    return joined;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_RANK_TRACE_INL_HPP
