// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of clock_lock.hpp.
#ifndef GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_INL_HPP
#define GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_INL_HPP

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../abi/attributes.hpp"
#include "../../machine/platform/directory.hpp"
#include "../../machine/platform/directory_lock.hpp"
#include "../../machine/platform/environment.hpp"
#include "../../machine/platform/file.hpp"
#include "../../machine/platform/process_identity.hpp"
#include "../../machine/platform/process_number.hpp"
#include "clock_lock.hpp"
#include "neighbours.hpp"
#include "nvml.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::provided {

GPUPROF_INLINE std::string clock_lock_directory() {
    return platform::is_windows ? platform::variable_or_empty("TEMP") : std::string{"/tmp"};
}

// Not of TMPDIR: all processes of the machine are to find the files.
inline constexpr std::string_view clock_file_begin = "gpuprof-clocks-";

[[nodiscard]] inline std::string clock_file_of(std::string const& directory, std::string_view bus_id) {
    std::string path = directory + '/' + std::string{clock_file_begin};
    for (char const c : bus_id) path += c == ':' || c == '/' ? '-' : c;
    return path;
}

// Who locked a GPU's clock: "1 <bus id> <process> <its start> <its list>".
struct clock_owner {
    std::string bus_id;
    platform::process_identity process;
};
[[nodiscard]] inline std::string clock_owner_text(clock_owner const& of) {
    return "1 " + of.bus_id + ' ' + of.process.number + ' ' + of.process.start + ' ' + of.process.list + '\n';
}
[[nodiscard]] inline std::optional<clock_owner> parsed_clock_owner(std::string_view text) {
    std::string words[5];
    for (std::string& word : words) {
        std::size_t const end = text.find_first_of(" \n");
        if (end == text.npos || end == 0) return {};
        word = text.substr(0, end);
        text.remove_prefix(end + 1);
    }
    if (words[0] != "1" || !text.empty()) return {};
    return clock_owner{words[1], {words[2], words[3], words[4]}};
}

[[nodiscard]] error clock_error(char const* call, nvml_result status);
GPUPROF_COLD GPUPROF_INLINE error clock_error(char const* call, nvml_result status) {
    switch (status) {
        case nvml_invalid_argument:
            return {errc::invalid_argument, status, call,
                    "the GPU has no such clock, or the driver knows no base clock",
                    "give one of the frequencies that nvidia-smi -q -d SUPPORTED_CLOCKS lists"};
        case nvml_not_supported:
            return {errc::unavailable, status, call, "this GPU cannot lock its clock: Volta and later can",
                    "leave the clocks as they are"};
        case nvml_no_permission:
            return {errc::permission, status, call, "this user may not lock the clocks of the GPU",
                    "run as root; or let root lock them before and put them back after: nvidia-smi "
                    "--lock-gpu-clocks=tdp,tdp, nvidia-smi --reset-gpu-clocks"};
        case nvml_gpu_is_lost:
            return {errc::device_lost, status, call, "the GPU is not reachable any more", "restart the machine"};
        default:
            return {errc::internal, status, call, "the management library did not say more",
                    "check that nvidia-smi works"};
    }
}
[[nodiscard]] inline error no_clock_call(nvml_table const& library, char const* call) {
    if (library.missing) return *library.missing;
    return {errc::unavailable, 0, call, "the driver's management library (NVML) has no such call", "update the driver"};
}

[[nodiscard]] result<nvml_device> try_clock_device(nvml_table const& library, std::string const& bus_id);
GPUPROF_INLINE result<nvml_device> try_clock_device(nvml_table const& library, std::string const& bus_id) {
    if (library.missing || library.handle_by_bus_id == nullptr)
        return no_clock_call(library, "nvmlDeviceGetHandleByPciBusId_v2");
    nvml_device gpu{};
    if (nvml_result const status = library.handle_by_bus_id(bus_id.c_str(), &gpu); status != 0)
        return clock_error("nvmlDeviceGetHandleByPciBusId_v2", status);
    return gpu;
}

// Where the clock is more than this program's to hold (Nsight Compute 2023.3, 6.2 and 7.1).
[[nodiscard]] result<void> try_own_clock(nvml_table const& library, nvml_device gpu);
GPUPROF_INLINE result<void> try_own_clock(nvml_table const& library, nvml_device gpu) {
    unsigned now = 0, later = 0, mode = 0;
    if (library.mig_mode != nullptr) {
        nvml_result const status = library.mig_mode(gpu, &now, &later);
        if (status != 0 && status != nvml_not_supported) return clock_error("nvmlDeviceGetMigMode", status);
        if (status == 0 && now != 0)
            return error{errc::unavailable, 0, "locking the clock",
                         "the GPU is split by MIG: its instances share one clock",
                         "as root, lock it for the whole GPU: nvidia-smi --lock-gpu-clocks=tdp,tdp"};
    }
    if (library.virtualization != nullptr) {
        nvml_result const status = library.virtualization(gpu, &mode);
        if (status != 0 && status != nvml_not_supported) return clock_error("nvmlDeviceGetVirtualizationMode", status);
        if (status == 0 && mode >= nvml_virtual_gpu)
            return error{errc::unavailable, 0, "locking the clock",
                         "the GPU is shared by virtual machines, and all of them would feel it",
                         "leave the clocks as they are, or lock them on the host while the other machines rest"};
    }
    return {};
}

// Resets the clock, then forgets who had locked it: a process that dies between leaves the file, and
// the next one resets again.
[[nodiscard]] result<void> try_reset_clock(nvml_table const& library, std::string const& bus_id,
                                           std::string const& file);
GPUPROF_INLINE result<void> try_reset_clock(nvml_table const& library, std::string const& bus_id,
                                            std::string const& file) {
    auto const gpu = try_clock_device(library, bus_id);
    if (!gpu) return gpu.error();
    if (library.reset_locked_clocks == nullptr) return no_clock_call(library, "nvmlDeviceResetGpuLockedClocks");
    if (nvml_result const status = library.reset_locked_clocks(*gpu); status != 0)
        return clock_error("nvmlDeviceResetGpuLockedClocks", status);
    if (!platform::remove_file(file))
        return error{errc::io, 0, file,
                     "the clock was put back, but the file that says who locked it cannot be removed", "remove it"};
    return {};
}

// Puts back what a dead process left of this GPU. Errors: busy if its process lives.
// @pre the lock of the file's directory is held
[[nodiscard]] result<bool> try_put_back(nvml_table const& library, std::string const& file);
GPUPROF_INLINE result<bool> try_put_back(nvml_table const& library, std::string const& file) {
    if (!platform::is_there(file)) return false;
    auto const text = platform::read_file(file, 4096, platform::file_owner::this_user);
    if (!text)
        return error{errc::permission, 0, file, "another user locked the clock of this GPU",
                     "wait for that user's program; if it has died, that user or root puts the clock back: nvidia-smi "
                     "--reset-gpu-clocks, and removes the file"};
    auto const owner = parsed_clock_owner(*text);
    if (!owner || !file.ends_with(clock_file_of({}, owner->bus_id)))
        return error{errc::io, 0, file, "it does not say who locked the clock of this GPU",
                     "as root, put it back with nvidia-smi --reset-gpu-clocks, and remove the file"};
    if (!platform::has_ended(owner->process))
        return error{
            errc::busy, 0, file, "process " + owner->process.number + " holds the clock of this GPU",
            "wait until it has ended; if it was in a container that is gone, put the clock back with nvidia-smi "
            "--reset-gpu-clocks, and remove the file"};
    if (auto reset = try_reset_clock(library, owner->bus_id, file); !reset) return std::move(reset).error();
    return true;
}

[[nodiscard]] inline error clock_files_locked(std::string const& directory) {
    return {errc::busy, 0, directory, "another process has held the lock of this directory for 5 s", "try again"};
}

} // namespace hw::provided

GPUPROF_INLINE put_back_clocks try_put_back_clocks(hw::provided::nvml_table const& library,
                                                   std::string const& directory) {
    using namespace hw::provided;
    put_back_clocks done;
    std::vector<std::string> files;
    platform::for_each_entry(directory, [&](std::string_view name) {
        if (name.starts_with(clock_file_begin)) files.push_back(directory + '/' + std::string{name});
    });
    if (files.empty()) return done;
    platform::directory_lock const lock{files[0]};
    if (lock.late()) {
        done.problems.push_back(clock_files_locked(directory));
        return done;
    }
    for (std::string const& file : files) {
        auto const back = try_put_back(library, file);
        if (back) done.gpus += *back ? 1 : 0;
        else if (back.error().code != errc::busy) done.problems.push_back(back.error());
    }
    return done;
}
GPUPROF_INLINE put_back_clocks try_put_back_clocks() {
    std::string const directory = hw::provided::clock_lock_directory();
    bool any = false;
    platform::for_each_entry(
        directory, [&any](std::string_view name) { any = any || name.starts_with(hw::provided::clock_file_begin); });
    return any ? try_put_back_clocks(hw::provided::nvml(), directory) : put_back_clocks{};
}

GPUPROF_INLINE result<clock_lock> clock_lock::try_create(hw::provided::clock_lock_place const& place,
                                                         unsigned megahertz) {
    using namespace hw::provided;
    nvml_table const& library = *place.library;
    if (place.is_integrated)
        return error{errc::unavailable, 0, "locking the clock",
                     "the GPU is a part of a Jetson, whose clocks NVML does not set",
                     "as root, run jetson_clocks, which locks them at their maximum"};
    auto const gpu = try_clock_device(library, place.bus_id);
    if (!gpu) return gpu.error();
    if (library.set_locked_clocks == nullptr) return no_clock_call(library, "nvmlDeviceSetGpuLockedClocks");
    if (library.reset_locked_clocks == nullptr) return no_clock_call(library, "nvmlDeviceResetGpuLockedClocks");
    if (auto own = try_own_clock(library, *gpu); !own) return std::move(own).error();

    std::string const file = clock_file_of(place.directory, place.bus_id);
    platform::directory_lock const lock{file};
    if (lock.late()) return clock_files_locked(place.directory);
    if (auto back = try_put_back(library, file); !back) return std::move(back).error();
    clock_owner const mine{place.bus_id, platform::this_process()};
    if (!platform::write_file(file, clock_owner_text(mine), platform::file_readers::this_user))
        return error{errc::io, 0, file, "the file that says who locks the clock cannot be written; nothing was locked",
                     "make its directory writable, or remove a file of that name"};
    unsigned const clock = megahertz == 0 ? unsigned{nvml_base_clock} : megahertz;
    if (nvml_result const status = library.set_locked_clocks(*gpu, clock, clock); status != 0) {
        platform::remove_file(file);
        return clock_error("nvmlDeviceSetGpuLockedClocks", status);
    }
    clock_lock made;
    made.library_ = &library;
    made.bus_id_ = place.bus_id;
    made.file_ = file;
    made.process_ = platform::process_number();
    return result<clock_lock>{std::move(made)};
}

GPUPROF_INLINE result<bool> hw::provided::try_put_back_clock(device const& gpu) {
    if (gpu.source() == device_source::embedded || gpu.machine().recorded != nullptr) return false;
    for (neighbour const& each : neighbours_of(gpu)) {
        std::string const file = clock_file_of(clock_lock_directory(), each.bus_id);
        if (each.ordinal != gpu.ordinal() || each.bus_id.empty() || !platform::is_there(file)) continue;
        platform::directory_lock const lock{file};
        if (lock.late()) return clock_files_locked(clock_lock_directory());
        return try_put_back(nvml(), file);
    }
    return false;
}

GPUPROF_INLINE result<clock_lock> clock_lock::try_create(device const& gpu, unsigned megahertz) {
    using namespace hw::provided;
    if (gpu.source() == device_source::embedded || gpu.machine().recorded != nullptr)
        return error{errc::unavailable, 0, "locking the clock", "the device is no GPU of this machine", ""};
    int integrated = 0;
    static_cast<void>(gpu.driver().DeviceGetAttribute(&integrated, abi::CU_DEVICE_ATTRIBUTE_INTEGRATED, gpu.handle()));
    clock_lock_place place{&nvml(), {}, clock_lock_directory(), integrated != 0};
    for (neighbour const& each : neighbours_of(gpu))
        if (each.ordinal == gpu.ordinal()) place.bus_id = each.bus_id;
    return try_create(place, megahertz);
}

GPUPROF_INLINE clock_lock::clock_lock(clock_lock&& other) noexcept
    : library_{std::exchange(other.library_, nullptr)},
      bus_id_{std::move(other.bus_id_)},
      file_{std::move(other.file_)},
      process_{other.process_} {}
GPUPROF_INLINE clock_lock& clock_lock::operator=(clock_lock&& other) noexcept {
    if (this == &other) return *this;
    static_cast<void>(try_release());
    library_ = std::exchange(other.library_, nullptr);
    bus_id_ = std::move(other.bus_id_);
    file_ = std::move(other.file_);
    process_ = other.process_;
    return *this;
}
GPUPROF_INLINE clock_lock::~clock_lock() { static_cast<void>(try_release()); }

GPUPROF_INLINE result<void> clock_lock::try_release() {
    auto const* const library = std::exchange(library_, nullptr);
    if (library == nullptr || process_ != platform::process_number()) return {};
    return hw::provided::try_reset_clock(*library, bus_id_, file_);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_UNCOUNTED_CLOCK_LOCK_INL_HPP
