// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last frames as a table: a row for each frame, a column for each quantity, counter and scope.
#ifndef GPUPROF_IO_FRAME_COLUMNS_HPP
#define GPUPROF_IO_FRAME_COLUMNS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../frames/frame_sampler.hpp"
#include "../frames/frame_series.hpp"
#include "../frames/frame_times.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

struct frame_column {
    std::string_view kind; // "quantity", "counter", "scope", "scope on the GPU"
    frame_series const* series;
};

struct frame_row {
    std::uint64_t frame;
    frame_times when;
};

// The names and values point to the sampler: valid until its next frame.
struct frame_columns {
    std::vector<frame_column> columns;
    std::vector<frame_row> rows; // the oldest first
    std::vector<double> values;  // a row after the other; NaN: the frame has none

    [[nodiscard]] double value(std::size_t row, std::size_t column) const noexcept {
        return values[row * columns.size() + column];
    }
};

template <class Clock>
[[nodiscard]] frame_columns columns_of(basic_frame_sampler<Clock> const& frames) {
    frame_columns all;
    auto const add = [&](std::string_view kind, std::span<frame_series const> list) {
        for (frame_series const& each : list) all.columns.push_back({kind, &each});
    };
    add("quantity", frames.quantities());
    add("counter", frames.counters());
    add("scope", frames.scopes());
    add("scope on the GPU", frames.gpu_scopes());
    std::uint64_t const last = frames.frames(), most = frames[frame_quantity::host_time].history.capacity();
    for (std::uint64_t frame = last > most ? last - most + 1 : 1; frame <= last; ++frame)
        if (auto const when = frames.when(frame)) all.rows.push_back({frame, *when});
    all.values.assign(all.rows.size() * all.columns.size(), quiet_nan);
    for (std::size_t column = 0; column < all.columns.size(); ++column) {
        frame_history const& history = all.columns[column].series->history;
        for (std::size_t i = 0; i < history.size(); ++i) {
            std::uint64_t const frame = history.frame(i);
            if (all.rows.empty() || frame < all.rows.front().frame || frame > all.rows.back().frame) continue;
            auto const row = static_cast<std::size_t>(frame - all.rows.front().frame);
            all.values[row * all.columns.size() + column] = history[i];
        }
    }
    return all;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_FRAME_COLUMNS_HPP
