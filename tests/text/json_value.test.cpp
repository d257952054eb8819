// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The strict reader of JSON: what RFC 8259 allows, and what it does not.
#include <doctest/doctest.h>

#include <string>

#include <gpuprof/text/json_value.hpp>

namespace json_value_test {

using gpuprof::json_value;
using gpuprof::try_read_json;

TEST_CASE("JSON: values of every type are read") {
    auto const read =
        try_read_json(R"( {"a": [1, -2.5e3, 0, 1E-2], "b": {"c": null, "d": true, "e": false}, "f": "g"} )");
    REQUIRE(read.has_value());
    CHECK(read->names.size() == 3);
    auto const& numbers = read->find("a")->items;
    CHECK(numbers[0].number == 1);
    CHECK(numbers[1].number == -2500);
    CHECK(numbers[2].number == 0);
    CHECK(numbers[3].number == 0.01);
    CHECK(read->find("b")->find("c")->is == json_value::type::null);
    CHECK(read->find("b")->find("d")->boolean);
    CHECK(!read->find("b")->find("e")->boolean);
    CHECK(read->text_of("f") == "g");
    CHECK(read->text_of("a").empty());
    CHECK(read->find("z") == nullptr);
    CHECK(try_read_json(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20ac\ud83d\ude00")")->text ==
          "\"\\/\b\f\n\r\tA\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    CHECK(try_read_json("[]")->items.empty());
    CHECK(try_read_json("{}")->names.empty());
}

TEST_CASE("JSON: what RFC 8259 does not allow is refused with its place") {
    for (char const* const text : {"",
                                   " ",
                                   "{",
                                   "[",
                                   "[1,]",
                                   "{\"a\":1,}",
                                   "{a:1}",
                                   "'a'",
                                   "[1 2]",
                                   "{\"a\" 1}",
                                   "01",
                                   "+1",
                                   ".5",
                                   "1.",
                                   "1e",
                                   "-",
                                   "NaN",
                                   "Infinity",
                                   "nul",
                                   "tru",
                                   "1 2",
                                   "// a\n1",
                                   "\"\t\"",
                                   "\"\\x\"",
                                   "\"\\u12\"",
                                   "\"\\u+123\"",
                                   "\"\\ud800\"",
                                   "\"\\ud800\\u0041\"",
                                   "\"\\udc00\"",
                                   "\"\xff\"",
                                   "\"\xc0\x80\"",
                                   "\"\xed\xa0\x80\"",
                                   "\"\xf5\x80\x80\x80\"",
                                   "\"\xe2\x82\"",
                                   "\"a",
                                   "\"a\\",
                                   "1e999",
                                   "{\"a\":1,\"a\":2}"}) {
        INFO("text: ", text);
        CHECK(!try_read_json(text).has_value());
    }
    CHECK(!try_read_json(std::string_view{"1\0", 2}).has_value());
    CHECK(!try_read_json(std::string_view{"\"\\\0\"", 4}).has_value());
    CHECK(try_read_json("[1,\n  x]").error().what == "this is no JSON: line 2, column 3");
    CHECK(try_read_json(std::string(64, '[') + std::string(64, ']')).has_value());
    CHECK(try_read_json(std::string(65, '[') + std::string(65, ']')).error().cause == "it is nested too deeply");
    CHECK(!try_read_json(std::string(1'000'000, '[')).has_value());
}

} // namespace json_value_test
