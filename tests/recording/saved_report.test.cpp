// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// recording/saved_report: a report is loaded as it was saved, by another process too, and what is no report is told, whatever
// it is.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <gpuprof/io/json.hpp>
#include <gpuprof/saved.hpp>

#include "support/child_program.hpp"
#include "support/recorded_program.hpp"
#include "support/sealed_json.hpp"

namespace saved_report_test {

using gpuprof::errc;
using gpuprof::report;
using gpuprof::report_contents;
using gpuprof::saved_text;
using gpuprof::try_parse_report;
using test::replaced;
using test::sealed;

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }
// One NaN is as good as another.
std::size_t same(std::vector<double> const& a, std::vector<double> const& b) {
    REQUIRE(a.size() == b.size());
    std::size_t equal = 0;
    for (std::size_t i = 0; i < a.size(); ++i) equal += same_bits(a[i], b[i]) || (a[i] != a[i] && b[i] != b[i]);
    return equal;
}
void check_same(gpuprof::error const& a, gpuprof::error const& b) {
    CHECK(a.code == b.code);
    CHECK(a.status == b.status);
    CHECK(a.what == b.what);
    CHECK(a.cause == b.cause);
    CHECK(a.remedy == b.remedy);
}
void check_same(std::optional<gpuprof::error> const& a, std::optional<gpuprof::error> const& b) {
    REQUIRE(a.has_value() == b.has_value());
    if (a) check_same(*a, *b);
}

// Every member of the contents of two reports.
void check_same(report_contents const& a, report_contents const& b) {
    CHECK(a.device == b.device);
    CHECK(a.chip == b.chip);
    CHECK(a.source == b.source);
    CHECK(a.hardware == b.hardware);
    CHECK(a.recording == b.recording);
    REQUIRE(a.metrics.size() == b.metrics.size());
    for (std::size_t i = 0; i < a.metrics.size(); ++i) {
        CHECK(a.metrics[i].name == b.metrics[i].name);
        CHECK((a.metrics[i].value_unit == b.metrics[i].value_unit));
        CHECK((a.metrics[i].aggregation == b.metrics[i].aggregation));
        CHECK((a.metrics[i].kind == b.metrics[i].kind));
        CHECK((a.metrics[i].source == b.metrics[i].source));
        CHECK(report{a}.fidelity_of(i) == report{b}.fidelity_of(i));
    }
    REQUIRE(a.ranges.size() == b.ranges.size());
    for (std::size_t i = 0; i < a.ranges.size(); ++i) {
        CHECK(a.ranges[i].name == b.ranges[i].name);
        CHECK(a.ranges[i].parent == b.ranges[i].parent);
        CHECK(a.ranges[i].count == b.ranges[i].count);
        CHECK(a.ranges[i].rows == b.ranges[i].rows);
        gpuprof::range_launches const &there = a.ranges[i].launches, &here = b.ranges[i].launches;
        CHECK(there.heard == here.heard);
        CHECK(there.kernels == here.kernels);
        CHECK(there.graphs == here.graphs);
        CHECK(there.refused == here.refused);
        CHECK(there.alike == here.alike);
        CHECK(there.kernel == here.kernel);
    }
    CHECK(same(a.values, b.values) == a.values.size());
    CHECK(same(a.deviations, b.deviations) == a.deviations.size());
    CHECK((a.times == b.times));
    REQUIRE(a.notes.size() == b.notes.size());
    for (std::size_t i = 0; i < a.notes.size(); ++i) {
        CHECK(a.notes[i].metric == b.notes[i].metric);
        CHECK(a.notes[i].row == b.notes[i].row);
        auto const &there = a.notes[i].value, &here = b.notes[i].value;
        REQUIRE(there.number.has_value() == here.number.has_value());
        if (there.number) CHECK(same_bits(*there.number, *here.number));
        CHECK(there.text == here.text);
        REQUIRE(there.instances.size() == here.instances.size());
        for (std::size_t k = 0; k < there.instances.size(); ++k) {
            CHECK(there.instances[k].key == here.instances[k].key);
            CHECK(there.instances[k].text == here.instances[k].text);
            CHECK(same({there.instances[k].number}, {here.instances[k].number}) == 1);
        }
        check_same(a.notes[i].missing, b.notes[i].missing);
    }
    CHECK(a.completeness.passes_needed == b.completeness.passes_needed);
    CHECK(a.completeness.replay_passes == b.completeness.replay_passes);
    CHECK(a.completeness.other_threads == b.completeness.other_threads);
    CHECK(a.completeness.bursts == b.completeness.bursts);
    CHECK(a.completeness.cache_flushes == b.completeness.cache_flushes);
    CHECK(a.completeness.memory_restores == b.completeness.memory_restores);
    CHECK(a.completeness.memory_compared == b.completeness.memory_compared);
    CHECK(a.completeness.restored_bytes == b.completeness.restored_bytes);
    CHECK(a.completeness.memory_differs.has_value() == b.completeness.memory_differs.has_value());
    if (a.completeness.memory_differs && b.completeness.memory_differs)
        CHECK(a.completeness.memory_differs->message() == b.completeness.memory_differs->message());
    check_same(a.completeness.replay_changed, b.completeness.replay_changed);
    REQUIRE(a.completeness.disturbances.size() == b.completeness.disturbances.size());
    for (std::size_t i = 0; i < a.completeness.disturbances.size(); ++i) {
        CHECK(a.completeness.disturbances[i].cause == b.completeness.disturbances[i].cause);
        CHECK(a.completeness.disturbances[i].text == b.completeness.disturbances[i].text);
        CHECK(a.completeness.disturbances[i].remedy == b.completeness.disturbances[i].remedy);
    }
    REQUIRE(a.completeness.problems.size() == b.completeness.problems.size());
    for (std::size_t i = 0; i < a.completeness.problems.size(); ++i)
        check_same(a.completeness.problems[i], b.completeness.problems[i]);
    check_same(a.completeness.unwatched, b.completeness.unwatched);
    CHECK(a.counter_ranges == b.counter_ranges);
    auto const* const kept = a.counters.get();
    auto const* const loaded = b.counters.get();
    REQUIRE((kept == nullptr) == (loaded == nullptr));
    if (kept != nullptr) {
        CHECK(kept->chip == loaded->chip);
        CHECK(kept->source == loaded->source);
        CHECK(kept->version == loaded->version);
        CHECK(kept->counters == loaded->counters);
        CHECK((kept->image == loaded->image));
    }
    REQUIRE(a.clocks.has_value() == b.clocks.has_value());
    if (a.clocks) {
        CHECK(a.clocks->before == b.clocks->before);
        CHECK(a.clocks->during == b.clocks->during);
        CHECK(a.clocks->after == b.clocks->after);
        CHECK(a.clocks->most == b.clocks->most);
        CHECK(a.clocks->memory_before == b.clocks->memory_before);
        CHECK(a.clocks->memory_during == b.clocks->memory_during);
        CHECK(a.clocks->memory_after == b.clocks->memory_after);
        CHECK(a.clocks->limits == b.clocks->limits);
    }
}

gpuprof::metric_info asked(char const* name) {
    auto const found = gpuprof::try_metric(name);
    REQUIRE(found);
    return *found;
}

// No member of which is what it is by default.
report_contents full() {
    report_contents made{"NVIDIA \"H200\"\n", "GH100", gpuprof::device_source::embedded, "range profiler"};
    made.metrics = {asked("smsp__inst_executed.sum"), asked("dram__bytes_read.sum.per_second"),
                    asked("device__attribute_display_name")};
    gpuprof::metric_info odd;
    odd.name = "a legacy/name";
    odd.value_unit.factors[0] = {gpuprof::dimension::byte, 2};
    odd.value_unit.factors[1] = {gpuprof::dimension::cycle_mcc, -3};
    odd.value_unit.power_of_ten = -12;
    odd.aggregation = gpuprof::aggregation::maximum;
    odd.kind = gpuprof::metric_kind::group;
    odd.source = gpuprof::metric_source::pm_sampling;
    made.metrics.push_back(odd);
    made.fidelities = {gpuprof::fidelity::modelled, gpuprof::fidelity::exact, gpuprof::fidelity::always_zero};
    made.ranges.push_back({"frame", gpuprof::report_range::top, 1, {2}});
    made.ranges.push_back(
        {"step/\xc3\xa4\x01", 0, 2, {0, 1}, {true, 3, 1, 2, false, "saxpy<<<(4, 1, 1), (256, 1, 1)>>>"}});
    made.values = {1, 2.5, nan, -0.0, 0.1, std::numeric_limits<double>::infinity(), nan, 5e-324, 3e300, 7, nan, 1e22};
    made.deviations = {0, 0.25, nan, 1e-9, 3, 4, 5, 6, 7, 8, 9, 10};
    made.times = {{{1764'107'852'123'456'789}, {18'446'744'073'709'551'615u}}, {{0}, {1}}};
    made.notes.push_back({2, gpuprof::report_note::every_row, std::string{"NVIDIA H200"}, {}});
    made.notes.push_back({3, 1, {}, gpuprof::error{errc::unavailable, -7, "what", "cause", "remedy"}});
    gpuprof::report_note& instanced = made.notes.emplace_back();
    instanced.row = 2;
    instanced.value.number = 12;
    instanced.value.instances = {{"64 ", 0.3, "t"}, {"", nan}};
    made.completeness = {3,  4,  5, 6, 7, 8, 9, true, {{errc::replay_mismatch, 3, "a", "b", "c"}, {errc::io, 0, "d"}},
                         {}, {}, {}};
    made.completeness.unwatched = gpuprof::error{errc::busy, 1, "another tool"};
    made.completeness.memory_differs =
        gpuprof::error{errc::replay_mismatch, 2, "memory", "another value", "restore it"};
    made.completeness.replay_changed = gpuprof::error{errc::unavailable, 0, "launches", "NCCL", "none"};
    made.completeness.disturbances = {{gpuprof::disturbance_cause::low_clocks, "heat \"\n", "cool it"},
                                      {gpuprof::disturbance_cause::short_ranges, "short", ""}};
    made.recording = "/tmp/r.json";
    made.clocks = gpuprof::clock_state{1, 1980, 3, 4'294'967'295, 5, 6, 7, 0x64};
    made.counter_ranges = {2, report_contents::no_range, 0};
    made.counters = gpuprof::detail::shared<gpuprof::hw::counter_data>::make(gpuprof::hw::counter_data{
        "GH100", gpuprof::device_source::embedded, "130000", {"smsp__inst_executed.sum"}, {0, 1, 254, 255, 7}});
    return made;
}

// A text of all members, as short as may be.
std::string small() {
    report_contents made{"d", "c", gpuprof::device_source::hardware, "h"};
    made.metrics = {asked("smsp__inst_executed.sum")};
    made.ranges.push_back({"r", gpuprof::report_range::top, 1, {0}});
    made.values = {12};
    made.deviations = {0.5};
    made.times = {{{7}, {8}}};
    made.notes.push_back({0, 0, std::string{"t"}, {}});
    made.clocks = gpuprof::clock_state{1, 2, 3, 4};
    return saved_text(report{made});
}

// Asks a report for everything.
std::size_t ask_all(report const& of) {
    std::size_t values = 0;
    for (gpuprof::range_view const range : of) {
        static_cast<void>(range.path().size() + range.times().size());
        for (auto const& metric : of.metrics()) {
            values += range.try_value(metric.name).has_value();
            static_cast<void>(range.try_values(metric.name).has_value());
            static_cast<void>(range.try_deviation(metric.name).has_value());
            static_cast<void>(range.try_provided(metric.name).has_value());
        }
    }
    static_cast<void>(gpuprof::io::table(of));
    static_cast<void>(gpuprof::io::csv(of));
    return values;
}

} // namespace

TEST_CASE("saved_report: each member of a report is read back as it was") {
    report_contents const made = full();
    std::string const text = saved_text(report{made});
    auto const read = try_parse_report(text);
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    check_same(read->whole(), made);
    CHECK(saved_text(*read) == text);
    CHECK(sealed(text) == text);
}

TEST_CASE("saved_report: numbers of all kinds have the same bits") {
    using limits = std::numeric_limits<double>;
    std::vector<double> numbers{0.0,
                                -0.0,
                                0.1,
                                1.0 / 3,
                                1e23,
                                limits::max(),
                                limits::min(),
                                limits::lowest(),
                                5e-324,
                                2.2e-308,
                                -1e-310,
                                9007199254740993.0,
                                limits::infinity(),
                                -limits::infinity()};
    std::mt19937_64 random{2};
    while (numbers.size() < 5000) {
        std::uint64_t const bits = random();
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (number == number) numbers.push_back(number);
    }
    report_contents made;
    made.metrics = {asked("smsp__inst_executed.sum")};
    made.values = numbers;
    auto const read = try_parse_report(saved_text(report{made}));
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    REQUIRE(read->whole().values.size() == numbers.size());
    std::size_t equal = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) equal += same_bits(read->whole().values[i], numbers[i]);
    CHECK(equal == 5000);
}

TEST_CASE("saved_report: an empty report and one without metrics are read back") {
    auto const empty = try_parse_report(saved_text(report{}));
    REQUIRE(empty);
    CHECK(empty->size() == 0);
    CHECK(empty->device().empty());
    report_contents without;
    without.ranges.push_back({"r", gpuprof::report_range::top, 2, {0, 0, 3}});
    auto const read = try_parse_report(saved_text(report{without}));
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    check_same(read->whole(), without);
}

TEST_CASE("saved_report: of texts that are no UTF-8 the rest is kept") {
    report_contents made;
    made.device = "a\xff\xfeg";
    auto const read = try_parse_report(saved_text(report{made}));
    REQUIRE(read);
    CHECK(read->device() == "a\xef\xbf\xbd\xef\xbf\xbdg");
}

// Runs in a process of its own: what it loads, it writes in other words than those of a saved report.
TEST_CASE("saved_report: child that loads" * doctest::skip()) {
    auto const loaded = gpuprof::try_load_report(std::getenv("SAVED_REPORT_FILE"));
    if (!loaded) std::_Exit(1);
    test::put(std::getenv("SAVED_REPORT_SEEN"), gpuprof::io::json(*loaded) + gpuprof::io::table(*loaded));
    std::_Exit(0);
}

TEST_CASE("saved_report: another process loads what this one measured on the embedded GPU") {
    scratch_directory scratch;
    gpuprof::device const gpu = test::embedded_gpu();
    report const measured = test::recorded_run(gpu);
    REQUIRE(measured.size() == 3);
    std::string const file = scratch.path() + "/r.json", seen = scratch.path() + "/seen";
    auto const saved = gpuprof::try_save(measured, file);
    REQUIRE_MESSAGE(saved, (saved ? std::string{} : saved.error().message()));
    REQUIRE(test::run_test_case("saved_report: child that loads",
                                {{"SAVED_REPORT_FILE", file}, {"SAVED_REPORT_SEEN", seen}}) == 0);
    CHECK(test::content_of(seen) == gpuprof::io::json(measured) + gpuprof::io::table(measured));
    auto const here = gpuprof::try_load_report(file);
    REQUIRE(here);
    check_same(here->whole(), measured.whole());
    CHECK(ask_all(*here) == ask_all(measured));
    CHECK(scratch.files() == 2);
}

namespace {

std::vector<gpuprof::metric_info> other_metrics() {
    return {asked("smsp__inst_executed.avg"), asked("smsp__inst_executed.max"),
            asked("smsp__inst_executed.sum.per_second"), asked("dram__bytes_read.sum")};
}
// The bits of all values.
std::string bits_of(report const& of) {
    std::string text;
    for (double const value : of.whole().values) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        text += std::to_string(value == value ? bits : 0) + '\n';
    }
    return text;
}

} // namespace

TEST_CASE("saved_report: child that evaluates" * doctest::skip()) {
    auto const loaded = gpuprof::try_load_report(std::getenv("SAVED_REPORT_FILE"));
    if (!loaded) std::_Exit(1);
    auto const other = gpuprof::try_evaluate(*loaded, other_metrics());
    if (!other) std::_Exit(2);
    test::put(std::getenv("SAVED_REPORT_SEEN"), bits_of(*other));
    std::_Exit(0);
}

TEST_CASE("saved_report: another process evaluates saved counters for other metrics") {
    scratch_directory scratch;
    gpuprof::device const gpu = test::embedded_gpu();
    auto const measure = [&gpu](std::vector<gpuprof::metric_info> const& metrics, bool keep) {
        test::kernels_of const kernels{gpu};
        gpuprof::profiler_options options;
        options.keep_counter_data = keep;
        auto prof = gpuprof::profiler::try_create(gpu, options, metrics);
        REQUIRE(prof);
        gpuprof::sim::set_cold_caches(true); // so that both runs take as long
        for (gpuprof::pass const& each : prof->passes()) {
            static_cast<void>(each);
            gpuprof::scope step{*prof, "step"};
            kernels.load(4);
        }
        gpuprof::sim::set_cold_caches(false);
        return *prof->try_report();
    };
    std::string const file = scratch.path() + "/r.json", seen = scratch.path() + "/seen";
    report const kept = measure({asked("smsp__inst_executed.sum"), asked("dram__bytes_read.avg")}, true);
    REQUIRE(kept.whole().counters.get() != nullptr);
    REQUIRE(gpuprof::try_save(kept, file));
    REQUIRE(test::run_test_case("saved_report: child that evaluates",
                                {{"SAVED_REPORT_FILE", file}, {"SAVED_REPORT_SEEN", seen}}) == 0);
    report const directly = measure(other_metrics(), false);
    CHECK(directly.complete());
    CHECK(directly.whole().values.size() == 4);
    CHECK(test::content_of(seen) == bits_of(directly));
}

TEST_CASE("saved_report: damaged counter data is an error that says where") {
    report_contents made;
    made.metrics = {asked("smsp__inst_executed.sum")};
    made.values = {1, 2};
    made.counter_ranges = {1, report_contents::no_range};
    made.counters = gpuprof::detail::shared<gpuprof::hw::counter_data>::make(
        gpuprof::hw::counter_data{"", gpuprof::device_source::hardware, "130000", {"a", "b"}, {1, 2, 3, 255}});
    std::string const good = saved_text(report{made});
    auto const read = try_parse_report(good);
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    check_same(read->whole(), made);
    for (auto const& [what, by, said] :
         {std::tuple{"\"130000\"", "13", "counter_data.version: a text is missing"},
          std::tuple{"\"b\"", "2", "counter_data.counters[1]: a text is missing"},
          std::tuple{"[1, null]", "[1]", "counter_data.ranges: one a row is missing"},
          std::tuple{"[1, null]", "[1, -2]", "counter_data.ranges[1]: a number"},
          std::tuple{"\"image\"", "\"picture\"", "counter_data.image: this is no base 64"},
          std::tuple{"AQID/w==", "AQID/w=", "counter_data.image: this is no base 64"},
          std::tuple{"\"counter_data\": {", "\"counter_data\": 1, \"x\": {", "counter_data.version: a text"}}) {
        auto const refused = try_parse_report(sealed(replaced(good, what, by)));
        REQUIRE_FALSE(refused);
        CHECK(test::says(refused.error(), said));
    }
}

TEST_CASE("saved_report: members that it does not know are ignored") {
    std::string text = saved_text(report{full()});
    text = replaced(text, "  \"device\"", "  \"colour\": {\"device\": [1]},\n  \"device\"");
    text = replaced(text, "{\"values\": [1, ", "{\"weight\": 3, \"values\": [1, ");
    text = replaced(text, "\"heard\": true", "\"loud\": null, \"heard\": true");
    CHECK_FALSE(try_parse_report(text)); // with the digest of another text
    auto const read = try_parse_report(sealed(text));
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    check_same(read->whole(), full());
}

TEST_CASE("saved_report: what is no report is an error that says where") {
    struct wrong {
        std::string text;
        errc code;
        char const* said;
    };
    std::string const good = saved_text(report{full()});
    auto const with = [&good](std::string_view what, std::string_view by) { return sealed(replaced(good, what, by)); };
    constexpr errc invalid = errc::invalid_argument;
    wrong const all[]{
        {"", invalid, "the text ends too early"},
        {"hello", invalid, "line 1, column 1"},
        {"{\"gpuprof_recording\": 1}", invalid, "it does not say \"gpuprof_report\""},
        {"{\"gpuprof_report\": \"1\"}", invalid, "it does not say \"gpuprof_report\""},
        {"{\"gpuprof_report\": 1}", invalid, "its digest is not that of its text"},
        {sealed("{\"gpuprof_report\": 1"), invalid, "device: a text is missing"},
        {"{\"gpuprof_report\": 2}", errc::version_mismatch, "a saved report of format 2"},
        {with("\"gpuprof_report\": 1", "\"gpuprof_report\": 0.5"), errc::version_mismatch, "reads format 1"},
        {good.substr(0, good.size() / 2), invalid, "this is no JSON"},
        {good + " x", invalid, "something follows"},
        {good + " ", invalid, "its digest is not that of its text"},
        {replaced(good, "\"count\": 2", "\"count\": 3"), invalid, "it was changed after it was written"},
        {sealed(std::string(70, '[')), invalid, "nested too deeply"},
        {std::string(gpuprof::most_saved_bytes + 1, ' '), invalid, "more than 64 MiB"},
        {with("\"source\": \"embedded\"", "\"source\": \"here\""), invalid, "source: neither"},
        {with("\"other_threads\"", "\"another\""), invalid, "completeness.other_threads: a number is missing"},
        {with("\"replay mismatch\"", "\"no\""), invalid, "completeness.problems[0]: a problem has no error code"},
        {with("\"unwatched\": {\"code\"", "\"unwatched\": {\"c\""), invalid, "completeness.unwatched: a text"},
        {with("\"during\": 1980", "\"during\": -1"), invalid, "clocks.during: a number"},
        {with("\"aggregation\": \"maximum\"", "\"aggregation\": \"top\""), invalid, "metrics[3].aggregation: this"},
        {with("[\"byte\", 2]", "[\"bite\", 2]"), invalid, "metrics[3].unit[0]: dimensions"},
        {with("[\"byte\", 2]", "[\"byte\", 0]"), invalid, "metrics[3].unit[0]: dimensions"},
        {with("[\"byte\", 2]", "[\"cycle(mcc)\", 2]"), invalid, "metrics[3].unit[1]: dimensions"},
        {with("[\"byte\", 2]", "[\"byte\", 200]"), invalid, "metrics[3].unit[0]: a number"},
        {with("[\"byte\", 2]", "[\"byte\"]"), invalid, "metrics[3].unit[0]: this is no factor"},
        {with("\"power_of_ten\": -12", "\"power_of_ten\": null"), invalid, "metrics[3].power_of_ten: a number"},
        {with("\"always 0\"", "\"never\""), invalid, "metrics[2].fidelity: this value"},
        {with("\"parent\": 0", "\"parent\": 1"), invalid, "ranges[1].parent: a number"},
        {with("\"parent\": null", "\"parent\": 0"), invalid, "ranges[0].parent: it names what is not there"},
        {with("\"rows\": [0, 1]", "\"rows\": [0, 3]"), invalid, "ranges[1].rows[1]: a number"},
        {with("\"rows\": [0, 1]", "\"rows\": [0, null]"), invalid, "ranges[1].rows[1]: a number"},
        {with("\"rows\": [0, 1]", "\"row\": [0, 1]"), invalid, "ranges[1].rows: a list is missing"},
        {with("\"alike\": false", "\"alike\": 0"), invalid, "ranges[1].launches: true or false"},
        {with("{\"values\": [1, ", "{\"values\": ["), invalid, "rows[0].values: as many numbers"},
        {with("{\"values\": [1, ", "{\"values\": [\"1\", "), invalid, "rows[0].values[0]: a value is no number"},
        {with("\"deviations\": [7", "\"deviation\": [7"), invalid, "rows[2].deviations: some rows"},
        {with("\"1764107852123456789\"", "1764107852123456789"), invalid, "rows[0].time: this is no time"},
        {with("\"18446744073709551615\"", "\"18446744073709551616\""), invalid, "rows[0].time: this is no time"},
        {with("\"18446744073709551615\"", "\"-1\""), invalid, "rows[0].time: this is no time"},
        {with("\"time\": [\"0\", \"1\"]", "\"time\": [\"0\"]"), invalid, "rows[1].time: a start and an end"},
        {with("{\"metric\": 3", "{\"metric\": 4"), invalid, "notes[1].metric: a number"},
        {with("{\"metric\": 3", "{\"metric\": null"), invalid, "notes[1].metric: a number"},
        {with("\"row\": 2,", "\"row\": 3,"), invalid, "notes[2].row: a number"},
        {with("[\"64 \", ", "[[], "), invalid, "notes[2]: a text is missing"},
        {with("[\"\", null, \"\"]", "[\"\", null]"), invalid, "notes[2]: an instance has other than three parts"},
    };
    std::size_t checked = 0;
    for (wrong const& each : all) {
        CAPTURE(std::string{each.said});
        auto const read = try_parse_report(each.text);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == each.code);
        CHECK(test::says(read.error(), each.said));
        CHECK_FALSE(read.error().remedy.empty());
        ++checked;
    }
    CHECK(checked == std::size(all));
}

TEST_CASE("saved_report: files that cannot be read or written are named") {
    scratch_directory scratch;
    auto const absent = gpuprof::try_load_report(scratch.path() + "/none.json");
    REQUIRE_FALSE(absent);
    CHECK(absent.error().code == errc::io);
    CHECK(test::says(absent.error(), "none.json"));
    auto const directory = gpuprof::try_load_report(scratch.path());
    REQUIRE_FALSE(directory);
    CHECK(directory.error().code == errc::io);
    auto const nowhere = gpuprof::try_save(report{full()}, scratch.path() + "/no/r.json");
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().code == errc::io);
    CHECK(test::says(nowhere.error(), "no/r.json"));
    std::string const file = scratch.path() + "/half.json";
    test::put(file, small().substr(0, 100));
    auto const half = gpuprof::try_load_report(file);
    REQUIRE_FALSE(half);
    CHECK(half.error().code == errc::invalid_argument);
    CHECK(test::says(half.error(), "half.json"));
    CHECK(test::says(half.error(), "line "));
    report_contents large;
    large.device = std::string(gpuprof::most_saved_bytes, 'x');
    auto const too_large = gpuprof::try_save(report{large}, file);
    REQUIRE_FALSE(too_large);
    CHECK(too_large.error().code == errc::invalid_argument);
    CHECK(test::says(too_large.error(), "64 MiB"));
    CHECK(test::content_of(file) == small().substr(0, 100)); // left as it was
#if GPUPROF_EXCEPTIONS
    CHECK_THROWS_AS(static_cast<void>(gpuprof::load_report(file)), gpuprof::exception);
    gpuprof::save(report{full()}, file);
    check_same(gpuprof::load_report(file).whole(), full());
#endif
}

TEST_CASE("saved_report: a small file with any byte changed or cut off anywhere is an error") {
    std::string const good = small();
    REQUIRE(try_parse_report(good));
    for (std::size_t length = 0; length < good.size(); ++length) {
        auto const cut = try_parse_report(good.substr(0, length));
        CHECK_FALSE(cut);
    }
    std::size_t refused = 0, changed = 0;
    for (std::size_t at = 0; at < good.size(); ++at)
        for (int const bits : {0x01, 0x10, 0x20, 0x80, 0xff}) {
            std::string text = good;
            text[at] = static_cast<char>(text[at] ^ bits);
            ++changed;
            refused += !try_parse_report(text).has_value();
        }
    CHECK(refused == changed);
    CHECK(changed > 3000);
}

// The reader itself, behind a right digest.
TEST_CASE(
    "saved_report: a byte changed behind a right digest is an error, or a report that is saved and loaded again") {
    std::string const good = small();
    std::size_t refused = 0, taken = 0;
    for (std::size_t at = 0; at < good.size(); ++at)
        for (char const byte : {'0', '7', '"', '-', ']', '}', 'e', ' ', '\0', '\xff'}) {
            std::string text = good;
            text[at] = byte;
            auto const read = try_parse_report(sealed(text));
            if (!read) {
                ++refused;
                continue;
            }
            ++taken;
            static_cast<void>(ask_all(*read));
            auto const again = try_parse_report(saved_text(*read));
            REQUIRE(again);
            CHECK(saved_text(*again) == saved_text(*read));
        }
    CHECK(refused > 1000);
    CHECK(taken > 1000);
}

TEST_CASE("saved_report: 4000 mutations of a full report crash nothing") {
    std::string const good = saved_text(report{full()});
    std::mt19937 random{20261125};
    auto const below = [&random](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>{0, limit - 1}(random);
    };
    constexpr std::string_view pieces[]{"{", "}", "[", "]", ",", ":", "\"", "null", "-1", "1e308", "1e999", "0.5", ""};
    std::size_t refused = 0, taken = 0, values = 0;
    for (int mutation = 0; mutation < 4000; ++mutation) {
        std::string text = good;
        for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
            std::size_t const at = below(text.size());
            switch (below(6)) {
                case 0: text[at] = static_cast<char>(below(256)); break;
                case 1: text.erase(at, 1 + below(40)); break;
                case 2: text.insert(at, pieces[below(std::size(pieces))]); break;
                case 3: text.insert(at, text.substr(below(text.size()), below(200))); break;
                default: { // another digit, so that it stays JSON
                    std::size_t const digit = text.find_first_of("0123456789", at);
                    if (digit != text.npos) text[digit] = static_cast<char>('0' + below(10));
                }
            }
            if (text.empty()) text = " ";
        }
        auto const read = try_parse_report(sealed(text));
        if (!read) {
            CHECK_FALSE(read.error().cause.empty());
            ++refused;
            continue;
        }
        values += ask_all(*read);
        ++taken;
    }
    CHECK(refused > 2000);
    CHECK(taken > 500);
    CHECK(values > 500);
}

} // namespace saved_report_test
