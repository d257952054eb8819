// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One program with legacy names on embedded chips of every generation: events below capability 7.5, ranges from there on.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "sim/chip/chips.hpp"
#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/counters/range/range_registration.hpp>
#include <gpuprof/hw/doctor/examination.hpp>
#include <gpuprof/sim.hpp>

#include "support/fault_injection.hpp"
#include "sim/embedded_device.hpp"

namespace events_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
using gpuprof::errc;
using gpuprof::legacy_event;
using gpuprof::legacy_metric;

namespace {

// copy: y[i] = x[i * stride] for every thread.
constexpr char copy_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry copy(.param .u64 xs, .param .u64 ys, .param .u32 stride) {
    .reg .u32 %r<7>; .reg .u64 %rd<5>; .reg .f32 %f<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys]; ld.param.u32 %r5, [stride];
    cvta.to.global.u64 %rd1, %rd1; cvta.to.global.u64 %rd2, %rd2;
    mul.lo.u32 %r6, %r4, %r5;
    mul.wide.u32 %rd3, %r6, 4; add.u64 %rd3, %rd1, %rd3;
    mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd2, %rd4;
    ld.global.f32 %f1, [%rd3];
    st.global.f32 [%rd4], %f1;
    ret;
}
)";

// The kernel and its memory on a device: 64 blocks of 128 threads, 256 warps; a multiple of every chip's multiprocessors
// is not needed where all of them are counted.
class copier {
public:
    static constexpr unsigned blocks = 64;
    static constexpr unsigned threads = 128;
    static constexpr double warps = blocks * threads / 32;

    explicit copier(gpuprof::device const& gpu) : gpu_{gpu} {
        auto const& d = gpu.driver();
        hw::context_scope const here{d, gpu.context()};
        REQUIRE(d.MemAlloc(&x_, blocks * threads * 32 * 4) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemAlloc(&y_, blocks * threads * 4) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleLoadData(&module_, copy_ptx) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleGetFunction(&copy_, module_, "copy") == abi::CUDA_SUCCESS);
    }
    ~copier() {
        auto const& d = gpu_.driver();
        hw::context_scope const here{d, gpu_.context()};
        d.ModuleUnload(module_);
        d.MemFree(x_);
        d.MemFree(y_);
    }
    void operator()(std::uint32_t stride) {
        hw::context_scope const here{gpu_.driver(), gpu_.context()};
        void* arguments[]{&x_, &y_, &stride};
        REQUIRE(gpu_.driver().LaunchKernel(copy_, blocks, 1, 1, threads, 1, 1, 0, nullptr, arguments, nullptr) ==
                abi::CUDA_SUCCESS);
    }

private:
    gpuprof::device const& gpu_;
    abi::CUdeviceptr x_ = 0;
    abi::CUdeviceptr y_ = 0;
    abi::CUmodule module_ = nullptr;
    abi::CUfunction copy_ = nullptr;
};

gpuprof::device open(std::string_view chip) {
    auto opened = gpuprof::sim::open_embedded(chip);
    REQUIRE_MESSAGE(opened, (opened ? std::string{} : opened.error().message()));
    return *std::move(opened);
}

constexpr std::string_view every_chip[]{"2.0", "2.1", "3.5", "5.2", "6.0", "7.0", "9.0"};

template <class... Metrics>
gpuprof::profiler make(gpuprof::device const& gpu, gpuprof::profiler_options const& options, Metrics... asked) {
    auto made = gpuprof::profiler::try_create(gpu, options, asked...);
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    return *std::move(made);
}
template <class F>
gpuprof::report run(gpuprof::profiler& prof, F body) {
    for (auto pass : prof.passes()) body();
    auto report = prof.try_report();
    REQUIRE(report);
    for (auto const& problem : report->completeness().problems) FAIL_CHECK(problem.message());
    return *report;
}
template <class Metric>
double value(gpuprof::report const& of, std::string_view path, Metric metric) {
    auto const range = of.try_range(path);
    REQUIRE(range);
    auto const got = range->try_get(metric);
    REQUIRE_MESSAGE(got, (got ? std::string{} : got.error().message()));
    return got->value();
}

} // namespace

TEST_CASE("legacy names: one program gives the same metrics, in the same units, on every generation") {
    for (std::string_view const chip : every_chip) {
        CAPTURE(chip);
        auto const gpu = open(chip);
        copier copy{gpu};
        auto prof = make(gpu, {}, legacy_event<"warps_launched">, legacy_metric<"gld_efficiency">,
                         legacy_metric<"warp_execution_efficiency">, legacy_metric<"gld_requested_throughput">);
        auto const report = run(prof, [&] {
            gpuprof::scope both{prof, "both"};
            {
                gpuprof::scope kernel{prof, "coalesced"};
                copy(1);
            }
            for (int i = 0; i < 2; ++i) {
                gpuprof::scope kernel{prof, "strided"};
                copy(32);
            }
        });
        bool const events = gpu.capability().has_event_hardware();
        CHECK(report.hardware() == (events ? hw::event_hardware::name : hw::range_hardware::name));
        CHECK(value(report, "both/coalesced", legacy_event<"warps_launched">) == copier::warps);
        CHECK(value(report, "both/strided", legacy_event<"warps_launched">) == 2 * copier::warps);
        CHECK(value(report, "both", legacy_event<"warps_launched">) == 3 * copier::warps);
        // 4 of 32 bytes a sector at a stride of 32 floats.
        CHECK(value(report, "both/coalesced", legacy_metric<"gld_efficiency">) == doctest::Approx(100));
        CHECK(value(report, "both/strided", legacy_metric<"gld_efficiency">) == doctest::Approx(12.5));
        // (1 + 2) requests of 128 bytes a warp, over (4 + 2 * 32) sectors of 32 bytes.
        CHECK(value(report, "both", legacy_metric<"gld_efficiency">) == doctest::Approx(100.0 * 3 * 128 / (68 * 32)));
        CHECK(value(report, "both/coalesced", legacy_metric<"warp_execution_efficiency">) == doctest::Approx(100));
        CHECK(value(report, "both/coalesced", legacy_metric<"gld_requested_throughput">) > 1e9);
        static_assert(legacy_metric<"gld_efficiency">.unit() == gpuprof::percent_unit);
        for (auto const& each : report.metrics())
            if (each.name == "gld_requested_throughput")
                CHECK(each.value_unit ==
                      gpuprof::unit_of(gpuprof::dimension::byte) / gpuprof::unit_of(gpuprof::dimension::second));
    }
}

TEST_CASE("legacy names: measure takes them, on every generation") {
    for (std::string_view const chip : every_chip) {
        CAPTURE(chip);
        auto const gpu = open(chip);
        copier copy{gpu};
        auto const m = gpuprof::try_measure(
            gpu, [&] { copy(1); }, legacy_event<"warps_launched">, legacy_metric<"achieved_occupancy">);
        REQUIRE_MESSAGE(m, (m ? std::string{} : m.error().message()));
        CHECK((*m)[legacy_event<"warps_launched">].value() == copier::warps);
        gpuprof::percent const occupancy = m->get<1>();
        CHECK(occupancy.value() > 0);
        CHECK(occupancy.value() <= 100);
    }
}

TEST_CASE("legacy names: merged repetitions are weighted, as the counters of one range") {
    for (std::string_view const chip : {"5.2", "9.0"}) {
        CAPTURE(chip);
        auto const gpu = open(chip);
        copier copy{gpu};
        auto prof = make(gpu, {.merge_repeated = true}, legacy_metric<"gld_efficiency">);
        auto const report = run(prof, [&] {
            for (std::uint32_t const stride : {1u, 32u}) {
                gpuprof::scope kernel{prof, "copy"};
                copy(stride);
            }
        });
        CHECK(value(report, "copy", legacy_metric<"gld_efficiency">) ==
              doctest::Approx(100.0 * 2 * 128 / ((4 + 32) * 32)));
    }
}

TEST_CASE("legacy names: kernel replay on event hardware runs the program once and gives the same counts") {
    auto const gpu = open("5.2");
    copier copy{gpu};
    auto const collect = [&](gpuprof::replay_mode replay) {
        auto prof = make(gpu, {.replay = replay}, legacy_event<"warps_launched">, legacy_event<"inst_executed">,
                         legacy_event<"thread_inst_executed">, legacy_event<"global_load">,
                         legacy_event<"global_store">, legacy_event<"active_warps">, legacy_metric<"gld_efficiency">);
        auto report = run(prof, [&] {
            gpuprof::scope kernel{prof, "copy"};
            copy(32);
        });
        return std::pair{report, prof.passes_needed()};
    };
    auto const [by_user, passes] = collect(gpuprof::replay_mode::user);
    auto const [by_kernel, same] = collect(gpuprof::replay_mode::kernel);
    CHECK(passes > 1);
    CHECK(by_user.completeness().replay_passes == passes);
    CHECK(by_kernel.completeness().replay_passes == 1);
    CHECK(by_user.try_range("copy").value().pass_times().passes ==
          passes); // the same work in each, in about the same time
    CHECK(by_user.try_range("copy").value().pass_times().spread() < 0.1);
    CHECK(by_kernel.try_range("copy").value().pass_times().passes == 0);
    CHECK(value(by_kernel, "copy", legacy_event<"warps_launched">) == copier::warps);
    CHECK(value(by_kernel, "copy", legacy_event<"inst_executed">) ==
          value(by_user, "copy", legacy_event<"inst_executed">));
    CHECK(value(by_kernel, "copy", legacy_event<"global_load">) == copier::warps);
    CHECK(value(by_kernel, "copy", legacy_metric<"gld_efficiency">) == doctest::Approx(12.5));
}

TEST_CASE("legacy names: two devices of one process, each with its own kind of hardware, are measured at once") {
    auto const old_gpu = open("5.2");
    auto const new_gpu = open("9.0");
    copier on_old{old_gpu};
    copier on_new{new_gpu};
    auto old_prof = make(old_gpu, {.max_ranges = 1}, legacy_event<"warps_launched">, legacy_metric<"gld_efficiency">);
    auto new_prof = make(new_gpu, {.max_ranges = 1}, legacy_event<"warps_launched">, legacy_metric<"gld_efficiency">);
    gpuprof::report inner;
    auto const outer = run(old_prof, [&] {
        gpuprof::scope kernel{old_prof, "copy"};
        on_old(1);
        inner = run(new_prof, [&] {
            gpuprof::scope other{new_prof, "copy"};
            on_new(32);
        });
    });
    CHECK(outer.hardware() == hw::event_hardware::name);
    CHECK(inner.hardware() == hw::range_hardware::name);
    CHECK(value(outer, "copy", legacy_event<"warps_launched">) == copier::warps);
    CHECK(value(inner, "copy", legacy_event<"warps_launched">) == copier::warps);
    CHECK(value(outer, "copy", legacy_metric<"gld_efficiency">) == doctest::Approx(100));
    CHECK(value(inner, "copy", legacy_metric<"gld_efficiency">) == doctest::Approx(12.5));
}

TEST_CASE("legacy names: capability 7.0 counts events for legacy names alone, ranges for lists with range metrics") {
    auto const gpu = open("7.0");
    copier copy{gpu};
    auto events = make(gpu, {}, legacy_event<"warps_launched">);
    auto ranges = make(gpu, {}, gpuprof::metric<"smsp__warps_launched.sum">);
    auto mixed = make(gpu, {}, legacy_event<"warps_launched">, gpuprof::metric<"smsp__warps_launched.sum">);
    auto const in = [&](gpuprof::profiler& prof) {
        return run(prof, [&] {
            gpuprof::scope kernel{prof, "copy"};
            copy(1);
        });
    };
    auto const counted = in(events);
    CHECK(counted.hardware() == hw::event_hardware::name);
    CHECK(value(counted, "copy", legacy_event<"warps_launched">) == copier::warps);
    auto const ranged = in(ranges);
    CHECK(ranged.hardware() == hw::range_hardware::name);
    CHECK(value(ranged, "copy", gpuprof::metric<"smsp__warps_launched.sum">) == copier::warps);
    auto const both = in(mixed);
    CHECK(both.hardware() == hw::range_hardware::name);
    CHECK(value(both, "copy", legacy_event<"warps_launched">) == copier::warps);
    CHECK(value(both, "copy", gpuprof::metric<"smsp__warps_launched.sum">) == copier::warps);
}

TEST_CASE("legacy names: a context whose counters are taken is busy for both kinds of hardware") {
    auto const gpu = open("7.0");
    copier copy{gpu};
    auto events = make(gpu, {.max_ranges = 1}, legacy_event<"warps_launched">);
    auto ranges = make(gpu, {.max_ranges = 1}, gpuprof::metric<"smsp__warps_launched.sum">);
    for (auto pass : events.passes()) {
        gpuprof::scope outer{events, "copy"};
        for ([[maybe_unused]] auto inner : ranges.passes()) {
            gpuprof::scope kernel{ranges, "copy"};
            copy(1);
        }
        auto const refused = ranges.try_report();
        REQUIRE(refused);
        REQUIRE_FALSE(refused->complete());
        CHECK(refused->completeness().problems.front().code == errc::busy);
    }
    auto const report = events.try_report();
    REQUIRE(report);
    CHECK(report->complete());
}

TEST_CASE("legacy names: what has no counterpart on range hardware says so, what is misspelt is offered the nearest") {
    auto const gpu = open("9.0");
    auto const none =
        gpuprof::profiler::try_create(gpu, {}, legacy_metric<"sm_efficiency">, legacy_event<"prof_trigger_00">);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::unavailable);
    CHECK(none.error().what.find("prof_trigger_00") != std::string::npos);
    std::string const misspelt[]{"achieved_ocupancy"};
    for (std::string_view const chip : {"5.2", "9.0"}) {
        CAPTURE(chip);
        auto const plan = hw::try_plan_counters(open(chip), misspelt);
        REQUIRE_FALSE(plan);
        CHECK(plan.error().code == errc::unknown_metric);
        CHECK(plan.error().remedy.find("achieved_occupancy") != std::string::npos);
    }
}

TEST_CASE("legacy names: a range metric on event hardware is refused with the reason") {
    auto const gpu = open("5.2");
    auto const refused = gpuprof::profiler::try_create(gpu, {}, gpuprof::metrics::dram_bytes_read);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unknown_metric);
    CHECK(refused.error().cause.find("range hardware") != std::string::npos);
}

TEST_CASE("legacy names: each CUPTI call failing in turn is a problem in the report, and the program goes on") {
    auto const* const chip = gpuprof::sim::find_embedded_chip("5.2");
    REQUIRE(chip != nullptr);
    static_cast<void>(open("5.2")); // the device exists
    hw::machine tables = gpuprof::sim::embedded_legacy_machine();
    auto opened = gpuprof::device::try_open(tables, gpuprof::sim::detail::device_with(*chip));
    REQUIRE(opened);
    auto const& gpu = *opened;
    copier copy{gpu};
    auto const measured = [&] {
        return gpuprof::try_measure(
            gpu, [&] { copy(1); }, legacy_event<"warps_launched">, legacy_metric<"gld_efficiency">);
    };
    test::fault_injection faults{tables.cupti};
    REQUIRE(measured());
    std::size_t const calls = faults.calls();
    REQUIRE(calls > 20);
    std::size_t failed = 0;
    for (std::size_t n = 1; n <= calls; ++n) {
        CAPTURE(n);
        faults.clear();
        faults.fail_any(n, abi::CUPTI_ERROR_HARDWARE_BUSY);
        auto const got = measured();
        if (!got) {
            ++failed;
            CHECK(got.error().code == errc::busy);
        } else {
            CHECK((*got)[legacy_event<"warps_launched">].value() == copier::warps);
        }
        faults.clear();
        CHECK(measured()); // nothing is left that keeps the next one from measuring
    }
    CHECK(failed > calls / 2);
}

// Every metric of the chip with a formula of gpuprof's, evaluated by that and by CUPTI's own call on the same counts.
TEST_CASE("legacy names: own formulas and CUPTI's evaluation agree on every metric of every embedded chip") {
    for (std::string_view const chip : {"2.0", "2.1", "3.5", "5.2", "6.0", "7.0"}) {
        CAPTURE(chip);
        auto const gpu = open(chip);
        copier copy{gpu};
        auto const catalogue = hw::event_catalogue::try_open(gpu);
        REQUIRE(catalogue);
        auto const metrics = catalogue->try_metrics();
        REQUIRE(metrics);
        std::size_t compared = 0;
        copy(8); // what follows finds caches that are warm
        for (auto const& metric : *metrics) {
            CAPTURE(metric.name);
            std::vector<std::string> const name{metric.name};
            auto own = hw::try_plan_events(gpu, name, &hw::known_legacy_metric);
            auto asked = hw::try_plan_events(gpu, name, [](gpuprof::compute_capability of, std::string_view which) {
                return hw::known_metric{{}, hw::known_legacy_metric(of, which).from_cupti};
            });
            REQUIRE(own);
            REQUIRE(asked);
            if (own->outputs[0].method != hw::event_method::own) continue;
            double values[2]{};
            for (int i = 0; i < 2; ++i) {
                auto session = hw::event_session::try_open(gpu, i == 0 ? *own : *asked);
                REQUIRE(session);
                REQUIRE(session->try_prepare({}));
                for (bool last = false; !last;) {
                    REQUIRE(session->try_begin_replay_pass());
                    REQUIRE(session->try_push(0));
                    copy(8);
                    REQUIRE(session->try_pop());
                    auto const ended = session->try_end_replay_pass();
                    REQUIRE(ended);
                    last = ended->last;
                }
                auto const read = session->try_read();
                REQUIRE(read);
                values[i] = (*read)[0].values[0];
            }
            ++compared;
            // CUPTI replay passes levels up and counts to whole numbers.
            bool const level = metric.kind == abi::CUPTI_METRIC_VALUE_KIND_UTILIZATION_LEVEL;
            if (std::isnan(values[0])) CHECK(std::isnan(values[1])); // nothing of the kind happened
            else if (level) CHECK(std::ceil(values[0]) == doctest::Approx(values[1]));
            else CHECK(values[0] == doctest::Approx(values[1]).epsilon(0.001));
        }
        CHECK(compared > 10);
    }
}

TEST_CASE("doctor: a device of event hardware is fit once events are included, but not with CUPTI 13") {
    static_cast<void>(open("5.2"));
    hw::machine tables = gpuprof::sim::embedded_legacy_machine();
    auto const examined = [&] {
        std::string text;
        for (auto const& each : hw::examination::of(tables, {})) text += each.text + '\n';
        return text;
    };
    CHECK(examined().find("compute capability 5.2, events and metrics") != std::string::npos);
    CHECK(examined().find("CUPTI 13") == std::string::npos);
    tables.cupti_library.version = 130000;
    CHECK(examined().find("has no events with CUPTI 13 and later") != std::string::npos);
}

TEST_CASE("event_sampler: counts while others launch, and holds the counters meanwhile") {
    auto const gpu = open("5.2");
    copier copy{gpu};
    std::vector<std::string> const events{"inst_executed", "warps_launched"};
    gpuprof::event_sample sample;
    {
        auto sampler = gpuprof::event_sampler::try_open(gpu, events);
        REQUIRE_MESSAGE(sampler, (sampler ? std::string{} : sampler.error().message()));
        double warps = 0;
        for (int i = 1; i <= 3; ++i) {
            for (int k = 0; k < i; ++k) copy(1);
            REQUIRE(gpu.driver().CtxSynchronize() == abi::CUDA_SUCCESS);
            REQUIRE(sampler->try_sample(sample));
            REQUIRE(sample.counts.size() == 2);
            CHECK(sample.counts[1] == i * copier::warps); // since the sample before
            CHECK(sample.counts[0] >= sample.counts[1]);
            CHECK(sample.timestamp_ns != 0);
            warps += sample.counts[1];
        }
        CHECK(warps == 6 * copier::warps);
        auto const second = gpuprof::event_sampler::try_open(gpu, events);
        REQUIRE_FALSE(second);
        CHECK(second.error().code == errc::busy);
    }
    auto const again = gpuprof::event_sampler::try_open(gpu, events);
    CHECK(again);
}

TEST_CASE("event_sampler: samples of another thread lose nothing of what this one launches") {
    auto const gpu = open("5.2");
    copier copy{gpu};
    std::vector<std::string> const events{"warps_launched"};
    auto sampler = gpuprof::event_sampler::try_open(gpu, events);
    REQUIRE(sampler);
    std::atomic<bool> done{false};
    double warps = 0;
    bool failed = false;
    std::thread reader{[&] {
        gpuprof::event_sample sample;
        for (bool last = false; !last;) {
            last = done;
            if (sampler->try_sample(sample)) warps += sample.counts[0];
            else failed = true;
        }
    }};
    for (int i = 0; i < 10; ++i) copy(1);
    CHECK(gpu.driver().CtxSynchronize() == abi::CUDA_SUCCESS);
    done = true;
    reader.join();
    CHECK_FALSE(failed);
    CHECK(warps == 10 * copier::warps);
}

TEST_CASE("event_sampler: refuses what takes several passes, unknown names, metrics, no names, and newer hardware") {
    auto const refused = [](std::string_view chip, std::vector<std::string> const& events) {
        auto const gpu = open(chip);
        auto const opened = gpuprof::event_sampler::try_open(gpu, events);
        REQUIRE_FALSE(opened);
        CHECK_FALSE(opened.error().remedy.empty());
        return opened.error().code;
    };
    CHECK(refused("5.2", {}) == errc::invalid_argument);
    CHECK(refused("5.2", {"inst_executd"}) == errc::unknown_metric);
    CHECK(refused("5.2", {"achieved_occupancy"}) == errc::unknown_metric);
    CHECK(refused("9.0", {"inst_executed"}) == errc::unavailable);
    std::vector<std::string> many;
    {
        auto const gpu = open("5.2");
        auto const catalogue = hw::event_catalogue::try_open(gpu);
        REQUIRE(catalogue);
        auto const events = catalogue->try_events();
        REQUIRE(events);
        for (auto const& each : *events) many.push_back(each.name);
    }
    CHECK(refused("5.2", many) == errc::invalid_argument);
}

} // namespace events_test
