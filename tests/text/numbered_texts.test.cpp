// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// text/numbered_texts.hpp: equal texts have one number, in the order in which they came first.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>

#include <gpuprof/text/numbered_texts.hpp>

namespace numbered_texts_test {

TEST_CASE("texts are numbered in the order in which they come first, whatever their alphabet says") {
    gpuprof::detail::numbered_texts names;
    CHECK(names.size() == 0);
    CHECK(names.number_of("saxpy") == 0);
    CHECK(names.number_of("") == 1);
    CHECK(names.number_of("gather") == 2);
    CHECK(names.number_of("zip") == 3);
    CHECK(names.number_of("gather") == 2);
    CHECK(names.number_of("saxpy") == 0);
    CHECK(names.number_of("") == 1);
    CHECK(names.size() == 4);
}

TEST_CASE("a text is kept, though the one that was given is gone") {
    gpuprof::detail::numbered_texts names;
    for (std::size_t round = 0; round < 2; ++round)
        for (std::size_t i = 0; i < 500; ++i) {
            std::size_t const name = i * 271 % 500; // each once, in no order
            REQUIRE(names.number_of("a name of some length " + std::to_string(name)) == i);
        }
    CHECK(names.size() == 500);
}

} // namespace numbered_texts_test
