// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of verdicts.hpp.
#ifndef GPUPROF_IO_VERDICTS_INL_HPP
#define GPUPROF_IO_VERDICTS_INL_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../text/distinct_names.hpp"
#include "../text/wrapped.hpp"
#include "verdicts.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_INLINE std::string verdicts(report const& of, std::size_t width, std::size_t most) {
    using gpuprof::detail::joined;
    flaw_search const found = find_flaws(of);
    std::string text;
    if (found.looked_for.empty())
        return "not looked for flaws: the metrics of gpuprof::flaw_metrics were not measured\n";
    if (found.flaws.empty()) {
        for (std::string_view const name : found.looked_for)
            text = joined({text, text.empty() ? "not found: " : ", ", name});
        return gpuprof::detail::wrapped_lines(text, width) + '\n';
    }
    std::vector<std::string> names;
    for (flaw const& each : found.flaws) names.push_back(each.range);
    names = gpuprof::detail::distinct_names(std::move(names), width < 40 ? 24 : width * 3 / 5);
    for (std::size_t first = 0; first < found.flaws.size();) {
        std::size_t end = first;
        while (end < found.flaws.size() && found.flaws[end].name == found.flaws[first].name) ++end;
        text = joined({text, found.flaws[first].name, ":\n"});
        std::size_t const shown = end < first + most ? end : first + most;
        for (std::size_t i = first; i < shown; ++i)
            text = joined({text, "  ", names[i], ": ", found.flaws[i].meaning, "\n"});
        if (shown < end) text = joined({text, "  and ", std::to_string(end - shown), " more\n"});
        text = joined({text, "  advice: ", found.flaws[first].advice, "\n"});
        first = end;
    }
    return gpuprof::detail::wrapped_lines(text, width);
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_VERDICTS_INL_HPP
