// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/source_view.hpp: the table to the character, JSON and CSV that say the same, and hostile text in HTML.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include <gpuprof/io/source_view.hpp>
#include <gpuprof/io/source_view_json.hpp>
#include <gpuprof/text/json_value.hpp>

namespace io_source_view_test {

namespace explain = gpuprof::explain;
using gpuprof::json_value;

namespace {

explain::source_instruction instruction(std::uint64_t place, std::string text, std::uint64_t executed,
                                        std::uint64_t sectors, std::uint64_t ideal, std::uint64_t samples) {
    explain::source_instruction made;
    made.function = "_Z4copyPf";
    made.module = 0xabc;
    made.pc_offset = place;
    made.text = std::move(text);
    made.counts.instructions = executed;
    made.counts.threads = 32 * executed;
    made.counts.threads_on = 32 * executed;
    made.counts.global_sectors = sectors;
    made.counts.global_ideal = ideal;
    made.counts.samples = samples;
    if (samples != 0) made.counts.stalls = {{0, samples, 0}};
    return made;
}

// Two files; the hottest line has 75 of 100 samples.
explain::source_view copied() {
    explain::source_view view;
    view.device = "Paper GPU";
    view.chip = "GH100";
    for (explain::source_metric const& each : explain::source_metrics) view.metrics.emplace_back(each.name);
    view.reasons = {{"long_scoreboard", gpuprof::stall_reason::long_scoreboard}};
    explain::source_file file;
    file.path = "/src/copy.cu";
    file.could_be_read = true;
    auto const add = [&](std::uint32_t number, std::string text, explain::source_instruction one) {
        explain::source_line line;
        line.line = number;
        line.text = std::move(text);
        line.counts = one.counts;
        line.instructions.push_back(std::move(one));
        file.counts += line.counts;
        view.counts += line.counts;
        if (line.counts.samples > view.hottest) view.hottest = line.counts.samples;
        file.lines.push_back(std::move(line));
    };
    add(12, "\tto[i] = from[32 * i];", instruction(0x90, "LDG.E R0, desc[UR4][R2.64]", 1000, 32000, 4000, 75));
    add(14, "}", instruction(0xa0, "EXIT", 1000, 0, 0, 10));
    view.files.push_back(std::exchange(file, {}));
    file.path = "/src/<b>.hpp";
    auto inlined = instruction(0x98, "FMUL R5, R0, R5", 500, 0, 0, 15);
    inlined.inlined_at = {{"", "/src/more.hpp", 3}, {"/src", "copy.cu", 13}};
    add(7, "return x < y && \"z\";", std::move(inlined));
    view.files.push_back(std::move(file));
    return view;
}

} // namespace

TEST_CASE("source view: a table has the counts that there are, and the instructions of hot lines") {
    CHECK(gpuprof::io::table(copied()) ==
          "Paper GPU: heat is of samples\n"
          "\n"
          "/src/copy.cu\n"
          "line   heat  samples  instructions  excess sectors  source\n"
          "  12  100 %       75         1,000          28,000      to[i] = from[32 * i];\n"
          "      100 %       75         1,000          28,000      LDG.E R0, desc[UR4][R2.64]\n"
          "  14   13 %       10         1,000                  }\n"
          "\n"
          "/src/<b>.hpp (could not be read)\n"
          "line  heat  samples  instructions  excess sectors  source\n"
          "   7  20 %       15           500                  return x < y && \"z\";\n");
}

TEST_CASE("source view: a table is no wider than it may be") {
    for (std::size_t columns : {60u, 80u, 100u, 200u}) {
        CAPTURE(columns);
        std::string const text = gpuprof::io::table(copied(), {columns, 0});
        std::size_t widest = 0;
        for (std::size_t at = 0; at < text.size();) {
            std::size_t const end = text.find('\n', at);
            widest = std::max(widest, end - at);
            at = end + 1;
        }
        CHECK(widest <= columns);
        CHECK(text.find(columns == 200 ? "FMUL R5, R0, R5  // inlined at /src/copy.cu:13" : "FMUL R5, R0, R5") !=
              text.npos);
    }
}

TEST_CASE("source view: a table says what is missing and why") {
    explain::source_view view = copied();
    view.no_counts = gpuprof::error{gpuprof::errc::version_mismatch, 0, "counting", "it is CUPTI 13.0", "take another"};
    view.unplaced.push_back({"_Z4slowv", "the module has no line for the instruction", {}});
    view.complete = false;
    std::string const text = gpuprof::io::table(view);
    CHECK(text.find("\nno counts of instructions: ") != text.npos);
    CHECK(text.find("it is CUPTI 13.0") != text.npos);
    CHECK(text.find("\nwithout a line: 0 instructions and 0 samples of slow(); the module has no line") != text.npos);
    CHECK(text.find("\nsamples or counts were lost") != text.npos);
}

TEST_CASE("source view: JSON has every count of every line and instruction") {
    auto const parsed = gpuprof::try_read_json(gpuprof::io::json(copied()));
    REQUIRE(parsed);
    CHECK(parsed->number_of("gpuprof_source_view", 0) == 1);
    CHECK(parsed->text_of("device") == "Paper GPU");
    auto const list = [](json_value const& of, std::string_view name) -> std::vector<json_value> const& {
        json_value const* const found = of.find(name);
        REQUIRE(found != nullptr);
        return found->items;
    };
    auto const& columns = list(*parsed, "columns");
    REQUIRE(columns.size() == std::size(explain::source_columns));
    auto const count = [&](json_value const& of, std::string_view column) {
        for (std::size_t i = 0; i < columns.size(); ++i)
            if (columns[i].text == column) return list(of, "counts")[i].number;
        return -1.0;
    };
    auto const& files = list(*parsed, "files");
    REQUIRE(files.size() == 2);
    CHECK(files[0].text_of("path") == "/src/copy.cu");
    CHECK(count(files[0], "samples") == 85);
    auto const& lines = list(files[0], "lines");
    REQUIRE(lines.size() == 2);
    CHECK(lines[0].number_of("line", 0) == 12);
    CHECK(lines[0].text_of("text") == "\tto[i] = from[32 * i];");
    CHECK(count(lines[0], "global_excess_sectors") == 28000);
    auto const& load = list(lines[0], "instructions")[0];
    CHECK(load.text_of("function") == "_Z4copyPf");
    CHECK(load.text_of("module") == "abc");
    CHECK(load.number_of("pc_offset", 0) == 0x90);
    CHECK(count(load, "threads") == 32000);
    REQUIRE(list(load, "stalls").size() == 1);
    CHECK(list(load, "stalls")[0].items[1].number == 75);
    auto const& scale = list(list(files[1], "lines")[0], "instructions")[0];
    REQUIRE(list(scale, "inlined_at").size() == 2);
    CHECK(list(scale, "inlined_at")[1].text_of("path") == "/src/copy.cu");
    CHECK(list(scale, "inlined_at")[1].number_of("line", 0) == 13);

    explain::source_view sampled = copied();
    sampled.metrics.clear();
    auto const fewer = gpuprof::try_read_json(gpuprof::io::json(sampled));
    REQUIRE(fewer);
    CHECK(list(*fewer, "columns").size() == 2); // samples, and those that nobody hid
}

TEST_CASE("source view: CSV has a line an instruction") {
    explain::source_view view = copied();
    view.metrics = {"smsp__sass_inst_executed"};
    view.reasons.clear();
    CHECK(gpuprof::io::csv(view) ==
          "file,line,source,function,pc_offset,instruction,inlined_at,instructions\r\n"
          "/src/copy.cu,12,\tto[i] = from[32 * i];,_Z4copyPf,144,\"LDG.E R0, desc[UR4][R2.64]\",,1000\r\n"
          "/src/copy.cu,14,},_Z4copyPf,160,EXIT,,1000\r\n"
          "/src/<b>.hpp,7,\"return x < y && \"\"z\"\";\",_Z4copyPf,152,\"FMUL R5, R0, R5\",/src/copy.cu:13,500\r\n");
}

TEST_CASE("source view: HTML is escaped, has the heat, and leaves out the coolest lines") {
    std::string const all = gpuprof::io::html_rows(copied());
    CHECK(all.find("<caption>/src/&lt;b&gt;.hpp (could not be read)</caption>") != all.npos);
    CHECK(all.find("<b>") == all.npos);
    CHECK(all.find("return x &lt; y &amp;&amp; &quot;z&quot;;") != all.npos);
    CHECK(all.find("<tr class=\"line\" style=\"--heat:1.000\"><th scope=\"row\">12</th><td>75</td>") != all.npos);
    CHECK(all.find("<tr class=\"line\" style=\"--heat:0.200\"><th scope=\"row\">7</th><td>15</td>") != all.npos);
    CHECK(all.find("FMUL R5, R0, R5  // inlined at /src/copy.cu:13") != all.npos);
    CHECK(all.find("left out") == all.npos);
    std::string const hot = gpuprof::io::html_rows(copied(), 1);
    CHECK(hot.find(">12</th>") != hot.npos);
    CHECK(hot.find(">14</th>") == hot.npos);
    CHECK(hot.find(">7</th>") == hot.npos);
    CHECK(hot.find("<p>2 cooler lines are left out.</p>") != hot.npos);
    CHECK(gpuprof::io::html_rows(copied(), 0).find("<p>3 cooler lines are left out.</p>") != std::string::npos);
    CHECK(gpuprof::io::html_rows({}).empty());
}

TEST_CASE("source view: what was written as JSON is read back, and says the same") {
    explain::source_view view = copied();
    view.how = gpuprof::fidelity::estimated;
    view.complete = false;
    view.no_text = gpuprof::error{gpuprof::errc::unavailable, 3, "nvdisasm", "there is \"none\"", "install it"};
    view.unplaced.push_back({"_Z4slowv", "it has no lines", {}});
    view.unplaced[0].counts.samples = 7;
    view.add_up();
    std::string const text = gpuprof::io::json(view);
    auto const read = gpuprof::io::try_parse_source_view(text);
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    CHECK(gpuprof::io::json(*read) == text);
    CHECK(gpuprof::io::table(*read) == gpuprof::io::table(view));
    REQUIRE(read->files.size() == 2);
    explain::source_instruction const& first = read->files[0].lines[0].instructions[0];
    CHECK(first.module == 0xabc);
    CHECK(first.counts.global_sectors == 32000);
    CHECK(first.counts.threads == 32000);
    REQUIRE(first.counts.stalls.size() == 1);
    CHECK(first.counts.stalls[0].samples == 75);
    CHECK(read->counts.samples == 75 + 10 + 15 + 7);
    CHECK(read->hottest == 75);
    CHECK(read->reasons[0].reason == gpuprof::stall_reason::long_scoreboard);
    REQUIRE(read->no_text);
    CHECK(read->no_text->cause == "there is \"none\"");
    CHECK_FALSE(read->no_counts);
}

TEST_CASE("source view: a file that is none, is damaged or is of later is refused, and it is said where") {
    using gpuprof::errc;
    using gpuprof::io::try_parse_source_view;
    std::string const good = gpuprof::io::json(copied());
    auto const with = [&](std::string_view what, std::string_view instead) {
        std::string text = good;
        std::size_t at = text.find(what);
        REQUIRE(at != text.npos);
        for (; at != text.npos; at = text.find(what, at + instead.size())) text.replace(at, what.size(), instead);
        return text;
    };
    CHECK(try_parse_source_view("{}").error().code == errc::invalid_argument);
    CHECK(try_parse_source_view(good.substr(0, good.size() / 2)).error().code == errc::invalid_argument);
    CHECK(try_parse_source_view(with("\"gpuprof_source_view\": 1", "\"gpuprof_source_view\": 2")).error().code ==
          errc::version_mismatch);
    auto const stall = try_parse_source_view(with("[0, 75, 0]", "[1, 75, 0]")); // there is one reason
    REQUIRE_FALSE(stall);
    CHECK(stall.error().cause.find("files[0].lines[0].instructions[0].stalls[0]") != std::string::npos);
    CHECK_FALSE(try_parse_source_view(with("\"module\": \"abc\"", "\"module\": \"xyz\"")));
    CHECK_FALSE(try_parse_source_view(with("\"line\": 12", "\"line\": -12")));
    CHECK_FALSE(try_parse_source_view(with("\"could_be_read\": true, ", "")));
    CHECK(gpuprof::io::try_read_source_view("/no/such/file").error().code == errc::io);
}

} // namespace io_source_view_test
