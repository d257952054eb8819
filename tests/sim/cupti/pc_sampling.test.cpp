// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's PC sampling calls: the refusals that CUPTI's header documents, and lines of the source.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include "sim/cupti/pc_sampling_reasons.hpp"

#include "support/pc_sampled_gpu.hpp"
#include "sim/chip/chips.hpp"

namespace pc_sampling_test {

using namespace gpuprof::abi;
using test::pc_sampled_gpu;

namespace {

template <class Params>
Params of(pc_sampled_gpu const& machine) {
    Params p;
    p.ctx = machine.handle();
    return p;
}
// A call with its parameters' size and context right, then wrong.
template <class Params>
void check_parameters(pc_sampled_gpu const& machine, CUptiResult (*call)(Params*)) {
    CHECK(call(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    auto wrong = of<Params>(machine);
    wrong.size -= 1;
    CHECK(call(&wrong) == CUPTI_ERROR_INVALID_PARAMETER);
    wrong.size += 1;
    wrong.ctx = nullptr;
    CHECK(call(&wrong) == CUPTI_ERROR_INVALID_CONTEXT);
}
CUptiResult set(pc_sampled_gpu const& machine, CUpti_PCSamplingConfigurationInfo& one) {
    auto p = of<CUpti_PCSamplingConfigurationInfoParams>(machine);
    p.numAttributes = 1;
    p.pPCSamplingConfigurationInfo = &one;
    return machine.tables.cupti.PCSamplingSetConfigurationAttribute(&p);
}

} // namespace

TEST_CASE("PC sampling calls refuse parameters of another size, no context, and what is not enabled") {
    pc_sampled_gpu machine;
    cupti_table const& cupti = machine.tables.cupti;
    check_parameters(machine, cupti.PCSamplingEnable);
    check_parameters(machine, cupti.PCSamplingDisable);
    check_parameters(machine, cupti.PCSamplingStart);
    check_parameters(machine, cupti.PCSamplingStop);
    check_parameters(machine, cupti.PCSamplingGetData);
    check_parameters(machine, cupti.PCSamplingSetConfigurationAttribute);
    check_parameters(machine, cupti.PCSamplingGetConfigurationAttribute);
    check_parameters(machine, cupti.PCSamplingGetNumStallReasons);
    check_parameters(machine, cupti.PCSamplingGetStallReasons);
    auto data = of<CUpti_PCSamplingGetDataParams>(machine);
    CHECK(cupti.PCSamplingGetData(&data) == CUPTI_ERROR_INVALID_OPERATION);
    auto start = of<CUpti_PCSamplingStartParams>(machine);
    CHECK(cupti.PCSamplingStart(&start) == CUPTI_ERROR_INVALID_OPERATION);
    auto disable = of<CUpti_PCSamplingDisableParams>(machine);
    CHECK(cupti.PCSamplingDisable(&disable) == CUPTI_ERROR_INVALID_OPERATION);
    auto enable = of<CUpti_PCSamplingEnableParams>(machine);
    CHECK(cupti.PCSamplingEnable(&enable) == CUPTI_SUCCESS);
    CHECK(cupti.PCSamplingEnable(&enable) == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(cupti.PCSamplingStart(&start) == CUPTI_ERROR_INVALID_OPERATION); // without start and stop control
    CHECK(cupti.PCSamplingDisable(&disable) == CUPTI_SUCCESS);

    pc_sampled_gpu old{gpuprof::sim::gp100};
    auto on_old = of<CUpti_PCSamplingEnableParams>(old);
    CHECK(cupti.PCSamplingEnable(&on_old) == CUPTI_ERROR_NOT_SUPPORTED);
}

TEST_CASE("attributes out of range are refused one by one") {
    pc_sampled_gpu machine;
    using type = CUpti_PCSamplingConfigurationAttributeType;
    auto const refused = [&](type which, auto value, CUptiResult status) {
        CUpti_PCSamplingConfigurationInfo one;
        one.attributeType = which;
        std::memcpy(static_cast<void*>(&one.attributeData), &value, sizeof value);
        CAPTURE(static_cast<unsigned>(which));
        CHECK(set(machine, one) == status);
        CHECK(one.attributeStatus == status);
    };
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD, 4u, CUPTI_ERROR_INVALID_OPERATION);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD, 5u, CUPTI_SUCCESS);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD, 31u, CUPTI_SUCCESS);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD, 32u, CUPTI_ERROR_INVALID_OPERATION);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE, 0u, CUPTI_ERROR_INVALID_OPERATION);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE, 3u, CUPTI_ERROR_INVALID_OPERATION);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_OUTPUT_DATA_FORMAT, 0u, CUPTI_ERROR_INVALID_OPERATION);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL, 2u, CUPTI_ERROR_INVALID_OPERATION);
    refused(static_cast<type>(10), 0u, CUPTI_ERROR_INVALID_PARAMETER);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_INVALID, 0u, CUPTI_ERROR_INVALID_PARAMETER);
    std::uint32_t reasons[]{39, 40};
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON, stall_reason_attribute{1, reasons}, CUPTI_SUCCESS);
    refused(CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_STALL_REASON, stall_reason_attribute{2, reasons},
            CUPTI_ERROR_INVALID_OPERATION); // an H200 has 40, numbered from 0
    CUpti_PCSamplingConfigurationInfo one;
    one.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER; // written only
    auto p = of<CUpti_PCSamplingConfigurationInfoParams>(machine);
    p.numAttributes = 1;
    p.pPCSamplingConfigurationInfo = &one;
    CHECK(machine.tables.cupti.PCSamplingGetConfigurationAttribute(&p) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("stall reasons have an H200's numbers") {
    using gpuprof::sim::cupti::reason_name;
    // What cuptiPCSamplingGetStallReasons gave on an H200 (CUPTI 13.0).
    CHECK(reason_name(0) == "smsp__pcsamp_sample_count");
    CHECK(reason_name(1) == "smsp__pcsamp_samples_data_dropped");
    CHECK(reason_name(2) == "smsp__pcsamp_warps_issue_stalled_barrier");
    CHECK(reason_name(14) == "smsp__pcsamp_warps_issue_stalled_long_scoreboard");
    CHECK(reason_name(15) == "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued");
    CHECK(reason_name(28) == "smsp__pcsamp_warps_issue_stalled_selected");
    CHECK(reason_name(37) == "smsp__pcsamp_warps_issue_stalled_wait_not_issued");
    CHECK(reason_name(39) == "smsp__pcsamp_warps_issue_stalled_warpgroup_arrive_not_issued");
    CHECK(gpuprof::sim::cupti::reason_count(gpuprof::sim::gh100) == 40);
    CHECK(gpuprof::sim::cupti::reason_count(gpuprof::sim::gv100) == 38);
    for (std::size_t s = 0; s < gpuprof::sim::warp_states; ++s) {
        auto const state = static_cast<gpuprof::sim::warp_state>(s);
        CHECK(reason_name(gpuprof::sim::cupti::reason_number(state)) ==
              "smsp__pcsamp_warps_issue_stalled_" + std::string{name(state)});
    }
}

TEST_CASE("an instruction's line is that of .loc, or its own in the PTX") {
    cupti_table const cupti = gpuprof::sim::embedded_machine().cupti;
    std::string_view const text = test::sampled_kernels;
    auto const at = [&](std::string_view code, char const* function, std::uint64_t offset) {
        CUpti_GetSassToSourceCorrelationParams p;
        p.cubin = code.data();
        p.cubinSize = code.size();
        p.functionName = function;
        p.pcOffset = offset;
        CUptiResult const status = cupti.GetSassToSourceCorrelation(&p);
        std::string const place = status != CUPTI_SUCCESS
                                      ? "status " + std::to_string(static_cast<int>(status))
                                      : std::string{p.dirName} + "|" + p.fileName + "|" + std::to_string(p.lineNumber);
        std::free(p.fileName);
        std::free(p.dirName);
        return place;
    };
    CUpti_GetCubinCrcParams crc;
    crc.cubin = text.data();
    crc.cubinSize = text.size();
    REQUIRE(cupti.GetCubinCrc(&crc) == CUPTI_SUCCESS);
    char number[24];
    std::snprintf(number, sizeof number, "%08llx", static_cast<unsigned long long>(crc.cubinCrc));
    CHECK(at(text, "gather", 0) == "|" + std::string{number} + ".ptx|6");
    CHECK(at(text, "gather", 1 << 20) == "status 999");
    CHECK(at(text, "no such function", 0) == "status 999");
    CHECK(at("no module", "gather", 0) == "status 24");
    constexpr std::string_view with_lines = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry f() {
    .reg .u32 %r<3>;
    .loc 1 7 3
    mov.u32 %r1, 5;
    .loc 1 12 3
    add.u32 %r2, %r1, 1;
    ret;
}
.file 1 "/home/someone/kernels/f.cu"
)";
    CHECK(at(with_lines, "f", 0) == "/home/someone/kernels|f.cu|7");
    CHECK(at(with_lines, "f", 16) == "/home/someone/kernels|f.cu|12");
    CUpti_GetSassToSourceCorrelationParams none;
    CHECK(cupti.GetSassToSourceCorrelation(&none) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.GetSassToSourceCorrelation(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CUpti_GetCubinCrcParams empty;
    CHECK(cupti.GetCubinCrc(&empty) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(cupti.RegisterComputeCrcCallback(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
}

} // namespace pc_sampling_test
