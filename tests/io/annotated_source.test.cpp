// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/stall_table.hpp and io/annotated_source.hpp: tables to the character, and hostile names and texts in HTML.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gpuprof/io/annotated_source.hpp>
#include <gpuprof/io/stall_table.hpp>

namespace annotated_source_test {

using gpuprof::pc_samples;
using gpuprof::source_table;
using gpuprof::stall_reason;

namespace {

pc_samples two_kernels() {
    pc_samples samples;
    samples.device = "Paper GPU";
    samples.chip = "GH100";
    samples.period = 10;
    samples.reasons = {{"wait", stall_reason::wait},
                       {"long_scoreboard", stall_reason::long_scoreboard},
                       {"selected", stall_reason::selected},
                       {"barrier", stall_reason::barrier}};
    gpuprof::pc_record record;
    record.function = "_Z4fillIfEvPT_S0_";
    record.stalls = {{0, 10, 5}, {1, 2990, 2495}};
    samples.add(record);
    record.function = "add";
    record.stalls = {{0, 250, 0}, {1, 250, 0}, {2, 300, 0}, {3, 200, 0}};
    samples.add(record);
    samples.total = 4000;
    return samples;
}

source_table one_file() {
    source_table table;
    table.device = "Paper GPU";
    table.reasons = two_kernels().reasons;
    gpuprof::sampled_file file;
    file.path = "/src/fill.cu";
    file.text = "one\ntwo\nthree\n\tfour\nfive\nsix\nseven\neight\nnine\nten\n";
    file.lines = {{4, 75, 60, {{1, 70, 60}, {0, 5, 0}}}, {10, 25, 0, {{2, 25, 0}}}};
    file.samples = 100;
    table.files = {file};
    table.samples = 100;
    return table;
}

} // namespace

TEST_CASE("a table of kernels says what their warps were at, most samples first") {
    CHECK(gpuprof::io::table(two_kernels()) ==
          "Paper GPU (GH100): continuous, a sample every 2^10 cycles\n"
          "kernel                           samples   share  not hidden  warps are at\n"
          "void fill<float>(float*, float)    3,000  75.0 %      83.3 %  long_scoreboard 99.7 %, wait 0.3 %\n"
          "add                                1,000  25.0 %       0.0 %  selected 30.0 %, wait 25.0 %, long_scoreboard "
          "25.0 %\n");
}

TEST_CASE("a table of kernels says what is missing") {
    pc_samples samples;
    samples.device = "embedded GPU (GH100)";
    samples.chip = "GH100";
    samples.how = gpuprof::fidelity::estimated;
    samples.mode = gpuprof::pc_sampling_mode::kernel_serialized;
    samples.dropped = 1234;
    samples.buffer_full = 2;
    samples.lost_records = 3;
    samples.non_user = 9;
    samples.unnamed = 5;
    CHECK(
        gpuprof::io::table(samples) ==
        "embedded GPU (GH100), estimated: serialised\n"
        "kernel  samples  share  not hidden  warps are at\n"
        "dropped: 1,234 samples; choose a longer period\n"
        "the hardware buffer was full 2 times, and samples were lost; fetch more often, or choose a larger buffer or a "
        "longer period\n"
        "no room in the last fetch for 3 instructions; fetch before the end\n"
        "of other kernels: 4 samples\n"
        "without a record: 5 samples; CUPTI names no kernel that ran under a profiler before it was sampled: sample "
        "first, or call tracer::try_detach() or hw::try_detach() between\n");
}

TEST_CASE("lines of the source have their samples beside them") {
    CHECK(gpuprof::io::table(one_file()) ==
          "Paper GPU: 100 samples\n"
          "\n"
          "/src/fill.cu\n"
          "line  samples   share  not hidden  source    warps are at\n"
          " ...\n"
          "   2                               two\n"
          "   3                               three\n"
          "   4       75  75.0 %      80.0 %      four  long_scoreboard 93.3 %, wait 6.7 %\n"
          "   5                               five\n"
          "   6                               six\n"
          " ...\n"
          "   8                               eight\n"
          "   9                               nine\n"
          "  10       25  25.0 %       0.0 %  ten       selected 100.0 %\n");
}

TEST_CASE("lines next to each other are shown once, and those beyond the text too") {
    source_table table = one_file();
    table.files[0].text = "one\ntwo\n";
    table.files[0].lines = {{1, 50, 0, {{2, 50, 0}}}, {2, 25, 0, {{2, 25, 0}}}, {9, 25, 0, {{2, 25, 0}}}};
    CHECK(gpuprof::io::table(table, {1}) == "Paper GPU: 100 samples\n"
                                            "\n"
                                            "/src/fill.cu\n"
                                            "line  samples   share  not hidden  source  warps are at\n"
                                            "   1       50  50.0 %       0.0 %  one     selected 100.0 %\n"
                                            "   2       25  25.0 %       0.0 %  two     selected 100.0 %\n"
                                            " ...\n"
                                            "   8\n"
                                            "   9       25  25.0 %       0.0 %          selected 100.0 %\n");
}

TEST_CASE("samples without a line are told with the reason, and lost ones too") {
    source_table table;
    table.device = "Paper GPU";
    table.unplaced = {{"_Z4fillIfEvPT_S0_", 12, "the module has no line for the instruction"}};
    table.samples = 12;
    table.lost = 5;
    table.complete = false;
    CHECK(gpuprof::io::table(table) ==
          "Paper GPU: 12 samples\n"
          "without a line: 12 samples of void fill<float>(float*, float); the module has no line for the instruction\n"
          "samples were lost: 5 dropped; shares may be off\n");
}

TEST_CASE("the page of HTML escapes whatever it is given") {
    source_table table = one_file();
    std::string const hostile = "</td><script>alert('x' & \"y\")</script>";
    table.device = hostile;
    table.reasons[1].name = hostile;
    table.files[0].path = hostile;
    table.files[0].text = hostile + "\n\x01\xff\xc3\xa9\n";
    table.files[0].lines = {{1, 100, 0, {{1, 100, 0}}}};
    table.unplaced = {{hostile, 1, hostile}};
    table.complete = false;
    std::string const page = gpuprof::io::html(table);
    CHECK(page.find("<script") == page.npos);
    CHECK(page.find("</td><s") == page.npos);
    std::string_view const escaped = "&lt;/td&gt;&lt;script&gt;alert(&#39;x&#39; &amp; &quot;y&quot;)&lt;/script&gt;";
    std::size_t count = 0;
    for (std::size_t at = page.find(escaped); at != page.npos; at = page.find(escaped, at + 1)) ++count;
    CHECK(count == 6); // device, function and reason of what has no line, path, source, stall
    CHECK(page.find("?\xef\xbf\xbd\xc3\xa9") != page.npos);
    CHECK(page.find("http") == page.npos); // nothing from elsewhere
    CHECK(page.find("src=") == page.npos);
    CHECK(page.ends_with("</html>\n"));
}

TEST_CASE("the page has all lines of a file") {
    std::string const page = gpuprof::io::html(one_file());
    std::size_t rows = 0;
    for (std::size_t at = page.find("<tr"); at != page.npos; at = page.find("<tr", at + 1)) ++rows;
    CHECK(rows == 11); // the head and ten lines
    CHECK(page.find("width:120px") != page.npos);
    CHECK(page.find("width:40px") != page.npos);                           // 25 of 75
    CHECK(page.find("<th>warps are at</th><th>source</th>") != page.npos); // what a narrow window shows first
    CHECK(page.find("title=\"waits for data from global, local, texture or surface memory\"") != page.npos);
}

} // namespace annotated_source_test
