// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules of the embedded GPU's driver: PTX in, kernels and variables out. Layer: hw/sim, driver table.
#ifndef GPUPROF_HW_SIM_DRIVER_MODULE_HPP
#define GPUPROF_HW_SIM_DRIVER_MODULE_HPP

#include <algorithm>   // std::min
#include <cstddef>     // std::size_t
#include <cstdint>     // std::uintptr_t
#include <memory>      // std::make_unique
#include <optional>    // an error or none
#include <string>      // logs
#include <string_view> // images, names
#include <utility>     // std::move
#include <vector>      // texts to be linked

#include "code_records.hpp"
#include "function.hpp"
#include "happenings.hpp"
#include "state.hpp"
#include "../counters/pc_sampling_state.hpp"
#include "../image/choose_ptx.hpp"
#include "../ptx/link.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

namespace detail {

// An error log as cuModuleLoadDataEx returns it: cut to the buffer, always terminated. The size option becomes the number
// of bytes written.
struct jit_log {
    char* buffer = nullptr;
    std::size_t size = 0;
    void** written = nullptr;

    void write(std::string_view text) const {
        std::size_t const fits = buffer == nullptr ? 0 : (std::min)(text.size(), size);
        if (buffer != nullptr && size != 0) {
            std::size_t const end = (std::min)(fits, size - 1);
            text.copy(buffer, end);
            buffer[end] = '\0';
        }
        if (written != nullptr) *written = reinterpret_cast<void*>(static_cast<std::uintptr_t>(fits));
    }
};

// Takes out of the options what is acted on: the two logs. The others tune a compiler that there is none of.
struct jit_options {
    jit_log errors;
    jit_log information;

    [[nodiscard]] static std::optional<jit_options> read(unsigned count, CUjit_option const* options, void** values) {
        jit_options read;
        if (count != 0 && (options == nullptr || values == nullptr)) return std::nullopt;
        for (unsigned i = 0; i < count; ++i) {
            auto const size = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(values[i]));
            switch (options[i]) {
                case CU_JIT_ERROR_LOG_BUFFER: read.errors.buffer = static_cast<char*>(values[i]); break;
                case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
                    read.errors.size = size, read.errors.written = &values[i];
                    break;
                case CU_JIT_INFO_LOG_BUFFER: read.information.buffer = static_cast<char*>(values[i]); break;
                case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
                    read.information.size = size, read.information.written = &values[i];
                    break;
                default: break;
            }
        }
        return read;
    }
};

[[nodiscard]] inline bool is_elf(void const* image) noexcept {
    constexpr unsigned char magic[]{0x7f, 'E', 'L', 'F'};
    auto const* const bytes = static_cast<unsigned char const*>(image);
    for (int i = 0; i < 4; ++i) // not beyond the end of a short text
        if (bytes[i] != magic[i]) return false;
    return true;
}

// The PTX of what the application gave, which is a fat binary or the text itself; `unpacked` keeps what was packed.
[[nodiscard]] inline result<std::string_view> find_ptx(void const* image, chip_model const& chip,
                                                       std::string& unpacked) {
    if (is_elf(image))
        return error{errc::unavailable, CUDA_ERROR_NO_BINARY_FOR_GPU,
                     "the image holds machine code; the embedded GPU runs PTX"};
    if (image::is_fat_binary(image)) {
        auto const containers = image::containers_of(image);
        if (!containers) return containers.error();
        std::vector<std::string> texts;
        std::optional<error> refused;
        for (auto const& container : *containers) {
            auto text = image::choose_ptx(container, chip);
            if (text) texts.push_back(std::move(*text));
            else if (!refused || refused->status != CUDA_ERROR_NO_BINARY_FOR_GPU) refused = text.error();
        }
        // A list to be linked may have members that nothing of this chip needs: the toolkit's own library of device calls.
        if (texts.empty() || (refused && refused->status != CUDA_ERROR_NO_BINARY_FOR_GPU)) return *refused;
        unpacked = texts.size() == 1 ? std::move(texts.front()) : ptx::link(texts);
        return std::string_view{unpacked};
    }
    std::string_view const text{static_cast<char const*>(image)};
    if (text.find(".version") == std::string_view::npos)
        return error{errc::invalid_argument, CUDA_ERROR_INVALID_IMAGE, "the image is not PTX: it has no .version"};
    return text;
}

[[nodiscard]] inline CUresult load(CUmodule* module, void const* image, jit_options const& options) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    options.information.write({});
    std::string unpacked;
    auto const found = find_ptx(image, *in.context->chip, unpacked);
    if (!found) {
        options.errors.write(found.error().message());
        return static_cast<CUresult>(found.error().status);
    }
    std::string_view const text = *found;
    auto loaded = sim::program::load(text, in.context->memory);
    if (!loaded) {
        options.errors.write(loaded.error().message());
        return loaded.error().code == errc::unavailable ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_PTX;
    }
    if (!image::runs_on(loaded->target(), *in.context->chip)) {
        options.errors.write("the PTX is for " + std::string{loaded->target()} + ", a later GPU than this " +
                             in.context->chip->chip_name);
        return CUDA_ERROR_INVALID_PTX;
    }
    options.errors.write({});
    auto made = std::make_unique<module_state>(module_state{in.context->handle,
                                                            ++in.driver.module_count,
                                                            std::move(*loaded),
                                                            {},
                                                            std::make_shared<std::string const>(text),
                                                            pc_sampling_state::instance().number_of(text)});
    auto const loaded_image = made->image;
    auto const id = made->id;
    CUcontext const context = made->context;
    record_compilation(in, *made, text.size());
    *module = in.driver.modules.add(std::move(made));
    in.held.unlock();
    tell_module(CUPTI_CBID_RESOURCE_MODULE_LOADED, context, id, *loaded_image);
    return CUDA_SUCCESS;
}

} // namespace detail

// `image` is a fat binary, or PTX text that ends with a null character.
inline CUresult module_load_data(CUmodule* module, void const* image) { return detail::load(module, image, {}); }

inline CUresult module_load_data_ex(CUmodule* module, void const* image, unsigned count, CUjit_option* options,
                                    void** values) {
    auto const read = detail::jit_options::read(count, options, values);
    return read ? detail::load(module, image, *read) : CUDA_ERROR_INVALID_VALUE;
}

inline CUresult module_load_fat_binary(CUmodule* module, void const* image) {
    return image != nullptr && !image::is_fat_binary(image) ? CUDA_ERROR_INVALID_IMAGE
                                                            : detail::load(module, image, {});
}

inline CUresult module_unload(CUmodule module) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    module_state const* const found = in.driver.modules.find(module);
    if (found == nullptr || found->context != in.context->handle) return CUDA_ERROR_INVALID_HANDLE;
    if (is_heard(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING)) {
        auto const image = found->image;
        auto const id = found->id;
        CUcontext const context = found->context;
        without_lock const open{in};
        tell_module(CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING, context, id, *image);
    }
    in.driver.functions.remove_if([=](function_state const& function) { return function.module == module; });
    in.driver.modules.remove(module);
    return CUDA_SUCCESS;
}

// A kernel that uses what the embedded GPU does not have is found too; launching it says why it does not run.
inline CUresult module_get_function(CUfunction* function, CUmodule module, char const* name) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    module_state* const found = in.driver.modules.find(module);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (auto const known = found->functions.find(std::string_view{name}); known != found->functions.end()) {
        *function = known->second;
        return CUDA_SUCCESS;
    }
    sim::kernel const* const code = found->code.find_kernel(name);
    if (code == nullptr) return CUDA_ERROR_NOT_FOUND;
    auto made = std::make_unique<function_state>();
    function_state& state = *made;
    state.module = module;
    state.context = found->context;
    state.id = ++in.driver.function_count;
    state.code = code;
    state.max_dynamic_shared = 49152 - static_cast<int>(std::min<std::uint32_t>(code->static_shared_bytes, 49152));
    state.handle = *function = in.driver.functions.add(std::move(made));
    record_function(in, state, *found);
    found->functions.emplace(name, *function);
    return CUDA_SUCCESS;
}

inline CUresult module_get_global(CUdeviceptr* address, std::size_t* bytes, CUmodule module, char const* name) {
    auto const in = enter_context();
    if (!in.ready()) return in.status;
    if (name == nullptr || (address == nullptr && bytes == nullptr)) return CUDA_ERROR_INVALID_VALUE;
    module_state const* const found = in.driver.modules.find(module);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    auto const variable = found->code.find_variable(name);
    if (!variable) return CUDA_ERROR_NOT_FOUND;
    if (address != nullptr) *address = variable->address;
    if (bytes != nullptr) *bytes = variable->bytes;
    return CUDA_SUCCESS;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_DRIVER_MODULE_HPP
