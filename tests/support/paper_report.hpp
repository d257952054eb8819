// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report of one range, written by a test. Test support.
#ifndef GPUPROF_TESTS_SUPPORT_PAPER_REPORT_HPP
#define GPUPROF_TESTS_SUPPORT_PAPER_REPORT_HPP

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/measure/report.hpp>
#include <gpuprof/metric/info.hpp>

namespace test {

class paper_report {
public:
    explicit paper_report(std::string_view chip = "GH100", std::string range = "all") {
        contents_.device = "Paper GPU";
        contents_.chip = chip;
        contents_.ranges = {{std::move(range), gpuprof::report::range::top, 1, {0}}};
    }
    paper_report& set(std::string_view metric, double value) {
        auto known = gpuprof::try_metric(metric);
        REQUIRE_MESSAGE(known, metric);
        contents_.metrics.push_back(*std::move(known));
        contents_.values.push_back(value);
        return *this;
    }
    // A value with instances.
    paper_report& set(std::string_view metric, double value,
                      std::vector<gpuprof::hw::provided::provided_instance> instances) {
        set(metric, value);
        gpuprof::report_note note;
        note.metric = contents_.metrics.size() - 1;
        note.value = gpuprof::hw::provided::provided_value{std::move(instances)};
        note.value.number = value;
        contents_.notes.push_back(std::move(note));
        return *this;
    }
    [[nodiscard]] gpuprof::range_view range() const { return gpuprof::report{contents_}.at(0); }

private:
    gpuprof::report::contents contents_;
};

} // namespace test

#endif // GPUPROF_TESTS_SUPPORT_PAPER_REPORT_HPP
