// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes include/gpuprof/metric/catalogue/*.hpp and metric/listed_….hpp from what CUPTI's profiler host API says of every
// chip, and libnvperf_host of its throughputs, or compares. No GPU needed. Needs CUPTI 13: earlier ones tell nothing of a
// metric without its roll-up.
//
//   generate_catalogues [--check] [--cupti LIBRARY] DIRECTORY
//
// Exit status: 0 written, or nothing differs; 1 something differs or failed; 2 usage; 77 (with --check) no libcupti of the
// version that the committed catalogues were taken from could be found, so nothing was compared.
#include <algorithm>   // sorting
#include <cctype>      // tolower, toupper
#include <cstdint>     // membership words
#include <cstdio>      // messages
#include <cstdlib>     // exit
#include <fstream>     // the headers
#include <iterator>    // reading a file whole
#include <map>         // families by content
#include <set>         // distinct rows
#include <sstream>     // a header's text
#include <string>      // texts
#include <string_view> // arguments
#include <tuple>       // ordering of rows
#include <utility>     // std::move
#include <vector>      // lists

#include <gpuprof/metric/base_metric.hpp>
#include <gpuprof/metric/listed.hpp>
#include <gpuprof/metric/name.hpp>
#include <gpuprof/core/chip.hpp>
#include <gpuprof/hw/machine/machine.hpp>
#include <gpuprof/hw/counters/range/metric_host.hpp>

#include "nvperf_host.hpp"

namespace {

namespace abi = gpuprof::abi;
using gpuprof::hw::metric_host;

// By CUPTI's numbers (CUpti_MetricType).
constexpr gpuprof::metric_kind kinds[] = {gpuprof::metric_kind::counter, gpuprof::metric_kind::ratio,
                                          gpuprof::metric_kind::throughput};
constexpr char const* kind_names[] = {"counter", "ratio", "throughput"};

struct row {
    std::string name;
    int type;
    std::string hardware_unit;
    std::string dimension;

    friend bool operator<(row const& a, row const& b) {
        return std::tie(a.name, a.type, a.hardware_unit, a.dimension) <
               std::tie(b.name, b.type, b.hardware_unit, b.dimension);
    }
};

using rows = std::set<row>;

[[noreturn]] void fail(std::string const& why) {
    std::fprintf(stderr, "generate_catalogues: %s\n", why.c_str());
    std::exit(1);
}

// The value, or the end of the program.
template <class T>
T must(gpuprof::result<T> outcome) {
    if (!outcome) fail(outcome.error().message());
    return *std::move(outcome);
}

// The headers have one list of sub-metrics per kind, for every chip; a CUPTI that thinks otherwise needs another design.
void expect_known_sub_metrics(metric_host const& host, row const& metric) {
    auto const listed = must(host.try_sub_metrics(metric.name, static_cast<abi::CUpti_MetricType>(metric.type)));
    auto const known = gpuprof::sub_metrics(kinds[metric.type]);
    if (std::set<std::string_view>(listed.begin(), listed.end()) !=
        std::set<std::string_view>(known.begin(), known.end()))
        fail(metric.name + ": its sub-metrics differ from those in base_metric.hpp");
}

// What CUPTI lists for a chip.
rows list_chip(abi::cupti_table const& cupti, std::string const& chip) {
    metric_host const host = must(metric_host::try_open(cupti, chip));
    rows all;
    for (int type = 0; type < 3; ++type)
        for (std::string const& name : must(host.try_base_metrics(static_cast<abi::CUpti_MetricType>(type)))) {
            auto const of = must(host.try_properties(name));
            row const metric{name, type, of.hardware_unit, of.dimension_unit};
            expect_known_sub_metrics(host, metric);
            all.insert(metric);
        }
    return all;
}

struct family {
    rows metrics;
    std::vector<std::string> chips; // "AD102", …
    std::string header;             // "ad10x" if several chips share it, else the chip's own
};

std::string lower(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

// Chips that list the same metrics, with the same meaning, are a family; in the order of chip.hpp.
std::vector<family> list_families(abi::cupti_table const& cupti) {
    auto const offered = must(metric_host::try_chips(cupti));
    for (std::string const& name : offered)
        if (!gpuprof::find_chip(name)) std::fprintf(stderr, "left out, because not in chip.hpp: %s\n", name.c_str());

    std::vector<family> families;
    std::map<rows, std::size_t> seen;
    for (gpuprof::chip const which : gpuprof::all_chips) {
        std::string const chip{name(which)};
        rows metrics = list_chip(cupti, chip);
        auto const [at, fresh] = seen.emplace(metrics, families.size());
        if (fresh) families.push_back({std::move(metrics), {}, lower(chip)});
        families[at->second].chips.push_back(chip);
    }
    for (family& f : families)
        if (f.chips.size() > 1) f.header = lower(f.chips.front().substr(0, 4)) + "x";
    return families;
}

std::vector<std::string> distinct(rows const& all, std::string row::*member) {
    std::set<std::string> values;
    for (row const& r : all) values.insert(r.*member);
    return {values.begin(), values.end()};
}

std::size_t index_of(std::vector<std::string> const& sorted, std::string const& value) {
    return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

std::string header(std::string const& file, std::string const& what, std::string const& body) {
    std::string const guard =
        (file.starts_with("listed_") ? "GPUPROF_METRIC_" : "GPUPROF_METRIC_CATALOGUE_") + upper(file) + "_HPP";
    return "// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n// " + what +
           " Generated by\n// tools/generate_catalogues.cpp, not to be edited.\n// clang-format "
           "off\n#ifndef " +
           guard + "\n#define " + guard + "\n\n" + body + "\n#endif // " + guard + "\n";
}

std::string include_lines(std::vector<std::string> const& files) {
    std::string lines;
    for (std::string const& file : files) lines += "#include \"" + file + "\"\n";
    return lines + "\n";
}

std::string in_namespace(std::string const& body) {
    return "GPUPROF_NAMESPACE_BEGIN\n\n" + body + "\nGPUPROF_NAMESPACE_END\n";
}

std::string version_line(int version) {
    return "inline constexpr int catalogue_cupti_version = " + std::to_string(version) + ";\n";
}

std::string base_metrics_header(rows const& all, int version) {
    auto const units = distinct(all, &row::hardware_unit);
    auto const dimensions = distinct(all, &row::dimension);
    std::ostringstream text;
    auto const strings = [&](char const* name, std::vector<std::string> const& values) {
        text << "inline constexpr char const* " << name << "[] = {\n";
        for (std::size_t i = 0; i < values.size(); ++i) text << "    \"" << values[i] << "\", // " << i << "\n";
        text << "};\n\n";
    };
    text << "// The CUPTI whose profiler host API listed these, by its own number (cuptiGetVersion).\n"
         << version_line(version) << "\nnamespace detail {\n";
    strings("catalogue_hardware_units", units);
    strings("catalogue_dimensions", dimensions);
    text << "// Name, kind, index into catalogue_hardware_units, index into catalogue_dimensions.\n"
            "inline constexpr base_metric_row base_metric_rows[] = {\n";
    for (row const& r : all)
        text << "    {\"" << r.name << "\", metric_kind::" << kind_names[r.type] << ", "
             << index_of(units, r.hardware_unit) << ", " << index_of(dimensions, r.dimension) << "},\n";
    text << "};\n\ninline constexpr base_metric_table base_metrics{base_metric_rows, " << all.size()
         << ", catalogue_hardware_units,\n                                              catalogue_dimensions};\n"
            "} // namespace detail\n";
    return header("base_metrics", "The base metrics of all chips together, sorted by name.",
                  include_lines({"../../detail/config.hpp", "../kind.hpp", "../base_metric.hpp"}) +
                      in_namespace(text.str()));
}

// The names alone, for the check of every name that a program writes, in as many groups as metric/listed.hpp says. g++ 12
// takes 2 ms for 1,000 string literals, and 15 ms for one a name.
std::string listed_names_header(rows const& all) {
    std::set<std::string> names;
    for (row const& r : all) names.insert(r.name);
    std::vector<std::string> groups(gpuprof::detail::listed_groups);
    for (std::string const& name : names) {
        if (name.size() > 99) fail(name + ": listed.hpp has room for names of 99 characters");
        std::string const size = std::to_string(name.size());
        groups[gpuprof::detail::hash_word(name.c_str()) % groups.size()] += (size.size() < 2 ? "0" : "") + size + name;
    }
    std::ostringstream text;
    text << "namespace detail {\n// By hash; each name after its length in two digits. See metric/listed.hpp.\n"
            "inline constexpr char const* listed_names[] = {\n";
    for (std::string const& group : groups) text << "    \"" << group << "\",\n";
    text << "};\n} // namespace detail\n";
    return header("listed_names", "The names of the base metrics of all chips together.",
                  include_lines({"../detail/config.hpp"}) + in_namespace(text.str()));
}

std::string members_of(family const& f, rows const& all) {
    std::vector<std::uint64_t> words((all.size() + 63) / 64);
    std::size_t i = 0;
    for (row const& r : all) {
        if (f.metrics.count(r) != 0) words[i / 64] |= std::uint64_t{1} << (i % 64);
        ++i;
    }
    std::ostringstream text;
    text << "namespace detail {\n// Bit i: row i of base_metrics is in the catalogue.\n"
         << "inline constexpr std::uint64_t " << f.header << "_members[] = {";
    for (std::size_t w = 0; w < words.size(); ++w) {
        char word[24];
        std::snprintf(word, sizeof word, "0x%016llx,", static_cast<unsigned long long>(words[w]));
        text << (w % 5 == 0 ? "\n    " : " ") << word;
    }
    text << "\n};\n} // namespace detail\n";
    return text.str();
}

std::string catalogue_of(std::string const& chip, std::string const& members) {
    return "template <>\ninline constexpr catalogue catalogue_of<chip::" + lower(chip) + ">{chip::" + lower(chip) +
           ", detail::base_metrics, detail::" + members + "_members};\n";
}

// A throughput's name and its constituents' names in one text; the chips where it is so, as the bits of throughput_row.
using throughput_rows = std::map<std::pair<std::string, std::string>, std::uint32_t>;

// Whether CUPTI lists the chip's base metric, as a kind that has shares of a peak.
bool lists_part(rows const& of_chip, std::string const& part) {
    return std::any_of(of_chip.begin(), of_chip.end(), [&](row const& each) {
        return each.name == part && kinds[each.type] != gpuprof::metric_kind::ratio;
    });
}

// gpuprof knows by the name whether a metric is counted by the patched program; a CUPTI where the counters say otherwise
// needs another way.
void expect_names_that_tell_patching(nvperf::chip_metrics const& told, rows const& of_chip) {
    for (row const& each : of_chip) {
        std::string const metric = each.name + std::string{gpuprof::sub_metrics(kinds[each.type]).back()};
        bool const by_name = gpuprof::parse_metric_name(metric).source() == gpuprof::metric_source::sass;
        if (told.is_patched(metric) != by_name)
            fail(each.name + (by_name ? ": is not" : ": is") + " counted by the patched program, unlike its name");
    }
}

throughput_rows list_throughputs(std::vector<family> const& families, gpuprof::hw::library_report const& cupti) {
    nvperf::library const host{cupti};
    throughput_rows all;
    for (gpuprof::chip const which : gpuprof::all_chips) {
        std::string const chip{name(which)};
        auto const of_chip = std::find_if(families.begin(), families.end(), [&](family const& f) {
            return std::find(f.chips.begin(), f.chips.end(), chip) != f.chips.end();
        });
        nvperf::chip_metrics const told{host, chip};
        expect_names_that_tell_patching(told, of_chip->metrics);
        for (nvperf::throughput const& each : told.throughputs()) {
            std::string parts;
            for (std::string const& part : each.parts) {
                if (!lists_part(of_chip->metrics, part)) fail(chip + " has no " + part + ", a part of " + each.name);
                parts += (parts.empty() ? "" : " ") + part;
            }
            all[{each.name, parts}] |= std::uint32_t{1} << static_cast<unsigned>(which);
        }
    }
    return all;
}

std::string throughputs_header(throughput_rows const& all) {
    std::ostringstream text;
    text << "namespace detail {\n// Name, constituents, chips; see throughput_row.\n"
            "inline constexpr throughput_row throughput_rows[] = {\n";
    for (auto const& [row, chips] : all) {
        char bits[16];
        std::snprintf(bits, sizeof bits, "0x%08x", chips);
        text << "    {\"" << row.first << "\", \"" << row.second << "\", " << bits << "},\n";
    }
    text << "};\n} // namespace detail\n";
    return header("listed_throughputs", "What throughputs are made of, on every chip.",
                  include_lines({"../detail/config.hpp", "throughput_row.hpp"}) + in_namespace(text.str()));
}

std::map<std::string, std::string> all_headers(std::vector<family> const& families, throughput_rows const& throughputs,
                                               int version) {
    rows all;
    for (family const& f : families) all.insert(f.metrics.begin(), f.metrics.end());

    std::map<std::string, std::string> headers{{"base_metrics", base_metrics_header(all, version)},
                                               {"../listed_names", listed_names_header(all)},
                                               {"../listed_throughputs", throughputs_header(throughputs)}};
    std::vector<std::string> files{"../catalogue.hpp"};
    for (family const& f : families) {
        bool const shared = f.chips.size() > 1;
        std::string list, catalogues;
        for (std::string const& chip : f.chips) {
            list += (list.empty() ? "" : ", ") + chip;
            catalogues += "\n" + catalogue_of(chip, f.header);
            if (shared)
                headers[lower(chip)] = header(lower(chip), "The catalogue of " + chip + ", with that of its family.",
                                              "#include \"" + f.header + ".hpp\"\n");
        }
        headers[f.header] = header(f.header, (shared ? "The one catalogue of " : "The catalogue of ") + list + ".",
                                   "#include <cstdint>\n\n" + include_lines({"../catalogue.hpp", "base_metrics.hpp"}) +
                                       in_namespace(members_of(f, all) + catalogues));
        files.push_back(f.header + ".hpp");
    }
    std::sort(files.begin() + 1, files.end());

    std::string table = "// The catalogues of every chip, in the order of `all_chips`. Static storage.\n"
                        "inline constexpr catalogue all_catalogues[] = {\n";
    for (gpuprof::chip const which : gpuprof::all_chips)
        table += "    catalogue_of<chip::" + lower(std::string{name(which)}) + ">,\n";
    table += "};\n\n"
             "// The catalogue of a chip known only at run time. Constant time.\n"
             "[[nodiscard]] constexpr catalogue const& catalogue_for(chip which) noexcept {\n"
             "    return all_catalogues[static_cast<std::size_t>(which)];\n"
             "}\n";
    headers["all"] = header("all", "The catalogues of all chips.",
                            "#include <cstddef>\n\n" + include_lines(files) + in_namespace(table));
    return headers;
}

std::string read(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{file}, {}};
}

int usage() {
    std::fprintf(stderr, "usage: generate_catalogues [--check] [--cupti LIBRARY] DIRECTORY\n");
    return 2;
}

} // namespace

int main(int count, char** arguments) {
    bool check = false;
    gpuprof::hw::load_options where;
    std::string directory;
    for (int i = 1; i < count; ++i) {
        std::string_view const argument = arguments[i];
        if (argument == "--check") check = true;
        else if (argument == "--cupti" && i + 1 < count) where.cupti_path = arguments[++i];
        else if (directory.empty() && !argument.starts_with('-')) directory = argument;
        else return usage();
    }
    if (directory.empty()) return usage();

    auto const machine = must(gpuprof::hw::try_load_machine(where));
    if (machine.cupti.ProfilerHostInitialize == nullptr) {
        std::printf("skipped: no CUPTI with a profiler host API was found: %s\n",
                    machine.cupti_error ? machine.cupti_error->message().c_str() : "this one has none");
        return check ? 77 : 1;
    }
    int const version = machine.cupti_library.version;
    std::string const committed = read(directory + "/base_metrics.hpp");
    if (check && !committed.empty() && committed.find(version_line(version)) == std::string::npos) {
        std::printf("skipped: the catalogues were taken from another CUPTI than this %d\n", version);
        return 77;
    }

    int different = 0;
    auto const families = list_families(machine.cupti);
    auto const headers = all_headers(families, list_throughputs(families, machine.cupti_library), version);
    for (auto const& [file, text] : headers) {
        std::string const path = directory + "/" + file + ".hpp";
        if (check) {
            if (read(path) == text) continue;
            std::fprintf(stderr, "differs: %s\n", path.c_str());
            ++different;
        } else if (std::ofstream{path, std::ios::binary} << text; read(path) != text) {
            fail("cannot write " + path);
        }
    }
    std::printf("%zu headers %s, %d different\n", headers.size(), check ? "compared" : "written", different);
    return different == 0 ? 0 : 1;
}
