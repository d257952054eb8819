// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "injected.hpp"

#include <cstdio>
#include <string>

#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>

#include "arguments.hpp"
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

} // namespace

bool set_injected(arguments const& given) {
    std::string const chip = given.word("--chip");
    std::string const on = given.has("--chip") ? "embedded" : given.word("--on");
    std::string const library = injection_library();
    bool const is_embedded = on == "embedded" || (on == "auto" && !has_gpu());
    if (is_embedded) {
        static_cast<void>(embedded_chip(chip.empty() ? platform::variable_or_empty("GPUPROF_CHIP") : chip));
        set_embedded(chip);
        unset_variable("GPUPROF_KERNELS"); // what is injected tells of kernels
    }
    if (on == "gpu" && !has_gpu())
        std::fputs("gpuprof: no GPU works here, so nothing will be recorded; gpuprof doctor says why\n", stderr);
    set_variable("CUDA_INJECTION64_PATH", library);
    set_variable("NVTX_INJECTION64_PATH", library);
    return is_embedded;
}

} // namespace gpuprof::command
