// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chip.hpp: names both ways, and the capability of each chip.
#include <doctest/doctest.h>

#include <gpuprof/core/chip.hpp>

namespace chip_test {

using gpuprof::chip;
using gpuprof::compute_capability;

static_assert(name(chip::gh100) == "GH100");
static_assert(gpuprof::find_chip("GH100") == chip::gh100);
static_assert(gpuprof::find_chip("gh100") == chip::gh100);
static_assert(gpuprof::find_chip("Ga10b") == chip::ga10b);
static_assert(!gpuprof::find_chip("GH1O0"));
static_assert(!gpuprof::find_chip("GH10"));
static_assert(!gpuprof::find_chip("GH1000"));
static_assert(!gpuprof::find_chip(""));
static_assert(!gpuprof::find_chip("GK110"));

// NVIDIA's list of capabilities: V100 7.0, T4 7.5, A100 8.0, A40 8.6, Orin 8.7, L40 8.9, H100 9.0, B200 10.0, B300 10.3,
// Thor 11.0, RTX 5090 12.0, GB10 12.1.
static_assert(capability(chip::gv100) == compute_capability{7, 0});
static_assert(capability(chip::tu104) == compute_capability{7, 5});
static_assert(capability(chip::ga100) == compute_capability{8, 0});
static_assert(capability(chip::ga102) == compute_capability{8, 6});
static_assert(capability(chip::ga10b) == compute_capability{8, 7});
static_assert(capability(chip::ad102) == compute_capability{8, 9});
static_assert(capability(chip::gh100) == compute_capability{9, 0});
static_assert(capability(chip::gb100) == compute_capability{10, 0});
static_assert(capability(chip::gb110) == compute_capability{10, 3});
static_assert(capability(chip::gb10b) == compute_capability{11, 0});
static_assert(capability(chip::gb202) == compute_capability{12, 0});
static_assert(capability(chip::gb20b) == compute_capability{12, 1});

TEST_CASE("every chip is found by its name and has range hardware") {
    for (chip const which : gpuprof::all_chips) {
        CAPTURE(name(which));
        CHECK(gpuprof::find_chip(name(which)) == which);
        CHECK(capability(which).has_range_hardware());
    }
}

} // namespace chip_test
