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
#include "frame_bars.hpp"
#include "text_buffer.hpp"

GPUPROF_NAMESPACE_BEGIN

// Writes frames, host and GPU time, the sampler's own time of its budget, calls and memory; then a
// line for each counter, and a line for what is not kept, not read or lost. Returns the text, which
// lies in `buffer` and is followed by NUL; a buffer that is too small cuts it. A value that is not
// of the last frame says how many frames old it is; "~" marks a value that shares samples with
// other frames. Its time is in the own time of the next frame. Allocates nothing. Cost: sorts the
// histories of two quantities.
template <class Clock>
std::string_view write_hud(std::span<char> buffer, basic_frame_sampler<Clock>& frames) noexcept {
    using enum frame_quantity;
    std::uint64_t const before = Clock::now();
    detail::text_buffer out{buffer};
    unit const ns = unit_of(host_time);
    auto const last = [&](std::string_view label, frame_quantity which) {
        out.text(label);
        out.quantity(frames[which].last.value, unit_of(which));
    };
    auto const spread = [&](std::string_view label, frame_quantity which) {
        last(label, which);
        frame_summary const all = frames[which].history.summary();
        for (auto const& [text, value] : {std::pair{" (min ", all.min}, std::pair{", median ", all.median},
                                          std::pair{", p99 ", all.p99}, std::pair{", max ", all.max}}) {
            out.text(text);
            out.quantity(value, ns);
        }
        out.text(")\n");
    };
    out.text("frame ");
    out.integer(frames.frames());
    spread("  host ", host_time);
    if (frames[gpu_time].last.known()) spread("  GPU ", gpu_time);
    last("  own ", own_time);
    out.text(" (mean ");
    out.quantity(frames.budget().mean_cost(), ns);
    if (frames.budget().budget() != 0) {
        out.text(" of ");
        out.quantity(static_cast<double>(frames.budget().budget()), ns);
    }
    out.text(", ");
    out.text(name(frames.budget().state()));
    out.text(")\n");
    if (frames[launches].last.known()) {
        last("  launches ", launches);
        last("  calls ", call_time);
        last("  waiting ", wait_time);
        last("  copied ", copied_bytes);
        last("  memory ", memory);
        out.text("\n");
    }
    std::size_t longest = 0;
    for (frame_series const& each : frames.counters())
        longest = each.name.size() > longest ? each.name.size() : longest;
    for (frame_series const& each : frames.counters()) {
        out.text("  ");
        out.left(each.name, longest);
        out.text(each.last.known() && each.last.shared_with_neighbours() ? " ~" : "  ");
        out.quantity(each.last.value, each.unit);
        if (each.last.known() && each.last.frame != frames.frames()) {
            out.text("  (");
            out.integer(frames.frames() - each.last.frame);
            out.text(frames.frames() - each.last.frame == 1 ? " frame ago)" : " frames ago)");
        }
        out.text("\n");
    }
    if (error const* const why = frames.problem()) {
        out.text("  counters: ");
        out.text(name(why->code));
        out.text(": ");
        out.text(why->what);
        if (!why->cause.empty()) out.text("; because ");
        out.text(why->cause);
        if (!why->remedy.empty()) out.text("; remedy: ");
        out.text(why->remedy);
        out.text("\n");
    }
    frame_losses const lost = frames.losses();
    if (lost.untimed + lost.incomplete + lost.overflows + lost.scopes + lost.allocations != 0) {
        out.text("  lost:");
        for (auto const& [count, text] :
             {std::pair{lost.untimed, " frames' GPU times"}, std::pair{lost.incomplete, " frames' counters"},
              std::pair{lost.overflows, " times samples"}, std::pair{lost.scopes, " scopes"},
              std::pair{lost.allocations, " allocations"}}) {
            if (count == 0) continue;
            out.text(" ");
            out.integer(count);
            out.text(text);
        }
        out.text("\n");
    }
    frames.add_own_time(Clock::now() - before);
    return out.view();
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_FRAME_HUD_HPP
