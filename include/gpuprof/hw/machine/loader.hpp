// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fills the driver and CUPTI tables from this machine's libraries. Layer: hw; Linux. A library that is loaded is never
// unloaded again: callbacks and threads of its own may outlive whoever loaded it.
#ifndef GPUPROF_HW_MACHINE_LOADER_HPP
#define GPUPROF_HW_MACHINE_LOADER_HPP

#include <string>      // texts
#include <string_view> // names
#include <utility>     // std::move
#include <vector>      // candidates

#include "../../core/printable.hpp"
#include "../../detail/maybe.hpp"
#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../abi/driver.hpp"
#include "library.hpp"
#include "library_search.hpp"
#include "library_table.hpp"
#include "status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Where to look. A path is a library or a directory: a toolkit, the site-packages of Python wheels, or where the file
// is.
struct load_options {
    detail::maybe<std::string> driver_path = {};
    detail::maybe<std::string> cupti_path = {};
    bool reuse_mapped = true; // off: tests only; two CUPTIs in one process do not both work
};

// The two tables and where they came from. What could not be loaded has an empty table and an error that says why and
// what was tried; a library that lacks only some symbols is usable, and names them in its report.
struct machine {
    abi::driver_table driver = {};
    abi::cupti_table cupti = {};
    library_report driver_library = {};
    library_report cupti_library = {};
    detail::maybe<error> driver_error = {};
    detail::maybe<error> cupti_error = {};
};

// The toolkit a number of cuptiGetVersion belongs to: 130001 is "13.0", 24 is "12.6". Some numbers were reused: 18 is
// "11.8 or 12.0". Unknown numbers give "API 25".
GPUPROF_LAZY [[nodiscard]] std::string cupti_version_text(int version) {
    if (version >= 130000) return std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100);
    switch (version) {
        case 13: return "11.0";
        case 14: return "11.1 to 11.4";
        case 15: return "11.2 to 11.4";
        case 16: return "11.5 or 11.6";
        case 17: return "11.6 or 11.7";
        case 18: return "11.8 or 12.0";
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

// The CUDA release series a number of cuptiGetVersion belongs to, 11, 12 or later; 0 for what is older.
[[nodiscard]] constexpr int cupti_release(int version) noexcept {
    if (version >= 130000) return version / 10000;
    return version >= 19 ? 12 : version >= 13 ? 11 : 0;
}

} // namespace hw

namespace detail {

GPUPROF_LAZY void load_driver(hw::machine& into, hw::load_options const& options) {
    auto& report = into.driver_library;
    if (options.reuse_mapped)
        if (void* const handle = hw::open_mapped("libcuda", "cuDriverGetVersion"))
            if (adopt_library(into.driver, report, handle, {hw::found_by::already_mapped, hw::path_of(handle)})) return;
    auto list = named_candidates(options.driver_path, "GPUPROF_CUDA_PATH", "libcuda");
    if (list.empty()) list = hw::driver_candidates();
    for (auto const& from : list)
        if (void* const handle = open_candidate(from, report))
            if (adopt_library(into.driver, report, handle, from)) return;
    into.driver_error = absent_library("the CUDA driver, libcuda.so.1,", report,
                                       "install the NVIDIA driver, or name its library in GPUPROF_CUDA_PATH");
}

GPUPROF_LAZY void load_cupti(hw::machine& into, hw::load_options const& options) {
    auto& report = into.cupti_library;
    if (options.reuse_mapped)
        if (void* const handle = hw::open_mapped("libcupti", "cuptiGetVersion"))
            if (adopt_library(into.cupti, report, handle, {hw::found_by::already_mapped, hw::path_of(handle)})) return;
    auto list = named_candidates(options.cupti_path, "GPUPROF_CUPTI_PATH", "libcupti");
    bool const binding = !list.empty();
    if (!binding) list = hw::cupti_candidates(into.driver_library.path);
    // A CUPTI of a later release series than the driver is kept for the case that there is no better one.
    int const newest = into.driver_library.version / 1000;
    void* late = nullptr;
    hw::candidate late_from;
    for (auto const& from : list) {
        void* const handle = open_candidate(from, report);
        if (handle == nullptr || !adopt_library(into.cupti, report, handle, from)) continue;
        if (binding || newest == 0 || hw::cupti_release(report.version) <= newest) return;
        report.tried.push_back({from.where, gpuprof::detail::printable_path(from.path), "it is newer than the driver"});
        if (late == nullptr) {
            late = handle;
            late_from = from;
        }
        into.cupti = {};
    }
    if (late != nullptr && adopt_library(into.cupti, report, late, late_from)) return;
    into.cupti_error =
        absent_library("CUPTI", report,
                       "install the CUDA toolkit or the nvidia-cuda-cupti wheel, or name the library or its "
                       "directory in GPUPROF_CUPTI_PATH");
}

GPUPROF_LAZY [[nodiscard]] hw::machine load_machine(hw::load_options const& options) {
    hw::machine loaded;
    load_driver(loaded, options);
    load_cupti(loaded, options);
    return loaded;
}

} // namespace detail

namespace hw {

// Loads both libraries by the ordered search of found_by. Fails with errc::unavailable if a path given in the options
// does not lead to a usable library; a library nobody named may be absent, and the machine says why. Not cached. Costs
// file look-ups and, the first time, milliseconds of dynamic linking. Thread-safe, but reads the environment.
GPUPROF_LAZY [[nodiscard]] result<machine> try_load_machine(load_options const& options) {
    machine loaded = detail::load_machine(options);
    if (options.driver_path && loaded.driver_error) return *std::move(loaded.driver_error);
    if (options.cupti_path && loaded.cupti_error) return *std::move(loaded.cupti_error);
    return loaded;
}

// This process's machine, loaded at the first call and never destroyed. Later calls cost one load and one branch.
// Thread-safe.
GPUPROF_LAZY [[nodiscard]] machine const& real_machine() {
    // Deliberately never destroyed: the tables must outlive every static object that may still measure.
    static machine const* const loaded = new machine{detail::load_machine({})};
    return *loaded;
}

// CUPTI opens two libraries of its own by bare file name at the first call that needs them, and the dynamic linker may
// then give it those of another toolkit, or none. Opening the one beside libcupti first makes the name mean that one. A
// library of that name which is mapped already is left alone, as is one that is not there. Costs up to 0.1 s of dynamic
// linking, which CUPTI would spend a moment later. Thread-safe.
//
// "libnvperf_host.so": before the first cuptiProfilerHost… call and cuptiProfilerInitialize. "libnvperf_target.so" (40 ms
// more): before the profiler API that is older than the range profiler; a range session of CUPTI 13.0 never opens it.
GPUPROF_LAZY void open_companion(library_report const& cupti, char const* file) {
    auto const slash = cupti.path.rfind('/');
    if (slash == std::string::npos || ::dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD) != nullptr) return;
    std::string const path = cupti.path.substr(0, slash + 1) + file;
    if (library_defect(path).empty()) (void)::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
}

// The error for a call that the library lacks: the version at hand and the path of its file. @pre the table's pointer
// for `symbol` is null.
GPUPROF_LAZY [[nodiscard]] error unavailable_call(machine const& on, std::string_view symbol) {
    bool const cupti = symbol.starts_with("cupti");
    if (auto const& gone = cupti ? on.cupti_error : on.driver_error) return *gone;
    library_report const& report = cupti ? on.cupti_library : on.driver_library;
    error why{errc::unavailable, 0, std::string{symbol} + " is not in " + report.path, {}, {}};
    if (cupti) {
        why.cause = "this is CUPTI " + cupti_version_text(report.version);
        why.remedy = "use a newer CUPTI; range profiling needs the one of CUDA 12.6 or later";
    } else {
        why.cause = "this driver is for CUDA " + std::to_string(report.version / 1000) + '.' +
                    std::to_string(report.version % 1000 / 10);
        why.remedy = "update the driver";
    }
    return why;
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LOADER_HPP
