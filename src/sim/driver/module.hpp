// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Module calls of the embedded GPU's driver: PTX in, kernels and variables out.
#ifndef GPUPROF_SRC_SIM_DRIVER_MODULE_HPP
#define GPUPROF_SRC_SIM_DRIVER_MODULE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <gpuprof/core/result.hpp>
#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>

#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {
struct chip_model;
struct kernel;
} // namespace sim

namespace sim::driver {

struct call;
struct function_state;

// The function of a module's kernel, made when it is first asked for. @pre the module is loaded
[[nodiscard]] function_state& function_of(call& in, CUmodule module, sim::kernel const& code);

namespace detail {

// A log as cuModuleLoadDataEx returns it: cut to the buffer, always terminated. The size option
// receives the number of bytes written.
struct jit_log {
    char* buffer = nullptr;
    std::size_t size = 0;
    void** written = nullptr;

    void write(std::string_view text) const;
};

// The options that have an effect: the two logs, and the limit of registers, by which occupancy
// follows. The others tune a compiler, of which there is none.
struct jit_options {
    jit_log errors;
    jit_log information;
    std::uint32_t max_registers = 0; // 0: none

    // Nothing where `options` or `values` is missing.
    [[nodiscard]] static std::optional<jit_options> read(unsigned count, CUjit_option const* options, void** values);
};

// The PTX of an image, which is a fat binary or the text itself. `unpacked` owns the text of a fat
// binary.
[[nodiscard]] result<std::string_view> find_ptx(void const* image, chip_model const& chip, std::string& unpacked);

} // namespace detail

// `image` is a fat binary, or PTX text that ends with a null character.
CUresult module_load_data(CUmodule* module, void const* image);

CUresult module_load_data_ex(CUmodule* module, void const* image, unsigned count, CUjit_option* options, void** values);

CUresult module_load_fat_binary(CUmodule* module, void const* image);

CUresult module_unload(CUmodule module);

// A kernel that uses what the embedded GPU does not have is found too; its launch fails and says
// why.
CUresult module_get_function(CUfunction* function, CUmodule module, char const* name);

CUresult module_get_global(CUdeviceptr* address, std::size_t* bytes, CUmodule module, char const* name);

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_MODULE_HPP
