// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of the embedded GPU's libcuda: its device, the tools that it loads, and how gpuprof knows it.
#include <algorithm>
#include <cstring>
#include <mutex>
#include <string>
#include <utility>

#include <gpuprof/hw/machine/embedded_library.hpp>
#include <gpuprof/hw/machine/platform/library.hpp>
#include <gpuprof/hw/machine/platform/library_file.hpp>
#include "../sim/driver/driver.hpp"
#include "../sim/image/zstd.hpp"
#include <gpuprof/sim/open.hpp>
#include "../sim/embedded_device.hpp"

#include "call.hpp"
#include "kernel_table.hpp"
#include "settings.hpp"
#include "zstd.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;

// The embedded driver's table as it is.
abi::driver_table const& embedded_table() {
    static abi::driver_table const one = is_legacy() ? sim::driver::legacy_table() : sim::driver::table();
    return one;
}

// Loads the library that CUDA_INJECTION64_PATH names and calls its InitializeInjection(), once, as NVIDIA's driver does in
// cuInit. Other threads wait until it has returned; the library itself may call cuInit. What goes wrong is told, and the
// program runs on.
void load_injection() {
    static std::recursive_mutex mutex;
    static bool is_loaded = false;
    std::lock_guard const held{mutex};
    std::string const& path = chosen_settings().injection;
    if (std::exchange(is_loaded, true) || path.empty()) return;
    platform::opened_library opened;
    if (platform::names_a_place(path)) opened.refusal = platform::library_defect(path);
    if (opened.refusal.empty()) opened = platform::open_library(path);
    else opened.refusal = path + ": " + opened.refusal;
    if (opened.handle == nullptr) return tell_once("CUDA_INJECTION64_PATH: " + opened.refusal);
    void* const entry = platform::find_symbol(opened.handle, "InitializeInjection");
    if (entry == nullptr) return tell_once("CUDA_INJECTION64_PATH: " + path + " has no InitializeInjection");
    if (reinterpret_cast<int (*)()>(entry)() == 0) tell_once("CUDA_INJECTION64_PATH: " + path + " did not begin");
}

// The devices are there from the first cuInit on, not before: a program that never calls CUDA pays nothing.
CUresult init(unsigned flags) {
    sim::gpu_process.claim();
    static bool const is_there = [] {
        auto const how = chosen_settings().in_passes ? sim::collection::in_passes : sim::collection::at_once;
        static_cast<void>(sim::detail::device_with(*chosen_settings().chip, how, chosen_settings().devices - 1));
        begin_kernel_table();
        return true;
    }();
    static_cast<void>(is_there);
    CUresult const status = embedded_table().Init(flags);
    if (status == CUDA_SUCCESS) load_injection();
    return status;
}

} // namespace

abi::driver_table const& table() {
    static auto const* const one = [] {
        sim::image::set_zstd_decoder(zstd_decoder());
        auto* const made = new driver_table{embedded_table()};
        made->Init = &program::boundary<&init>::call;
        return made;
    }();
    return *one;
}

bool is_legacy() { return chosen_settings().chip->capability().has_event_hardware(); }

} // namespace gpuprof::driver_library

// The mark by which the CUDA runtime over the embedded GPU, and gpuprof's loader, know this library, and the table that they
// use. Null for a table of another size: of another version of gpuprof. Thread-safe.
extern "C" __attribute__((visibility("default"))) gpuprof::abi::driver_table const*
gpuprof_embedded_driver(std::size_t table_bytes) {
    return table_bytes == sizeof(gpuprof::abi::driver_table) ? &gpuprof::driver_library::table() : nullptr;
}

// What gpuprof's loader asks of a driver library that it found: see embedded_library.hpp. Thread-safe.
extern "C" __attribute__((visibility("default"))) gpuprof::detail::embedded_services const*
gpuprof_embedded_services() {
    static gpuprof::detail::embedded_services const services{
        sizeof services,
        [](gpuprof::abi::CUcontext context, char* text, std::size_t size) {
            if (size == 0) return;
            auto const fault = gpuprof::sim::last_launch_error(context);
            std::string const message = fault ? fault->message() : std::string{};
            std::size_t const length = std::min(message.size(), size - 1);
            std::memcpy(text, message.data(), length);
            text[length] = '\0';
        },
        [](char const* chip, char const* metric) {
            return static_cast<unsigned char>(gpuprof::sim::embedded_machine().fidelity_of(chip, metric));
        },
        gpuprof::sim::embedded_machine().record_time};
    return &services;
}
