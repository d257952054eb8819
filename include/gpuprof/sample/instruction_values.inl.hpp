// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of instruction_values.hpp.
#ifndef GPUPROF_SAMPLE_INSTRUCTION_VALUES_INL_HPP
#define GPUPROF_SAMPLE_INSTRUCTION_VALUES_INL_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/builtin.hpp"
#include "../hw/machine/platform/demangle.hpp"
#include "../metric/info.hpp"
#include "../metric/provider_metrics.hpp"
#include "../text/list_parts.hpp"
#include "instruction_values.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail::instructions {

// A source metric and what CUPTI counts for it: `counted`, less `less`, over `over`. Empty: not there.
struct source_metric_row {
    std::string_view name;
    std::string_view counted;
    std::string_view less{};
    std::string_view over{};
};
inline constexpr source_metric_row source_metric_rows[]{
    {"inst_executed", "smsp__sass_inst_executed"},
    {"thread_inst_executed", "smsp__sass_thread_inst_executed"},
    {"thread_inst_executed_true", "smsp__sass_thread_inst_executed_pred_on"},
    {"derived__avg_thread_executed", "smsp__sass_thread_inst_executed", {}, "smsp__sass_inst_executed"},
    {"derived__avg_thread_executed_true", "smsp__sass_thread_inst_executed_pred_on", {}, "smsp__sass_inst_executed"},
    {"smsp__branch_targets_threads_divergent", "smsp__sass_branch_targets_threads_divergent"},
    {"smsp__branch_targets_threads_uniform", "smsp__sass_branch_targets_threads_uniform"},
    {"memory_l1_tag_requests_global", "smsp__sass_l1tex_tags_mem_global"},
    {"memory_l1_wavefronts_shared", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared"},
    {"memory_l1_wavefronts_shared_ideal", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal"},
    {"derived__memory_l1_wavefronts_shared_excessive", "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
     "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared_ideal"},
    {"derived__memory_l1_conflicts_shared_nway",
     "smsp__sass_l1tex_pipe_lsu_wavefronts_mem_shared",
     {},
     "smsp__sass_inst_executed"},
    {"memory_l2_theoretical_sectors_global", "smsp__sass_sectors_mem_global"},
    {"memory_l2_theoretical_sectors_global_ideal", "smsp__sass_sectors_mem_global_ideal"},
    {"derived__memory_l2_theoretical_sectors_global_excessive", "smsp__sass_sectors_mem_global",
     "smsp__sass_sectors_mem_global_ideal"},
    {"memory_l2_theoretical_sectors_local", "smsp__sass_sectors_mem_local"},
};

// What one instruction has of one metric. Of the instructions of a function, both parts add up.
struct part {
    double number = 0;
    double over = 0; // of a quotient
};
// An instruction; in serialised mode of the sampler, of one launch.
struct place {
    std::string_view function;
    std::uint64_t module = 0;
    std::uint64_t pc_offset = 0;
};
struct column {
    metric_info metric;
    std::vector<part> parts{}; // of each place
    bool is_quotient = false;
};

// The functions of the places, each once, and which launches of the report are theirs.
struct function_launches {
    std::string_view function;
    std::string demangled;
    std::uint64_t module = 0;
    std::size_t launches = 0;

    // Whether it is the kernel that a range of this name ran.
    [[nodiscard]] bool is(std::string_view kernel) const noexcept {
        if (function == kernel || demangled == kernel) return true;
        std::string_view const spelled = demangled;
        return !kernel.empty() && spelled.starts_with(kernel) && spelled.substr(kernel.size()).starts_with("(");
    }
};
[[nodiscard]] inline std::vector<function_launches> functions_of(std::span<place const> places,
                                                                 std::span<report_range const> ranges) {
    std::vector<function_launches> functions;
    for (place const& each : places) {
        auto const same = [&each](function_launches const& known) {
            return known.function == each.function && known.module == each.module;
        };
        if (std::none_of(functions.begin(), functions.end(), same))
            functions.push_back({each.function, platform::demangled(std::string{each.function}), each.module, 0});
    }
    for (function_launches& each : functions)
        for (report_range const& range : ranges)
            if (each.is(range.name)) each.launches += std::max<std::size_t>(range.count, 1);
    return functions;
}
// The function that a range's instructions are of. Errors: not_collected.
[[nodiscard]] inline result<function_launches const*> try_function_of(report_range const& range,
                                                                      std::span<function_launches const> functions) {
    error why{errc::not_collected, 0, joined({"values by instruction of ", range.name}), "", ""};
    function_launches const* found = nullptr;
    for (function_launches const& each : functions) {
        if (!each.is(range.name)) continue;
        if (found != nullptr) {
            why.cause = "two functions that were counted have that name";
            return why;
        }
        found = &each;
    }
    if (found == nullptr) {
        why.cause = "it is no kernel whose instructions were counted";
        why.remedy = "measure with range_mode::auto_range, whose ranges are kernels, and count the same work";
        return why;
    }
    if (found->launches > 1) {
        why.cause = joined({"the report has ", std::to_string(found->launches),
                            " launches of that kernel, and CUPTI counts instructions of all launches together"});
        why.remedy = "measure and count one launch of it";
        return why;
    }
    return found;
}

// "0x1a0"
[[nodiscard]] inline std::string key_of(std::uint64_t pc_offset) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(pc_offset));
    return text;
}

[[nodiscard]] hw::provided::provided_value value_in(column const& of, std::span<place const> places,
                                                    function_launches const& function);
GPUPROF_INLINE hw::provided::provided_value value_in(column const& of, std::span<place const> places,
                                                     function_launches const& function) {
    std::vector<std::pair<std::uint64_t, part>> parts;
    for (std::size_t i = 0; i < places.size(); ++i)
        if (places[i].function == function.function && places[i].module == function.module)
            parts.emplace_back(places[i].pc_offset, of.parts[i]);
    std::stable_sort(parts.begin(), parts.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    hw::provided::provided_value made;
    part whole;
    for (std::size_t i = 0; i < parts.size();) {
        part one;
        std::uint64_t const offset = parts[i].first;
        for (; i < parts.size() && parts[i].first == offset; ++i) { // launches of one instruction
            one.number += parts[i].second.number;
            one.over += parts[i].second.over;
        }
        whole.number += one.number;
        whole.over += one.over;
        double const value = !of.is_quotient ? one.number : one.over > 0 ? one.number / one.over : 0;
        if (value != 0) made.instances.push_back({key_of(offset), value});
    }
    made.number = !of.is_quotient ? whole.number : whole.over > 0 ? whole.number / whole.over : quiet_nan;
    return made;
}

// The report with these columns behind its own; metrics that it has already are left as they are.
[[nodiscard]] report with_columns(report const& of, std::vector<column> columns, std::span<place const> places,
                                  fidelity how);
GPUPROF_INLINE report with_columns(report const& of, std::vector<column> columns, std::span<place const> places,
                                   fidelity how) {
    report_contents made = of.whole();
    std::erase_if(columns, [&made](column const& each) {
        return std::any_of(made.metrics.begin(), made.metrics.end(),
                           [&each](metric_info const& known) { return known.name == each.metric.name; });
    });
    std::size_t const before = made.metrics.size(), width = before + columns.size();
    if (width == before) return of;
    std::size_t rows = before == 0 ? 0 : made.values.size() / before;
    if (before == 0)
        for (report_range const& each : made.ranges)
            for (std::size_t const row : each.rows) rows = std::max(rows, row + 1);
    auto const widened = [&](std::vector<double> const& from, double fill) {
        std::vector<double> to(rows * width, fill);
        for (std::size_t row = 0; row < rows; ++row)
            for (std::size_t i = 0; i < before; ++i) to[row * width + i] = from[row * before + i];
        return to;
    };
    if (made.deviations.size() == made.values.size() && !made.deviations.empty())
        made.deviations = widened(made.deviations, 0);
    made.values = widened(made.values, quiet_nan);
    made.fidelities.resize(before, fidelity::exact);
    for (column const& each : columns) {
        made.metrics.push_back(each.metric);
        made.fidelities.push_back(how);
    }
    std::vector<function_launches> const functions = functions_of(places, made.ranges);
    for (report_range const& range : made.ranges) {
        auto const function = try_function_of(range, functions);
        for (std::size_t const row : range.rows)
            for (std::size_t i = 0; i < columns.size(); ++i) {
                report_note note{before + i, row, {}, {}};
                if (function) {
                    note.value = value_in(columns[i], places, **function);
                    made.values[row * width + before + i] = note.value.number.value_or(quiet_nan);
                } else {
                    note.missing = function.error();
                }
                made.notes.push_back(std::move(note));
            }
    }
    return report{std::move(made)};
}

} // namespace detail::instructions

GPUPROF_INLINE report with_instruction_values(report const& of, sass_counts const& counts) {
    namespace instructions = detail::instructions;
    std::vector<instructions::place> places;
    for (sass_record const& each : counts.records) places.push_back({each.function, each.module, each.pc_offset});
    auto const find = [&counts](std::string_view metric) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < counts.metrics.size(); ++i)
            if (counts.metrics[i] == metric) return i;
        return {};
    };
    std::vector<instructions::column> columns;
    for (instructions::source_metric_row const& row : instructions::source_metric_rows) {
        auto const counted = find(row.counted), less = find(row.less), over = find(row.over);
        if (!counted || (!row.less.empty() && !less) || (!row.over.empty() && !over)) continue;
        auto metric = try_metric(detail::joined({"source:", row.name}));
        if (!metric) continue;
        instructions::column made{*std::move(metric), {}, over.has_value()};
        for (sass_record const& each : counts.records) {
            std::uint64_t const number = each.values[*counted];
            std::uint64_t const without = less ? std::min(each.values[*less], number) : 0;
            // The quotient of a function is over the instructions that it is about.
            double const divisor = over && number != 0 ? static_cast<double>(each.values[*over]) : 0;
            made.parts.push_back({static_cast<double>(number - without), divisor});
        }
        columns.push_back(std::move(made));
    }
    return instructions::with_columns(of, std::move(columns), places, counts.how);
}

GPUPROF_INLINE report with_instruction_values(report const& of, pc_samples const& sampled) {
    namespace instructions = detail::instructions;
    std::vector<instructions::place> places;
    for (pc_record const& each : sampled.records) places.push_back({each.function, each.module, each.pc_offset});
    std::vector<instructions::column> columns;
    auto const add = [&](std::string const& name, auto const& number_of) {
        auto metric = try_metric(name);
        if (!metric) return; // a reason that Nsight Compute has no metric for
        instructions::column made{*std::move(metric), {}, false};
        for (pc_record const& each : sampled.records) made.parts.push_back({static_cast<double>(number_of(each)), 0});
        columns.push_back(std::move(made));
    };
    add("smsp__pcsamp_sample_count", [](pc_record const& each) { return each.samples(); });
    for (std::size_t reason = 0; reason < sampled.reasons.size(); ++reason) {
        std::string const name = "smsp__pcsamp_warps_issue_stalled_" + sampled.reasons[reason].name;
        auto const sum = [reason](pc_record const& of_record, std::uint64_t stall_count::*member) {
            std::uint64_t all = 0;
            for (stall_count const& each : of_record.stalls)
                if (each.reason == reason) all += each.*member;
            return all;
        };
        add(name, [&sum](pc_record const& each) { return sum(each, &stall_count::samples); });
        add(name + "_not_issued", [&sum](pc_record const& each) { return sum(each, &stall_count::latency_samples); });
    }
    return instructions::with_columns(of, std::move(columns), places, sampled.how);
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_INSTRUCTION_VALUES_INL_HPP
