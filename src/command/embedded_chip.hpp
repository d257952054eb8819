// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the command knows of the embedded GPU without starting it: its chips, metrics and checks.
#ifndef GPUPROF_SRC_COMMAND_EMBEDDED_CHIP_HPP
#define GPUPROF_SRC_COMMAND_EMBEDDED_CHIP_HPP

#include <string>
#include <string_view>

#include "../sim/chip/chip_model.hpp"

namespace gpuprof::command {

// The chip of that name or capability; the default one for an empty name. Refuses another name.
[[nodiscard]] sim::chip_model const& embedded_chip(std::string_view name);

// A list of metrics with commas between them, its short names and its sets spelled out, each metric once. Refuses a name that is none of the chip's.
// @param option who gives it: "--metrics", or a variable
[[nodiscard]] std::string embedded_metrics(std::string_view option, std::string_view list, sim::chip_model const& chip);

// The same of a GPU whose chip is not known here: refuses what no chip has.
[[nodiscard]] std::string any_metrics(std::string_view option, std::string_view list);

// Refuses a word that is no check.
void check_checks(std::string_view option, std::string_view list);

} // namespace gpuprof::command

#endif // GPUPROF_SRC_COMMAND_EMBEDDED_CHIP_HPP
