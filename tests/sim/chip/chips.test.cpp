// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// src/sim/chip: each chip is what NVIDIA's public documents say of its product, and no other part of the embedded GPU
// decides by a chip's generation.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sim/chip/chips.hpp"

namespace chips_test {

namespace sim = gpuprof::sim;

namespace {

// A fact left out does not compile: chips are made of such members. (That one which is there does, shows that the reason
// is the one meant.)
struct two_facts {
    sim::given<int> first;
    sim::given<int> second;
};
template <class Aggregate, class... Values>
concept initializable = requires(Values... values) {
    Aggregate{values...};
};
static_assert(initializable<two_facts, int, int>);
static_assert(!initializable<two_facts, int>);
static_assert(!initializable<sim::chip_model>);
static_assert(!initializable<sim::chip_model, char const*, char const*>);

// What public documents say of a product. Limits: CUDA C++ Programming Guide 12.9, "Technical specifications per compute
// capability" (8.0 for 2.x); the rest: the white papers of the architectures and the boards' data sheets.
struct public_facts {
    sim::chip_model const* chip;
    char const* name;
    gpuprof::compute_capability capability;
    int sms;
    int schedulers; // of an SM
    int bus_bits;
    int threads_per_sm;
    int ctas_per_sm;
    int registers_per_sm;
    std::size_t shared_kib_per_sm;
    std::size_t shared_kib_per_cta;
    std::size_t l2_kib;
    std::size_t memory_gib;
    double gigabytes_per_second;
    unsigned fp32_lanes;
    unsigned fp64_lanes;
    unsigned pcie_generation;
};
// clang-format off
constexpr public_facts documents[]{
    {&sim::gf100, "GF100", {2, 0}, 14, 2, 384, 1536, 8, 32768, 48, 48, 768, 3, 144, 32, 16, 2},           // Tesla C2050
    {&sim::gf114, "GF114", {2, 1}, 8, 2, 256, 1536, 8, 32768, 48, 48, 512, 1, 128, 48, 4, 2},             // GeForce GTX 560 Ti
    {&sim::gk110b, "GK110B", {3, 5}, 15, 4, 384, 2048, 16, 65536, 48, 48, 1536, 12, 288, 192, 64, 3},     // Tesla K40
    {&sim::gm200, "GM200", {5, 2}, 24, 4, 384, 2048, 32, 65536, 96, 48, 3072, 12, 288, 128, 4, 3},        // Tesla M40
    {&sim::gp100, "GP100", {6, 0}, 56, 2, 4096, 2048, 32, 65536, 64, 48, 4096, 16, 732, 64, 32, 3},       // Tesla P100
    {&sim::gv100, "GV100", {7, 0}, 80, 4, 4096, 2048, 32, 65536, 96, 96, 6144, 16, 900, 64, 32, 3},       // Tesla V100
    {&sim::gh100, "GH100", {9, 0}, 132, 4, 6144, 2048, 32, 65536, 228, 227, 61440, 141, 4917, 128, 64, 5}, // H200
};
// clang-format on

std::string without_comments(std::string const& source) {
    std::istringstream lines{source};
    std::string text;
    for (std::string line; std::getline(lines, line);) text += line.substr(0, line.find("//")) + '\n';
    return text;
}

// Code that decides by what generation a chip is of.
bool decides_by_generation(std::string const& source) {
    static std::regex const compared{R"(\b(generation|revision)_?\b\s*(<|>|==|!=|\?|%))"
                                     R"(|(<|[^-]>|==|!=)=?\s*([A-Za-z_]\w*(\(\))?(\.|->))*(generation|revision)_?\b)"
                                     R"(|\bswitch\s*\([^;{]*\b(generation|revision)_?\b)"
                                     R"(|\bcapability\(\)\s*(<|>|==|!=))"
                                     R"(|(<=|>=|==|!=|\s<\s|\s>\s)\s*compute_capability\b)"};
    return std::regex_search(without_comments(source), compared);
}

} // namespace

TEST_CASE("every embedded chip is what public documents say of its product") {
    REQUIRE(std::size(documents) == std::size(sim::embedded_chips));
    for (public_facts const& facts : documents) {
        sim::chip_model const& chip = *facts.chip;
        CAPTURE(facts.name);
        CHECK(std::find(std::begin(sim::embedded_chips), std::end(sim::embedded_chips), &chip) !=
              std::end(sim::embedded_chips));
        CHECK(chip.chip_name == std::string_view{facts.name});
        CHECK(std::string_view{chip.device_name}.find(facts.name) != std::string_view::npos);
        CHECK(chip.capability() == facts.capability);
        CHECK(chip.count(sim::hardware_unit::sm) == facts.sms);
        CHECK(chip.count(sim::hardware_unit::smsp) == facts.sms * facts.schedulers);
        CHECK(chip.count(sim::hardware_unit::l1tex) == facts.sms);
        CHECK(chip.count(sim::hardware_unit::dram) * 128 == facts.bus_bits);
        CHECK(chip.threads_per_sm == facts.threads_per_sm);
        CHECK(chip.ctas_per_sm == facts.ctas_per_sm);
        CHECK(chip.registers_per_sm == facts.registers_per_sm);
        CHECK(chip.shared_bytes_per_sm == facts.shared_kib_per_sm * 1024);
        CHECK(chip.shared_bytes_per_cta == facts.shared_kib_per_cta * 1024);
        CHECK(chip.l2_bytes == facts.l2_kib * 1024);
        CHECK(chip.memory_bytes == facts.memory_gib << 30);
        double const transfers = chip.dram_hz * 2; // a second and pin: double data rate
        CHECK(transfers * facts.bus_bits / 8 == doctest::Approx(facts.gigabytes_per_second * 1e9).epsilon(0.005));
        CHECK(chip.lanes.fp32 == facts.fp32_lanes);
        CHECK(chip.lanes.fp64 == facts.fp64_lanes);
        CHECK(chip.link.pcie_generation == facts.pcie_generation);
    }
}

TEST_CASE("what came with an architecture is on the chips since then") {
    // CUDA C++ Programming Guide 12.9: 1 KiB of a block's shared memory is the system's from 8.0 on. White papers: GA100
    // brought the divided L2 and copies from global to shared memory, TU102 the uniform datapath and ldmatrix.
    for (sim::chip_model const* const chip : sim::embedded_chips) {
        CAPTURE(chip->chip_name);
        bool const ampere = chip->capability() >= gpuprof::compute_capability{8, 0};
        bool const turing = chip->capability() >= gpuprof::compute_capability{7, 5};
        CHECK(chip->shared.reserved == (ampere ? 1024u : 0u));
        CHECK(chip->l2.partitions == (ampere ? 2 : 1));
        CHECK((chip->peaks.ldgsts != sim::absent) == ampere);
        CHECK((chip->peaks.ldsm != sim::absent) == turing);
        CHECK((chip->peaks.uniform != sim::absent) == turing);
        CHECK(chip->has_range_profiling() == (chip->capability() >= gpuprof::compute_capability{7, 0}));
        CHECK(chip->events.family() == gpuprof::family_of(chip->capability()));
    }
}

TEST_CASE("a chip is found by its name in any case, by its capability, and with range profiling by CUPTI's spelling") {
    for (sim::chip_model const* const chip : sim::embedded_chips) {
        std::string const name = chip->chip_name;
        CAPTURE(name);
        std::string small = name;
        for (char& c : small)
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        auto const of = chip->capability();
        CHECK(sim::find_embedded_chip(name) == chip);
        CHECK(sim::find_embedded_chip(small) == chip);
        CHECK(sim::find_embedded_chip(std::to_string(of.generation) + '.' + std::to_string(of.revision)) == chip);
        CHECK(sim::find_chip_model(name) == (chip->has_range_profiling() ? chip : nullptr));
        CHECK(sim::find_chip_model(small) == nullptr);
    }
    CHECK(sim::find_embedded_chip("GH1000") == nullptr);
    CHECK(sim::find_embedded_chip("8.0") == nullptr);
    CHECK(sim::find_embedded_chip("") == nullptr);
}

TEST_CASE("decisions by generation are told from other uses of the word") {
    for (char const* const wrong :
         {"bool const recent = chip_.capability().generation >= 9;", "return generation_ < 9 ? 1 : 2;",
          "switch (chip.capability().generation) {", "if (first <= generation) return;", "x = 9 > of.generation;",
          "if (chip.capability() < compute_capability{8, 0}) return;", "if (a < b.capability().generation) return;",
          "if (of >= compute_capability{8, 0}) return;"}) {
        CAPTURE(wrong);
        CHECK(decides_by_generation(wrong));
    }
    for (char const* const right :
         {"return capability.generation * 10 + capability.revision;", "*value = model.capability().generation; break;",
          "// where generation >= 9", "static_cast<unsigned>(chip_->capability().generation * 10)",
          "std::map<compute_capability, int>", "case PCIE_GEN: return wide(chip.link.pcie_generation);"}) {
        CAPTURE(right);
        CHECK_FALSE(decides_by_generation(right));
    }
}

TEST_CASE("nothing in the embedded GPU but its chips decides by a chip's generation") {
    std::filesystem::path const sources = std::filesystem::path{GPUPROF_TEST_SOURCE_DIR}.parent_path() / "src/sim";
    std::size_t read = 0;
    for (auto const& entry : std::filesystem::recursive_directory_iterator{sources}) {
        if ((entry.path().extension() != ".hpp" && entry.path().extension() != ".cpp") ||
            entry.path().parent_path().filename() == "chip")
            continue;
        std::ifstream file{entry.path()};
        std::ostringstream text;
        text << file.rdbuf();
        ++read;
        CAPTURE(entry.path().string());
        CHECK_FALSE(text.str().empty());
        CHECK_FALSE(decides_by_generation(text.str()));
    }
    CHECK(read > 50);
}

} // namespace chips_test
