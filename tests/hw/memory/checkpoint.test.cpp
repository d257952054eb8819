// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// checkpoint on the embedded GPU: memory comes back, copies are independent, and each call that fails says so.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace checkpoint_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using gpuprof::checkpoint;
using gpuprof::errc;

namespace {

// A device whose context is current, with some memory.
struct bench {
    explicit bench(gpuprof::device opened) : gpu{std::move(opened)} {
        REQUIRE(gpu.driver().CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    }
    bench() : bench{sim::open_embedded("gh100").value()} {}
    bench(bench const&) = delete;
    bench& operator=(bench const&) = delete;
    ~bench() {
        abi::CUcontext popped = nullptr;
        gpu.driver().CtxPopCurrent(&popped);
    }
    [[nodiscard]] abi::CUdeviceptr allocate(std::size_t bytes) const {
        abi::CUdeviceptr at = 0;
        REQUIRE(gpu.driver().MemAlloc(&at, bytes) == abi::CUDA_SUCCESS);
        return at;
    }
    void fill(abi::CUdeviceptr at, unsigned char with, std::size_t bytes) const {
        REQUIRE(gpu.driver().MemsetD8(at, with, bytes) == abi::CUDA_SUCCESS);
    }
    [[nodiscard]] std::vector<unsigned char> read(abi::CUdeviceptr at, std::size_t bytes) const {
        std::vector<unsigned char> found(bytes);
        REQUIRE(gpu.driver().MemcpyDtoH(found.data(), at, bytes) == abi::CUDA_SUCCESS);
        return found;
    }
    gpuprof::device gpu;
};

std::vector<unsigned char> all(unsigned char value, std::size_t bytes) {
    return std::vector<unsigned char>(bytes, value);
}

} // namespace

TEST_CASE("checkpoint: a restore brings back every byte, as often as it is asked for") {
    bench const on;
    abi::CUdeviceptr const first = on.allocate(1000), second = on.allocate(7);
    on.fill(first, 1, 1000);
    on.fill(second, 2, 7);
    void* pinned = nullptr;
    REQUIRE(on.gpu.driver().MemHostAlloc(&pinned, 4, 0) == abi::CUDA_SUCCESS);
    auto& word = *static_cast<std::uint32_t*>(pinned);
    word = 3;
    auto saved = checkpoint::try_save(on.gpu);
    REQUIRE(saved.has_value());
    for (unsigned char turn = 0; turn < 3; ++turn) {
        on.fill(first, static_cast<unsigned char>(10 + turn), 999);
        on.fill(second, static_cast<unsigned char>(20 + turn), 7);
        word = 30;
        REQUIRE(saved->try_restore().has_value());
        CHECK(on.read(first, 1000) == all(1, 1000));
        CHECK(on.read(second, 7) == all(2, 7));
        CHECK(word == 3);
    }
    on.gpu.driver().MemFreeHost(pinned);
}

TEST_CASE("checkpoint: several are independent of each other, in any order, and a second save replaces the first") {
    bench const on;
    abi::CUdeviceptr const at = on.allocate(64);
    on.fill(at, 1, 64);
    auto one = checkpoint::try_save(on.gpu);
    REQUIRE(one.has_value());
    on.fill(at, 2, 64);
    auto two = checkpoint::try_save(on.gpu);
    REQUIRE(two.has_value());
    on.fill(at, 3, 64);
    REQUIRE(one->try_restore().has_value());
    CHECK(on.read(at, 64) == all(1, 64));
    REQUIRE(two->try_restore().has_value());
    CHECK(on.read(at, 64) == all(2, 64));
    on.fill(at, 4, 64);
    REQUIRE(one->try_save_again().has_value());
    on.fill(at, 5, 64);
    checkpoint moved = *std::move(one);
    REQUIRE(moved.try_restore().has_value());
    CHECK(on.read(at, 64) == all(4, 64));
    auto gone = one->try_restore(); // NOLINT: moved from
    REQUIRE(!gone);
    CHECK(gone.error().code == errc::invalid_state);
}

TEST_CASE("checkpoint: memory that was freed meanwhile is passed over, and that of another context stays") {
    bench const on;
    bench const elsewhere{sim::open_embedded("gv100").value()};
    abi::CUdeviceptr const theirs = elsewhere.allocate(16);
    elsewhere.fill(theirs, 9, 16);
    REQUIRE(on.gpu.driver().CtxPushCurrent(on.gpu.context()) == abi::CUDA_SUCCESS);
    abi::CUdeviceptr const freed = on.allocate(512), kept = on.allocate(16);
    on.fill(kept, 1, 16);
    auto saved = checkpoint::try_save(on.gpu);
    REQUIRE(saved.has_value());
    REQUIRE(on.gpu.driver().MemFree(freed) == abi::CUDA_SUCCESS);
    abi::CUdeviceptr const fresh = on.allocate(16);
    on.fill(fresh, 7, 16);
    on.fill(kept, 2, 16);
    REQUIRE(saved->try_restore().has_value());
    CHECK(on.read(kept, 16) == all(1, 16));
    CHECK(on.read(fresh, 16) == all(7, 16));
    abi::CUcontext popped = nullptr;
    on.gpu.driver().CtxPopCurrent(&popped);
    CHECK(elsewhere.read(theirs, 16) == all(9, 16));
}

TEST_CASE("checkpoint: refused while a stream is being captured, and the capture goes on") {
    bench const on;
    auto const& d = on.gpu.driver();
    abi::CUstream stream = nullptr;
    REQUIRE(d.StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    REQUIRE(d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
    auto const refused = checkpoint::try_save(on.gpu);
    REQUIRE(!refused);
    CHECK(refused.error().code == errc::invalid_state);
    CHECK(refused.error().cause.find("captured") != std::string::npos);
    abi::CUgraph graph = nullptr;
    CHECK(d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    d.GraphDestroy(graph);
    d.StreamDestroy(stream);
}

// ---- each call failing in turn ----------------------------------------------------------------------

namespace {

struct calls_made {
    int save = 0, restore = 0, free = 0;
    abi::CUptiResult save_says = abi::CUPTI_SUCCESS, restore_says = abi::CUPTI_SUCCESS, free_says = abi::CUPTI_SUCCESS;
    abi::CUpti_Checkpoint seen{};
};
calls_made made;

abi::checkpoint_table const counted{[](abi::CUpti_Checkpoint* given) {
                                        ++made.save;
                                        made.seen = *given;
                                        return made.save_says;
                                    },
                                    [](abi::CUpti_Checkpoint*) { return ++made.restore, made.restore_says; },
                                    [](abi::CUpti_Checkpoint*) { return ++made.free, made.free_says; }};

} // namespace

TEST_CASE("checkpoint: what the library is asked for, and what it refuses") {
    static gpuprof::hw::machine other = sim::embedded_machine();
    other.checkpoint = &counted;
    int const ordinal = sim::open_embedded("gh100").value().ordinal();
    auto opened = gpuprof::device::try_open(other, ordinal, gpuprof::device_source::embedded);
    REQUIRE(opened.has_value());
    bench const on{*std::move(opened)};
    made = {};
    gpuprof::checkpoint_options options;
    options.keep_free_on_device = (std::size_t{3} << 20) + 1;
    options.keep_free_on_host = gpuprof::checkpoint_options::all;
    options.only_changes = true;
    {
        auto saved = checkpoint::try_save(on.gpu, options);
        REQUIRE(saved.has_value());
        CHECK(made.seen.structSize == 48);
        CHECK(made.seen.ctx == on.gpu.context());
        CHECK(made.seen.reserveDeviceMB == 4);
        CHECK(made.seen.reserveHostMB == static_cast<std::size_t>(-1));
        CHECK(made.seen.allowOverwrite == 1);
        CHECK(made.seen.optimizations == abi::CUPTI_CHECKPOINT_OPT_TRANSFER);
        made.restore_says = abi::CUPTI_ERROR_UNKNOWN;
        auto const refused = saved->try_restore();
        REQUIRE(!refused);
        CHECK(refused.error().what.find("cuptiCheckpointRestore: CUPTI_ERROR_UNKNOWN") != std::string::npos);
        CHECK(made.free == 0);
    }
    CHECK(made.free == 1);
    made = {};
    made.save_says = abi::CUPTI_ERROR_OUT_OF_MEMORY;
    auto const refused = checkpoint::try_save(on.gpu);
    REQUIRE(!refused);
    CHECK(refused.error().what.find("cuptiCheckpointSave: CUPTI_ERROR_OUT_OF_MEMORY") != std::string::npos);
    CHECK(made.save == 1);
    CHECK(made.free == 0); // there was nothing
}

TEST_CASE(
    "checkpoint: each call of the library failing in turn leaves a profiler its values, and the report names it") {
    static gpuprof::hw::machine other = sim::embedded_machine();
    other.checkpoint = &counted;
    std::size_t compared = 0;
    for (auto const says : {&calls_made::save_says, &calls_made::restore_says, &calls_made::free_says})
        for (auto const status : {abi::CUPTI_ERROR_UNKNOWN, abi::CUPTI_ERROR_OUT_OF_MEMORY,
                                  abi::CUPTI_ERROR_NOT_INITIALIZED, abi::CUPTI_ERROR_INVALID_PARAMETER}) {
            int const ordinal = sim::open_embedded("gh100", sim::collection::in_passes).value().ordinal();
            auto opened = gpuprof::device::try_open(other, ordinal, gpuprof::device_source::embedded);
            REQUIRE(opened.has_value());
            bench const on{*std::move(opened)};
            made = {};
            made.*says = status;
            abi::CUdeviceptr const word = on.allocate(4096);
            gpuprof::profiler_options options;
            options.memory = gpuprof::memory_control::restore;
            options.empty_ranges = true;
            auto prof = gpuprof::profiler::try_create(on.gpu, options, gpuprof::metric<"smsp__inst_executed.sum">,
                                                      gpuprof::metrics::ffma_thread_inst);
            REQUIRE(prof.has_value());
            for ([[maybe_unused]] auto const& pass : prof->passes()) {
                gpuprof::scope const range{*prof, "fill"};
                on.fill(word, 1, 4096);
            }
            auto const report = prof->try_report();
            REQUIRE(report.has_value());
            auto const filled = report->try_range("fill");
            REQUIRE(filled.has_value());
            CHECK(filled->try_value("smsp__inst_executed.sum").has_value());
            auto const& problems = report->completeness().problems;
            bool const is_told = says != &calls_made::free_says; // whose failure loses nothing
            REQUIRE(problems.size() == (is_told ? 1 : 0));
            if (is_told) {
                char const* const name =
                    says == &calls_made::save_says ? "cuptiCheckpointSave" : "cuptiCheckpointRestore";
                CHECK(problems[0].what.find(name) != std::string::npos);
                CHECK(problems[0].status == static_cast<int>(status));
            }
            CHECK(made.save == 1);
            CHECK(made.free == (says == &calls_made::save_says ? 0 : 1));
            CHECK(on.gpu.driver().MemFree(word) == abi::CUDA_SUCCESS);
            ++compared;
        }
    CHECK(compared == 12);
}

TEST_CASE("checkpoint: a machine without the library says what is missing") {
    static gpuprof::hw::machine other = sim::embedded_machine();
    other.checkpoint = nullptr;
    int const ordinal = sim::open_embedded("gh100").value().ordinal();
    auto opened = gpuprof::device::try_open(other, ordinal, gpuprof::device_source::embedded);
    REQUIRE(opened.has_value());
    auto const refused = checkpoint::try_save(*opened);
    REQUIRE(!refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().what.find("libcheckpoint.so") != std::string::npos);
}

} // namespace checkpoint_test
