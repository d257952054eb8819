// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports on a library of the machine: where it is, and what was tried to find it.
#ifndef GPUPROF_HW_MACHINE_LIBRARY_REPORT_HPP
#define GPUPROF_HW_MACHINE_LIBRARY_REPORT_HPP

#include <string>
#include <string_view>
#include <vector>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Where a library was found, in the order of the search.
enum class found_by : unsigned char {
    nothing,        // it was not found
    already_mapped, // the process had it already; it is reused
    explicit_path,  // load_options
    environment,    // GPUPROF_CUDA_PATH, GPUPROF_CUPTI_PATH
    toolkit,        // CUDA_HOME, CUDA_PATH, CUDA_ROOT, CONDA_PREFIX, /usr/local/cuda*
    next_to_driver, // the directory of libcuda, or where the platform puts the driver
    soname_search   // the dynamic linker's own search
};

// How a library was found, for people.
[[nodiscard]] constexpr std::string_view name(found_by how) noexcept {
    switch (how) {
        case found_by::nothing: return "not found";
        case found_by::already_mapped: return "already mapped";
        case found_by::explicit_path: return "explicit path";
        case found_by::environment: return "environment";
        case found_by::toolkit: return "toolkit";
        case found_by::next_to_driver: return "next to the driver";
        case found_by::soname_search: return "soname search";
    }
    return "not found";
}

// A path or soname that was tried, and why it was not taken.
struct attempt {
    found_by where = found_by::nothing;
    std::string path;
    std::string reason;
};

// A library: its file, how it was found, its version number (cuDriverGetVersion: 13000 is 13.0;
// cuptiGetVersion: see cupti_version_text), the table's symbols that it lacks, and what was tried
// before it.
struct library_report {
    std::string soname;
    std::string path;
    found_by how = found_by::nothing;
    int version = 0;
    std::vector<std::string> missing;
    std::vector<attempt> tried;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LIBRARY_REPORT_HPP
