// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of scopes in recordings, by which a replay gives them the same numbers.
#ifndef GPUPROF_TRACE_SCOPE_NAMES_OUTPUT_HPP
#define GPUPROF_TRACE_SCOPE_NAMES_OUTPUT_HPP

#include <cstdint>
#include <string>
#include <vector>

#include "../hw/machine/output_fields.hpp"
#include "../hw/machine/output_line.hpp"
#include "scope_tree.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Scopes that an output is the first to have, in the order of their numbers.
struct scope_names_output {
    struct scope {
        std::uint64_t parent = 0;
        std::string name;
    };
    std::vector<scope> names{};

    // @param kept how many an earlier output has
    [[nodiscard]] static scope_names_output of(scope_tree const& tree, std::uint64_t& kept) {
        scope_names_output made;
        for (std::uint64_t const last = tree.size(); kept < last;) {
            ++kept;
            made.names.push_back({tree.parent_of(kept), std::string{tree.name_of(kept)}});
        }
        return made;
    }
    void describe(hw::output_fields& fields) {
        fields.list("names", names, [&](scope& each) {
            fields.whole("parent", each.parent);
            fields.text("name", each.name);
        });
    }
    // Numbers all scopes of a recording as they were, whichever the program opens first. A scope around another one has the
    // smaller number; what is not so has no name.
    static void number_all(hw::output_line& line, scope_tree& tree) {
        line.look_ahead([&](hw::output_fields& fields) {
            scope_names_output some;
            some.describe(fields);
            for (scope const& each : some.names)
                if (each.parent <= tree.size()) static_cast<void>(tree.number_of(each.parent, each.name));
        });
    }
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_SCOPE_NAMES_OUTPUT_HPP
