// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/memory/saved_arrays.hpp: what copies write to arrays is put back. Here an array is 4 layers of 8 rows of 64 bytes of device
// memory, and its handle the address of that.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/memory/saved_arrays.hpp>
#include <gpuprof/sim.hpp>

namespace saved_arrays_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;

namespace {

decltype(abi::driver_table::Memcpy3DAsync) really = nullptr;

void flatten(abi::CUmemorytype& type, abi::CUarray array, abi::CUdeviceptr& address, std::size_t& pitch,
             std::size_t& rows) {
    if (type != abi::CU_MEMORYTYPE_ARRAY) return;
    type = abi::CU_MEMORYTYPE_DEVICE;
    address = reinterpret_cast<std::uintptr_t>(array);
    pitch = 64;
    rows = 8;
}
abi::CUresult copy_with_arrays(abi::CUDA_MEMCPY3D const* given, abi::CUstream stream) {
    abi::CUDA_MEMCPY3D flat = *given;
    flatten(flat.srcMemoryType, flat.srcArray, flat.srcDevice, flat.srcPitch, flat.srcHeight);
    flatten(flat.dstMemoryType, flat.dstArray, flat.dstDevice, flat.dstPitch, flat.dstHeight);
    return really(&flat, stream);
}

struct array_on_gpu {
    static constexpr std::size_t bytes = 4 * 8 * 64;

    array_on_gpu() {
        static gpuprof::hw::machine machine = sim::embedded_machine();
        really = sim::embedded_machine().driver.Memcpy3DAsync;
        machine.driver.Memcpy3DAsync = &copy_with_arrays;
        int const ordinal = sim::open_embedded("gh100").value().ordinal();
        gpu.emplace(gpuprof::device::try_open(machine, ordinal, gpuprof::device_source::embedded).value());
        REQUIRE(gpu->driver().CtxPushCurrent(gpu->context()) == abi::CUDA_SUCCESS);
        REQUIRE(gpu->driver().MemAlloc(&memory, bytes) == abi::CUDA_SUCCESS);
        for (std::size_t i = 0; i < bytes; ++i) before[i] = static_cast<unsigned char>(i % 251);
        REQUIRE(gpu->driver().MemcpyHtoD(memory, before.data(), bytes) == abi::CUDA_SUCCESS);
    }
    ~array_on_gpu() {
        gpu->driver().MemFree(memory);
        abi::CUcontext popped = nullptr;
        gpu->driver().CtxPopCurrent(&popped);
    }
    array_on_gpu(array_on_gpu const&) = delete;
    array_on_gpu& operator=(array_on_gpu const&) = delete;

    [[nodiscard]] std::vector<unsigned char> now() const {
        std::vector<unsigned char> all(bytes);
        REQUIRE(gpu->driver().MemcpyDtoH(all.data(), memory, bytes) == abi::CUDA_SUCCESS);
        return all;
    }
    // A copy of `of` to a box of 16 bytes, 3 rows and 2 layers.
    [[nodiscard]] abi::CUDA_MEMCPY3D box(std::vector<unsigned char> const& of, std::size_t x, std::size_t y) const {
        abi::CUDA_MEMCPY3D copy;
        copy.srcHost = of.data();
        copy.srcPitch = 16;
        copy.srcHeight = 3;
        copy.dstMemoryType = abi::CU_MEMORYTYPE_ARRAY;
        copy.dstArray = reinterpret_cast<abi::CUarray>(static_cast<std::uintptr_t>(memory));
        copy.dstXInBytes = x;
        copy.dstY = y;
        copy.dstZ = 1;
        copy.WidthInBytes = 16;
        copy.Height = 3;
        copy.Depth = 2;
        return copy;
    }

    std::optional<gpuprof::device> gpu;
    abi::CUdeviceptr memory = 0;
    std::vector<unsigned char> before = std::vector<unsigned char>(bytes);
};

} // namespace

TEST_CASE("saved arrays: what copies wrote is put back as often as wanted, also where they wrote the same bytes") {
    array_on_gpu const on;
    auto const& driver = on.gpu->driver();
    gpuprof::hw::saved_arrays saved{*on.gpu};
    CHECK(saved.try_put_back()); // nothing
    std::vector<unsigned char> const ones(16 * 3 * 2, 255), twos(16 * 3 * 2, 254);
    auto const first = on.box(ones, 8, 2), second = on.box(twos, 16, 3); // they overlap
    for (auto const* copy : {&first, &second}) {
        REQUIRE(saved.try_save(*copy));
        REQUIRE(driver.Memcpy3DAsync(copy, nullptr) == abi::CUDA_SUCCESS);
    }
    REQUIRE(on.now() != on.before);
    CHECK(on.now()[1 * 512 + 3 * 64 + 16] == 254);
    for (int pass = 0; pass < 2; ++pass) {
        CAPTURE(pass);
        REQUIRE(saved.try_put_back());
        CHECK(on.now() == on.before);
        for (auto const* copy : {&first, &second}) REQUIRE(driver.Memcpy3DAsync(copy, nullptr) == abi::CUDA_SUCCESS);
        REQUIRE(on.now() != on.before);
    }
    saved.forget();
    REQUIRE(saved.try_put_back());
    CHECK(on.now() != on.before);
}

TEST_CASE("saved arrays: what cannot be saved is an error, and nothing is kept of it that would spoil the array") {
    array_on_gpu const on;
    gpuprof::hw::saved_arrays saved{*on.gpu};
    std::vector<unsigned char> const ones(16 * 3 * 2, 255);
    auto huge = on.box(ones, 0, 0);
    huge.Height = std::size_t{1} << 40;
    auto const refused = saved.try_save(huge);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().status == abi::CUDA_ERROR_OUT_OF_MEMORY);
    abi::CUstream stream = nullptr;
    REQUIRE(on.gpu->driver().StreamCreate(&stream, 0) == abi::CUDA_SUCCESS);
    REQUIRE(on.gpu->driver().StreamBeginCapture(stream, abi::CU_STREAM_CAPTURE_MODE_RELAXED) == abi::CUDA_SUCCESS);
    auto const captured = saved.try_save(on.box(ones, 0, 0));
    REQUIRE_FALSE(captured);
    CHECK(captured.error().code == gpuprof::errc::invalid_state);
    abi::CUgraph graph = nullptr;
    REQUIRE(on.gpu->driver().StreamEndCapture(stream, &graph) == abi::CUDA_SUCCESS);
    on.gpu->driver().GraphDestroy(graph);
    on.gpu->driver().StreamDestroy(stream);
    CHECK(saved.try_put_back());
    CHECK(on.now() == on.before);
}

} // namespace saved_arrays_test
