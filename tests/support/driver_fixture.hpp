// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A context of its own on the embedded GPU for a test of its driver table.
#ifndef GPUPROF_TESTS_SUPPORT_DRIVER_FIXTURE_HPP
#define GPUPROF_TESTS_SUPPORT_DRIVER_FIXTURE_HPP

#include <doctest/doctest.h>

#include <gpuprof/sim/open.hpp>
#include "sim/embedded_device.hpp"
#include "sim/chip/chips.hpp"

struct embedded_context {
    explicit embedded_context(gpuprof::sim::chip_model const& chip = gpuprof::sim::gh100)
        : device{gpuprof::sim::detail::device_with(chip)} {
        REQUIRE(driver.Init(0) == gpuprof::abi::CUDA_SUCCESS);
        REQUIRE(driver.CtxCreate(&handle, 0, device) == gpuprof::abi::CUDA_SUCCESS);
    }
    ~embedded_context() { CHECK(driver.CtxDestroy(handle) == gpuprof::abi::CUDA_SUCCESS); }
    embedded_context(embedded_context const&) = delete;
    embedded_context& operator=(embedded_context const&) = delete;

    gpuprof::abi::driver_table const& driver = gpuprof::sim::embedded_machine().driver;
    int device = 0;
    gpuprof::abi::CUcontext handle = nullptr;
};

#endif // GPUPROF_TESTS_SUPPORT_DRIVER_FIXTURE_HPP
