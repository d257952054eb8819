// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of open.hpp. Layer: hw/replay.
#ifndef GPUPROF_HW_REPLAY_OPEN_INL_HPP
#define GPUPROF_HW_REPLAY_OPEN_INL_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // versions
#include <string>      // paths
#include <string_view> // paths
#include <utility>     // std::move

#include "../../core/json_text.hpp"
#include "../../metric/device_attributes.hpp"
#include "open.hpp"
#include "recording_file.hpp"
#include "replay_driver.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

GPUPROF_DEFINE result<device> try_open_recording(std::string_view path) {
    std::string file{path};
    auto read = try_read_recording(file);
    if (!read) return std::move(read).error();
    std::string const text = to_text(*read);
    replay::driver_state& state = replay::driver_state::instance();
    replay_session* session = nullptr;
    {
        platform::lock const held{state.mutex};
        for (replay_session* const each : state.sessions)
            if (each->file == file && to_text(each->what) == text) session = each;
        if (session == nullptr) {
            session = new replay_session{std::move(file), *std::move(read)};
            hw::machine& made = session->machine;
            made.driver = replay::make_driver_table();
            made.cupti = replay::make_cupti_table();
            for (library_report* const each : {&made.driver_library, &made.cupti_library})
                each->soname = "recording", each->path = session->file;
            made.driver_library.version = session->what.device.driver;
            made.cupti_library.version = session->what.device.cupti;
            made.recorded = session;
            session->ordinal = static_cast<int>(state.sessions.size());
            state.sessions.push_back(session);
        }
    }
    return device::try_open(session->machine, session->ordinal, session->what.device.source);
}

GPUPROF_DEFINE recorded_device describe_device(device const& gpu) {
    recorded_device made;
    made.name = gpuprof::detail::valid_utf8(gpu.name());
    made.chip = gpuprof::detail::valid_utf8(gpu.chip());
    made.capability = gpu.capability();
    made.source = gpu.source();
    abi::driver_table const& driver = gpu.driver();
    static_cast<void>(driver.DriverGetVersion(&made.driver));
    std::uint32_t cupti = 0;
    if (gpu.cupti().GetVersion != nullptr) static_cast<void>(gpu.cupti().GetVersion(&cupti));
    made.cupti = static_cast<int>(cupti);
    if (driver.DeviceTotalMem != nullptr) static_cast<void>(driver.DeviceTotalMem(&made.memory, gpu.handle()));
    int last = 0; // a number with two names is there once
    for (device_attribute const& each : gpuprof::detail::attributes::table) {
        int value = 0;
        if (each.number <= last) continue;
        last = each.number;
        if (driver.DeviceGetAttribute(&value, static_cast<abi::CUdevice_attribute>(each.number), gpu.handle()) ==
            abi::CUDA_SUCCESS)
            made.attributes.emplace_back(each.number, value);
    }
    return made;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_REPLAY_OPEN_INL_HPP
