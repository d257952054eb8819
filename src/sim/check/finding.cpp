// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprof/sim/finding.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "../code/launch_limits.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::string_view name(finding_kind kind) noexcept {
    constexpr std::string_view names[] = {
        "out of bounds", "misaligned access", "use after free",      "invalid free",  "leak", "uninitialised", "race",
        "barrier",       "asynchronous copy", "missing proxy fence", "kernel stopped"};
    return names[static_cast<int>(kind)];
}

std::string finding_side::text() const {
    std::string all = "CTA " + text_of(cta) + ", thread " + text_of(thread) + ", PTX line " + std::to_string(ptx_line);
    if (source_line != 0) all += ", " + source_file + ":" + std::to_string(source_line);
    return did.empty() ? all : all + ": " + did;
}

std::string finding::message() const {
    std::string text{name(kind)};
    if (!kernel.empty()) text += ": kernel " + kernel;
    if (here) text += ", " + here->text();
    if (here && !here->did.empty() && address != 0) {
        char at[32];
        std::snprintf(at, sizeof at, " at 0x%llx", static_cast<unsigned long long>(address));
        text += at;
    }
    if (!detail.empty()) text += (here && !here->did.empty() ? ", " : ": ") + detail;
    if (other) text += "; " + std::string{kind == finding_kind::uninitialised ? "from " : "and "} + other->text();
    return text;
}

} // namespace sim
GPUPROF_NAMESPACE_END
