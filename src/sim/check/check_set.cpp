// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/sim/check_set.hpp>

#include <string>
#include <string_view>

#include <gpuprof/metric/nearest.hpp>
#include <gpuprof/text/list_parts.hpp>
#include <gpuprof/text/printable.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

result<check_set> checks_named(std::string_view list) {
    struct row {
        std::string_view name;
        check_set checks;
    };
    static constexpr row rows[] = {{"memory", check::memory}, {"initialised", check::initialised},
                                   {"races", check::races},   {"barriers", check::barriers},
                                   {"copies", check::copies}, {"leaks", check::leaks},
                                   {"exits", check::exits},   {"all", all_checks}};
    check_set some;
    for (std::string_view const word : gpuprof::detail::list_parts(list)) {
        row const* known = nullptr;
        for (row const& one : rows)
            if (one.name == word) known = &one;
        if (known == nullptr) {
            std::string const nearest = gpuprof::detail::perhaps(word, rows);
            return error{
                errc::invalid_argument, 0, "there is no check named \"" + gpuprof::detail::printable(word) + '"',
                "the checks are memory, initialised, races, barriers, all of these four, copies, leaks and exits",
                nearest.empty() ? "use all" : nearest};
        }
        some = some | known->checks;
    }
    return some;
}

} // namespace sim
GPUPROF_NAMESPACE_END
