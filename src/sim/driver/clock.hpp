// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Simulated time of a device: when its engines are free, how long copies take.
#ifndef GPUPROF_SRC_SIM_DRIVER_CLOCK_HPP
#define GPUPROF_SRC_SIM_DRIVER_CLOCK_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gpuprof/detail/config.hpp>
#include "../chip/chip_model.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// A part of the device that does one thing at a time. Copies overlap with kernels if they are in
// different streams; kernels of different streams take turns.
enum class engine : unsigned char { compute, copy_to_device, copy_to_host };

// Counts whole nanoseconds since the device was first used. Time passes only with work, so the same
// calls give the same times on every machine; how long the work really took plays no part.
class device_clock {
public:
    // Runs for `duration` as soon as the engine is free and `earliest` has come. @return when it
    // ends
    double run(engine on, double earliest, double duration) noexcept {
        double& free = free_[static_cast<std::size_t>(on)];
        free = (std::max)(free, earliest) + duration;
        return free;
    }

    // When work would begin that cannot begin before `earliest`.
    [[nodiscard]] double begin_of(engine on, double earliest) const noexcept {
        return (std::max)(free_[static_cast<std::size_t>(on)], earliest);
    }

private:
    std::array<double, 3> free_{};
};

// How long a copy takes: a microsecond, plus its bytes divided by the bandwidth of the link to the
// host or, within the device, by half the bandwidth of memory, because each byte is read and
// written.
[[nodiscard]] constexpr double copy_nanoseconds(chip_model const& chip, bool within_device,
                                                std::size_t bytes) noexcept {
    double const link = chip.link.bytes_per_nanosecond;
    double const memory = 32 * chip.count(hardware_unit::dram) * chip.dram_hz * 1e-9;
    double const moving = static_cast<double>(bytes) / (within_device ? memory / 2 : link);
    return std::floor(1000.5 + moving); // whole, so that sums are exact
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_CLOCK_HPP
