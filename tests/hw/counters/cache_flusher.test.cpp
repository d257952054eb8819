// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/counters/cache_flusher.hpp on the embedded GPU: what is in L2 after a flush, by the bytes of device memory that follow, and what
// keeps a flush from being made.
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/hw/counters/cache_flusher.hpp>
#include "sim/gpu/gpu_state.hpp"
#include <gpuprof/sim.hpp>

namespace cache_flusher_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;
using gpuprof::errc;

namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

// A device with its context current, and what its context has moved to and from device memory.
struct bench {
    explicit bench(char const* chip) : gpu{*sim::open_embedded(chip)} {
        REQUIRE(gpu.driver().CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        REQUIRE(gpu.driver().MemAlloc(&data, mebibyte) == abi::CUDA_SUCCESS);
        before = sim::shared().registry.totals(gpu.context());
    }
    bench(bench const&) = delete;
    bench& operator=(bench const&) = delete;
    ~bench() {
        abi::CUcontext popped = nullptr;
        gpu.driver().MemFree(data);
        gpu.driver().CtxPopCurrent(&popped);
    }
    void write() { REQUIRE(gpu.driver().MemsetD8(data, 7, mebibyte) == abi::CUDA_SUCCESS); }
    void read() {
        std::vector<std::byte> host(mebibyte);
        REQUIRE(gpu.driver().MemcpyDtoH(host.data(), data, mebibyte) == abi::CUDA_SUCCESS);
    }
    struct moved {
        std::uint64_t read;
        std::uint64_t written;
        friend bool operator==(moved const&, moved const&) = default;
    };
    // Since this was asked last.
    moved dram() {
        auto const now = sim::shared().registry.totals(gpu.context());
        auto const more = now - std::exchange(before, now);
        return {more[sim::raw_counter::dram_bytes_read], more[sim::raw_counter::dram_bytes_written]};
    }

    gpuprof::device gpu;
    abi::CUdeviceptr data = 0;
    sim::counter_values before;
};
using moved = bench::moved;

} // namespace

TEST_CASE("a flush brings written lines to device memory once and leaves nothing of the application's in L2") {
    for (char const* const chip : {"gm200", "gv100", "gh100"}) { // 3, 6 and 60 MB; two partitions on the last
        CAPTURE(chip);
        bench on{chip};
        auto flusher = hw::cache_flusher::try_create(on.gpu);
        REQUIRE(flusher);
        std::uint64_t const l2 = static_cast<std::uint64_t>(on.gpu.attribute(abi::CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
        REQUIRE(flusher->try_flush());
        static_cast<void>(on.dram()); // the flusher's own memory was filled: that is gone now, too

        on.write();
        CHECK(on.dram() == moved{0, 0}); // a write of whole lines reads nothing, and stays in L2
        on.read();
        CHECK(on.dram() == moved{0, 0});
        REQUIRE(flusher->try_flush());
        moved const flushed = on.dram();
        CHECK(flushed.written == mebibyte);
        std::uint64_t const displacing = (2 * l2 + 32767) / 32768 * 32768; // and the kernel's code
        CHECK(flushed.read >= displacing);
        CHECK(flushed.read <= displacing + 4096);
        on.read();
        CHECK(on.dram() == moved{mebibyte, 0}); // all from device memory, nothing to write back
        on.read();
        CHECK(on.dram() == moved{0, 0});
        REQUIRE(flusher->try_flush());
        CHECK(on.dram().written == 0);
        on.read();
        CHECK(on.dram() == moved{mebibyte, 0});
    }
}

TEST_CASE("a flusher takes twice L2 of device memory and gives it back") {
    bench on{"gm200"};
    std::size_t free_before = 0, free_with = 0, free_after = 0, total = 0;
    abi::driver_table const& driver = on.gpu.driver();
    REQUIRE(driver.MemGetInfo(&free_before, &total) == abi::CUDA_SUCCESS);
    {
        auto first = hw::cache_flusher::try_create(on.gpu);
        REQUIRE(first);
        hw::cache_flusher flusher{*std::move(first)}; // what is moved from frees nothing
        REQUIRE(driver.MemGetInfo(&free_with, &total) == abi::CUDA_SUCCESS);
        CHECK(free_before - free_with == 2 * 3145728);
        CHECK(flusher.try_flush());
    }
    REQUIRE(driver.MemGetInfo(&free_after, &total) == abi::CUDA_SUCCESS);
    CHECK(free_after == free_before);
}

TEST_CASE("a flush works on its own context, whichever is current, and leaves that current") {
    bench on{"gm200"};
    abi::driver_table const& driver = on.gpu.driver();
    abi::CUcontext other = nullptr, current = nullptr;
    REQUIRE(driver.CtxCreate(&other, 0, on.gpu.handle()) == abi::CUDA_SUCCESS);
    {
        auto flusher = hw::cache_flusher::try_create(on.gpu);
        REQUIRE(flusher);
        CHECK(flusher->try_flush());
        CHECK(driver.CtxGetCurrent(&current) == abi::CUDA_SUCCESS);
        CHECK(current == other);
    }
    CHECK(driver.CtxGetCurrent(&current) == abi::CUDA_SUCCESS);
    CHECK(current == other);
    CHECK(driver.CtxDestroy(other) == abi::CUDA_SUCCESS);
}

TEST_CASE("a flush while a stream captures is refused and does not spoil the capture") {
    bench on{"gm200"};
    abi::driver_table const& driver = on.gpu.driver();
    auto flusher = hw::cache_flusher::try_create(on.gpu);
    REQUIRE(flusher);
    abi::CUstream stream = nullptr;
    abi::CUgraph graph = nullptr;
    REQUIRE(driver.StreamCreate(&stream, abi::CU_STREAM_DEFAULT) == abi::CUDA_SUCCESS);
    REQUIRE(driver.StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_GLOBAL) == abi::CUDA_SUCCESS);
    auto const refused = flusher->try_flush();
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::invalid_state);
    CHECK(refused.error().cause.find("captured") != std::string::npos);
    CHECK(driver.StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    CHECK(flusher->try_flush());
    driver.GraphDestroy(graph);
    driver.StreamDestroy(stream);
}

TEST_CASE("each flush loads code and takes it away, so that instruction caches forget theirs") {
    bench on{"gm200"};
    static int loaded = 0, unloaded = 0;
    static bool fails = false;
    static abi::driver_table driver;
    loaded = unloaded = 0;
    driver = on.gpu.driver();
    hw::machine tables;
    tables.driver = driver;
    tables.cupti = on.gpu.cupti();
    tables.driver.ModuleLoadData = [](abi::CUmodule* module, void const* image) {
        return ++loaded, fails ? abi::CUDA_ERROR_OUT_OF_MEMORY : driver.ModuleLoadData(module, image);
    };
    tables.driver.ModuleUnload = [](abi::CUmodule module) { return ++unloaded, driver.ModuleUnload(module); };
    auto const device = gpuprof::device::try_open(tables, on.gpu.context(), gpuprof::device_source::embedded);
    REQUIRE(device);
    {
        auto flusher = hw::cache_flusher::try_create(*device);
        REQUIRE(flusher);
        CHECK(loaded == 1);
        CHECK(flusher->try_flush());
        CHECK(flusher->try_flush());
        CHECK(loaded == 3);
        CHECK(unloaded == 2);
        fails = true;
        auto const refused = flusher->try_flush();
        fails = false;
        REQUIRE_FALSE(refused);
        CHECK(refused.error().what.find("cuModuleLoadData") != std::string::npos);
        CHECK(refused.error().status == static_cast<int>(abi::CUDA_ERROR_OUT_OF_MEMORY));
    }
    CHECK(loaded == 4);
    CHECK(unloaded == 3);
}

TEST_CASE("no memory for a flusher is a typed error, and nothing is left of it") {
    bench on{"gm200"};
    abi::driver_table const& driver = on.gpu.driver();
    std::size_t left = 0, total = 0;
    REQUIRE(driver.MemGetInfo(&left, &total) == abi::CUDA_SUCCESS);
    auto const failing = [](auto&& change) {
        bench fresh{"gm200"};
        hw::machine tables;
        tables.driver = fresh.gpu.driver();
        tables.cupti = fresh.gpu.cupti();
        change(tables.driver);
        auto const device = gpuprof::device::try_open(tables, fresh.gpu.context(), gpuprof::device_source::embedded);
        REQUIRE(device);
        auto const made = hw::cache_flusher::try_create(*device);
        REQUIRE_FALSE(made);
        CHECK(!made.error().what.empty());
        CHECK(made.error().status == static_cast<int>(abi::CUDA_ERROR_OUT_OF_MEMORY));
    };
    failing([](abi::driver_table& d) {
        d.MemAlloc = [](abi::CUdeviceptr*, std::size_t) { return abi::CUDA_ERROR_OUT_OF_MEMORY; };
    });
    failing([](abi::driver_table& d) {
        d.MemsetD8 = [](abi::CUdeviceptr, unsigned char, std::size_t) { return abi::CUDA_ERROR_OUT_OF_MEMORY; };
    });
    failing([](abi::driver_table& d) {
        d.ModuleLoadData = [](abi::CUmodule*, void const*) { return abi::CUDA_ERROR_OUT_OF_MEMORY; };
    });
    failing([](abi::driver_table& d) {
        d.ModuleGetFunction = [](abi::CUfunction*, abi::CUmodule, char const*) {
            return abi::CUDA_ERROR_OUT_OF_MEMORY;
        };
    });
    std::size_t after = 0;
    REQUIRE(driver.MemGetInfo(&after, &total) == abi::CUDA_SUCCESS);
    CHECK(after == left);
}

TEST_CASE("a device whose driver knows no size of L2 cannot be flushed, and says so") {
    bench on{"gm200"};
    hw::machine tables;
    tables.driver = on.gpu.driver();
    tables.cupti = on.gpu.cupti();
    tables.driver.DeviceGetAttribute = [](int* value, abi::CUdevice_attribute, abi::CUdevice) {
        *value = 0;
        return abi::CUDA_SUCCESS;
    };
    auto const device = gpuprof::device::try_open(tables, on.gpu.context(), gpuprof::device_source::embedded);
    REQUIRE(device);
    auto const made = hw::cache_flusher::try_create(*device);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == errc::unavailable);
    CHECK(made.error().what.find("L2") != std::string::npos);
}

} // namespace cache_flusher_test
