// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One trace of all ranks, with their clocks aligned and their collectives joined.
#ifndef GPUPROF_IO_RANK_TRACE_HPP
#define GPUPROF_IO_RANK_TRACE_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/machine/device.hpp"
#include "../ranks/communicator.hpp"
#include "../ranks/rank_clock.hpp"
#include "../ranks/wait_report.hpp"
#include "file_sink.hpp"
#include "trace_event.hpp"
#include "trace_event_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// How ranks join their traces. The same on all ranks, but for `group`, `place` and `part`.
struct rank_trace_options {
    // How clocks are compared, and how long ranks wait for each other: longer than one may take to read its own file.
    ranks::clock_options clocks{};
    // Kernels whose names begin so wait for those of other ranks.
    std::string collectives = "nccl";
    // Ranks of the same number take part in the same collectives. Programs whose ranks form groups give each group its own.
    std::uint64_t group = 0;
    // Of a rank; later ones are drawn, and not joined. Each takes 44 bytes of a message.
    std::size_t most_collectives = 100'000;
    // Collectives times ranks; of more, collective::waits are empty.
    std::size_t most_waits = 1'000'000;
    std::size_t block_bytes = std::size_t{1} << 20; // of a message to rank 0, about
    std::string place{};                            // "node17, NVIDIA H200"; empty: as the system and the device say
    std::string part{};                             // this rank's own file; empty: FILE.rank3
    ranks::time_source clock{};   // tracer_options::clock, if that is set; none: clock_of() the device
    trace_event_options events{}; // of this rank's own file; `base` is not used
};

// A trace of one program of many ranks, in one file.
//
//     auto trace = gpuprof::io::rank_trace::try_begin(all, gpu, "trace.json").value(); // all ranks
//     ...
//     trace.write(tracer.flush());                 // each rank for itself, as often as it likes
//     auto const waits = trace.try_finish(all);    // all ranks; rank 0 has waits, and trace.json
//
// Each rank writes a file of its own; at the end rank 0 takes them over through the communicator, block by block and rank by rank, so
// that no rank holds a trace in memory and none needs a file system that the others see. A rank's file is removed when its events are in
// the joint file. It is a trace of its own until then, which helps where a rank dies. docs/many-gpus.md shows what is in the file.
class rank_trace {
public:
    // Compares clocks and opens this rank's file. All ranks call it. Errors: those of ranks::try_read_clock(); io. A silent rank is
    // none: it is named at the end. @pre the device lives as long as the trace
    [[nodiscard]] static result<rank_trace> try_begin(ranks::communicator& all, device const& gpu, std::string file,
                                                      rank_trace_options options = {});

    // Writes what trace_event_writer::write() takes: records, scopes, batches. Of this rank alone: it sends nothing.
    template <class Record>
    void write(Record const& record) {
        parts_->writer.write(record);
    }
    [[nodiscard]] trace_event_writer& writer() noexcept { return parts_->writer; }

    // Compares clocks again, joins the collectives, and writes the file on rank 0. All ranks call it, once. Whatever happens to a rank,
    // the others are back after a few deadlines and the time of the transfer; on rank 0 the report names silent ones. Errors: io
    // where this rank can neither send nor receive, or where a file cannot be written; not_collected where rank 0 is silent.
    // Cost: each rank reads its file twice; rank 0 writes them one after another.
    [[nodiscard]] result<ranks::wait_report> try_finish(ranks::communicator& all);

private:
    struct parts {
        parts(file_sink opened, rank_trace_options given)
            : options{std::move(given)}, file{std::move(opened)}, writer{file.sink(), options.events} {}
        rank_trace_options options;
        std::string joint{};
        ranks::clock_reading begin{};
        file_sink file;
        trace_event_writer writer;
    };
    explicit rank_trace(std::unique_ptr<parts> of) noexcept : parts_{std::move(of)} {}
    std::unique_ptr<parts> parts_;
};

// Joins trace files that ranks have written already, by trace_event_writer or the injection library. All ranks call it, each with its
// own file, its clock (of the records in it) and options. Errors and the report: as rank_trace::try_finish(). Leaves the parts.
[[nodiscard]] result<ranks::wait_report> try_join_traces(ranks::communicator& all, ranks::rank_clock const& clock,
                                                         std::string const& part, std::string const& file,
                                                         rank_trace_options const& options = {});

#if !GPUPROF_ENABLED
inline result<rank_trace> rank_trace::try_begin(ranks::communicator&, device const&, std::string file,
                                                rank_trace_options options) {
    return result<rank_trace>{
        rank_trace{std::unique_ptr<parts>{new parts{*file_sink::try_open(std::move(file)), std::move(options)}}}};
}
inline result<ranks::wait_report> rank_trace::try_finish(ranks::communicator&) {
    return result<ranks::wait_report>{ranks::wait_report{}};
}
inline result<ranks::wait_report> try_join_traces(ranks::communicator&, ranks::rank_clock const&, std::string const&,
                                                  std::string const&, rank_trace_options const&) {
    return result<ranks::wait_report>{ranks::wait_report{}};
}
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "rank_trace.inl.hpp"
#endif

#endif // GPUPROF_IO_RANK_TRACE_HPP
