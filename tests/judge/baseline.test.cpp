// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that are kept and compared with later ones; files that are no baselines.
#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/judge/baseline.hpp>

#include "judge/judged_reports.hpp"
#include "support/sanitized.hpp"
#include "support/scratch_directory.hpp"
#include "support/system.hpp"

namespace baseline_test {

namespace metrics = gpuprof::metrics;
using gpuprof::baseline;
using gpuprof::change;
using gpuprof::errc;
using gpuprof::fidelity;
using gpuprof::verdict;

namespace {

baseline baseline_of(std::vector<made_value> const& values,
                     gpuprof::device_source source = gpuprof::device_source::embedded) {
    auto made = contents_of(values);
    made.source = source;
    return *baseline::try_of(gpuprof::report{made});
}
change change_of(made_value const& before, made_value const& after,
                 gpuprof::device_source source = gpuprof::device_source::embedded) {
    auto const changes = gpuprof::try_compare(baseline_of({before}, source), baseline_of({after}, source));
    REQUIRE(changes.has_value());
    REQUIRE(changes->size() == 1);
    return changes->front().what;
}

constexpr char kept[] = R"({
  "gpuprof_baseline": 1,
  "device": "Paper GPU",
  "chip": "GH100",
  "source": "embedded",
  "ranges": {
    "step": {
      "dram__bytes.sum": {"value": 1024, "unit": "byte", "fidelity": "modelled"},
      "lts__t_sector_hit_rate.pct": {"value": 12.5, "unit": "%", "fidelity": "exact"}
    }
  }
}
)";

} // namespace

TEST_CASE("baselines: the text has a line for each value, in the order of names, and reads back") {
    baseline const made = baseline_of({{metrics::l2_hit_rate, 12.5}, {metrics::dram_bytes, 1024, fidelity::modelled}});
    CHECK(made.text() == kept);
    auto const read = baseline::try_parse(kept);
    REQUIRE(read.has_value());
    CHECK(read->text() == kept);
    CHECK(read->values[1].value == 12.5);
    CHECK(read->values[0].how == fidelity::modelled);
    CHECK(baseline{}.text() == baseline::try_parse(baseline{}.text())->text());
    baseline odd;
    odd.chip = "a \"quoted\"\\ \n \x01 chip";
    odd.values = {{"r\xc3\xa9gion/a", "m", "", 1e300, fidelity::exact}, {"s", "m", "", 0.1, fidelity::estimated}};
    auto const back = baseline::try_parse(odd.text());
    REQUIRE(back.has_value());
    CHECK(back->chip == odd.chip);
    CHECK(back->values[0].range == odd.values[0].range);
    CHECK(back->values[0].value == 1e300);
    CHECK(back->values[1].value == 0.1);
}

TEST_CASE("baselines: what is better follows from the metric, exact values have no room, others have 2 %") {
    using gpuprof::device_source;
    made_value const bytes{metrics::dram_bytes, 1000};
    CHECK(change_of(bytes, {metrics::dram_bytes, 1000}) == change::same);
    CHECK(change_of(bytes, {metrics::dram_bytes, 1001}) == change::worse);
    CHECK(change_of(bytes, {metrics::dram_bytes, 999}) == change::better);
    made_value const modelled{metrics::dram_bytes, 1000, fidelity::modelled};
    CHECK(change_of(modelled, {metrics::dram_bytes, 1020, fidelity::modelled}) == change::same);
    CHECK(change_of(modelled, {metrics::dram_bytes, 1021, fidelity::modelled}) == change::worse);
    CHECK(change_of(bytes, {metrics::dram_bytes, 1020}, device_source::hardware) == change::same);
    CHECK(change_of(bytes, {metrics::dram_bytes, 1021}, device_source::hardware) == change::worse);
    CHECK(change_of({metrics::l2_hit_rate, 50}, {metrics::l2_hit_rate, 60}) == change::better);
    CHECK(change_of({metrics::l2_hit_rate, 50}, {metrics::l2_hit_rate, 40}) == change::worse);
    CHECK(change_of({metrics::achieved_occupancy, 50}, {metrics::achieved_occupancy, 40}) == change::worse);
    CHECK(change_of({metrics::global_load_sectors_per_request, 4}, {metrics::global_load_sectors_per_request, 8}) ==
          change::worse);
    CHECK(change_of({metrics::warps_launched, 12}, {metrics::warps_launched, 13}) == change::changed);
}

TEST_CASE("baselines: values of one side only are told, and a table shows what changed") {
    auto const before =
        baseline_of({{metrics::dram_bytes, 1000}, {metrics::warps_launched, 12}, {metrics::l2_hit_rate, 0}});
    auto const after =
        baseline_of({{metrics::dram_bytes, 1500}, {metrics::l2_hit_rate, 0}, {metrics::l1_hit_rate, 20}});
    auto const changes = gpuprof::try_compare(before, after);
    REQUIRE(changes.has_value());
    CHECK(gpuprof::markdown(*changes) == "4 values: 1 worse, 0 better, 0 changed, 1 added, 1 removed\n\n"
                                         "| range | metric | before | after | unit | change | |\n"
                                         "|---|---|---:|---:|---|---:|---|\n"
                                         "| step | `dram__bytes.sum` | 1,000 | 1,500 | bytes | +50 % | worse |\n"
                                         "| step | `l1tex__t_sector_hit_rate.pct` |  | 20 | % |  | added |\n"
                                         "| step | `smsp__warps_launched.sum` | 12 |  | warps |  | removed |\n");
    CHECK(gpuprof::markdown(*gpuprof::try_compare(before, before)) ==
          "3 values: 0 worse, 0 better, 0 changed, 0 added, 0 removed\n");
}

TEST_CASE("baselines: devices and fidelities that differ are refused, unless that is meant") {
    auto const before = baseline_of({{metrics::dram_bytes, 1000}});
    auto const on_gpu = baseline_of({{metrics::dram_bytes, 1000}}, gpuprof::device_source::hardware);
    auto const modelled = baseline_of({{metrics::dram_bytes, 1000, fidelity::modelled}});
    auto const refused = gpuprof::try_compare(before, on_gpu);
    REQUIRE(!refused.has_value());
    CHECK(refused.error().code == errc::invalid_argument);
    CHECK(refused.error().cause == "Paper GPU (GH100, embedded) and Paper GPU (GH100, hardware)");
    CHECK(!gpuprof::try_compare(before, modelled).has_value());
    gpuprof::baseline_options meant;
    meant.across_devices = meant.across_fidelities = true;
    CHECK(gpuprof::try_compare(before, on_gpu, meant)->front().what == change::same);
    CHECK(gpuprof::try_compare(before, modelled, meant)->front().what == change::same);
}

TEST_CASE("baselines: files of others, of later versions and none at all give errors that say so") {
    auto const code = [](std::string_view text) {
        auto const read = baseline::try_parse(text);
        return read ? errc::internal : read.error().code;
    };
    CHECK(code("") == errc::invalid_argument);
    CHECK(code("{}") == errc::invalid_argument);
    CHECK(code("[1, 2]") == errc::invalid_argument);
    CHECK(code(R"({"traceEvents": []})") == errc::invalid_argument);
    CHECK(code(R"({"gpuprof_baseline": 1})") == errc::invalid_argument);
    CHECK(code(R"({"gpuprof_baseline": 1, "source": "hardware"})") == errc::invalid_argument);
    CHECK(code(R"({"gpuprof_baseline": 1, "source": "hardware", "ranges": {"a": 1}})") == errc::invalid_argument);
    CHECK(code(R"({"gpuprof_baseline": 1, "source": "hardware", "ranges": {"a": {"m": {"value": "1"}}}})") ==
          errc::invalid_argument);
    CHECK(code(R"({"gpuprof_baseline": 2, "new": true})") == errc::version_mismatch);
    CHECK(baseline::try_parse(R"({"gpuprof_baseline": 2})").error().message() ==
          "version mismatch: a baseline of format 2; because this gpuprof reads format 1; remedy: use the gpuprof that "
          "wrote it, "
          "or write it anew with GPUPROF_UPDATE_BASELINES=1");
    CHECK(baseline::try_parse("{\"gpuprof_baseline\": 1,\n \"device\": oops}").error().what ==
          "this is no JSON: line 2, column 12");
    CHECK(baseline::try_read("/nonexistent/file.json").error().code == errc::io);
    CHECK(baseline::try_read("/").error().code == errc::io);
}

TEST_CASE("baselines: a file cut anywhere, or with any byte changed, is read or refused, never more") {
    std::string const whole{kept};
    for (std::size_t size = 0; size + 2 < whole.size(); ++size) // without its last } and line end it is no JSON
        CHECK(!baseline::try_parse(std::string_view{whole}.substr(0, size)).has_value());
    std::uint32_t state = 12345;
    auto const random = [&state] { return (state = state * 1664525u + 1013904223u) >> 8; };
    std::size_t accepted = 0;
    for (int i = 0; i < (sanitized ? 20'000 : 200'000); ++i) {
        std::string text = whole;
        for (unsigned edits = 1 + random() % 4; edits > 0; --edits) {
            std::size_t const at = random() % text.size();
            switch (random() % 4) {
                case 0: text[at] = static_cast<char>(random()); break;
                case 1: text.erase(at, 1 + random() % 8); break;
                case 2: text.insert(at, 1, "{}[]\",:0-e\\\x00\xff"[random() % 13]); break;
                case 3: text.insert(at, text.substr(random() % text.size(), random() % 40)); break;
            }
            if (text.empty()) text = "x";
        }
        if (auto const read = baseline::try_parse(text)) {
            ++accepted;
            CHECK(baseline::try_parse(read->text()).has_value());
        }
    }
    CHECK(accepted > 0); // a digit or a letter of a name
}

TEST_CASE("baselines: an expectation writes its file when told to, and compares with it otherwise") {
    scratch_directory const folder;
    gpuprof::expect::unchanged_since const unchanged{folder.path(), "saxpy"};
    auto const seen = [](double bytes) {
        return gpuprof::observation{report_of({{metrics::dram_bytes, bytes}}), "step"};
    };
    CHECK(unchanged(seen(1000)).verdict == verdict::inconclusive); // no file
    ::setenv("GPUPROF_UPDATE_BASELINES", "1", 1);
    CHECK(unchanged(seen(1000)).verdict == verdict::pass);
    ::unsetenv("GPUPROF_UPDATE_BASELINES");
    CHECK(baseline::try_read(folder.path() + "/saxpy.GH100.json")->values[0].range == "saxpy");
    CHECK(unchanged(seen(1000)).verdict == verdict::pass);
    auto const worse = unchanged(seen(2000));
    CHECK(worse.verdict == verdict::fail);
    CHECK(has(worse.text(), "worse: dram__bytes.sum: 1,000 -> 2,000 bytes"));
    CHECK(has(worse.text(), "kernel: saxpy<<<"));
    REQUIRE(gpuprof::platform::write_file(folder.path() + "/saxpy.GH100.json", "{\"gpuprof_baseline\": 1"));
    CHECK(has(unchanged(seen(1000)).reason, "this is no JSON: line 1, column 23"));
    CHECK(unchanged(gpuprof::observation{gpuprof::error{}}).verdict == verdict::inconclusive);
}

TEST_CASE("baselines: where a metric has no value nothing is written, and nothing passes") {
    scratch_directory const folder;
    gpuprof::expect::unchanged_since const unchanged{folder.path(), "empty"};
    double const none = std::numeric_limits<double>::quiet_NaN(); // 0/0
    gpuprof::observation const seen{report_of({{metrics::dram_bytes, 1000}, {metrics::l2_hit_rate, none}}), "step"};
    ::setenv("GPUPROF_UPDATE_BASELINES", "1", 1);
    auto const written = unchanged(seen);
    ::unsetenv("GPUPROF_UPDATE_BASELINES");
    CHECK(written.verdict == verdict::inconclusive);
    CHECK(has(written.text(), "lts__t_sector_hit_rate.pct"));
    CHECK(folder.files() == 0);
    REQUIRE(baseline_of({{metrics::dram_bytes, 1000}}, gpuprof::device_source::hardware)
                .try_write(folder.path() + "/empty.GH100.json"));
    CHECK(unchanged(seen).verdict == verdict::inconclusive);
}

TEST_CASE("baselines: where nothing was measured, nothing is written, and the check is inconclusive") {
    scratch_directory const folder;
    gpuprof::expect::unchanged_since const unchanged{folder.path(), "empty"};
    double const nan = std::numeric_limits<double>::quiet_NaN();
    gpuprof::observation const quotient{report_of({{metrics::l2_hit_rate, nan}}), "step"};
    auto idle = contents_of({{metrics::dram_bytes, 0}, {metrics::grid_size, 1}});
    idle.ranges.front().launches.kernels = 0;
    gpuprof::observation const nothing_ran{gpuprof::report{idle}, "step"};
    ::setenv("GPUPROF_UPDATE_BASELINES", "1", 1);
    CHECK(unchanged(quotient).verdict == verdict::inconclusive);
    CHECK(has(unchanged(quotient).reason, "its divisor was 0"));
    CHECK(unchanged(nothing_ran).verdict == verdict::inconclusive);
    CHECK(has(unchanged(nothing_ran).reason, "no kernel ran in the range"));
    ::unsetenv("GPUPROF_UPDATE_BASELINES");
    CHECK(folder.files() == 0);
    // Also beside a file that was written where nothing was measured.
    baseline none = baseline_of({}, gpuprof::device_source::hardware);
    REQUIRE(none.try_write(folder.path() + "/empty.GH100.json"));
    CHECK(unchanged(quotient).verdict == verdict::inconclusive);
}

TEST_CASE("baselines: values near the largest number are compared as others are") {
    using gpuprof::device_source;
    for (double const value : {9e307, 1.7e308}) {
        made_value const before{metrics::dram_bytes, value};
        CHECK(change_of(before, {metrics::dram_bytes, value / 1000}, device_source::hardware) == change::better);
        CHECK(change_of(before, {metrics::dram_bytes, value * 0.99}, device_source::hardware) == change::same);
    }
    CHECK(change_of({metrics::dram_bytes, -1.7e308}, {metrics::dram_bytes, 1.7e308}, device_source::hardware) ==
          change::worse);
}

TEST_CASE("baselines: a failure shows the metric that changed") {
    scratch_directory const folder;
    gpuprof::expect::unchanged_since const unchanged{folder.path(), "two"};
    auto const seen = [](double sectors) {
        return gpuprof::observation{
            report_of(
                {{metrics::dram_bytes, 8}, {metrics::warps_launched, 12}, {metrics::global_load_sectors, sectors}}),
            "step"};
    };
    ::setenv("GPUPROF_UPDATE_BASELINES", "1", 1);
    REQUIRE(unchanged(seen(1000)).verdict == verdict::pass);
    ::unsetenv("GPUPROF_UPDATE_BASELINES");
    auto const worse = unchanged(seen(2000));
    CHECK(worse.verdict == verdict::fail);
    std::string const text = worse.text();
    CHECK(has(text, "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum = 2,000 sectors"));
    CHECK_FALSE(has(text, "dram__bytes.sum = "));
}

} // namespace baseline_test
