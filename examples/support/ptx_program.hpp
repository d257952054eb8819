// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the examples launch: kernels from PTX text, through the driver table, so that they run wherever a table is filled.
// With GPUPROF_ENABLED=0 the table refuses every call, and the examples launch nothing.
#ifndef GPUPROF_EXAMPLES_PTX_PROGRAM_HPP
#define GPUPROF_EXAMPLES_PTX_PROGRAM_HPP

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <gpuprof/gpuprof.hpp>

class ptx_program {
public:
    ptx_program(gpuprof::device const& gpu, char const* ptx) : driver_{gpu.driver()} {
        check("cuModuleLoadData", driver_.ModuleLoadData(&module_, ptx));
    }
    ~ptx_program() { static_cast<void>(driver_.ModuleUnload(module_)); }
    ptx_program(ptx_program const&) = delete;
    ptx_program& operator=(ptx_program const&) = delete;

    // Launches `kernel` on a one-dimensional grid and does not wait.
    template <class... Arguments>
    void launch(char const* kernel, unsigned grid, unsigned block, Arguments... arguments) {
        launch_in(nullptr, kernel, grid, block, arguments...);
    }
    template <class... Arguments>
    void launch_in(gpuprof::abi::CUstream stream, char const* kernel, unsigned grid, unsigned block,
                   Arguments... arguments) {
        gpuprof::abi::CUfunction const function = this->kernel(kernel);
        void* list[sizeof...(Arguments) + 1] = {&arguments..., nullptr};
        check("cuLaunchKernel", driver_.LaunchKernel(function, grid, 1, 1, block, 1, 1, 0, stream, list, nullptr));
    }
    [[nodiscard]] gpuprof::abi::CUfunction kernel(char const* name) const {
        gpuprof::abi::CUfunction function = nullptr;
        check("cuModuleGetFunction", driver_.ModuleGetFunction(&function, module_, name));
        return function;
    }
    void wait() { check("cuCtxSynchronize", driver_.CtxSynchronize()); }

private:
    static void check(char const* call, gpuprof::abi::CUresult status) {
        if (status && GPUPROF_ENABLED) throw std::runtime_error{gpuprof::hw::explain(call, status).message()};
    }
    gpuprof::abi::driver_table const& driver_;
    gpuprof::abi::CUmodule module_ = nullptr;
};

// Device memory, zeroed.
class device_buffer {
public:
    device_buffer(gpuprof::device const& gpu, std::size_t bytes) : driver_{gpu.driver()} {
        if ((driver_.MemAlloc(&address_, bytes) || driver_.MemsetD8(address_, 0, bytes)) && GPUPROF_ENABLED)
            throw std::runtime_error{"no device memory"};
    }
    ~device_buffer() { static_cast<void>(driver_.MemFree(address_)); }
    device_buffer(device_buffer const&) = delete;
    device_buffer& operator=(device_buffer const&) = delete;
    [[nodiscard]] std::uint64_t address() const { return address_; }

    // Copies from the host to the beginning of the buffer, or back; waits.
    void upload(void const* from, std::size_t bytes) {
        if (driver_.MemcpyHtoD(address_, from, bytes) && GPUPROF_ENABLED)
            throw std::runtime_error{"the copy to the device failed"};
    }
    void download(void* to, std::size_t bytes) const {
        if (driver_.MemcpyDtoH(to, address_, bytes) && GPUPROF_ENABLED)
            throw std::runtime_error{"the copy from the device failed"};
    }

private:
    gpuprof::abi::driver_table const& driver_;
    gpuprof::abi::CUdeviceptr address_ = 0;
};

#endif // GPUPROF_EXAMPLES_PTX_PROGRAM_HPP
