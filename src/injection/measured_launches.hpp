// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reports of a launch each, as one report.
#ifndef GPUPROF_INJECTION_MEASURED_LAUNCHES_HPP
#define GPUPROF_INJECTION_MEASURED_LAUNCHES_HPP

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/measure/report.hpp>
#include <gpuprof/measure/report_contents.hpp>

namespace gpuprof::injection {

// A range a launch, in their order.
class measured_launches {
public:
    // @param one of one device and list of metrics with the others; without ranges where the launch was refused
    // @param launch which of its kernel's it was, from 1: from the second on the range's name says it
    void add(report const& one, std::size_t launch) {
        report_contents const& from = one.whole();
        if (whole_.metrics.empty()) {
            whole_ = from;
            whole_.ranges.clear();
            whole_.values.clear();
            whole_.notes.clear();
        }
        std::size_t const first = whole_.ranges.size(); // a row each
        for (report_range range : from.ranges) {
            if (launch > 1) range.name += " (launch " + std::to_string(launch) + ")";
            for (std::size_t& row : range.rows) row += first;
            whole_.ranges.push_back(std::move(range));
        }
        whole_.values.insert(whole_.values.end(), from.values.begin(), from.values.end());
        for (report_note note : from.notes) {
            if (note.row != report_note::every_row) note.row += first;
            else if (first != 0) continue; // it is known
            whole_.notes.push_back(std::move(note));
        }
        add(from.completeness.problems);
    }
    [[nodiscard]] std::size_t launches() const noexcept { return whole_.ranges.size(); }

    // @param also problems beside those of the launches
    [[nodiscard]] report whole(std::vector<error> const& also) const {
        measured_launches told = *this;
        told.add(also);
        return report{std::move(told.whole_)};
    }

private:
    void add(std::vector<error> const& problems) {
        auto& known = whole_.completeness.problems;
        for (error const& each : problems)
            if (std::ranges::none_of(known, [&](error const& one) { return one.message() == each.message(); }))
                known.push_back(each);
    }

    report_contents whole_;
};

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_MEASURED_LAUNCHES_HPP
