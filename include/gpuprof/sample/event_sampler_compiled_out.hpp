// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: a sampler of events that counts none. See measure/compiled_out.hpp.
#ifndef GPUPROF_SAMPLE_EVENT_SAMPLER_COMPILED_OUT_HPP
#define GPUPROF_SAMPLE_EVENT_SAMPLER_COMPILED_OUT_HPP

#include <cstddef>
#include <span>
#include <string>

#include "../core/result.hpp"
#include "../detail/builtin.hpp"
#include "../hw/machine/compiled_out.hpp"
#include "event_sample.hpp"

GPUPROF_NAMESPACE_BEGIN

// Each sample has a NaN for each event: programs index counts by the events that they asked for.
class event_sampler {
public:
    [[nodiscard]] static result<event_sampler> try_open(device const&, std::span<std::string const> names) {
        return event_sampler{names.size()};
    }
    event_sampler(event_sampler&&) noexcept = default;
    event_sampler& operator=(event_sampler&&) = delete;
    constexpr ~event_sampler() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning

    [[nodiscard]] result<void> try_sample(event_sample& sample) {
        sample.timestamp_ns = 0;
        sample.counts.assign(asked_, detail::quiet_nan);
        return {};
    }

private:
    explicit constexpr event_sampler(std::size_t asked) noexcept : asked_{asked} {}
    std::size_t asked_; // how many events
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_EVENT_SAMPLER_COMPILED_OUT_HPP
