// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads counters of frames from event hardware: capability 2.0 to 7.2.
#ifndef GPUPROF_FRAMES_FRAME_EVENT_SOURCE_HPP
#define GPUPROF_FRAMES_FRAME_EVENT_SOURCE_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../hw/counters/event/event_catalogue.hpp"
#include "../hw/counters/event/event_counters.hpp"
#include "../hw/counters/event/event_packing.hpp"
#include "../hw/counters/event/event_passes.hpp"
#include "../hw/counters/event/event_plan.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/status.hpp"
#include "../hw/machine/session_registry.hpp"
#include "../metric/info.hpp"
#include "frame_source.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Counts events of a context continuously (CUPTI 12.0, 2.5.2), one pass of events at a time; a
// reading has the counts since the previous one, for the whole device. Reads without waiting: work
// that continues after a frame's end counts into later frames, and CUPTI may deliver a count with a
// later reading (CUPTI 12.0, 1.2.1.1). Holds the context's counters.
class frame_event_source {
public:
    static constexpr bool timed = false;
    static constexpr bool cheap_to_select = true;

    // Errors: unavailable on capability 7.5 and later and CUPTI 13 and later; unknown_metric with
    // the nearest names; busy.
    [[nodiscard]] static result<frame_event_source> try_open(device const& gpu, std::span<metric_info const> wanted) {
        auto catalogue = hw::event_catalogue::try_open(gpu);
        if (!catalogue) return std::move(catalogue).error();
        std::vector<abi::CUpti_EventID> ids;
        for (metric_info const& each : wanted) {
            abi::CUpti_EventID id = 0;
            auto const status = gpu.cupti().EventGetIdFromName(gpu.handle(), each.name.c_str(), &id);
            if (status == abi::CUPTI_ERROR_INVALID_EVENT_NAME) return unknown_event(gpu, *catalogue, each.name);
            if (status) return hw::explain("cuptiEventGetIdFromName", status);
            ids.push_back(id);
        }
        auto passes = hw::try_pack_events(gpu, *catalogue, {&ids, 1}, {});
        if (!passes) return std::move(passes).error();
        auto lease = hw::session_lease::try_take(gpu.context());
        if (!lease) return std::move(lease).error();
        frame_event_source source{*std::move(lease), gpu};
        if (auto started = source.try_start(ids, *passes); !started) return std::move(started).error();
        return result<frame_event_source>{std::move(source)};
    }

    [[nodiscard]] std::span<frame_group const> groups() const noexcept { return groups_; }

    // The counts of the old group since its last reading are lost.
    [[nodiscard]] result<void> try_select(std::size_t group) {
        if (group == selected_) return {};
        if (auto off = counters_.try_disable(passes_[selected_]); !off) return off;
        selected_ = group;
        return counters_.try_enable(passes_[selected_]);
    }
    [[nodiscard]] result<frame_read> try_read(std::size_t, frame_sink sink) {
        std::size_t const pass = passes_[selected_];
        if (auto read = counters_.try_read(pass, sums_); !read) return read.error();
        for (std::size_t i = 0; i < outputs_[selected_].size(); ++i) {
            output const& each = outputs_[selected_][i];
            std::uint64_t const sum = sums_[each.slot];
            values_[i] = sum == abi::cupti_event_overflow ? quiet_nan : static_cast<double>(sum) * each.scale;
        }
        sink({0, 0, quiet_nan, {values_.data(), outputs_[selected_].size()}});
        return frame_read{1, 0, false};
    }

private:
    struct output {
        std::size_t slot = 0;
        double scale = 1; // from the counted instances to all
    };

    frame_event_source(hw::session_lease lease, device const& gpu) noexcept
        : lease_{std::move(lease)}, cupti_{&gpu.cupti()} {}

    [[nodiscard]] result<void> try_start(std::span<abi::CUpti_EventID const> ids,
                                         std::span<hw::planned_pass const> passes) {
        if (auto status = cupti_->SetEventCollectionMode(lease_.context(), abi::CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS))
            return hw::explain("cuptiSetEventCollectionMode", status);
        auto counters = hw::event_counters::try_create(*cupti_, lease_.context(), passes, false);
        if (!counters) return std::move(counters).error();
        counters_ = *std::move(counters);
        std::vector<bool> grouped(ids.size());
        for (std::size_t pass = 0; pass < counters_.replay_passes(); ++pass) {
            frame_group group;
            std::vector<output> of_group;
            for (std::size_t i = 0; i < ids.size(); ++i) {
                auto const* const column = counters_.find(ids[i], pass);
                if (column == nullptr || grouped[i]) continue;
                grouped[i] = true;
                group.push_back(i);
                of_group.push_back({column->slot, column->scale});
            }
            if (group.empty()) continue;
            groups_.push_back(std::move(group));
            outputs_.push_back(std::move(of_group));
            passes_.push_back(pass);
        }
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (!grouped[i])
                return error{errc::internal, 0, "an event is in no group", "CUPTI's grouping left it out", ""};
        sums_.resize(counters_.slots());
        values_.resize(ids.size());
        return counters_.try_enable(passes_[0]);
    }

    hw::session_lease lease_; // first, so that it is given back last
    abi::cupti_table const* cupti_;
    hw::event_counters counters_;
    std::vector<frame_group> groups_;
    std::vector<std::vector<output>> outputs_; // by group
    std::vector<std::size_t> passes_;          // by group
    std::vector<std::uint64_t> sums_;
    std::vector<double> values_;
    std::size_t selected_ = 0;
};
static_assert(frame_source<frame_event_source>);

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_FRAME_EVENT_SOURCE_HPP
