// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// measure/evaluate.hpp: kept counters give the values that measuring other metrics gives, and say what they cannot give.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/measure/evaluate.hpp>

#include "support/hand_filled.hpp"
#include "support/paper_hardware.hpp"
#include "support/recorded_program.hpp"

namespace evaluate_test {

using gpuprof::errc;
using gpuprof::metric;
using gpuprof::metric_info;
using gpuprof::profiler_options;
using gpuprof::report;
using gpuprof::report_contents;
using gpuprof::result;
using gpuprof::try_evaluate;
using test::says;

namespace {

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

std::vector<metric_info> list_of(std::initializer_list<char const*> names) {
    std::vector<metric_info> list;
    for (char const* const name : names) {
        auto const found = gpuprof::try_metric(name);
        REQUIRE_MESSAGE(found, std::string{name});
        list.push_back(*found);
    }
    return list;
}

// frame { step, step, last }: the steps load with 4 blocks of 64 threads, the last one does nothing. Caches are cold, so that
// two runs count the same.
report run(gpuprof::device const& gpu, std::vector<metric_info> const& metrics, profiler_options options) {
    test::kernels_of const kernels{gpu};
    auto prof = gpuprof::profiler::try_create(gpu, options, metrics);
    REQUIRE_MESSAGE(prof, (prof ? std::string{} : prof.error().message()));
    gpuprof::sim::set_cold_caches(true);
    for (gpuprof::pass const& each : prof->passes()) {
        static_cast<void>(each);
        gpuprof::scope frame{*prof, "frame"};
        for (unsigned stride = 1; stride <= 2; ++stride) {
            gpuprof::scope step{*prof, "step"};
            kernels.load(4, stride);
        }
        gpuprof::scope last{*prof, "last"};
        kernels.nothing();
    }
    gpuprof::sim::set_cold_caches(false);
    auto report = prof->try_report();
    REQUIRE(report);
    return *report;
}
report kept(gpuprof::device const& gpu, std::initializer_list<char const*> names, profiler_options options = {}) {
    options.keep_counter_data = true;
    return run(gpu, list_of(names), options);
}
report evaluated(report const& from, std::initializer_list<char const*> names) {
    auto made = try_evaluate(from, list_of(names));
    REQUIRE_MESSAGE(made, (made ? std::string{} : made.error().message()));
    return *std::move(made);
}

// How many values of repetitions have the same bits, or are missing in both; all must.
std::size_t compared(report const& a, report const& b) {
    std::size_t equal = 0;
    REQUIRE(a.size() == b.size());
    REQUIRE(a.metrics().size() == b.metrics().size());
    for (std::size_t range = 0; range < a.size(); ++range) {
        CHECK(a.at(range).path() == b.at(range).path());
        CHECK(a.at(range).count() == b.at(range).count());
        CHECK(a.at(range).launches().kernels == b.at(range).launches().kernels);
        for (std::size_t at = 0; at < a.metrics().size(); ++at) {
            std::string const& name = a.metrics()[at].name;
            CAPTURE(name);
            CHECK(b.metrics()[at].name == name);
            CHECK(a.fidelity_of(at) == b.fidelity_of(at));
            auto const there = a.at(range).try_values(name), here = b.at(range).try_values(name);
            REQUIRE(there);
            REQUIRE(here);
            REQUIRE(there->size() == here->size());
            for (std::size_t i = 0; i < there->size(); ++i) {
                bool const same =
                    same_bits((*there)[i], (*here)[i]) || ((*there)[i] != (*there)[i] && (*here)[i] != (*here)[i]);
                CHECK(same);
                equal += same;
            }
        }
    }
    return equal;
}

// A report with other counters than it has.
report with_counters(report const& of, gpuprof::hw::counter_data counters) {
    report_contents contents = of.whole();
    contents.counters = gpuprof::detail::shared<gpuprof::hw::counter_data>::make(std::move(counters));
    return report{std::move(contents)};
}

constexpr std::initializer_list<char const*> others{"smsp__inst_executed.avg",
                                                    "smsp__inst_executed.min",
                                                    "smsp__inst_executed.max",
                                                    "smsp__inst_executed.sum.per_second",
                                                    "smsp__inst_executed.sum.per_cycle_elapsed",
                                                    "smsp__inst_executed.avg.pct_of_peak_sustained_active",
                                                    "l1tex__t_sector_hit_rate.ratio",
                                                    "l1tex__t_sector_hit_rate.max_rate",
                                                    "derived__avg_thread_executed",
                                                    "smsp__inst_executed.sum"};
constexpr std::initializer_list<char const*> measured{"smsp__inst_executed.sum", "l1tex__t_sector_hit_rate.pct",
                                                      "smsp__thread_inst_executed.sum", "launch__grid_size"};

} // namespace

TEST_CASE("evaluate: other metrics of the kept counters have the bits that measuring them gives") {
    gpuprof::device const gpu = test::embedded_gpu();
    report const from = kept(gpu, measured);
    report const directly = run(gpu, list_of(others), {});
    report const later = evaluated(from, others);
    CHECK(compared(later, directly) == others.size() * 4);
    CHECK(later.complete() == directly.complete());
    CHECK(later.device() == from.device());
    // of an H100's 528 sub-partitions
    double const sum = from.try_range("frame/step")->try_value("smsp__inst_executed.sum")->value;
    CHECK(sum > 0);
    CHECK(later.try_range("frame/step")->try_value("smsp__inst_executed.avg")->value == doctest::Approx(sum / 528));
    // again, from what was evaluated
    CHECK(compared(evaluated(later, others), directly) == others.size() * 4);
    CHECK(compared(evaluated(later, {"smsp__inst_executed.sum"}), run(gpu, list_of({"smsp__inst_executed.sum"}), {})) ==
          4);
}

TEST_CASE("evaluate: kernels as ranges, merged ranges, and passes as hardware needs them") {
    auto const in_passes = gpuprof::sim::open_embedded("gh100,passes");
    REQUIRE(in_passes);
    profiler_options kernels;
    kernels.ranges = gpuprof::range_mode::auto_range;
    kernels.replay = gpuprof::replay_mode::kernel;
    report const each = kept(*in_passes, measured, kernels);
    REQUIRE(each.size() == 2);
    gpuprof::abi::CUcontext before = nullptr, after = nullptr;
    CHECK(in_passes->driver().CtxGetCurrent(&before) == gpuprof::abi::CUDA_SUCCESS);
    static_cast<void>(evaluated(each, others));
    CHECK(in_passes->driver().CtxGetCurrent(&after) == gpuprof::abi::CUDA_SUCCESS);
    CHECK(before == after); // no device is opened
    CHECK(compared(evaluated(each, others), run(*in_passes, list_of(others), kernels)) == others.size() * 3);
    profiler_options merged;
    merged.merge_repeated = true;
    CHECK(compared(evaluated(kept(*in_passes, measured, merged), others), run(*in_passes, list_of(others), merged)) ==
          others.size() * 3);
}

TEST_CASE("evaluate: a metric without its counters has no value, and the report says so") {
    gpuprof::device const gpu = test::embedded_gpu();
    report const from = kept(gpu, measured);
    report const later = evaluated(from, {"dram__bytes_read.sum", "smsp__inst_executed.avg", "launch__grid_size",
                                          "launch__block_size", "derived__avg_thread_executed_true"});
    auto const step = later.try_range("frame/step");
    REQUIRE(step);
    auto const bytes = step->try_value("dram__bytes_read.sum");
    REQUIRE_FALSE(bytes);
    CHECK(bytes.error().code == errc::not_collected);
    CHECK(says(bytes.error(), "not in the counter data"));
    auto const size = step->try_value("launch__block_size");
    REQUIRE_FALSE(size);
    CHECK(size.error().code == errc::not_collected);
    CHECK(says(size.error(), "it is no counter"));
    auto const quotient = step->try_value("derived__avg_thread_executed_true"); // its divisor is there
    REQUIRE_FALSE(quotient);
    CHECK(says(quotient.error(), "smsp__thread_inst_executed_pred_on.sum"));
    CHECK(step->try_value("smsp__inst_executed.avg"));
    CHECK(step->try_value("launch__grid_size")->value == 4);
    CHECK_FALSE(later.complete());
    CHECK(later.completeness().problems.size() == 3);
    auto const frame = later.at(0).try_value("launch__grid_size"); // kernels of several sizes: as the report says
    REQUIRE_FALSE(frame);
    CHECK(says(frame.error(), "different names or configurations"));
}

TEST_CASE("evaluate: a ratio is given by its dividend and its divisor") {
    gpuprof::device const gpu = test::embedded_gpu();
    constexpr char const* ratio = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_ld.ratio";
    constexpr char const* sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
    constexpr char const* requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    report const later = evaluated(kept(gpu, {sectors, requests}), {ratio});
    CHECK(compared(later, run(gpu, list_of({ratio}), {})) == 4);
    CHECK((*later.try_range("frame/step")->try_values(ratio) == std::vector<double>{4, 8})); // by the stride
    CHECK_FALSE(later.try_range("frame/last")->try_value(ratio));                            // no request
    CHECK(later.complete());
    for (char const* const alone : {sectors, requests}) CHECK_FALSE(evaluated(kept(gpu, {alone}), {ratio}).complete());
}

TEST_CASE("evaluate: what cannot be evaluated is an error") {
    gpuprof::device const gpu = test::embedded_gpu();
    report const from = kept(gpu, {"smsp__inst_executed.sum"});
    auto const fails = [](result<report> const& made, errc code, char const* said) {
        REQUIRE_FALSE(made);
        CHECK(made.error().code == code);
        CHECK(says(made.error(), said));
    };
    constexpr auto average = metric<"smsp__inst_executed.avg">;
    CHECK(try_evaluate(from, average));
    fails(try_evaluate(run(gpu, list_of({"smsp__inst_executed.sum"}), {}), average), errc::invalid_state,
          "keep_counter_data");
    fails(try_evaluate(report{}, average), errc::invalid_state, "keep_counter_data");
    fails(try_evaluate(from, std::vector<metric_info>{}), errc::invalid_argument, "the list of metrics is empty");
    metric_info unknown{average};
    unknown.name = "smsp__inst_executd.avg";
    fails(try_evaluate(from, std::vector<metric_info>{unknown}), errc::unknown_metric, "smsp__inst_executed");
    metric_info legacy{average};
    legacy.name = "achieved_occupancy";
    fails(try_evaluate(from, std::vector<metric_info>{legacy}), errc::unknown_metric, "achieved_occupancy");
    report_contents other = from.whole();
    other.hardware = "abacus";
    fails(try_evaluate(report{other}, average), errc::unavailable, "abacus");

    gpuprof::hw::counter_data data = *from.whole().counters.get();
    data.version = "1";
    fails(try_evaluate(with_counters(from, data), average), errc::version_mismatch, "CUPTI 1");
    data = *from.whole().counters.get();
    data.image[0] = static_cast<std::uint8_t>(data.image[0] + 1); // as of a gpuprof with other metrics
    fails(try_evaluate(with_counters(from, data), average), errc::version_mismatch, "RangeProfilerGetCounterDataInfo");
    data.image.clear();
    fails(try_evaluate(with_counters(from, data), average), errc::version_mismatch, "RangeProfilerGetCounterDataInfo");
    data = *from.whole().counters.get();
    data.chip = "GX1";
    fails(try_evaluate(with_counters(from, data), average), errc::unavailable, "no such embedded GPU");
    data = *from.whole().counters.get();
    gpuprof::hw::machine const nothing;
    fails(gpuprof::detail::try_evaluate_on(nothing, from, list_of({"smsp__inst_executed.avg"})), errc::unavailable,
          "install CUPTI");
    data.source = gpuprof::device_source::hardware;
    data.version = "1"; // if this machine has CUPTI
    auto const of_gpu = try_evaluate(with_counters(from, data), average);
    REQUIRE_FALSE(of_gpu);
    CHECK((of_gpu.error().code == errc::unavailable || of_gpu.error().code == errc::version_mismatch));
#if GPUPROF_EXCEPTIONS
    CHECK(gpuprof::evaluate(from, average)["frame/step"][average].value() > 0);
    CHECK_THROWS_AS(static_cast<void>(gpuprof::evaluate(report{}, average)), gpuprof::exception);
#endif
}

TEST_CASE("evaluate: ranges that the counters do not have are without values") {
    gpuprof::device const gpu = test::embedded_gpu();
    report const from = kept(gpu, {"smsp__inst_executed.sum"});
    report_contents contents = from.whole();
    REQUIRE(contents.counter_ranges.size() == 4);
    std::vector<std::size_t> sorted = contents.counter_ranges;
    std::sort(sorted.begin(), sorted.end());
    CHECK((sorted == std::vector<std::size_t>{0, 1, 2, 3}));
    contents.counter_ranges[0] = report_contents::no_range;
    contents.counter_ranges[1] = 4;
    report const later = evaluated(report{contents}, {"smsp__inst_executed.avg"});
    std::size_t values = 0;
    for (double const value : later.whole().values) values += value == value;
    CHECK(values == 2);
}

TEST_CASE("evaluate: any byte of counter data of the embedded GPU changed or missing is an error or a report") {
    gpuprof::device const gpu = test::embedded_gpu();
    report const from = kept(gpu, {"smsp__inst_executed.sum", "l1tex__t_sector_hit_rate.pct"});
    gpuprof::hw::counter_data const good = *from.whole().counters.get();
    std::size_t refused = 0, made = 0;
    auto const attempt = [&](gpuprof::hw::counter_data const& data) {
        auto const later = gpuprof::detail::try_evaluate_on(gpu.machine(), with_counters(from, data),
                                                            list_of({"smsp__inst_executed.avg"}));
        (later ? made : refused) += 1;
        if (!later) CHECK(later.error().code == errc::version_mismatch);
    };
    for (std::size_t at = 0; at < good.image.size(); ++at) {
        gpuprof::hw::counter_data data = good;
        data.image[at] = static_cast<std::uint8_t>(data.image[at] ^ 0xff);
        attempt(data);
    }
    for (std::size_t size = 0; size < good.image.size(); ++size) {
        gpuprof::hw::counter_data data = good;
        data.image.resize(size);
        attempt(data);
    }
    CHECK(refused > good.image.size());
    CHECK(made > 0);
}

TEST_CASE("evaluate: hardware that keeps no counters says so, and its values are there") {
    test::paper_hardware::now = {};
    gpuprof::hw::machine const machine = test::hand_filled_machine({{}});
    auto const gpu = gpuprof::device::try_open(machine);
    REQUIRE(gpu);
    profiler_options options;
    options.backend = &gpuprof::hw::backend<test::paper_hardware>;
    options.keep_counter_data = true;
    auto prof = gpuprof::profiler::try_create(*gpu, options, metric<"smsp__inst_executed.sum">);
    REQUIRE(prof);
    for (gpuprof::pass const& each : prof->passes()) {
        static_cast<void>(each);
        gpuprof::scope all{*prof, "all"};
    }
    auto const made = prof->try_report();
    REQUIRE(made);
    CHECK(made->try_range("all")->try_value("smsp__inst_executed.sum")->value == 1);
    REQUIRE_FALSE(made->complete());
    CHECK(says(made->completeness().problems.front(), "there is no counter data"));
    CHECK(made->whole().counters.get() == nullptr);
    CHECK_FALSE(try_evaluate(*made, metric<"smsp__inst_executed.avg">));
}

} // namespace evaluate_test
