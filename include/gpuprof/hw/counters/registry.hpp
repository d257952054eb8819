// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backends of a program, and which of them measures on a device.
#ifndef GPUPROF_HW_COUNTERS_REGISTRY_HPP
#define GPUPROF_HW_COUNTERS_REGISTRY_HPP

#include <span>
#include <string>

#include "../../core/compute_capability.hpp"
#include "../../core/result.hpp"
#include "../../detail/owned.hpp"
#include "../machine/device.hpp"
#include "counter_backend.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// An entry in the list of backends. Every program has two in it, which come last: CUPTI's profiling API before 12.6 and
// the range profiler; a header that a program opts into adds a backend before them by an object of static storage:
//
//     inline registration event_hardware_registered{backend<event_hardware>};
//
// Entries are asked in the order of their construction. @pre constructed before other threads
// measure (before main())
class registration {
public:
    explicit registration(counter_backend const& added) noexcept : backend_{&added}, next_{&profiling_api_} {
        registration** place = &first_;
        while (*place != &profiling_api_) place = &(*place)->next_;
        *place = this;
    }
    registration(registration const&) = delete;
    registration& operator=(registration const&) = delete;

    [[nodiscard]] static registration const* first() noexcept { return first_; }
    [[nodiscard]] registration const* next() const noexcept { return next_; } // null after the range profiler's
    [[nodiscard]] counter_backend const& backend() const noexcept { return *backend_; }

private:
    struct last_entry {};
    constexpr registration(counter_backend const& asked_late, last_entry, registration* next) noexcept
        : backend_{&asked_late}, next_{next} {}

    // Defined in range/range_registration.inl.hpp, which lies above this folder. No code runs
    // before main() for them: a profiler of static storage may be the first to ask.
    static registration range_profiler_;
    static registration profiling_api_;
    static registration* first_;

    counter_backend const* backend_;
    registration* next_ = nullptr;
};

// Whether a backend of this program measures devices of that capability.
[[nodiscard]] bool has_backend_for(compute_capability capability);

// The plan of the first backend that supports the device and wants the metrics in ranges of this mode, so that two devices
// of one process may go to two backends. Errors: unavailable where no backend supports the device;
// else those of the backend. Where a backend that comes first could not say whether it wants the
// metrics and the next one fails too, here or when its session opens, the error is the first one's,
// with the other in its cause. Cost: that of the policies; one virtual call an entry.
// Thread-safe.
[[nodiscard]] result<detail::owned<counter_plan>>
try_plan_counters(device const& gpu, std::span<std::string const> metrics, range_mode ranges = range_mode::user_range);

} // namespace hw
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "registry.inl.hpp"
#endif

#endif // GPUPROF_HW_COUNTERS_REGISTRY_HPP
