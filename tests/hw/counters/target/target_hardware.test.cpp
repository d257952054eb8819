// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/counters/target/target_hardware.hpp: the policy on a test machine whose CUPTI has no range profiler, each of its calls
// failing in turn, and the choice between the two policies.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/hw/counters/range_profiler_faults.hpp>
#include <gpuprof/hw/counters/range/range_hardware.hpp>
#include <gpuprof/hw/counters/registry.hpp>
#include <gpuprof/hw/counters/target/target_hardware.hpp>

#include "sim/cupti/cupti.hpp"
#include "sim/cupti/nvperf.hpp"
#include "support/measured.hpp"

namespace target_hardware_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::errc;

static_assert(hw::target_hardware::supports({7, 0}) && hw::target_hardware::supports({9, 0}));
static_assert(!hw::target_hardware::supports({6, 1}));

namespace {

std::vector<std::string> const one_metric{"smsp__warps_launched.sum"};

// A test machine with CUPTI 12.5.
class older_machine : public test::measured_device {
public:
    explicit older_machine(gpuprof::sim::chip_model const& model = gpuprof::sim::gh100) : test::measured_device{model} {
        machine().cupti = gpuprof::sim::cupti::target_table();
        tables().cupti = machine().cupti;
        tables().nvperf = &gpuprof::sim::cupti::nvperf_calls();
        tables().cupti_library.version = 23;
    }
};

// Two passes on GH100: one of hardware counters, one of a patched program.
std::vector<std::string> const two_passes{"smsp__warps_launched.sum",
                                          "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"};

// What happens to a machine's calls of libnvperf_host.
struct nvperf_faults {
    static inline int calls = 0;
    static inline int failing = 0; // its number, from 1
    static inline int made = 0;
    static inline int destroyed = 0;
    static inline std::string last; // that failed

    static int answer(std::string_view name, int status) {
        bool const is_destroyer = name.find("Destroy") != name.npos;
        bool const is_maker = name == "CUDA_MetricsEvaluator_Initialize" || name.find("_Create") != name.npos;
        made += is_maker && status == 0;
        destroyed += is_destroyer; // also where it says that it failed
        return status;
    }
    static bool fails(std::string_view name) {
        if (++calls != failing) return false;
        last = name;
        return true;
    }
    static abi::nvperf_table const& table() {
        static abi::nvperf_table const all = [] {
            using namespace gpuprof::abi;
            nvperf_table made_here;
#define FAULTY(member, symbol, parameters)                                                                             \
    made_here.member = [] parameters {                                                                                 \
        return answer(#member, fails(#member) ? 7 : gpuprof::sim::cupti::nvperf_calls().member(params));               \
    };
            GPUPROF_ABI_NVPERF(FAULTY)
#undef FAULTY
            return made_here;
        }();
        return all;
    }
    static void reset(int fail) {
        calls = made = destroyed = 0;
        failing = fail;
        last.clear();
    }
};

// Plans, collects two nested ranges and reads them. The values by id, or what went wrong.
template <class Policy>
gpuprof::result<std::vector<hw::range_values>> life(older_machine& machine, gpuprof::device const& gpu,
                                                    std::vector<std::string> const& metrics) {
    hw::config_cache cache;
    auto plan = Policy::try_plan(gpu, metrics, cache);
    if (!plan) return std::move(plan).error();
    auto session = Policy::session::try_open(gpu, *plan);
    if (!session) return std::move(session).error();
    if (auto prepared = session->try_prepare({2, 2}); !prepared) return std::move(prepared).error();
    for (bool last = false; !last;) {
        if (auto begun = session->try_begin_replay_pass(); !begun) return std::move(begun).error();
        for (std::uint32_t const id : {1u, 2u}) {
            if (auto pushed = session->try_push(id); !pushed) return std::move(pushed).error();
            machine.launch(id);
        }
        for (int i = 0; i < 2; ++i)
            if (auto popped = session->try_pop(); !popped) return std::move(popped).error();
        auto progress = session->try_end_replay_pass();
        if (!progress) return std::move(progress).error();
        last = progress->last;
    }
    return session->try_read();
}

} // namespace

TEST_CASE("target_hardware: nested user ranges of several passes have the values of the range profiler") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::target_hardware::try_plan(gpu, one_metric, cache);
    REQUIRE_MESSAGE(plan, (plan ? std::string{} : plan.error().message()));
    CHECK(plan->passes() == 1);
    CHECK_FALSE(plan->remembered());
    auto session = hw::target_hardware::session::try_open(gpu, *plan);
    REQUIRE(session);
    for (int collection = 0; collection < 2; ++collection) { // the second begins anew
        REQUIRE(session->try_prepare({3, 2}));
        bool last = false;
        int replay_passes = 0;
        while (!last) {
            ++replay_passes;
            REQUIRE(session->try_begin_replay_pass());
            REQUIRE(session->try_push(7));
            machine.launch(1);
            for (std::uint32_t const id : {8u, 4'294'967'295u}) {
                REQUIRE(session->try_push(id));
                machine.launch(id == 8 ? 2 : 4);
                REQUIRE(session->try_pop());
            }
            REQUIRE(session->try_pop());
            auto const progress = session->try_end_replay_pass();
            REQUIRE(progress);
            last = progress->last;
        }
        CHECK(replay_passes == 2); // one pass, two levels
        auto const ranges = session->try_read();
        REQUIRE_MESSAGE(ranges, (ranges ? std::string{} : ranges.error().message()));
        REQUIRE(ranges->size() == 3);
        for (hw::range_values const& each : *ranges)
            CHECK(each.values.front() == (each.id == 7 ? 7 : each.id == 8 ? 2 : 4));
        auto const again = session->try_read(); // the image stays
        REQUIRE(again);
        CHECK(again->size() == 3);
    }
}

TEST_CASE("target_hardware: one machine gives the same values by both policies") {
    older_machine machine;
    machine.tables().cupti = gpuprof::sim::cupti::table(); // which has the calls of both, as CUPTI 13.0
    machine.machine().on_launch = [](test::launch const& what, gpuprof::sim::counter_values& counted) {
        counted[gpuprof::sim::raw_counter::warps_launched] = 5 * what.ctas();
        counted[gpuprof::sim::raw_counter::inst_executed] = 100 * what.ctas();
    };
    auto const gpu = machine.open();
    std::vector<std::string> const metrics{"smsp__warps_launched.sum", "smsp__inst_executed.avg",
                                           "sm__throughput.avg.pct_of_peak_sustained_elapsed",
                                           "smsp__sass_thread_inst_executed_op_ffma_pred_on.sum"};
    auto const newer = life<hw::range_hardware>(machine, gpu, metrics);
    auto const older = life<hw::target_hardware>(machine, gpu, metrics);
    REQUIRE_MESSAGE(older, (older ? std::string{} : older.error().message()));
    REQUIRE(newer);
    REQUIRE(older->size() == 2);
    REQUIRE(newer->size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK((*older)[i].id == (*newer)[i].id);
        CHECK((*older)[i].values == (*newer)[i].values);
    }
    CHECK((*older)[0].values[0] == ((*older)[0].id == 1 ? 15 : 10)); // of one and two CTAs, or of two
}

TEST_CASE("target_hardware: each call of libnvperf_host that fails is a typed error, and leaves nothing behind") {
    older_machine machine;
    machine.tables().nvperf = &nvperf_faults::table();
    auto const gpu = machine.open();
    nvperf_faults::reset(0);
    REQUIRE(life<hw::target_hardware>(machine, gpu, two_passes));
    int const calls = nvperf_faults::calls;
    CHECK(calls > 30);
    CHECK(nvperf_faults::made == 4); // an evaluator to plan and one to read, a configuration, a builder
    CHECK(nvperf_faults::destroyed == 4);
    int told = 0;
    for (int each = 1; each <= calls; ++each) {
        CAPTURE(each);
        nvperf_faults::reset(each);
        auto const read = life<hw::target_hardware>(machine, gpu, two_passes);
        CAPTURE(nvperf_faults::last);
        CHECK(read.has_value() == (nvperf_faults::last.find("Destroy") != std::string::npos));
        if (!read) {
            ++told;
            CHECK(read.error().status == 7);
            CHECK_FALSE(read.error().remedy.empty());
        }
        CHECK(nvperf_faults::made == nvperf_faults::destroyed);
        nvperf_faults::reset(0);
        CHECK(life<hw::target_hardware>(machine, gpu, two_passes)); // no session and no lease is left
    }
    CHECK(told == calls - 4);
}

TEST_CASE("target_hardware: each call of CUPTI that fails is a typed error, and CUPTI's session is ended") {
    older_machine machine;
    auto const gpu = machine.open();
    std::size_t calls = 0;
    {
        test::fault_injection const watch{machine.tables().cupti};
        REQUIRE(life<hw::target_hardware>(machine, gpu, two_passes));
        calls = watch.calls();
    }
    for (std::size_t nth = 1; nth <= calls; ++nth) {
        test::fault_injection faults{machine.tables().cupti};
        faults.fail_any(nth, abi::CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
        auto const read = life<hw::target_hardware>(machine, gpu, two_passes);
        std::string const call = faults.record()[nth - 1];
        CAPTURE(call);
        CHECK(read.has_value() == (call == "cuptiGetVersion")); // which names what is remembered
        if (!read) {
            CHECK(read.error().code == errc::permission);
            CHECK(read.error().what.starts_with(call + ": CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"));
        }
        CHECK(faults.calls("cuptiProfilerEndSession") ==
              faults.calls("cuptiProfilerBeginSession") - (call == "cuptiProfilerBeginSession" ? 1 : 0));
        // An EndSession that did nothing leaves the session of this test's CUPTI: it is detached.
        if (call == "cuptiProfilerEndSession") CHECK(machine.tables().cupti.Finalize() == abi::CUPTI_SUCCESS);
        faults.clear();
        CHECK(life<hw::target_hardware>(machine, gpu, two_passes));
    }
    CHECK(calls > 30);
}

TEST_CASE(
    "target_hardware: calls come in the order of the documents, and a session that is dropped ends all it began") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::target_hardware::try_plan(gpu, one_metric, cache);
    REQUIRE(plan);
    test::fault_injection const watch{machine.tables().cupti};
    {
        auto session = hw::target_hardware::session::try_open(gpu, *plan);
        REQUIRE(session);
        REQUIRE(session->try_prepare({}));
        REQUIRE(session->try_begin_replay_pass());
        REQUIRE(session->try_push(1));
        auto moved = std::move(*session); // the one that is left ends nothing
    }
    std::vector<std::string> const order{"cuptiProfilerCounterDataImageCalculateSize",
                                         "cuptiProfilerCounterDataImageInitialize",
                                         "cuptiProfilerCounterDataImageCalculateScratchBufferSize",
                                         "cuptiProfilerCounterDataImageInitializeScratchBuffer",
                                         "cuptiProfilerBeginSession",
                                         "cuptiProfilerSetConfig",
                                         "cuptiProfilerBeginPass",
                                         "cuptiProfilerEnableProfiling",
                                         "cuptiProfilerPushRange",
                                         "cuptiProfilerPopRange",
                                         "cuptiProfilerDisableProfiling",
                                         "cuptiProfilerEndPass",
                                         "cuptiProfilerUnsetConfig",
                                         "cuptiProfilerEndSession"};
    CHECK(watch.record() == order);
}

TEST_CASE(
    "target_hardware: CUPTI replays each kernel in one replay pass, without the calls that begin and end passes") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::target_hardware::try_plan(gpu, two_passes, cache);
    REQUIRE(plan);
    CHECK(plan->passes() == 2);
    auto session = hw::target_hardware::session::try_open(gpu, *plan);
    REQUIRE(session);
    test::fault_injection const watch{machine.tables().cupti};
    hw::session_shape shape;
    shape.max_ranges = 3;
    shape.ranges = gpuprof::range_mode::auto_range;
    shape.replay = gpuprof::replay_mode::kernel;
    REQUIRE(session->try_prepare(shape));
    machine.launch(9); // before the pass: not counted
    REQUIRE(session->try_begin_replay_pass());
    for (unsigned const ctas : {1u, 2u, 4u}) machine.launch(ctas);
    auto const progress = session->try_end_replay_pass();
    REQUIRE(progress);
    CHECK(progress->last);
    machine.launch(9);
    auto const read = session->try_read();
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    REQUIRE(read->size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        CHECK((*read)[i].id == i);
        CHECK((*read)[i].values[0] == (1 << i));
    }
    for (char const* const call : {"cuptiProfilerBeginPass", "cuptiProfilerEndPass", "cuptiProfilerFlushCounterData"})
        CHECK(watch.calls(call) == 0);
    shape.ranges = gpuprof::range_mode::user_range;
    CHECK(session->try_prepare(shape).error().code == errc::invalid_argument);
}

TEST_CASE("target_hardware: the application replays each kernel once a pass") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::target_hardware::try_plan(gpu, two_passes, cache);
    REQUIRE(plan);
    auto session = hw::target_hardware::session::try_open(gpu, *plan);
    REQUIRE(session);
    hw::session_shape shape;
    shape.max_ranges = 2;
    shape.ranges = gpuprof::range_mode::auto_range;
    REQUIRE(session->try_prepare(shape));
    int replay_passes = 0;
    for (bool last = false; !last; ++replay_passes) {
        REQUIRE(session->try_begin_replay_pass());
        for (unsigned const ctas : {3u, 5u}) machine.launch(ctas);
        auto const progress = session->try_end_replay_pass();
        REQUIRE(progress);
        last = progress->last;
    }
    CHECK(replay_passes == 2);
    auto const read = session->try_read();
    REQUIRE(read);
    REQUIRE(read->size() == 2);
    CHECK((*read)[0].values[0] == 3);
    CHECK((*read)[1].values[0] == 5);
}

TEST_CASE("target_hardware: what CUPTI dropped is an error, and so is a range of somebody else") {
    older_machine machine;
    auto const gpu = machine.open();
    machine.tables().cupti.ProfilerFlushCounterData = [](abi::CUpti_Profiler_FlushCounterData_Params* params) {
        auto const status = gpuprof::sim::cupti::target_table().ProfilerFlushCounterData(params);
        params->numRangesDropped = 3;
        params->numTraceBytesDropped = 128;
        return status;
    };
    auto const dropped = life<hw::target_hardware>(machine, gpu, one_metric);
    REQUIRE_FALSE(dropped);
    CHECK(dropped.error().code == errc::not_collected);
    CHECK(dropped.error().what == "CUPTI dropped 3 ranges and 128 bytes of what kernels counted");

    machine.tables().cupti.ProfilerFlushCounterData = gpuprof::sim::cupti::target_table().ProfilerFlushCounterData;
    machine.tables().cupti.ProfilerPushRange = [](abi::CUpti_Profiler_PushRange_Params* params) {
        params->pRangeName = "theirs";
        return gpuprof::sim::cupti::target_table().ProfilerPushRange(params);
    };
    auto const foreign = life<hw::target_hardware>(machine, gpu, one_metric);
    REQUIRE_FALSE(foreign);
    CHECK(foreign.error().code == errc::internal);
    CHECK(foreign.error().what.find("theirs") != std::string::npos);
}

TEST_CASE("target_hardware: what a device can count is asked once, and again after the plan is forgotten") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    test::fault_injection const watch{machine.tables().cupti};
    REQUIRE(hw::target_hardware::try_plan(gpu, one_metric, cache));
    CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 2);
    auto const second = hw::target_hardware::try_plan(gpu, one_metric, cache);
    REQUIRE(second);
    CHECK(second->remembered());
    CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 2);
    hw::target_hardware::forget(*second, cache);
    CHECK_FALSE(hw::target_hardware::try_plan(gpu, one_metric, cache)->remembered());
    CHECK(watch.calls("cuptiProfilerGetCounterAvailability") == 4);
}

TEST_CASE("target_hardware: bad names are typed errors with the nearest names") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const refusal = [&](std::string const& name) {
        auto const plan = hw::target_hardware::try_plan(gpu, std::vector<std::string>{name}, cache);
        REQUIRE_FALSE(plan);
        return plan.error();
    };
    CHECK(refusal("smsp__warps_lunched.sum").code == errc::unknown_metric);
    CHECK(refusal("smsp__warps_lunched.sum").remedy.find("smsp__warps_launched.sum") != std::string::npos);
    CHECK(refusal("smsp__warps_launched").cause.find("only with a roll-up") != std::string::npos);
    CHECK(refusal("smsp__warps_launched.summ").remedy.find("smsp__warps_launched.sum") != std::string::npos);
    CHECK(refusal("").code == errc::invalid_argument);
    CHECK(refusal(std::string(513, 'x')).code == errc::invalid_argument);
    CHECK(hw::target_hardware::try_plan(gpu, std::vector<std::string>{}, cache).error().code == errc::invalid_argument);
}

TEST_CASE("target_hardware: kept counters give other metrics, and say what they cannot give") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::target_hardware::try_plan(gpu, one_metric, cache);
    REQUIRE(plan);
    auto session = hw::target_hardware::session::try_open(gpu, *plan);
    REQUIRE(session);
    REQUIRE(session->try_prepare({}));
    REQUIRE(session->try_begin_replay_pass());
    REQUIRE(session->try_push(1));
    machine.launch(66);
    REQUIRE(session->try_pop());
    REQUIRE(session->try_end_replay_pass());
    REQUIRE(session->try_read());
    auto kept = *session->try_keep();
    std::vector<std::string> const others{"smsp__warps_launched.avg", "smsp__inst_executed.sum"};
    auto const values = hw::target_hardware::try_evaluate(machine.tables(), kept, others);
    REQUIRE_MESSAGE(values, (values ? std::string{} : values.error().message()));
    REQUIRE(values->ranges.size() == 1);
    CHECK(values->ranges[0][0] == 66.0 / (132 * 4)); // of GH100's sub-partitions
    CHECK_FALSE(values->missing[0]);
    REQUIRE(values->missing[1]);
    CHECK(values->missing[1]->code == errc::not_collected);
    kept.image[0] = static_cast<std::uint8_t>(kept.image[0] + 1);
    CHECK(hw::target_hardware::try_evaluate(machine.tables(), kept, others).error().code == errc::version_mismatch);
    kept.version = "1";
    CHECK(hw::target_hardware::try_evaluate(machine.tables(), kept, others).error().cause == "this is CUPTI 23");
}

TEST_CASE("target_hardware: a context has one session, and a lost device says so") {
    older_machine machine;
    auto const gpu = machine.open();
    hw::config_cache cache;
    auto const plan = hw::target_hardware::try_plan(gpu, one_metric, cache);
    REQUIRE(plan);
    auto session = hw::target_hardware::session::try_open(gpu, *plan);
    REQUIRE(session);
    CHECK(hw::target_hardware::session::try_open(gpu, *plan).error().code == errc::busy);
    hw::session_shape shape;
    shape.max_ranges = 0;
    CHECK(session->try_prepare(shape).error().code == errc::invalid_argument);
    machine.machine().lose_context();
    auto const lost = session->try_prepare({});
    REQUIRE_FALSE(lost);
    CHECK(lost.error().code == errc::device_lost);
    CHECK(lost.error().what.starts_with("cuptiProfilerBeginSession"));
}

TEST_CASE("target_hardware: profilers choose it where CUPTI has no range profiler") {
    older_machine machine;
    auto const gpu = machine.open();
    auto const older = hw::try_plan_counters(gpu, one_metric);
    REQUIRE_MESSAGE(older, (older ? std::string{} : older.error().message()));
    CHECK((*older)->hardware() == "profiling API");
    machine.tables().cupti = gpuprof::sim::cupti::table();
    auto const newer = hw::try_plan_counters(gpu, one_metric);
    REQUIRE(newer);
    CHECK((*newer)->hardware() == "range profiler");
    // Neither: an error, with the way out.
    machine.tables().cupti = gpuprof::sim::cupti::target_table();
    machine.tables().cupti.ProfilerFlushCounterData = nullptr;
    auto const neither = hw::try_plan_counters(gpu, one_metric);
    REQUIRE_FALSE(neither);
    CHECK(neither.error().code == errc::unavailable);
    CHECK(neither.error().what.starts_with("cuptiProfilerHostInitialize"));
    CHECK(neither.error().remedy.find("11.8") != std::string::npos);
    auto const asked = hw::target_hardware::try_plan(gpu, one_metric);
    REQUIRE_FALSE(asked);
    CHECK(asked.error().what.starts_with("cuptiProfilerFlushCounterData"));
}

TEST_CASE("target_hardware: without libnvperf_host beside CUPTI the error names the file that is missing") {
    older_machine machine;
    machine.tables().nvperf = nullptr;
    machine.tables().cupti_library.path = "/nowhere/lib/libcupti.so.12";
    auto const gpu = machine.open();
    auto const plan = hw::try_plan_counters(gpu, one_metric);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == errc::unavailable);
    CHECK(plan.error().what == std::string{"/nowhere/lib/"} + hw::nvperf_host_file);
    CHECK(plan.error().remedy.find("beside libcupti") != std::string::npos);
}

TEST_CASE("range_hardware: CUPTI 13.5 is refused on a driver of an older release, where it crashes") {
    older_machine machine;
    machine.tables().cupti = gpuprof::sim::cupti::table();
    auto const refusal = [&](int cupti, int driver) {
        machine.tables().cupti_library.version = cupti;
        machine.tables().driver_library.version = driver;
        auto const why = hw::why_range_profiler_crashes(machine.tables());
        return why ? why->cause : std::string{};
    };
    CHECK(refusal(130'500, 13'000) == "CUPTI 13.5 crashes in it on an older driver, and this one is for CUDA 13.0");
    CHECK(refusal(130'501, 12'090).find("CUDA 12.9") != std::string::npos);
    CHECK(refusal(130'600, 13'050).find("CUDA 13.5") != std::string::npos);
    CHECK(refusal(130'500, 13'050).empty());
    CHECK(refusal(130'000, 12'080).empty()); // does not crash: the doctor tells of it
    CHECK(refusal(28, 13'000).empty());
    CHECK(refusal(130'500, 0).empty()); // of a machine that was filled by hand
    static_cast<void>(refusal(130'500, 13'000));
    auto const gpu = machine.open();
    test::fault_injection const watch{machine.tables().cupti};
    auto const plan = hw::range_hardware::try_plan(gpu, one_metric);
    REQUIRE_FALSE(plan);
    CHECK(plan.error().code == errc::version_mismatch);
    CHECK(plan.error().what == "the range profiler of CUPTI 13.5 is not used");
    CHECK(plan.error().remedy.find("GPUPROF_CUPTI_PATH") != std::string::npos);
    CHECK(watch.calls() == 0);
}

namespace {

// With both of CUPTI's interfaces, as 12.6 and later have them.
class newer_machine : public older_machine {
public:
    explicit newer_machine(int version, int driver = 13'000) {
        tables().cupti = gpuprof::sim::cupti::table();
        abi::cupti_table const older = gpuprof::sim::cupti::target_table();
#define ADD(member, symbol, parameters) tables().cupti.member = older.member;
        GPUPROF_ABI_CUPTI_TARGET(ADD)
#undef ADD
        tables().cupti_library.version = version;
        tables().driver_library.version = driver;
    }
};

} // namespace

TEST_CASE("target_hardware: is chosen where the range profiler crashes, or has no ranges of single kernels") {
    using gpuprof::range_mode;
    auto const chosen = [](int version, int driver, range_mode ranges) {
        newer_machine machine{version, driver};
        auto const gpu = machine.open();
        auto const plan = hw::try_plan_counters(gpu, one_metric, ranges);
        REQUIRE(plan);
        return std::string{(*plan)->hardware()};
    };
    std::string const older{hw::target_hardware::name}, newer{hw::range_hardware::name};
    REQUIRE(older != newer);
    CHECK(chosen(24, 13'000, range_mode::user_range) == newer);
    CHECK(chosen(24, 13'000, range_mode::auto_range) == older);
    CHECK(chosen(28, 13'000, range_mode::auto_range) == older);
    CHECK(chosen(130'000, 13'000, range_mode::auto_range) == newer);
    CHECK(chosen(130'500, 13'050, range_mode::auto_range) == newer);
    CHECK(chosen(130'500, 13'000, range_mode::user_range) == older);
    CHECK(chosen(130'500, 13'000, range_mode::auto_range) == older);
    // The embedded GPU's is of 12.9 on old chips, and has ranges of single kernels.
    newer_machine machine{28};
    auto const gpu = gpuprof::device::try_open(machine.tables(), 0, gpuprof::device_source::embedded).value();
    CHECK((*hw::try_plan_counters(gpu, one_metric, range_mode::auto_range))->hardware() == newer);
}

TEST_CASE("range_hardware: ranges of single kernels are refused by the range profiler that has none") {
    newer_machine machine{28};
    auto const gpu = machine.open();
    auto const plan = hw::range_hardware::try_plan(gpu, one_metric);
    REQUIRE(plan);
    auto session = hw::range_hardware::session::try_open(gpu, *plan);
    REQUIRE(session);
    auto const refused = session->try_prepare({1, 1, gpuprof::range_mode::auto_range, gpuprof::replay_mode::kernel});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::version_mismatch);
    CHECK(session->try_prepare({1, 1, gpuprof::range_mode::user_range, gpuprof::replay_mode::user}));
}

TEST_CASE("target_hardware: a CUPTI that is too old for the driver is said to be, and a newer one is not") {
    older_machine machine;
    machine.tables().cupti_library.version = 18;
    machine.tables().cupti.ProfilerGetCounterAvailability = [](abi::CUpti_Profiler_GetCounterAvailability_Params* p) {
        p->counterAvailabilityImageSize = 2'256; // as CUPTI 11.8 on a driver for CUDA 13.0
        return p->pCounterAvailabilityImage == nullptr ? abi::CUPTI_SUCCESS : abi::CUPTI_ERROR_UNKNOWN;
    };
    auto const answer = [&](int driver) {
        machine.tables().driver_library.version = driver;
        auto const gpu = machine.open();
        hw::config_cache nothing_known; // another case's plan would need no answer
        auto const plan = hw::target_hardware::try_plan(gpu, one_metric, nothing_known);
        REQUIRE_FALSE(plan);
        return plan.error();
    };
    CHECK(answer(12'080).code == errc::internal);
    auto const old = answer(13'000);
    CHECK(old.code == errc::version_mismatch);
    CHECK(old.message().find("cannot count with a driver for CUDA 13") != std::string::npos);
    CHECK(old.remedy.find("CUDA 12.5 or later") != std::string::npos);
}

} // namespace target_hardware_test
