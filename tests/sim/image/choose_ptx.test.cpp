// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of which PTX of a fat binary a chip gets.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "sim/chip/chips.hpp"
#include "sim/image/choose_ptx.hpp"
#include "sim/image/ptx_target.hpp"

#include "support/fat_binary_bytes.hpp"

namespace choose_ptx_test {

namespace abi = gpuprof::abi;
namespace sim = gpuprof::sim;
using images = std::vector<hand_made_image>;

static std::string ptx_for(std::string const& target) {
    return ".version 8.0\n.target " + target + "\n.address_size 64\n";
}
static hand_made_image for_target(unsigned number, std::string const& suffix = "") {
    return {1, number, ptx_for("sm_" + std::to_string(number) + suffix)};
}
static std::string chosen(images const& from, sim::chip_model const& chip) {
    auto const text = sim::image::choose_ptx(bytes_of(hand_made_container(from)), chip);
    return text ? std::string{sim::image::target_of(*text)} : text.error().message();
}

TEST_CASE("the highest target that the chip runs, in whatever order they stand") {
    images const three{for_target(70), for_target(100), for_target(80)};
    CHECK(chosen(three, sim::gh100) == "sm_80");
    CHECK(chosen(three, sim::gv100) == "sm_70");
    CHECK(chosen({for_target(90), for_target(90, "a")}, sim::gh100) == "sm_90");
}

TEST_CASE("PTX for one GPU alone is for that one") {
    images const two{for_target(80), for_target(90, "a")};
    CHECK(chosen(two, sim::gh100) == "sm_90a");
    CHECK(chosen({for_target(70), for_target(60, "a")}, sim::gv100) == "sm_70");
    CHECK(chosen({for_target(52), for_target(60, "a")}, sim::gv100) == "sm_52");
}

TEST_CASE("a chip for which no PTX is made any more runs the highest there is") {
    REQUIRE(sim::gf100.runs_any_ptx);
    CHECK(chosen({for_target(75), for_target(80)}, sim::gf100) == "sm_80");
}

TEST_CASE("what cannot be run says what to build") {
    auto const machine_code =
        sim::image::choose_ptx(bytes_of(hand_made_container(images{{2, 80, "code"}})), sim::gh100);
    REQUIRE_FALSE(machine_code);
    CHECK(machine_code.error().status == abi::CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK(machine_code.error().what == "there is no PTX in this binary");
    CHECK(machine_code.error().remedy == "build with -arch=compute_80 or code=compute_80");
    auto const later =
        sim::image::choose_ptx(bytes_of(hand_made_container(images{for_target(100), for_target(120)})), sim::gh100);
    REQUIRE_FALSE(later);
    CHECK(later.error().status == abi::CUDA_ERROR_NO_BINARY_FOR_GPU);
    CHECK(later.error().cause == "the lowest target in it is compute_100");
    CHECK(later.error().remedy == "build with -arch=compute_90, or choose a later chip");
}

TEST_CASE("the target of a text") {
    CHECK(sim::image::target_of(".version 8.0\n.target sm_80, debug\n") == "sm_80");
    CHECK(sim::image::target_of(".target\tsm_90a\n") == "sm_90a");
    CHECK(sim::image::target_of(".version 8.0\n").empty());
    CHECK(sim::image::target_of(".target").empty());
    CHECK(sim::image::target_of(".target  ").empty());
}

} // namespace choose_ptx_test
