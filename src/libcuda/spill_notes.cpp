// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the stack that kernels have in machine code with what their arrays take in PTX: the rest are spilled registers, and
// those that calls save.
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/demangle.hpp>
#include <gpuprof/core/counted.hpp>
#include <gpuprof/text/distinct_names.hpp>
#include "../sim/image/machine_code.hpp"

#include "spill_notes.hpp"

namespace gpuprof::driver_library {
namespace {

// Never destroyed, as the table of kernels.
struct stacks {
    std::map<std::string, sim::image::kernel_resources> in_machine_code; // by mangled name
    std::map<std::string, std::uint32_t> in_ptx;                         // of kernels that ran

    static stacks& instance() {
        static auto* const one = new stacks;
        return *one;
    }
};

// ptxas rounds a stack up.
constexpr std::uint32_t rounded(std::uint32_t bytes) { return (bytes + 15) / 16 * 16; }

} // namespace

void note_machine_code(void const* image) { stacks::instance().in_machine_code.merge(sim::image::resources_in(image)); }

void note_stack(sim::kernel const& of) { stacks::instance().in_ptx.try_emplace(of.name, of.stack_bytes); }

std::string spill_notes() {
    stacks const& all = stacks::instance();
    std::uint32_t target = 0;
    std::vector<std::string> names;
    std::vector<std::uint32_t> more;
    for (auto const& [kernel, bytes] : all.in_ptx) {
        auto const found = all.in_machine_code.find(kernel);
        if (found == all.in_machine_code.end()) continue;
        target = found->second.target;
        if (found->second.stack <= rounded(bytes)) continue;
        names.push_back(platform::demangled(kernel));
        more.push_back(found->second.stack - bytes);
    }
    std::string text = "spills are not seen here";
    if (target == 0) return text + ": ask ptxas -v";
    text += "; the machine code for sm_" + std::to_string(target) + " beside the PTX ";
    if (names.empty()) return text + "has none";
    text += "keeps more on the stack than arrays: ";
    constexpr std::size_t widest_name = 60, most = 8;
    names = gpuprof::detail::distinct_names(std::move(names), widest_name);
    for (std::size_t i = 0; i < names.size() && i < most; ++i)
        text += (i == 0 ? "" : ", ") + names[i] + " " + gpuprof::detail::counted(more[i], "byte") + " a thread";
    if (names.size() > most) text += ", and " + std::to_string(names.size() - most) + " kernels more";
    return text + "; ask ptxas -v";
}

} // namespace gpuprof::driver_library
