// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the checks of the embedded GPU are, and what they find. Layer: embedded GPU, checks.
#ifndef GPUPROF_HW_SIM_CHECK_FINDING_HPP
#define GPUPROF_HW_SIM_CHECK_FINDING_HPP

#include <cstdint>     // addresses
#include <cstdio>      // addresses in texts
#include <optional>    // the other side
#include <string>      // texts
#include <string_view> // names of kinds
#include <utility>     // std::move
#include <vector>      // findings

#include "../code/launch.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

enum class finding_kind : std::uint8_t {
    out_of_bounds,
    misaligned,
    use_after_free,
    invalid_free, // of what was never allocated, or of what was freed
    leak,
    uninitialised, // a value that nobody wrote decides something
    race,
    barrier, // not reached by all, or not at the same place
    other    // any other reason why a kernel was stopped
};
[[nodiscard]] constexpr std::string_view name(finding_kind kind) noexcept {
    constexpr std::string_view names[] = {"out of bounds", "misaligned access", "use after free", "invalid free",
                                          "leak",          "uninitialised",     "race",           "barrier",
                                          "kernel stopped"};
    return names[static_cast<int>(kind)];
}

// What one thread did. `ptx_line` and `source_line` count from one, 0 when unknown.
struct finding_side {
    extent3 cta{0, 0, 0};
    extent3 thread{0, 0, 0};
    std::uint32_t ptx_line = 0;
    std::string source_file;
    std::uint32_t source_line = 0;
    std::string did; // "write of 4 bytes"

    [[nodiscard]] std::string text() const {
        auto const triple = [](extent3 const& e) {
            return "(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " + std::to_string(e.z) + ")";
        };
        std::string all =
            "CTA " + triple(cta) + ", thread " + triple(thread) + ", PTX line " + std::to_string(ptx_line);
        if (source_line != 0) all += ", " + source_file + ":" + std::to_string(source_line);
        return did.empty() ? all : all + ": " + did;
    }
};

// One error of the program. The same kind at the same lines of the same kernel is one finding, whose first case is kept.
struct finding {
    finding_kind kind = finding_kind::other;
    std::string kernel; // empty: not in a kernel
    std::optional<finding_side> here;
    std::optional<finding_side>
        other;                 // of a race: the thread before; of an uninitialised value: who read it from memory
    std::uint64_t address = 0; // generic
    std::string detail;        // the memory it is about, or what is wrong
    std::uint64_t count = 1;   // cases

    // "race: kernel k, CTA (0, 0, 0), thread (1, 0, 0), PTX line 40, k.cu:3: write of 4 bytes at 0x…, …; and CTA …"
    [[nodiscard]] std::string message() const {
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
};

// All findings of a process, in their order. Not thread-safe: the driver's lock is held.
class finding_list {
public:
    // A new one is told to the listener, if it is to be; one that is there already is counted.
    void add(finding one, bool is_told = true) {
        for (finding& known : findings_)
            if (is_same(known, one)) {
                known.count += one.count;
                return;
            }
        findings_.push_back(std::move(one));
        if (is_told && listener != nullptr) listener(findings_.back());
    }
    [[nodiscard]] std::vector<finding> const& all() const noexcept { return findings_; }
    void clear() noexcept { findings_.clear(); }

    void (*listener)(finding const&) = nullptr;

private:
    static bool is_same(finding const& a, finding const& b) {
        auto const line = [](std::optional<finding_side> const& side) { return side ? side->ptx_line : 0; };
        return a.kind == b.kind && line(a.here) == line(b.here) && line(a.other) == line(b.other) &&
               a.kernel == b.kernel && (a.here || (a.address == b.address && a.detail == b.detail));
    }
    std::vector<finding> findings_;
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CHECK_FINDING_HPP
