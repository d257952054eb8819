// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at the text of each kernel that a program runs, for what the embedded GPU computes with other last bits than hardware.
#include <map>
#include <string>

#include <gpuprof/hw/machine/platform/demangle.hpp>
#include "../sim/code/kernel.hpp"
#include "../sim/sass/approximate_use.hpp"

#include "approximate_notes.hpp"

namespace gpuprof::driver_library {
namespace {

// Never destroyed, as the table of kernels.
struct notes {
    std::map<std::string, std::string, std::less<>> by_kernel; // empty: nothing to say

    static notes& instance() {
        static auto* const one = new notes;
        return *one;
    }
};

std::string place(sim::kernel const& of, sim::ptx::instruction const& i) {
    std::string text{i.opcode};
    text += " in PTX line " + std::to_string(i.at.line);
    std::string const file = of.file_name(i.source.file);
    if (i.source.line != 0 && !file.empty())
        text += " (" + file.substr(file.find_last_of('/') + 1) + ":" + std::to_string(i.source.line) + ")";
    return text;
}

std::string note_on(sim::kernel const& of) {
    std::size_t branches = 0, addresses = 0;
    std::string first;
    for (sim::function_code const* const function : of.functions) {
        if (!of.source || function->module_index >= of.source->functions.size()) continue;
        for (sim::approximate_use const& use : sim::approximate_uses(of.source->functions[function->module_index])) {
            ++(use.is_address ? addresses : branches);
            if (first.empty())
                first =
                    place(of, *use.from) + " decides " + (use.is_address ? "the address of " : "") + place(of, *use.to);
        }
    }
    if (first.empty()) return {};
    std::size_t const more = branches + addresses - 1;
    return first + (more == 0 ? std::string{} : ", and " + std::to_string(more) + " more");
}

} // namespace

void note_approximate_values(sim::kernel const& of) {
    notes& all = notes::instance();
    if (all.by_kernel.find(of.name) == all.by_kernel.end()) all.by_kernel.emplace(of.name, note_on(of));
}

std::string approximate_notes() {
    std::string text;
    for (auto const& [kernel, note] : notes::instance().by_kernel)
        if (!note.empty()) text += "  " + platform::demangled(kernel) + ": " + note + "\n";
    if (text.empty()) return {};
    return "on a GPU these may take another way, since a value that decides it has other last bits there, or is a "
           "time:\n" +
           text;
}

} // namespace gpuprof::driver_library
