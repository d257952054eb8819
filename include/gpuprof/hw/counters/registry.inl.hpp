// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of registry.hpp.
#ifndef GPUPROF_HW_COUNTERS_REGISTRY_INL_HPP
#define GPUPROF_HW_COUNTERS_REGISTRY_INL_HPP

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "../../core/compute_capability_text.hpp"
#include "../../core/error.hpp"
#include "registry.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

namespace registry {

// Of two backends that failed one after the other, the first one's error: it is why the second one
// was asked.
[[nodiscard]] error with_second_failure(error first, error const& second);
GPUPROF_INLINE error with_second_failure(error first, error const& second) {
    first.cause = gpuprof::detail::joined({first.cause, first.cause.empty() ? "" : "; ",
                                           "what was tried instead failed, too: ", second.what,
                                           second.cause.empty() ? "" : ", because ", second.cause});
    return first;
}

// The plan of a backend that was asked because one before it failed.
class second_choice final : public counter_plan {
public:
    second_choice(gpuprof::detail::owned<counter_plan> plan, error first_failure)
        : plan_{std::move(plan)}, first_failure_{std::move(first_failure)} {}
    [[nodiscard]] std::size_t passes() const override { return plan_->passes(); }
    [[nodiscard]] bool remembered() const override { return plan_->remembered(); }
    [[nodiscard]] std::string_view hardware() const override { return plan_->hardware(); }
    [[nodiscard]] bool replays_kernels_in_scopes() const override { return plan_->replays_kernels_in_scopes(); }
    void forget() const override { plan_->forget(); }
    [[nodiscard]] result<gpuprof::detail::owned<counter_session>> try_open(device const& gpu) const override {
        auto opened = plan_->try_open(gpu);
        if (!opened) return with_second_failure(first_failure_, opened.error());
        return opened;
    }

private:
    gpuprof::detail::owned<counter_plan> plan_;
    error first_failure_;
};

} // namespace registry

GPUPROF_INLINE bool has_backend_for(compute_capability capability) {
    for (registration const* entry = registration::first(); entry != nullptr; entry = entry->next())
        if (entry->backend().supports(capability)) return true;
    return false;
}

GPUPROF_INLINE result<gpuprof::detail::owned<counter_plan>>
try_plan_counters(device const& gpu, std::span<std::string const> metrics, range_mode ranges) {
    std::optional<error> first_failure;
    for (registration const* entry = registration::first(); entry != nullptr; entry = entry->next()) {
        counter_backend const& backend = entry->backend();
        if (!backend.supports(gpu.capability())) continue;
        auto const wanted = backend.wants(gpu, metrics, ranges);
        if (!wanted && !first_failure) first_failure = wanted.error();
        if (!wanted || !*wanted) continue;
        auto planned = backend.try_plan(gpu, metrics);
        if (!first_failure) return planned;
        if (!planned) return registry::with_second_failure(*std::move(first_failure), planned.error());
        return gpuprof::detail::owned<counter_plan>{
            new registry::second_choice{*std::move(planned), *std::move(first_failure)}};
    }
    if (first_failure) return *std::move(first_failure);
    compute_capability const has = gpu.capability();
    return error{errc::unavailable, 0,
                 gpuprof::detail::joined({gpu.name(), " has compute capability ", capability_text(has)}),
                 "no counter hardware of that generation is supported by this build",
                 has.has_event_hardware()
                     ? "include gpuprof/legacy.hpp, which adds the events and metrics of capability 2.0 to 7.2"
                     : "measure on a device of capability 7.0 or later"};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_REGISTRY_INL_HPP
