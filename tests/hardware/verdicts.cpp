// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of kernels as a unit test has them, with the verdict that each is to get on any machine: some pass, and some find a
// regression that is planted here. verdicts.sh runs this program on the embedded GPU and on a GPU and compares.
//
//     verdicts FOLDER      FOLDER is tests/hardware; the device is GPUPROF_DEVICE's
//
// Prints "device | where" and, for each check, "assertion | verdict | expected verdict | kind"; what does not pass is told on
// stderr. The exit status is 0 if all verdicts are as expected.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/judge.hpp>
#include <gpuprof/judge/traced_work.hpp>
#include <gpuprof/replay.hpp>
#include <gpuprof/sim.hpp>

#include "../../examples/support/ptx_program.hpp"
#include "suite.hpp"

namespace {

using gpuprof::verdict;

// The framework of this program: it keeps what each check came to.
class verdict_list {
public:
    // The next check is called so.
    void next(char const* name, verdict expected, bool planted = false) {
        name_ = name;
        expected_ = expected;
        planted_ = planted;
    }
    void tell(gpuprof::outcome const& found, char const* expression) {
        if (name_ == nullptr || !names_.insert(name_).second)
            throw std::logic_error{std::string{"a check without a name of its own: "} + expression};
        std::printf("%s | %s | %s | %s\n", name_, text(found.verdict), text(expected_),
                    planted_ ? "planted" : "assertion");
        if (!found) std::fprintf(stderr, "%s: %s\n%s\n\n", name_, text(found.verdict), found.text().c_str());
        if (found.verdict != expected_) ++unexpected_;
        ++(planted_ ? planted_checks_ : assertions_);
        name_ = nullptr;
    }
    [[nodiscard]] int status() const {
        std::printf("%d assertions, %d planted regressions, %d not as expected\n", assertions_, planted_checks_,
                    unexpected_);
        return unexpected_ == 0 && assertions_ >= 15 && planted_checks_ >= 6 ? 0 : 1;
    }

private:
    static char const* text(verdict of) {
        return of == verdict::pass ? "pass" : of == verdict::fail ? "fail" : "inconclusive";
    }
    std::set<std::string> names_;
    char const* name_ = nullptr;
    verdict expected_ = verdict::pass;
    bool planted_ = false;
    int assertions_ = 0;
    int planted_checks_ = 0;
    int unexpected_ = 0;
};
verdict_list verdicts;

} // namespace

#define GPUPROF_TELL(outcome, required, macro, text) verdicts.tell(outcome, text)
#include <gpuprof/judge/checks.hpp>

namespace {

namespace expect = gpuprof::expect;
namespace metrics = gpuprof::metrics;
using namespace gpuprof::literals;

// Somebody lost the index: threads of a warp read words that lie 128 bytes apart.
constexpr char strided_ptx[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry strided(.param .u64 in, .param .u64 out, .param .u32 number) {
    .reg .u64 %rd<6>; .reg .u32 %r<7>;
    ld.param.u64 %rd1, [in]; cvta.to.global.u64 %rd1, %rd1;
    ld.param.u64 %rd2, [out]; cvta.to.global.u64 %rd2, %rd2;
    mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd3, %r4, 128; add.u64 %rd3, %rd1, %rd3;
    mul.wide.u32 %rd4, %r4, 4; add.u64 %rd4, %rd2, %rd4;
    ld.global.u32 %r5, [%rd3]; st.global.u32 [%rd4], %r5;
    ret;
}
)";

std::string file_text(std::string const& path) {
    std::ifstream file{path};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (text.empty()) throw std::runtime_error{"cannot read " + path};
    return text;
}

// The kernels of kernels.ptx, which nvcc made, on small buffers: the embedded GPU is to take a second.
class kernels {
public:
    static constexpr std::size_t bytes = std::size_t{8} << 20;

    kernels(gpuprof::device const& gpu, std::string const& folder)
        : driver_{gpu.driver()}, in_{gpu, bytes}, out_{gpu, bytes} {
        check(driver_.ModuleLoadData(&compiled_, file_text(folder + "/kernels.ptx").c_str()));
        check(driver_.ModuleLoadData(&written_, strided_ptx));
    }
    kernels(kernels const&) = delete;
    kernels& operator=(kernels const&) = delete;
    ~kernels() {
        static_cast<void>(driver_.ModuleUnload(written_));
        static_cast<void>(driver_.ModuleUnload(compiled_));
    }
    // Whether the driver took it; the code under test does not look, as code under test does.
    bool launch(char const* name, extent grid, extent block, std::uint32_t number = 0, unsigned shared = 0) {
        gpuprof::abi::CUfunction kernel = nullptr;
        if (driver_.ModuleGetFunction(&kernel, compiled_, name))
            check(driver_.ModuleGetFunction(&kernel, written_, name));
        std::uint64_t in = in_.address(), out = out_.address();
        void* arguments[] = {&in, &out, &number};
        return !driver_.LaunchKernel(kernel, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr,
                                     arguments, nullptr);
    }

    // Waits for what was launched, and copies of it.
    void wait() { check(driver_.CtxSynchronize()); }
    void download() {
        unsigned char some[256];
        out_.download(some, sizeof some);
    }

private:
    static void check(gpuprof::abi::CUresult status) {
        if (status) throw std::runtime_error{gpuprof::hw::explain("a call for the kernels", status).message()};
    }
    gpuprof::abi::driver_table const& driver_;
    device_buffer in_;
    device_buffer out_;
    gpuprof::abi::CUmodule compiled_ = nullptr;
    gpuprof::abi::CUmodule written_ = nullptr;
};

// 1056 blocks fill the 132 SMs of an H200 once: 8 blocks of 256 threads each.
constexpr unsigned copy_blocks = 1056;
constexpr double copy_threads = copy_blocks * 256.0;
constexpr extent tiles{8, 8}, tile_block{32, 8}; // of a square matrix of side 256
constexpr std::uint32_t side = 256;

void copies(gpuprof::device const& gpu, kernels& run) {
    gpuprof::recorded_as const label{"copies"};
    auto const m = gpuprof::observe_for(
        gpu,
        {expect::coalesced_global_loads(16), expect::coalesced_global_stores(16), expect::no_divergence(),
         expect::no_local_memory(), expect::no_bank_conflicts(), expect::tensor_cores_used(),
         expect::dram_bytes_within(2, gpuprof::bytes{copy_threads * 32}), expect::occupancy_at_least(25_percent)},
        [&] { run.launch("copy_float4", {copy_blocks}, {256}); });
    verdicts.next("copy: loads are coalesced", verdict::pass);
    GPUPROF_EXPECT(m, expect::coalesced_global_loads(16));
    verdicts.next("copy: stores are coalesced", verdict::pass);
    GPUPROF_EXPECT(m, expect::coalesced_global_stores(16));
    verdicts.next("copy: no divergence", verdict::pass);
    GPUPROF_EXPECT(m, expect::no_divergence());
    verdicts.next("copy: no local memory", verdict::pass);
    GPUPROF_EXPECT(m, expect::no_local_memory());
    verdicts.next("copy: launched once", verdict::pass);
    GPUPROF_EXPECT(m, expect::launch_count(1));
    verdicts.next("copy: bytes of device memory", verdict::pass);
    GPUPROF_EXPECT(m, expect::dram_bytes_within(2, gpuprof::bytes{copy_threads * 32}));
    verdicts.next("copy: occupancy", verdict::pass);
    GPUPROF_EXPECT(m, expect::occupancy_at_least(25_percent));
    verdicts.next("copy: bank conflicts cannot be judged without shared memory", verdict::inconclusive);
    GPUPROF_EXPECT(m, expect::no_bank_conflicts());
    verdicts.next("copy: tensor cores are not used", verdict::fail);
    GPUPROF_EXPECT(m, expect::tensor_cores_used());

    auto const counted = gpuprof::observe(
        gpu, [&] { run.launch("copy_float4", {copy_blocks}, {256}); }, metrics::threads_launched,
        metrics::warps_launched, metrics::global_load_sectors, metrics::global_load_requests);
    verdicts.next("copy: as many warps as arithmetic says", verdict::pass);
    GPUPROF_CHECK(counted[metrics::warps_launched] == gpuprof::warps{copy_threads / 32});
    verdicts.next("copy: 32 threads a warp", verdict::pass);
    GPUPROF_CHECK(counted.ratio(0, 1) == 32.0);
    verdicts.next("copy: 16 sectors a request", verdict::pass);
    GPUPROF_CHECK(counted[metrics::global_load_sectors] / counted[metrics::global_load_requests] ==
                  gpuprof::sectors_per_request{16});
    verdicts.next("copy: fewer sectors than words", verdict::pass);
    GPUPROF_CHECK(counted[metrics::global_load_sectors] < gpuprof::sectors{copy_threads * 4});
    verdicts.next("copy: an unjust bound fails", verdict::fail);
    GPUPROF_CHECK(counted[metrics::global_load_sectors] <= 1000_sectors);
    verdicts.next("copy: a metric that was not measured", verdict::inconclusive);
    GPUPROF_CHECK(counted[metrics::global_store_sectors] <= 1000_sectors);

    auto const often = gpuprof::observe(
        gpu, gpuprof::repetitions{3}, [&] { run.launch("copy_float4", {copy_blocks}, {256}); },
        metrics::warps_launched);
    verdicts.next("copy: the median of three", verdict::pass);
    GPUPROF_CHECK(often[metrics::warps_launched] == near(gpuprof::warps{copy_threads / 32}, 1_percent));
}

void transposes(gpuprof::device const& gpu, kernels& run) {
    gpuprof::recorded_as const label{"transposes"};
    auto const conflicts = expect::no_bank_conflicts();
    auto const stores = expect::coalesced_global_stores();
    auto const padded = gpuprof::observe_for(gpu, {conflicts, stores, expect::no_divergence()},
                                             [&] { run.launch("transpose_padded", tiles, tile_block, side); });
    verdicts.next("transpose: no bank conflicts", verdict::pass);
    GPUPROF_EXPECT(padded, conflicts);
    verdicts.next("transpose: stores are coalesced", verdict::pass);
    GPUPROF_EXPECT(padded, stores);
    verdicts.next("transpose: no divergence in its loops", verdict::pass);
    GPUPROF_EXPECT(padded, expect::no_divergence());

    auto const unpadded =
        gpuprof::observe_for(gpu, {conflicts}, [&] { run.launch("transpose_conflicts", tiles, tile_block, side); });
    verdicts.next("planted: the tile's rows are not padded", verdict::fail, true);
    GPUPROF_EXPECT(unpadded, conflicts);
    auto const naive =
        gpuprof::observe_for(gpu, {stores}, [&] { run.launch("transpose_naive", tiles, tile_block, side); });
    verdicts.next("planted: stores are not coalesced", verdict::fail, true);
    GPUPROF_EXPECT(naive, stores);
}

void others(gpuprof::device const& gpu, kernels& run) {
    gpuprof::recorded_as const label{"others"};
    auto const product = gpuprof::observe_for(gpu, {expect::tensor_cores_used(), expect::no_local_memory()},
                                              [&] { run.launch("tensor_product", {64}, {128}, 4); });
    verdicts.next("product: tensor cores are used", verdict::pass);
    GPUPROF_EXPECT(product, expect::tensor_cores_used());
    verdicts.next("product: no local memory", verdict::pass);
    GPUPROF_EXPECT(product, expect::no_local_memory());

    auto const matmul = gpuprof::observe_for(gpu, {expect::coalesced_global_loads(), expect::no_divergence()}, [&] {
        run.launch("matmul", {8, 8}, {16, 16}, 128, 2048);
    });
    verdicts.next("matmul: loads are coalesced", verdict::pass);
    GPUPROF_EXPECT(matmul, expect::coalesced_global_loads());
    verdicts.next("matmul: no divergence", verdict::pass);
    GPUPROF_EXPECT(matmul, expect::no_divergence());

    auto const traced = gpuprof::observe_trace(gpu, [&] { run.launch("copy_float4", {16}, {256}); });
    verdicts.next("trace: a launch does not wait", verdict::pass);
    GPUPROF_EXPECT(traced, expect::no_hidden_synchronisation());
    verdicts.next("trace: a launch copies nothing", verdict::pass);
    GPUPROF_EXPECT(traced, expect::no_hidden_copies());
    auto const ends = gpuprof::observe_trace(gpu, [&] {
        run.launch("copy_float4", {16}, {256});
        run.wait();
        run.download();
    });
    verdicts.next("trace: a wait and a copy that the test knows of", verdict::pass);
    GPUPROF_EXPECT(ends, expect::no_hidden_synchronisation(2));
    verdicts.next("trace: a copy that the test knows of", verdict::pass);
    GPUPROF_EXPECT(ends, expect::no_hidden_copies(1));
    auto const idle = gpuprof::observe_trace(gpu, [] {});
    verdicts.next("trace: nothing was called", verdict::inconclusive);
    GPUPROF_EXPECT(idle, expect::no_hidden_synchronisation());

    // Where nothing is launched, a recording is found by its label alone.
    gpuprof::recorded_as const nothing_launched{"nothing is launched"};
    auto const nothing = gpuprof::observe(
        gpu, [] {}, metrics::warps_launched, metrics::threads_launched);
    verdicts.next("nothing is launched: counters cannot be judged", verdict::inconclusive);
    GPUPROF_CHECK(nothing[metrics::warps_launched] <= gpuprof::warps{10});
}

void regressions(gpuprof::device const& gpu, kernels& run) {
    gpuprof::recorded_as const label{"regressions"};
    auto const loads = expect::coalesced_global_loads();
    auto const strided = gpuprof::observe_for(gpu, {loads}, [&] { run.launch("strided", {32}, {256}); });
    verdicts.next("planted: loads are not coalesced", verdict::fail, true);
    GPUPROF_EXPECT(strided, loads);

    auto const local = expect::no_local_memory();
    auto const spilled = gpuprof::observe_for(gpu, {local}, [&] { run.launch("local_array", {16}, {128}, 7); });
    verdicts.next("planted: an array is spilled to local memory", verdict::fail, true);
    GPUPROF_EXPECT(spilled, local);

    auto const together = expect::no_divergence();
    auto const apart = gpuprof::observe_for(gpu, {together}, [&] { run.launch("divergent", {16}, {256}, 16); });
    verdicts.next("planted: threads of a warp take four ways", verdict::fail, true);
    GPUPROF_EXPECT(apart, together);
    auto const uneven = gpuprof::observe_for(gpu, {together}, [&] { run.launch("uneven_loops", {16}, {256}); });
    verdicts.next("planted: threads of a warp loop unequally often", verdict::fail, true);
    GPUPROF_EXPECT(uneven, together);

    auto const occupancy = expect::occupancy_at_least(25_percent);
    auto const one_warp = gpuprof::observe_for(gpu, {occupancy}, [&] { run.launch("uneven_loops", {1}, {32}); });
    verdicts.next("planted: one warp on the whole GPU", verdict::fail, true);
    GPUPROF_EXPECT(one_warp, occupancy);

    auto const waits = gpuprof::observe_trace(gpu, [&] {
        run.launch("copy_float4", {16}, {256});
        run.wait();
    });
    verdicts.next("planted: the host waits after a launch", verdict::fail, true);
    GPUPROF_EXPECT(waits, expect::no_hidden_synchronisation());
    auto const copies = gpuprof::observe_trace(gpu, [&] {
        run.launch("copy_float4", {16}, {256});
        run.download();
    });
    verdicts.next("planted: a result is copied back", verdict::fail, true);
    GPUPROF_EXPECT(copies, expect::no_hidden_copies());
    verdicts.next("planted: and that copy waits", verdict::fail, true);
    GPUPROF_EXPECT(copies, expect::no_hidden_synchronisation());

    auto const once = expect::launch_count(1);
    auto const twice = gpuprof::observe_for(gpu, {once}, [&] {
        run.launch("copy_float4", {16}, {256});
        run.launch("copy_float4", {16}, {256});
    });
    verdicts.next("planted: launched twice", verdict::fail, true);
    GPUPROF_EXPECT(twice, once);
    gpuprof::recorded_as const early{"the host returned early"};
    auto const returned = gpuprof::observe_for(gpu, {once}, [] {});
    verdicts.next("planted: not launched, since the host returned early", verdict::fail, true);
    GPUPROF_EXPECT(returned, once);
    // A block of more than 1024 threads, which no chip has.
    gpuprof::recorded_as const too_large{"a block too large"};
    auto const refused = gpuprof::observe_for(gpu, {once, loads}, [&] { run.launch("copy_float4", {16}, {2048}); });
    verdicts.next("planted: the driver refuses the kernel", verdict::fail, true);
    GPUPROF_EXPECT(refused, once);
    verdicts.next("a refused kernel's counters cannot be judged", verdict::inconclusive);
    GPUPROF_EXPECT(refused, loads);
}

} // namespace

int main(int count, char** words) {
    if (count != 2) return std::fprintf(stderr, "usage: verdicts FOLDER\n"), 2;
    try {
        gpuprof::device const gpu = gpuprof::open_device();
        std::printf("%s | %s\n", std::string{gpu.name()}.c_str(),
                    gpu.source() == gpuprof::device_source::hardware ? "hardware" : "embedded");
        kernels run{gpu, words[1]};
        copies(gpu, run);
        transposes(gpu, run);
        others(gpu, run);
        regressions(gpu, run);
        return verdicts.status();
    } catch (std::exception const& thrown) {
        return std::fprintf(stderr, "%s\n", thrown.what()), 1;
    }
}
