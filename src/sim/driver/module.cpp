// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../chip/chip_model.hpp"
#include "../decode/program.hpp"
#include "../gpu/gpu_state.hpp"
#include "../image/choose_ptx.hpp"
#include "../image/machine_code.hpp"
#include "machine_text.hpp"
#include "../image/ptx_target.hpp"
#include "../ptx/link.hpp"
#include "code_records.hpp"
#include "resource_callbacks.hpp"
#include "state.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

static bool is_machine_code(void const* image) noexcept {
    constexpr unsigned char magic[]{0x7f, 'E', 'L', 'F'};
    auto const* const bytes = static_cast<unsigned char const*>(image);
    for (int i = 0; i < 4; ++i) // not beyond the end of a short text
        if (bytes[i] != magic[i]) return false;
    return true;
}

namespace detail {

void jit_log::write(std::string_view text) const {
    std::size_t const fits = buffer == nullptr ? 0 : (std::min)(text.size(), size);
    if (buffer != nullptr && size != 0) {
        std::size_t const end = (std::min)(fits, size - 1);
        text.copy(buffer, end);
        buffer[end] = '\0';
    }
    if (written != nullptr) *written = reinterpret_cast<void*>(static_cast<std::uintptr_t>(fits));
}

std::optional<jit_options> jit_options::read(unsigned count, CUjit_option const* options, void** values) {
    jit_options read;
    if (count != 0 && (options == nullptr || values == nullptr)) return std::nullopt;
    for (unsigned i = 0; i < count; ++i) {
        auto const size = static_cast<std::size_t>(reinterpret_cast<std::uintptr_t>(values[i]));
        switch (options[i]) {
            case CU_JIT_MAX_REGISTERS: read.max_registers = static_cast<std::uint32_t>(size); break;
            case CU_JIT_ERROR_LOG_BUFFER: read.errors.buffer = static_cast<char*>(values[i]); break;
            case CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES:
                read.errors.size = size;
                read.errors.written = &values[i];
                break;
            case CU_JIT_INFO_LOG_BUFFER: read.information.buffer = static_cast<char*>(values[i]); break;
            case CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES:
                read.information.size = size;
                read.information.written = &values[i];
                break;
            default: break;
        }
    }
    return read;
}

result<std::string_view> find_ptx(void const* image, chip_model const& chip, std::string& unpacked) {
    if (is_machine_code(image))
        return error{errc::unavailable, CUDA_ERROR_NO_BINARY_FOR_GPU,
                     "the image holds machine code; the embedded GPU runs PTX", "",
                     "give NVRTC --gpu-architecture=compute_90 and load what nvrtcGetPTX gives; run programs of Triton "
                     "and Numba by gpuprof run"};
    if (image::is_fat_binary(image)) {
        auto const containers = image::containers_of(image);
        if (!containers) return containers.error();
        std::vector<std::string> texts;
        if (containers->empty())
            return error{errc::invalid_argument, CUDA_ERROR_INVALID_IMAGE, "the fat binary has no container"};
        std::optional<error> refused;
        for (auto const& container : *containers) {
            auto text = image::choose_ptx(container, chip);
            if (text) texts.push_back(std::move(*text));
            else if (!refused || refused->status != CUDA_ERROR_NO_BINARY_FOR_GPU) refused = text.error();
        }
        // Some members of a list may have nothing for this chip: the toolkit's own library of
        // device calls.
        if (texts.empty() || (refused && refused->status != CUDA_ERROR_NO_BINARY_FOR_GPU)) return *refused;
        unpacked = texts.size() == 1 ? std::move(texts.front()) : ptx::link(texts);
        return std::string_view{unpacked};
    }
    std::string_view const text{static_cast<char const*>(image)};
    if (text.find(".version") == std::string_view::npos)
        return error{errc::invalid_argument, CUDA_ERROR_INVALID_IMAGE, "the image is not PTX: it has no .version"};
    return text;
}

} // namespace detail

static CUresult load_module(CUmodule* module, void const* image, detail::jit_options const& options) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (module == nullptr || image == nullptr) return CUDA_ERROR_INVALID_VALUE;
    options.information.write({});
    auto const refuse = [&](error const& why, CUresult status) {
        options.errors.write(why.message());
        if (in.driver.on_refused_image != nullptr) in.driver.on_refused_image(why);
        return status;
    };
    std::string unpacked;
    auto const found = detail::find_ptx(image, *in.context->chip, unpacked);
    if (!found) return refuse(found.error(), static_cast<CUresult>(found.error().status));
    std::string_view const text = *found;
    auto loaded = sim::program::load(text, in.context->memory);
    if (!loaded) {
        bool const is_full = loaded.error().code == errc::unavailable;
        return refuse(loaded.error(), is_full ? CUDA_ERROR_OUT_OF_MEMORY : CUDA_ERROR_INVALID_PTX);
    }
    if (!image::runs_on(loaded->target(), *in.context->chip))
        return refuse({errc::invalid_argument, CUDA_ERROR_INVALID_PTX,
                       "the PTX is for " + std::string{loaded->target()} + ", a later GPU than this " +
                           in.context->chip->chip_name},
                      CUDA_ERROR_INVALID_PTX);
    options.errors.write({});
    // A kernel that bounds its launches itself keeps its own limit, as with nvcc -maxrregcount.
    for (auto const& each : loaded->kernels())
        if (each->bounds.max_registers == 0 && each->bounds.max_threads[0] == 0)
            each->bounds.max_registers = options.max_registers;
    auto const machine_code = machine_text_of(image, text, *in.context->chip, in.driver.machine_code);
    for (auto const& each : loaded->kernels()) {
        each->machine_code = machine_code.listing;
        auto const code = machine_code.resources.find(each->name);
        if (code != machine_code.resources.end() && code->second.registers != 0)
            each->register_count = code->second.registers;
    }
    auto state = std::make_unique<module_state>(module_state{in.context->handle,
                                                             ++in.driver.module_count,
                                                             std::move(*loaded),
                                                             {},
                                                             std::make_shared<std::string const>(text),
                                                             shared().pc_sampling.number_of(text)});
    auto const loaded_image = state->image;
    auto const id = state->id;
    CUcontext const context = state->context;
    record_compilation(in, *state, text.size());
    if (in.driver.on_image != nullptr) in.driver.on_image(image);
    *module = in.driver.modules.add(std::move(state));
    in.held.unlock();
    tell_module(CUPTI_CBID_RESOURCE_MODULE_LOADED, context, id, *loaded_image);
    return CUDA_SUCCESS;
}

CUresult module_load_data(CUmodule* module, void const* image) { return load_module(module, image, {}); }

CUresult module_load_data_ex(CUmodule* module, void const* image, unsigned count, CUjit_option* options,
                             void** values) {
    auto const read = detail::jit_options::read(count, options, values);
    return read ? load_module(module, image, *read) : CUDA_ERROR_INVALID_VALUE;
}

CUresult module_load_fat_binary(CUmodule* module, void const* image) {
    return image != nullptr && !image::is_fat_binary(image) ? CUDA_ERROR_INVALID_IMAGE : load_module(module, image, {});
}

CUresult module_unload(CUmodule module) {
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

function_state& function_of(call& in, CUmodule module, sim::kernel const& code) {
    module_state& owner = *in.driver.modules.find(module);
    if (auto const known = owner.functions.find(std::string_view{code.name}); known != owner.functions.end())
        return *in.driver.functions.find(known->second);
    auto entry = std::make_unique<function_state>();
    function_state& state = *entry;
    state.module = module;
    state.context = owner.context;
    state.id = ++in.driver.function_count;
    state.code = &code;
    auto const& cluster = code.bounds.required_cluster;
    state.required_cluster = {cluster[0], cluster[1], cluster[2]};
    state.max_dynamic_shared = 49152 - static_cast<int>(std::min<std::uint32_t>(code.static_shared_bytes, 49152));
    state.handle = in.driver.functions.add(std::move(entry));
    record_function(in, state, owner);
    owner.functions.emplace(code.name, state.handle);
    return state;
}

CUresult module_get_function(CUfunction* function, CUmodule module, char const* name) {
    auto in = enter_context();
    if (!in.ready()) return in.status;
    if (function == nullptr || name == nullptr) return CUDA_ERROR_INVALID_VALUE;
    module_state const* const found = in.driver.modules.find(module);
    if (found == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    sim::kernel const* const code = found->code.find_kernel(name);
    if (code == nullptr) return CUDA_ERROR_NOT_FOUND;
    *function = function_of(in, module, *code).handle;
    return CUDA_SUCCESS;
}

CUresult module_get_global(CUdeviceptr* address, std::size_t* bytes, CUmodule module, char const* name) {
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
