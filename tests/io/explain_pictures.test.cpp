// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/roofline_svg.hpp, memory_chart_svg.hpp, link_chart_svg.hpp, occupancy_svg.hpp and section_text.hpp: pictures are
// well-formed, for pages of any
// width and colour, and their numbers are those that went in.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/io/link_chart_svg.hpp>
#include <gpuprof/io/memory_chart_svg.hpp>
#include <gpuprof/io/occupancy_svg.hpp>
#include <gpuprof/io/roofline_svg.hpp>
#include <gpuprof/io/section_text.hpp>

#include "support/paper_report.hpp"
#include "support/xml_reader.hpp"

namespace explain_pictures_test {

namespace explain = gpuprof::explain;
using test::paper_report;
using test::xml_element;
using test::xml_reader;

namespace {

xml_element picture(std::string const& text) {
    auto read = xml_reader::read(text);
    REQUIRE_MESSAGE(read, text);
    return *std::move(read);
}

// What every picture has.
void check_picture(std::string const& text) {
    xml_element const root = picture(text);
    CHECK(root.name == "svg");
    CHECK(root.attribute("role") == "img");
    CHECK(root.attribute("viewBox").starts_with("0 0 "));
    CHECK(root.attribute("width").empty()); // it scales
    REQUIRE(root.inside.size() > 2);
    CHECK(root.inside[0].name == "title");
    CHECK_FALSE(root.inside[0].text.empty());
    CHECK(root.inside[1].name == "desc");
    CHECK_FALSE(root.inside[1].text.empty());
    for (std::string_view const outside : {"href", "url(", "<script", "<style>", "@import", " id="})
        CHECK(text.find(outside) == std::string::npos);
    double const wide = std::strtod(root.attribute("viewBox").c_str() + 4, nullptr);
    for (xml_element const* const each : root.all("text")) {
        std::string const own = each->attribute("font-size");
        double const size = std::strtod((own.empty() ? root.attribute("font-size") : own).c_str(), nullptr);
        CHECK(size * 360 / wide > 7.5); // on a phone
        double const x = std::strtod(each->attribute("x").c_str(), nullptr);
        CHECK(x >= 0);
        CHECK(x <= wide);
    }
}

paper_report paper(std::string name = "all") {
    paper_report made{"GH100", std::move(name)};
    made.set("gpu__time_duration.sum", 1e6)
        .set("sm__cycles_elapsed.avg.per_second", 1e9)
        .set("sm__sass_thread_inst_executed_op_ffma_pred_on.sum.peak_sustained", 50)
        .set("dram__bytes.sum.peak_sustained", 10)
        .set("dram__cycles_elapsed.avg.per_second", 2e9)
        .set("lts__lts2xbar_cycles_active.sum.peak_sustained", 1)
        .set("lts__cycles_elapsed.avg.per_second", 1e9)
        .set("smsp__sass_thread_inst_executed_op_fadd_pred_on.sum", 1e6)
        .set("smsp__sass_thread_inst_executed_op_fmul_pred_on.sum", 2e6)
        .set("smsp__sass_thread_inst_executed_op_ffma_pred_on.sum", 3e6)
        .set("dram__bytes.sum", 18e6)
        .set("lts__lts2xbar_cycles_active.sum", 45e4);
    return made;
}
explain::roofline single(paper_report const& of) {
    return explain::roofline_of(*explain::find_work("single"), of.range());
}

// Every metric of a section, each with another value.
paper_report filled(explain::section const& of) {
    paper_report made;
    double next = 1;
    for (explain::section_row const& row : of.rows) {
        made.set(row.metric, row.metric.find("pct") == row.metric.npos ? next * 1000 : next);
        next += next < 90 ? 1 : 0;
    }
    return made;
}

std::vector<xml_element const*> with(xml_element const& root, std::string const& attribute) {
    std::vector<xml_element const*> found;
    for (std::string_view const name : {"circle", "polygon"})
        for (xml_element const* const each : root.all(name))
            if (!each->attribute(attribute).empty()) found.push_back(each);
    return found;
}
double number(xml_element const& of, std::string const& attribute) {
    return std::strtod(of.attribute(attribute).c_str(), nullptr);
}

} // namespace

TEST_CASE("xml reader of the tests: refuses what is not well-formed") {
    CHECK(xml_reader::read("<a b=\"1\"><c/>t&amp;</a>\n"));
    for (std::string_view const bad : {"<a>", "<a></b>", "<a b=1/>", "<a b=\"1\" b=\"2\"/>", "<a>&x;</a>", "<a/><b/>",
                                       "<a b=\"<\"/>", "<a>\x01</a>", "<a b=\"1\"c=\"2\"/>"})
        CHECK_FALSE_MESSAGE(xml_reader::read(bad), bad);
}

TEST_CASE("roofline picture: points have the numbers of the roofline, one for each level that has traffic") {
    auto const of = single(paper());
    std::string const text = gpuprof::io::svg(of);
    check_picture(text);
    xml_element const root = picture(text);
    auto const points = with(root, "data-intensity");
    REQUIRE(points.size() == 2); // no counter of L1
    CHECK(points[0]->attribute("data-level") == "dram");
    CHECK(number(*points[0], "data-intensity") == *of.find("dram")->intensity);
    CHECK(number(*points[0], "data-work") == *of.achieved.number);
    CHECK(points[1]->attribute("data-level") == "l2");
    CHECK(number(*points[1], "data-intensity") == *of.find("l2")->intensity);
    std::string const said = root.whole_text();
    CHECK(said.find("DRAM 20 GB/s, theoretical") != std::string::npos);
    CHECK(said.find("Single precision 100 GFLOP/s, theoretical") != std::string::npos);
    CHECK(said.find("90 % of the roof") != std::string::npos);
}

TEST_CASE("roofline picture: the places of points are on logarithmic axes") {
    auto slow = paper(), fast = paper("fast");
    auto of = single(slow), other = single(fast);
    other.achieved.number = 10 * *of.achieved.number; // the same bytes: ten times the intensity
    for (auto& under : other.roofs)
        if (under.intensity) under.intensity = 10 * *under.intensity;
    explain::roofline const both[]{of, other};
    xml_element const root = picture(gpuprof::io::svg(both));
    auto const points = with(root, "data-intensity");
    REQUIRE(points.size() == 4);
    xml_element const *a = nullptr, *b = nullptr;
    for (auto const* each : points)
        if (each->attribute("data-level") == "dram") (a == nullptr ? a : b) = each;
    REQUIRE(b != nullptr);
    // One decade to the right and one up, on both axes the distance of neighbouring lines of the grid.
    double const right = number(*b, "cx") - number(*a, "cx"), up = number(*a, "cy") - number(*b, "cy");
    std::vector<double> columns, rows;
    REQUIRE(root.all("path").size() == 1); // "M62 34L62 320M142 34L142 320..."
    std::string const grid = root.all("path")[0]->attribute("d");
    for (std::size_t at = grid.find('M'); at != grid.npos; at = grid.find('M', at + 1)) {
        char* rest = nullptr;
        double const x1 = std::strtod(grid.c_str() + at + 1, &rest), y1 = std::strtod(rest, &rest);
        double const x2 = std::strtod(rest + 1, nullptr);
        if (x1 == x2) columns.push_back(x1);
        else rows.push_back(y1);
    }
    REQUIRE(columns.size() > 1);
    REQUIRE(rows.size() > 1);
    CHECK(right == doctest::Approx(columns[1] - columns[0]).epsilon(0.001));
    CHECK(up == doctest::Approx(rows[0] - rows[1]).epsilon(0.001));
    CHECK(root.whole_text().find("fast: Single precision") != std::string::npos);
}

TEST_CASE("roofline picture: baselines share roofs that are the same and draw others") {
    auto const roofs = [](std::vector<explain::roofline> const& of) {
        std::size_t count = 0;
        std::string const text = gpuprof::io::svg(of);
        for (std::size_t at = text.find(", theoretical<"); at != text.npos; at = text.find(", theoretical<", at + 1))
            ++count;
        return count;
    };
    auto const now = single(paper()), before = single(paper("before"));
    CHECK(roofs({now}) == 3); // peak, DRAM, L2
    CHECK(roofs({now, before}) == 3);
    auto faster = before;
    faster.roofs[0].bandwidth.number = 2 * *faster.roofs[0].bandwidth.number;
    CHECK(roofs({now, faster}) == 4);
}

TEST_CASE("roofline picture: without anything it says why, and hostile names stay text") {
    paper_report nothing{"GH100", "<script>&\"\x01 kernel"};
    std::string const text = gpuprof::io::svg(single(nothing));
    check_picture(text);
    std::string const said = picture(text).whole_text();
    CHECK(said.find("<script>&\"? kernel") != std::string::npos);
    CHECK(said.find("not collected") != std::string::npos);
}

TEST_CASE("roofline text: at most as wide as asked") {
    for (std::size_t const columns : {60u, 100u}) {
        std::string const text = gpuprof::io::text(single(paper()), columns);
        std::size_t begin = 0;
        for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n', begin)) {
            CHECK(end - begin <= columns);
            begin = end + 1;
        }
    }
    CHECK(gpuprof::io::text(single(paper()), 200)
              .starts_with(
                  "all: Single precision: 9 GFLOP/s of 100 GFLOP/s (theoretical)\n"
                  "  DRAM: 18 GB/s of 20 GB/s (theoretical), 0.5 FLOP/byte, ridge at 5: memory side, 90 % of the "
                  "roof\n"));
}

TEST_CASE("memory chart picture: each link has the number of its metrics") {
    auto const chart = explain::memory_chart_of(filled(explain::sections::memory_chart).range());
    std::string const text = gpuprof::io::svg(chart);
    check_picture(text);
    xml_element const root = picture(text);
    auto const arrows = root.all("path");
    std::size_t ports = 0;
    for (explain::chart_unit_row const& row : explain::memory_chart_metrics::units) ports += row.port != nullptr;
    CHECK(arrows.size() == chart.links.size() + ports);
    auto const title = [](explain::chart_unit of) {
        return std::string{explain::memory_chart_metrics::units[static_cast<std::size_t>(of)].title};
    };
    for (explain::chart_link const& link : chart.links) {
        std::string const said = title(link.row->from) + " to " + title(link.row->to) + ": " +
                                 std::to_string(static_cast<long long>(*link.amount.number)) + ' ';
        std::size_t found = 0;
        for (auto const* each : arrows) {
            std::string hint = each->inside.at(0).text;
            std::erase(hint, ','); // of thousands
            found += hint.starts_with(said);
        }
        CHECK_MESSAGE(found == 1, said);
    }
    for (explain::chart_unit_row const& row : explain::memory_chart_metrics::units) {
        std::string const first{row.title.substr(0, row.title.find(' '))};
        CHECK(root.whole_text().find(first) != std::string::npos);
    }
}

TEST_CASE("memory chart picture: links without a number say why") {
    auto const chart = explain::memory_chart_of(paper_report{}.set("dram__bytes_read.sum", 5).range());
    xml_element const root = picture(gpuprof::io::svg(chart));
    std::string const said = root.whole_text();
    CHECK(said.find("Kernel to Texture: n/a: smsp__inst_executed_op_texture.sum") != std::string::npos);
    CHECK(said.find("Device memory to L2 cache: 5 bytes") != std::string::npos);
}

TEST_CASE("occupancy picture: all points of all curves and the launch's own") {
    auto const curves =
        explain::occupancy_curves_of(paper_report{}
                                         .set("sm__warps_active.avg.peak_sustained", 64)
                                         .set("launch__block_size", 64)
                                         .set("launch__registers_per_thread", 72)
                                         .set("launch__occupancy_per_block_size", 24, {{"1", 16}, {"2", 24}, {"3", 27}})
                                         .set("launch__occupancy_per_register_count", 24, {{"16", 128}, {"32", 64}})
                                         .range());
    std::string const text = gpuprof::io::svg(curves);
    check_picture(text);
    xml_element const root = picture(text);
    auto const lines = root.all("polyline");
    REQUIRE(lines.size() == 2); // none of shared memory
    CHECK(lines[0]->attribute("data-curve") == "Block size");
    CHECK(lines[0]->attribute("data-points") == "32:16 64:24 96:27");
    CHECK(lines[1]->attribute("data-points") == "64:32 128:16");
    auto const own = with(root, "data-launch");
    REQUIRE(own.size() == 2);
    CHECK(own[0]->attribute("data-launch") == "64:24");
    CHECK(own[1]->attribute("data-launch") == "72:24");
    CHECK(root.whole_text().find("n/a: ") != std::string::npos); // shared memory
    CHECK(gpuprof::io::text(curves).find(
              "Registers: 72 registers of a thread give 24 warps of an SM; 64 give 32, 128 give "
              "16") != std::string::npos);
}

TEST_CASE("section pictures: those that have one, by section") {
    auto const range = paper().range();
    for (explain::section const* const each : explain::sections::all) {
        bool const has = each->id == "roofline" || each->id == "memory_chart" || each->id == "occupancy";
        CHECK_MESSAGE(gpuprof::io::section_svg(*each, range).empty() != has, each->id);
        bool const has_text =
            has || each->id == "memory_tables" || each->id == "nvlink_topology"; // or why there is none
        CHECK_MESSAGE(gpuprof::io::section_text(*each, range).empty() != has_text, each->id);
    }
}

namespace {

// So many GPUs, each linked to each.
explain::link_chart all_to_all(std::size_t gpus) {
    explain::link_chart chart;
    for (std::size_t i = 0; i < gpus; ++i) chart.ends.push_back({"GPU " + std::to_string(i)});
    for (std::size_t i = 0; i < gpus; ++i)
        for (std::size_t k = i + 1; k < gpus; ++k) chart.links.push_back({i, k, static_cast<unsigned>(i + k), 100e9});
    return chart;
}

} // namespace

TEST_CASE("picture of NVLink: 2, 4 and 8 GPUs have a box each and a line for the links of each two of them") {
    for (std::size_t const gpus : {2u, 4u, 8u}) {
        CAPTURE(gpus);
        std::string const text = gpuprof::io::svg(all_to_all(gpus));
        check_picture(text);
        xml_element const root = picture(text);
        CHECK(root.all("rect").size() == gpus);
        std::set<std::pair<std::string, std::string>> pairs;
        std::set<std::pair<std::string, std::string>> corners; // no box hides another one
        for (xml_element const* const each : root.all("rect"))
            corners.insert({each->attribute("x"), each->attribute("y")});
        CHECK(corners.size() == gpus);
        for (xml_element const* const line : root.all("line")) {
            int const from = std::atoi(line->attribute("data-from").c_str());
            int const to = std::atoi(line->attribute("data-to").c_str());
            pairs.insert({line->attribute("data-from"), line->attribute("data-to")});
            CHECK(std::atoi(line->attribute("data-links").c_str()) == from + to);
            REQUIRE(line->all("title").size() == 1);
            std::string const said = line->all("title")[0]->text;
            CHECK(said.starts_with("GPU " + std::to_string(from) + " to GPU " + std::to_string(to) + ": "));
            CHECK(said.find("peak 100 GB/s each way") != std::string::npos);
        }
        CHECK(pairs.size() == gpus * (gpus - 1) / 2);
        for (std::size_t i = 0; i < gpus; ++i)
            CHECK(root.whole_text().find("GPU " + std::to_string(i)) != std::string::npos);
        std::string const table = gpuprof::io::table(all_to_all(gpus));
        CHECK(static_cast<std::size_t>(std::count(table.begin(), table.end(), '\n')) == 1 + pairs.size());
    }
}

TEST_CASE("picture of NVLink: the busier direction colours a line and an unknown throughput is grey") {
    auto chart = all_to_all(2);
    CHECK(gpuprof::io::svg(chart).find("stroke=\"var(--u)\"") != std::string::npos);
    chart.links[0].there = 10e9;
    chart.links[0].back = 90e9;
    std::string const text = gpuprof::io::svg(chart);
    CHECK(text.find("stroke=\"var(--h5)\"") != std::string::npos); // 90 % of the peak
    CHECK(text.find("10 GB/s there, 90 GB/s back") != std::string::npos);
    CHECK(picture(text).whole_text().find("10 GB/s / 90 GB/s") != std::string::npos);
    CHECK(gpuprof::io::table(chart) == "from   to     links      peak    there     back\n"
                                       "GPU 0  GPU 1      1  100 GB/s  10 GB/s  90 GB/s\n");
}

TEST_CASE("picture of NVLink: a GPU without links has no picture and the table says why") {
    explain::link_chart none;
    none.missing = gpuprof::error{gpuprof::errc::unavailable, 0, "nvlink__dev1type", "the device has no NVLink in use"};
    CHECK(gpuprof::io::svg(none).empty());
    CHECK(gpuprof::io::table(none).find("n/a: ") != std::string::npos);
    CHECK(gpuprof::io::table(none).find("the device has no NVLink in use") != std::string::npos);
}

} // namespace explain_pictures_test
