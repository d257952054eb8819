// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the environment says about a program on the embedded GPU (docs/environment.md).
#ifndef GPUPROF_SRC_LIBCUDA_SETTINGS_HPP
#define GPUPROF_SRC_LIBCUDA_SETTINGS_HPP

#include <string>
#include <vector>

#include <gpuprof/core/result.hpp>
#include <gpuprof/sim/check_set.hpp>

#include "../sim/chip/chip_model.hpp"
#include "../sim/code/machine_listing.hpp"

namespace gpuprof::driver_library {

enum class table_rows : unsigned char { kernels, launches, ranges };
enum class table_format : unsigned char { none, text, csv, json, saved };

struct settings {
    sim::chip_model const* chip = nullptr; // GPUPROF_CHIP
    unsigned devices = 1;                  // side by side, all of that chip
    table_format format = table_format::none;
    std::string file;     // the table's, with %p replaced when it is written; empty: standard error
    bool appends = false; // to the file, which several processes share
    table_rows rows = table_rows::kernels;
    bool cold_caches = false;                                         // each kernel begins with them
    sim::machine_code_use machine_code = sim::machine_code_use::none; // for the instructions of kernels
    bool shows_progress = false;                                      // of long kernels, on a terminal
    bool is_quiet = false;                                            // tells only what is wrong
    std::vector<std::string> names;                                   // of metrics; empty: the usual ones
    sim::check_set checks;
    int finding_status = 0; // the process's exit status if a check found something; 0: the program's own
    bool in_passes = false; // metrics are counted in as many passes as the hardware needs
    std::string injection;  // the library that cuInit loads; empty: none
};

// Reads the variables. A process with rights that its user lacks (set-user-ID) has the defaults.
// Errors: invalid_argument for a value that means nothing; unknown_metric for a name that the chip does not have.
[[nodiscard]] result<settings> try_read_settings();

// The settings of this process, read when the library is loaded. A value that means nothing ends the process then, with
// status 2, before the program begins: a check that is not made must not look like one that found nothing. Thread-safe.
[[nodiscard]] settings const& chosen_settings();

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_SETTINGS_HPP
