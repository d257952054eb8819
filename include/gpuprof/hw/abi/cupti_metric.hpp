// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's metric API: values derived from events. Unchanged from CUPTI 5.0 on but for
// values added at the end of enumerations.
#ifndef GPUPROF_HW_ABI_CUPTI_METRIC_HPP
#define GPUPROF_HW_ABI_CUPTI_METRIC_HPP

#include <cstdint>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {

using CUpti_MetricID = std::uint32_t;

enum CUpti_MetricCategory : unsigned int {
    CUPTI_METRIC_CATEGORY_MEMORY = 0,
    CUPTI_METRIC_CATEGORY_INSTRUCTION = 1,
    CUPTI_METRIC_CATEGORY_MULTIPROCESSOR = 2,
    CUPTI_METRIC_CATEGORY_CACHE = 3,
    CUPTI_METRIC_CATEGORY_TEXTURE = 4,
    CUPTI_METRIC_CATEGORY_NVLINK = 5,
    CUPTI_METRIC_CATEGORY_PCIE = 6,
    CUPTI_METRIC_CATEGORY_FORCE_INT = 2147483647
};

// Whether the events' values are those of one domain instance, of all of them, or of either: a set of bits.
enum CUpti_MetricEvaluationMode : unsigned int {
    CUPTI_METRIC_EVALUATION_MODE_PER_INSTANCE = 1,
    CUPTI_METRIC_EVALUATION_MODE_AGGREGATE = 2,
    CUPTI_METRIC_EVALUATION_MODE_FORCE_INT = 2147483647
};

// Which member of CUpti_MetricValue holds the value.
enum CUpti_MetricValueKind : unsigned int {
    CUPTI_METRIC_VALUE_KIND_DOUBLE = 0,
    CUPTI_METRIC_VALUE_KIND_UINT64 = 1,
    CUPTI_METRIC_VALUE_KIND_PERCENT = 2,
    CUPTI_METRIC_VALUE_KIND_THROUGHPUT = 3, // bytes per second
    CUPTI_METRIC_VALUE_KIND_INT64 = 4,
    CUPTI_METRIC_VALUE_KIND_UTILIZATION_LEVEL = 5,
    CUPTI_METRIC_VALUE_KIND_FORCE_INT = 2147483647
};

// A level of utilisation, 0 to 10; CUPTI gives the values between as well.
enum CUpti_MetricValueUtilizationLevel : unsigned int {
    CUPTI_METRIC_VALUE_UTILIZATION_IDLE = 0,
    CUPTI_METRIC_VALUE_UTILIZATION_LOW = 2,
    CUPTI_METRIC_VALUE_UTILIZATION_MID = 5,
    CUPTI_METRIC_VALUE_UTILIZATION_HIGH = 8,
    CUPTI_METRIC_VALUE_UTILIZATION_MAX = 10,
    CUPTI_METRIC_VALUE_UTILIZATION_FORCE_INT = 2147483647
};

// Texts, but for the last three.
enum CUpti_MetricAttribute : unsigned int {
    CUPTI_METRIC_ATTR_NAME = 0,
    CUPTI_METRIC_ATTR_SHORT_DESCRIPTION = 1,
    CUPTI_METRIC_ATTR_LONG_DESCRIPTION = 2,
    CUPTI_METRIC_ATTR_CATEGORY = 3,        // CUpti_MetricCategory
    CUPTI_METRIC_ATTR_VALUE_KIND = 4,      // CUpti_MetricValueKind
    CUPTI_METRIC_ATTR_EVALUATION_MODE = 5, // CUpti_MetricEvaluationMode
    CUPTI_METRIC_ATTR_FORCE_INT = 2147483647
};

union CUpti_MetricValue {
    double metricValueDouble;
    std::uint64_t metricValueUint64;
    std::int64_t metricValueInt64;
    double metricValuePercent; // 57.5 for 57.5 %
    std::uint64_t metricValueThroughput;
    CUpti_MetricValueUtilizationLevel metricValueUtilizationLevel;
};

enum CUpti_MetricPropertyDeviceClass : unsigned int {
    CUPTI_METRIC_PROPERTY_DEVICE_CLASS_TESLA = 0,
    CUPTI_METRIC_PROPERTY_DEVICE_CLASS_QUADRO = 1,
    CUPTI_METRIC_PROPERTY_DEVICE_CLASS_GEFORCE = 2,
    CUPTI_METRIC_PROPERTY_DEVICE_CLASS_TEGRA = 3
};

// What a metric needs to know of the device, or of the kernel, beside its events.
enum CUpti_MetricPropertyID : unsigned int {
    CUPTI_METRIC_PROPERTY_MULTIPROCESSOR_COUNT = 0,
    CUPTI_METRIC_PROPERTY_WARPS_PER_MULTIPROCESSOR = 1,
    CUPTI_METRIC_PROPERTY_KERNEL_GPU_TIME = 2, // nanoseconds
    CUPTI_METRIC_PROPERTY_CLOCK_RATE = 3,      // kilohertz
    CUPTI_METRIC_PROPERTY_FRAME_BUFFER_COUNT = 4,
    CUPTI_METRIC_PROPERTY_GLOBAL_MEMORY_BANDWIDTH = 5, // kilobytes per second
    CUPTI_METRIC_PROPERTY_PCIE_LINK_RATE = 6,          // megabits per second
    CUPTI_METRIC_PROPERTY_PCIE_LINK_WIDTH = 7,
    CUPTI_METRIC_PROPERTY_PCIE_GEN = 8,
    CUPTI_METRIC_PROPERTY_DEVICE_CLASS = 9, // CUpti_MetricPropertyDeviceClass
    CUPTI_METRIC_PROPERTY_FLOP_SP_PER_CYCLE = 10,
    CUPTI_METRIC_PROPERTY_FLOP_DP_PER_CYCLE = 11,
    CUPTI_METRIC_PROPERTY_L2_UNITS = 12,
    CUPTI_METRIC_PROPERTY_ECC_ENABLED = 13,
    CUPTI_METRIC_PROPERTY_FLOP_HP_PER_CYCLE = 14,
    CUPTI_METRIC_PROPERTY_GPU_CPU_NVLINK_BANDWIDTH = 15
};

} // namespace abi
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ABI_CUPTI_METRIC_HPP
