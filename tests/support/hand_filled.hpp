// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A machine for tests whose tables are filled by hand: it answers what a test writes into test::answers.
#ifndef GPUPROF_TESTS_SUPPORT_HAND_FILLED_HPP
#define GPUPROF_TESTS_SUPPORT_HAND_FILLED_HPP

#include <cstddef>
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/machine.hpp>

namespace test {

namespace abi = gpuprof::abi;

struct hand_filled_device {
    std::string name = "Paper GPU";
    int generation = 9;
    int revision = 0;
    bool responds = true;
    std::map<abi::CUdevice_attribute, int> attributes = {}; // besides the capability; others are not known
    abi::CUpti_Profiler_DeviceSupported_Params support = {};
};

struct hand_filled_answers {
    abi::CUresult init = abi::CUDA_SUCCESS;
    abi::CUresult count = abi::CUDA_SUCCESS;
    abi::CUptiResult initialize = abi::CUPTI_SUCCESS;
    abi::CUptiResult supported = abi::CUPTI_SUCCESS;
    std::vector<hand_filled_device> devices = {};
    std::size_t contexts = 0; // primary contexts retained and not released
};
inline hand_filled_answers answers; // what the tables below say; one machine at a time

[[nodiscard]] inline abi::driver_table hand_filled_driver() {
    abi::driver_table table;
    table.Init = [](unsigned) { return answers.init; };
    table.DeviceGetCount = [](int* count) {
        *count = static_cast<int>(answers.devices.size());
        return answers.count;
    };
    table.DeviceGet = [](abi::CUdevice* device, int ordinal) {
        *device = ordinal;
        return answers.devices[static_cast<std::size_t>(ordinal)].responds ? abi::CUDA_SUCCESS
                                                                           : abi::CUDA_ERROR_UNKNOWN;
    };
    table.DeviceGetName = [](char* name, int length, abi::CUdevice device) {
        std::snprintf(name, static_cast<std::size_t>(length), "%s",
                      answers.devices[static_cast<std::size_t>(device)].name.c_str());
        return abi::CUDA_SUCCESS;
    };
    table.DeviceGetAttribute = [](int* value, abi::CUdevice_attribute which, abi::CUdevice device) {
        hand_filled_device const& of = answers.devices[static_cast<std::size_t>(device)];
        if (which == abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) *value = of.generation;
        else if (which == abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR) *value = of.revision;
        else if (of.attributes.count(which) != 0) *value = of.attributes.at(which);
        else return abi::CUDA_ERROR_INVALID_VALUE;
        return abi::CUDA_SUCCESS;
    };
    table.CtxGetCurrent = [](abi::CUcontext* context) {
        *context = nullptr;
        return abi::CUDA_SUCCESS;
    };
    table.CtxSetCurrent = [](abi::CUcontext) { return abi::CUDA_SUCCESS; };
    table.DevicePrimaryCtxRetain = [](abi::CUcontext* context, abi::CUdevice) {
        *context = reinterpret_cast<abi::CUcontext>(&answers); // an address, never looked at
        ++answers.contexts;
        return abi::CUDA_SUCCESS;
    };
    table.DevicePrimaryCtxRelease = [](abi::CUdevice) {
        --answers.contexts;
        return abi::CUDA_SUCCESS;
    };
    return table;
}

[[nodiscard]] inline abi::cupti_table hand_filled_cupti() {
    abi::cupti_table table;
    table.ProfilerInitialize = [](abi::CUpti_Profiler_Initialize_Params*) { return answers.initialize; };
    table.ProfilerDeviceSupported = [](abi::CUpti_Profiler_DeviceSupported_Params* p) {
        auto const device = p->cuDevice;
        *p = answers.devices[static_cast<std::size_t>(device)].support;
        p->cuDevice = device;
        return answers.supported;
    };
    table.RangeProfilerEnable = [](abi::CUpti_RangeProfiler_Enable_Params*) { return abi::CUPTI_ERROR_UNKNOWN; };
    return table;
}

// CUDA 13.0 and CUPTI 13.0, with the devices given, all supported unless they say otherwise.
[[nodiscard]] inline gpuprof::hw::machine hand_filled_machine(std::vector<hand_filled_device> devices) {
    answers = {};
    answers.devices = std::move(devices);
    for (hand_filled_device& each : answers.devices)
        if (each.support.isSupported == abi::CUPTI_PROFILER_CONFIGURATION_UNKNOWN)
            each.support.isSupported = abi::CUPTI_PROFILER_CONFIGURATION_SUPPORTED;
    gpuprof::hw::machine made;
    made.driver = hand_filled_driver();
    made.cupti = hand_filled_cupti();
    made.driver_library.path = "/paper/libcuda.so.1";
    made.driver_library.version = 13000;
    made.cupti_library.path = "/paper/libcupti.so.13";
    made.cupti_library.version = 130000;
    made.cupti_library.how = gpuprof::hw::found_by::toolkit;
    return made;
}

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_HAND_FILLED_HPP
