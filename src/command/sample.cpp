// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof sample: lets the driver load the injection library into the program, which samples its instructions.
#include <string>

#include <unistd.h>

#include "../injection/sampling_settings.hpp"
#include "arguments.hpp"
#include "commands.hpp"
#include "injected.hpp"
#include "start.hpp"

namespace gpuprof::command {

int sample(arguments const& given) {
    check_program(given.operands(), "sample");
    set_variable("GPUPROF_SAMPLE_FILE", pattern_here(given.find("--output").value_or("gpuprof-samples-%p.json")));
    if (auto const period = given.find("--period")) set_variable("GPUPROF_SAMPLE_PERIOD", *period);
    if (given.has("--one-at-a-time")) set_variable("GPUPROF_SAMPLE_SERIALISED", "1");
    if (given.has("--no-table")) set_variable("GPUPROF_SAMPLE_TABLE", "0");
    auto const settings = injection::try_read_sampling_settings(); // as the library will read them
    if (!settings) refuse(settings.error().message());
    std::string const folder = settings->file.substr(0, settings->file.rfind('/') + 1);
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) refuse(settings->file + " cannot be written");
    static_cast<void>(set_injected(given));
    start(given.operands());
}

} // namespace gpuprof::command
