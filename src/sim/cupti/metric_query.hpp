// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI calls that enumerate the metrics of the embedded GPU and the events they need. Answers are
// those of the metric API's reference (CUPTI 5.0).
#ifndef GPUPROF_SRC_SIM_CUPTI_METRIC_QUERY_HPP
#define GPUPROF_SRC_SIM_CUPTI_METRIC_QUERY_HPP

#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/abi/cupti.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_metric;
class event_table;
} // namespace sim

namespace sim::cupti {
using namespace abi;

namespace detail {

struct found_metric {
    event_table const* catalogue = nullptr;
    chip_metric const* metric = nullptr;
};

[[nodiscard]] found_metric find_metric_id(CUpti_MetricID id);

} // namespace detail

CUptiResult get_num_metrics(std::uint32_t* count);
CUptiResult enum_metrics(std::size_t* size, CUpti_MetricID* metrics);
CUptiResult device_get_num_metrics(CUdevice device, std::uint32_t* count);
CUptiResult device_enum_metrics(CUdevice device, std::size_t* size, CUpti_MetricID* metrics);

CUptiResult metric_get_attribute(CUpti_MetricID metric, CUpti_MetricAttribute attribute, std::size_t* size,
                                 void* value);

CUptiResult metric_get_id_from_name(CUdevice device, char const* name, CUpti_MetricID* metric);
CUptiResult metric_get_num_events(CUpti_MetricID metric, std::uint32_t* count);

// Events that no domain lists are among them.
CUptiResult metric_enum_events(CUpti_MetricID metric, std::size_t* size, CUpti_EventID* events);

CUptiResult metric_get_num_properties(CUpti_MetricID metric, std::uint32_t* count);

CUptiResult metric_enum_properties(CUpti_MetricID metric, std::size_t* size, CUpti_MetricPropertyID* properties);

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_METRIC_QUERY_HPP
