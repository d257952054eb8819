// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plans which metrics a device samples together, and in how many passes.
#ifndef GPUPROF_HW_SAMPLERS_PM_PLAN_HPP
#define GPUPROF_HW_SAMPLERS_PM_PLAN_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../machine/device.hpp"
#include "../machine/lost_device.hpp"
#include "../machine/status.hpp"
#include "../counters/range/metric_host.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Metrics that the hardware samples in one pass. The guide calls it a pass group (5.1).
struct pm_group {
    std::vector<std::size_t> members{};       // indices of the requested list
    std::vector<std::string> metrics{};       // their names
    std::vector<std::uint8_t> config_image{}; // CUPTI keeps a pointer to it

    [[nodiscard]] std::vector<char const*> names() const {
        std::vector<char const*> list;
        for (std::string const& metric : metrics) list.push_back(metric.c_str());
        return list;
    }
};

// Plans the sampling of a device, without using its counters.
class pm_planner {
public:
    // Asks which counters the device can sample. Errors: unavailable before CUPTI 12.6, below
    // capability 7.5, or where CUPTI says so; permission; busy.
    [[nodiscard]] static result<pm_planner> try_open(device const& gpu) {
        abi::cupti_table const& cupti = gpu.cupti();
        for (auto const& [call, missing] :
             {std::pair{"cuptiProfilerInitialize", cupti.ProfilerInitialize == nullptr},
              std::pair{"cuptiProfilerHostInitialize", cupti.ProfilerHostInitialize == nullptr},
              std::pair{"cuptiPmSamplingEnable", cupti.PmSamplingEnable == nullptr},
              std::pair{"cuptiPmSamplingGetCounterAvailability", cupti.PmSamplingGetCounterAvailability == nullptr}})
            if (missing) return unavailable_call(gpu.machine(), call);
        abi::CUpti_Profiler_Initialize_Params start;
        if (auto const status = cupti.ProfilerInitialize(&start)) return explain("cuptiProfilerInitialize", status);
        if (gpu.chip().empty()) return gpu.why_no_chip();
        abi::CUpti_PmSampling_GetCounterAvailability_Params asked;
        asked.deviceIndex = static_cast<std::size_t>(gpu.ordinal());
        char const* const call = "cuptiPmSamplingGetCounterAvailability";
        if (auto const status = cupti.PmSamplingGetCounterAvailability(&asked)) return refused(gpu, call, status);
        std::vector<std::uint8_t> image(asked.counterAvailabilityImageSize);
        asked.pCounterAvailabilityImage = image.data();
        if (auto const status = cupti.PmSamplingGetCounterAvailability(&asked)) return refused(gpu, call, status);
        return pm_planner{gpu, std::move(image)};
    }

    // Distributes metrics over groups: each metric, in order, goes into the first group that
    // remains one pass. Errors: invalid_argument for an empty list or a metric that takes several
    // passes alone; unknown_metric, with the nearest names. Cost: 2 to 20 ms a configuration; one
    // configuration if all metrics fit one pass.
    [[nodiscard]] result<std::vector<pm_group>> try_plan(std::span<std::string const> metrics) const {
        pm_group all;
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            all.members.push_back(i);
            all.metrics.push_back(metrics[i]);
        }
        auto passes = try_configure(all);
        if (!passes) return std::move(passes).error();
        std::vector<pm_group> groups;
        if (*passes == 1) {
            groups.push_back(std::move(all));
            return groups;
        }
        for (std::size_t i = 0; i < metrics.size(); ++i) {
            bool placed = false;
            for (std::size_t at = 0; at <= groups.size() && !placed; ++at) {
                pm_group wider = at < groups.size() ? groups[at] : pm_group{};
                wider.members.push_back(i);
                wider.metrics.push_back(metrics[i]);
                auto const needed = try_configure(wider);
                if (!needed) return needed.error();
                if (*needed == 1) {
                    if (at == groups.size()) groups.emplace_back();
                    groups[at] = std::move(wider);
                    placed = true;
                } else if (at == groups.size()) {
                    return error{errc::invalid_argument, 0,
                                 detail::joined({metrics[i], " takes ", std::to_string(*needed), " passes by itself"}),
                                 "samples are of one pass", "sample the counters that it is made of"};
                }
            }
        }
        return groups;
    }

private:
    pm_planner(device const& gpu, std::vector<std::uint8_t> availability)
        : cupti_{&gpu.cupti()}, chip_{gpu.chip()}, source_{gpu.source()}, availability_{std::move(availability)} {}

    [[nodiscard]] static error refused(device const& gpu, std::string_view call, abi::CUptiResult status) {
        error why = explain_on(gpu.driver(), gpu.context(), call, status);
        if (status == abi::CUPTI_ERROR_NOT_SUPPORTED) {
            why.cause = "this device, or this CUPTI on it, cannot sample counters: that takes capability 7.5 or later, "
                        "and no MIG partition, vGPU or WSL";
            why.remedy = "profile ranges (gpuprof::profiler)";
        }
        return why;
    }
    // Configures a group and returns the number of its passes.
    [[nodiscard]] result<std::size_t> try_configure(pm_group& group) const {
        auto host = metric_host::try_open(*cupti_, chip_, availability_, source_, abi::CUPTI_PROFILER_TYPE_PM_SAMPLING);
        if (!host) return std::move(host).error();
        auto configured = host->try_configure(group.names());
        if (!configured) {
            error why = std::move(configured).error();
            if (why.code == errc::unknown_metric && !why.what.empty())
                why.cause += "; that metric cannot be sampled, though ranges may have it";
            return why;
        }
        group.config_image = std::move(configured->image);
        return configured->passes;
    }

    abi::cupti_table const* cupti_;
    std::string chip_;
    device_source source_;
    std::vector<std::uint8_t> availability_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_PM_PLAN_HPP
