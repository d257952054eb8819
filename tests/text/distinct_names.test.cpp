// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// text/distinct_names.hpp: names of a table that are too long for it stay different.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include <gpuprof/text/distinct_names.hpp>

namespace distinct_names_test {

using gpuprof::detail::distinct_names;

static std::size_t different(std::vector<std::string> const& names) {
    return std::set<std::string>(names.begin(), names.end()).size();
}

TEST_CASE("names that fit are left as they are, and keep their order") {
    std::vector<std::string> const names{"void saxpy<float>(float*)", "gather", "gather"};
    CHECK(distinct_names(names, 40) == names);
    CHECK(distinct_names({}, 40).empty());
    CHECK(distinct_names({"a\nb"}, 40).front() == "a?b");
}

TEST_CASE("a long name alone keeps both of its ends") {
    // 30 bytes: 14 of the begin, three dots, 13 of the end.
    CHECK(distinct_names({"abcdefghijklmnopqrstuvwxyzABCDEFGHIJ"}, 30).front() == "abcdefghijklmn...xyzABCDEFGHIJ");
    CHECK(distinct_names({std::string(100, 'x')}, 24).front().size() == 24);
}

// The names of a training step's optimiser, as PyTorch has them: equal in the first 200 characters and in the last 100.
TEST_CASE("long names that begin and end alike show where they differ") {
    auto const kernel = [](std::string const& functor) {
        return "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::"
               "TensorListMetadata<3>, at::native::(anonymous namespace)::" +
               functor +
               "<float, 3, 2, 2>, at::native::(anonymous namespace)::Copy<float> >(at::native::(anonymous namespace)::"
               "TensorListMetadata<3>, at::native::(anonymous namespace)::Operation, float, float, float, float)";
    };
    std::vector<std::string> const names{kernel("BinaryOpScalarFunctor"), kernel("PointwiseOpListFunctor"),
                                         kernel("UnaryOpFunctor"), kernel("LerpFunctor")};
    for (std::size_t const width : {40u, 60u, 90u}) {
        auto const shown = distinct_names(names, width);
        CHECK(different(shown) == 4);
        for (auto const& each : shown) CHECK(each.size() <= width);
        CHECK(shown[0].find("Binary") != std::string::npos);
        CHECK(shown[1].find("Pointw") != std::string::npos);
        CHECK(shown[2].find("Unary") != std::string::npos);
        CHECK(shown[3].find("Lerp") != std::string::npos);
    }
}

TEST_CASE("names that differ in two places show both, and those that cannot have a number") {
    std::string const gap(100, '.');
    auto const name = [&](char a, char b) { return "kernel" + gap + a + gap + b + gap; };
    auto const shown = distinct_names({name('a', 'c'), name('a', 'd'), name('b', 'c'), name('b', 'd')}, 40);
    CHECK(different(shown) == 4);
    std::vector<std::string> many;
    for (char a = 'a'; a <= 'e'; ++a)
        for (char b = 'a'; b <= 'e'; ++b)
            for (char c = 'a'; c <= 'e'; ++c) many.push_back(name(a, b) + c + gap);
    auto const numbered = distinct_names(many, 40);
    CHECK(different(numbered) == 125);
    for (auto const& each : numbered) CHECK(each.size() <= 40);
}

TEST_CASE("equal names stay equal, and characters of several bytes whole") {
    std::string const name(50, 'n');
    auto const shown = distinct_names({name, name}, 30);
    CHECK(shown[0] == shown[1]);
    std::string umlauts;
    for (int i = 0; i < 40; ++i) umlauts += "\xc3\xa9";
    for (std::size_t width = 24; width < 40; ++width) {
        std::string const cut = distinct_names({umlauts}, width).front();
        CHECK(cut.size() <= width);
        for (std::size_t i = 0; i < cut.size(); ++i)
            if (cut[i] == '\xc3') {
                REQUIRE(i + 1 < cut.size());
                CHECK(cut[i + 1] == '\xa9');
            } else if (cut[i] == '\xa9') {
                REQUIRE(i > 0);
                CHECK(cut[i - 1] == '\xc3');
            }
    }
}

} // namespace distinct_names_test
