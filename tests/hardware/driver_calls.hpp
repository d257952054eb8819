// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's calls for programs that make their PTX at run time, found by way of the runtime, so that nothing is linked.
#ifndef GPUPROF_TESTS_HARDWARE_DRIVER_CALLS_HPP
#define GPUPROF_TESTS_HARDWARE_DRIVER_CALLS_HPP

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

template <class F>
F* driver_function(char const* name) {
    void* address = nullptr;
    cudaDriverEntryPointQueryResult found{};
    if (cudaGetDriverEntryPointByVersion(name, &address, 12000, cudaEnableDefault, &found) != cudaSuccess ||
        address == nullptr) {
        std::printf("the driver has no %s\n", name);
        std::exit(2);
    }
    return reinterpret_cast<F*>(address);
}

template <class T>
struct on_device {
    explicit on_device(std::vector<T> const& values) : bytes{values.size() * sizeof(T)} {
        if (cudaMalloc(&at, bytes) != cudaSuccess) std::exit(2);
        cudaMemcpy(at, values.data(), bytes, cudaMemcpyHostToDevice);
    }
    on_device(on_device const&) = delete;
    ~on_device() { cudaFree(at); }
    std::vector<T> values() const {
        std::vector<T> all(bytes / sizeof(T));
        cudaMemcpy(all.data(), at, bytes, cudaMemcpyDeviceToHost);
        return all;
    }
    std::size_t bytes;
    T* at = nullptr;
};

// A module of that PTX, and launches of its kernels, which are waited for. Null where the driver refuses it.
class loaded_module {
public:
    explicit loaded_module(std::string const& ptx) {
        static auto* const load = driver_function<CUresult(CUmodule*, void const*)>("cuModuleLoadData");
        status_ = load(&module_, ptx.c_str());
    }
    loaded_module(loaded_module const&) = delete;
    ~loaded_module() {
        static auto* const unload = driver_function<CUresult(CUmodule)>("cuModuleUnload");
        if (module_ != nullptr) unload(module_);
    }
    CUresult run(std::string const& name, unsigned blocks, unsigned threads, std::vector<void const*> arguments) {
        static auto* const find = driver_function<CUresult(CUfunction*, CUmodule, char const*)>("cuModuleGetFunction");
        static auto* const launch =
            driver_function<CUresult(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
                                     CUstream, void**, void**)>("cuLaunchKernel");
        CUfunction function = nullptr;
        CUresult status = status_;
        if (status == CUDA_SUCCESS) status = find(&function, module_, name.c_str());
        if (status == CUDA_SUCCESS)
            status = launch(function, blocks, 1, 1, threads, 1, 1, 0, nullptr, const_cast<void**>(arguments.data()),
                            nullptr);
        if (status == CUDA_SUCCESS) status = static_cast<CUresult>(cudaDeviceSynchronize());
        return status;
    }

private:
    CUmodule module_ = nullptr;
    CUresult status_ = CUDA_SUCCESS;
};

#endif // GPUPROF_TESTS_HARDWARE_DRIVER_CALLS_HPP
