// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/samplers/module_code.hpp and sample/source_table.hpp on the embedded GPU: code as it is loaded, and samples by lines.
#include <cstddef>
#include <fstream>
#include <span>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gpuprof/sample/pc_sampler.hpp>
#include <gpuprof/sample/source_table.hpp>

#include "support/fault_injection.hpp"
#include "support/injected_fault.hpp"
#include "support/pc_sampled_gpu.hpp"
#include "support/scratch_directory.hpp"

namespace source_table_test {

using gpuprof::errc;
using gpuprof::lines_of;
using gpuprof::module_code;
using test::pc_sampled_gpu;

namespace {

gpuprof::pc_samples sample(pc_sampled_gpu& machine, gpuprof::device const& gpu) {
    gpuprof::pc_sampling_options options;
    options.period = 6;
    auto sampler = gpuprof::pc_sampler::try_open(gpu, options);
    REQUIRE(sampler);
    machine.gather();
    machine.add();
    auto samples = sampler->try_finish();
    REQUIRE(samples);
    return *samples;
}
std::span<std::byte const> bytes(std::string_view text) { return std::as_bytes(std::span{text}); }

} // namespace

TEST_CASE("samples lie at the lines of the code that was loaded, most where loaded data is first used") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto const code = module_code::try_watch(gpu);
    REQUIRE(code);
    auto const samples = sample(machine, gpu);
    CHECK(code->modules() == 1);
    CHECK(code->missed() == 0);
    auto const all = lines_of(samples, *code);
    REQUIRE(all.files.size() == 1);
    CHECK(all.unplaced.empty());
    CHECK(all.samples == samples.samples());
    CHECK(all.files[0].samples == all.samples);
    CHECK(all.files[0].text == test::sampled_kernels);
    CHECK(all.how == gpuprof::fidelity::estimated);
    CHECK(all.complete);

    auto const gather = lines_of(samples, *code, {"gather", 1 << 20});
    REQUIRE(gather.files.size() == 1);
    CHECK(gather.samples < all.samples);
    gpuprof::sampled_line const* most = nullptr;
    for (auto const& line : gather.files[0].lines)
        if (most == nullptr || line.samples > most->samples) most = &line;
    REQUIRE(most != nullptr);
    CHECK(most->line == test::line_of_gathered);
    CHECK(gather.reasons[most->stalls[0].reason].reason == gpuprof::stall_reason::long_scoreboard);
    CHECK(lines_of(samples, *code, {"no such kernel", 1 << 20}).samples == 0);
    CHECK(lines_of(samples, *code, {"", 10}).files[0].text.empty()); // a file of more than 10 bytes
}

TEST_CASE("samples of code that was loaded before have no lines until the code is added") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    machine.load();
    auto code = module_code::try_watch(gpu);
    REQUIRE(code);
    auto const samples = sample(machine, gpu);
    auto const without = lines_of(samples, *code);
    CHECK(without.files.empty());
    REQUIRE(without.unplaced.size() == 2);
    CHECK(without.unplaced[0].samples + without.unplaced[1].samples == samples.samples());
    CHECK(without.unplaced[0].why.find("was not seen") != std::string::npos);
    auto const number = code->try_add(bytes(test::sampled_kernels));
    REQUIRE(number);
    CHECK(*number == samples.records[0].module);
    CHECK(lines_of(samples, *code).files.size() == 1);
    CHECK(lines_of(samples, *code).unplaced.empty());
    auto const none = code->try_add({});
    REQUIRE_FALSE(none);
    CHECK(none.error().code == errc::invalid_argument);
}

TEST_CASE("a module is kept once, however often it is loaded") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto const code = module_code::try_watch(gpu);
    REQUIRE(code);
    for (int i = 0; i < 5; ++i) machine.load();
    CHECK(code->modules() == 1);
    machine.load(".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry f() { ret; }\n");
    CHECK(code->modules() == 2);
}

TEST_CASE("lines of .loc are those of its file, which is read") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    auto code = module_code::try_open(gpu);
    REQUIRE(code);
    scratch_directory const folder;
    std::string const path = folder.path() + "/f.cu";
    std::ofstream{path, std::ios::binary} << "first\nsecond\n";
    auto const number = code->try_add(bytes(".version 7.0\n.target sm_70\n.address_size 64\n"
                                            ".visible .entry f() {\n.reg .u32 %r<3>;\n.loc 1 2 3\n"
                                            "mov.u32 %r1, 5;\nadd.u32 %r2, %r1, 1;\nret;\n}\n.file 1 \"" +
                                            path + "\"\n"));
    REQUIRE(number);
    gpuprof::pc_samples samples;
    samples.reasons = {{"wait", gpuprof::stall_reason::wait}};
    gpuprof::pc_record record;
    record.module = *number;
    record.function = "f";
    record.stalls = {{0, 10, 5}};
    samples.add(record);
    record.pc_offset = 16;
    samples.add(record);
    record.pc_offset = 1 << 20; // beyond the function
    samples.add(record);
    auto const lines = lines_of(samples, *code);
    REQUIRE(lines.files.size() == 1);
    CHECK(lines.files[0].path == path);
    CHECK(lines.files[0].text == "first\nsecond\n");
    REQUIRE(lines.files[0].lines.size() == 1);
    CHECK(lines.files[0].lines[0].line == 2);
    CHECK(lines.files[0].lines[0].samples == 20);
    CHECK(lines.files[0].lines[0].latency_samples == 10);
    REQUIRE(lines.unplaced.size() == 1);
    CHECK(lines.unplaced[0].samples == 10);
    CHECK(lines.unplaced[0].why.find("no line") != std::string::npos);
}

TEST_CASE("each call of CUPTI that keeps code fails in turn") {
    pc_sampled_gpu machine;
    auto const gpu = machine.open();
    test::fault_injection faults{machine.tables.cupti};
    faults.fail("cuptiGetCubinCrc", 1, test::unknown_error.status);
    auto code = module_code::try_watch(gpu);
    REQUIRE(code);
    machine.load(); // in the callback, where nobody can be told
    CHECK(code->missed() == 1);
    CHECK(code->modules() == 0);
    faults.fail("cuptiGetCubinCrc", 2, test::unknown_error.status);
    auto const added = code->try_add(bytes(test::sampled_kernels));
    REQUIRE_FALSE(added);
    test::unknown_error.check(added.error(), "cuptiGetCubinCrc");
    auto const number = code->try_add(bytes(test::sampled_kernels));
    REQUIRE(number);
    faults.fail("cuptiGetSassToSourceCorrelation", 1, test::hardware_busy.status);
    auto const place = code->try_locate(*number, "gather", 0);
    REQUIRE_FALSE(place);
    test::hardware_busy.check(place.error(), "cuptiGetSassToSourceCorrelation");
    faults.clear();
    machine.tables.cupti.GetSassToSourceCorrelation = nullptr;
    CHECK(code->try_locate(*number, "gather", 0).error().code == errc::unavailable);
}

} // namespace source_table_test
