// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of legacy metrics on embedded chips, for kernels whose work can be counted by reading them.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/legacy.hpp>
#include <gpuprof/gpuprof.hpp>
#include "sim/chip/chips.hpp"
#include <gpuprof/sim.hpp>

namespace event_values_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;

namespace {

// copy: y[i] = x[i]. work: for every thread an atomic, a compare-and-swap and a reduction of global memory, the first two of
// shared memory, two special functions, half precision alone and in pairs, and two instructions of triggers. branches: two
// branches a warp, of which the first parts it.
constexpr char kernels[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry copy(.param .u64 xs, .param .u64 ys) {
    .reg .u32 %r<5>; .reg .u64 %rd<4>; .reg .f32 %f<2>;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    ld.param.u64 %rd1, [xs]; ld.param.u64 %rd2, [ys];
    mul.wide.u32 %rd3, %r4, 4; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;
    ld.global.f32 %f1, [%rd1];
    st.global.f32 [%rd2], %f1;
    ret;
}
.visible .entry work(.param .u64 to) {
    .reg .u32 %r<9>; .reg .u64 %rd<4>; .reg .f32 %f<4>; .reg .b16 %h<4>;
    .shared .align 4 .b8 room[512];
    ld.param.u64 %rd1, [to];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;
    pmevent 2;
    pmevent.mask 9;
    atom.global.add.u32 %r2, [%rd1], %r1;
    atom.global.cas.b32 %r3, [%rd1], %r2, %r1;
    red.global.add.u32 [%rd1], %r3;
    mov.u32 %r4, room; shl.b32 %r5, %r1, 2; add.u32 %r4, %r4, %r5;
    atom.shared.add.u32 %r6, [%r4], %r3;
    atom.shared.cas.b32 %r7, [%r4], %r6, %r1;
    cvt.rn.f32.u32 %f1, %r7;
    sin.approx.f32 %f2, %f1;
    rcp.approx.f32 %f3, %f2;
    cvt.rn.f16.f32 %h1, %f3;
    fma.rn.f16 %h2, %h1, %h1, %h1;
    mov.b32 %r8, {%h2, %h1};
    fma.rn.f16x2 %r8, %r8, %r8, %r8;
    add.f16x2 %r8, %r8, %r8;
    st.global.u32 [%rd1], %r8;
    ret;
}
.visible .entry branches(.param .u64 to) {
    .reg .u64 %rd<3>; .reg .u32 %r<6>; .reg .pred %p<3>;
    ld.param.u64 %rd1, [to];
    mov.u32 %r1, %tid.x; mov.u32 %r2, 5;
    and.b32 %r3, %r1, 1;
    setp.eq.u32 %p1, %r3, 0;
    @%p1 bra even;
    add.u32 %r2, %r2, 7;
even:
    mov.u32 %r4, %ctaid.x;
    and.b32 %r4, %r4, 1;
    setp.eq.u32 %p2, %r4, 0;
    @%p2 bra same;
    add.u32 %r2, %r2, 9;
same:
    mul.wide.u32 %rd2, %r1, 4;
    add.u64 %rd1, %rd1, %rd2;
    st.global.u32 [%rd1], %r2;
    ret;
}
)";

class chip {
public:
    explicit chip(std::string_view name) : gpu_{open(name)}, driver_{gpu_.driver()}, here_{driver_, gpu_.context()} {
        REQUIRE(driver_.ModuleLoadData(&module_, kernels) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.MemAlloc(&x_, bytes) == abi::CUDA_SUCCESS);
        REQUIRE(driver_.MemAlloc(&y_, bytes) == abi::CUDA_SUCCESS);
        void* host = nullptr;
        REQUIRE(driver_.MemHostAlloc(&host, bytes, 0) == abi::CUDA_SUCCESS);
        host_ = reinterpret_cast<abi::CUdeviceptr>(host);
    }
    ~chip() {
        driver_.MemFreeHost(reinterpret_cast<void*>(host_));
        driver_.MemFree(x_);
        driver_.MemFree(y_);
        driver_.ModuleUnload(module_);
    }
    chip(chip const&) = delete;
    chip& operator=(chip const&) = delete;

    static constexpr unsigned blocks = 64, threads = 128; // of copy
    static constexpr std::size_t bytes = blocks * threads * 4;
    static constexpr double warps = blocks * threads / 32.0;

    void copy() { launch("copy", blocks, threads, x_, y_); }
    void copy_from_host() { launch("copy", blocks, threads, host_, y_); }
    void copy_to_host() { launch("copy", blocks, threads, x_, host_); }
    void upload() { REQUIRE(driver_.MemcpyHtoD(x_, reinterpret_cast<void*>(host_), bytes) == abi::CUDA_SUCCESS); }
    void download() { REQUIRE(driver_.MemcpyDtoH(reinterpret_cast<void*>(host_), x_, bytes) == abi::CUDA_SUCCESS); }
    void work() { launch("work", 4, 64, y_); } // 8 warps, 256 threads
    void branches() { launch("branches", 4, 64, y_); }

    // The values of names, one range around what `body` does.
    template <class Body>
    std::map<std::string, double> values(std::vector<std::string> const& names, Body body) {
        std::vector<gpuprof::metric_info> metrics;
        for (std::string const& each : names) {
            auto info = gpuprof::try_legacy_metric(each);
            REQUIRE_MESSAGE(info, each);
            metrics.push_back(*info);
        }
        auto prof = gpuprof::profiler::try_create(gpu_, {.max_ranges = 1}, // no survey, which would warm caches
                                                  std::span<gpuprof::metric_info const>{metrics});
        REQUIRE_MESSAGE(prof, (prof ? std::string{} : prof.error().message()));
        for (auto pass : prof->passes()) {
            gpuprof::scope range{*prof, "range"};
            body(*this);
        }
        auto const report = prof->try_report();
        REQUIRE(report);
        std::map<std::string, double> found;
        for (gpuprof::metric_info const& each : metrics) {
            auto const got = report->try_range("range")->try_value(each.name);
            found[each.name] = got ? got->value : std::numeric_limits<double>::quiet_NaN();
        }
        return found;
    }
    template <class Body>
    double value(std::string const& name, Body body) {
        return values({name}, body)[name];
    }
    [[nodiscard]] gpuprof::device const& gpu() const noexcept { return gpu_; }

private:
    static gpuprof::device open(std::string_view name) {
        auto opened = gpuprof::sim::open_embedded(name);
        REQUIRE(opened);
        return *std::move(opened);
    }
    template <class... Arguments>
    void launch(char const* name, unsigned grid, unsigned block, Arguments... arguments) {
        abi::CUfunction function = nullptr;
        REQUIRE(driver_.ModuleGetFunction(&function, module_, name) == abi::CUDA_SUCCESS);
        void* params[]{&arguments...};
        REQUIRE(driver_.LaunchKernel(function, grid, 1, 1, block, 1, 1, 0, nullptr, params, nullptr) ==
                abi::CUDA_SUCCESS);
    }

    gpuprof::device gpu_;
    abi::driver_table const& driver_;
    hw::context_scope here_;
    abi::CUmodule module_ = nullptr;
    abi::CUdeviceptr x_ = 0, y_ = 0, host_ = 0;
};

auto const copying = [](chip& gpu) { gpu.copy(); };
auto const working = [](chip& gpu) { gpu.work(); };

} // namespace

// 6 names of 3.5 are of the read-only cache, which is not modelled; 7 of 5.x are of 5.3 alone, 2 of 6.x of 6.1, 1 of 7.2.
TEST_CASE("legacy values: nearly all that a chip's table lists can be evaluated on it") {
    struct wanted {
        std::string_view chip;
        std::size_t metrics;
        std::size_t of;
    };
    for (wanted const& each : {wanted{"2.0", 41, 41}, wanted{"2.1", 41, 41}, wanted{"3.5", 116, 122},
                               wanted{"5.2", 154, 161}, wanted{"6.0", 176, 178}, wanted{"7.0", 174, 175}}) {
        CAPTURE(each.chip);
        auto const gpu = gpuprof::sim::open_embedded(each.chip);
        REQUIRE(gpu);
        auto const rows = gpuprof::legacy::metrics_of(*gpuprof::family_of(gpu->capability())).rows;
        CHECK(rows.size() == each.of);
        std::size_t planned = 0;
        for (auto const& row : rows) {
            CAPTURE(row.metric->name);
            std::vector<std::string> const name{row.metric->name};
            auto const plan = hw::event_hardware::try_plan(*gpu, name);
            planned += plan.has_value();
            if (!is_among(row.only, gpu->capability())) {
                REQUIRE_FALSE(plan);
                CHECK(plan.error().cause.find("only") != std::string::npos);
            }
        }
        CHECK(planned == each.metrics);
    }
}

TEST_CASE("legacy values: a metric of one instance is the mean over instances, or the one that is asked for") {
    for (std::string_view const name : {"2.0", "2.1", "3.5"}) {
        CAPTURE(name);
        chip gpu{name};
        gpu.copy(); // L2 is warm from here on: every pass takes as long
        auto const values = gpu.values(
            {"sm_efficiency", "sm_efficiency_instance", "ipc", "ipc_instance", "sm_efficiency_instance@0"}, copying);
        CHECK(values.at("sm_efficiency") > 0);
        CHECK(values.at("sm_efficiency_instance") <= 100);
        CHECK(values.at("sm_efficiency_instance") == doctest::Approx(values.at("sm_efficiency")).epsilon(0.01));
        CHECK(values.at("ipc_instance") == doctest::Approx(values.at("ipc")).epsilon(0.02));
        CHECK(values.at("sm_efficiency_instance@0") == doctest::Approx(values.at("sm_efficiency")).epsilon(0.02));
        std::vector<std::string> const no_instance{"sm_efficiency_instance@999"};
        auto const plan = hw::event_hardware::try_plan(gpu.gpu(), no_instance);
        REQUIRE_FALSE(plan);
        CHECK(plan.error().code == gpuprof::errc::invalid_argument);
        CHECK(plan.error().cause.find("instances of domain_") != std::string::npos);
        std::vector<std::string> const of_device{"sm_efficiency@0"}; // on 2.x the formula divides by all of them
        CHECK(hw::event_hardware::try_plan(gpu.gpu(), of_device).has_value() == (name == "3.5"));
    }
}

TEST_CASE("legacy values: capability 2.1 counts in four pipelines, issues of one and two, and halves of memory") {
    chip gpu{"2.1"};
    CHECK(gpu.value("warp_execution_efficiency", copying) == doctest::Approx(100));
    auto const values = gpu.values({"inst_executed", "inst_issued", "thread_inst_executed_3", "inst_issued1_0",
                                    "inst_issued1_1", "inst_issued2_0"},
                                   copying);
    CHECK(values.at("inst_issued") == values.at("inst_executed")); // coalesced: nothing is issued again
    CHECK(values.at("inst_issued1_0") + values.at("inst_issued1_1") == values.at("inst_issued"));
    CHECK(values.at("inst_issued2_0") == 0); // the embedded GPU issues one at a time
    CHECK(values.at("thread_inst_executed_3") == doctest::Approx(32 * values.at("inst_executed") / 4));
    for (char const* const each : {"inst_replay_overhead", "shared_replay_overhead", "local_replay_overhead"}) {
        CAPTURE(each);
        CHECK(gpu.value(each, copying) == 0);
    }
    CHECK(gpu.value("tex_cache_throughput", copying) == 0);
    chip cold{"2.1"};
    CHECK(cold.value("dram_read_bytes", copying) == chip::bytes);
}

TEST_CASE("legacy values: atomics, compare-and-swaps and reductions are told apart") {
    for (std::string_view const name : {"5.2", "6.0", "7.0"}) {
        CAPTURE(name);
        chip gpu{name};
        std::string const cas = name == "6.0" ? "inst_executed_shared_atom_cas" : "shared_atom_cas";
        auto const values = gpu.values({"inst_executed_global_atomics", "inst_executed_global_reductions",
                                        "inst_executed_shared_atomics", "atom_count", "global_atom_cas", "shared_atom",
                                        cas, "global_atomic_requests", "global_reduction_requests"},
                                       working);
        CHECK(values.at("atom_count") == 8); // warps
        CHECK(values.at("global_atom_cas") == 8);
        CHECK(values.at("inst_executed_global_atomics") == 8 + 8);
        CHECK(values.at("inst_executed_global_reductions") == 8);
        CHECK(values.at("shared_atom") == 8);
        CHECK(values.at(cas) == 8);
        CHECK(values.at("inst_executed_shared_atomics") == 8 + 8);
        CHECK(values.at("global_atomic_requests") == 8 + 8);
        CHECK(values.at("global_reduction_requests") == 8);
    }
    chip gpu{"3.5"};
    CHECK(gpu.value("atom_cas_count", working) == 8);
    CHECK(gpu.value("atom_count", working) == 8);
}

TEST_CASE("legacy values: triggers count the warps that pass them") {
    for (std::string_view const name : {"2.0", "2.1", "3.5", "5.2", "6.0", "7.0"}) {
        CAPTURE(name);
        chip gpu{name};
        auto const values =
            gpu.values({"prof_trigger_00", "prof_trigger_01", "prof_trigger_02", "prof_trigger_03"}, working);
        CHECK(values.at("prof_trigger_00") == 8); // bit 0 of 9
        CHECK(values.at("prof_trigger_01") == 0);
        CHECK(values.at("prof_trigger_02") == 8);
        CHECK(values.at("prof_trigger_03") == 8); // bit 3 of 9
    }
}

// A thread has one multiply-add on one number and one on two, and an addition on two. 6.x: "each multiply-accumulate operation
// contributes 2"; 7.0: "2 or 4 ... based on the number of inputs", of which flop_count_hp is the plain sum (CUPTI 12.0.146: 1,
// 10 and 100 give 111).
TEST_CASE("legacy values: half precision counts as each capability's table says") {
    chip pascal{"6.0"};
    auto values = pascal.values({"flop_count_hp", "flop_count_hp_add", "flop_count_hp_fma", "inst_fp_16"}, working);
    CHECK(values.at("flop_count_hp_fma") == 256 * 2);
    CHECK(values.at("flop_count_hp_add") == 256);
    CHECK(values.at("flop_count_hp") == 256 * (1 + 2 * 2));
    CHECK(values.at("inst_fp_16") == 256 * 3);
    chip volta{"7.0"};
    values = volta.values({"flop_count_hp", "flop_count_hp_add", "flop_count_hp_fma", "flop_count_hp_mul"}, working);
    CHECK(values.at("flop_count_hp_fma") == 256 * (2 + 4));
    CHECK(values.at("flop_count_hp_add") == 256 * 2);
    CHECK(values.at("flop_count_hp_mul") == 0);
    CHECK(values.at("flop_count_hp") == 256 * (2 + 4 + 2));
}

TEST_CASE("legacy values: special functions, control flow, loads and stores count as they stand in the kernel") {
    for (std::string_view const name : {"3.5", "5.2", "6.0", "7.0"}) {
        CAPTURE(name);
        chip gpu{name};
        CHECK(gpu.value("flop_count_sp_special", working) == 256 * 2); // sin, rcp
        auto const values = gpu.values({"cf_executed", "cf_issued", "ldst_executed", "ldst_issued"}, copying);
        CHECK(values.at("cf_executed") == chip::warps); // the end
        CHECK(values.at("cf_issued") == chip::warps);
        CHECK(values.at("ldst_executed") == 2 * chip::warps);
        CHECK(values.at("ldst_issued") == 2 * chip::warps); // coalesced
    }
}

// A warp of `branches` has two branches, of which one parts it. CUPTI 12.0.146 evaluates 4096 and 2048 as 66.67 % on 7.0.
TEST_CASE("legacy values: branch_efficiency is each capability's own") {
    for (std::string_view const name : {"2.0", "2.1", "3.5", "5.2", "6.0", "7.0"}) {
        CAPTURE(name);
        chip gpu{name};
        double const wanted = name == "7.0" ? 100.0 * 2 / (2 + 1) : 100.0 * (2 - 1) / 2;
        CHECK(gpu.value("branch_efficiency", [](chip& of) { of.branches(); }) == doctest::Approx(wanted));
        CHECK(std::isnan(gpu.value("branch_efficiency", copying))); // 0 of 0
    }
}

TEST_CASE("legacy values: pinned memory is read and written over the way to the host, and device memory is not") {
    for (std::string_view const name : {"3.5", "5.2", "6.0", "7.0"}) {
        CAPTURE(name);
        chip gpu{name};
        std::vector<std::string> const names{"sysmem_read_bytes", "sysmem_write_bytes", "sysmem_read_transactions"};
        auto values = gpu.values(names, [](chip& of) { of.copy_from_host(); });
        CHECK(values.at("sysmem_read_bytes") == chip::bytes);
        CHECK(values.at("sysmem_read_transactions") == chip::bytes / 32);
        CHECK(values.at("sysmem_write_bytes") == 0);
        values = gpu.values(names, [](chip& of) { of.copy_to_host(); });
        CHECK(values.at("sysmem_read_bytes") == 0);
        CHECK(values.at("sysmem_write_bytes") == chip::bytes);
        values = gpu.values(names, copying);
        CHECK(values.at("sysmem_read_bytes") == 0);
        std::string const dram = name == "3.5" ? "dram_read_transactions" : "dram_read_bytes";
        CHECK(chip{name}.value(dram, copying) == (name == "3.5" ? chip::bytes / 32 : chip::bytes)); // cold
        CHECK(chip{name}.value(dram, [](chip& of) { of.copy_from_host(); }) == 0);
    }
}

TEST_CASE("legacy values: copies go over PCIe, byte by byte, and nothing goes over NVLink") {
    for (std::string_view const name : {"5.2", "6.0", "7.0"}) {
        CAPTURE(name);
        chip gpu{name};
        std::vector<std::string> const names{"pcie_total_data_received", "pcie_total_data_transmitted"};
        auto values = gpu.values(names, [](chip& of) { of.upload(); });
        CHECK(values.at("pcie_total_data_received") == chip::bytes);
        CHECK(values.at("pcie_total_data_transmitted") == 0);
        values = gpu.values(names, [](chip& of) { of.download(); });
        CHECK(values.at("pcie_total_data_received") == 0);
        CHECK(values.at("pcie_total_data_transmitted") == chip::bytes);
        values = gpu.values(names, [](chip& of) { of.copy_from_host(); });
        CHECK(values.at("pcie_total_data_received") == chip::bytes);
        if (name == "5.2") continue;
        CHECK(gpu.value("nvlink_total_data_received", copying) == 0);
        CHECK(std::isnan(gpu.value("nvlink_overhead_data_received", copying))); // of no data
    }
}

TEST_CASE("legacy values: a copy's sectors miss in L1 and go to L2") {
    for (std::string_view const name : {"5.2", "6.0", "7.0"}) {
        CAPTURE(name);
        chip gpu{name};
        auto const values = gpu.values({"l2_global_load_bytes", "l2_local_global_store_bytes", "l2_local_load_bytes",
                                        "l2_global_atomic_store_bytes", "tex_cache_hit_rate", "tex_cache_transactions",
                                        "local_memory_overhead", "inst_executed_tex_ops", "surface_load_requests"},
                                       copying);
        CHECK(values.at("l2_global_load_bytes") == chip::bytes);
        CHECK(values.at("l2_local_global_store_bytes") == chip::bytes);
        CHECK(values.at("l2_local_load_bytes") == 0);
        CHECK(values.at("l2_global_atomic_store_bytes") == 0);
        CHECK(values.at("tex_cache_hit_rate") == 0);
        CHECK(values.at("tex_cache_transactions") == chip::bytes / 32);
        CHECK(values.at("local_memory_overhead") == 0);
        CHECK(values.at("inst_executed_tex_ops") == 0);
        CHECK(values.at("surface_load_requests") == 0);
    }
    CHECK(chip{"6.0"}.value("unique_warps_launched", copying) == chip::warps);
}

TEST_CASE("legacy values: the reasons that warps stall for are shares of all stalls, and uses are tenths") {
    for (std::string_view const name : {"3.5", "5.2", "6.0", "7.0"}) {
        CAPTURE(name);
        chip gpu{name};
        std::vector<std::string> stalls, uses;
        for (auto const& row : gpuprof::legacy::metrics_of(*gpuprof::family_of(gpu.gpu().capability())).rows) {
            std::string const metric = row.metric->name;
            if (metric.starts_with("stall_")) stalls.push_back(metric);
            if (metric.ends_with("_fu_utilization") && is_among(row.only, gpu.gpu().capability()))
                uses.push_back(metric);
        }
        gpu.copy();
        double sum = 0;
        for (auto const& [metric, value] : gpu.values(stalls, copying)) {
            std::string const name = metric; // a lambda cannot hold a structured binding
            CAPTURE(name);
            CHECK(value >= 0);
            sum += value;
        }
        CHECK(sum == doctest::Approx(100).epsilon(0.001));
        for (auto const& [metric, value] : gpu.values(uses, copying)) {
            std::string const name = metric;
            CAPTURE(name);
            CHECK(value >= 0);
            CHECK(value <= 10);
        }
        CHECK(gpu.value("tex_fu_utilization", copying) >= 1); // it loads and stores
    }
}

TEST_CASE("legacy values: a name may say that it is a legacy one, on events and on ranges") {
    for (std::string_view const name : {"5.2", "9.0"}) {
        CAPTURE(name);
        chip gpu{name};
        CHECK(gpu.value("legacy:warps_launched", copying) == chip::warps);
        CHECK(gpu.value("warps_launched", copying) == chip::warps);
    }
}

TEST_CASE("legacy values: with nothing but kernels counted, copies beside the kernel are left out") {
    chip gpu{"5.2"};
    gpuprof::profiler_options options;
    options.count_kernels_only = true;
    auto prof =
        gpuprof::profiler::try_create(gpu.gpu(), options, gpuprof::legacy_event<"l2_subp0_total_read_sector_queries">,
                                      gpuprof::legacy_event<"warps_launched">);
    REQUIRE(prof);
    auto everything =
        gpuprof::profiler::try_create(gpu.gpu(), {}, gpuprof::legacy_event<"l2_subp0_total_read_sector_queries">);
    REQUIRE(everything);
    auto const run = [&](gpuprof::profiler& with) {
        for (auto pass : with.passes()) {
            gpuprof::scope range{with, "range"};
            gpu.download(); // reads L2
            gpu.copy();
        }
        return with.try_report();
    };
    auto const kernels_only = run(*prof);
    REQUIRE(kernels_only);
    auto const all = run(*everything);
    REQUIRE(all);
    auto const value = [](gpuprof::report const& of, std::string_view name) {
        return of.try_range("range")->try_value(name)->value;
    };
    CHECK(value(*kernels_only, "warps_launched") == chip::warps);
    double const kernel = value(*kernels_only, "l2_subp0_total_read_sector_queries");
    double const both = value(*all, "l2_subp0_total_read_sector_queries");
    CHECK(kernel == chip::bytes / 32 / 4); // a quarter of a slice's partition
    CHECK(both == 2 * (chip::bytes / 32 / 4));
}

// The same kernel, counted as events on 7.0 and as metrics of range hardware on 9.0.
TEST_CASE("legacy values: shared atomics count once on range hardware, too") {
    chip gpu{"9.0"};
    auto const values = gpu.values(
        {"inst_executed_shared_atomics", "shared_atom", "shared_atom_cas", "atom_count", "global_atom_cas"}, working);
    CHECK(values.at("shared_atom") == 8);
    CHECK(values.at("shared_atom_cas") == 8);
    CHECK(values.at("inst_executed_shared_atomics") == 8 + 8);
    CHECK(values.at("atom_count") == 8);
    CHECK(values.at("global_atom_cas") == 8);
}

} // namespace event_values_test
