// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof trace: lets the driver load the injection library into the program.
#include <cstdio>
#include <string>

#include <unistd.h>

#include <gpuprof/hw/machine/platform/environment.hpp>

#include "../injection/settings.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "injected.hpp"
#include "libraries.hpp"
#include "start.hpp"

namespace gpuprof::command {
namespace {

// Behind what stands there: a program may bring a tool of its own.
void add_to_list(char const* variable, char between) {
    std::string list = platform::variable_or_empty(variable);
    if (!list.empty()) list += between;
    set_variable(variable, list + injection_library());
}

// The runtimes of directives load the library, too, if their records are asked for.
void set_runtime_variables(activity::kind_set kinds) {
    if (kinds.has_any(injection::openacc_kinds)) add_to_list("ACC_PROFLIB", ';');
    if (kinds.has(abi::CUPTI_ACTIVITY_KIND_OPENMP)) add_to_list("OMP_TOOL_LIBRARIES", ':');
}

void set_trace_variables(arguments const& given) {
    if (auto const file = given.find("--output")) set_variable("GPUPROF_TRACE_FILE", pattern_here(*file));
    if (auto const kinds = given.find("--kinds")) set_variable("GPUPROF_TRACE_KINDS", *kinds);
    if (auto const buffers = given.find("--buffers")) set_variable("GPUPROF_TRACE_BUFFERS", *buffers);
    if (auto const period = given.find("--flush")) set_variable("GPUPROF_TRACE_FLUSH_MS", *period);
    if (given.has("--no-table")) set_variable("GPUPROF_TRACE_TABLE", "0");
    auto const settings = injection::try_read_settings(); // as the library will read them
    if (!settings) refuse(settings.error().message());
    set_runtime_variables(settings->kinds);
    std::string const folder = settings->file.substr(0, settings->file.rfind('/') + 1);
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) refuse(settings->file + " cannot be written");
}

} // namespace

int trace(arguments const& given) {
    check_program(given.operands(), "trace");
    set_trace_variables(given);
    static_cast<void>(set_injected(given));
    start(given.operands());
}

} // namespace gpuprof::command
