// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The start of the embedded GPU's libcuda: which chip it is, and what it says to users.
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>

#include <gpuprof/text/printable.hpp>
#include <gpuprof/hw/machine/embedded_library.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include "../sim/chip/chips.hpp"
#include "../sim/driver/driver.hpp"
#include "../sim/image/zstd.hpp"
#include <gpuprof/sim/open.hpp>
#include "../sim/embedded_device.hpp"

#include "call.hpp"
#include "kernel_table.hpp"
#include "zstd.hpp"

namespace gpuprof::driver_library {
namespace {

using namespace abi;

// The chip that GPUPROF_CHIP names ("gv100", "7.0"); null for one that there is no model of.
sim::chip_model const* chosen_chip() {
    std::string const name = platform::variable_or_empty("GPUPROF_CHIP");
    sim::chip_model const* const found = name.empty() ? &sim::gh100 : sim::find_embedded_chip(name);
    if (found == nullptr) tell_once(sim::detail::no_such_chip(name).message());
    return found;
}

sim::chip_model const* chip() {
    static sim::chip_model const* const one = chosen_chip();
    return one;
}

// The embedded driver's table as it is.
abi::driver_table const& embedded_table() {
    static abi::driver_table const one = is_legacy() ? sim::driver::legacy_table() : sim::driver::table();
    return one;
}

// The device is there from the first cuInit on, not before: a program that never calls CUDA pays nothing.
CUresult init(unsigned flags) {
    static bool const is_there = [] {
        if (chip() == nullptr) return false;
        static_cast<void>(sim::detail::device_with(*chip(), sim::collection::at_once));
        begin_kernel_table();
        return true;
    }();
    return is_there ? embedded_table().Init(flags) : CUDA_ERROR_NO_DEVICE;
}

// NVIDIA's own runtime asks here whether the driver is NVIDIA's. It is not, and does not pretend to be.
CUresult get_export_table(void const**, CUuuid const*) {
    tell_once("this program asks for internal tables of NVIDIA's driver, which the embedded GPU does not have. If "
              "CUDA's runtime "
              "is linked into it statically, as nvcc does by default: build it with nvcc -cudart shared (or set "
              "NVCC_APPEND_FLAGS='-cudart shared' while it is built)");
    return CUDA_ERROR_NOT_SUPPORTED;
}

} // namespace

abi::driver_table const& table() {
    static auto const* const one = [] {
        sim::image::set_zstd_decoder(zstd_decoder());
        auto* const made = new driver_table{embedded_table()};
        made->Init = &init;
        return made;
    }();
    return *one;
}

bool is_legacy() { return chip() != nullptr && chip()->capability().has_event_hardware(); }

std::span<call const> start_calls() {
    static call const calls[]{call::of<&get_export_table>("cuGetExportTable")};
    return calls;
}

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
    static constexpr gpuprof::detail::embedded_services services{
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
        }};
    return &services;
}
