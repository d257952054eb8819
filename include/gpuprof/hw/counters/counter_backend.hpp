// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kind of counter hardware that is chosen while the program runs: abstract classes, and policy
// classes behind them.
#ifndef GPUPROF_HW_COUNTERS_COUNTER_BACKEND_HPP
#define GPUPROF_HW_COUNTERS_COUNTER_BACKEND_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../core/compute_capability.hpp"
#include "../../core/result.hpp"
#include "../../detail/owned.hpp"
#include "../machine/device.hpp"
#include "counter_data.hpp"
#include "counter_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The counters of one context, held from a plan's try_open() to destruction. It is prepared for a
// shape, then runs replay passes until one is the last, then is read; after an error only its
// destructor is to be called. See the policies for errors and costs. Thread: one at a time.
class counter_session {
public:
    counter_session() = default;
    counter_session(counter_session const&) = delete;
    counter_session& operator=(counter_session const&) = delete;
    virtual ~counter_session() = default;

    [[nodiscard]] virtual result<void> try_prepare(session_shape const& shape) = 0;
    [[nodiscard]] virtual result<void> try_begin_replay_pass() = 0;
    [[nodiscard]] virtual result<void> try_push(std::uint32_t id) = 0;
    [[nodiscard]] virtual result<void> try_pop() = 0;
    // Kernels between the two are not counted and have no number: for ranges of single kernels. Errors:
    // unavailable where the hardware cannot be stopped within a pass.
    [[nodiscard]] virtual result<void> try_pause() = 0;
    [[nodiscard]] virtual result<void> try_resume() = 0;
    [[nodiscard]] virtual result<replay_progress> try_end_replay_pass() = 0;
    [[nodiscard]] virtual result<std::vector<range_values>> try_read() = 0;
    // What try_read() read, for counter_backend::try_evaluate. Copies all of it. Errors: unavailable
    // where the hardware gives nothing but values.
    [[nodiscard]] virtual result<counter_data> try_keep() const = 0;
};

// Which counters a backend collects on a device, and in how many passes. Planning does not touch
// the counters. A value: const use is thread-safe.
class counter_plan {
public:
    counter_plan() = default;
    counter_plan(counter_plan const&) = delete;
    counter_plan& operator=(counter_plan const&) = delete;
    virtual ~counter_plan() = default;

    [[nodiscard]] virtual std::size_t passes() const = 0;
    // Whether an earlier plan was reused. Where the hardware refuses such a plan, forget() it and
    // plan again.
    [[nodiscard]] virtual bool remembered() const = 0;
    [[nodiscard]] virtual std::string_view hardware() const = 0; // the name in reports
    // Whether each kernel of a scope can be replayed by itself; see replay_modes.hpp.
    [[nodiscard]] virtual bool replays_kernels_in_scopes() const = 0;
    virtual void forget() const = 0;
    // Takes the counters of the device's context. @pre `gpu` is the device of the plan
    // Errors: busy, permission, unavailable; those of the policy.
    [[nodiscard]] virtual result<detail::owned<counter_session>> try_open(device const& gpu) const = 0;
};

// One kind of counter hardware. Objects are of static storage and have no state: thread-safe.
class counter_backend {
public:
    [[nodiscard]] virtual std::string_view name() const noexcept = 0; // for people
    // Whether devices of that capability have this hardware.
    [[nodiscard]] virtual bool supports(compute_capability capability) const = 0;
    // Whether it measures these metrics on this device, in ranges of this mode. Errors: what kept it from finding out.
    [[nodiscard]] virtual result<bool> wants(device const& gpu, std::span<std::string const> metrics,
                                             range_mode ranges) const = 0;
    // Errors: unknown_metric with the nearest names, unavailable, permission, invalid_argument;
    // those of the policy.
    [[nodiscard]] virtual result<detail::owned<counter_plan>> try_plan(device const& gpu,
                                                                       std::span<std::string const> metrics) const = 0;
    // The values of metrics from what a session of this backend kept, in this process or another.
    // The machine needs no GPU. Errors: unknown_metric, unavailable; version_mismatch where the
    // machine does not read that data.
    [[nodiscard]] virtual result<evaluated_counters> try_evaluate(machine const& here, counter_data const& kept,
                                                                  std::span<std::string const> metrics) const = 0;

protected:
    constexpr counter_backend() = default;
    ~counter_backend() = default; // nobody owns a backend
};

// The backend whose hardware a policy class describes. One virtual call for each call of the
// policy.
template <counter_hardware Policy>
class backend_of final : public counter_backend {
public:
    constexpr backend_of() = default;

    [[nodiscard]] std::string_view name() const noexcept override { return Policy::name; }
    [[nodiscard]] bool supports(compute_capability capability) const override { return Policy::supports(capability); }
    [[nodiscard]] result<bool> wants(device const& gpu, std::span<std::string const> metrics,
                                     range_mode ranges) const override {
        return Policy::wants(gpu, metrics, ranges);
    }
    [[nodiscard]] result<detail::owned<counter_plan>> try_plan(device const& gpu,
                                                               std::span<std::string const> metrics) const override {
        auto planned = Policy::try_plan(gpu, metrics);
        if (!planned) return std::move(planned).error();
        return detail::owned<counter_plan>{new plan{*std::move(planned)}};
    }
    [[nodiscard]] result<evaluated_counters> try_evaluate(machine const& here, counter_data const& kept,
                                                          std::span<std::string const> metrics) const override {
        return Policy::try_evaluate(here, kept, metrics);
    }

private:
    class session final : public counter_session {
    public:
        explicit session(typename Policy::session opened) : opened_{std::move(opened)} {}
        [[nodiscard]] result<void> try_prepare(session_shape const& shape) override {
            return opened_.try_prepare(shape);
        }
        [[nodiscard]] result<void> try_begin_replay_pass() override { return opened_.try_begin_replay_pass(); }
        [[nodiscard]] result<void> try_push(std::uint32_t id) override { return opened_.try_push(id); }
        [[nodiscard]] result<void> try_pop() override { return opened_.try_pop(); }
        [[nodiscard]] result<void> try_pause() override { return opened_.try_pause(); }
        [[nodiscard]] result<void> try_resume() override { return opened_.try_resume(); }
        [[nodiscard]] result<replay_progress> try_end_replay_pass() override { return opened_.try_end_replay_pass(); }
        [[nodiscard]] result<std::vector<range_values>> try_read() override { return opened_.try_read(); }
        [[nodiscard]] result<counter_data> try_keep() const override { return opened_.try_keep(); }

    private:
        typename Policy::session opened_;
    };

    class plan final : public counter_plan {
    public:
        explicit plan(typename Policy::plan planned) : planned_{std::move(planned)} {}
        [[nodiscard]] std::size_t passes() const override { return planned_.passes(); }
        [[nodiscard]] bool remembered() const override { return planned_.remembered(); }
        [[nodiscard]] std::string_view hardware() const override { return planned_.hardware(); }
        [[nodiscard]] bool replays_kernels_in_scopes() const override { return Policy::replays_kernels_in_scopes; }
        void forget() const override { Policy::forget(planned_); }
        [[nodiscard]] result<detail::owned<counter_session>> try_open(device const& gpu) const override {
            auto opened = Policy::session::try_open(gpu, planned_);
            if (!opened) return std::move(opened).error();
            return detail::owned<counter_session>{new session{*std::move(opened)}};
        }

    private:
        typename Policy::plan planned_;
    };
};

// The object of that class, one a program: `profiler_options::backend =
// &hw::backend<hw::range_hardware>`.
template <counter_hardware Policy>
inline constexpr backend_of<Policy> backend{};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_COUNTER_BACKEND_HPP
