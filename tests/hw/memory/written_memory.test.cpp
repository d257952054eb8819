// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// written_memory: what a run changed is put back, and nothing else.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "support/scratch_directory.hpp"

namespace written_memory_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;

namespace {

// One thread writes 7 to the word.
constexpr char write_ptx[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry write(.param .u64 word) {
    .reg .u32 %n; .reg .u64 %a<2>;
    ld.param.u64 %a0, [word]; cvta.to.global.u64 %a1, %a0;
    mov.u32 %n, 7; st.global.u32 [%a1], %n;
    ret;
}
)";

class writer {
public:
    explicit writer(gpuprof::device const& gpu) : driver{gpu.driver()} {
        REQUIRE(driver.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(driver.ModuleLoadData(&module_, write_ptx) == abi::CUDA_SUCCESS);
        REQUIRE(driver.ModuleGetFunction(&write_, module_, "write") == abi::CUDA_SUCCESS);
    }
    writer(writer const&) = delete;
    writer& operator=(writer const&) = delete;
    ~writer() {
        driver.ModuleUnload(module_);
        abi::CUcontext popped = nullptr;
        driver.CtxPopCurrent(&popped);
    }
    void operator()(abi::CUdeviceptr word, abi::CUstream stream = nullptr) const {
        void* arguments[]{&word};
        REQUIRE(driver.LaunchKernel(write_, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr) == abi::CUDA_SUCCESS);
    }
    [[nodiscard]] abi::CUdeviceptr allocate(std::size_t bytes) const {
        abi::CUdeviceptr at = 0;
        REQUIRE(driver.MemAlloc(&at, bytes) == abi::CUDA_SUCCESS);
        std::vector<unsigned char> const ones(bytes, 1);
        REQUIRE(driver.MemcpyHtoD(at, ones.data(), bytes) == abi::CUDA_SUCCESS);
        return at;
    }
    [[nodiscard]] std::uint32_t word(abi::CUdeviceptr at) const {
        std::uint32_t found = 0;
        REQUIRE(driver.MemcpyDtoH(&found, at, sizeof found) == abi::CUDA_SUCCESS);
        return found;
    }

    gpuprof::abi::driver_table const& driver;

private:
    abi::CUmodule module_ = nullptr;
    abi::CUfunction write_ = nullptr;
};

constexpr std::uint32_t before = 0x01010101;

} // namespace

TEST_CASE("written_memory: puts back what launches changed, as often as asked, by as many bytes as that takes") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    writer const write{gpu};
    constexpr std::size_t bytes = 1'000'000; // the last chunk is no whole one
    auto const first = write.allocate(bytes), second = write.allocate(8192), apart = write.allocate(4096);
    auto const end = first + bytes - 4;
    hw::written_memory memory{gpu};
    REQUIRE(memory.try_begin_run().has_value());
    write(first + 5000);
    write(end);
    write(second);
    write(first + 9000); // the next chunk but none: one piece with the first
    REQUIRE(memory.try_end_run().has_value());
    CHECK(memory.bytes() == 2 * 4096 + bytes % 4096 + 4096);

    write(apart); // after the run: nobody saved it
    for (int i = 0; i < 3; ++i) {
        for (auto const at : {first + 5000, end, second, first + 9000}) {
            write(at);
            REQUIRE(write.word(at) == 7);
        }
        write(first + 500'000); // the run did not change this chunk
        REQUIRE(memory.try_put_back().has_value());
        int looked_at = 0;
        for (auto const at : {first + 5000, end, second, first + 9000}) {
            CHECK(write.word(at) == before);
            ++looked_at;
        }
        CHECK(looked_at == 4);
        CHECK(write.word(first + 500'000) == 7);
        CHECK(write.word(apart) == 7);
    }
    // An allocation that is gone is left out; the others are put back.
    write(second);
    REQUIRE(write.driver.MemFree(first) == abi::CUDA_SUCCESS);
    CHECK(memory.try_put_back().has_value());
    CHECK(write.word(second) == before);
    write.driver.MemFree(second);
    write.driver.MemFree(apart);
}

TEST_CASE("written_memory: a run that changes nothing keeps nothing") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    writer const write{gpu};
    auto const at = write.allocate(8192);
    write(at);
    hw::written_memory memory{gpu};
    REQUIRE(memory.try_begin_run().has_value());
    write(at);
    REQUIRE(memory.try_end_run().has_value());
    CHECK(memory.bytes() == 0);
    CHECK(memory.try_put_back().has_value());
    CHECK(write.word(at) == 7);
    write.driver.MemFree(at);
}

TEST_CASE("written_memory: copies go to the host where the device has no eighth to spare, and are the same") {
    static gpuprof::hw::machine full = sim::embedded_machine();
    full.driver.MemGetInfo = [](std::size_t* free, std::size_t* total) {
        *free = 1 << 20;
        *total = 8 << 20;
        return abi::CUDA_SUCCESS;
    };
    static int allocations = 0;
    static auto const allocate = full.driver.MemAlloc;
    full.driver.MemAlloc = [](abi::CUdeviceptr* at, std::size_t bytes) { return ++allocations, allocate(at, bytes); };
    static_cast<void>(sim::open_embedded("gh100").value());
    gpuprof::device const gpu = gpuprof::device::try_open(full, 0, gpuprof::device_source::embedded).value();
    writer const write{gpu};
    auto const at = write.allocate(10'000);
    int const own = allocations;
    hw::written_memory memory{gpu};
    REQUIRE(memory.try_begin_run().has_value());
    write(at + 9'000);
    REQUIRE(memory.try_end_run().has_value());
    CHECK(memory.bytes() == 10'000 - 8192);
    CHECK(allocations == own);
    REQUIRE(memory.try_put_back().has_value());
    CHECK(write.word(at + 9'000) == before);
    write.driver.MemFree(at);
}

TEST_CASE("written_memory: what was changed is kept in three places within limits, put back from all, and its cost is "
          "known") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    writer const write{gpu};
    scratch_directory const folder;
    abi::CUdeviceptr all[3]{};
    for (auto& each : all) each = write.allocate(8192);
    // In the run a copy of one allocation in each place, then room for one chunk more in the first two.
    hw::written_memory memory{gpu, {8192 + 4096, 8192 + 4096, gpuprof::copy_limits::as_there_is_room, folder.path()}};
    REQUIRE(memory.try_begin_run().has_value());
    for (auto const each : all) write(each + 4096);
    REQUIRE(memory.try_end_run().has_value());
    CHECK(memory.cost().on_device == 4096);
    CHECK(memory.cost().on_host == 4096);
    CHECK(memory.cost().in_file == 4096);
    CHECK(memory.cost().reached == 3 * 8192);
    CHECK(memory.bytes() == 3 * 4096);
    CHECK(folder.files() == 0);
    for (int i = 0; i < 2; ++i) {
        for (auto const each : all) write(each + 4096);
        REQUIRE(memory.try_put_back().has_value());
        for (auto const each : all) CHECK(write.word(each + 4096) == before);
    }
    for (auto const each : all) write.driver.MemFree(each);
}

TEST_CASE("written_memory: without room in any place nothing is put back, not in part either") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    writer const write{gpu};
    abi::CUdeviceptr const first = write.allocate(8192), second = write.allocate(8192);
    // 16384 bytes for the copies of the run; what was changed has 4096 left, and needs 8192.
    for (std::size_t const most : {std::size_t{0}, std::size_t{8192}, std::size_t{16'384 + 4096}}) {
        CAPTURE(most);
        hw::written_memory memory{gpu, {most, 0, 0, {}}};
        REQUIRE(memory.try_begin_run().has_value());
        write(first);
        write(second);
        auto const ended = memory.try_end_run();
        REQUIRE_FALSE(ended.has_value());
        CHECK(ended.error().code == gpuprof::errc::not_collected);
        CHECK(ended.error().remedy.find("profiler_options::copies") != std::string::npos);
        CHECK(memory.bytes() == 0);
        CHECK(memory.try_put_back().has_value()); // does nothing
        CHECK(write.word(first) == 7);
        std::uint32_t const fresh = before;
        for (auto const at : {first, second})
            REQUIRE(write.driver.MemcpyHtoD(at, &fresh, sizeof fresh) == abi::CUDA_SUCCESS);
    }
    write.driver.MemFree(first);
    write.driver.MemFree(second);
}

TEST_CASE("written_memory: a launch whose arguments are not known keeps anything from being put back") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    writer const write{gpu};
    auto const& d = write.driver;
    auto const at = write.allocate(4096);
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    abi::CUgraphExec executable = nullptr;
    REQUIRE(d.StreamCreate(&stream, abi::CU_STREAM_NON_BLOCKING) == abi::CUDA_SUCCESS);
    REQUIRE(d.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
    write(at, stream);
    REQUIRE(d.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    REQUIRE(d.GraphInstantiateWithFlags(&executable, graph, 0) == abi::CUDA_SUCCESS);
    hw::written_memory memory{gpu};
    REQUIRE(memory.try_begin_run().has_value());
    write(at);
    REQUIRE(d.GraphLaunch(executable, stream) == abi::CUDA_SUCCESS);
    REQUIRE(d.StreamSynchronize(stream) == abi::CUDA_SUCCESS);
    auto const ended = memory.try_end_run();
    REQUIRE_FALSE(ended.has_value());
    CHECK(ended.error().code == gpuprof::errc::not_collected);
    CHECK(ended.error().what.find("1 launch") != std::string::npos);
    CHECK(ended.error().remedy.find("memory_control::restore") != std::string::npos);
    CHECK(memory.bytes() == 0);
    d.GraphExecDestroy(executable);
    d.GraphDestroy(graph);
    d.StreamDestroy(stream);
    d.MemFree(at);
}

TEST_CASE("written_memory: each call of the driver that fails is an error, and no copy stays allocated") {
    static gpuprof::hw::machine failing = sim::embedded_machine();
    static int calls = 0, fails_at = 0, held = 0;
    static auto const real = sim::embedded_machine().driver;
    failing.driver.MemcpyDtoD = [](abi::CUdeviceptr to, abi::CUdeviceptr from, std::size_t bytes) {
        return ++calls == fails_at ? abi::CUDA_ERROR_UNKNOWN : real.MemcpyDtoD(to, from, bytes);
    };
    failing.driver.MemcpyDtoH = [](void* to, abi::CUdeviceptr from, std::size_t bytes) {
        return ++calls == fails_at ? abi::CUDA_ERROR_UNKNOWN : real.MemcpyDtoH(to, from, bytes);
    };
    failing.driver.CtxSynchronize = [] {
        return ++calls == fails_at ? abi::CUDA_ERROR_UNKNOWN : real.CtxSynchronize();
    };
    failing.driver.MemAlloc = [](abi::CUdeviceptr* at, std::size_t bytes) {
        auto const status = real.MemAlloc(at, bytes);
        held += status == abi::CUDA_SUCCESS;
        return status;
    };
    failing.driver.MemFree = [](abi::CUdeviceptr at) { return --held, real.MemFree(at); };
    static_cast<void>(sim::open_embedded("gh100").value());
    gpuprof::device const gpu = gpuprof::device::try_open(failing, 0, gpuprof::device_source::embedded).value();
    writer const write{gpu};
    auto const at = write.allocate(10'000);
    int failed = 0, all = 0;
    for (fails_at = 0; all == 0 || fails_at <= all; ++fails_at) {
        CAPTURE(fails_at);
        REQUIRE(held == 1);
        calls = 0;
        {
            hw::written_memory memory{gpu};
            auto done = memory.try_begin_run();
            REQUIRE(done.has_value());
            write(at);
            done = memory.try_end_run();
            if (done) done = memory.try_put_back();
            failed += !done;
            CHECK(done.has_value() == (fails_at == 0));
            if (!done) CHECK(done.error().what.find("CUDA_ERROR_UNKNOWN") != std::string::npos);
        }
        if (fails_at == 0) all = calls;
        CHECK(held == 1);
        std::uint32_t const fresh = before;
        REQUIRE(real.MemcpyHtoD(at, &fresh, sizeof fresh) == abi::CUDA_SUCCESS);
    }
    CHECK(all >= 7);
    CHECK(failed == all);
    failing.driver.MemFree(at);
}

} // namespace written_memory_test
