// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backend policy that chooses among the others at run time, per device. Layer: hw.
#ifndef GPUPROF_HW_ANY_HARDWARE_HPP
#define GPUPROF_HW_ANY_HARDWARE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <optional>    // an error or none
#include <span>        // lists of metrics
#include <string>      // metric names
#include <string_view> // names
#include <utility>     // std::exchange
#include <vector>      // values

#include "counter_hardware.hpp"
#include "registry.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Every kind of counter hardware that this program can use: what headers registered, then those every program has. The
// first that supports a device's capability, and wants the metrics, plans and measures on it, so that two devices of one
// process may go to two policies. One indirect call each; see the policies for everything else.
template <class... Policies>
struct basic_any_hardware {
    static constexpr std::string_view name = "any";

    [[nodiscard]] static bool supports(compute_capability capability);
    [[nodiscard]] static result<bool> wants(device const&, std::span<std::string const>) { return true; }

    class plan {
    public:
        plan(plan&& other) noexcept
            : calls_{other.calls_},
              held_{std::exchange(other.held_, nullptr)},
              passed_over_{std::move(other.passed_over_)} {}
        plan& operator=(plan&& other) noexcept {
            std::swap(calls_, other.calls_);
            std::swap(held_, other.held_);
            std::swap(passed_over_, other.passed_over_);
            return *this;
        }
        ~plan() {
            if (held_ != nullptr) calls_->delete_plan(held_);
        }
        [[nodiscard]] std::size_t passes() const { return calls_->passes(held_); }
        [[nodiscard]] bool remembered() const { return calls_->remembered(held_); }
        [[nodiscard]] std::string_view hardware() const { return calls_->hardware(held_); } // the policy's name

    private:
        friend basic_any_hardware;
        plan(hardware_functions const& calls, void* held, std::optional<error> passed_over) noexcept
            : calls_{&calls}, held_{held}, passed_over_{std::move(passed_over)} {}
        hardware_functions const* calls_;
        void* held_;
        std::optional<error> passed_over_; // why a policy that comes first could not say whether it wants the metrics
    };

    class session {
    public:
        [[nodiscard]] static result<session> try_open(device const& gpu, plan const& what) {
            auto made = what.calls_->try_open(gpu, what.held_);
            if (!made) return told_with(what.passed_over_, std::move(made).error());
            return session{*what.calls_, *made};
        }
        session(session&& other) noexcept : calls_{other.calls_}, held_{std::exchange(other.held_, nullptr)} {}
        session& operator=(session&&) = delete;
        ~session() {
            if (held_ != nullptr) calls_->delete_session(held_);
        }
        [[nodiscard]] result<void> try_prepare(session_shape const& shape) { return calls_->try_prepare(held_, shape); }
        [[nodiscard]] result<void> try_begin_replay_pass() { return calls_->try_begin_replay_pass(held_); }
        [[nodiscard]] result<void> try_push(std::uint32_t id) { return calls_->try_push(held_, id); }
        [[nodiscard]] result<void> try_pop() { return calls_->try_pop(held_); }
        [[nodiscard]] result<replay_progress> try_end_replay_pass() { return calls_->try_end_replay_pass(held_); }
        [[nodiscard]] result<std::vector<range_values>> try_read() { return calls_->try_read(held_); }

    private:
        session(hardware_functions const& calls, void* held) noexcept : calls_{&calls}, held_{held} {}
        hardware_functions const* calls_;
        void* held_;
    };

    // Errors: unavailable where no policy supports the device; else those of the policy.
    [[nodiscard]] static result<plan> try_plan(device const& gpu, std::span<std::string const> metrics);
    static void forget(plan const& refused) { refused.calls_->forget(refused.held_); }

private:
    // Of two policies that failed one after the other, the first one's error: it is why the second one was asked.
    [[nodiscard]] static error told_with(std::optional<error> const& first, error then) {
        if (!first) return then;
        error both = *first;
        both.cause = detail::joined({first->cause, first->cause.empty() ? "" : "; ",
                                     "what was tried instead failed, too: ", then.what,
                                     then.cause.empty() ? "" : ", because ", then.cause});
        return both;
    }
};

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "any_hardware.inl.hpp"
#endif

#endif // GPUPROF_HW_ANY_HARDWARE_HPP
