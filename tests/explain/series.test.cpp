// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// explain::series: combinations of launch parameters, each measured alike, on the embedded GPU.
#include <gpuprof/detail/config.hpp>

#if GPUPROF_EXCEPTIONS // written with the throwing spellings, which do not exist without them

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/bottleneck.hpp>
#include <gpuprof/explain.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace series_test {

namespace abi = gpuprof::abi;
namespace explain = gpuprof::explain;
namespace sim = gpuprof::sim;
using explain::axis;
using explain::parameters;
using explain::series;
using gpuprof::errc;
using gpuprof::memory_control;
constexpr auto multiplied = gpuprof::metrics::ffma_thread_inst; // takes a pass of its own
constexpr auto instructions = gpuprof::metric<"smsp__inst_executed.sum">;
constexpr auto warps = gpuprof::metric<"sm__warps_launched.sum">;
constexpr auto duration = gpuprof::metrics::gpu_time_duration;

namespace {

// spin: 2000 multiplications, one after another. grow: one thread multiplies as often as the word says, and doubles the word.
constexpr char kernels[] = R"(
.version 7.0
.target sm_52
.address_size 64
.extern .shared .align 4 .b8 dynamic[];
.visible .entry spin() {
    .reg .u32 %n<2>; .reg .f32 %f<2>; .reg .pred %p<1>;
    mov.u32 %n0, 2000; mov.f32 %f0, 0f3F800000; mov.u32 %n1, dynamic;
more:
    fma.rn.f32 %f0, %f0, %f0, %f0;
    sub.u32 %n0, %n0, 1;
    setp.ne.u32 %p0, %n0, 0;
    @%p0 bra more;
    ret;
}
.visible .entry grow(.param .u64 word) {
    .reg .u32 %n<3>; .reg .u64 %a<3>; .reg .f32 %f<2>; .reg .pred %p<1>;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
    ld.global.u32 %n0, [%a1];
    mov.u32 %n1, %n0;
    mov.f32 %f0, 0f3F800000;
more:
    fma.rn.f32 %f0, %f0, %f0, %f0;
    sub.u32 %n1, %n1, 1;
    setp.ne.u32 %p0, %n1, 0;
    @%p0 bra more;
    shl.b32 %n2, %n0, 1;
    st.global.u32 [%a1], %n2;
    ret;
}
.visible .entry stop() { trap; }
)";

class program {
public:
    explicit program(gpuprof::device const& gpu) : gpu_{gpu} {
        auto const& d = gpu.driver();
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(d.ModuleLoadData(&module_, kernels) == abi::CUDA_SUCCESS);
        spin = kernel("spin");
        grow = kernel("grow");
        stop = kernel("stop");
        REQUIRE(d.MemAlloc(&word_, 8) == abi::CUDA_SUCCESS);
        set_word(8);
    }
    program(program const&) = delete;
    program& operator=(program const&) = delete;
    ~program() {
        auto const& d = gpu_.driver();
        d.MemFree(word_);
        d.ModuleUnload(module_);
        abi::CUcontext popped = nullptr;
        d.CtxPopCurrent(&popped);
    }
    [[nodiscard]] abi::CUresult launch(abi::CUfunction which, unsigned grid, unsigned block, unsigned shared = 0) {
        void* arguments[]{&word_};
        return gpu_.driver().LaunchKernel(which, grid, 1, 1, block, 1, 1, shared, nullptr, arguments, nullptr);
    }
    [[nodiscard]] int attribute(abi::CUfunction_attribute which) const {
        int value = -2;
        REQUIRE(gpu_.driver().FuncGetAttribute(&value, which, spin) == abi::CUDA_SUCCESS);
        return value;
    }
    void set_attribute(abi::CUfunction_attribute which, int value) const {
        REQUIRE(gpu_.driver().FuncSetAttribute(spin, which, value) == abi::CUDA_SUCCESS);
    }
    void set_word(std::uint32_t word) { REQUIRE(gpu_.driver().MemcpyHtoD(word_, &word, 4) == abi::CUDA_SUCCESS); }
    [[nodiscard]] std::uint32_t word() const {
        std::uint32_t found = 0;
        REQUIRE(gpu_.driver().MemcpyDtoH(&found, word_, 4) == abi::CUDA_SUCCESS);
        return found;
    }

    abi::CUfunction spin = nullptr;
    abi::CUfunction grow = nullptr;
    abi::CUfunction stop = nullptr;

private:
    [[nodiscard]] abi::CUfunction kernel(char const* name) {
        abi::CUfunction found = nullptr;
        REQUIRE(gpu_.driver().ModuleGetFunction(&found, module_, name) == abi::CUDA_SUCCESS);
        return found;
    }

    gpuprof::device const& gpu_;
    abi::CUmodule module_ = nullptr;
    abi::CUdeviceptr word_ = 0;
};

explain::series_options with(std::size_t rounds, memory_control memory = memory_control::leave) {
    explain::series_options options;
    options.rounds = rounds;
    options.memory = memory;
    return options;
}

} // namespace

TEST_CASE("series: all combinations run as often as was said, forwards and backwards, and the fewest warps win") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    program work{gpu};
    // 1024 threads in blocks of 48 are 22 blocks of 2 warps; of 96, 11 blocks of 3.
    explain::series_options options = with(2);
    options.better = explain::better::lower; // the name of the metric does not tell
    series sweep{gpu, options, {{"block", {48, 64, 96, 32}}, {"twice", {1, 2}}}, warps};
    CHECK(sweep.combinations() == 8);
    CHECK(sweep.passes_needed() == 1);
    CHECK(sweep.runs() == 8 * 2 * 2);
    CHECK(sweep.at(3)["block"] == 64);
    CHECK(sweep.at(3)["twice"] == 2);
    std::vector<long long> order;
    auto const found = sweep.measure([&](parameters const& p) {
        order.push_back(p["block"] * 10 + p["twice"]);
        auto const block = p.get<unsigned>("block");
        for (long long i = 0; i < p["twice"]; ++i)
            if (auto const status = work.launch(work.spin, (1024 + block - 1) / block, block)) return status;
        return abi::CUDA_SUCCESS;
    });
    REQUIRE(order.size() == sweep.runs());
    CHECK(order[0] == 481);
    CHECK(order[1] == 481); // the first is not measured
    CHECK(order[2] == 482);
    CHECK(order[15] == 322);
    CHECK(order[16] == 322);
    CHECK(order[31] == 481);
    REQUIRE(found.rows.size() == 8);
    constexpr double expected[]{44, 88, 32, 64, 33, 66, 32, 64};
    for (std::size_t i = 0; i < 8; ++i) {
        REQUIRE_FALSE(found.rows[i].refused);
        CHECK(found.rows[i].rounds == std::vector<std::vector<double>>{{expected[i], expected[i]}});
    }
    CHECK(found.problems.empty());
    auto const best = found.best();
    CHECK(best.row == 2); // blocks of 64 once
    CHECK(best.values["block"] == 64);
    CHECK(best.alike == std::vector<std::size_t>{6}); // blocks of 32 once
    CHECK(best.noise_known);
    CHECK(found.best({}, explain::better::higher).values["block"] == 48);
    CHECK(found.try_best({}, explain::better::as_metric).error().code == errc::invalid_argument);
    CHECK(found.try_best("sm__inst_executed.sum").error().code == errc::invalid_argument);
    CHECK(best.values.try_value("blocks").error().message().find("\"block\", \"twice\"") != std::string::npos);
}

TEST_CASE("series: shared memory that leaves room for a quarter of the blocks makes four waves of one") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    program work{gpu};
    auto const sms = static_cast<unsigned>(gpu.attribute(abi::CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT));
    // Of 228 KiB an SM holds two blocks of 100,000 bytes each, and all eight blocks of it without them.
    series sweep{gpu, with(1), {explain::dynamic_shared_axis(work.spin, {100'000, 0, 300'000})}, duration};
    auto const found = sweep.measure([&](parameters const& p) {
        static_cast<void>(work.launch(work.spin, 8 * sms, 32, p.get<unsigned>("shared")));
    });
    REQUIRE(found.rows.size() == 3);
    REQUIRE_FALSE(found.rows[0].refused);
    REQUIRE_FALSE(found.rows[1].refused);
    double const ratio = found.rows[0].rounds[0][0] / found.rows[1].rounds[0][0];
    CHECK(ratio > 3);
    CHECK(ratio < 5);
    CHECK(found.best().values["shared"] == 0);
    CHECK_FALSE(found.best().noise_known);
    // No device has so much: the driver refuses the setting, and the work never runs with it.
    REQUIRE(found.rows[2].refused);
    CHECK(found.rows[2].refused->code == errc::launch_failed);
    CHECK(found.rows[2].refused->status == abi::CUDA_ERROR_INVALID_VALUE);
    CHECK(found.rows[2].refused->what.find("shared = 300000") != std::string::npos);
    CHECK(found.refused() == 1);
}

TEST_CASE("series: a combination that cannot be launched is a row with its reason, whoever tells of it") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    program work{gpu};
    for (bool const told : {false, true}) {
        series sweep{gpu, with(2), {{"block", {2048, 32, 1024}}}, instructions};
        int runs = 0;
        auto const found = sweep.measure([&](parameters const& p) -> int {
            ++runs;
            auto const status = work.launch(work.spin, 1, p.get<unsigned>("block"));
            return told ? static_cast<int>(status) : 0;
        });
        CAPTURE(told);
        CHECK(runs == 1 + 2 * 2 * 2); // once with what is refused
        REQUIRE(found.rows[0].refused);
        CHECK(found.rows[0].refused->code == errc::launch_failed);
        CHECK(found.rows[0].refused->status == abi::CUDA_ERROR_INVALID_VALUE);
        CHECK(found.rows[0].rounds.empty());
        CHECK_FALSE(found.rows[1].refused);
        CHECK_FALSE(found.rows[2].refused);
        CHECK(found.best().values["block"] == 32);
    }
    // A reason of the work's own; and one that launches nothing.
    series sweep{gpu, with(1), {{"block", {32, 64}}}, instructions};
    auto const none = sweep.measure([&](parameters const& p) -> gpuprof::result<void> {
        if (p["block"] == 32) return gpuprof::error{errc::invalid_argument, 0, "too narrow"};
        return {};
    });
    CHECK(none.rows[0].refused->what == "too narrow");
    REQUIRE(none.rows[1].refused);
    CHECK(none.rows[1].refused->code == errc::not_collected);
    CHECK(none.try_best().error().code == errc::not_collected);
    CHECK(none.try_best().error().cause.find("too narrow") != std::string::npos);
}

TEST_CASE(
    "series: each combination has its attributes, and afterwards the kernel has what it had, also if the work throws") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    program work{gpu};
    work.set_attribute(abi::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 33);
    work.set_attribute(abi::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 50'000);
    std::vector<axis> const axes{
        explain::carveout_axis(work.spin, {-1, 0, 100, 101}), explain::dynamic_shared_axis(work.spin, {0, 60'000}),
        explain::cache_axis(work.spin, {abi::CU_FUNC_CACHE_PREFER_L1, abi::CU_FUNC_CACHE_PREFER_SHARED})};
    series sweep{gpu, with(1), axes, instructions};
    CHECK(sweep.combinations() == 16);
    bool throws = false;
    auto const run = [&](parameters const& p) {
        CHECK(work.attribute(abi::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) == p["carveout"]);
        CHECK(work.attribute(abi::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == p["shared"]);
        if (throws && p["carveout"] == 100) throw std::runtime_error{"enough"};
        return work.launch(work.spin, 1, 32, p.get<unsigned>("shared"));
    };
    auto const found = sweep.measure(run);
    CHECK(found.refused() == 4); // 101 per cent
    CHECK(work.attribute(abi::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) == 33);
    CHECK(work.attribute(abi::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 50'000);
    CHECK(found.text_of(found.rows[1].values) == "carveout = driver's choice, shared = 0, cache = prefer shared");
    throws = true;
    CHECK_THROWS_WITH(static_cast<void>(sweep.measure(run)), "enough");
    CHECK(work.attribute(abi::CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) == 33);
    CHECK(work.attribute(abi::CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) == 50'000);
    throws = false; // and it measures again
    CHECK(sweep.measure(run).refused() == 4);
}

TEST_CASE(
    "series: a kernel that changes its input has the same counts in all combinations, and none if memory is left") {
    gpuprof::device const gpu = sim::open_embedded("gv100", sim::collection::in_passes).value();
    for (memory_control const memory :
         {memory_control::restore_written, memory_control::restore, memory_control::leave}) {
        CAPTURE(static_cast<int>(memory));
        program work{gpu};
        series sweep{gpu, with(2, memory), {{"a", {1, 2, 3}}}, instructions, multiplied};
        REQUIRE(sweep.passes_needed() == 2);
        auto const found = sweep.measure([&](parameters const&) { return work.launch(work.grow, 1, 1); });
        if (memory == memory_control::leave) {
            CHECK(work.word() != 8);
            CHECK(found.rows[0].rounds[1][0] < found.rows[1].rounds[1][0]);
            continue;
        }
        CHECK(work.word() == 8); // as before the series
        CHECK(found.problems.empty());
        for (auto const& row : found.rows) {
            REQUIRE_FALSE(row.refused);
            CHECK(row.rounds[1] == std::vector<double>{8, 8}); // the word at the beginning
            CHECK(row.rounds[0] == found.rows[0].rounds[0]);
        }
        CHECK(found.best(multiplied.name(), explain::better::lower).alike == std::vector<std::size_t>{1, 2});
    }
}

TEST_CASE("series: after a combination that loses the device the others are not run, and say why") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    program work{gpu};
    series sweep{gpu, with(1), {{"kernel", {0, 1, 2}}}, instructions};
    int runs = 0;
    auto const found = sweep.try_measure([&](parameters const& p) {
        ++runs;
        return work.launch(p["kernel"] == 1 ? work.stop : work.spin, 1, 32);
    });
    REQUIRE(found);
    CHECK_FALSE(found->rows[0].refused);
    REQUIRE(found->rows[1].refused);
    CHECK(found->rows[1].refused->code == errc::device_lost);
    REQUIRE(found->rows[2].refused);
    CHECK(found->rows[2].refused->what == "not run");
    CHECK(runs == 3);
}

TEST_CASE("series: axes without sense are refused before anything runs") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    auto const refused = [&](std::vector<axis> axes, std::size_t rounds = 1) {
        gpuprof::metric_info const list[]{gpuprof::metric_info{instructions}};
        auto const made = series::try_create(gpu, with(rounds), std::move(axes), list);
        return made ? std::string{} : made.error().code == errc::invalid_argument ? made.error().what : "another error";
    };
    CHECK(refused({{"a", {1}}}).empty());
    CHECK(refused({}) == "a series without an axis");
    CHECK(refused({{"a", {}}}) == "axis \"a\" has no value");
    CHECK(refused({{"", {1}}}) == "an axis without a name");
    CHECK(refused({{"a", {1}}, {"a", {2}}}) == "two axes are \"a\"");
    CHECK(refused({explain::carveout_axis(std::vector<abi::CUfunction>{}, {1})}) == "axis \"carveout\" has no kernel");
    CHECK(refused({{"a", {1}}}, 0) == "a series of no round");
    std::vector<long long> const many(257);
    CHECK(refused({{"a", many}, {"b", many}}) == "more than 65536 combinations");
    CHECK(series::try_create(gpu, with(1), {{"a", {1}}}, {}).error().code == errc::invalid_argument);
}

TEST_CASE("series: what noise hides is alike, what it does not hide is not, and drift that all share hides nothing") {
    explain::series_report of;
    of.axes = {{"block", {1, 2, 3, 4}}};
    of.metrics = {gpuprof::metric_info{duration}};
    of.rounds = 3;
    auto const add = [&](std::vector<double> values) {
        of.rows.push_back(
            {parameters{{{"block", static_cast<long long>(of.rows.size() + 1)}}}, {std::move(values)}, {}});
    };
    add({100, 120, 140});
    add({101, 121, 142}); // differences 1, 1, 2: mean 4/3, half width 4.3027 x (sqrt(1/3) / sqrt(3)) = 1.434
    add({110, 131, 150}); // 10, 11, 10: mean 31/3, half width 1.434
    add({0, 0, 0});
    of.rows[3].refused = gpuprof::error{errc::launch_failed, 1, "refused"};
    of.rows[3].rounds.clear();
    auto const best = of.best();
    CHECK(best.direction == explain::better::lower); // of a time
    CHECK(best.row == 0);
    CHECK(best.alike == std::vector<std::size_t>{1});
    CHECK(of.best({}, explain::better::higher).row == 2);
    CHECK(of.best({}, explain::better::higher).alike.empty());
    auto const value = of.rows[0].measured(0, of.metrics[0].value_unit);
    CHECK(value.mean == 120);
    CHECK(std::fabs(value.half_width - 4.3027 * 20 / std::sqrt(3.0)) < 1e-9);
}

TEST_CASE("series: kernels compiled with fewer registers keep more warps resident") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    // Forty values that are all needed at the end: more than 32 registers.
    std::string body, sum;
    for (int i = 0; i < 40; ++i) {
        std::string const r = "%r" + std::to_string(i);
        body += "ld.global.u32 " + r + ", [%a1+" + std::to_string(4 * i) + "];\n";
        sum += "st.global.u32 [%a1+" + std::to_string(4 * i) + "], " + r + ";\n";
    }
    std::string const ptx =
        ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry wide(.param .u64 at) {\n"
        ".reg .u32 %r<40>; .reg .u64 %a<2>;\nld.param.u64 %a0, [at]; cvta.to.global.u64 %a1, %a0;\n" +
        body + sum + "ret;\n}\n";
    explain::register_variants const kernels{gpu, ptx, "wide", {0, 32, 16}};
    REQUIRE(gpu.driver().CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    abi::CUdeviceptr at = 0;
    REQUIRE(gpu.driver().MemAlloc(&at, 4 * 40) == abi::CUDA_SUCCESS);
    series sweep{gpu, with(1), {kernels.limits(), explain::carveout_axis(kernels.kernels(), {50})}, instructions};
    CHECK(sweep.combinations() == 3);
    std::vector<int> registers;
    auto const found = sweep.measure([&](parameters const& p) {
        abi::CUfunction const kernel = kernels[p["registers"]];
        int value = 0;
        CHECK(gpu.driver().FuncGetAttribute(&value, abi::CU_FUNC_ATTRIBUTE_NUM_REGS, kernel) == abi::CUDA_SUCCESS);
        registers.push_back(value);
        void* arguments[]{&at};
        return gpu.driver().LaunchKernel(kernel, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    });
    CHECK(found.refused() == 0);
    REQUIRE(registers.size() == 6);
    CHECK(registers[0] >= 40);
    CHECK(registers[2] == 32);
    CHECK(registers[4] == 16);
    CHECK(kernels[64] == nullptr);
    CHECK(explain::register_variants::try_load(gpu,
                                               "\x7f"
                                               "ELF",
                                               "wide", {0})
              .error()
              .code == errc::invalid_argument);
    CHECK(explain::register_variants::try_load(gpu, ptx, "wide", {}).error().code == errc::invalid_argument);
    CHECK(explain::register_variants::try_load(gpu, ptx, "wide", {300}).error().code == errc::invalid_argument);
    CHECK_FALSE(explain::register_variants::try_load(gpu, ptx, "narrow", {0}));
    gpu.driver().MemFree(at);
    abi::CUcontext popped = nullptr;
    gpu.driver().CtxPopCurrent(&popped);
}

TEST_CASE("series: a finding that a launch parameter would test names the axis") {
    auto const axis_of = [](std::string_view id) {
        explain::finding what;
        what.id = id;
        auto const found = explain::series_for(what);
        return found ? found->name : std::string{};
    };
    CHECK(axis_of("partial_warps") == "block");
    CHECK(axis_of("occupancy_limited_by_registers") == "registers");
    CHECK(axis_of("occupancy_limited_by_shared_memory") == "carveout");
    CHECK(axis_of("bank_conflicts").empty());
    // Names that no rule has would never be advised.
    for (std::string_view const id :
         {"partial_warps", "occupancy_limited_by_block_size", "tiny_blocks", "tail_effect", "small_grid",
          "occupancy_limited_by_registers", "occupancy_limited_by_shared_memory"}) {
        bool known = false;
        for (explain::rule const& each : explain::all_rules()) known = known || each.id == id;
        CAPTURE(id);
        CHECK(known);
        CHECK_FALSE(axis_of(id).empty());
    }
    explain::finding shared;
    shared.id = "occupancy_limited_by_shared_memory";
    auto* const kernel = reinterpret_cast<abi::CUfunction>(std::uintptr_t{16});
    CHECK(explain::series_for(shared, kernel)->kernels == std::vector<abi::CUfunction>{kernel});
}

} // namespace series_test

#endif // GPUPROF_EXCEPTIONS
