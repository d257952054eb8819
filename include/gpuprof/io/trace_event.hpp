// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes a trace as JSON for ui.perfetto.dev and chrome://tracing (Trace Event Format).
#ifndef GPUPROF_IO_TRACE_EVENT_HPP
#define GPUPROF_IO_TRACE_EVENT_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "trace_compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "../hw/activity/record.hpp"
#include "../hw/counters/uncounted/multiprocessor_limits.hpp"
#include "../trace/traced_scope.hpp"
#include "kernel_names.hpp"
#include "output.hpp"
#include "sink.hpp"
#include "trace_event_options.hpp"
#include "trace_links.hpp"
#include "trace_tracks.hpp"

GPUPROF_NAMESPACE_BEGIN
template <class Kinds>
class trace_batch;
namespace io {

// Writes records in any order. docs/trace.md shows how each kind is drawn.
//
//     auto file = gpuprof::io::file_sink::try_open("trace.json").value();
//     gpuprof::io::trace_event_writer trace{file.sink()};
//     trace.write(tracer.flush());
//     if (auto done = trace.finish(); !done) std::cerr << done.error().message();
//
// An arrow is written when both of its ends are known. Of slices of a thread that begin in the same
// nanosecond a batch's are written outer ones first, for viewers that go by the order; records that
// are written one by one stay in their order.
//
// Memory: 2.5 MB, however long the trace is: a buffer, the last calls and scopes, up to 2,000
// streams, the last 512 names of kernels. Writing allocates only for kernel names that are not
// cached, and for a batch's scopes. If the sink can go back, as file_sink can, the file is complete at every moment, except
// for what is still in the buffer (flush()).
//
// Intervals of one track must nest or not overlap. Times of a GPU are interpolated, and the nodes
// of a graph share a stream, so a stream has up to eight tracks: an interval goes to the first free
// one.
//
// One thread at a time. flush() and finish() return the sink's errors; nothing is written after the
// first one.
class trace_event_writer {
public:
    explicit trace_event_writer(sink to, trace_event_options const& options = {});
    ~trace_event_writer(); // like finish(), but drops the error
    trace_event_writer(trace_event_writer const&) = delete;
    trace_event_writer& operator=(trace_event_writer const&) = delete;

    // Writes a record of any kind, a scope, a variant of these, or a tracer's batch with its scopes
    // and losses. 0.5 us for a kernel and its call with the arrow between them
    // (tests/bench/trace_bench.cpp, 2.6 GHz).
    template <class Record>
    void write(Record const& record) {
        if constexpr (requires { draw(record); }) draw(record);
        else if constexpr (requires {
                               record.visit(*this);
                               record.scope_of(0u);
                               record.losses();
                           })
            write_batch(record);
        else count_not_drawn<Record>();
    }
    template <class... Records>
    void write(std::variant<Records...> const& record) {
        std::visit([this](auto const& held) { this->write(held); }, record);
    }
    // The same, as a visitor: batch.visit(writer).
    template <class Record>
    void operator()(Record const& record) {
        write(record);
    }

    // Writes a point of a curve; there is a curve for each name.
    // @param device draws it with that GPU; none: with the process
    void counter(std::string_view name, activity::timestamp at, double value, std::optional<std::uint32_t> device = {});

    // Hands the buffer's text to the sink. Errors: the sink's, io for a file.
    result<void> flush();
    // Ends the file: nothing can be written after it. Errors: the sink's first error.
    result<void> finish();

    [[nodiscard]] trace_event_losses const& losses() const noexcept { return losses_; }
    [[nodiscard]] std::uint64_t events() const noexcept { return events_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return out_.size(); } // bytes

private:
    static constexpr std::size_t kinds = std::variant_size_v<activity::record>;

    // The index of a record's type in activity::record, or the number of types.
    template <class Record, class... Records>
    [[nodiscard]] static constexpr std::size_t kind_of(std::variant<Records...>*) noexcept {
        std::size_t number = 0;
        static_cast<void>(((std::is_same_v<Record, Records> ? false : (++number, true)) && ...));
        return number;
    }
    template <class Record>
    void count_not_drawn() noexcept {
        ++losses_.not_drawn;
        ++not_drawn_of_[kind_of<Record>(static_cast<activity::record*>(nullptr))];
    }

    // The scope of the current record, if a batch knows it; asked for the path of a scope that is
    // not cached.
    struct scope_source {
        void const* batch = nullptr;
        std::uint64_t number = 0;
        std::string (*path)(void const* batch, std::uint64_t number) = nullptr;
    };
    template <class Batch>
    void write_batch(Batch const& batch) {
        scope_ = {&batch, 0, [](void const* of, std::uint64_t number) {
                      return static_cast<Batch const*>(of)->scope_path(number);
                  }};
        if constexpr (requires { batch.limits_of_devices(*this); }) batch.limits_of_devices(*this);
        constexpr bool has_scopes = requires { batch.scopes().size(); };
        if constexpr (has_scopes) draw_scopes(batch.scopes());
        holds_calls_ = true;
        batch.visit([this, &batch](auto const& record) {
            if constexpr (requires { batch.scope_of(record); }) scope_.number = batch.scope_of(record);
            else scope_.number = 0;
            if constexpr (!has_scopes || !std::is_same_v<decltype(record), traced_scope const&>) this->write(record);
        });
        holds_calls_ = false;
        release_calls();
        auto const lost = batch.losses();
        losses_.lost_before += lost.dropped + lost.undecoded + lost.scopes_dropped;
        scope_ = {};
    }

    // Outer scopes first.
    void draw_scopes(std::vector<traced_scope> const& scopes);
    void draw_call(activity::api_call const& of);
    struct held_calls;
    void release(held_calls& of);
    void release_calls();

    void draw(activity::kernel const& of);
    void draw(activity::cdp_kernel const& of);
    void draw(activity::memcpy const& of);
    void draw(activity::peer_memcpy const& of);
    void draw(activity::memset const& of);
    void draw(activity::decompression const& of);
    void draw(activity::graph_trace const& of);
    void draw(activity::device_graph_trace const& of);
    void draw(activity::graph_host_node const& of);
    void draw(activity::host_launch const& of);
    void draw(activity::api_call const& of);
    void draw(activity::synchronization const& of);
    void draw(activity::overhead const& of);
    void draw(activity::jit const& of);
    void draw(activity::openmp const& of);
    void draw(activity::openacc_data const& of);
    void draw(activity::openacc_launch const& of);
    void draw(activity::openacc_other const& of);
    void draw(activity::marker const& of);
    void draw(activity::cuda_event const& of);
    void draw(activity::memory_operation const& of);
    void draw(activity::memory const& of);
    void draw(activity::memory_pool const& of);
    void draw(activity::unified_memory_counter const& of);
    void draw(activity::environment const& of);
    void draw(activity::device const& of);
    void draw(activity::context const& of);
    void draw(activity::stream const& of);
    void draw(activity::object_name const& of);
    void draw(activity::external_correlation const& of);
    void draw(traced_scope const& of);

    struct place_in_file {
        std::uint32_t process = 0;
        std::uint32_t thread = 0;
    };
    [[nodiscard]] bool drawable(activity::interval const& time) noexcept;
    [[nodiscard]] bool drawable(activity::timestamp time) noexcept;
    [[nodiscard]] std::uint64_t since_base(activity::timestamp time) const noexcept;
    [[nodiscard]] place_in_file on_track(std::uint32_t process, track_kind kind, std::uint32_t context,
                                         std::uint64_t stream, activity::interval const& time);
    [[nodiscard]] place_in_file on_device(std::uint32_t device, track_kind kind, std::uint32_t context,
                                          std::uint64_t stream, activity::interval const& time);
    [[nodiscard]] place_in_file on_thread(std::uint32_t process, std::uint32_t thread);
    void name_lane(trace_track& track, std::size_t lane);
    void name_process(std::uint32_t process);
    void name_thread(std::uint32_t process, std::uint32_t thread);
    // A GPU is drawn like a process, with its own number. The program's own process may have that in a
    // container.
    [[nodiscard]] std::uint32_t gpu_process(std::uint32_t device) const noexcept {
        return options_.process < 64 ? 64 + device : device;
    }
    void name_device(std::uint32_t device, std::string_view name);

    // The parts of an event, in this order.
    void begin(std::string_view head);
    void place(place_in_file at);
    void begin_interval(std::string_view name_json, std::string_view category, place_in_file at,
                        activity::interval const& time);
    void rest_of_interval(std::string_view category, place_in_file at, activity::interval const& time);
    void tie_to_call(std::uint32_t correlation);
    void graph_arguments(std::optional<std::uint64_t> node, std::optional<std::uint32_t> graph);
    void end_interval();
    void theoretical_occupancy(activity::kernel const& of);
    void arrow_from_call(std::uint32_t correlation, place_in_file at, activity::interval const& time);
    void arrow(std::uint32_t correlation, call_place& from, arrow_end const& to);
    void flow(char phase, std::uint64_t id, place_in_file at, std::uint64_t time);
    void instant(std::string_view name, std::string_view category, place_in_file at, activity::timestamp time);
    void value(std::string_view name, std::string_view key, std::uint32_t process, activity::timestamp at, double is);
    void async(char phase, std::string_view name, std::string_view category, std::uint32_t process, std::uint64_t id,
               activity::timestamp at);
    void draw_open(open_range const& of);
    template <class Record>
    void draw_openacc(Record const& of);
    void end_event();
    void make_ending();

    template <class>
    friend class gpuprof::trace_batch;
    // The limits of a device's SM, for occupancy.
    void set_limits(std::size_t device, hw::provided::multiprocessor const& limits) {
        if (device < 64 && limits_.size() <= device) limits_.resize(device + 1);
        if (device < 64) limits_[device] = limits;
    }

    // Calls of one thread that begin in the same nanosecond, the inner ones first.
    struct held_call {
        activity::api_call call{};
        std::uint64_t scope = 0;
    };
    struct held_calls {
        std::size_t count = 0;
        held_call calls[4]{};
    };
    static constexpr std::size_t holding_threads = 64;

    trace_event_options options_;
    output out_;
    kernel_names names_;
    trace_tracks tracks_;
    trace_links links_;
    scope_source scope_{};
    std::uint64_t allocated_[64][8]{}; // bytes, by device and kind of memory
    std::uint64_t base_ = 0;
    bool has_base_ = false;
    bool holds_calls_ = false; // while a batch is written
    std::unique_ptr<held_calls[]> held_{new held_calls[holding_threads]};
    std::vector<traced_scope const*> sorted_scopes_{};
    std::vector<hw::provided::multiprocessor> limits_{}; // by device; a count of 0: not known
    std::string program_{};                              // the name of this process
    std::uint32_t first_context_[64]{};                  // by device
    bool finished_ = false;
    std::uint64_t events_ = 0;
    std::uint64_t named_devices_ = 0;     // a bit for each of the first 64
    std::uint32_t named_processes_[16]{}; // the last named ones
    std::size_t next_named_ = 0;
    trace_event_losses losses_{};
    std::uint64_t not_drawn_of_[kinds + 1]{};
    std::string ending_;
    std::string scratch_;
};

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "trace_event.inl.hpp"
#include "trace_records.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_TRACE_EVENT_HPP
