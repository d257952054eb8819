// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the tables and the JSON of all reports of ranks have.
#ifndef GPUPROF_IO_RANK_LINES_HPP
#define GPUPROF_IO_RANK_LINES_HPP

#include <cstddef>
#include <string>
#include <vector>

#include "../core/error.hpp"
#include "../detail/config.hpp"
#include "../ranks/silent_rank.hpp"
#include "../text/text_appender.hpp"
#include "../text/wrapped.hpp"
#include "error_json.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io::detail {

inline constexpr std::size_t ranks_table_width = 100;

[[nodiscard]] inline std::string ranks_heard(std::size_t heard, std::size_t size) {
    std::string const all = std::to_string(size) + (size == 1 ? " rank" : " ranks");
    return heard == size ? all : std::to_string(heard) + " of " + all;
}
[[nodiscard]] inline std::string problem_lines(std::vector<error> const& problems) {
    std::string text;
    for (error const& each : problems)
        text += gpuprof::detail::wrapped_lines("missing: " + each.message() + "\n", ranks_table_width);
    return text;
}
// How both reports begin: the ranks that there are, and those that were not heard.
template <class Report>
void add_heard(gpuprof::detail::text_appender const& to, Report const& of) {
    to.text("{\"size\":");
    to.number(of.size);
    to.text(",\"heard\":");
    to.number(of.heard);
    to.text(",\"silent\":[");
    for (ranks::silent_rank const& each : of.silent) {
        to.text(&each == of.silent.data() ? "{\"rank\":" : ",{\"rank\":");
        to.number(each.rank);
        to.text(",\"behind\":");
        to.number(each.behind);
        to.text("}");
    }
    to.text("]");
}
inline void add_problems(gpuprof::detail::text_appender const& to, std::vector<error> const& problems) {
    to.text(",\"problems\":[");
    for (error const& each : problems) {
        if (&each != problems.data()) to.text(",");
        add_error(to, each);
    }
    to.text("]}\n");
}

} // namespace io::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_RANK_LINES_HPP
