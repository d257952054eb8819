// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What CUPTI answers to calls whose answers its header leaves open, called through its own header; and whether gpuprof knows the
// same stall reasons.
#include <map>
#include <set>
#include <string>
#include <vector>

#include <cuda.h>
#include <cupti.h>
#include <cupti_pcsampling.h>

#include "judge.hpp"

namespace {

constexpr std::size_t room = 10; // records
CUcontext context = nullptr;
void fact(std::string const& what, long long value) { std::printf("fact: %s: %lld\n", what.c_str(), value); }

template <class Params>
Params with_size(std::size_t size) {
    Params p{};
    p.size = size;
    p.ctx = context;
    return p;
}
CUptiResult attribute(bool set, CUpti_PCSamplingConfigurationInfo& one) {
    auto p = with_size<CUpti_PCSamplingConfigurationInfoParams>(CUpti_PCSamplingConfigurationInfoParamsSize);
    p.numAttributes = 1;
    p.pPCSamplingConfigurationInfo = &one;
    return set ? cuptiPCSamplingSetConfigurationAttribute(&p) : cuptiPCSamplingGetConfigurationAttribute(&p);
}
CUptiResult enable() {
    auto p = with_size<CUpti_PCSamplingEnableParams>(CUpti_PCSamplingEnableParamsSize);
    return cuptiPCSamplingEnable(&p);
}
CUptiResult disable() {
    auto p = with_size<CUpti_PCSamplingDisableParams>(CUpti_PCSamplingDisableParamsSize);
    return cuptiPCSamplingDisable(&p);
}
CUptiResult start() {
    auto p = with_size<CUpti_PCSamplingStartParams>(CUpti_PCSamplingStartParamsSize);
    return cuptiPCSamplingStart(&p);
}
CUptiResult stop() {
    auto p = with_size<CUpti_PCSamplingStopParams>(CUpti_PCSamplingStopParamsSize);
    return cuptiPCSamplingStop(&p);
}

} // namespace

int main() {
    kernels::workload const work;
    CHECKED(cuCtxGetCurrent(&context));
    CUpti_PCSamplingConfigurationInfo one{};
    one.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD;
    fact("configuration read before enabling, status", attribute(false, one));
    auto get = with_size<CUpti_PCSamplingGetDataParams>(CUpti_PCSamplingGetDataParamsSize);
    static CUpti_PCSamplingPCData records[room], more[room]; // arrays: nvcc 13.0 cannot have vectors of these
    CUpti_PCSamplingData data{}, last{};
    get.pcSamplingData = &data;
    // Data fetched before enabling: CUPTI 13.0 crashes on it, so it is not asked for.
    fact("enable", enable());
    fact("enable twice", enable());

    std::size_t count = 0;
    auto number = with_size<CUpti_PCSamplingGetNumStallReasonsParams>(CUpti_PCSamplingGetNumStallReasonsParamsSize);
    number.numStallReasons = &count;
    CHECKED(cuptiPCSamplingGetNumStallReasons(&number));
    std::vector<std::uint32_t> numbers(count);
    std::vector<char> texts(count * CUPTI_STALL_REASON_STRING_SIZE);
    std::vector<char*> places(count);
    for (std::size_t i = 0; i < count; ++i) places[i] = texts.data() + i * CUPTI_STALL_REASON_STRING_SIZE;
    auto list = with_size<CUpti_PCSamplingGetStallReasonsParams>(CUpti_PCSamplingGetStallReasonsParamsSize);
    list.numStallReasons = count;
    list.stallReasonIndex = numbers.data();
    list.stallReasons = places.data();
    CHECKED(cuptiPCSamplingGetStallReasons(&list));
    std::set<std::string> theirs;
    for (char const* text : places) theirs.insert(text);
    fact("stall reasons", static_cast<long long>(count));

    struct named {
        CUpti_PCSamplingConfigurationAttributeType type;
        char const* what;
    };
    named const defaults[]{
        {CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_PERIOD, "default period"},
        {CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SCRATCH_BUFFER_SIZE, "default scratch buffer"},
        {CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_HARDWARE_BUFFER_SIZE, "default hardware buffer"},
        {CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_COLLECTION_MODE, "default mode"},
        {CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL, "default start and stop"},
        {CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_WORKER_THREAD_PERIODIC_SLEEP_SPAN, "default sleep"}};
    for (named const& each : defaults) {
        one = {};
        one.attributeType = each.type;
        fact(std::string{each.what} + ", status", attribute(false, one));
        fact(each.what, static_cast<long long>(one.attributeData.invalidData.data[0]));
    }
    fact("start without start and stop", start());

    static CUpti_PCSamplingStallReason stalls[2 * room * 256];
    if (count > 256) return 3;
    auto const prepare = [&](CUpti_PCSamplingData& of, CUpti_PCSamplingPCData* into, std::size_t from) {
        of = {};
        of.size = sizeof of;
        of.collectNumPcs = room;
        of.pPcData = into;
        for (std::size_t i = 0; i < room; ++i) {
            into[i] = {};
            into[i].size = sizeof into[i];
            into[i].stallReason = stalls + (from + i) * count;
        }
    };
    prepare(data, records, 0);
    prepare(last, more, room);
    one = {};
    one.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_SAMPLING_DATA_BUFFER;
    one.attributeData.samplingDataBufferData.samplingDataBuffer = &last;
    fact("data buffer", attribute(true, one));
    one = {};
    one.attributeType = CUPTI_PC_SAMPLING_CONFIGURATION_ATTR_TYPE_ENABLE_START_STOP_CONTROL;
    one.attributeData.enableStartStopControlData.enableStartStopControl = 1;
    fact("start and stop on", attribute(true, one));
    fact("stop before start", stop());
    std::map<std::string, std::set<char const*>> names;
    for (int range = 0; range < 2; ++range) {
        fact("start", start());
        if (range == 0) fact("start twice", start());
        work.run_all();
        CHECKED(cudaDeviceSynchronize());
        fact("stop", stop());
        long long calls = 0, samples = 0;
        do {
            prepare(data, records, 0);
            CUptiResult const status = cuptiPCSamplingGetData(&get);
            if (status != CUPTI_SUCCESS) fact("data, status", status);
            if (calls < 2) {
                fact("total of fetch " + std::to_string(calls), static_cast<long long>(data.totalSamples));
                fact("records of it", static_cast<long long>(data.totalNumPcs));
                fact("remaining after it", static_cast<long long>(data.remainingNumPcs));
                fact("range of it", static_cast<long long>(data.rangeId));
            }
            for (std::size_t i = 0; i < data.totalNumPcs; ++i) {
                names[records[i].functionName].insert(records[i].functionName);
                for (std::size_t s = 0; s < records[i].stallReasonCount; ++s)
                    samples += records[i].stallReason[s].samples;
            }
        } while (++calls < 1000 && data.remainingNumPcs != 0 && data.totalNumPcs != 0);
        fact("fetches of 10 records", calls);
        fact("samples and latency samples of all", samples);
    }
    for (auto const& [name, pointers] : names)
        fact("pointers to the name " + name, static_cast<long long>(pointers.size()));
    fact("disable", disable());
    fact("records in the data buffer", static_cast<long long>(last.totalNumPcs));
    fact("total in the data buffer", static_cast<long long>(last.totalSamples));
    fact("disable twice", disable());

    // Two contexts of a GPU, and the range profiler on the same one.
    CUcontext const first = context;
    CUcontext second = nullptr;
    CHECKED(cuCtxCreate(&second, nullptr, 0, 0));
    fact("enable the first context", enable());
    context = second;
    fact("enable a second one", enable());
    static_cast<void>(disable());
    context = first;
    fact("disable the first", disable());
    CHECKED(cuCtxDestroy(second));
    CHECKED(cuCtxSetCurrent(first));

    auto const gpu = gpuprof::open_device();
    std::set<std::string> ours{"smsp__pcsamp_sample_count", "smsp__pcsamp_samples_data_dropped"};
    {
        auto const sampler = gpuprof::pc_sampler::try_open(gpu).value();
        for (auto const& reason : sampler.reasons())
            for (char const* ending : {"", "_not_issued"})
                ours.insert("smsp__pcsamp_warps_issue_stalled_" + std::string{name(reason.reason)} + ending);
    }
    row("facts", "stall reasons of CUPTI, as gpuprof has them",
        std::to_string(theirs.size()) + " and " + std::to_string(ours.size()), ours == theirs);
    for (std::string const& each : theirs) std::printf("reason: %s\n", each.c_str());
    return failures != 0;
}
