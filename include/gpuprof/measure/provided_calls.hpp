// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Metrics without a counter behind pointers, so that a program that cannot ask for one does not compile them. Layer: measure.
#ifndef GPUPROF_MEASURE_PROVIDED_CALLS_HPP
#define GPUPROF_MEASURE_PROVIDED_CALLS_HPP

#include <string_view> // names

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../hw/launches/kernel_launch.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/provided/provided.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

struct provided_calls {
    result<hw::provided::provided_value> (*device)(gpuprof::device const& gpu, std::string_view name);
    result<hw::provided::provided_value> (*launch)(gpuprof::device const& gpu, hw::kernel_launch const& launch,
                                                   std::string_view name);
    result<double> (*collection)(hw::provided::collection_facts const& of, std::string_view name);
};

// Null until a profiler is made that may need them. They are a second of compiling at -O2.
inline constinit provided_calls const* provided = nullptr;

GPUPROF_LAZY void use_provided() noexcept {
    static constexpr provided_calls calls{
        [](gpuprof::device const& gpu, std::string_view name) { return hw::provided::try_device_value(gpu, name); },
        [](gpuprof::device const& gpu, hw::kernel_launch const& launch, std::string_view name) {
            return hw::provided::try_launch_value(gpu, launch, name);
        },
        [](hw::provided::collection_facts const& of, std::string_view name) {
            return hw::provided::try_profiler_value(of, name);
        }};
    store_release(provided, &calls);
}

// Whether values of a metric may come from there. What is no descriptor of a name (a legacy metric) is made of counters.
template <class Metric>
inline constexpr bool may_be_provided = false;
template <class Metric>
    requires requires { Metric::source(); }
inline constexpr bool may_be_provided<Metric> =
    Metric::source() != metric_source::hardware && Metric::source() != metric_source::sass;

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_PROVIDED_CALLS_HPP
