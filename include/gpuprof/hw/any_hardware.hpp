// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backend policy that chooses among the others at run time, per device. Layer: hw.
#ifndef GPUPROF_HW_ANY_HARDWARE_HPP
#define GPUPROF_HW_ANY_HARDWARE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <span>        // lists of metrics
#include <string>      // metric names
#include <string_view> // names
#include <utility>     // std::exchange
#include <vector>      // values

#include "../core/compute_capability_text.hpp"
#include "../detail/maybe.hpp"
#include "counter_hardware.hpp"
#include "range/range_hardware.hpp"
#include "registry.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Every kind of counter hardware that this program can use: what a header registered, then range hardware. The first
// that supports a device's capability, and wants the metrics, plans and measures on it, so that two devices of one
// process may go to two policies. One indirect call each; see the policies for everything else.
struct any_hardware {
    static constexpr std::string_view name = "any";

    [[nodiscard]] static bool supports(compute_capability capability) noexcept {
        for (hardware_functions const* const each : registered_functions)
            if (each != nullptr && each->supports(capability)) return true;
        return range_hardware::supports(capability);
    }

    GPUPROF_LAZY class basic_session;
    using session = basic_session<>;

    class plan {
    public:
        plan(plan&& other) noexcept : calls_{other.calls_}, held_{std::exchange(other.held_, nullptr)} {}
        plan& operator=(plan&& other) noexcept {
            std::swap(calls_, other.calls_);
            std::swap(held_, other.held_);
            return *this;
        }
        ~plan() {
            if (held_ != nullptr) calls_->delete_plan(held_);
        }
        [[nodiscard]] std::size_t passes() const { return calls_->passes(held_); }
        [[nodiscard]] bool remembered() const { return calls_->remembered(held_); }
        [[nodiscard]] std::string_view hardware() const { return calls_->hardware(held_); } // the policy's name

    private:
        friend any_hardware;
        template <class>
        friend class basic_session;
        plan(hardware_functions const& calls, void* held) noexcept : calls_{&calls}, held_{held} {}
        hardware_functions const* calls_;
        void* held_;
    };

    GPUPROF_LAZY [[nodiscard]] static result<plan> try_plan(device const& gpu, std::span<std::string const> metrics) {
        for (hardware_functions const* const each :
             {registered_functions[0], registered_functions[1], &functions_of<range_hardware>}) {
            if (each == nullptr || !each->supports(gpu.capability()) || !each->wants(gpu, metrics)) continue;
            auto made = each->try_plan(gpu, metrics);
            if (!made) return std::move(made).error();
            return plan{*each, *made};
        }
        return error{errc::unavailable, 0,
                     std::string{gpu.name()} + " has compute capability " + capability_text(gpu.capability()),
                     "no counter hardware of that generation is supported by this build",
                     gpu.capability().has_event_hardware()
                         ? "include gpuprof/events.hpp, which adds the events and metrics of capability 2.0 to 7.2"
                         : "measure on a device of capability 7.0 or later"};
    }
    static void forget(plan const& refused) { refused.calls_->forget(refused.held_); }
};

// A session of the range hardware lies in the object and is called directly, because a range of 4 us is pushed through it;
// a registered policy's is called through pointers.
template <class X>
class any_hardware::basic_session {
public:
    [[nodiscard]] static result<basic_session> try_open(device const& gpu, plan const& what) {
        if (what.calls_ == &functions_of<range_hardware>) {
            auto made = range_session::try_open(gpu, *static_cast<range_hardware::plan const*>(what.held_));
            if (!made) return std::move(made).error();
            return basic_session{*std::move(made)};
        }
        auto made = what.calls_->try_open(gpu, what.held_);
        if (!made) return std::move(made).error();
        return basic_session{*what.calls_, *made};
    }
    basic_session(basic_session&& other) noexcept
        : range_{std::move(other.range_)}, calls_{other.calls_}, held_{std::exchange(other.held_, nullptr)} {}
    basic_session& operator=(basic_session&&) = delete;
    ~basic_session() {
        if (held_ != nullptr) calls_->delete_session(held_);
    }
    [[nodiscard]] result<void> try_prepare(session_shape const& shape) {
        return range_ ? range_->try_prepare(shape) : calls_->try_prepare(held_, shape);
    }
    [[nodiscard]] result<void> try_begin_replay_pass() {
        return range_ ? range_->try_begin_replay_pass() : calls_->try_begin_replay_pass(held_);
    }
    [[nodiscard]] result<void> try_push(std::uint32_t id) {
        return range_ ? range_->try_push(id) : calls_->try_push(held_, id);
    }
    [[nodiscard]] result<void> try_pop() { return range_ ? range_->try_pop() : calls_->try_pop(held_); }
    [[nodiscard]] result<replay_progress> try_end_replay_pass() {
        return range_ ? range_->try_end_replay_pass() : calls_->try_end_replay_pass(held_);
    }
    [[nodiscard]] result<std::vector<range_values>> try_read() {
        return range_ ? range_->try_read() : calls_->try_read(held_);
    }

private:
    using range_session = range_hardware::basic_session<X>;
    explicit basic_session(range_session opened) : range_{std::move(opened)} {}
    basic_session(hardware_functions const& calls, void* held) noexcept : calls_{&calls}, held_{held} {}

    detail::maybe<range_session> range_{};
    hardware_functions const* calls_ = nullptr;
    void* held_ = nullptr;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ANY_HARDWARE_HPP
