// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memory_hasher: the kernel and the host compute the same hashes, and one changed byte changes one of them.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

namespace memory_hash_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;

TEST_CASE("memory_hasher: the device's hashes are the host's, for whole chunks, units, and what is left") {
    gpuprof::device const gpu = sim::open_embedded("gh100").value();
    auto const& d = gpu.driver();
    auto on_device = hw::memory_hasher::try_create(gpu, false);
    auto on_host = hw::memory_hasher::try_create(gpu, true);
    REQUIRE(on_device.has_value());
    REQUIRE(on_host.has_value());
    int compared = 0;
    for (std::size_t const bytes : {1u, 15u, 16u, 17u, 4095u, 4096u, 4097u, 4112u, 40000u}) {
        CAPTURE(bytes);
        REQUIRE(d.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
        std::vector<unsigned char> data(bytes);
        for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(i * 7 + i / 251);
        abi::CUdeviceptr at = 0;
        REQUIRE(d.MemAlloc(&at, bytes) == abi::CUDA_SUCCESS);
        REQUIRE(d.MemcpyHtoD(at, data.data(), bytes) == abi::CUDA_SUCCESS);
        auto const hashes = on_device->try_hash({at, bytes});
        REQUIRE(hashes.has_value());
        CHECK(hashes->size() == (bytes + 4095) / 4096);
        auto const same = on_host->try_hash({at, bytes});
        REQUIRE(same.has_value());
        CHECK(*hashes == *same);
        for (std::size_t chunk = 0; chunk < hashes->size(); ++chunk) {
            std::size_t const rest = bytes - chunk * 4096;
            CHECK((*hashes)[chunk] == hw::hash_of_chunk(data.data() + chunk * 4096, rest < 4096 ? rest : 4096));
            ++compared;
        }
        auto const copied = on_device->try_hash_copied({at, bytes}, ~std::uint64_t{0});
        REQUIRE(copied.has_value());
        CHECK(*copied == *hashes);
        auto const late = on_device->try_hash_copied({at, bytes}, 0); // its time is over
        REQUIRE(late.has_value());
        CHECK_FALSE(late->has_value());
        // Each byte counts, wherever it is.
        for (std::size_t const changed : {std::size_t{0}, bytes / 2, bytes - 1}) {
            auto const other = static_cast<unsigned char>(data[changed] ^ 1);
            REQUIRE(d.MemcpyHtoD(at + changed, &other, 1) == abi::CUDA_SUCCESS);
            auto const after = on_device->try_hash({at, bytes});
            REQUIRE(after.has_value());
            for (std::size_t chunk = 0; chunk < hashes->size(); ++chunk)
                CHECK(((*after)[chunk] == (*hashes)[chunk]) == (chunk != changed / 4096));
            REQUIRE(d.MemcpyHtoD(at + changed, &data[changed], 1) == abi::CUDA_SUCCESS);
        }
        d.MemFree(at);
        abi::CUcontext popped = nullptr;
        d.CtxPopCurrent(&popped);
    }
    CHECK(compared == 6 + 2 + 2 + 10);
}

TEST_CASE("memory_hasher: no grid has more blocks than the kernel's target allows, and all chunks are in one") {
    static gpuprof::hw::machine other = sim::embedded_machine();
    static std::vector<unsigned> grids;
    grids.clear();
    other.driver.LaunchKernel = [](abi::CUfunction, unsigned x, unsigned, unsigned, unsigned, unsigned, unsigned,
                                   unsigned, abi::CUstream, void**, void**) {
        grids.push_back(x);
        return abi::CUDA_SUCCESS;
    };
    int const ordinal = sim::open_embedded("gh100").value().ordinal();
    gpuprof::device const gpu = gpuprof::device::try_open(other, ordinal, gpuprof::device_source::embedded).value();
    auto hasher = hw::memory_hasher::try_create(gpu, false);
    REQUIRE(hasher.has_value());
    REQUIRE(gpu.driver().CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS);
    std::size_t const bytes = (65'535 + 100) * hw::hashed_chunk;
    abi::CUdeviceptr at = 0;
    REQUIRE(gpu.driver().MemAlloc(&at, bytes) == abi::CUDA_SUCCESS);
    auto const hashes = hasher->try_hash({at, bytes});
    REQUIRE(hashes.has_value());
    CHECK(hashes->size() == 65'635);
    CHECK(grids == std::vector<unsigned>{65'535, 100});
    gpu.driver().MemFree(at);
    abi::CUcontext popped = nullptr;
    gpu.driver().CtxPopCurrent(&popped);
}

TEST_CASE("memory_hasher: units that change places change the hash") {
    unsigned char bytes[64];
    for (std::size_t i = 0; i < 64; ++i) bytes[i] = static_cast<unsigned char>(i);
    auto const before = hw::hash_of_chunk(bytes, 64);
    for (std::size_t i = 0; i < 16; ++i) {
        auto const kept = bytes[i];
        bytes[i] = bytes[16 + i];
        bytes[16 + i] = kept;
    }
    CHECK(hw::hash_of_chunk(bytes, 64) != before);
}

} // namespace memory_hash_test
