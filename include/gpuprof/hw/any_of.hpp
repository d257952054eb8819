// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A backend policy that chooses among several, known when compiling, per device. Layer: hw.
#ifndef GPUPROF_HW_ANY_OF_HPP
#define GPUPROF_HW_ANY_OF_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <optional>    // chosen or not
#include <span>        // lists of metrics
#include <string>      // metric names
#include <string_view> // names
#include <utility>     // std::move
#include <variant>     // one of the policies' plans
#include <vector>      // values

#include "counter_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The first of Policies that supports a device's capability, and wants the metrics if it is one that chooses, plans and
// measures on it. Two devices of one process may go to two policies. One indirect choice a call; see the policies for
// everything else.
template <counter_hardware... Policies>
struct any_of {
    static constexpr std::string_view name = "any";
    [[nodiscard]] static constexpr bool supports(compute_capability capability) noexcept {
        return (Policies::supports(capability) || ...);
    }

    struct plan {
        std::variant<typename Policies::plan...> chosen;
        [[nodiscard]] std::size_t passes() const {
            return std::visit([](auto const& p) { return p.passes(); }, chosen);
        }
        [[nodiscard]] bool remembered() const {
            return std::visit([](auto const& p) { return p.remembered(); }, chosen);
        }
        [[nodiscard]] std::string_view hardware() const noexcept {
            constexpr std::string_view names[]{Policies::name...};
            return std::visit(
                [&](auto const& p) -> std::string_view {
                    if constexpr (requires { p.hardware(); }) return p.hardware();
                    else return names[chosen.index()];
                },
                chosen);
        }
    };

    [[nodiscard]] static result<plan> try_plan(device const& gpu, std::span<std::string const> metrics) {
        std::optional<result<plan>> made;
        auto const attempt = [&]<class Policy>() {
            if (made || !Policy::supports(gpu.capability())) return;
            if constexpr (requires { Policy::wants(gpu, metrics); })
                if (!Policy::wants(gpu, metrics)) return;
            auto planned = Policy::try_plan(gpu, metrics);
            if (planned) made.emplace(plan{*std::move(planned)});
            else made.emplace(std::move(planned).error());
        };
        (attempt.template operator()<Policies>(), ...);
        if (made) return *std::move(made);
        return error{errc::unavailable, 0,
                     std::string{gpu.name()} + " has compute capability " +
                         std::to_string(gpu.capability().generation) + '.' + std::to_string(gpu.capability().revision),
                     "no counter hardware of that generation is supported by this build", "measure on another device"};
    }
    static void forget(plan const& refused) {
        auto const one = [&]<class Policy>() {
            if (auto const* mine = std::get_if<typename Policy::plan>(&refused.chosen)) Policy::forget(*mine);
        };
        (one.template operator()<Policies>(), ...);
    }

    class session {
    public:
        [[nodiscard]] static result<session> try_open(device const& gpu, plan const& what) {
            std::optional<result<session>> made;
            auto const attempt = [&]<class Policy>() {
                auto const* mine = std::get_if<typename Policy::plan>(&what.chosen);
                if (mine == nullptr) return;
                auto opened = Policy::session::try_open(gpu, *mine);
                if (opened) made.emplace(session{*std::move(opened)});
                else made.emplace(std::move(opened).error());
            };
            (attempt.template operator()<Policies>(), ...);
            return *std::move(made);
        }
        [[nodiscard]] result<void> try_prepare(session_shape const& shape) {
            return std::visit([&](auto& s) { return s.try_prepare(shape); }, chosen_);
        }
        [[nodiscard]] result<void> try_begin_round() {
            return std::visit([](auto& s) { return s.try_begin_round(); }, chosen_);
        }
        [[nodiscard]] result<void> try_push(std::uint32_t id) {
            return std::visit([id](auto& s) { return s.try_push(id); }, chosen_);
        }
        [[nodiscard]] result<void> try_pop() {
            return std::visit([](auto& s) { return s.try_pop(); }, chosen_);
        }
        [[nodiscard]] result<round_state> try_end_round() {
            return std::visit([](auto& s) { return s.try_end_round(); }, chosen_);
        }
        [[nodiscard]] result<std::vector<range_values>> try_read() {
            return std::visit([](auto& s) { return s.try_read(); }, chosen_);
        }

    private:
        template <class Session>
        explicit session(Session opened) : chosen_{std::move(opened)} {}
        std::variant<typename Policies::session...> chosen_;
    };
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ANY_OF_HPP
