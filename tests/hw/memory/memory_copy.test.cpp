// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// memory_copy: the device, the host, then a file, within limits; the bytes are the same wherever they were.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "support/scratch_directory.hpp"

namespace memory_copy_test {

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;
namespace sim = gpuprof::sim;
using hw::memory_copy;

namespace {

struct in_context {
    gpuprof::device gpu = sim::open_embedded("gh100").value();
    abi::driver_table const& driver = gpu.driver();

    in_context() { REQUIRE(driver.CtxPushCurrent(gpu.context()) == abi::CUDA_SUCCESS); }
    in_context(in_context const&) = delete;
    in_context& operator=(in_context const&) = delete;
    ~in_context() {
        abi::CUcontext popped = nullptr;
        driver.CtxPopCurrent(&popped);
    }
};

// A room that has one place alone: 0 the device, 1 the host, 2 a file.
hw::copy_room only(int place, std::string const& folder) {
    hw::copy_room room;
    room.limits.on_device = place == 0 ? gpuprof::copy_limits::as_there_is_room : 0;
    room.limits.on_host = place == 1 ? gpuprof::copy_limits::as_there_is_room : 0;
    room.limits.folder = folder;
    return room;
}

} // namespace

TEST_CASE("memory_copy: from each place to each place, and back to the device") {
    in_context const on;
    scratch_directory const folder;
    constexpr std::size_t bytes = (std::size_t{4} << 20) + 4097; // more than moves at once
    std::vector<unsigned char> data(bytes);
    for (std::size_t i = 0; i < bytes; ++i) data[i] = static_cast<unsigned char>(i * 13 + i / 509);
    abi::CUdeviceptr source = 0, target = 0;
    REQUIRE(on.driver.MemAlloc(&source, bytes) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.MemAlloc(&target, bytes) == abi::CUDA_SUCCESS);
    REQUIRE(on.driver.MemcpyHtoD(source, data.data(), bytes) == abi::CUDA_SUCCESS);
    int compared = 0;
    for (int from = 0; from < 3; ++from)
        for (int to = 0; to < 3; ++to) {
            CAPTURE(from);
            CAPTURE(to);
            auto first_room = only(from, folder.path()), second_room = only(to, folder.path());
            {
                auto first = memory_copy::try_create(on.driver, bytes, first_room);
                auto second = memory_copy::try_create(on.driver, bytes - 100, second_room);
                REQUIRE(first.has_value());
                REQUIRE(second.has_value());
                CHECK((first->on_device() != 0) == (from == 0));
                CHECK((first->on_host() != nullptr) == (from == 1));
                CHECK(first->in_file() == (from == 2));
                CHECK(std::size_t{first_room.on_device + first_room.on_host + first_room.in_file} == bytes);
                CHECK((to == 0   ? second_room.on_device
                       : to == 1 ? second_room.on_host
                                 : second_room.in_file) == bytes - 100);
                REQUIRE(first->try_fill(0, source, bytes).has_value());
                REQUIRE(second->try_fill(0, *first, 100, bytes - 100).has_value());
                std::vector<unsigned char> found(bytes);
                REQUIRE(on.driver.MemcpyHtoD(target, found.data(), bytes) == abi::CUDA_SUCCESS); // zeros
                REQUIRE(second->try_put_back(1000, target + 1100, bytes - 1100).has_value());
                REQUIRE(on.driver.MemcpyDtoH(found.data(), target, bytes) == abi::CUDA_SUCCESS);
                CHECK(found[1099] == 0);
                found.erase(found.begin(), found.begin() + 1100);
                CHECK(found == std::vector<unsigned char>(data.begin() + 1100, data.end()));
                ++compared;
            }
            CHECK(first_room.on_device + first_room.on_host + first_room.in_file == 0); // given back
        }
    CHECK(compared == 9);
    on.driver.MemFree(source);
    on.driver.MemFree(target);
}

TEST_CASE("memory_copy: limits are of all copies together, and a full last place is an error that says what to raise") {
    in_context const on;
    scratch_directory const folder;
    hw::copy_room room;
    room.limits = {1000, 500, 200, folder.path()};
    auto a = memory_copy::try_create(on.driver, 600, room);
    auto b = memory_copy::try_create(on.driver, 500, room); // 400 are left on the device
    auto c = memory_copy::try_create(on.driver, 400, room); // they are enough
    auto d = memory_copy::try_create(on.driver, 200, room);
    REQUIRE(a.has_value());
    REQUIRE(b.has_value());
    REQUIRE(c.has_value());
    REQUIRE(d.has_value());
    CHECK(a->on_device() != 0);
    CHECK(b->on_host() != nullptr);
    CHECK(c->on_device() != 0);
    CHECK(d->in_file());
    auto const e = memory_copy::try_create(on.driver, 1, room);
    REQUIRE_FALSE(e.has_value());
    CHECK(e.error().code == gpuprof::errc::not_collected);
    CHECK(e.error().cause.find("the file's limit is reached") != std::string::npos);
    CHECK(e.error().remedy.find("profiler_options::copies") != std::string::npos);

    hw::copy_room nowhere;
    nowhere.limits = {0, 0, gpuprof::copy_limits::as_there_is_room, folder.path() + "/gone"};
    auto const gone = memory_copy::try_create(on.driver, 1, nowhere);
    REQUIRE_FALSE(gone.has_value());
    CHECK(gone.error().cause.find("/gone") != std::string::npos);
    nowhere.limits.folder.clear();
    CHECK_FALSE(memory_copy::try_create(on.driver, 1, nowhere).has_value());
}

} // namespace memory_copy_test
