// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The CUDA release whose libcupti the embedded one is. It decides the version that CUPTI reports
// and the layouts of its activity records. The bodies are in activity.cpp.
#ifndef GPUPROF_SRC_SIM_CUPTI_RELEASE_HPP
#define GPUPROF_SRC_SIM_CUPTI_RELEASE_HPP

#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include <gpuprof/hw/activity/release.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

inline constexpr activity::cuda_release release_of_table = activity::release(13, 0);
inline constexpr activity::cuda_release release_of_legacy_table = activity::release(12, 9);
inline constexpr activity::cuda_release release_of_target_table = activity::release(12, 5);

// Gives both tables the version, the kinds and the layouts of another release, for tests of code
// that reads records. Without an argument they are again what they were. Call it while no activity
// is enabled.
void set_release(activity::cuda_release release = {}) noexcept;

// The release that a table is of now: the one that was set, or else its own.
[[nodiscard]] activity::cuda_release release_in_force(activity::cuda_release own) noexcept;

// The version that activity::release_of_cupti takes for the release; for 12.0 the later of its two.
// @pre the release is one that hw/activity/ has layouts of
[[nodiscard]] constexpr std::uint32_t version_of(activity::cuda_release release) noexcept {
    for (std::uint32_t version = 14; version <= 28; ++version)
        if (activity::release_of_cupti(version) == release) return release == release_of_legacy_table ? 28 : version;
    auto const number = static_cast<unsigned>(release);
    return number / 1000 * 10000 + number % 1000 / 10 * 100 + number % 10;
}

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_RELEASE_HPP
