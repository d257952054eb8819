// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof trace: lets the driver load the injection library into the program.
#include <cstdio>
#include <string>

#include <unistd.h>

#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>

#include "../injection/settings.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "embedded_chip.hpp"
#include "libraries.hpp"
#include "start.hpp"

namespace gpuprof::command {
namespace {

bool has_gpu() {
    hw::machine const& here = hw::real_machine();
    int devices = 0;
    return !here.driver_error && here.driver.Init != nullptr && here.driver.Init(0) == abi::CUDA_SUCCESS &&
           here.driver.DeviceGetCount(&devices) == abi::CUDA_SUCCESS && devices > 0;
}

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
    std::string const chip = given.word("--chip");
    std::string const on = given.has("--chip") ? "embedded" : given.word("--on");
    std::string const library = injection_library();
    if (on == "embedded" || (on == "auto" && !has_gpu())) {
        static_cast<void>(embedded_chip(chip.empty() ? platform::variable_or_empty("GPUPROF_CHIP") : chip));
        set_embedded(chip);
        unset_variable("GPUPROF_KERNELS"); // the trace has a table of its own
    }
    if (on == "gpu" && !has_gpu())
        std::fputs("gpuprof: no GPU works here, so there will be no trace; gpuprof doctor says why\n", stderr);
    set_variable("CUDA_INJECTION64_PATH", library);
    set_variable("NVTX_INJECTION64_PATH", library);
    start(given.operands());
}

} // namespace gpuprof::command
