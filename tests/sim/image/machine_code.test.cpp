// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of what is read from machine code: a cubin made by hand, laid out as nvcc 13.0 does.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/chip/gh100.hpp"
#include "sim/chip/gv100.hpp"
#include "sim/image/machine_code.hpp"

#include "support/fat_binary_bytes.hpp"

namespace machine_code_test {

namespace image = gpuprof::sim::image;

// A cubin with two kernels, of which the second has that stack. What ptxas writes before: the numbers of registers (0x2f) and
// the frames (0x11), which are to be passed over.
static std::string cubin_with(std::uint32_t stack) {
    std::string const section_names{"\0.shstrtab\0.strtab\0.symtab\0.nv.info\0", 37};
    std::string const texts{"\0clean\0spill\0", 13};
    std::string symbols(3 * 24, '\0');
    put_number(symbols, 24, 1, 4);
    put_number(symbols, 48, 7, 4);
    std::string info;
    auto const entry = [&](unsigned attribute, std::uint32_t symbol, std::uint32_t value) {
        std::string bytes(12, '\0');
        put_number(bytes, 0, 4, 1);
        put_number(bytes, 1, attribute, 1);
        put_number(bytes, 2, 8, 2);
        put_number(bytes, 4, symbol, 4);
        put_number(bytes, 8, value, 4);
        info += bytes;
    };
    entry(0x2f, 2, 64);
    entry(0x11, 2, 7);
    info += std::string{"\1\x12\0\0", 4}; // without a value
    entry(0x12, 1, 0);
    entry(0x12, 2, stack);
    std::string file(64, '\0');
    file.replace(0, 5, "\177ELF\2");
    std::string headers(64, '\0');
    auto const section = [&](std::uint32_t name, std::uint32_t type, std::string const& content, std::uint32_t link) {
        std::string header(64, '\0');
        put_number(header, 0, name, 4);
        put_number(header, 4, type, 4);
        put_number(header, 24, file.size(), 8);
        put_number(header, 32, content.size(), 8);
        put_number(header, 40, link, 4);
        headers += header;
        file += content;
    };
    section(1, 3, section_names, 0);
    section(11, 3, texts, 0);
    section(19, 2, symbols, 2);
    section(27, 0x70000000, info, 3);
    put_number(file, 40, file.size(), 8);
    put_number(file, 60, 5, 2);
    put_number(file, 62, 1, 2);
    return file + headers;
}

TEST_CASE("the registers and the stack of each kernel are read from machine code") {
    auto const found = image::resources_in_cubin(cubin_with(1104));
    REQUIRE(found.size() == 2);
    CHECK(found.at("clean").stack == 0);
    CHECK(found.at("clean").registers == 0); // it does not say
    CHECK(found.at("spill").stack == 1104);
    CHECK(found.at("spill").registers == 64);
}

TEST_CASE("a chip runs machine code of its own generation, up to itself") {
    std::vector<hand_made_image> const images{
        {2, 90, cubin_with(48)}, {2, 75, cubin_with(32)}, {2, 70, cubin_with(16)}};
    std::string const container = hand_made_container(images);
    auto const on_hopper = image::resources_in(container.data(), gpuprof::sim::gh100);
    REQUIRE(on_hopper.count("spill") == 1);
    CHECK(on_hopper.at("spill").stack == 48);
    auto const on_volta = image::resources_in(container.data(), gpuprof::sim::gv100);
    REQUIRE(on_volta.count("spill") == 1);
    CHECK(on_volta.at("spill").stack == 16);
}

TEST_CASE("the machine code of the highest target in a fat binary is read, and none in other images") {
    std::vector<hand_made_image> const images{
        {2, 90, cubin_with(48)}, {2, 80, cubin_with(16)}, {1, 80, ".version 7.0\n.target sm_80\n"}};
    std::string const container = hand_made_container(images);
    auto const found = image::resources_in(container.data());
    REQUIRE(found.count("spill") == 1);
    CHECK(found.at("spill").target == 90);
    CHECK(found.at("spill").stack == 48);
    CHECK(image::resources_in(".version 7.0\n.target sm_80\n").empty());
    std::string const none = hand_made_container(std::vector<hand_made_image>{{2, 90, "machine code"}});
    CHECK(image::resources_in(none.data()).empty());
}

TEST_CASE("a cubin that is cut or damaged anywhere is read within its bytes") {
    std::string const whole = cubin_with(1104);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        std::vector<char> const cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        CHECK(image::resources_in_cubin({cut.data(), cut.size()}).size() <= 2);
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::vector<char> damaged(whole.begin(), whole.end());
        damaged[at] = static_cast<char>(0xff);
        CHECK(image::resources_in_cubin({damaged.data(), damaged.size()}).size() <= 3);
    }
}

} // namespace machine_code_test
