// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads event counts while kernels run, from a thread of the application.
#ifndef GPUPROF_SAMPLE_EVENT_SAMPLER_HPP
#define GPUPROF_SAMPLE_EVENT_SAMPLER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "event_sampler_compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/counters/event/event_catalogue.hpp"
#include "../hw/counters/event/event_counters.hpp"
#include "../hw/counters/event/event_packing.hpp"
#include "../hw/counters/event/event_passes.hpp"
#include "../hw/counters/event/event_plan.hpp"
#include "../hw/machine/session_registry.hpp"
#include "../hw/machine/status.hpp"
#include "../core/result.hpp"
#include "event_sample.hpp"

GPUPROF_NAMESPACE_BEGIN

// Counts events of one context continuously (CUPTI 12.0, 2.5.2), from try_open to destruction. The
// events must fit one pass. It synchronises nothing and starts no thread: call sample() as often as
// you want, from one thread at a time, while others launch; a running kernel counts into the
// samples taken during it. Samples are not related to ranges. CUPTI may deliver a count with a
// later sample, and loses those of the last one (CUPTI 12.0, 1.2.1.1): take two after the work.
//
//     auto sampler = event_sampler::try_open(gpu, names).value();
//     while (busy()) { sleep(); sampler.try_sample(sample); }
//
// Holds the context's counters: a profiler on the same context gets "busy" meanwhile. Move-only.
class event_sampler {
public:
    // Errors: unavailable on capability 7.5 and later and CUPTI 13 and later, unknown_metric with
    // the nearest names, invalid_argument for an empty list and for events that take more than one
    // pass, busy.
    // @param names the events; metrics are calculated from them and cannot be sampled
    [[nodiscard]] static result<event_sampler> try_open(device const& gpu, std::span<std::string const> names) {
        auto catalogue = hw::event_catalogue::try_open(gpu);
        if (!catalogue) return std::move(catalogue).error();
        std::vector<abi::CUpti_EventID> ids;
        for (std::string const& name : names) {
            abi::CUpti_EventID id = 0;
            auto const status = gpu.cupti().EventGetIdFromName(gpu.handle(), name.c_str(), &id);
            if (status == abi::CUPTI_ERROR_INVALID_EVENT_NAME) return detail::unknown_event(gpu, *catalogue, name);
            if (status) return hw::explain("cuptiEventGetIdFromName", status);
            ids.push_back(id);
        }
        if (ids.empty())
            return error{errc::invalid_argument, 0, "no event was asked for", "the list is empty", "name at least one"};
        auto passes = hw::try_pack_events(gpu, *catalogue, {&ids, 1}, {});
        if (!passes) return std::move(passes).error();
        if (passes->size() != 1)
            return error{errc::invalid_argument, 0, "these events take " + std::to_string(passes->size()) + " passes",
                         "a run that is sampled runs once", "sample fewer events at a time"};
        auto lease = hw::session_lease::try_take(gpu.context());
        if (!lease) return std::move(lease).error();
        event_sampler sampler{*std::move(lease), gpu};
        if (auto started = sampler.try_start(ids, *passes); !started) return std::move(started).error();
        return result<event_sampler>{std::move(sampler)};
    }

    event_sampler(event_sampler&& other) noexcept
        : lease_{std::move(other.lease_)},
          cupti_{other.cupti_},
          counters_{std::move(other.counters_)},
          sums_{std::move(other.sums_)},
          outputs_{std::move(other.outputs_)} {}
    event_sampler& operator=(event_sampler&&) = delete;
    ~event_sampler() = default;

    // Reads the counts and resets them. Allocates only in the first call for a given `sample`.
    // Errors: what CUPTI says. Cost: one CUPTI read for each counted domain.
    [[nodiscard]] result<void> try_sample(event_sample& sample) {
        if (auto read = counters_->try_read(0, sums_); !read) return read;
        sample.timestamp_ns = 0;
        if (cupti_->GetTimestamp != nullptr) static_cast<void>(cupti_->GetTimestamp(&sample.timestamp_ns));
        sample.counts.resize(outputs_.size());
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            std::uint64_t const sum = sums_[outputs_[i].slot];
            sample.counts[i] = sum == abi::cupti_event_overflow ? std::numeric_limits<double>::quiet_NaN()
                                                                : static_cast<double>(sum) * outputs_[i].scale;
        }
        return {};
    }

private:
    struct output {
        std::size_t slot = 0;
        double scale = 1;
    };

    event_sampler(hw::session_lease lease, device const& gpu) noexcept
        : lease_{std::move(lease)}, cupti_{&gpu.cupti()} {}

    [[nodiscard]] result<void> try_start(std::span<abi::CUpti_EventID const> ids,
                                         std::span<hw::planned_pass const> passes) {
        if (auto status = cupti_->SetEventCollectionMode(lease_.context(), abi::CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS))
            return hw::explain("cuptiSetEventCollectionMode", status);
        auto counters = hw::event_counters::try_create(*cupti_, lease_.context(), passes, false);
        if (!counters) return std::move(counters).error();
        counters_.emplace(*std::move(counters));
        for (abi::CUpti_EventID const id : ids) {
            auto const* const column = counters_->find(id, 0);
            if (column == nullptr)
                return error{errc::internal, 0, "event " + std::to_string(id) + " is in no group",
                             "CUPTI's grouping left it out", ""};
            outputs_.push_back({column->slot, column->scale});
        }
        sums_.resize(counters_->slots());
        return counters_->try_enable(0);
    }

    hw::session_lease lease_; // first, so that it is given back last
    abi::cupti_table const* cupti_;
    std::optional<hw::event_counters> counters_; // once started
    std::vector<std::uint64_t> sums_;
    std::vector<output> outputs_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_SAMPLE_EVENT_SAMPLER_HPP
