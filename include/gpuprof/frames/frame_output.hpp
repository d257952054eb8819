// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a frame sampler has after a frame, as a recording keeps it.
#ifndef GPUPROF_FRAMES_FRAME_OUTPUT_HPP
#define GPUPROF_FRAMES_FRAME_OUTPUT_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../hw/machine/output_fields.hpp"
#include "frame_losses.hpp"
#include "frame_series.hpp"
#include "frame_times.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Lists of series that a frame sampler has.
enum class frame_list : unsigned char { quantities, counters, scopes, gpu_scopes };

// The values that a frame brought to one series. All but the last count for an earlier frame.
struct frame_series_output {
    frame_list of = frame_list::quantities;
    std::string name{};
    std::vector<double> values{};
    std::vector<std::uint64_t> frames{};
    double cycles = quiet_nan; // of the last one
    double samples = infinite;

    // Gives them to a series that played the frames before.
    void play_to(frame_series& series) const noexcept {
        for (std::size_t i = 0; i < values.size(); ++i) {
            bool const is_last = i + 1 == values.size();
            series.push({values[i], is_last ? cycles : values[i], frames[i], is_last ? samples : infinite});
        }
    }
};

struct frame_output {
    frame_times times{};
    std::string counters{}; // those enabled: "a, b"
    std::vector<frame_series_output> series{};
    frame_losses losses{};
    frame_lateness lateness{};
    std::size_t groups = 0;
    std::size_t group = 0;
    std::optional<error> problem{};
};

// How many values of each series are recorded.
class kept_frame_values {
public:
    // Adds the values that came since the last time.
    void add(frame_list of, std::span<frame_series const> list, std::vector<frame_series_output>& to) {
        for (frame_series const& each : list) {
            std::uint64_t& seen = seen_of(of, each.name);
            std::uint64_t const count = each.pushed - seen;
            seen = each.pushed;
            if (count == 0) continue;
            frame_series_output& made = to.emplace_back();
            made.of = of;
            made.name = each.name;
            made.cycles = each.last.cycles;
            made.samples = each.last.samples;
            std::size_t const size = each.history.size();
            for (std::size_t i = count < size ? size - static_cast<std::size_t>(count) : 0; i < size; ++i) {
                made.values.push_back(each.history[i]);
                made.frames.push_back(each.history.frame(i));
            }
        }
    }

private:
    struct seen_values {
        frame_list of;
        std::string name;
        std::uint64_t count = 0;
    };
    [[nodiscard]] std::uint64_t& seen_of(frame_list of, std::string const& name) {
        for (seen_values& each : seen_)
            if (each.of == of && each.name == name) return each.count;
        return seen_.emplace_back(seen_values{of, name}).count;
    }
    std::vector<seen_values> seen_;
};

inline void describe_output(hw::output_fields& fields, frame_output& frame) {
    fields.whole("begin", frame.times.begin);
    fields.whole("end", frame.times.end);
    fields.text("counters", frame.counters);
    fields.list("series", frame.series, [&](frame_series_output& each) {
        fields.choice("of", each.of, frame_list::gpu_scopes);
        fields.text("name", each.name);
        fields.numbers("values", each.values);
        fields.wholes("frames", each.frames);
        fields.number("cycles", each.cycles);
        fields.number("samples", each.samples);
        fields.check(each.values.size() == each.frames.size(), "a series has values of no frame");
    });
    for (auto const& [name, value] :
         {std::pair{"lost_scopes", &frame.losses.scopes}, std::pair{"untimed", &frame.losses.untimed},
          std::pair{"incomplete", &frame.losses.incomplete}, std::pair{"overflows", &frame.losses.overflows},
          std::pair{"lost_allocations", &frame.losses.allocations},
          std::pair{"lost_busy_times", &frame.losses.busy_times}, std::pair{"late_gpu_time", &frame.lateness.gpu_time},
          std::pair{"late_counters", &frame.lateness.counters},
          std::pair{"worst_late_gpu_time", &frame.lateness.worst_gpu_time},
          std::pair{"worst_late_counters", &frame.lateness.worst_counters}})
        fields.whole(name, *value);
    fields.whole("groups", frame.groups);
    fields.whole("group", frame.group);
    fields.problem("problem", frame.problem);
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_OUTPUT_HPP
