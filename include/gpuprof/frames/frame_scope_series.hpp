// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The histories of a frame sampler's scopes.
#ifndef GPUPROF_FRAMES_FRAME_SCOPE_SERIES_HPP
#define GPUPROF_FRAMES_FRAME_SCOPE_SERIES_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/platform/clock.hpp"
#include "frame_output.hpp"
#include "frame_scopes.hpp"
#include "frame_series.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// A series for each name of a scope, filled at the end of each frame. add() and dropped() are
// thread-safe; the rest is for one thread at a time. Nothing is allocated after prepare().
class frame_scope_series {
public:
    // @pre most != 0
    explicit frame_scope_series(std::size_t most) : scopes_{most} {}

    // Makes room for `most` series and measures what a scope costs here.
    // @param gpu also for their times on the GPU
    void prepare(std::size_t most, std::size_t history, double nanoseconds_per_tick, bool gpu) {
        add_series(series_, most, history);
        if (gpu) add_series(gpu_series_, most, history);
        tick_ns_ = nanoseconds_per_tick;
        measure_scope();
    }

    void add(std::string_view name, std::uint64_t ticks) noexcept { scopes_.add(name, ticks); }
    [[nodiscard]] std::optional<std::size_t> index_of(std::string_view name) noexcept { return scopes_.index_of(name); }
    // A time on the GPU. @pre prepared for them
    void add_gpu_time(std::size_t index, std::uint64_t frame_number, double nanoseconds) noexcept {
        name_new();
        if (index < named_) gpu_series_[index].push({nanoseconds, nanoseconds, frame_number, infinite});
    }

    // Adds a frame's value to each series that had a scope in the frame. Returns the nanoseconds
    // that the scopes themselves took, by the measured cost.
    [[nodiscard]] std::uint64_t end_frame(std::uint64_t frame_number) noexcept {
        std::uint64_t const total = scopes_.scopes();
        auto const cost = static_cast<std::uint64_t>(static_cast<double>(total - counted_) * scope_cost_ns_);
        counted_ = total;
        name_new();
        for (std::size_t i = 0; i < named_; ++i) {
            auto const sums = scopes_.take(i);
            if (sums.scopes == 0) continue; // not in this frame
            series_[i].push(
                {static_cast<double>(sums.ticks) * tick_ns_, static_cast<double>(sums.scopes), frame_number, infinite});
        }
        return cost;
    }

    // The same of a frame that is replayed: its values are those that were recorded. Returns the first scope of which another
    // number was opened; empty if there is none.
    [[nodiscard]] std::string play_frame(std::span<frame_series_output const> recorded) {
        name_new();
        auto const find = [&](frame_list of, std::string const& name) {
            frame_series_output const* found = nullptr;
            for (frame_series_output const& each : recorded)
                if (each.of == of && each.name == name) found = &each;
            return found;
        };
        std::string unlike;
        for (std::size_t i = 0; i < named_; ++i) {
            frame_series_output const* const host = find(frame_list::scopes, series_[i].name);
            frame_series_output const* const gpu = find(frame_list::gpu_scopes, series_[i].name);
            double const then = host != nullptr ? host->cycles : 0; // of a scope's series: how many scopes
            if (static_cast<double>(scopes_.take(i).scopes) != then && unlike.empty()) unlike = series_[i].name;
            if (host != nullptr) host->play_to(series_[i]);
            if (gpu != nullptr && !gpu_series_.empty()) gpu->play_to(gpu_series_[i]);
        }
        for (frame_series_output const& each : recorded) {
            bool is_known = each.of != frame_list::scopes;
            for (std::size_t i = 0; i < named_; ++i) is_known = is_known || series_[i].name == each.name;
            if (!is_known && unlike.empty()) unlike = each.name;
        }
        return unlike;
    }

    // In the order of each name's first scope.
    [[nodiscard]] std::span<frame_series const> series() const noexcept { return {series_.data(), named_}; }
    // The same scopes; empty without times on the GPU. A scope that started no work has no value.
    [[nodiscard]] std::span<frame_series const> gpu_series() const noexcept {
        return {gpu_series_.data(), gpu_series_.empty() ? 0 : named_};
    }
    // Scopes whose name found no room.
    [[nodiscard]] std::uint64_t dropped() const noexcept { return scopes_.dropped(); }

private:
    static void add_series(std::vector<frame_series>& to, std::size_t most, std::size_t history) {
        to.reserve(most);
        for (std::size_t i = 0; i < most; ++i) {
            to.emplace_back(std::string{}, unit_of(frame_quantity::own_time), history);
            to.back().name.reserve(64);
        }
    }
    void name_new() noexcept {
        for (std::size_t const names = scopes_.size(); named_ < names; ++named_) {
            series_[named_].name.assign(scopes_.name(named_));
            if (!gpu_series_.empty()) gpu_series_[named_].name.assign(scopes_.name(named_));
        }
    }
    void measure_scope() noexcept {
        frame_scopes trial{1};
        std::uint64_t const before = platform::ticks();
        constexpr int rounds = 64;
        for (int i = 0; i < rounds; ++i) {
            std::uint64_t const begin = platform::ticks();
            trial.add("a scope of usual length", platform::ticks() - begin);
        }
        scope_cost_ns_ = static_cast<double>(platform::ticks() - before) * tick_ns_ / rounds;
    }

    frame_scopes scopes_;
    std::vector<frame_series> series_{};
    std::vector<frame_series> gpu_series_{};
    std::size_t named_ = 0;     // series that have a name
    std::uint64_t counted_ = 0; // scopes whose cost was returned
    double tick_ns_ = 1;
    double scope_cost_ns_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_SCOPE_SERIES_HPP
