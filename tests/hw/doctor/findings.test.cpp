// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/doctor: each finding is a header of its own and is told; what findings are drawn from can be made up.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gpuprof/hw/doctor/doctor.hpp>
#include <gpuprof/hw/doctor/examination.hpp>

#include "support/hand_filled.hpp"
#include "support/kept_name.hpp"
#include "support/system.hpp"

namespace findings_test {

using gpuprof::hw::examined_machine;
using gpuprof::hw::surroundings;

namespace abi = gpuprof::abi;

namespace {

std::string text_of(std::filesystem::path const& path) {
    std::ifstream file{path};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

} // namespace

TEST_CASE("every finding's header is included by the doctor, its function is told once, and the page on the doctor "
          "names it") {
    auto const folder = std::filesystem::path{GPUPROF_TEST_SOURCE_DIR}.parent_path() / "include/gpuprof/hw/doctor";
    std::string const doctor = text_of(folder / "examination.hpp");
    std::string const page = text_of(std::filesystem::path{GPUPROF_TEST_SOURCE_DIR}.parent_path() / "docs/doctor.md");
    std::size_t findings = 0;
    for (auto const& entry : std::filesystem::directory_iterator{folder}) {
        std::string const name = entry.path().stem().string();
        CAPTURE(name);
        if (text_of(entry.path()).find("namespace hw::findings {") == std::string::npos) continue;
        ++findings;
        CHECK(text_of(entry.path()).find("inline void " + name + "(") != std::string::npos);
        CHECK(doctor.find("#include \"" + name + ".hpp\"") != std::string::npos);
        std::string const line = " findings::" + name + ",";
        CHECK(doctor.find(line) != std::string::npos);
        CHECK(doctor.find(line) == doctor.rfind(line));
        CHECK(page.find("`" + name + "`") != std::string::npos);
    }
    CHECK(findings >= 25);
}

TEST_CASE("files, variables and programs can be made up, and then nothing of this machine shows") {
    surroundings here;
    here.files = {{"/sys/class/dmi/id/product_name", "A board\n"}};
    here.variables = {{"CUDA_VISIBLE_DEVICES", "0,2"}, {"EMPTY", ""}};
    here.processes = {"bash", kept_name("nvidia-cuda-mps-server")};
    CHECK(here.file("/sys/class/dmi/id/product_name") == "A board\n");
    CHECK(here.file("/proc/version").empty());
    CHECK(here.variable("CUDA_VISIBLE_DEVICES") == "0,2");
    CHECK(here.variable("EMPTY") == "");
    CHECK_FALSE(here.variable("PATH"));
    CHECK(here.runs("bash"));
    CHECK(here.runs("nvidia-cuda-mps-server")); // fifteen characters of it
    CHECK_FALSE(here.runs("nvidia-cuda"));
}

TEST_CASE("on this machine files and variables are those there are, but for what a test puts in their place") {
    surroundings here = surroundings::read();
    if (!gpuprof::platform::is_windows) CHECK(here.file("/proc/version") == here.kernel_version);
    CHECK(here.file("/no/such/file").empty());
    REQUIRE(::setenv("GPUPROF_TEST_VARIABLE", "set", 1) == 0);
    CHECK(here.variable("GPUPROF_TEST_VARIABLE") == "set");
    here.variables = {{"GPUPROF_TEST_VARIABLE", "made up"}};
    CHECK(here.variable("GPUPROF_TEST_VARIABLE") == "made up");
    REQUIRE(::unsetenv("GPUPROF_TEST_VARIABLE") == 0);
    here.variables.clear();
    CHECK_FALSE(here.variable("GPUPROF_TEST_VARIABLE"));
}

TEST_CASE("an examined machine knows its devices, those that do not answer included") {
    test::hand_filled_device silent;
    silent.responds = false;
    test::hand_filled_device old;
    old.generation = 5;
    old.revision = 2;
    auto const machine = test::hand_filled_machine({{}, silent, old});
    surroundings const here;
    auto const seen = examined_machine::of(machine, here, [](gpuprof::compute_capability of) {
        return of >= gpuprof::compute_capability{7, 0};
    });
    REQUIRE(seen.devices().size() == 3);
    CHECK_FALSE(seen.devices_error());
    CHECK(seen.devices()[0].answers);
    CHECK(seen.devices()[0].has_counters);
    CHECK(seen.devices()[0].name == "Paper GPU");
    CHECK(seen.devices()[1].text() == "device 1");
    CHECK_FALSE(seen.devices()[1].answers);
    CHECK_FALSE(seen.devices()[1].has_counters);
    CHECK(seen.devices()[2].capability == gpuprof::compute_capability{5, 2});
    CHECK_FALSE(seen.devices()[2].has_counters);
    CHECK(seen.attribute(seen.devices()[2], abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) == 5);
    CHECK_FALSE(seen.attribute(seen.devices()[2], abi::CU_DEVICE_ATTRIBUTE_WARP_SIZE)); // this driver does not know it
}

} // namespace findings_test
