// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of csv.hpp.
#ifndef GPUPROF_IO_CSV_INL_HPP
#define GPUPROF_IO_CSV_INL_HPP

#include <string>

#include "../core/unit_symbol.hpp"
#include "../detail/builtin.hpp"
#include "../text/text_appender.hpp"
#include "csv.hpp"
#include "csv_cell.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

GPUPROF_INLINE std::string csv(report const& of) {
    std::string text;
    gpuprof::detail::text_appender const to{text};
    to.text("range,count");
    for (metric_info const& metric : of.metrics()) {
        unit_symbol const unit{metric.value_unit};
        std::string const head = gpuprof::detail::joined({metric.name, " [", unit.view(), "]"});
        to.text(",");
        write_csv_cell(to, unit.view().empty() ? metric.name : head);
    }
    bool timed = false;
    for (range_view const range : of) timed = timed || range.pass_times().passes >= 2;
    to.text(timed ? ",spread of passes [ratio]\r\n" : "\r\n");
    for (range_view const range : of) {
        write_csv_cell(to, range.path());
        to.text(",");
        to.number(range.count());
        for (metric_info const& metric : of.metrics()) {
            to.text(",");
            auto const value = range.try_value(metric.name);
            if (value && -gpuprof::detail::infinite < value->value && value->value < gpuprof::detail::infinite) {
                to.real(value->value);
            } else if (auto const provided = range.try_provided(metric.name); provided) {
                write_csv_cell(to, provided->text);
            }
        }
        if (timed) to.text(",");
        if (range.pass_times().passes >= 2) to.real(range.pass_times().spread());
        to.text("\r\n");
    }
    return text;
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_CSV_INL_HPP
