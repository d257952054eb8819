// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// measure/experiment_status.hpp: every code has a name and a text of its own.
#include <doctest/doctest.h>

#include <cstddef>
#include <set>
#include <string>
#include <string_view>

#include <gpuprof/measure/experiment_status.hpp>

namespace experiment_status_test {

using gpuprof::experiment_status;
using code = gpuprof::experiment_code;

TEST_CASE("experiment status: warnings did their work, errors did not, and both say what was wrong") {
    std::set<std::string_view> names;
    std::set<std::string> texts;
    std::size_t warnings = 0, errors = 0;
    for (unsigned each = 1; each <= static_cast<unsigned>(code::refused); ++each) {
        experiment_status const status{static_cast<code>(each), 7, 11, 13};
        names.insert(gpuprof::name(status.code()));
        texts.insert(status.message());
        CHECK_FALSE(status.is_ok());
        CHECK(static_cast<bool>(status) == status.is_warning());
        (status.is_warning() ? warnings : errors) += 1;
        CHECK(status.message().find(gpuprof::name(status.code())) == 0);
        CHECK_FALSE(status.as_error().remedy.empty());
    }
    CHECK(warnings == 6);
    CHECK(errors == 15);
    CHECK(names.size() == 21);
    CHECK(names.count("unknown") == 0);
    CHECK(texts.size() == 21);
    CHECK(experiment_status{}.is_ok());
    CHECK(experiment_status{});
    CHECK(experiment_status{}.message() == "ok");
}

TEST_CASE("experiment status: the text has the numbers of the call") {
    CHECK(experiment_status{code::pass_skipped, 3, 1}.message() == "pass skipped: pass 3 was begun, the next one is 1");
    CHECK(experiment_status{code::unknown_object, 4, 4}.message() == "unknown object: object 4 of 4 does not exist");
    CHECK(experiment_status{code::pass_incomplete, 2, 3}.message() ==
          "pass incomplete: 2 of 3 reserved objects were begun in a pass");
}

} // namespace experiment_status_test
