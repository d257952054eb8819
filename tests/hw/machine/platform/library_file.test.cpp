// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/machine/platform/library_file.hpp: what the dynamic linker would refuse, or die of, is named before it is asked.
#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/machine/platform/library.hpp>
#include <gpuprof/hw/machine/platform/library_file.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include "support/scratch_directory.hpp"
#include "support/system.hpp"

namespace library_file_test {

namespace platform = gpuprof::platform;

namespace {

std::string const not_a_library = "it is not a shared library";

// The bytes of a shared library that every process has.
std::string c_library() {
    return platform::read_file(platform::library_path_at(platform::find_visible_symbol("abort"))).value();
}

} // namespace

TEST_CASE("a shared library has no defect") {
    CHECK(platform::library_defect(platform::library_path_at(platform::find_visible_symbol("abort"))).empty());
}

TEST_CASE("what is not a file is named for what it is") {
    scratch_directory const here;
    CHECK(platform::library_defect("") == "the path is empty");
    CHECK(platform::library_defect({"/tmp\0/x", 7}) == "the path contains a NUL character");
    CHECK(platform::library_defect(here.path() + "/none") == "no such file, or not accessible");
    CHECK(platform::library_defect(here.path()) == "it is a directory without such a library");
    CHECK(platform::library_defect(null_device) == "it is not a regular file");
}

TEST_CASE("an empty file, a text and a damaged header are no library") {
    scratch_directory const here;
    std::string const file = here.path() + "/file.so";
    std::string const whole = c_library();
    std::string wrong_magic = whole;
    wrong_magic[1] = 'e';
    std::string wrong_entry_size = whole;
    // Where PE's own header begins, by that of DOS.
    std::size_t const header =
        platform::is_windows ? static_cast<unsigned char>(whole[0x3c]) + 256u * static_cast<unsigned char>(whole[0x3d])
                             : 0;
    wrong_entry_size[platform::is_windows ? header : 54] = 1; // its signature; e_phentsize of Elf64_Ehdr
    for (std::string const& content : {std::string{}, std::string(100'000, '.'), wrong_magic, wrong_entry_size}) {
        CAPTURE(content.size());
        REQUIRE(platform::write_file(file, content));
        CHECK(platform::library_defect(file) == not_a_library);
    }
    std::string of_32_bits = whole;
    of_32_bits[platform::is_windows ? header + 25 : 4] = 1; // the magic 0x10b; EI_CLASS: ELFCLASS32
    REQUIRE(platform::write_file(file, of_32_bits));
    CHECK(platform::library_defect(file) == "it is not a 64-bit shared library");
}

TEST_CASE("a library that lacks its last bytes is truncated as soon as a segment does not fit") {
    scratch_directory const here;
    std::string const file = here.path() + "/file.so";
    std::string const whole = c_library();
    REQUIRE(whole.size() > 65'536);
    REQUIRE(platform::write_file(file, whole));
    CHECK(platform::library_defect(file).empty());
    for (std::size_t const length : {std::size_t{64}, std::size_t{4096}, std::size_t{65'536}}) {
        CAPTURE(length);
        REQUIRE(platform::write_file(file, whole.substr(0, length)));
        CHECK(platform::library_defect(file) == "it is truncated");
    }
    REQUIRE(platform::write_file(file, whole.substr(0, 63))); // less than a header
    CHECK(platform::library_defect(file) == not_a_library);
}

} // namespace library_file_test
