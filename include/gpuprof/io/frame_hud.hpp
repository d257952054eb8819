// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a few lines about the last frames into a buffer of the caller's.
#ifndef GPUPROF_IO_FRAME_HUD_HPP
#define GPUPROF_IO_FRAME_HUD_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "../frames/compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "../frames/frame_sampler.hpp"
#include "../frames/frame_series.hpp"
#include "../frames/hud_options.hpp"
#include "hud_lines.hpp"
#include "text_buffer.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// The lines of write_hud(). Each member writes some.
template <class Clock>
class hud {
public:
    hud(text_buffer& to, basic_frame_sampler<Clock> const& of, hud_options const& options) noexcept
        : to_{to}, frames_{of}, width_{options.width < 40 ? 40 : options.width}, most_scopes_{options.scopes} {}

    void write() noexcept {
        write_times();
        write_own_time();
        write_driver_counters();
        write_scopes();
        write_counters();
        write_problem("counters", frames_.problem());
        write_problem("busy times", frames_.record_problem());
        write_losses();
    }

private:
    static constexpr std::size_t label_width = 13, value_width = 9;

    void write(hud_line const& line) noexcept { write_line(to_, line.view(), width_); }

    void write_times() noexcept {
        using enum frame_quantity;
        hud_line head;
        head.text("frame ");
        head.grouped(frames_.frames());
        head.right("last", label_width + value_width - columns_of(head.view()));
        for (auto const label : {"median", "p99", "max"}) head.right(label, value_width);
        write(head);
        write_spread("  host", host_time);
        write_spread("  GPU elapsed", gpu_time);
        write_spread("  GPU busy", gpu_busy);
    }
    void write_spread(std::string_view label, frame_quantity which) noexcept {
        frame_series const& series = frames_[which];
        if (!series.last.known()) return;
        frame_summary const all = series.history.summary();
        hud_line line;
        line.left(label, label_width);
        for (double const value : {series.last.value, all.median, all.p99, all.max})
            line.quantity_in(value, series.unit, value_width);
        if (all.max_frame != 0) {
            line.text(" in frame ");
            line.grouped(all.max_frame);
            write_ago(line, all.max_frame);
        }
        write(line);
    }
    void write_ago(hud_line& line, std::uint64_t frame) noexcept {
        auto const when = frames_.when(frame);
        auto const newest = frames_.when(frames_.frames());
        if (!when || !newest || frame == frames_.frames()) return;
        line.text(", ");
        line.quantity(static_cast<double>(newest->end - when->end), unit_of(frame_quantity::host_time));
        line.text(" ago");
    }
    void write_own_time() noexcept {
        unit const ns = unit_of(frame_quantity::own_time);
        hud_line line;
        line.left("  own", label_width);
        line.quantity_in(frames_[frame_quantity::own_time].last.value, ns, value_width);
        line.text(" (mean ");
        line.quantity(frames_.budget().mean_cost(), ns);
        if (frames_.budget().budget() != 0) {
            line.text(" of ");
            line.quantity(static_cast<double>(frames_.budget().budget()), ns);
        }
        line.text(", ");
        line.text(name(frames_.budget().state()));
        line.text(")");
        write(line);
    }
    void write_driver_counters() noexcept {
        using enum frame_quantity;
        if (!frames_[launches].last.known()) return;
        hud_line line;
        for (auto const& [label, which] :
             {std::pair{"  launches ", launches}, std::pair{"  calls ", call_time}, std::pair{"  waiting ", wait_time},
              std::pair{"  copied ", copied_bytes}, std::pair{"  memory ", memory}}) {
            line.text(label);
            line.quantity(frames_[which].last.value, unit_of(which));
        }
        write(line);
    }

    // A scope's last times; NaN: none in the frames of the statistics.
    struct scope_times {
        double gpu = quiet_nan;
        double host = quiet_nan;
        // Longer on the GPU; without a time there, on the host.
        [[nodiscard]] bool longer_than(scope_times const& other) const noexcept {
            bool const here = gpu == gpu, there = other.gpu == other.gpu;
            if (here != there) return here;
            return here ? gpu > other.gpu : host > other.host;
        }
    };
    [[nodiscard]] double recent(frame_series const& of) const noexcept {
        bool const is_recent = of.last.known() && frames_.frames() - of.last.frame < of.history.capacity();
        return is_recent ? of.last.value : quiet_nan;
    }
    [[nodiscard]] scope_times times_of(std::size_t scope) const noexcept {
        return {frames_.gpu_scopes().empty() ? quiet_nan : recent(frames_.gpu_scopes()[scope]),
                recent(frames_.scopes()[scope])};
    }
    // The longest scopes, longest first; ties in the order of their numbers.
    void write_scopes() noexcept {
        struct row {
            std::size_t scope;
            scope_times times;
        } longest[hud_options::most_scopes];
        std::size_t const most = most_scopes_ < hud_options::most_scopes ? most_scopes_ : hud_options::most_scopes;
        std::size_t count = 0;
        for (std::size_t i = 0; i < frames_.scopes().size(); ++i) {
            scope_times const times = times_of(i);
            if (times.host != times.host) continue;
            std::size_t at = count;
            for (; at != 0 && times.longer_than(longest[at - 1].times); --at)
                if (at < most) longest[at] = longest[at - 1];
            if (at == most) continue;
            longest[at] = {i, times};
            if (count < most) ++count;
        }
        bool const gpu = !frames_.gpu_scopes().empty();
        std::size_t const name_width = width_ - 2 - (gpu ? 2 : 1) * (value_width + 5);
        for (row const& each : std::span{longest, count}) {
            hud_line line;
            line.text("  ");
            line.name_in(frames_.scopes()[each.scope].name, name_width < 30 ? name_width : 30);
            if (gpu) {
                line.quantity_in(each.times.gpu, unit_of(frame_quantity::gpu_busy), value_width);
                line.text(" GPU ");
            }
            line.quantity_in(each.times.host, unit_of(frame_quantity::host_time), value_width);
            line.text(" host");
            write(line);
        }
    }
    void write_counters() noexcept {
        std::size_t longest = 0;
        for (frame_series const& each : frames_.counters())
            longest = columns_of(each.name) > longest ? columns_of(each.name) : longest;
        std::size_t const most = width_ - 16;
        for (frame_series const& each : frames_.counters()) {
            hud_line line;
            line.text("  ");
            line.name_in(each.name, longest < most ? longest : most);
            line.text(each.last.known() && each.last.shared_with_neighbours() ? " ~" : "  ");
            line.quantity(each.last.value, each.unit);
            if (each.last.known() && each.last.frame != frames_.frames()) {
                line.text("  (");
                line.grouped(frames_.frames() - each.last.frame);
                line.text(frames_.frames() - each.last.frame == 1 ? " frame ago)" : " frames ago)");
            }
            write(line);
        }
    }
    void write_problem(std::string_view of, error const* why) noexcept {
        if (why == nullptr) return;
        hud_line line;
        line.text("  ");
        line.text(of);
        line.text(": ");
        line.text(name(why->code));
        line.text(": ");
        line.text(why->what);
        if (!why->cause.empty()) line.text("; because ");
        line.text(why->cause);
        if (!why->remedy.empty()) line.text("; remedy: ");
        line.text(why->remedy);
        write(line);
    }
    void write_losses() noexcept {
        frame_losses const lost = frames_.losses();
        hud_line line;
        for (auto const& [count, text] :
             {std::pair{lost.untimed, " frames' GPU times"}, std::pair{lost.incomplete, " frames' counters"},
              std::pair{lost.overflows, " times samples"}, std::pair{lost.scopes, " scopes"},
              std::pair{lost.allocations, " allocations"}, std::pair{lost.busy_times, " of busy times"}}) {
            if (count == 0) continue;
            line.text(line.view().empty() ? "  lost: " : ", ");
            line.grouped(count);
            line.text(text);
        }
        if (!line.view().empty()) write(line);
    }

    text_buffer& to_;
    basic_frame_sampler<Clock> const& frames_;
    std::size_t width_;
    std::size_t most_scopes_;
};

} // namespace detail

// Writes the last frame, host and GPU times with the frame of the longest, the sampler's own time of
// its budget, calls and memory; then a line for each of the longest scopes and for each counter, and
// lines for what is not kept, not read or lost. "GPU elapsed" is between two events and includes
// waits; "GPU busy" is there with frame_options::records. Returns the text, which lies in `buffer`
// and is followed by NUL; a buffer that is too small cuts it. No line is longer than
// hud_options::width. A value that is not of the last frame says how many frames old it is; "~" marks
// a value that shares samples with other frames. Its time is in the own time of the next frame.
// Allocates nothing. Cost: sorts the histories of three quantities.
template <class Clock>
std::string_view write_hud(std::span<char> buffer, basic_frame_sampler<Clock>& frames,
                           hud_options const& options = {}) noexcept {
    std::uint64_t const before = Clock::now();
    detail::text_buffer out{buffer};
    detail::hud<Clock>{out, frames, options}.write();
    frames.add_own_time(Clock::now() - before);
    return out.view();
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_FRAME_HUD_HPP
