// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that were kept, to compare later ones with.
#ifndef GPUPROF_JUDGE_BASELINE_HPP
#define GPUPROF_JUDGE_BASELINE_HPP

#include <string>
#include <string_view>
#include <vector>

#include "../core/device_source.hpp"
#include "../core/fidelity.hpp"
#include "../core/result.hpp"
#include "../core/units.hpp"
#include "../detail/config.hpp"
#include "../measure/report.hpp"
#include "observation.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN

struct baseline_value {
    std::string range;
    std::string metric;
    std::string unit; // its symbol
    double value = 0;
    fidelity how = fidelity::exact;
};

// The values of ranges on one device, in the order of ranges and metrics. Values that were not had are not in it.
//
// As a file: JSON with "gpuprof_baseline" (the version of the format, 1), the device, and a line for each value, so that a
// comparison of two versions by line (git diff) shows what changed.
struct baseline {
    static constexpr int format = 1;

    std::string device;
    std::string chip;
    device_source source = device_source::hardware;
    std::vector<baseline_value> values{};

    // Of all ranges of a report. Errors: the first problem of an incomplete one.
    [[nodiscard]] static result<baseline> try_of(report const& of);
    // Of one range, under that name. Errors: why there is no range; the first problem of its report;
    // why a metric has no value.
    [[nodiscard]] static result<baseline> try_of(observation const& of, std::string_view name);
    // Errors: invalid_argument for what is no JSON or no baseline, version_mismatch for one of a later version.
    [[nodiscard]] static result<baseline> try_parse(std::string_view text);
    // The same of a file. Errors also: io.
    [[nodiscard]] static result<baseline> try_read(std::string const& path);

    [[nodiscard]] std::string text() const;
    // Replaces the file, whole or not at all. Errors: io.
    [[nodiscard]] result<void> try_write(std::string const& path) const;
};

enum class change : unsigned char { same, better, worse, changed, added, removed };
[[nodiscard]] constexpr std::string_view name(change of) noexcept {
    constexpr std::string_view names[]{"same", "better", "worse", "changed", "added", "removed"};
    return names[static_cast<unsigned>(of)];
}

// One value in two baselines. What is better follows from the metric: fewer bytes, conflicts, cycles; higher hit rates and
// shares of a peak. Where that says nothing, it is changed.
struct value_change {
    baseline_value before{};
    baseline_value after{};
    change what = change::same;

    [[nodiscard]] baseline_value const& either() const noexcept { return what == change::added ? after : before; }
    [[nodiscard]] double percent_more() const noexcept {
        return before.value != 0 ? (after.value - before.value) / before.value * 100 : 0;
    }
};

struct baseline_options {
    percent tolerance{2};           // of values that are not exact, and of all values of hardware
    bool across_devices = false;    // compare also if device, chip or source differ
    bool across_fidelities = false; // compare also a value that came about another way
};

// Every value of either, in the order of ranges and metrics. Errors: invalid_argument if device or fidelity differ, unless the
// options allow it.
[[nodiscard]] result<std::vector<value_change>> try_compare(baseline const& before, baseline const& after,
                                                            baseline_options const& options = {});

// What changed as a table of a pull request; all values if `all`. Says so if nothing changed.
[[nodiscard]] std::string markdown(std::vector<value_change> const& changes, bool all = false);

namespace judge {
[[nodiscard]] outcome judge_baseline(std::string const& folder, std::string const& name,
                                     baseline_options const& options, observation const& of);
} // namespace judge

namespace expect {

// The range has the values that were kept in the file <name>.<chip>.json, or <name>.<chip>.embedded.json, of a folder. A value
// that got worse, changed, was added or removed fails; one that got better fails, too, so that the file is updated.
// With GPUPROF_UPDATE_BASELINES=1 in the environment the file is written anew, and the check passes. Inconclusive without a file,
// and if a metric has no value: it was not collected, or is 0/0.
//
//     GPUPROF_EXPECT(m, expect::unchanged_since("tests/baselines", "saxpy"));
struct unchanged_since {
    std::string folder;
    std::string name;
    baseline_options options{};

    unchanged_since(std::string_view in, std::string_view range, baseline_options const& how = {})
        : folder{in}, name{range}, options{how} {}
    [[nodiscard]] outcome operator()(observation const& of) const {
        return judge::judge_baseline(folder, name, options, of);
    }
};

} // namespace expect

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "baseline.inl.hpp"
#endif

#endif // GPUPROF_JUDGE_BASELINE_HPP
