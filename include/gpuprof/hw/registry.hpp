// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A backend policy behind pointers, and the place for those that a program opts into by including a header. Layer: hw.
#ifndef GPUPROF_HW_REGISTRY_HPP
#define GPUPROF_HW_REGISTRY_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint32_t
#include <span>        // lists of metrics
#include <string>      // metric names
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // values

#include "counter_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A policy's functions behind pointers, so that what uses any policy depends on none.
struct hardware_functions {
    bool (*supports)(compute_capability);
    result<bool> (*wants)(device const&, std::span<std::string const> metrics);

    result<void*> (*try_plan)(device const&, std::span<std::string const> metrics);
    void (*delete_plan)(void* plan);
    std::size_t (*passes)(void const* plan);
    bool (*remembered)(void const* plan);
    std::string_view (*hardware)(void const* plan);
    void (*forget)(void const* plan);

    result<void*> (*try_open)(device const&, void const* plan);
    void (*delete_session)(void* session);
    result<void> (*try_prepare)(void* session, session_shape const&);
    result<void> (*try_begin_replay_pass)(void* session);
    result<void> (*try_push)(void* session, std::uint32_t id);
    result<void> (*try_pop)(void* session);
    result<replay_progress> (*try_end_replay_pass)(void* session);
    result<std::vector<range_values>> (*try_read)(void* session);
};

// The functions of a policy.
template <class Policy>
inline constexpr hardware_functions functions_of{
    [](compute_capability of) { return Policy::supports(of); },
    [](device const& gpu, std::span<std::string const> metrics) { return Policy::wants(gpu, metrics); },
    [](device const& gpu, std::span<std::string const> metrics) -> result<void*> {
        static_assert(counter_hardware<Policy>);
        auto made = Policy::try_plan(gpu, metrics);
        if (!made) return std::move(made).error();
        return static_cast<void*>(new typename Policy::plan{*std::move(made)});
    },
    [](void* plan) { delete static_cast<typename Policy::plan*>(plan); },
    [](void const* plan) { return static_cast<typename Policy::plan const*>(plan)->passes(); },
    [](void const* plan) { return static_cast<typename Policy::plan const*>(plan)->remembered(); },
    [](void const* plan) -> std::string_view { return static_cast<typename Policy::plan const*>(plan)->hardware(); },
    [](void const* plan) { Policy::forget(*static_cast<typename Policy::plan const*>(plan)); },
    [](device const& gpu, void const* plan) -> result<void*> {
        auto opened = Policy::session::try_open(gpu, *static_cast<typename Policy::plan const*>(plan));
        if (!opened) return std::move(opened).error();
        return static_cast<void*>(new typename Policy::session{*std::move(opened)});
    },
    [](void* session) { delete static_cast<typename Policy::session*>(session); },
    [](void* session, session_shape const& shape) {
        return static_cast<typename Policy::session*>(session)->try_prepare(shape);
    },
    [](void* session) { return static_cast<typename Policy::session*>(session)->try_begin_replay_pass(); },
    [](void* session, std::uint32_t id) { return static_cast<typename Policy::session*>(session)->try_push(id); },
    [](void* session) { return static_cast<typename Policy::session*>(session)->try_pop(); },
    [](void* session) { return static_cast<typename Policy::session*>(session)->try_end_replay_pass(); },
    [](void* session) { return static_cast<typename Policy::session*>(session)->try_read(); }};

// A policy that a header adds to those every program has: an object of static storage a policy, known from its constructor
// on, asked in the order in which they were made. @pre made before other threads measure (before main() begins).
class registration {
public:
    explicit registration(hardware_functions const& of) noexcept : functions_{&of} {
        registration** last = &first();
        while (*last != nullptr) last = &(*last)->next_;
        *last = this;
    }
    registration(registration const&) = delete;
    registration& operator=(registration const&) = delete;

    [[nodiscard]] static registration*& first() noexcept {
        static constinit registration* one = nullptr;
        return one;
    }
    [[nodiscard]] registration const* next() const noexcept { return next_; }
    [[nodiscard]] hardware_functions const& functions() const noexcept { return *functions_; }

private:
    hardware_functions const* functions_;
    registration* next_ = nullptr;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_REGISTRY_HPP
