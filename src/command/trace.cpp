// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof trace: lets the driver load the injection library into the program.
#include <cstdio>
#include <string>

#include <unistd.h>

#include "../injection/settings.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "injected.hpp"
#include "start.hpp"

namespace gpuprof::command {
namespace {

// In the working directory of now, whose name is no pattern.
std::string pattern_here(std::string const& file) {
    if (file.starts_with('/')) return file;
    std::string path;
    for (char const c : absolute(".").substr(0, absolute(".").size() - 1)) path += c == '%' ? "%%" : std::string(1, c);
    return path + file;
}

void set_trace_variables(arguments const& given) {
    if (auto const file = given.find("--output")) set_variable("GPUPROF_TRACE_FILE", pattern_here(*file));
    if (auto const kinds = given.find("--kinds")) set_variable("GPUPROF_TRACE_KINDS", *kinds);
    if (auto const buffers = given.find("--buffers")) set_variable("GPUPROF_TRACE_BUFFERS", *buffers);
    if (auto const period = given.find("--flush")) set_variable("GPUPROF_TRACE_FLUSH_MS", *period);
    if (given.has("--no-table")) set_variable("GPUPROF_TRACE_TABLE", "0");
    auto const settings = injection::try_read_settings(); // as the library will read them
    if (!settings) refuse(settings.error().message());
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
