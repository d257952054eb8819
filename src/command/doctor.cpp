// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gpuprof doctor: what stands in the way of measuring here, or of a program.
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <unistd.h>

#include <gpuprof/core/compute_capability_text.hpp>
#include <gpuprof/gpuprof.hpp>
#include <gpuprof/hw/machine/platform/environment.hpp>
#include <gpuprof/legacy.hpp> // for GPUs before capability 7.0
#include <gpuprof/text/json_text.hpp>
#include <gpuprof/text/printable.hpp>
#include <gpuprof/text/text_appender.hpp>

#include "arguments.hpp"
#include "commands.hpp"
#include "embedded_chip.hpp"
#include "program_advice.hpp"
#include "program_image.hpp"
#include "terminal.hpp"

namespace gpuprof::command {
namespace {

using severity = finding::severity;

std::string_view word_of(severity how) {
    switch (how) {
        case severity::good: return "ok";
        case severity::note: return "note";
        case severity::caveat: return "caveat";
        case severity::obstacle: return "OBSTACLE";
    }
    return "";
}

// "  OBSTACLE driver: the CUDA driver could not be loaded", and its remedy.
void print_advice(advice const& of, std::size_t width, bool colours) {
    constexpr std::size_t indent = 11;
    std::string first = "  " + std::string{word_of(of.how)};
    first.append(indent - first.size(), ' ');
    std::string text = paragraph(first, of.about + ": " + of.text, indent, width);
    if (of.how != severity::note) {
        std::size_t const word = word_of(of.how).size();
        colour const in = of.how == severity::good     ? colour::green
                          : of.how == severity::caveat ? colour::yellow
                                                       : colour::red;
        text = "  " + coloured(word_of(of.how), in, colours) + text.substr(2 + word);
    }
    if (!of.remedy.empty()) text += paragraph(std::string(indent + 2, ' '), "remedy: " + of.remedy, indent + 2, width);
    print(text);
}

void print_json(std::vector<advice> const& all, std::vector<finding> const& findings, bool ready) {
    std::string text = "{\"ready\":" + std::string{ready ? "true" : "false"} + ",\"findings\":[";
    gpuprof::detail::text_appender const to{text};
    auto const member = [&](std::string_view name, std::string_view value) {
        if (value.empty()) return;
        text += ",\"" + std::string{name} + "\":";
        gpuprof::detail::write_json_string(to, value);
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        text += std::string{i == 0 ? "" : ","} + "\n{\"severity\":\"" +
                (all[i].how == severity::obstacle ? "obstacle" : std::string{word_of(all[i].how)}) + '"';
        member("about", all[i].about);
        member("text", all[i].text);
        member("remedy", all[i].remedy);
        if (i < findings.size()) {
            if (findings[i].how == severity::obstacle) member("error", name(findings[i].code));
            if (findings[i].device >= 0) text += ",\"device\":" + std::to_string(findings[i].device);
        }
        text += '}';
    }
    print(text + "\n]}\n");
}

// The library's findings. The embedded GPU is a part of other programs: here it is known by name.
std::vector<finding> findings_here() {
    std::string const wanted = platform::variable_or_empty("GPUPROF_DEVICE");
    std::string_view const rest = std::string_view{wanted}.substr(wanted.size() < 3 ? wanted.size() : 3);
    bool const embedded = gpuprof::detail::same_letters(std::string_view{wanted}.substr(0, 3), "sim") &&
                          (rest.empty() || rest[0] == ':' || rest[0] == ',');
    if (!embedded) return gpuprof::doctor();
    std::string_view chip = rest.starts_with(':') ? rest.substr(1) : std::string_view{};
    sim::chip_model const& model = embedded_chip(chip.substr(0, chip.find(',')));
    finding found;
    found.about = finding::topic::device;
    found.text = "GPUPROF_DEVICE=" + gpuprof::detail::printable(wanted) + ": the embedded GPU (" + model.chip_name +
                 ", compute capability " + std::string{capability_text(model.capability())} +
                 "), which is not hardware; a program that includes gpuprof/sim.hpp gets it";
    return {found};
}

bool has_obstacle(std::vector<advice> const& all) {
    for (advice const& each : all)
        if (each.how == severity::obstacle) return true;
    return false;
}

int examine_program(arguments const& given) {
    std::string const path = given.operand(0);
    auto const program = try_read_program(path);
    if (!program) refuse(program.error().message());
    sim::chip_model const& chip = embedded_chip(given.word("--chip"));

    bool can_run = false;
    std::vector<advice> all;
    std::vector<std::pair<std::string, std::vector<advice>>> places;
    hw::machine const& here = hw::real_machine();
    if (!here.driver_error) {
        if (auto const gpu = device::try_open(here))
            places.emplace_back("On " + std::string{gpu->name()},
                                advice_for_gpu(*program, gpu->capability(), here.driver_library.version));
    }
    places.emplace_back("On the embedded GPU, by gpuprof run", advice_for_embedded(*program, chip));
    for (auto const& [place, found] : places) {
        can_run = can_run || !has_obstacle(found);
        for (advice const& each : found) {
            all.push_back(each);
            all.back().about += places.size() > 1 ? " (" + place + ')' : "";
        }
    }
    if (given.has("--json")) {
        print_json(all, {}, can_run);
        return can_run ? 0 : 1;
    }
    std::size_t const width = columns(STDOUT_FILENO);
    for (auto const& [place, found] : places) {
        print(place + (has_obstacle(found) ? ": it cannot run.\n" : ": it can run.\n"));
        for (advice const& each : found) print_advice(each, width, has_colours(STDOUT_FILENO));
    }
    return can_run ? 0 : 1;
}

} // namespace

int doctor(arguments const& given) {
    if (given.operands().size() > 1) refuse("name one program: gpuprof doctor PROGRAM");
    if (!given.operands().empty()) return examine_program(given);

    std::vector<finding> const findings = findings_here();
    bool const ready = can_measure(findings);
    std::vector<advice> all;
    for (finding const& each : findings)
        all.push_back({each.how, std::string{name(each.about)}, each.text, each.remedy});
    put_back_clocks const clocks = try_put_back_clocks();
    if (clocks.gpus > 0)
        all.push_back({severity::good, "device",
                       "a process that died had locked the clock of " + std::to_string(clocks.gpus) +
                           (clocks.gpus == 1 ? " GPU" : " GPUs") + ": it was put back",
                       ""});
    for (error const& each : clocks.problems)
        all.push_back(
            {severity::caveat, "device", "a clock may be locked: " + each.what + ": " + each.cause, each.remedy});
    if (given.has("--json")) {
        print_json(all, findings, ready);
        return ready ? 0 : 1;
    }
    std::size_t const width = columns(STDOUT_FILENO);
    std::size_t notes = 0;
    for (advice const& each : all) {
        if (each.how == severity::note && !given.has("--all")) ++notes;
        else print_advice(each, width, has_colours(STDOUT_FILENO));
    }
    if (notes > 0) print("  (gpuprof doctor --all says " + std::to_string(notes) + " more)\n");
    print(ready ? "Ready to measure.\n"
                : paragraph("",
                            "Not ready: see the obstacles above. Without a GPU, gpuprof run and gpuprof trace run CUDA "
                            "programs on the embedded GPU.",
                            0, width));
    return ready ? 0 : 1;
}

} // namespace gpuprof::command
