// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The program's fat binaries, kernels and variables, as host code that nvcc made registers them before main(), and how they
// get into contexts: a module is loaded when something of it is used first.
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime.hpp"

namespace gpuprof::runtime {
namespace {

// A __managed__ variable: host code reads its address from here.
struct managed_variable {
    void** host_pointer = nullptr;
    std::string name{};
};
struct binary {
    void const* wrapper = nullptr;
    std::map<abi::CUcontext, abi::CUmodule> modules{};
    std::vector<managed_variable> managed{};
};
struct kernel {
    binary* home = nullptr;
    std::string name{};
    std::map<abi::CUcontext, abi::CUfunction> functions{};
};
struct variable {
    binary* home = nullptr;
    std::string name{};
    std::size_t bytes = 0;
};

struct registry {
    std::mutex mutex;
    std::vector<std::unique_ptr<binary>> binaries;
    std::vector<std::unique_ptr<kernel>> kernels;
    std::map<void const*, kernel*> by_function; // of the host, and by the kernel's own address, which is its handle
    std::map<void const*, variable> variables;  // by the host's

    static registry& instance() {
        static auto* const one = new registry;
        return *one;
    }
    // The binary of a handle; null for what is none. @pre locked
    [[nodiscard]] binary* find(void** handle) const noexcept {
        for (auto const& one : binaries)
            if (reinterpret_cast<void**>(one.get()) == handle) return one.get();
        return nullptr;
    }
};

// Loads a binary into the current context. @pre the registry is locked
cuda_error load(binary& from, abi::CUcontext context, abi::CUmodule& module) {
    if (auto const found = from.modules.find(context); found != from.modules.end()) {
        module = found->second;
        return cudaSuccess;
    }
    abi::CUresult const status = driver().ModuleLoadData(&module, from.wrapper); // which says why, if it cannot
    if (status != abi::CUDA_SUCCESS) return error_of(status);
    from.modules.emplace(context, module);
    for (managed_variable const& one : from.managed) {
        abi::CUdeviceptr address = 0;
        if (driver().ModuleGetGlobal(&address, nullptr, module, one.name.c_str()) == abi::CUDA_SUCCESS)
            *one.host_pointer = pointer_to(address);
    }
    return cudaSuccess;
}

void** register_fat_binary(void* wrapper) {
    registry& all = registry::instance();
    std::lock_guard const held{all.mutex};
    all.binaries.push_back(std::make_unique<binary>(binary{wrapper}));
    return reinterpret_cast<void**>(all.binaries.back().get());
}
void register_fat_binary_end(void**) {}
// The contexts, and with them the modules, end with the process: kernels may still run.
void unregister_fat_binary(void**) {}

void register_function(void** handle, char const* host_function, char*, char const* name, int, void*, void*, void*,
                       void*, int*) {
    registry& all = registry::instance();
    std::lock_guard const held{all.mutex};
    binary* const home = all.find(handle);
    if (home == nullptr || name == nullptr) return;
    all.kernels.push_back(std::make_unique<kernel>(kernel{home, name}));
    kernel* const made = all.kernels.back().get();
    all.by_function[host_function] = made;
    all.by_function[made] = made;
}

void register_variable(void** handle, char* host_variable, char*, char const* name, int, std::size_t bytes, int, int) {
    registry& all = registry::instance();
    std::lock_guard const held{all.mutex};
    binary* const home = all.find(handle);
    if (home != nullptr && name != nullptr) all.variables[host_variable] = {home, name, bytes};
}

void register_managed_variable(void** handle, void** host_pointer, char*, char const* name, int, std::size_t bytes, int,
                               int) {
    registry& all = registry::instance();
    std::lock_guard const held{all.mutex};
    binary* const home = all.find(handle);
    if (home == nullptr || host_pointer == nullptr || name == nullptr) return;
    all.variables[host_pointer] = {home, name, bytes};
    home->managed.push_back({host_pointer, name});
}

// Host code calls it before it reads a managed variable for the first time: the binary is loaded, which tells the address.
char init_module(void** handle) {
    if (keep(enter()) != cudaSuccess) return 0;
    registry& all = registry::instance();
    std::lock_guard const held{all.mutex};
    abi::CUcontext context = nullptr;
    abi::CUmodule module = nullptr;
    binary* const home = all.find(handle);
    if (home == nullptr || driver().CtxGetCurrent(&context) != abi::CUDA_SUCCESS) return 0;
    return keep(load(*home, context, module)) == cudaSuccess ? 1 : 0;
}

void register_texture(void**, void const*, void const**, char const* name, int, int, int) {
    tell_once(std::string{name == nullptr ? "" : name} + ": texture references are not supported");
}
void register_surface(void**, void const*, void const**, char const* name, int, int) {
    tell_once(std::string{name == nullptr ? "" : name} + ": surface references are not supported");
}

cuda_error get_kernel(void** handle, void const* host_function) {
    registry& all = registry::instance();
    std::lock_guard const held{all.mutex};
    auto const found = all.by_function.find(host_function);
    if (handle == nullptr) return keep(cudaErrorInvalidValue);
    if (found == all.by_function.end()) return keep(cudaErrorInvalidDeviceFunction);
    *handle = found->second;
    return cudaSuccess;
}

cuda_error get_function_by_symbol(abi::CUfunction* function, void const* host_function) {
    if (function == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    return keep(find_function(host_function, *function));
}

cuda_error get_symbol_address(void** address, void const* host_variable) {
    if (address == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    found_variable found;
    cuda_error const error = find_variable(host_variable, found);
    if (error == cudaSuccess) *address = pointer_to(found.address);
    return keep(error);
}

cuda_error get_symbol_size(std::size_t* bytes, void const* host_variable) {
    if (bytes == nullptr) return keep(cudaErrorInvalidValue);
    if (cuda_error const error = enter(); error != cudaSuccess) return keep(error);
    found_variable found;
    cuda_error const error = find_variable(host_variable, found);
    if (error == cudaSuccess) *bytes = found.bytes;
    return keep(error);
}

} // namespace

cuda_error find_function(void const* host_function, abi::CUfunction& function) {
    registry& all = registry::instance();
    std::lock_guard const held{all.mutex};
    auto const found = all.by_function.find(host_function);
    if (found == all.by_function.end()) return cudaErrorInvalidDeviceFunction;
    kernel& wanted = *found->second;
    abi::CUcontext context = nullptr;
    if (abi::CUresult const status = driver().CtxGetCurrent(&context)) return error_of(status);
    if (auto const known = wanted.functions.find(context); known != wanted.functions.end()) {
        function = known->second;
        return cudaSuccess;
    }
    abi::CUmodule module = nullptr;
    if (cuda_error const error = load(*wanted.home, context, module); error != cudaSuccess) return error;
    abi::CUresult const status = driver().ModuleGetFunction(&function, module, wanted.name.c_str());
    if (status == abi::CUDA_ERROR_NOT_FOUND) return cudaErrorInvalidDeviceFunction;
    if (status == abi::CUDA_SUCCESS) wanted.functions.emplace(context, function);
    return error_of(status);
}

cuda_error find_variable(void const* host_variable, found_variable& found) {
    registry& all = registry::instance();
    std::lock_guard const held{all.mutex};
    auto const known = all.variables.find(host_variable);
    if (known == all.variables.end()) return cudaErrorInvalidSymbol;
    abi::CUcontext context = nullptr;
    if (abi::CUresult const status = driver().CtxGetCurrent(&context)) return error_of(status);
    abi::CUmodule module = nullptr;
    if (cuda_error const error = load(*known->second.home, context, module); error != cudaSuccess) return error;
    abi::CUresult const status =
        driver().ModuleGetGlobal(&found.address, &found.bytes, module, known->second.name.c_str());
    return status == abi::CUDA_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : error_of(status);
}

std::span<call const> registration_calls() {
    static call const calls[]{call::of<&register_fat_binary>("__cudaRegisterFatBinary"),
                              call::of<&register_fat_binary_end>("__cudaRegisterFatBinaryEnd"),
                              call::of<&unregister_fat_binary>("__cudaUnregisterFatBinary"),
                              call::of<&register_function>("__cudaRegisterFunction"),
                              call::of<&register_variable>("__cudaRegisterVar"),
                              call::of<&register_managed_variable>("__cudaRegisterManagedVar"),
                              call::of<&init_module>("__cudaInitModule"),
                              call::of<&register_texture>("__cudaRegisterTexture"),
                              call::of<&register_surface>("__cudaRegisterSurface"),
                              call::of<&get_kernel>("__cudaGetKernel"),
                              call::of<&get_kernel>("cudaGetKernel"),
                              call::of<&get_function_by_symbol>("cudaGetFuncBySymbol"),
                              call::of<&get_symbol_address>("cudaGetSymbolAddress"),
                              call::of<&get_symbol_size>("cudaGetSymbolSize")};
    return calls;
}

} // namespace gpuprof::runtime
