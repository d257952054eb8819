// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a trace is written, and what a written one lacks.
#ifndef GPUPROF_IO_TRACE_EVENT_OPTIONS_HPP
#define GPUPROF_IO_TRACE_EVENT_OPTIONS_HPP

#include <cstdint>
#include <optional>
#include <string_view>

#include "../detail/config.hpp"
#include "../hw/abi/cupti_activity.hpp"
#include "../hw/activity/timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Options of a trace. The defaults suit most programs.
struct trace_event_options {
    // The zero of times in the file; none: midnight (UTC) before the day of the first record.
    // Records that began earlier are not drawn, since viewers drop negative times.
    std::optional<activity::timestamp> base{};
    // The name of a driver or runtime function; empty if it is not known, which is written "driver
    // call 307". null: io::name_of_call().
    std::string_view (*name_of_call)(abi::CUpti_ActivityKind kind, std::uint32_t callback) = nullptr;
    // External correlation records of this kind say in which scope a call was made
    // (traced_scope::number): the kind of tracer_options. Needed if records are written one by one;
    // a batch knows it.
    abi::CUpti_ExternalCorrelationKind scope_kind = abi::CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2;
    std::uint32_t process = 0; // that scopes are drawn under; 0: this process
    bool flows = true;         // arrows from calls to the work that they started; a third of the file
};

// Records that were written but are not shown. The file has the counts in otherData.
struct trace_event_losses {
    std::uint64_t without_time = 0; // CUPTI could not take their time
    std::uint64_t before_base = 0;  // began before the base
    std::uint64_t not_drawn = 0;    // of kinds without a place on a time axis
    std::uint64_t overlapping = 0;  // drawn, but over trace_track::lanes at once: viewers may drop them
    std::uint64_t unpaired = 0;     // ends of NVTX ranges without a beginning, or over the limit
    std::uint64_t not_finite = 0;   // counters that were NaN or infinite
    std::uint64_t lost_before = 0;  // records and scopes that the tracer lost, by its batches
    // Whether everything that has a place in a trace is drawn.
    [[nodiscard]] bool complete() const noexcept {
        return without_time == 0 && before_base == 0 && overlapping == 0 && unpaired == 0 && not_finite == 0 &&
               lost_before == 0;
    }
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TRACE_EVENT_OPTIONS_HPP
