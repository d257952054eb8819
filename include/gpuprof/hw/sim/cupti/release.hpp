// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Whose release's libcupti the embedded one is: it decides the version it tells and what its activity records look like.
// Layer: hw/sim, CUPTI table.
#ifndef GPUPROF_HW_SIM_CUPTI_RELEASE_HPP
#define GPUPROF_HW_SIM_CUPTI_RELEASE_HPP

#include <atomic>  // the setting
#include <cstdint> // versions

#include "../../../detail/config.hpp"
#include "../../../trace/activity/release.hpp"
#include "../../abi/results.hpp"
#include "../counters/activity_log.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {
using namespace abi;

inline constexpr activity::cuda_release release_of_table = activity::release(13, 0);
inline constexpr activity::cuda_release release_of_legacy_table = activity::release(12, 9);

namespace detail {
inline constinit std::atomic<activity::cuda_release> chosen_release{};
} // namespace detail

// Makes both tables those of another release, for tests of what reads records: its version, kinds and layouts; nothing else
// changes. Without an argument they are again what they were. Call it while no activity is enabled.
inline void set_release(activity::cuda_release of = {}) noexcept { detail::chosen_release = of; }

// The version that activity::release_of_cupti takes for the release; for 12.0 the later of its two. @pre the release is one that trace/activity/ has layouts of
[[nodiscard]] constexpr std::uint32_t version_of(activity::cuda_release of) noexcept {
    for (std::uint32_t version = 14; version <= 28; ++version)
        if (activity::release_of_cupti(version) == of) return of == release_of_legacy_table ? 28 : version;
    auto const number = static_cast<unsigned>(of);
    return number / 1000 * 10000 + number % 1000 / 10 * 100;
}

namespace detail {

[[nodiscard]] inline activity::cuda_release release_in_force(activity::cuda_release of) noexcept {
    auto const chosen = chosen_release.load(std::memory_order_relaxed);
    return chosen == activity::cuda_release{} ? of : chosen;
}

// A call through the table of a release: from then on records have its layouts.
template <activity::cuda_release Release, auto Call>
struct in_release;
template <activity::cuda_release Release, class... A, CUptiResult (*Call)(A...)>
struct in_release<Release, Call> {
    static CUptiResult call(A... arguments) {
        activity_log::instance().release = release_in_force(Release);
        return Call(arguments...);
    }
};

} // namespace detail

template <activity::cuda_release Release>
CUptiResult get_version_in(std::uint32_t* version) {
    if (version == nullptr) return CUPTI_ERROR_INVALID_PARAMETER;
    *version = version_of(detail::release_in_force(Release));
    return CUPTI_SUCCESS;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_RELEASE_HPP
