// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity record: clocks, temperature, power or fan of a device.
#ifndef GPUPROF_HW_ACTIVITY_ENVIRONMENT_HPP
#define GPUPROF_HW_ACTIVITY_ENVIRONMENT_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../abi/cupti_activity.hpp"
#include "../abi/cupti_activity_enums.hpp"
#include "field_reader.hpp"
#include "not_known.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

// The kind of a record: which members it has.
enum class environment_kind : unsigned {
    unknown = abi::CUPTI_ACTIVITY_ENVIRONMENT_UNKNOWN,
    speed = abi::CUPTI_ACTIVITY_ENVIRONMENT_SPEED,
    temperature = abi::CUPTI_ACTIVITY_ENVIRONMENT_TEMPERATURE,
    power = abi::CUPTI_ACTIVITY_ENVIRONMENT_POWER,
    cooling = abi::CUPTI_ACTIVITY_ENVIRONMENT_COOLING
};
[[nodiscard]] constexpr std::string_view to_text(environment_kind value) noexcept {
    switch (value) {
        case environment_kind::unknown: return "unknown";
        case environment_kind::speed: return "speed";
        case environment_kind::temperature: return "temperature";
        case environment_kind::power: return "power";
        case environment_kind::cooling: return "cooling";
    }
    return not_known;
}

// Clocks, temperature, power or fan of a device: `kind` says which; the other members are absent.
struct environment {
    static constexpr abi::CUpti_ActivityKind kinds[] = {abi::CUPTI_ACTIVITY_KIND_ENVIRONMENT};
    static constexpr record_form forms[] = {{release(11, 1), "CUpti_ActivityEnvironment", 40}};

    std::uint32_t device = 0;
    timestamp time{};
    environment_kind kind{};
    std::optional<std::uint32_t> sm_clock{};     // MHz; with speed
    std::optional<std::uint32_t> memory_clock{}; // MHz
    std::optional<std::uint32_t> pcie_generation{};
    std::optional<std::uint32_t> pcie_width{};
    std::optional<std::uint32_t> throttle_reasons{}; // bits of CUpti_EnvironmentClocksThrottleReason
    std::optional<std::uint32_t> temperature{};      // degrees Celsius; with temperature
    std::optional<std::uint32_t> power{};            // milliwatts; with power
    std::optional<std::uint32_t> power_limit{};      // milliwatts
    std::optional<std::uint32_t> fan_speed{};        // percent of the highest; with cooling

    template <class Row>
    GPUPROF_ALWAYS_INLINE constexpr void layout(Row& row) {
        row("deviceId", 4, 4, device);
        row("timestamp", 8, 8, time);
        row("environmentKind", 16, 4, kind);
        if (kind == environment_kind::speed) row("data.speed.smClock", 20, 4, sm_clock);
        if (kind == environment_kind::speed) row("data.speed.memoryClock", 24, 4, memory_clock);
        if (kind == environment_kind::speed) row("data.speed.pcieLinkGen", 28, 4, pcie_generation);
        if (kind == environment_kind::speed) row("data.speed.pcieLinkWidth", 32, 4, pcie_width);
        if (kind == environment_kind::speed) row("data.speed.clocksThrottleReasons", 36, 4, throttle_reasons);
        if (kind == environment_kind::temperature) row("data.temperature.gpuTemperature", 20, 4, temperature);
        if (kind == environment_kind::power) row("data.power.power", 20, 4, power);
        if (kind == environment_kind::power) row("data.power.powerLimit", 24, 4, power_limit);
        if (kind == environment_kind::cooling) row("data.cooling.fanSpeed", 20, 4, fan_speed);
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_ENVIRONMENT_HPP
