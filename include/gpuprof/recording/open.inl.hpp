// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of open.hpp.
#ifndef GPUPROF_RECORDING_OPEN_INL_HPP
#define GPUPROF_RECORDING_OPEN_INL_HPP

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "../text/json_text.hpp"
#include "../metric/device_attributes.hpp"
#include "open.hpp"
#include "recording_file.hpp"
#include "replay_driver.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

GPUPROF_INLINE result<device> try_open_recording(std::string_view path) {
    std::string file{path};
    auto read = try_read_recording(file);
    if (!read) return std::move(read).error();
    std::string const text = to_text(*read);
    replay::driver_state& state = replay::driver_state::instance();
    replay_session* session = nullptr;
    {
        platform::lock const held{state.mutex};
        for (replay_session* const each : state.sessions)
            if (each->file == file && to_text(each->contents) == text) session = each;
        if (session == nullptr) {
            session = new replay_session{std::move(file), *std::move(read)};
            hw::machine& tables = session->machine;
            tables.driver = replay::make_driver_table();
            tables.cupti = replay::make_cupti_table();
            for (library_report* const each : {&tables.driver_library, &tables.cupti_library})
                each->soname = "recording", each->path = session->file;
            tables.driver_library.version = session->contents.device.driver;
            tables.cupti_library.version = session->contents.device.cupti;
            tables.recorded = session;
            session->ordinal = static_cast<int>(state.sessions.size());
            state.sessions.push_back(session);
        }
    }
    return device::try_open(session->machine, session->ordinal, session->contents.device.source);
}

GPUPROF_INLINE recorded_device describe_device(device const& gpu) {
    recorded_device described;
    described.name = gpuprof::detail::valid_utf8(gpu.name());
    described.chip = gpuprof::detail::valid_utf8(gpu.chip());
    described.capability = gpu.capability();
    described.source = gpu.source();
    abi::driver_table const& driver = gpu.driver();
    static_cast<void>(driver.DriverGetVersion(&described.driver));
    std::uint32_t cupti = 0;
    if (gpu.cupti().GetVersion != nullptr) static_cast<void>(gpu.cupti().GetVersion(&cupti));
    described.cupti = static_cast<int>(cupti);
    if (driver.DeviceTotalMem != nullptr) static_cast<void>(driver.DeviceTotalMem(&described.memory, gpu.handle()));
    int last = 0; // a number with two names is there once
    for (device_attribute const& each : gpuprof::detail::attributes::table) {
        int value = 0;
        if (each.number <= last) continue;
        last = each.number;
        if (driver.DeviceGetAttribute(&value, static_cast<abi::CUdevice_attribute>(each.number), gpu.handle()) ==
            abi::CUDA_SUCCESS)
            described.attributes.emplace_back(each.number, value);
    }
    return described;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_OPEN_INL_HPP
