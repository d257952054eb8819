// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests of the machine code of modules: where it comes from, and the toolkit's programs that read and make it.
#include <doctest/doctest.h>

#include <gpuprof/hw/machine/platform/platform.hpp>

#if !GPUPROF_WINDOWS // programs of a toolkit run on POSIX systems alone
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <gpuprof/hw/machine/platform/directory.hpp>

#include "sim/chip/gh100.hpp"
#include "sim/chip/gv100.hpp"
#include "sim/driver/machine_text.hpp"

#include "support/fat_binary_bytes.hpp"
#include "support/scratch_directory.hpp"

namespace machine_text_test {

namespace sim = gpuprof::sim;
using sim::machine_code_use;
using sim::driver::machine_text_of;

namespace {

// A toolkit whose nvdisasm lists a kernel that has one instruction, named by the file that it was given, and whose ptxas makes of PTX a
// file that names its architecture.
class toolkit {
public:
    toolkit() {
        std::string const bin = folder_.path() + "/bin";
        REQUIRE(gpuprof::platform::make_directory(bin));
        write(bin + "/nvdisasm", "test \"$1\" = -c || exit 1\nprintf '\\t.section .text.k,\"ax\"\\nk:\\n  /*0000*/ %s "
                                 ";\\n' \"$(cat \"$2\")\"\n");
        write(bin + "/ptxas", "test \"$3\" = -o || exit 1\nprintf '%s' \"$1\" > \"$4\"\n");
        char const* const before = std::getenv("CUDA_HOME");
        had_ = before != nullptr;
        if (had_) before_ = before;
        REQUIRE(setenv("CUDA_HOME", folder_.path().c_str(), 1) == 0);
    }
    toolkit(toolkit const&) = delete;
    toolkit& operator=(toolkit const&) = delete;
    ~toolkit() {
        if (had_) setenv("CUDA_HOME", before_.c_str(), 1);
        else unsetenv("CUDA_HOME");
    }

private:
    static void write(std::string const& program, std::string const& script) {
        std::ofstream{program} << "#!/bin/sh\n" << script;
        REQUIRE(std::system(("chmod +x '" + program + "'").c_str()) == 0);
    }

    scratch_directory folder_;
    std::string before_;
    bool had_ = false;
};

std::string first_opcode(sim::driver::machine_text const& text) {
    if (!text.listing) return "not asked for";
    sim::machine_function const* const found = text.listing->find("k");
    return found == nullptr ? "not found" : found->front().opcode;
}

constexpr std::string_view ptx = ".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n";

} // namespace

TEST_CASE("machine code comes from the program, else from ptxas, if one asks for it") {
    toolkit const here;
    std::string const both =
        hand_made_container(std::vector<hand_made_image>{{2, 90, "BESIDE"}, {1, 80, std::string{ptx}}});
    std::string const alone = hand_made_container(std::vector<hand_made_image>{{1, 80, std::string{ptx}}});
    auto const opcode = [](std::string const& image, machine_code_use use, sim::chip_model const& chip = sim::gh100,
                           std::string_view text = ptx) {
        return first_opcode(machine_text_of(image.data(), text, chip, use));
    };
    CHECK(opcode(both, machine_code_use::none) == "not asked for");
    CHECK(opcode(both, machine_code_use::beside_ptx) == "BESIDE");
    CHECK(opcode(both, machine_code_use::compiled) == "BESIDE");
    CHECK(opcode(alone, machine_code_use::beside_ptx) == "not asked for");
    CHECK(opcode(alone, machine_code_use::compiled) == "-arch=sm_90");
    CHECK(opcode(both, machine_code_use::compiled, sim::gv100) == "-arch=sm_70"); // what is beside is another chip's
    CHECK(opcode(alone, machine_code_use::compiled, sim::gh100, ".version 8.0\n.target sm_90a\n") == "-arch=sm_90a");
    CHECK(opcode(std::string{ptx}, machine_code_use::compiled) == "-arch=sm_90"); // PTX without a container
}

TEST_CASE("a toolkit whose programs fail leaves machine code unknown") {
    scratch_directory const folder;
    toolkit const here;
    std::string const alone = hand_made_container(std::vector<hand_made_image>{{1, 80, std::string{ptx}}});
    CHECK(first_opcode(machine_text_of(alone.data(), ptx, sim::gh100, machine_code_use::compiled)) == "-arch=sm_90");
    char const* const before = std::getenv("TMPDIR");
    std::string const kept = before == nullptr ? "" : before;
    setenv("TMPDIR", (folder.path() + "/nowhere").c_str(), 1); // no file can be written
    auto const text = machine_text_of(alone.data(), ptx, sim::gh100, machine_code_use::compiled);
    CHECK(first_opcode(text) == "not asked for");
    CHECK(text.resources.empty());
    if (before == nullptr) unsetenv("TMPDIR");
    else setenv("TMPDIR", kept.c_str(), 1);
}

} // namespace machine_text_test
#endif
