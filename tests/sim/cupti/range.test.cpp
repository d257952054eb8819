// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's range profiler against what an H200 with CUPTI 13.0 (driver 580.159.04) answered to the same
// calls.
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <initializer_list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "support/test_machine.hpp"
#include "sim/chip/chips.hpp"

namespace range_test {

using namespace gpuprof;
using namespace gpuprof::abi;
using sim::raw_counter;

namespace {

using names = std::vector<char const*>;

char const* const warps = "smsp__warps_launched.sum";
char const* const multiply_adds = "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"; // takes a pass of its own
char const* const dram = "dram__bytes_read.sum";

struct stopped {
    CUptiResult status;
    std::size_t pass;
    std::size_t level;
    bool all;
    friend bool operator==(stopped const&, stopped const&) = default;
};

// The calls of a session, as short as they can be. Kernels launch as many warps as asked for.
struct session {
    test::test_machine& machine;
    names metrics;
    CUpti_ProfilerRange range = CUPTI_UserRange;
    CUpti_ProfilerReplayMode replay = CUPTI_UserReplay;
    std::size_t max_ranges = 20;
    std::size_t room = 20;
    std::uint16_t levels = 1;
    std::uint16_t first_level = 1;

    CUpti_Profiler_Host_Object* host = nullptr;
    CUpti_RangeProfiler_Object* object = nullptr;
    std::vector<std::uint8_t> config = {};
    std::vector<std::uint8_t> image = {};

    CUpti_Profiler_Host_Object* new_host() const {
        CUpti_Profiler_Host_Initialize_Params params;
        params.pChipName = "GH100";
        REQUIRE(machine.cupti.ProfilerHostInitialize(&params) == CUPTI_SUCCESS);
        return params.pHostObject;
    }
    void enable() {
        CUpti_RangeProfiler_Enable_Params params;
        params.ctx = machine.use_device();
        REQUIRE(machine.cupti.RangeProfilerEnable(&params) == CUPTI_SUCCESS);
        object = params.pRangeProfilerObject;
        REQUIRE(object != nullptr);
    }
    CUptiResult configure() {
        host = new_host();
        CUpti_Profiler_Host_ConfigAddMetrics_Params add;
        add.pHostObject = host;
        add.ppMetricNames = metrics.data();
        add.numMetrics = metrics.size();
        REQUIRE(machine.cupti.ProfilerHostConfigAddMetrics(&add) == CUPTI_SUCCESS);
        CUpti_Profiler_Host_GetConfigImageSize_Params size;
        size.pHostObject = host;
        REQUIRE(machine.cupti.ProfilerHostGetConfigImageSize(&size) == CUPTI_SUCCESS);
        config.resize(size.configImageSize);
        CUpti_Profiler_Host_GetConfigImage_Params get;
        get.pHostObject = host;
        get.configImageSize = config.size();
        get.pConfigImage = config.data();
        REQUIRE(machine.cupti.ProfilerHostGetConfigImage(&get) == CUPTI_SUCCESS);

        CUpti_RangeProfiler_GetCounterDataSize_Params data;
        data.pRangeProfilerObject = object;
        data.pMetricNames = metrics.data();
        data.numMetrics = metrics.size();
        data.maxNumOfRanges = room;
        data.maxNumRangeTreeNodes = static_cast<std::uint32_t>(room);
        REQUIRE(machine.cupti.RangeProfilerGetCounterDataSize(&data) == CUPTI_SUCCESS);
        image.resize(data.counterDataSize);
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params initialize;
        initialize.pRangeProfilerObject = object;
        initialize.counterDataSize = image.size();
        initialize.pCounterData = image.data();
        REQUIRE(machine.cupti.RangeProfilerCounterDataImageInitialize(&initialize) == CUPTI_SUCCESS);

        CUpti_RangeProfiler_SetConfig_Params set;
        set.pRangeProfilerObject = object;
        set.configSize = config.size();
        set.pConfig = config.data();
        set.counterDataImageSize = image.size();
        set.pCounterDataImage = image.data();
        set.range = range;
        set.replayMode = replay;
        set.maxRangesPerPass = max_ranges;
        set.numNestingLevels = levels;
        set.minNestingLevel = first_level;
        return machine.cupti.RangeProfilerSetConfig(&set);
    }
    void begin() {
        enable();
        REQUIRE(configure() == CUPTI_SUCCESS);
    }

    CUptiResult start() const {
        CUpti_RangeProfiler_Start_Params params;
        params.pRangeProfilerObject = object;
        return machine.cupti.RangeProfilerStart(&params);
    }
    stopped stop() const {
        CUpti_RangeProfiler_Stop_Params params;
        params.pRangeProfilerObject = object;
        auto const status = machine.cupti.RangeProfilerStop(&params);
        return {status, params.passIndex, params.targetNestingLevel, params.isAllPassSubmitted != 0};
    }
    CUptiResult push(char const* name) const {
        CUpti_RangeProfiler_PushRange_Params params;
        params.pRangeProfilerObject = object;
        params.pRangeName = name;
        return machine.cupti.RangeProfilerPushRange(&params);
    }
    CUptiResult pop() const {
        CUpti_RangeProfiler_PopRange_Params params;
        params.pRangeProfilerObject = object;
        return machine.cupti.RangeProfilerPopRange(&params);
    }
    void launch(unsigned count = 1) const { machine.launch("k", count); }
    void run(char const* name, unsigned count = 1) const {
        push(name);
        launch(count);
        pop();
    }
    CUptiResult decode() const {
        CUpti_RangeProfiler_DecodeData_Params params;
        params.pRangeProfilerObject = object;
        params.numOfRangeDropped = 77;
        auto const status = machine.cupti.RangeProfilerDecodeData(&params);
        if (status == CUPTI_SUCCESS) CHECK(params.numOfRangeDropped == 0); // also where ranges were dropped
        return status;
    }
    CUptiResult disable() const {
        CUpti_RangeProfiler_Disable_Params params;
        params.pRangeProfilerObject = object;
        return machine.cupti.RangeProfilerDisable(&params);
    }

    std::size_t ranges() const {
        CUpti_RangeProfiler_GetCounterDataInfo_Params params;
        params.pCounterDataImage = image.data();
        params.counterDataImageSize = image.size();
        REQUIRE(machine.cupti.RangeProfilerGetCounterDataInfo(&params) == CUPTI_SUCCESS);
        return params.numTotalRanges;
    }
    std::string name(std::size_t range, char const* delimiter = "/") const {
        CUpti_Profiler_Host_GetRangeName_Params params;
        params.pCounterDataImage = image.data();
        params.counterDataImageSize = image.size();
        params.rangeIndex = range;
        params.delimiter = delimiter;
        REQUIRE(machine.cupti.ProfilerHostGetRangeName(&params) == CUPTI_SUCCESS);
        std::string const text = params.pRangeName;
        std::free(const_cast<char*>(params.pRangeName));
        return text;
    }
    double value(std::size_t range, char const* metric) const {
        CUpti_Profiler_Host_EvaluateToGpuValues_Params params;
        double result = -1;
        params.pHostObject = new_host(); // one that was configured for nothing
        params.pCounterDataImage = image.data();
        params.counterDataImageSize = image.size();
        params.rangeIndex = range;
        params.ppMetricNames = &metric;
        params.numMetrics = 1;
        params.pMetricValues = &result;
        REQUIRE(machine.cupti.ProfilerHostEvaluateToGpuValues(&params) == CUPTI_SUCCESS);
        return result;
    }
    // Names and values of the first metric, after decoding.
    std::vector<std::pair<std::string, double>> decoded() const {
        REQUIRE(decode() == CUPTI_SUCCESS);
        std::vector<std::pair<std::string, double>> all;
        for (std::size_t i = 0; i < ranges(); ++i) all.emplace_back(name(i), value(i, metrics[0]));
        return all;
    }
};

using table = std::vector<std::pair<std::string, double>>;

} // namespace

TEST_CASE("replay passes collect one nesting level each, outermost first, and Stop names the next one") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.levels = 2;
    s.begin();
    auto const work = [&] {
        s.push("A");
        s.launch();
        s.run("x", 2);
        s.pop();
        s.run("B", 3);
        s.push("A");
        s.run("y", 4);
        s.launch();
        s.pop();
    };
    CHECK(s.start() == CUPTI_SUCCESS);
    work();
    CHECK(s.stop() == stopped{CUPTI_SUCCESS, 0, 2, false});
    CHECK(s.decoded() == table{{"A", 8}, {"B", 3}}); // 1 + 2 + 4 + 1: equal stacks are one range
    CHECK(s.start() == CUPTI_SUCCESS);
    work();
    CHECK(s.stop() == stopped{CUPTI_SUCCESS, 0, 1, true});
    CHECK(s.decoded() == table{{"A", 8}, {"B", 3}, {"A/x", 2}, {"A/y", 4}});
}

TEST_CASE("a second replay of a configuration is averaged with the first") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    s.start();
    s.run("A", 8);
    s.run("B", 3);
    CHECK(s.stop().all);
    s.start();
    s.run("A", 1);
    CHECK(s.stop().all);
    CHECK(s.decoded() == table{{"A", 4.5}, {"B", 3}});
}

TEST_CASE("passes times levels replay passes, reported in the order an H200 reports them") {
    test::test_machine machine;
    session s{machine, {warps, multiply_adds}}; // two passes
    s.levels = 2;
    s.begin();
    std::vector<stopped> replay_passes;
    do {
        s.start();
        s.push("frame");
        s.run("step");
        s.pop();
        replay_passes.push_back(s.stop());
    } while (!replay_passes.back().all);
    CHECK(replay_passes == std::vector<stopped>{{CUPTI_SUCCESS, 0, 2, false},
                                                {CUPTI_SUCCESS, 1, 1, false},
                                                {CUPTI_SUCCESS, 1, 2, false},
                                                {CUPTI_SUCCESS, 0, 1, true}});
}

TEST_CASE("a first level of two leaves out the outermost ranges") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.levels = 2;
    s.first_level = 2;
    s.begin();
    std::vector<stopped> replay_passes;
    do {
        s.start();
        s.push("A");
        s.push("x");
        s.run("i");
        s.pop();
        s.pop();
        replay_passes.push_back(s.stop());
    } while (!replay_passes.back().all);
    CHECK(replay_passes == std::vector<stopped>{{CUPTI_SUCCESS, 0, 2, false},
                                                {CUPTI_SUCCESS, 0, 3, false},
                                                {CUPTI_SUCCESS, 0, 2, true}});
    CHECK(s.decoded() == table{{"A/x", 1}, {"A/x/i", 1}});
}

TEST_CASE("ranges deeper than the levels asked for count for their parents only") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    s.start();
    s.push("A");
    s.run("deep", 5);
    s.pop();
    s.stop();
    CHECK(s.decoded() == table{{"A", 5}});
}

TEST_CASE("decoding after some passes gives their metrics and not-a-number for the rest") {
    test::test_machine machine;
    machine.on_launch = [](test::launch const&, sim::counter_values& counted) {
        counted[raw_counter::thread_ffma] = 64;
    };
    session s{machine, {warps, multiply_adds}};
    s.begin();
    s.start();
    s.run("a");
    CHECK(s.stop() == stopped{CUPTI_SUCCESS, 1, 1, false});
    REQUIRE(s.decode() == CUPTI_SUCCESS);
    CHECK(s.value(0, warps) == 1);
    CHECK(std::isnan(s.value(0, multiply_adds)));
    s.start();
    s.run("b"); // another range than in the first pass
    CHECK(s.stop().all);
    REQUIRE(s.decode() == CUPTI_SUCCESS);
    REQUIRE(s.ranges() == 2);
    CHECK(std::isnan(s.value(0, multiply_adds)));
    CHECK(std::isnan(s.value(1, warps)));
    CHECK(s.value(1, multiply_adds) == 64);
}

// As an H200 with CUPTI 13.0 was seen to: after one of three passes and another configuration, two passes were left.
TEST_CASE("another configuration goes on with the pass that is next, but for application replay") {
    test::test_machine machine;
    machine.on_launch = [](test::launch const&, sim::counter_values& counted) {
        counted[raw_counter::thread_ffma] = 64;
    };
    session s{machine, {warps, multiply_adds}};
    s.begin();
    s.start();
    s.run("a");
    CHECK(s.stop() == stopped{CUPTI_SUCCESS, 1, 1, false});
    REQUIRE(s.configure() == CUPTI_SUCCESS);
    s.start();
    s.run("b");
    CHECK(s.stop() == stopped{CUPTI_SUCCESS, 0, 1, true});
    REQUIRE(s.decode() == CUPTI_SUCCESS);
    CHECK(std::isnan(s.value(0, warps)));
    CHECK(s.value(0, multiply_adds) == 64);

    s.start();
    s.run("a");
    CHECK_FALSE(s.stop().all);
    s.replay = CUPTI_ApplicationReplay; // says the pass: 0
    REQUIRE(s.configure() == CUPTI_SUCCESS);
    s.start();
    s.run("b");
    CHECK(s.stop() == stopped{CUPTI_SUCCESS, 1, 1, false});
}

TEST_CASE("a metric that was not configured is not-a-number, a peak is always known") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    s.start();
    s.run("a");
    s.stop();
    REQUIRE(s.decode() == CUPTI_SUCCESS);
    CHECK(std::isnan(s.value(0, dram)));
    CHECK(s.value(0, "smsp__inst_executed.sum.peak_sustained") == 528); // 132 SMs of 4 sub-partitions, 1 each
    CHECK(std::isnan(s.value(9, warps)));                               // a range that is not there
}

TEST_CASE("a range open at Stop is there without a value, those closed before it keep theirs") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    s.start();
    s.run("a");
    s.push("b");
    s.launch();
    s.stop();
    REQUIRE(s.decode() == CUPTI_SUCCESS);
    REQUIRE(s.ranges() == 2);
    CHECK(s.value(0, warps) == 1);
    CHECK(s.name(1) == "b");
    CHECK(std::isnan(s.value(1, warps)));
}

TEST_CASE("a range beyond the image's room ends the decoding of its replay pass in silence") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.room = 2;
    s.begin();
    s.start();
    for (int i = 0; i < 3; ++i)
        for (char const* name : {"a", "b", "c"}) s.run(name);
    s.stop();
    CHECK(s.decoded() == table{{"a", 1}, {"b", 1}}); // the second and third a and b came after the first c
}

TEST_CASE("the image's room is for occurrences, also of names it has") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.room = 3;
    s.begin();
    s.start();
    for (int i = 0; i < 3; ++i)
        for (char const* name : {"a", "b"}) s.run(name);
    s.stop();
    CHECK(s.decoded() == table{{"a", 2}, {"b", 1}}); // as an H200 gave
}

// Processor time that it takes to collect, decode and read as many ranges, each of a name of its own.
static double seconds_for(unsigned count) {
    test::test_machine machine;
    session s{machine, {warps}};
    s.max_ranges = s.room = count;
    s.begin();
    std::clock_t const began = std::clock();
    s.start();
    for (unsigned i = 0; i < count; ++i) s.run(std::to_string(i).c_str(), 1 + i % 7);
    s.stop();
    REQUIRE(s.decode() == CUPTI_SUCCESS);
    REQUIRE(s.ranges() == count);
    for (unsigned i = 0; i < count; ++i) {
        auto const name = s.name(i);
        if (name != std::to_string(i)) FAIL_CHECK(name);
    }
    auto* const host = s.new_host();
    double values[2]{};
    char const* both[]{warps, warps};
    for (unsigned i = 0; i < count; ++i) {
        CUpti_Profiler_Host_EvaluateToGpuValues_Params params;
        params.pHostObject = host;
        params.pCounterDataImage = s.image.data();
        params.counterDataImageSize = s.image.size();
        params.rangeIndex = i;
        params.ppMetricNames = both;
        params.numMetrics = 2;
        params.pMetricValues = values;
        auto const status = machine.cupti.ProfilerHostEvaluateToGpuValues(&params);
        if (status != CUPTI_SUCCESS || values[0] != 1 + i % 7) FAIL_CHECK(i);
    }
    return static_cast<double>(std::clock() - began) / CLOCKS_PER_SEC;
}

TEST_CASE("many ranges are decoded and read in a time that grows with their number") {
    double const few = seconds_for(4'000), many = seconds_for(40'000);
    CHECK(many < 40 * few); // a quadratic look-up takes a hundred times as long
    MESSAGE(few, " and ", many, " s for 4,000 and 40,000 ranges");
}

TEST_CASE("twice as many occurrences as ranges per pass are kept") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.max_ranges = 3;
    s.begin();
    s.start();
    for (int i = 0; i < 2; ++i)
        for (char const* name : {"a", "b", "c", "d"}) s.run(name);
    s.stop();
    CHECK(s.decoded() == table{{"a", 2}, {"b", 2}, {"c", 1}, {"d", 1}});
}

TEST_CASE("names come back cut to 59 characters and are still told apart by all of them") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    std::string const long_name(300, 'm');
    std::string const other = long_name.substr(1) + "z";
    s.start();
    s.run("a/b");
    s.run("");
    s.run(long_name.c_str());
    s.run(other.c_str(), 2);
    CHECK(s.push(nullptr) == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(s.push(std::string(10000, 'm').c_str()) == CUPTI_ERROR_UNKNOWN);
    s.stop();
    std::string const cut(59, 'm');
    CHECK(s.decoded() == table{{"a/b", 1}, {"", 1}, {cut, 1}, {cut, 2}});
}

TEST_CASE("range names are joined by the delimiter, and the default is a slash") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.levels = 2;
    s.begin();
    for (int i = 0; i < 2; ++i) {
        s.start();
        s.push("frame");
        s.run("step");
        s.pop();
        s.stop();
    }
    REQUIRE(s.decode() == CUPTI_SUCCESS);
    CHECK(s.name(1, "::") == "frame::step");
    CHECK(s.name(1, nullptr) == "frame/step");

    CUpti_RangeProfiler_CounterData_GetRangeInfo_Params info;
    info.pCounterDataImage = s.image.data();
    info.counterDataImageSize = s.image.size();
    info.rangeIndex = 1;
    info.rangeDelimiter = "|";
    REQUIRE(machine.cupti.RangeProfilerCounterDataGetRangeInfo(&info) == CUPTI_SUCCESS);
    CHECK(std::string{info.rangeName} == "frame|step");
    std::free(const_cast<char*>(info.rangeName));
    info.rangeIndex = 2;
    CHECK(machine.cupti.RangeProfilerCounterDataGetRangeInfo(&info) == CUPTI_ERROR_INVALID_PARAMETER);
}

TEST_CASE("kernel replay takes one replay pass for all passes and names kernels by number") {
    test::test_machine machine;
    session s{machine, {warps, multiply_adds}};
    s.range = CUPTI_AutoRange;
    s.replay = CUPTI_KernelReplay;
    s.begin();
    s.start();
    s.launch(1);
    CHECK(s.push("ignored") == CUPTI_SUCCESS);
    s.launch(2);
    CHECK(s.pop() == CUPTI_SUCCESS);
    CHECK(s.stop() == stopped{CUPTI_SUCCESS, 0, 1, true});
    s.launch(9); // after Stop: no range
    CHECK(s.decoded() == table{{"0", 1}, {"1", 2}});
    CHECK(s.value(0, multiply_adds) == 0);
}

TEST_CASE("auto ranges under user replay take a replay pass a pass and number on over replays") {
    test::test_machine machine;
    session s{machine, {warps, multiply_adds}};
    s.range = CUPTI_AutoRange;
    s.begin();
    for (unsigned replay = 0; replay < 2; ++replay) {
        for (bool const last : {false, true}) {
            s.start();
            s.launch(1 + 2 * replay);
            s.launch(2 + 2 * replay);
            CHECK(s.stop().all == last);
        }
    }
    CHECK(s.decoded() == table{{"0", 1}, {"1", 2}, {"2", 3}, {"3", 4}});
}

TEST_CASE("user ranges cannot be replayed by the kernel") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.replay = CUPTI_KernelReplay;
    s.enable();
    CHECK(s.configure() == CUPTI_ERROR_INVALID_OPERATION);
}

TEST_CASE("calls out of order answer as on an H200") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    CHECK(s.push("early") == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(s.pop() == CUPTI_ERROR_INVALID_PARAMETER);
    CHECK(s.stop() == stopped{CUPTI_ERROR_INVALID_OPERATION, 0, 0, false});
    CHECK(s.start() == CUPTI_SUCCESS);
    CHECK(s.start() == CUPTI_SUCCESS);
    CHECK(s.pop() == CUPTI_SUCCESS); // nothing to pop
    s.run("a");
    CHECK(s.stop() == stopped{CUPTI_SUCCESS, 0, 1, true});
    CHECK(s.stop().status == CUPTI_ERROR_INVALID_OPERATION);
    CHECK(s.decoded() == table{{"a", 1}});
    s.start();
    s.push("open");
    CHECK(s.disable() == CUPTI_SUCCESS);
    CHECK(s.disable() == CUPTI_ERROR_INVALID_PARAMETER); // the handle is stale: a crash on a real one
}

TEST_CASE("a session can be configured again, with images of its own") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    s.start();
    s.run("a");
    s.stop();
    CHECK(s.decoded() == table{{"a", 1}});
    CHECK(s.configure() == CUPTI_SUCCESS);
    s.start();
    s.run("b", 2);
    s.stop();
    CHECK(s.decoded() == table{{"b", 2}});
}

TEST_CASE("a lost context fails Pop, Stop and Decode and still disables") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    s.start();
    s.push("a");
    machine.lose_context();
    CHECK(machine.launch("k") == CUDA_ERROR_ILLEGAL_ADDRESS);
    CHECK(s.pop() == CUPTI_ERROR_UNKNOWN);
    CHECK(s.push("b") == CUPTI_SUCCESS);
    CHECK(s.stop().status == CUPTI_ERROR_UNKNOWN);
    CHECK(s.start() == CUPTI_SUCCESS);
    CHECK(s.decode() == CUPTI_ERROR_UNKNOWN);
    CHECK(s.disable() == CUPTI_SUCCESS);
}

TEST_CASE("a second session on a context is a success without an object") {
    test::test_machine machine;
    session s{machine, {warps}};
    s.begin();
    CUpti_RangeProfiler_Enable_Params again;
    again.ctx = machine.use_device();
    CHECK(machine.cupti.RangeProfilerEnable(&again) == CUPTI_SUCCESS);
    CHECK(again.pRangeProfilerObject == nullptr);
    s.disable();
    CHECK(machine.cupti.RangeProfilerEnable(&again) == CUPTI_SUCCESS);
    CHECK(again.pRangeProfilerObject != nullptr);
}

TEST_CASE("no context, or a foreign one, is an error and not a crash") {
    test::test_machine machine;
    CUpti_RangeProfiler_Enable_Params params;
    CHECK(machine.cupti.RangeProfilerEnable(&params) == CUPTI_ERROR_INVALID_CONTEXT);
    int foreign = 0;
    params.ctx = reinterpret_cast<CUcontext>(&foreign);
    CHECK(machine.cupti.RangeProfilerEnable(&params) == CUPTI_ERROR_INVALID_CONTEXT);
    machine.use_device();
    params.ctx = nullptr; // the current one
    CHECK(machine.cupti.RangeProfilerEnable(&params) == CUPTI_SUCCESS);
}

TEST_CASE("contexts count apart, also when launched on from several threads") {
    test::test_machine machine{&sim::gh100, &sim::gh100};
    session s{machine, {warps}};
    s.begin();
    s.start();
    s.push("a");
    std::thread here{[&] {
        machine.use_device(0);
        for (int i = 0; i < 100; ++i) machine.launch("k", 2);
    }};
    std::thread elsewhere{[&] {
        machine.use_device(1);
        for (int i = 0; i < 100; ++i) machine.launch("k", 3);
    }};
    here.join();
    elsewhere.join();
    s.pop();
    s.stop();
    CHECK(s.decoded() == table{{"a", 200}});
}

} // namespace range_test
