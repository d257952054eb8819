// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of fat binaries, made by hand.
#include <doctest/doctest.h>

#include <cstring>
#include <string>
#include <vector>

#include "sim/image/fat_binary.hpp"
#include "sim/image/zstd.hpp"

#include "support/fat_binary_bytes.hpp"

namespace fat_binary_test {

using gpuprof::errc;
namespace abi = gpuprof::abi;
namespace image = gpuprof::sim::image;
using images = std::vector<hand_made_image>;

static constexpr char ptx[] = ".version 7.0\n.target sm_80\n.address_size 64\n";

TEST_CASE("the images of a container, in its order, with headers of any size") {
    std::string const container =
        hand_made_container(images{{1, 80, ptx}, {2, 90, "machine code"}, {16, 75, "?", 0, 0, 112}});
    auto const entries = image::read_container(bytes_of(container));
    REQUIRE(entries);
    REQUIRE(entries->size() == 3);
    CHECK((*entries)[0].kind == image::entry_kind::ptx);
    CHECK((*entries)[0].target == 80);
    CHECK((*entries)[0].packed == image::packing::none);
    CHECK(image::unpack((*entries)[0]).value() == ptx);
    CHECK((*entries)[1].kind == image::entry_kind::machine_code);
    CHECK((*entries)[1].target == 90);
    CHECK(static_cast<int>((*entries)[2].kind) == 16);
    auto const none = image::read_container(bytes_of(hand_made_container(images{})));
    REQUIRE(none);
    CHECK(none->empty());
}

TEST_CASE("PTX packed by LZ4 unpacks, without the null characters at its end") {
    std::string const text = std::string{ptx} + std::string(3, '\0');
    std::string const container = hand_made_container(images{{1, 80, lz4_literals(text), 0x2000, text.size()}});
    auto const entries = image::read_container(bytes_of(container));
    REQUIRE(entries);
    CHECK((*entries)[0].packed == image::packing::lz4);
    CHECK(image::unpack((*entries)[0]).value() == ptx);
}

TEST_CASE("a container cut anywhere is refused, and nothing is read beyond it") {
    std::string const container = hand_made_container(images{{1, 80, ptx}, {2, 90, "machine code"}});
    for (std::size_t size = 0; size < container.size(); ++size) {
        std::vector<char> const cut(container.begin(), container.begin() + static_cast<std::ptrdiff_t>(size));
        auto const entries = image::read_container(std::as_bytes(std::span{cut}));
        REQUIRE_FALSE(entries);
        CHECK(entries.error().code == errc::invalid_argument);
        CHECK(entries.error().status == abi::CUDA_ERROR_INVALID_IMAGE);
    }
}

TEST_CASE("numbers that lead out of the container are refused") {
    auto const refuses = [](std::size_t at, std::uint64_t number, std::size_t bytes) {
        std::string container = hand_made_container(images{{1, 80, lz4_literals(ptx), 0x2000, sizeof ptx - 1}});
        put_number(container, at, number, bytes);
        return !image::read_container(bytes_of(container));
    };
    CHECK_FALSE(refuses(16 + 32, 0, 8)); // an unused place: the container itself is good
    CHECK(refuses(0, 0xba55ed51, 4));
    CHECK(refuses(6, 15, 2));
    CHECK(refuses(6, 0xffff, 2));
    CHECK(refuses(8, ~std::uint64_t{0}, 8));
    CHECK(refuses(16 + 4, 63, 4));
    CHECK(refuses(16 + 4, 0xffffffff, 4));
    CHECK(refuses(16 + 8, ~std::uint64_t{0}, 8));
    CHECK(refuses(16 + 16, 0xffffffff, 4));
    CHECK(refuses(16 + 56, std::uint64_t{1} << 40, 8));
}

TEST_CASE("a packed image that does not unpack to its size is refused") {
    auto const unpack = [](std::string const& packed, std::uint64_t flags, std::size_t size) {
        std::string const container = hand_made_container(images{{1, 80, packed, flags, size}});
        return image::unpack((*image::read_container(bytes_of(container)))[0]);
    };
    CHECK(unpack(lz4_literals("abc"), 0x2000, 3));
    CHECK(unpack(lz4_literals("abc"), 0x2000, 4).error().status == abi::CUDA_ERROR_INVALID_IMAGE);
    CHECK(unpack(lz4_literals("abc"), 0x2000, 1 << 28).error().status == abi::CUDA_ERROR_INVALID_IMAGE);
}

TEST_CASE("zstd without a decoder says what to do, and with one it is asked") {
    std::string const container = hand_made_container(images{{1, 80, "packed", 0x8000, 3}});
    auto const entries = image::read_container(bytes_of(container));
    REQUIRE(entries);
    image::zstd_decoder const before = image::find_zstd_decoder();
    image::set_zstd_decoder(nullptr);
    auto const refused = image::unpack((*entries)[0]);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::unavailable);
    CHECK(refused.error().status == abi::CUDA_ERROR_NOT_SUPPORTED);
    CHECK(refused.error().remedy.find("libzstd-dev") != std::string::npos);
    CHECK(refused.error().remedy.find("--no-compress") != std::string::npos);

    image::set_zstd_decoder([](std::span<std::byte const> packed, std::span<std::byte> to) noexcept {
        if (packed.size() != 6 || to.size() != 3) return false;
        std::memcpy(to.data(), "ptx", 3);
        return true;
    });
    CHECK(image::unpack((*entries)[0]).value() == "ptx");
    image::set_zstd_decoder([](std::span<std::byte const>, std::span<std::byte>) noexcept { return false; });
    CHECK(image::unpack((*entries)[0]).error().status == abi::CUDA_ERROR_INVALID_IMAGE);
    image::set_zstd_decoder(before);
}

TEST_CASE("a wrapper leads to its container") {
    std::string const container = hand_made_container(images{{1, 80, ptx}});
    struct {
        unsigned magic = 0x466243b1;
        unsigned version = 1;
        void const* inside = nullptr;
        void const* other = nullptr;
    } wrapper;
    CHECK(image::is_fat_binary(&wrapper));
    CHECK(image::is_fat_binary(container.data()));
    CHECK_FALSE(image::is_fat_binary(ptx));
    CHECK_FALSE(image::is_fat_binary(""));
    CHECK_FALSE(image::containers_of(&wrapper));
    wrapper.inside = "no container";
    CHECK_FALSE(image::containers_of(&wrapper));
    wrapper.inside = container.data();
    auto const found = image::containers_of(&wrapper);
    REQUIRE(found);
    REQUIRE(found->size() == 1);
    CHECK(static_cast<void const*>(found->front().data()) == container.data());
    CHECK(found->front().size() == container.size());
    CHECK(image::containers_of(container.data())->size() == 1);
}

TEST_CASE("a wrapper of version 2 has a list of containers to be linked") {
    std::string const empty = hand_made_container(images{});
    std::string const first = hand_made_container(images{{1, 80, ptx}});
    std::string const second = hand_made_container(images{{1, 70, ptx}, {2, 80, "machine code"}});
    void const* const list[]{first.data(), second.data(), nullptr};
    struct {
        unsigned magic = 0x466243b1;
        unsigned version = 2;
        void const* inside = nullptr;
        void const* list = nullptr;
    } wrapper;
    wrapper.inside = empty.data();
    wrapper.list = list;
    auto const found = image::containers_of(&wrapper);
    REQUIRE(found);
    REQUIRE(found->size() == 3);
    CHECK(image::read_container((*found)[0])->empty());
    CHECK(image::read_container((*found)[1])->size() == 1);
    CHECK(image::read_container((*found)[2])->size() == 2);
    wrapper.inside = nullptr;
    CHECK(image::containers_of(&wrapper)->size() == 2);
}

} // namespace fat_binary_test
