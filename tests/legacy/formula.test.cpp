// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// formula.hpp: formulas are evaluated as the hardware tools do it.
#include <doctest/doctest.h>

#include <cmath>

#include <gpuprof/legacy/expression.hpp>

namespace formula_test {

using gpuprof::dimension;
using gpuprof::event_category;
using gpuprof::event_descriptor;
using gpuprof::expression_input;
using gpuprof::formula;
using gpuprof::percent;
using gpuprof::unit_of;

namespace {

constexpr event_descriptor reads{"reads", unit_of(dimension::sector), event_category::memory, ""};
constexpr event_descriptor writes{"writes", unit_of(dimension::sector), event_category::memory, ""};
constexpr auto read_share = percent{100} * reads / (reads + writes);

} // namespace

TEST_CASE("inputs can be had by a function, which is given the input") {
    auto const value_of = [](expression_input const& input) { return input.name == "reads" ? 1.0 : 3.0; };
    CHECK(formula{read_share}.evaluate(value_of) == 25);
}

TEST_CASE("nothing over nothing is no number, something over nothing is not hidden") {
    double const idle[]{0, 0};
    CHECK(std::isnan(formula{read_share}.evaluate(idle)));
    static constexpr auto ratio = reads / writes;
    double const contradiction[]{10, 0};
    CHECK(std::isinf(formula{ratio}.evaluate(contradiction)));
    CHECK(formula{ratio}.evaluate(contradiction) > 0);
    static constexpr auto negative = (reads - writes) / (reads - reads);
    double const sectors[]{3, 5};
    CHECK(formula{negative}.evaluate(sectors) < 0);
    CHECK(std::isinf(formula{negative}.evaluate(sectors)));
    CHECK(formula{}.evaluate(idle) == 0);
    CHECK(formula{}.empty());
}

TEST_CASE("an empty formula has no inputs and no unit but one") {
    CHECK(formula{}.inputs().empty());
    CHECK(formula{}.unit() == gpuprof::one);
}

} // namespace formula_test
