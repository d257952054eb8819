// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "finding_list.hpp"

#include <optional>
#include <utility>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

void finding_list::add(finding found, bool calls_listener) {
    for (finding& known : findings_)
        if (is_same(known, found)) {
            known.count += found.count;
            return;
        }
    findings_.push_back(std::move(found));
    if (calls_listener && listener != nullptr) listener(findings_.back());
}

bool finding_list::is_same(finding const& a, finding const& b) {
    auto const line = [](std::optional<finding_side> const& side) { return side ? side->ptx_line : 0; };
    return a.kind == b.kind && line(a.here) == line(b.here) && line(a.other) == line(b.other) && a.kernel == b.kernel &&
           (a.here || (a.address == b.address && a.detail == b.detail));
}

} // namespace sim
GPUPROF_NAMESPACE_END
