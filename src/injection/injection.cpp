// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A shared library that traces or measures a CUDA program which knows nothing of it: CUDA's driver and NVTX load it and call
// these functions. See docs/tracing.md, and docs/command.md for what it measures.
#include <cstdint>

#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/trace/directives.hpp>

#include "contained.hpp"
#include "nvtx_calls.hpp"
#include "nvtx_scopes.hpp"
#include "recording.hpp"
#include "repeating.hpp"
#include "settings.hpp"

#define GPUPROF_EXPORTED extern "C" __attribute__((visibility("default")))

// CUDA's driver calls it in cuInit(), if CUDA_INJECTION64_PATH names this library. 1: it may stay.
GPUPROF_EXPORTED int InitializeInjection() {
    gpuprof::injection::begin();
    return 1;
}

// NVTX calls one of these at the first call of it in each library of a program, on any thread, if NVTX_INJECTION64_PATH names
// this library: CUPTI gets NVTX's functions (CUPTI 12.0, 2.4.4). 0: NVTX goes on without a tool. A CUPTI that could not begin
// does not get them: calls of NVTX would end in it (13.0, on a machine without a driver).
template <class Call>
static int hand_over(Call gpuprof::abi::cupti_table::*call, void* table) {
    gpuprof::injection::begin();
    if (!gpuprof::injection::records({gpuprof::abi::CUPTI_ACTIVITY_KIND_MARKER})) return 0;
    auto const hear = gpuprof::hw::real_machine().cupti.*call;
    return hear != nullptr && hear(table) == gpuprof::abi::CUPTI_SUCCESS ? 1 : 0;
}
GPUPROF_EXPORTED int InitializeInjectionNvtx(void* table) {
    return hand_over(&gpuprof::abi::cupti_table::NvtxInitialize, table);
}
// The embedded GPU's CUPTI has no such functions: ranges are scopes there.
GPUPROF_EXPORTED int InitializeInjectionNvtx2(void* table) {
    gpuprof::injection::begin();
    auto* const find_table = reinterpret_cast<void const* (*)(std::uint32_t)>(table);
    if (gpuprof::injection::measures_nvtx_ranges())
        return gpuprof::program::nvtx::take_calls(
            find_table, {&gpuprof::injection::push_measured_range, &gpuprof::injection::pop_measured_range,
                         &gpuprof::injection::start_measured_range, &gpuprof::injection::end_measured_range});
    if (!gpuprof::hw::real_machine().is_embedded) return hand_over(&gpuprof::abi::cupti_table::NvtxInitialize2, table);
    if (!gpuprof::injection::records({gpuprof::abi::CUPTI_ACTIVITY_KIND_MARKER})) return 0;
    return gpuprof::program::nvtx::take_calls(find_table,
                                              {&gpuprof::injection::push_scope, &gpuprof::injection::pop_scope,
                                               &gpuprof::injection::start_scope, &gpuprof::injection::end_scope});
}

// An OpenACC runtime calls it before its first event, if ACC_PROFLIB names this library (CUPTI 12.0, 2.3.4).
GPUPROF_EXPORTED void acc_register_library(void (*add)(), void (*remove)(), void (*lookup)()) {
    gpuprof::injection::begin();
    if (!gpuprof::injection::records(gpuprof::injection::openacc_kinds)) return;
    gpuprof::injection::contained("the trace of OpenACC", [&] {
        if (auto heard = gpuprof::try_hear_openacc(gpuprof::hw::real_machine(), add, remove, lookup); !heard)
            gpuprof::injection::say("the trace lacks OpenACC: " + heard.error().message());
    });
}

// An OpenMP runtime calls it when it begins, if OMP_TOOL_LIBRARIES names this library (CUPTI 12.0, 1.1.19). Null: no tool.
GPUPROF_EXPORTED void* ompt_start_tool(unsigned, char const*) {
    void* tool = nullptr;
    gpuprof::injection::begin();
    if (!gpuprof::injection::records({gpuprof::abi::CUPTI_ACTIVITY_KIND_OPENMP})) return tool;
    gpuprof::injection::contained("the trace of OpenMP",
                                  [&] { tool = gpuprof::hear_openmp(gpuprof::hw::real_machine()); });
    return tool;
}
