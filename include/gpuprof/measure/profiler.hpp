// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects counters over scopes, in as many passes as it takes.
#ifndef GPUPROF_MEASURE_PROFILER_HPP
#define GPUPROF_MEASURE_PROFILER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "attached_timeline.hpp"
#include "call_replay.hpp"
#include "../hw/callbacks/graph_watch.hpp"
#include "../hw/callbacks/launch_serialiser.hpp"
#include "launch_log.hpp"
#include "memory_comparison.hpp"
#include "kernel_replay_guard.hpp"
#include "memory_restorer.hpp"
#include "metric_columns.hpp"
#include "pass_clock.hpp"
#include "range_log.hpp"
#include "replay_state.hpp"
#include "../core/error.hpp"
#include "../hw/counters/cache_flusher.hpp"
#include "../detail/owned.hpp"
#include "../hw/counters/counter_backend.hpp"
#include "../hw/counters/uncounted/clock_reader.hpp"
#include "../hw/machine/counter_lock.hpp"
#include "../hw/machine/device.hpp"
#include "../metric/info.hpp"
#include "../metric/metric_sets.hpp"
#include "profiler_options.hpp"
#include "report.hpp"
#include "../core/result.hpp"
#include "scope.hpp"
#include "uncounted_values.hpp"

GPUPROF_NAMESPACE_BEGIN

class paused;
class profiler;

namespace detail {
class moved_pass;
// Link between a profiler and its running loop. Either may be destroyed first; the loop owns it. A
// loop that is left without its destructor (longjmp) leaks it.
struct running_loop {
    profiler* collecting; // null: the collection is over
    void const* loop;     // where the loop is
};
} // namespace detail

// The loop `for (auto pass : profiler.passes())`: its body runs once a replay pass. Leaving it
// early (break, exception) abandons the collection, and so does moving or destroying the profiler;
// what was measured by then stays.
// Thread: the one that began it. Nothing throws.
class [[nodiscard]] pass_sequence {
public:
    explicit pass_sequence(profiler& of) noexcept;
    ~pass_sequence();
    pass_sequence(pass_sequence const&) = delete;
    pass_sequence& operator=(pass_sequence const&) = delete;

    class iterator {
    public:
        explicit iterator(pass_sequence& of) noexcept : sequence_{&of} {}
        // A reference, so that `auto pass` copies a class: to clang-tidy a loop that ignores it is no dead store.
        [[nodiscard]] pass const& operator*() const noexcept { return sequence_->now_; }
        iterator& operator++() noexcept;
        struct end {};
        [[nodiscard]] bool operator==(end) const noexcept { return !sequence_->more_; }

    private:
        pass_sequence* sequence_;
    };
    [[nodiscard]] iterator begin() noexcept { return iterator{*this}; }
    [[nodiscard]] iterator::end end() const noexcept { return {}; }

private:
    [[nodiscard]] profiler* collecting() const noexcept; // null: none does, or no longer
    [[nodiscard]] pass current() const noexcept;

    detail::running_loop* running_; // null: a loop that collects nothing and runs once
    pass now_;
    bool more_ = true;
};

// Counters of one device over user ranges (scopes) or over every kernel.
//
//     profiler prof{gpu, metrics::dram_bytes_read, metric<"smsp__inst_executed.sum">};
//     for (auto pass : prof.passes()) { scope s{prof, "step"}; launch(); }
//     bytes read = prof.report()["step"][metrics::dram_bytes_read];
//
// Construction checks and plans the metrics. Nothing on the device is touched until passes() runs;
// after the loop the hardware is given back unless profiler_options::stay_armed.
//
// - Backend: chosen by device and metrics among those of the program (hw/counters/registry.hpp), or
//   profiler_options::backend.
// - Cost: planning takes a few ms, and 110 ms more in a process's first plan on a device (H200).
//   See profiler_options for that of a collection and scope for that of a range.
// - Problems in the report: none stops the application or costs what was already measured.
//   - The hardware or memory cannot be had: the body runs once, unmeasured.
//   - Caches cannot be flushed: values are measured with the caches as they are.
//   - There are more or deeper ranges than room: those are not collected.
//   - A scope is open when a pass ends: it is closed there. Scopes close out of order: the inner
//     ones close, too.
//   - Passes differ, a pass is abandoned, the device is lost, the hardware lost values.
//   - No kernel ran in a range, a launch was refused, or passes launched different kernels. CUPTI's
//     callbacks tell; see completeness::unwatched for where they cannot.
//   - Scopes of other threads than the pass's are counted, not collected:
//     completeness::other_threads.
//   - A pause is not over when a pass ends, or is another thread's; see class paused.
// - Threads: scopes may run on any thread; everything else belongs to one.
// - Move: a move, or the end of the profiler, during a collection abandons the collection. Moved
//   from, a profiler has no metrics, collects nothing, and its report is an invalid_state.
// - Device: it may be moved or destroyed meanwhile. A profiler holds the context on its own; a
//   context that the application made stays the application's.
//
// @pre the profiler outlives its scopes; the measured code does the same work in every pass; one
// passes() loop a context at a time (another is refused as busy). CUPTI 12.0, 2.7.1 and 2.7.2.
class profiler final : public scope_target {
public:
    // Errors: invalid_argument for an empty list, for flushing caches in kernel replay, where CUPTI
    // repeats the kernels, and for modes that do not go together (replay_modes.hpp); unknown_metric with the nearest names, unavailable, permission.
    [[nodiscard]] static result<profiler> try_create(device const& gpu, profiler_options const& options,
                                                     std::span<metric_info const> metrics);
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<profiler> try_create(device const& gpu, profiler_options const& options,
                                                     Metrics... metrics) {
        metric_info const list[]{metric_info{metrics}...};
        detail::uncounted_values const* uncounted = nullptr;
        if constexpr ((detail::may_be_uncounted<Metrics> || ...)) uncounted = &detail::all_uncounted_values;
        return try_create(gpu, options, std::span<metric_info const>{list}, uncounted);
    }
    // The metrics of a set: metrics::sets::memory.
    template <metric_like... Metrics>
    [[nodiscard]] static result<profiler> try_create(device const& gpu, profiler_options const& options,
                                                     metric_set<Metrics...>) {
        return try_create(gpu, options, Metrics{}...);
    }
    // A temporary device would end before the profiler. The reason has to stand in the line that
    // compilers show.
    // clang-format off
    template <class... Rest>
    static void try_create(device const&&, profiler_options const&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on

#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit profiler(device const& gpu, Metrics... metrics) : profiler{gpu, profiler_options{}, metrics...} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    profiler(device const& gpu, profiler_options const& options, Metrics... metrics)
        : profiler{try_create(gpu, options, metrics...).value()} {}
    template <metric_like... Metrics>
    explicit profiler(device const& gpu, metric_set<Metrics...>) : profiler{gpu, profiler_options{}, Metrics{}...} {}
    template <metric_like... Metrics>
    profiler(device const& gpu, profiler_options const& options, metric_set<Metrics...>)
        : profiler{gpu, options, Metrics{}...} {}
    profiler(device const& gpu, profiler_options const& options, std::span<metric_info const> metrics)
        : profiler{try_create(gpu, options, metrics).value()} {}
    // clang-format off
    template <class... Rest>
    profiler(device const&&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    template <class... Rest>
    profiler(device const&&, profiler_options const&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on
    // A name is not a metric.
    template <class... Given>
        requires(detail::gives_text<Given const&...>)
    explicit profiler(device const& gpu, Given const&...)
        : profiler{gpu, profiler_options{}, std::span<metric_info const>{}} {
        static_assert(
            !detail::gives_text<Given const&...>,
            "gpuprof: write profiler{gpu, gpuprof::metric<\"name\">}; for a name that is known when the program "
            "runs, pass a list of what try_metric(name) gives, after profiler_options");
    }
#endif

    // A collection of `other` is abandoned; its report comes along.
    profiler(profiler&& other) noexcept;
    profiler& operator=(profiler&&) = delete;
    ~profiler();

    // How often the hardware must see the work: times nesting levels, plus the survey, that is how
    // often the body runs.
    [[nodiscard]] std::size_t passes_needed() const noexcept;
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept { return metrics_; }

    // Collects anew; the last report is replaced when it ends. A profiler that collects already, or
    // was moved from, has its loop run once, unmeasured.
    [[nodiscard]] pass_sequence passes() & noexcept { return pass_sequence{*this}; }
    // clang-format off
    pass_sequence passes() && = GPUPROF_DELETE("gpuprof: keep the profiler in a variable");
    // clang-format on

    // Ends a collection, as leaving its loop does: for a loop that was left without its destructor
    // (longjmp, a coroutine that is not resumed), which keeps the next from beginning. Called in
    // the body, it ends the loop there.
    void abandon() noexcept;

    // What the last collection brought. Errors: invalid_state before the first one, during one, and
    // moved from; not_collected if there was no memory for a report.
    [[nodiscard]] result<gpuprof::report> try_report() const;
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] gpuprof::report report() const;
#endif

private:
    friend class pass_sequence;
    friend class paused;
    friend class detail::moved_pass;
    // @pre `uncounted` is set if a metric has no counter
    [[nodiscard]] static result<profiler> try_create(device const& gpu, profiler_options const& options,
                                                     std::span<metric_info const> metrics,
                                                     detail::uncounted_values const* uncounted);
    static constexpr std::size_t deepest_survey = 1024; // recursion without end must not take all memory

    enum class stage : unsigned char { idle, survey, collecting, unmeasured };

    profiler(device gpu, profiler_options const& options, std::vector<metric_info> metrics,
             detail::metric_columns columns, detail::owned<hw::counter_plan> plan);

    void rearm() noexcept { arm(gpu_.has_value() && (nvtx_ || record_.get() != nullptr || counting_ != 0)); }

    // ---- scopes ---------------------------------------------------------------------------------

    static ticket enter(scope_target& target, scope_name name) noexcept;
    static void leave(scope_target& target, scope_name name, ticket opened) noexcept;

    [[nodiscard]] inline bool collects() noexcept;

    inline std::uint64_t open(std::string_view name) noexcept;
    void fail(error why);
    inline void close(std::uint64_t token) noexcept;
    // See class paused. The token is for resume(); 0: nothing was paused.
    std::uint64_t pause() noexcept;
    void resume(std::uint64_t token) noexcept;
    void go_on();
    void end_pauses();
    void count_launches(bool on);
    inline void pop(std::size_t ranges) noexcept;
    void without_memory_in_scope() noexcept;

    // ---- replay passes --------------------------------------------------------------------------

    // A transition that has no memory ends the collection; the application goes on.
    template <class F>
    bool guarded(F transition) noexcept;
    void without_memory() noexcept;
    // Null: the loop at that address does not collect.
    detail::running_loop* begin_collection(void const* loop) noexcept;
    bool next_replay_pass() noexcept;
    void end_collection() noexcept;

    void begin();

    // Whether the body is to run again.
    bool advance();

    // The loop is over: to its end, or left early.
    bool end(std::string_view why);
    void abandon(std::string_view why) noexcept;

    // Begins the first replay pass under the counters. False, with the stage unmeasured, if the
    // hardware cannot be had; the body still runs then if it has not yet. A remembered
    // configuration that is refused is made anew, once.
    bool start_hardware();
    [[nodiscard]] result<void> try_start(hw::session_shape const& shape);
    [[nodiscard]] result<void> try_begin_replay_pass();

    // With cache_control::flush. What keeps the caches from being flushed is a problem of the
    // report; measuring goes on.
    void prepare_flusher();
    // With profiler_options::lock_counters. What keeps it from being had is a problem of the report.
    void lock_counters();
    void read_clocks(unsigned& sm, unsigned& memory) noexcept;
    void flush_caches();

    // With another memory_control than leave. As with caches.
    void save_memory();
    void end_first_run();
    void restore_memory();
    // With compare_memory, after a pass that ended. As with caches.
    void compare_memory(bool last);

    void begin_pass();
    // With most_spread, where several passes are needed.
    void time_passes(hw::session_shape const& shape);
    void watch_launches();
    // False: the hardware is stopped, and no pass is to be ended.
    bool end_guard();
    void know_graphs();
    // Where the mode that was asked for would fail, the next one that can.
    [[nodiscard]] result<void> try_choose_replay();

    // With replay_mode::application. What keeps passes of other processes from being gone on with, or
    // this one from being kept, is the failure of the collection.
    [[nodiscard]] result<void> try_take_up_replay();
    [[nodiscard]] result<void> try_keep_pass();
    [[nodiscard]] std::vector<detail::replayed_range> replayed_ranges() const;
    [[nodiscard]] bool replays_application() const noexcept {
        return plan_ && options_.replay == replay_mode::application;
    }

    // Of a recording launches are counted, and nothing is repeated.
    [[nodiscard]] bool repeats() const noexcept {
        return options_.replay == replay_mode::launch ||
               (options_.replay == replay_mode::range && gpu_->machine().recorded == nullptr);
    }
    // With replay_mode::launch and range.
    [[nodiscard]] result<void> try_begin_calls();
    void end_calls();

    // Reads what there is, writes the report, gives the hardware back.
    void finish();
    void explain_failure();

    void enter_stage(stage next) noexcept;
    [[nodiscard]] detail::shared<hw::counter_data> keep_counters();
    void write(std::vector<hw::range_values> const& values, detail::shared<hw::counter_data> counters = {});
    void count_other_threads() noexcept;
    void tell_of_pass(bool last) const noexcept;
    // Ranges, or kernels, that there is room for.
    [[nodiscard]] std::size_t room() const noexcept;
    [[nodiscard]] pass current_pass() const noexcept { return {replay_passes_, stage_ == stage::collecting}; }

    std::optional<device> gpu_; // holds the context on its own; none: moved from
    profiler_options options_;  // but for the replay mode as it was given
    std::optional<error> replay_changed_{};
    detail::attached_timeline record_;
    std::vector<metric_info> metrics_;
    detail::metric_columns columns_;
    detail::owned<hw::counter_plan>
        plan_; // none where no metric needs a counter: the code runs once, without a session
    bool nvtx_;
    bool nested_ = false;
    bool out_of_memory_ = false;              // while a scope opened or closed
    bool no_report_ = false;                  // for want of memory
    stage stage_ = stage::idle;               // the owner's alone
    unsigned counting_ = 0;                   // survey or collecting; read by every thread's scopes
    std::size_t owner_ = 0;                   // the thread of the pass
    std::size_t other_threads_ = 0;           // scopes that other threads opened in this pass
    unsigned other_pauses_ = 0;               // another thread wanted to pause
    bool no_room_to_go_on_ = false;           // after a pause: values would lack a part
    std::size_t replay_passes_ = 0;           // executions of the body that ended
    detail::running_loop* running_ = nullptr; // the loop that collects
    hw::counter_lock counter_lock_;           // as long as the session
    detail::owned<hw::counter_session> session_;
    std::optional<detail::replay_state> replay_; // of application replay: what the passes before left
    bool keeps_pass_ = false;                    // the pass ran to its end
    detail::launch_log launches_;
    detail::owned<detail::call_replay> calls_;         // repeats driver calls while it collects
    std::vector<hw::range_values> repeated_values_;    // that it left
    detail::owned<detail::kernel_replay_guard> guard_; // of replay_mode::kernel; outlives the watch
    hw::launch_watch watch_;
    hw::launch_serialiser one_by_one_;      // with profiler_options::serialise_launches
    detail::owned<hw::graph_watch> graphs_; // from the beginning; none where nothing asks for kernels of graphs
    bool flushes_scopes_ = false;           // the caches, before outermost scopes
    std::optional<hw::cache_flusher> flusher_;
    detail::memory_restorer saved_memory_;
    detail::memory_comparison comparison_;
    detail::pass_clock pass_clock_;
    std::optional<error> failure_; // the first thing that went wrong; the hardware is left alone from then on
    detail::range_log log_;
    completeness state_;
    hw::provided::clock_reader clock_reader_; // of a collection
    clock_state clocks_;
    std::optional<gpuprof::report> report_;
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "profiler.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_MEASURE_PROFILER_HPP
