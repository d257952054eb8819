// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A test machine with an opened device, whose kernels count what a test says: warps = CTAs * warps a CTA.
#ifndef GPUPROF_TESTS_SUPPORT_MEASURED_HPP
#define GPUPROF_TESTS_SUPPORT_MEASURED_HPP

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>

#include "support/fault_injection.hpp"
#include "support/test_machine.hpp"
#include "sim/chip/chips.hpp"

namespace test {

class measured_device {
public:
    explicit measured_device(sim::chip_model const& model = sim::gh100) : machine_{model} {
        tables_.driver = machine_.driver;
        tables_.cupti = machine_.cupti;
    }

    gpuprof::device open() {
        auto opened = gpuprof::device::try_open(tables_);
        REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
        return *std::move(opened);
    }
    void launch(unsigned ctas) { CHECK(machine_.launch("kernel", ctas, 32) == abi::CUDA_SUCCESS); }

    test_machine& machine() { return machine_; }
    gpuprof::hw::machine& tables() { return tables_; }

private:
    test_machine machine_;
    gpuprof::hw::machine tables_;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_MEASURED_HPP
