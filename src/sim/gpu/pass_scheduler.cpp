// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pass_scheduler.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <gpuprof/metric/kind.hpp>

#include "../chip/chip_model.hpp"
#include "../counters/metric_row.hpp"
#include "../counters/metric_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

std::optional<std::vector<row_number>> find_rows(chip_model const& model, std::span<char const* const> names) {
    std::vector<row_number> rows;
    for (char const* const name : names) {
        auto const found = name == nullptr ? std::nullopt : find_metric(model, name);
        if (!found) return {};
        rows.push_back(found->row);
    }
    return rows;
}

std::vector<row_number> constituents(chip_model const& model, std::span<row_number const> metrics) {
    std::vector<row_number> needed;
    auto const need = [&](row_number row) {
        if (std::find(needed.begin(), needed.end(), row) == needed.end()) needed.push_back(row);
    };
    for (row_number const metric : metrics) {
        if (metric_rows[metric].kind != metric_kind::throughput) need(metric);
        for (char const* const part : metric_rows[metric].breakdown)
            if (auto const row = find_row(model, part)) need(*row);
    }
    return needed;
}

std::vector<pass> schedule(chip_model const& model, std::span<row_number const> metrics, collection how) {
    if (how == collection::at_once) return {constituents(model, metrics)};
    struct open_pass {
        pass rows;
        std::array<int, hardware_units> used{};
    };
    std::vector<open_pass> open;
    pass instrumented;
    for (row_number const number : constituents(model, metrics)) {
        metric_row const& row = metric_rows[number];
        if (row.is_instrumented()) {
            instrumented.push_back(number);
            continue;
        }
        auto const unit = static_cast<std::size_t>(row.unit);
        int const limit = model.counters_per_pass[row.unit];
        int const wanted = row.is_clock() || row.unit == hardware_unit::gpu ? 0
                           : row.kind == metric_kind::ratio                 ? 2
                                                                            : 1;
        int const needed = wanted < limit ? wanted : limit;
        auto place = std::find_if(open.begin(), open.end(),
                                  [&](open_pass const& candidate) { return candidate.used[unit] + needed <= limit; });
        if (place == open.end()) place = open.insert(open.end(), open_pass{});
        place->rows.push_back(number);
        place->used[unit] += needed;
    }
    std::vector<pass> passes;
    passes.reserve(open.size() + 1);
    for (open_pass& full : open) passes.push_back(std::move(full.rows));
    if (!instrumented.empty()) passes.push_back(std::move(instrumented));
    return passes;
}

} // namespace sim
GPUPROF_NAMESPACE_END
