// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The decoder's tables.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>

#include <gpuprof/metric/decoder.hpp>

namespace decoder_test {

using namespace gpuprof;

TEST_CASE("every word of the decoder is found, is there once and shares its hash with no other") {
    std::set<std::uint32_t> hashes;
    for (term const& row : decoder) {
        CAPTURE(std::string{row.word});
        CHECK(find_term(row.word) == &row);
        CHECK(hashes.insert(detail::hash_word(row.word)).second);
    }
    hashes.clear();
    for (suffix const& row : suffixes) CHECK(hashes.insert(detail::hash_word(row.word)).second);
}

TEST_CASE("words are lower case and have a phrase and a sentence that ends") {
    for (term const& row : decoder) {
        CAPTURE(std::string{row.word});
        CHECK(std::string_view{row.word}.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") ==
              std::string_view::npos);
        CHECK_FALSE(std::string_view{row.phrase}.empty());
        CHECK(std::string_view{row.meaning}.ends_with('.'));
    }
}

TEST_CASE("hardware units have a clock, and quantities a dimension") {
    for (term const& row : decoder) {
        CAPTURE(std::string{row.word});
        if (row.kind == term_kind::hw_unit) CHECK(is_cycle(row.of));
        if (row.kind == term_kind::quantity || row.kind == term_kind::singular) CHECK(row.of != dimension::none);
    }
}

TEST_CASE("the decoder has the units, pipelines and quantities of the guide's") {
    // Nsight Compute 2023.3 kernel profiling guide, 3.3.
    for (auto const* word : {"dram", "fbpa", "fe", "gpc", "gpu", "gr", "idc", "l1tex", "ltc", "ltcfabric", "lts", "mcc",
                             "pm", "sm", "smsp", "sys", "tpc"}) {
        CAPTURE(std::string{word});
        REQUIRE(find_term(word) != nullptr);
        CHECK(find_term(word)->kind == term_kind::hw_unit);
    }
    for (auto const* word :
         {"aperture", "device",      "peer",     "sysmem",  "global", "lg",       "local", "lsu", "lsuin",
          "mio",      "mioc",        "shared",   "surface", "texin",  "texture",  "xbar",  "adu", "alu",
          "cbu",      "fma",         "fmaheavy", "fmalite", "fp16",   "fp64",     "tex",   "tma", "uniform",
          "xu",       "instruction", "request",  "sector",  "tag",    "wavefront"}) {
        CAPTURE(std::string{word});
        CHECK(find_term(word) != nullptr);
    }
}

TEST_CASE("a word that merely begins like one of the decoder's is not found") {
    CHECK(find_term("sectorz") == nullptr);
    CHECK(find_term("secto") == nullptr);
    CHECK(find_term("") == nullptr);
}

} // namespace decoder_test
