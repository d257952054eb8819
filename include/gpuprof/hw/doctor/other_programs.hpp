// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finding: programs that may hold the counters.
#ifndef GPUPROF_HW_DOCTOR_OTHER_PROGRAMS_HPP
#define GPUPROF_HW_DOCTOR_OTHER_PROGRAMS_HPP

#include <string>
#include <string_view>

#include "../../core/error.hpp"
#include "../../detail/config.hpp"
#include "../machine/platform/process.hpp"
#include "examined_machine.hpp"
#include "finding.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::findings {

// Monitoring tools, profilers and debuggers that use a device's only set of counters (CUPTI 12.0,
// 1.2; Nsight Compute 2023.3, 11).
inline void other_programs(examined_machine const& machine, finding_list& found) {
    struct holder {
        std::string_view program;
        bool any_ending = false; // "cuda-gdb-python3" as well
    };
    constexpr holder monitors[]{{"nv-hostengine"}, {"dcgm-exporter"}, {"dcgmi"}};
    constexpr holder tools[]{{"ncu"},    {"nv-nsight-cu-cli"}, {"nsys"},          {"ngfx", true},
                             {"nvprof"}, {"cuda-gdb", true},   {"cuda-memcheck"}, {"compute-sanitizer"}};
    auto const is = [](std::string const& running, holder const& known) {
        std::string_view const kept = known.program.substr(0, platform::program_name_length);
        return known.any_ending ? running.starts_with(kept) : running == kept;
    };
    auto const tell = [&found](std::string const& program, char const* remedy) {
        found.add(finding::topic::other_tools, finding::severity::caveat,
                  program + " is running and may hold the counters", remedy, errc::busy);
    };
    for (std::string const& program : machine.here().processes) {
        for (holder const& known : monitors)
            if (is(program, known)) tell(program, "pause it with dcgmi profile --pause");
        for (holder const& known : tools)
            if (is(program, known)) tell(program, "let it finish first");
    }
}

} // namespace hw::findings

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_OTHER_PROGRAMS_HPP
