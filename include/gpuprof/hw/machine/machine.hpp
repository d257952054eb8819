// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machines: the driver's and CUPTI's function tables, and where they came from.
#ifndef GPUPROF_HW_MACHINE_MACHINE_HPP
#define GPUPROF_HW_MACHINE_MACHINE_HPP

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../../core/error.hpp"
#include "../../core/fidelity.hpp"
#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "../abi/cupti_checkpoint.hpp"
#include "../abi/driver.hpp"
#include "library_report.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace abi {
struct nvperf_table; // hw/abi/nvperf_host.hpp
}

namespace hw {

// Where to look for libraries. A path is a library or a directory: a toolkit, the site-packages of
// Python wheels, or the file's own directory.
struct load_options {
    std::optional<std::string> driver_path = {};
    std::optional<std::string> cupti_path = {};
    bool reuse_mapped = true; // off: tests only; two CUPTIs in one process do not both work
    bool with_cupti = true;   // off: the driver alone, for a program that another one profiles
};

struct replay_session;

// The two tables and their origin. A library that could not be loaded has an empty table, and an
// error that says why and what was tried; a library that lacks some symbols is usable, and its
// report names them.
struct machine {
    abi::driver_table driver = {};
    abi::cupti_table cupti = {};
    library_report driver_library = {};
    library_report cupti_library = {};
    std::optional<error> driver_error = {};
    std::optional<error> cupti_error = {};

    // Why the last launch in a context was refused or failed, in more words than the driver's:
    // kernel, thread, address, lines. Null if the machine knows no more; returns an empty text if
    // none failed.
    std::string (*last_fault)(abi::CUcontext context) = nullptr;

    // The fidelity of a chip's metric or event; estimated for a name that the machine does not
    // know. Null for hardware.
    fidelity (*fidelity_of)(std::string_view chip, std::string_view metric) = nullptr;

    // The time that activity records of the host have, in nanoseconds. Null where it is that of cuptiGetTimestamp, as on
    // hardware.
    std::uint64_t (*record_time)() = nullptr;

    // The calls that save and restore a context's memory, where the machine has its own. Null: they are
    // looked for in a library beside CUPTI (hw/memory/).
    abi::checkpoint_table const* checkpoint = nullptr;

    // The calls that plan and evaluate metrics for CUPTI before 12.6, where the machine has its own. Null: they are those of
    // libnvperf_host beside CUPTI (hw/counters/target/).
    abi::nvperf_table const* nvperf = nullptr;

    // Whether the loaded driver library is the embedded GPU (docs/cuda-programs.md), whose devices
    // are no hardware.
    bool is_embedded = false;

    // The recording that values come from, where nothing runs (recording/). Null where values are
    // measured.
    replay_session* recorded = nullptr;
};

// The toolkit of a cuptiGetVersion number: 130001 is "13.0", 24 is "12.6". Some numbers were
// reused: 18 is "11.8, 12.0 or 12.1". Unknown numbers give "API 25".
[[nodiscard]] std::string cupti_version_text(int version);

// The CUDA release series of a cuptiGetVersion number, 11, 12 or later; 0 for older ones.
[[nodiscard]] constexpr int cupti_release(int version) noexcept {
    if (version >= 130000) return version / 10000;
    return version >= 19 ? 12 : version >= 13 ? 11 : 0;
}

// Loads both libraries by the ordered search of found_by. Errors: unavailable if a path in the
// options does not lead to a usable library; a library that nobody named may be absent, and the
// machine says why. Not cached. Costs file look-ups and, the first time, milliseconds of dynamic
// linking. Thread-safe, but reads the environment.
[[nodiscard]] result<machine> try_load_machine(load_options const& options);

// This process's machine, loaded at the first call and never destroyed. A later call costs a load
// and a branch. Thread-safe.
[[nodiscard]] machine const& real_machine();

// Opens the library `file` beside libcupti. CUPTI opens two libraries by bare file name at the
// first call that needs them, and the dynamic linker may give it those of another toolkit, or none;
// if the one beside libcupti is open already, the name means that one. A library of that name that
// is mapped, or that does not exist, is left alone. Costs up to 0.1 s of dynamic linking, which
// CUPTI would spend a moment later. Thread-safe.
//
// "libnvperf_host.so": before the first cuptiProfilerHost… call and cuptiProfilerInitialize.
// "libnvperf_target.so" (40 ms more): before the profiler API that is older than the range
// profiler; a range session of CUPTI 13.0 never opens it.
void open_companion(library_report const& cupti, char const* file);

// The error for a call that the library lacks, with the version and the path of its file. @pre the
// table's pointer for `symbol` is null
[[nodiscard]] error unavailable_call(machine const& on, std::string_view symbol);

} // namespace hw

namespace detail {
// One a process, even where header-only files and the compiled library meet.
inline constinit hw::machine const* loaded_machine = nullptr;
} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "machine.inl.hpp"
#endif

#endif // GPUPROF_HW_MACHINE_MACHINE_HPP
