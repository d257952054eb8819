// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of waits_table.hpp.
#ifndef GPUPROF_IO_WAITS_TABLE_INL_HPP
#define GPUPROF_IO_WAITS_TABLE_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../text/json_members.hpp"
#include "../text/printable.hpp"
#include "../text/text_appender.hpp"
#include "../text/wrapped.hpp"
#include "aligned.hpp"
#include "csv_cell.hpp"
#include "rank_lines.hpp"
#include "short_number.hpp"
#include "waits_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_INLINE std::string table(ranks::wait_report const& of) {
    using gpuprof::detail::joined;
    constexpr std::size_t widest_place = 30, widest_name = 48;
    std::vector<std::string> cells{"rank",  "machine, GPU", "collectives",  "wait",
                                   "share", "work",         "longest wait", "last in"};
    for (ranks::rank_wait const& each : of.ranks) {
        std::uint64_t const all = each.wait + each.work;
        cells.push_back(std::to_string(each.rank));
        std::string place = gpuprof::detail::printable(each.place);
        if (place.size() > widest_place) place.replace(widest_place / 2 - 2, place.size() - widest_place + 3, "...");
        cells.push_back(std::move(place));
        cells.push_back(detail::short_number(static_cast<double>(each.collectives)));
        cells.push_back(detail::short_duration(static_cast<double>(each.wait)));
        cells.push_back(all == 0 ? "" : detail::whole_share(static_cast<double>(each.wait) / static_cast<double>(all)));
        cells.push_back(detail::short_duration(static_cast<double>(each.work)));
        cells.push_back(detail::short_duration(static_cast<double>(each.longest)));
        cells.push_back(detail::short_number(static_cast<double>(each.last)));
    }
    std::string text = detail::ranks_heard(of.heard, of.size) + "; no clock is off by more than " +
                       detail::short_duration(static_cast<double>(of.clock_error())) + " against rank 0's\n";
    text += detail::aligned(cells, "rlrrrrrr");
    ranks::collective const* longest = nullptr;
    for (ranks::collective const& each : of.collectives)
        if (each.overlaps() && (longest == nullptr || each.longest_wait() > longest->longest_wait())) longest = &each;
    if (longest != nullptr && longest->ranks > 1)
        text += gpuprof::detail::wrapped_lines(
            joined({"longest: rank ", std::to_string(longest->first_rank), " waited ",
                    detail::short_duration(static_cast<double>(longest->longest_wait())), " for rank ",
                    std::to_string(longest->last_rank), " in ", gpuprof::detail::printable(longest->name, widest_name),
                    ", number ", std::to_string(longest->index), " of stream ", std::to_string(longest->stream), "\n"}),
            detail::ranks_table_width);
    return text + detail::problem_lines(of.problems);
}

GPUPROF_INLINE std::string csv(ranks::wait_report const& of) {
    std::string text = "rank,machine and GPU,collectives,last,wait (ns),work (ns),longest wait (ns),clock ahead (ns),"
                       "clock drift (ppm),clock error (ns),events\r\n";
    gpuprof::detail::text_appender const to{text};
    for (ranks::rank_wait const& each : of.ranks) {
        to.number(each.rank);
        to.text(",");
        write_csv_cell(to, each.place);
        for (std::uint64_t const number : {each.collectives, each.last, each.wait, each.work, each.longest}) {
            to.text(",");
            to.number(number);
        }
        to.text(",");
        if (each.clock_known) {
            to.number(each.clock_ahead);
            to.text(",");
            to.real(each.clock_drift_ppm);
            to.text(",");
            to.number(each.clock_error);
        } else {
            to.text(",,");
        }
        to.text(",");
        to.number(each.events);
        to.text("\r\n");
    }
    return text;
}

GPUPROF_INLINE std::string json(ranks::wait_report const& of) {
    using gpuprof::detail::add_number;
    using gpuprof::detail::add_text;
    std::string text;
    gpuprof::detail::text_appender const to{text};
    auto const member = [&](std::string_view key, auto number) {
        to.text(key);
        to.number(number);
    };
    detail::add_heard(to, of);
    member(",\"clock error (ns)\":", of.clock_error());
    to.text(",\"ranks\":[");
    for (ranks::rank_wait const& each : of.ranks) {
        member(&each == of.ranks.data() ? "\n{\"rank\":" : ",\n{\"rank\":", each.rank);
        add_text(to, ",\"place\":", each.place);
        member(",\"collectives\":", each.collectives);
        member(",\"last\":", each.last);
        member(",\"wait (ns)\":", each.wait);
        member(",\"work (ns)\":", each.work);
        member(",\"longest wait (ns)\":", each.longest);
        if (each.clock_known) {
            member(",\"clock ahead (ns)\":", each.clock_ahead);
            add_number(to, ",\"clock drift (ppm)\":", each.clock_drift_ppm);
            member(",\"clock error (ns)\":", each.clock_error);
        }
        member(",\"events\":", each.events);
        to.text("}");
    }
    to.text("],\"collectives\":[");
    for (ranks::collective const& each : of.collectives) {
        add_text(to, &each == of.collectives.data() ? "\n{\"name\":" : ",\n{\"name\":", each.name);
        member(",\"stream\":", each.stream);
        member(",\"index\":", each.index);
        member(",\"ranks\":", each.ranks);
        member(",\"first rank\":", each.first_rank);
        member(",\"last rank\":", each.last_rank);
        member(",\"first begin (ns)\":", each.first_begin);
        member(",\"last begin (ns)\":", each.last_begin);
        member(",\"first end (ns)\":", each.first_end);
        to.text(",\"waits (ns)\":[");
        for (std::size_t i = 0; i < each.waits.size(); ++i) {
            if (i != 0) to.text(",");
            if (each.waits[i]) to.number(*each.waits[i]);
            else to.text("null");
        }
        to.text("]}");
    }
    member("],\"left out\":", of.left_out);
    detail::add_problems(to, of.problems);
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_WAITS_TABLE_INL_HPP
