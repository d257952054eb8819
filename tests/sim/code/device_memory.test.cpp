// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The embedded GPU's address space.
#include <array>
#include <cstddef>
#include <vector>

#include <doctest/doctest.h>

#include "sim/code/device_memory.hpp"

namespace device_memory_test {

namespace sim = gpuprof::sim;

TEST_CASE("addresses follow from the program alone, and freed ones are used again") {
    sim::device_memory a;
    sim::device_memory b;
    std::vector<std::uint64_t> first, second;
    for (auto* const list : {&first, &second}) {
        auto& memory = list == &first ? a : b;
        for (std::uint64_t const bytes : {100u, 5000u, 1u}) list->push_back(memory.allocate(bytes).value());
        memory.free((*list)[1]).value();
        list->push_back(memory.allocate(4000).value());
    }
    CHECK(first == second);
    CHECK(first[3] == first[1]);
    CHECK(first[0] % 512 == 0);
}

TEST_CASE("memory begins zeroed and ends where it ends") {
    sim::device_memory memory;
    auto const at = memory.allocate(100).value();
    auto const* const bytes = memory.translate(at, 100);
    REQUIRE(bytes != nullptr);
    for (int i = 0; i < 100; ++i) CHECK(bytes[i] == std::byte{0});
    CHECK(memory.translate(at, 101) == nullptr);
    CHECK(memory.translate(at + 100, 1) == nullptr);
    CHECK(memory.translate(at - 1, 1) == nullptr);
    CHECK(memory.translate(at + 99, 1) == bytes + 99);
    memory.free(at).value();
    CHECK(memory.find(at) == nullptr);
}

TEST_CASE("capacity, zero bytes and foreign addresses are errors") {
    sim::device_memory memory{1000};
    CHECK(memory.allocate(1001).error().code == gpuprof::errc::unavailable);
    CHECK(memory.allocate(0).error().code == gpuprof::errc::invalid_argument);
    CHECK(memory.allocate(~std::uint64_t{0}).error().code == gpuprof::errc::unavailable);
    auto const at = memory.allocate(1000).value();
    CHECK(memory.used() == 1000);
    CHECK_FALSE(memory.allocate(1));
    CHECK_FALSE(memory.free(at + 1));
    memory.free(at).value();
    CHECK(memory.used() == 0);
}

TEST_CASE("constants have an area of their own, mapped host memory keeps its address") {
    sim::device_memory memory;
    auto const constant = memory.allocate(8, 8, sim::device_memory::area::constant).value();
    CHECK((constant & sim::address_map::window_mask) == sim::address_map::constant_base);
    std::vector<int> host(16, 7);
    auto const at = memory.map(host.data(), 64).value();
    CHECK(at == reinterpret_cast<std::uintptr_t>(host.data()));
    CHECK(memory.translate(at + 4, 4) == reinterpret_cast<std::byte*>(host.data() + 1));
    CHECK_FALSE(memory.map(host.data() + 1, 4));
    memory.free(at).value();
    CHECK(memory.find(at) == nullptr);
    CHECK(memory.used() == 8);
}

TEST_CASE("allocations never overlap, whatever their alignments") {
    sim::device_memory memory;
    struct placed {
        std::uint64_t at, bytes;
    };
    std::vector<placed> all;
    auto const add = [&](std::uint64_t bytes, std::uint64_t alignment) {
        auto const at = memory.allocate(bytes, alignment).value();
        CHECK(at % alignment == 0);
        for (auto const& other : all) CHECK((at + bytes <= other.at || other.at + other.bytes <= at));
        all.push_back({at, bytes});
    };
    for (std::uint64_t const alignment : {512u, 512u, 4096u, 1024u, 65536u, 512u, 4096u, 512u})
        for (std::uint64_t const bytes : {100u, 1000u, 5000u}) add(bytes, alignment);
}

TEST_CASE("pinned host memory is told from device memory and from memory that moves to the device") {
    sim::device_memory memory;
    alignas(128) std::array<std::byte, 512> pinned{}, managed{};
    auto const device = memory.allocate(512).value();
    auto const host = memory.map(pinned.data(), 256, true).value();
    auto const moves = memory.map(managed.data(), 256).value();
    CHECK(memory.is_on_host(host));
    CHECK(memory.is_on_host(host + 128));
    CHECK_FALSE(memory.is_on_host(host + 256));
    CHECK_FALSE(memory.is_on_host(moves));
    CHECK_FALSE(memory.is_on_host(device));
    CHECK_FALSE(memory.is_on_host(0));
}

} // namespace device_memory_test
