// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sampled metrics over time: a picture, its data, and a part of the page of an explanation.
#ifndef GPUPROF_IO_TIME_LINES_HPP
#define GPUPROF_IO_TIME_LINES_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../core/unit.hpp"
#include "../detail/config.hpp"
#include "page_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// One metric over time.
struct time_line {
    std::string metric{};
    gpuprof::unit value_unit{};
    std::vector<double> values{}; // one a sample; NaN where there is none
};

// Metrics that were sampled together. A value: it stays when the sampler is gone.
struct time_lines {
    std::uint64_t first_ns = 0;  // when the first sample began, by the clock of activity records
    std::vector<double> begin{}; // of each sample, in nanoseconds since then
    std::vector<double> end{};
    std::vector<time_line> lines{};
    std::string range{};  // the name of the ranges that the samples are of; empty: of all the work
    bool complete = true; // whether no sample was lost
};

// What a pm_sampler took (`sampler.take()`), or another series of samples with the same members.
// @param range the name of the kernel that was sampled; empty: of all the work
template <class Series>
[[nodiscard]] time_lines time_lines_of(Series const& of, std::string range = {}) {
    time_lines made;
    made.range = static_cast<std::string&&>(range);
    made.complete = of.losses().complete();
    for (std::size_t i = 0; i < of.size(); ++i) {
        auto const time = of.time(i);
        if (i == 0) made.first_ns = time.start.ticks;
        made.begin.push_back((time.start - of.time(0).start).value());
        made.end.push_back((time.end - of.time(0).start).value());
    }
    for (std::size_t metric = 0; metric < of.metrics().size(); ++metric) {
        time_line one;
        one.metric = of.metrics()[metric].name;
        one.value_unit = of.metrics()[metric].value_unit;
        for (std::size_t i = 0; i < of.size(); ++i) one.values.push_back(of.value(i, metric));
        made.lines.push_back(static_cast<time_line&&>(one));
    }
    return made;
}

// A graph for each metric, one above the other, over the time since the first sample, as an <svg> element that scales to the
// width it is given. Where samples are closer than what can be drawn, the line is their mean and the area around it is from
// the least to the most. Percentages are from 0 to 100. Colours: --gp-accent, --gp-series-1, --gp-background.
[[nodiscard]] std::string svg(time_lines const& of);

// A line a sample: begin_ns, end_ns, and the metrics. All digits; an empty cell for what is NaN. Lines end with CR LF.
[[nodiscard]] std::string csv(time_lines const& of);

// One object: "format" ("gpuprof time lines"), "version" (1), "range", "complete", "first_ns", "begin_ns" and "end_ns" of each
// sample since first_ns, and "metrics", each with "name", "unit" and "values".
[[nodiscard]] std::string json(time_lines const& of);

// For page_options::parts: the picture below the ranges of that name, or below the one that took the longest, for samples of
// all the work. @pre `of` lives until the page is made
[[nodiscard]] page_part time_line_part(time_lines const& of);

#if !GPUPROF_ENABLED
inline std::string svg(time_lines const&) { return {}; }
inline std::string csv(time_lines const&) { return {}; }
inline std::string json(time_lines const&) { return {}; }
inline page_part time_line_part(time_lines const& of) {
    return {"pm_sampling", "Over time",
            [](void const*, explain::explanation const&, std::size_t) { return std::string{}; }, &of};
}
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "time_lines.inl.hpp"
#endif

#endif // GPUPROF_IO_TIME_LINES_HPP
