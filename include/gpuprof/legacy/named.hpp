// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Legacy metrics and events as descriptors: names checked at compile time, with the unit as a type.
#ifndef GPUPROF_LEGACY_NAMED_HPP
#define GPUPROF_LEGACY_NAMED_HPP

#include <string_view>

#include "../detail/fixed_string.hpp"
#include "../metric/metric.hpp"
#include "../core/units.hpp"
#include "lookup.hpp"

GPUPROF_NAMESPACE_BEGIN

// A legacy metric by name, as metric_descriptor is for the range hardware's. A name that no capability has does not
// compile. Everything is constant.
template <fixed_string Name>
struct legacy_metric_named {
private:
    static constexpr legacy_metric_descriptor const* found_ = legacy::find_metric(Name.view());
    static_assert(found_ != nullptr, "gpuprof: no capability has a legacy metric of this name");

public:
    // What was read, typed.
    [[nodiscard]] static constexpr quantity<found_->of> typed(double read) noexcept {
        return quantity<found_->of>{read};
    }
    [[nodiscard]] static constexpr std::string_view name() noexcept { return found_->name; }
    [[nodiscard]] static constexpr gpuprof::unit unit() noexcept { return found_->of; }
    [[nodiscard]] static constexpr legacy_metric_descriptor const& descriptor() noexcept { return *found_; }
    [[nodiscard]] static constexpr metric_ref ref() noexcept {
        bool const counts = found_->aggregation() == aggregation::sum;
        return {name(), unit(), found_->aggregation(), counts ? metric_kind::counter : metric_kind::ratio,
                metric_source::hardware};
    }
    constexpr operator metric_ref() const noexcept { return ref(); } // NOLINT(google-explicit-constructor): a twin
};

// The same for an event's count.
template <fixed_string Name>
struct legacy_event_named {
private:
    static constexpr event_descriptor const* found_ = legacy::find_event(Name.view());
    static_assert(found_ != nullptr, "gpuprof: no capability has an event of this name");

public:
    // What was read, typed.
    [[nodiscard]] static constexpr quantity<found_->of> typed(double read) noexcept {
        return quantity<found_->of>{read};
    }
    [[nodiscard]] static constexpr std::string_view name() noexcept { return found_->name; }
    [[nodiscard]] static constexpr gpuprof::unit unit() noexcept { return found_->of; }
    [[nodiscard]] static constexpr event_descriptor const& descriptor() noexcept { return *found_; }
    [[nodiscard]] static constexpr metric_ref ref() noexcept {
        return {name(), unit(), aggregation::sum, metric_kind::counter, metric_source::hardware};
    }
    constexpr operator metric_ref() const noexcept { return ref(); } // NOLINT(google-explicit-constructor): a twin
};

// gpuprof::legacy_metric<"achieved_occupancy">, gpuprof::legacy_event<"active_warps">.
template <fixed_string Name>
inline constexpr legacy_metric_named<Name> legacy_metric{};
template <fixed_string Name>
inline constexpr legacy_event_named<Name> legacy_event{};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_LEGACY_NAMED_HPP
