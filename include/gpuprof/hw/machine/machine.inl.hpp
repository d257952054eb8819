// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of machine.hpp: fills the tables from this machine's libraries. A loaded library is
// never unloaded: its callbacks and threads may outlive whoever loaded it.
#ifndef GPUPROF_HW_MACHINE_MACHINE_INL_HPP
#define GPUPROF_HW_MACHINE_MACHINE_INL_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../text/printable.hpp"
#include "../../detail/builtin.hpp"
#include "embedded_library.hpp"
#include "library.hpp"
#include "library_search.hpp"
#include "library_table.hpp"
#include "machine.hpp"
#include "platform/library.hpp"
#include "platform/library_file.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

GPUPROF_INLINE std::string cupti_version_text(int version) {
    if (version >= 130000) return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100);
    switch (version) {
        case 13: return "11.0";
        case 14: return "11.1 to 11.4";
        case 15: return "11.2 to 11.4";
        case 16: return "11.5 or 11.6";
        case 17: return "11.6 or 11.7";
        case 18: return "11.8, 12.0 or 12.1";
        case 19: return "12.0 or 12.1";
        case 20: return "12.2";
        case 21: return "12.3";
        case 22: return "12.4";
        case 23: return "12.5";
        case 24: return "12.6";
        case 26: return "12.8";
        case 27:
        case 28: return "12.9";
        default: return "API " + std::to_string(version);
    }
}

} // namespace hw

namespace detail {

// The services of the loaded driver library; null for hardware.
inline embedded_services const* loaded_services = nullptr;

// Marks the machine as embedded if its driver library is. @pre `handle` is the driver's
inline void adopt_services(hw::machine& loaded, void* handle) {
    auto const find = reinterpret_cast<embedded_services_call>(platform::find_symbol(handle, embedded_services_symbol));
    embedded_services const* const found = find == nullptr ? nullptr : find();
    if (found == nullptr || found->bytes < sizeof(embedded_services)) return;
    loaded_services = found;
    loaded.is_embedded = true;
    loaded.record_time = found->record_time;
    loaded.last_fault = [](abi::CUcontext context) {
        char text[2048] = {};
        loaded_services->last_fault(context, text, sizeof text);
        return std::string{text};
    };
    loaded.fidelity_of = [](std::string_view chip, std::string_view metric) {
        unsigned char const number =
            loaded_services->fidelity_of(std::string{chip}.c_str(), std::string{metric}.c_str());
        return number <= static_cast<unsigned char>(fidelity::always_zero) ? static_cast<fidelity>(number)
                                                                           : fidelity::estimated;
    };
}

inline void load_driver(hw::machine& loaded, hw::load_options const& options) {
    auto& report = loaded.driver_library;
    if (options.reuse_mapped)
        if (void* const handle = hw::open_mapped(hw::driver_stem, "cuDriverGetVersion"))
            if (adopt_library(loaded.driver, report, handle,
                              {hw::found_by::already_mapped, platform::library_path(handle)}))
                return adopt_services(loaded, handle);
    auto list = named_candidates(options.driver_path, "GPUPROF_CUDA_PATH", hw::driver_stem);
    if (list.empty()) list = hw::driver_candidates();
    for (auto const& from : list)
        if (void* const handle = open_candidate(from, report))
            if (adopt_library(loaded.driver, report, handle, from)) return adopt_services(loaded, handle);
    loaded.driver_error = absent_library(joined({"the CUDA driver, ", hw::driver_file, ","}), report,
                                         "install the NVIDIA driver, or name its library in GPUPROF_CUDA_PATH");
}

inline void load_cupti(hw::machine& loaded, hw::load_options const& options) {
    auto& report = loaded.cupti_library;
    if (loaded.is_embedded) // the embedded GPU's driver library is also CUPTI
        if (void* const handle = platform::open_mapped_library(loaded.driver_library.path.c_str()))
            if (adopt_library(loaded.cupti, report, handle, {hw::found_by::already_mapped, loaded.driver_library.path}))
                return;
    if (options.reuse_mapped)
        if (void* const handle = hw::open_mapped(hw::cupti_stem, "cuptiGetVersion"))
            if (adopt_library(loaded.cupti, report, handle,
                              {hw::found_by::already_mapped, platform::library_path(handle)}))
                return;
    auto list = named_candidates(options.cupti_path, "GPUPROF_CUPTI_PATH", hw::cupti_stem);
    bool const binding = !list.empty();
    if (!binding) list = hw::cupti_candidates(loaded.driver_library.path);
    // A CUPTI of a later release series than the driver's is kept in case there is no better one.
    int const newest = loaded.driver_library.version / 1000;
    void* late = nullptr;
    hw::candidate late_from;
    for (auto const& from : list) {
        void* const handle = open_candidate(from, report);
        if (handle == nullptr || !adopt_library(loaded.cupti, report, handle, from)) continue;
        if (binding || newest == 0 || hw::cupti_release(report.version) <= newest) return;
        report.tried.push_back({from.where, gpuprof::detail::printable_path(from.path), "it is newer than the driver"});
        if (late == nullptr) {
            late = handle;
            late_from = from;
        }
        loaded.cupti = {};
    }
    if (late != nullptr && adopt_library(loaded.cupti, report, late, late_from)) return;
    loaded.cupti_error =
        absent_library("CUPTI", report,
                       "install the CUDA toolkit or the nvidia-cuda-cupti wheel, or name the library or its "
                       "directory in GPUPROF_CUPTI_PATH");
}

[[nodiscard]] inline hw::machine load_machine(hw::load_options const& options) {
    hw::machine loaded;
    load_driver(loaded, options);
    if (options.with_cupti) load_cupti(loaded, options);
    return loaded;
}

} // namespace detail

namespace hw {

GPUPROF_INLINE result<machine> try_load_machine(load_options const& options) {
    machine loaded = detail::load_machine(options);
    if (options.driver_path && loaded.driver_error) return *std::move(loaded.driver_error);
    if (options.cupti_path && loaded.cupti_error) return *std::move(loaded.cupti_error);
    return loaded;
}

GPUPROF_INLINE machine const& real_machine() {
    machine const* known = detail::load_acquire(detail::loaded_machine);
    if (known != nullptr) return *known;
    // Never destroyed: the tables must outlive every static object that may still measure. If two
    // threads come here at once, one loads for nothing.
    machine const* const fresh = new machine{detail::load_machine({})};
    while (!detail::exchange_weak(detail::loaded_machine, known, fresh))
        if (known != nullptr) {
            delete fresh;
            return *known;
        }
    return *fresh;
}

GPUPROF_INLINE void open_companion(library_report const& cupti, char const* file) {
    auto const begin = platform::file_name_begin(cupti.path);
    if (begin == 0 || platform::open_mapped_library(file) != nullptr) return;
    std::string const path = cupti.path.substr(0, begin) + file;
    if (platform::library_defect(path).empty()) static_cast<void>(platform::open_library(path));
}

GPUPROF_INLINE error unavailable_call(machine const& on, std::string_view symbol) {
    bool const cupti = symbol.starts_with("cupti");
    if (auto const& gone = cupti ? on.cupti_error : on.driver_error) return *gone;
    library_report const& report = cupti ? on.cupti_library : on.driver_library;
    if (on.recorded != nullptr)
        return error{errc::not_collected, 0,
                     detail::joined({"the recording \"", report.path, "\" does not answer ", symbol}),
                     "a recording has what its program measured, traced and sampled through gpuprof, and no catalogue",
                     "run this on a GPU, or on the embedded GPU"};
    if (cupti)
        return error{errc::unavailable, 0, detail::joined({symbol, " is not in ", report.path}),
                     detail::joined({"this is CUPTI ", cupti_version_text(report.version)}),
                     "use the CUPTI of CUDA 12.6 or later, or one of 11.8 or later to measure ranges and no more"};
    return error{errc::unavailable, 0, detail::joined({symbol, " is not in ", report.path}),
                 detail::joined({"this driver is for CUDA ", std::to_string(report.version / 1000), ".",
                                 std::to_string(report.version % 1000 / 10)}),
                 "update the driver"};
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_MACHINE_INL_HPP
