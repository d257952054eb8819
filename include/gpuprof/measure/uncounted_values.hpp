// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of metrics without a counter behind pointers: a file whose metrics all have counters does
// not compile them.
#ifndef GPUPROF_MEASURE_UNCOUNTED_VALUES_HPP
#define GPUPROF_MEASURE_UNCOUNTED_VALUES_HPP

#include <string_view>

#include "../core/result.hpp"
#include "../hw/callbacks/kernel_launch.hpp"
#include "../hw/counters/uncounted/provided.hpp"
#include "../hw/machine/device.hpp"
#include "../metric/kind.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Where the values of such metrics come from; see hw/counters/uncounted/provided.hpp. Called
// directly, they cost every header-only file with a profiler 1.3 s of 7.6 s (g++ 12.2, -O2).
struct uncounted_values {
    result<hw::provided::provided_value> (*device)(gpuprof::device const& gpu, std::string_view name);
    result<hw::provided::provided_value> (*launch)(gpuprof::device const& gpu, hw::kernel_launch const& launch,
                                                   std::string_view name);
    result<double> (*collection)(hw::provided::collection_facts const& of, std::string_view name);
};

// What a profiler is given whose list of metrics may have one of them.
inline constexpr uncounted_values all_uncounted_values{&hw::provided::try_device_value, &hw::provided::try_launch_value,
                                                       &hw::provided::try_profiler_value};

// Whether a descriptor's metric may have no counter. A descriptor without a source (a legacy
// metric) is made of counters.
template <class Metric>
inline constexpr bool may_be_uncounted = false;
template <class Metric>
    requires requires { Metric::source(); }
inline constexpr bool may_be_uncounted<Metric> =
    Metric::source() != metric_source::hardware && Metric::source() != metric_source::sass;

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_UNCOUNTED_VALUES_HPP
