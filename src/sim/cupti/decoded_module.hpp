// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The module that cuptiGetSassToSourceCorrelation looked into last.
#ifndef GPUPROF_SRC_SIM_CUPTI_DECODED_MODULE_HPP
#define GPUPROF_SRC_SIM_CUPTI_DECODED_MODULE_HPP

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include <gpuprof/detail/config.hpp>
#include "../code/device_memory.hpp"
#include "../decode/program.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::cupti {

// One module, kept because decoding takes longer than looking. It has memory of its own for its
// variables. The body is in sass_to_source.cpp.
struct decoded_module {
    std::string text;
    device_memory memory;
    std::optional<program> code;
    std::mutex mutex;

    // Null for what is no module that the embedded GPU loads. @pre the mutex is held
    [[nodiscard]] program const* of(std::string_view image);
};

} // namespace sim::cupti
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_DECODED_MODULE_HPP
