// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An embedded GPU with work whose counts and times follow from arithmetic: fills of memory, each sector of 32 bytes once
// through L2. Its machine is a copy, so that tests may change its tables.
#ifndef GPUPROF_TESTS_SUPPORT_SAMPLED_GPU_HPP
#define GPUPROF_TESTS_SUPPORT_SAMPLED_GPU_HPP

#include <cstddef>
#include <optional>

#include <doctest/doctest.h>

#include <gpuprof/hw/machine/device.hpp>
#include <gpuprof/sim/open.hpp>

#include "driver_fixture.hpp"

namespace test {

struct sampled_gpu {
    static constexpr std::size_t most = std::size_t{64} << 20;

    sampled_gpu() {
        auto opened = gpuprof::device::try_open(machine, context.handle, gpuprof::device_source::embedded);
        REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
        gpu.emplace(*std::move(opened));
        REQUIRE(machine.driver.MemAlloc(&memory, most) == gpuprof::abi::CUDA_SUCCESS);
    }
    sampled_gpu(sampled_gpu const&) = delete;
    sampled_gpu& operator=(sampled_gpu const&) = delete;
    ~sampled_gpu() { static_cast<void>(machine.driver.MemFree(memory)); }

    // Fills so many bytes; the calling thread does not wait.
    void fill(std::size_t bytes, gpuprof::abi::CUstream stream = nullptr) {
        REQUIRE(machine.driver.MemsetD8Async(memory, 1, bytes, stream) == gpuprof::abi::CUDA_SUCCESS);
    }
    void wait() { REQUIRE(machine.driver.CtxSynchronize() == gpuprof::abi::CUDA_SUCCESS); }
    [[nodiscard]] static double sectors(std::size_t bytes) { return static_cast<double>(bytes) / 32; }

    embedded_context context;
    gpuprof::hw::machine machine = gpuprof::sim::embedded_machine();
    std::optional<gpuprof::device> gpu;
    gpuprof::abi::CUdeviceptr memory = 0;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_SAMPLED_GPU_HPP
