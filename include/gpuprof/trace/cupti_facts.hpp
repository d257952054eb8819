// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUPTI itself says of functions, callbacks and devices, where gpuprof's own tables may be older than it.
#ifndef GPUPROF_TRACE_CUPTI_FACTS_HPP
#define GPUPROF_TRACE_CUPTI_FACTS_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/status.hpp"
#include "callback_ids.hpp"
#include "function_names.hpp"

GPUPROF_NAMESPACE_BEGIN

// name(function), or what the machine's CUPTI calls a function that came after CUDA 13.5; empty if it does not know it either.
// Lives as long as CUPTI. Cost: a look-up in a table, else a call of CUPTI. Thread-safe. CUPTI 12.0, 2.4.
template <function_id Id>
[[nodiscard]] std::string_view name(hw::machine const& on, Id function) {
    if (auto const known = name(function); !known.empty()) return known;
    constexpr auto domain = std::is_same_v<Id, driver_function>    ? abi::CUPTI_CB_DOMAIN_DRIVER_API
                            : std::is_same_v<Id, runtime_function> ? abi::CUPTI_CB_DOMAIN_RUNTIME_API
                                                                   : abi::CUPTI_CB_DOMAIN_NVTX;
    char const* text = nullptr;
    if (on.cupti.GetCallbackName == nullptr ||
        on.cupti.GetCallbackName(domain, static_cast<std::uint32_t>(function), &text) != abi::CUPTI_SUCCESS)
        return {};
    return text != nullptr ? text : std::string_view{};
}

// The domains of callbacks that the machine's CUPTI has, each of them whole. Those that no CUPTI up to CUDA 13.5 has are left
// out. Errors: unavailable where CUPTI lacks the call; what it says.
[[nodiscard]] inline result<callback_set> try_supported_callbacks(hw::machine const& on) {
    constexpr char const* symbol = "cuptiSupportedDomains";
    if (on.cupti.SupportedDomains == nullptr) return hw::unavailable_call(on, symbol);
    std::size_t count = 0;
    abi::CUpti_CallbackDomain* domains = nullptr;
    if (auto const status = on.cupti.SupportedDomains(&count, &domains)) return hw::explain(symbol, status);
    callback_set all;
    for (std::size_t i = 0; i < count; ++i) all |= callback_set::all_of(domains[i]);
    return all;
}

// What CUPTI says of a device. A part is empty where CUPTI lacks the call or refuses it.
struct cupti_device_facts {
    std::optional<bool> is_supported = {};     // cuptiDeviceSupported
    std::optional<bool> knows_capability = {}; // cuptiComputeCapabilitySupported: true of an H200 in CUDA 11.2, too
    std::optional<abi::CUpti_DeviceVirtualizationMode> virtualization = {};
    std::optional<abi::CUpti_ActivityAutoBoostState> auto_boost = {}; // with the process that asked for it
};
// Asks CUPTI for them. Cost: four calls. Thread-safe.
[[nodiscard]] inline cupti_device_facts facts_of_cupti(device const& gpu) {
    cupti_device_facts all;
    abi::cupti_table const& cupti = gpu.cupti();
    abi::CUdevice const handle = gpu.handle();
    int yes = 0;
    if (cupti.DeviceSupported != nullptr && cupti.DeviceSupported(handle, &yes) == abi::CUPTI_SUCCESS)
        all.is_supported = yes != 0;
    auto const capability = gpu.capability();
    if (cupti.ComputeCapabilitySupported != nullptr &&
        cupti.ComputeCapabilitySupported(capability.generation, capability.revision, &yes) == abi::CUPTI_SUCCESS)
        all.knows_capability = yes != 0;
    abi::CUpti_DeviceVirtualizationMode mode{};
    if (cupti.DeviceVirtualizationMode != nullptr &&
        cupti.DeviceVirtualizationMode(handle, &mode) == abi::CUPTI_SUCCESS)
        all.virtualization = mode;
    abi::CUpti_ActivityAutoBoostState boost{};
    if (cupti.GetAutoBoostState != nullptr && cupti.GetAutoBoostState(gpu.context(), &boost) == abi::CUPTI_SUCCESS)
        all.auto_boost = boost;
    return all;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_CUPTI_FACTS_HPP
