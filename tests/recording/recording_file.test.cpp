// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// recording/recording_file: what is written reads back the same, and what is no recording is told, whatever it is.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/recording/recording_file.hpp>
#include <gpuprof/recording/playback.hpp>

#include "support/recorded_program.hpp"
#include "support/sanitized.hpp"
#include "support/sealed_json.hpp"

namespace recording_file_test {

using gpuprof::errc;
using gpuprof::hw::recording;
using gpuprof::hw::to_text;
using gpuprof::hw::try_parse_recording;
using test::replaced;
using test::sealed;

namespace {

// A recording of a program on the embedded GPU, as a file has it.
std::string const& real_recording() {
    static std::string const text = [] {
        scratch_directory scratch;
        std::string const file = scratch.path() + "/r.json";
        gpuprof::recording session{file};
        gpuprof::device const gpu = test::embedded_gpu();
        static_cast<void>(test::recorded_run(gpu));
        gpuprof::hw::recorded_trace trace{{}, 3, {{gpuprof::traced_effect::waits, "cuCtxSynchronize", "", 2}}, {}};
        REQUIRE(gpuprof::detail::file_recorder{}.finish_trace(gpu, trace));
        REQUIRE(session.try_save());
        return test::content_of(file);
    }();
    return text;
}

bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

} // namespace

TEST_CASE("recording_file: numbers of all kinds read back with the same bits") {
    using limits = std::numeric_limits<double>;
    std::vector<double> numbers{0.0,
                                -0.0,
                                1,
                                -1,
                                0.1,
                                1.0 / 3,
                                9007199254740991.0,
                                9007199254740993.0,
                                1e22,
                                1e23,
                                5e-9,
                                1e300,
                                limits::max(),
                                limits::lowest(),
                                limits::min(),
                                limits::infinity(),
                                -limits::infinity()};
    std::mt19937_64 random{1};
    while (numbers.size() < 2000) {
        std::uint64_t const bits = random();
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (number == number && (number == 0 || number * number != 0 || number > 1e-300 || number < -1e-300))
            numbers.push_back(number);
    }
    recording one;
    auto& collection = one.collections.emplace_back();
    collection.metrics.emplace_back("m", gpuprof::fidelity::modelled);
    auto& range = collection.ranges.emplace_back();
    range.path = {"a\"b\\c\n\x01/d", "\xc3\xa4"};
    range.count = numbers.size();
    range.values.push_back(numbers);
    range.values[0].push_back(limits::quiet_NaN());
    auto const read = try_parse_recording(to_text(one));
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    auto const& values = read->collections.at(0).ranges.at(0).values.at(0);
    REQUIRE(values.size() == numbers.size() + 1);
    std::size_t compared = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) compared += same_bits(values[i], numbers[i]);
    CHECK(compared == 2000);
    CHECK(values.back() != values.back());
    CHECK(read->collections[0].ranges[0].path == range.path);
    CHECK(read->collections[0].metrics[0].second == gpuprof::fidelity::modelled);
}

TEST_CASE("recording_file: a recording of a program is written again as it was read") {
    auto const read = try_parse_recording(real_recording());
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    CHECK(to_text(*read) == real_recording());
    CHECK(read->device.attributes.size() > 100);
    CHECK(read->collections.size() == 1);
    CHECK(read->collections.at(0).ranges.size() == 3);
    REQUIRE(read->traces.size() == 1);
    CHECK(read->traces[0].calls == 3);
    REQUIRE(read->traces[0].found.size() == 1);
    CHECK(read->traces[0].found[0].effect == gpuprof::traced_effect::waits);
    CHECK(read->traces[0].found[0].name == "cuCtxSynchronize");
    CHECK(read->traces[0].found[0].times == 2);
    CHECK_FALSE(read->traces[0].missing.has_value());
    CHECK(sealed(real_recording()) == real_recording());
}

TEST_CASE("recording_file: what is no recording is an error that says why") {
    struct wrong {
        std::string text;
        errc code;
        char const* said;
    };
    std::string const& good = real_recording();
    std::string const list = "[1]";
    wrong const all[]{
        {"", errc::invalid_argument, "the text ends too early"},
        {"hello", errc::invalid_argument, "line 1, column 1"},
        {list, errc::invalid_argument, "it does not say \"gpuprof_recording\""},
        {"{\"gpuprof_baseline\": 1}", errc::invalid_argument, "it does not say \"gpuprof_recording\""},
        {"{\"gpuprof_recording\": \"1\"}", errc::invalid_argument, "it does not say \"gpuprof_recording\""},
        {"{\"gpuprof_recording\": 1}", errc::invalid_argument, "its digest is not that of its text"},
        {"{\"gpuprof_recording\": 3}", errc::version_mismatch, "a recording of format 3"},
        {"{\"gpuprof_recording\": -1e300}", errc::version_mismatch, "this gpuprof reads formats 1 and 2"},
        {replaced(good, "\"gpuprof_recording\": 1", "\"gpuprof_recording\": 7"), errc::version_mismatch, "format 7"},
        {good.substr(0, good.size() / 2), errc::invalid_argument, "this is no JSON"},
        {good.substr(0, good.size() - 3), errc::invalid_argument, "this is no JSON"},
        {good + "x", errc::invalid_argument, "something follows"},
        {replaced(good, "\"count\": 2", "\"count\": 3"), errc::invalid_argument, "it was changed after it was written"},
        {sealed(replaced(good, "\"device\"", "\"devise\"")), errc::invalid_argument, "has other members"},
        {sealed(replaced(good, "\"source\": \"embedded\"", "\"source\": \"here\"")), errc::invalid_argument,
         "neither hardware nor embedded"},
        {sealed(replaced(good, "[9, 0]", "[9]")), errc::invalid_argument, "no capability"},
        {sealed(replaced(good, "\"warp_size\"", "\"wrap_size\"")), errc::invalid_argument,
         "attribute that is not known"},
        {sealed(replaced(good, "\"warp_size\": 32", "\"warp_size\": 3.5")), errc::invalid_argument,
         "out of its bounds"},
        {sealed(replaced(good, "\"exact\"", "\"true\"")), errc::invalid_argument, "does not say its fidelity"},
        {sealed(replaced(good, "\"count\": 2", "\"count\": -2")), errc::invalid_argument, "out of its bounds"},
        {sealed(replaced(good, "\"path\": [\"frame\"]", "\"path\": []")), errc::invalid_argument, "no path"},
        {sealed(replaced(good, "\"kernels\": false", "\"kernels\": 0")), errc::invalid_argument, "true or false"},
        {sealed(replaced(good, "\"heard\": true", "\"heard\": null")), errc::invalid_argument, "true or false"},
        {sealed(replaced(good, "\"code\": \"not collected\"", "\"code\": \"no\"")), errc::invalid_argument,
         "no error code"},
        {sealed(replaced(good, "\"repetition\": 0", "\"repetition\": 9")), errc::invalid_argument,
         "a note is of no repetition"},
        {sealed(replaced(good, "{\"metric\": \"l", "{\"metric\": \"L")), errc::invalid_argument,
         "a note is of no metric"},
        {sealed(replaced(good, "\"effect\": \"waits\"", "\"effect\": \"sleeps\"")), errc::invalid_argument,
         "an effect that is not known"},
        {sealed(replaced(good, "\"times\": 2", "\"times\": \"2\"")), errc::invalid_argument, "out of its bounds"},
        {sealed(replaced(good, "\"calls\": 3", "\"call\": 3")), errc::invalid_argument, "a trace has other members"},
        {sealed(replaced(good, "\"found\": [", "\"found\": [0, ")), errc::invalid_argument,
         "a call of a trace has other members"},
        {sealed(replaced(good, "\"traces\": [", "\"traces\": [0, ")), errc::invalid_argument,
         "a trace has other members"},
    };
    std::size_t checked = 0;
    for (wrong const& each : all) {
        CAPTURE(std::string{each.said});
        auto const read = try_parse_recording(each.text);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == each.code);
        CHECK(test::says(read.error(), each.said));
        CHECK_FALSE(read.error().remedy.empty());
        ++checked;
    }
    CHECK(checked == 31);
}

TEST_CASE("recording_file: metrics of a range that are not those of its collection, or of unequal length, are errors") {
    recording one;
    auto& collection = one.collections.emplace_back();
    collection.metrics = {{"a", gpuprof::fidelity::exact}, {"b", gpuprof::fidelity::exact}};
    auto& range = collection.ranges.emplace_back();
    range.path = {"r"};
    range.count = 2;
    range.values = {{1, 2}, {3, 4}};
    std::string const good = to_text(one);
    REQUIRE(try_parse_recording(good));
    auto const shorter = try_parse_recording(sealed(replaced(good, "[3, 4]", "[3]")));
    REQUIRE_FALSE(shorter);
    CHECK(test::says(shorter.error(), "different numbers of repetitions"));
    auto const other = try_parse_recording(sealed(replaced(good, "\"a\": [", "\"c\": [")));
    REQUIRE_FALSE(other);
    CHECK(test::says(other.error(), "other metrics than its collection"));
    auto const text = try_parse_recording(sealed(replaced(good, "[3, 4]", "[3, \"4\"]")));
    REQUIRE_FALSE(text);
    CHECK(test::says(text.error(), "a value is no number"));
}

TEST_CASE("recording_file: files that cannot be read are named") {
    scratch_directory scratch;
    auto const absent = gpuprof::hw::try_read_recording(scratch.path() + "/none.json");
    REQUIRE_FALSE(absent);
    CHECK(absent.error().code == errc::io);
    CHECK(test::says(absent.error(), "none.json"));
    auto const directory = gpuprof::hw::try_open_recording(scratch.path());
    REQUIRE_FALSE(directory);
    CHECK(directory.error().code == errc::io);
    std::string const file = scratch.path() + "/half.json";
    test::put(file, real_recording().substr(0, 100));
    auto const half = gpuprof::hw::try_open_recording(file);
    REQUIRE_FALSE(half);
    CHECK(half.error().code == errc::invalid_argument);
    CHECK(test::says(half.error(), "half.json"));
}

// What the program of the recording has when its loop has ended, on a recorded device.
gpuprof::report_contents program() {
    gpuprof::report_contents made;
    for (char const* const name :
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "smsp__warps_launched.sum", "l1tex__t_sector_hit_rate.pct",
          "launch__grid_size", "launch__occupancy_limit_warps", "device__attribute_display_name"})
        made.metrics.push_back(*gpuprof::try_metric(name));
    made.ranges = {{"frame", gpuprof::report_range::top, 1, {0}}, {"step", 0, 2, {1, 2}}, {"last", 0, 1, {3}}};
    made.values.assign(4 * made.metrics.size(), std::numeric_limits<double>::quiet_NaN());
    return made;
}

// Plays a recording to the program, and asks the report for everything.
std::size_t values_of(recording const& from) {
    gpuprof::hw::replay_session session{"fuzzed.json", from};
    gpuprof::report_contents made = program();
    gpuprof::detail::playback{session, "", false, made}.play();
    gpuprof::report const report{std::move(made)};
    static_cast<void>(gpuprof::io::table(report));
    std::size_t values = 0;
    for (gpuprof::range_view const range : report)
        for (auto const& metric : report.metrics()) {
            values += range.try_value(metric.name).has_value();
            static_cast<void>(range.try_provided(metric.name));
        }
    return values;
}

// Bytes changed, put in, left out and repeated, with the old digest and with a right one.
TEST_CASE("recording_file: mutations of a recording crash nothing, and with the old digest each is an error") {
    std::string const& good = real_recording();
    std::mt19937 random{20260101};
    auto const below = [&random](std::size_t limit) {
        return std::uniform_int_distribution<std::size_t>{0, limit - 1}(random);
    };
    constexpr std::string_view pieces[]{
        "{",  "}",     "[",     "]",   ",",       ":",    "\"",       "null",         "true",
        "-1", "1e308", "1e999", "0.5", "\\u0000", "\xff", "[[[[[[[[", "\"infinite\"", "18446744073709551616",
        "\n", ""};
    CHECK(values_of(*try_parse_recording(good)) == 3 * 6 - 5); // 3 texts; 2 of launches where kernels differ
    std::size_t refused = 0, taken = 0, mutations = 0, values = 0;
    constexpr std::size_t all = sanitized ? 2000 : 6000;
    for (; mutations < all; ++mutations) {
        std::string text = good;
        for (std::size_t changes = 1 + below(3); changes > 0; --changes) {
            std::size_t const at = below(text.size());
            switch (below(8)) {
                case 0: text[at] = static_cast<char>(below(256)); break;
                case 1: text[at] = static_cast<char>(text[at] ^ (1 << below(7))); break;
                case 2: text.erase(at, 1 + below(40)); break;
                case 3: text.insert(at, pieces[below(std::size(pieces))]); break;
                case 4:
                case 5:
                case 6: { // another digit, so that it stays JSON
                    std::size_t const digit = text.find_first_of("0123456789", at);
                    if (digit != text.npos) text[digit] = static_cast<char>('0' + below(10));
                    break;
                }
                default: text.insert(at, text.substr(below(text.size()), below(200))); break;
            }
            if (text.empty()) text = " ";
        }
        if (text == good) continue;
        bool const seal = mutations % 3 != 0;
        auto const read = try_parse_recording(seal ? sealed(text) : text);
        if (!seal) CHECK_FALSE(read);
        if (!read) {
            bool const typed =
                read.error().code == errc::invalid_argument || read.error().code == errc::version_mismatch;
            CHECK(typed);
            CHECK_FALSE(read.error().message().empty());
            ++refused;
        } else { // what is taken is a recording: it is written and read again
            auto const again = try_parse_recording(to_text(*read));
            REQUIRE_MESSAGE(again, (again ? std::string{} : again.error().message()));
            CHECK(to_text(*again) == to_text(*read));
            values += values_of(*read);
            ++taken;
        }
    }
    CHECK(mutations == all);
    CHECK(refused > all / 2);
    CHECK(values > all / 6);
    CHECK(taken > all / 30); // names and numbers that were changed behind a right digest
}

} // namespace recording_file_test
