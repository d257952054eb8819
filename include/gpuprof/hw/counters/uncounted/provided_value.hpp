// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value of a metric that needs no counter: a number, a text, or one for each of several things.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_VALUE_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_VALUE_HPP

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/error.hpp"
#include "../../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

// Whether it is that name.
[[nodiscard]] constexpr bool is(std::string_view name, char const* other) noexcept { return name == other; }

// The value of one thing that a metric is instanced by: of a link, of a device, of a number of
// warps.
struct provided_instance {
    std::string key; // "0", "64 "; what it counts is the metric's instanced_by (metric/provider_metrics.hpp)
    double number = 0;
    std::string text = {}; // of a metric whose kind is text
};

// The metric as a whole is a number, or a text, or neither; instances are there for metrics that
// are instanced.
struct provided_value {
    std::optional<double> number = {}; // in the metric's unit
    std::string text = {};
    std::vector<provided_instance> instances = {};

    provided_value() = default;
    provided_value(double value) : number{value} {}               // NOLINT(google-explicit-constructor)
    provided_value(std::string value) : text{std::move(value)} {} // NOLINT(google-explicit-constructor)
    explicit provided_value(std::vector<provided_instance> each) : instances{std::move(each)} {}
};

namespace detail {
// Why a metric has no value here.
[[nodiscard]] inline error no_value(std::string_view name, std::string_view cause, std::string_view remedy = {}) {
    return {errc::unavailable, 0, name, cause, remedy};
}
} // namespace detail

} // namespace hw::provided
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_PROVIDED_VALUE_HPP
