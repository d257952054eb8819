// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collects counters over scopes, in as many passes as it takes. Layer: measure.
#ifndef GPUPROF_MEASURE_BASIC_PROFILER_HPP
#define GPUPROF_MEASURE_BASIC_PROFILER_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // std::uint64_t
#include <optional>    // a value or none
#include <span>        // lists of metrics
#include <string>      // metric names
#include <string_view> // range names
#include <utility>     // std::move
#include <vector>      // lists

#include "attached_timeline.hpp"
#include "launch_log.hpp"
#include "metric_columns.hpp"
#include "provided_calls.hpp"
#include "range_log.hpp"
#include "../core/error.hpp"
#include "../hw/cache_flusher.hpp"
#include "../hw/counter_hardware.hpp"
#include "../hw/machine/device.hpp"
#include "../metric/info.hpp"
#include "profiler_options.hpp"
#include "report.hpp"
#include "../core/result.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

template <class Policy>
class basic_profiler;

namespace detail {
// What a running loop over passes() and its profiler know of each other: each may go before the other. The loop's own; a
// loop that ends without its destructor (longjmp) leaves it behind.
template <class Policy>
struct running_loop {
    basic_profiler<Policy>* profiler; // null: the collection is over
    void const* loop;                 // where the loop is
};
} // namespace detail

// The loop `for (auto pass : profiler.passes())`: its body runs once a replay pass. Leaving it early (break, exception)
// abandons the collection, and so does moving or destroying the profiler; what was measured by then stays.
template <class Policy>
class [[nodiscard]] pass_sequence {
public:
    explicit pass_sequence(basic_profiler<Policy>& of) noexcept : running_{of.begin_collection(this)}, more_{true} {}
    ~pass_sequence() {
        if (running_ == nullptr) return;
        if (running_->profiler != nullptr) running_->profiler->end_collection();
        delete running_;
    }
    pass_sequence(pass_sequence const&) = delete;
    pass_sequence& operator=(pass_sequence const&) = delete;

    class iterator {
    public:
        explicit iterator(pass_sequence& of) noexcept : sequence_{&of} {}
        [[nodiscard]] pass operator*() const noexcept {
            auto* const profiler = sequence_->profiler();
            return profiler != nullptr ? profiler->current_pass() : pass{};
        }
        iterator& operator++() noexcept {
            auto* const profiler = sequence_->profiler();
            sequence_->more_ = profiler != nullptr && profiler->next_replay_pass();
            return *this;
        }
        struct end {};
        [[nodiscard]] bool operator==(end) const noexcept { return !sequence_->more_; }

    private:
        pass_sequence* sequence_;
    };
    [[nodiscard]] iterator begin() noexcept { return iterator{*this}; }
    [[nodiscard]] typename iterator::end end() const noexcept { return {}; }

private:
    [[nodiscard]] basic_profiler<Policy>* profiler() const noexcept {
        return running_ != nullptr ? running_->profiler : nullptr;
    }

    detail::running_loop<Policy>* running_; // null: a loop that collects nothing and runs once
    bool more_;
};

// Counters of one device over user ranges (scopes) or over every kernel.
//
//     profiler prof{gpu, metrics::dram_bytes_read, metric<"smsp__inst_executed.sum">};
//     for (auto pass : prof.passes()) { scope s{prof, "step"}; launch(); }
//     bytes read = prof.report()["step"][metrics::dram_bytes_read];
//
// Made: the metrics are checked and planned (a few ms, 110 ms more in a process's first plan on a device). Nothing on the
// device is touched until passes() runs, and after it the hardware is given back unless stay_armed.
// Outcomes, none of which stops the application or costs what was already measured; each is a problem in the report:
// the hardware or memory cannot be had (the body runs once, unmeasured), caches that cannot be flushed (measured as they
// are), more or deeper ranges than room (not collected), a
// scope open when a pass ends (closed there), scopes closed out of order (the inner ones close too), passes that differ, an
// abandoned pass, a lost device, values that the hardware lost; a range in which no kernel ran, a launch that was refused,
// passes that launched different kernels (heard through CUPTI's callbacks; see completeness::unwatched). Scopes of other threads than the pass's are counted, not
// collected: see completeness.
// The device may be moved or destroyed meanwhile: a profiler holds the context on its own (a context that the application
// made stays the application's).
// @pre the profiler outlives its scopes; the measured code does the same work in every pass;
// one passes() loop per context at a time (another is told "busy"). Scopes may run on any thread; everything else belongs
// to one.
// Movable; a move, or the end of the profiler, during a collection abandons it. Moved from, a profiler has no metrics,
// collects nothing, and its report is an invalid_state. CUPTI 12.0, 2.7.1 and 2.7.2.
template <class Policy>
class basic_profiler final : public scope_target {
    static_assert(hw::counter_hardware<Policy>,
                  "gpuprof: a profiler's backend policy is a class that counter_hardware describes");

public:
    // Errors: invalid_argument for an empty list, and for flushing caches in kernel replay, where CUPTI repeats the kernels;
    // unknown_metric with the nearest names, unavailable, permission.
    [[nodiscard]] static result<basic_profiler> try_create(device const& gpu, profiler_options const& options,
                                                           std::span<metric_info const> metrics);
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<basic_profiler> try_create(device const& gpu, profiler_options const& options,
                                                           Metrics... metrics) {
        if constexpr ((detail::may_be_provided<Metrics> || ...)) detail::use_provided();
        metric_info const list[]{metric_info{metrics}...};
        return try_make(gpu, options, std::span<metric_info const>{list});
    }
    // A temporary device would end before the profiler. The reason has to stand in the line that compilers show.
    // clang-format off
    template <class... Rest>
    static void try_create(device const&&, profiler_options const&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on

#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit basic_profiler(device const& gpu, Metrics... metrics)
        : basic_profiler{gpu, profiler_options{}, metrics...} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    basic_profiler(device const& gpu, profiler_options const& options, Metrics... metrics)
        : basic_profiler{try_create(gpu, options, metrics...).value()} {}
    basic_profiler(device const& gpu, profiler_options const& options, std::span<metric_info const> metrics)
        : basic_profiler{try_create(gpu, options, metrics).value()} {}
    // clang-format off
    template <class... Rest>
    basic_profiler(device const&&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    template <class... Rest>
    basic_profiler(device const&&, profiler_options const&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on
    // A name is not a metric.
    template <class... Given>
        requires(detail::gives_text<Given const&...>)
    explicit basic_profiler(device const& gpu, Given const&...)
        : basic_profiler{gpu, profiler_options{}, std::span<metric_info const>{}} {
        static_assert(
            !detail::gives_text<Given const&...>,
            "gpuprof: write profiler{gpu, gpuprof::metric<\"name\">}; for a name that is known when the program "
            "runs, pass a list of what try_metric(name) gives, after profiler_options");
    }
#endif

    // A collection of `other` is abandoned; its report comes along.
    basic_profiler(basic_profiler&& other) noexcept;
    basic_profiler& operator=(basic_profiler&&) = delete;
    ~basic_profiler();

    // How often the hardware must see the work: times nesting levels, plus the survey, that is how often the body runs.
    [[nodiscard]] std::size_t passes_needed() const noexcept;
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept { return metrics_; }

    // Collects anew; the last report is replaced when it ends. A profiler that collects already, or was moved from, has its
    // loop run once, unmeasured.
    [[nodiscard]] pass_sequence<Policy> passes() & noexcept { return pass_sequence<Policy>{*this}; }
    // clang-format off
    pass_sequence<Policy> passes() && = GPUPROF_DELETE("gpuprof: keep the profiler in a variable");
    // clang-format on

    // Ends a collection, as leaving its loop does: for a loop that was left without its destructor (longjmp, a coroutine that
    // is not resumed), which keeps the next from beginning. Called in the body, it ends the loop there.
    void abandon() noexcept;

    // What the last collection brought. Errors: invalid_state before the first one, during one, and moved from;
    // not_collected if there was no memory for a report.
    [[nodiscard]] result<gpuprof::report> try_report() const;
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] gpuprof::report report() const;
#endif

private:
    friend class pass_sequence<Policy>;
    using session = typename Policy::session;
    static constexpr std::size_t deepest_survey = 1024; // recursion without end must not take all memory
    // @pre detail::use_provided() was called if a metric is no counter
    [[nodiscard]] static result<basic_profiler> try_make(device const& gpu, profiler_options const& options,
                                                         std::span<metric_info const> metrics);

    enum class stage : unsigned char { idle, survey, collecting, unmeasured };

    basic_profiler(device gpu, profiler_options const& options, std::vector<metric_info> metrics,
                   detail::metric_columns columns, std::optional<typename Policy::plan> plan);

    void rearm() noexcept { arm(gpu_.has_value() && (nvtx_ || record_.get() != nullptr || counting_ != 0)); }

    // ---- scopes -----------------------------------------------------------------------------------------------------

    static ticket enter(scope_target& target, scope_name name) noexcept;
    static void leave(scope_target& target, scope_name name, ticket opened) noexcept;

    [[nodiscard]] bool collects() noexcept;

    std::uint64_t open(std::string_view name) noexcept;
    void fail(error why);
    void close(std::uint64_t token) noexcept;
    void pop(std::size_t ranges) noexcept;
    void without_memory_in_scope() noexcept;

    // ---- replay passes -----------------------------------------------------------------------------------------------------

    // A transition that has no memory ends the collection; the application goes on.
    template <class F>
    bool guarded(F transition) noexcept;
    void without_memory() noexcept;
    // Null: the loop at that address does not collect.
    detail::running_loop<Policy>* begin_collection(void const* loop) noexcept;
    bool next_replay_pass() noexcept;
    void end_collection() noexcept;

    void begin();

    // Whether the body is to run again.
    bool advance();

    // The loop is over: to its end, or left early.
    bool end(std::string_view why);
    void abandon(std::string_view why) noexcept;

    // Begins the first replay pass under the counters. False, with the stage unmeasured, if the hardware cannot be had; the
    // body still runs then if it has not yet. A remembered configuration that is refused is made anew, once.
    bool start_hardware();
    [[nodiscard]] result<void> try_start(hw::session_shape const& shape);
    [[nodiscard]] result<void> try_begin_replay_pass();

    // With cache_control::flush. What keeps the caches from being flushed is a problem of the report; measuring goes on.
    void prepare_flusher();
    void flush_caches();

    void begin_pass();
    void watch_launches();

    // Reads what there is, writes the report, gives the hardware back.
    void finish();
    void explain_failure();

    void enter_stage(stage next) noexcept;
    void write(std::vector<hw::range_values> const& values);
    void count_other_threads() noexcept;
    void tell_of_pass(bool last) const noexcept;
    // Ranges, or kernels, that there is room for.
    [[nodiscard]] std::size_t room() const noexcept;
    [[nodiscard]] pass current_pass() const noexcept { return {replay_passes_, stage_ == stage::collecting}; }

    std::optional<device> gpu_; // holds the context on its own; none: moved from
    profiler_options options_;
    detail::attached_timeline record_;
    std::vector<metric_info> metrics_;
    detail::metric_columns columns_;
    std::optional<typename Policy::plan>
        plan_; // none where no metric needs a counter: the code runs once, without a session
    bool nvtx_;
    bool nested_ = false;
    bool out_of_memory_ = false;                      // while a scope opened or closed
    bool no_report_ = false;                          // for want of memory
    stage stage_ = stage::idle;                       // the owner's alone
    unsigned counting_ = 0;                           // survey or collecting; read by every thread's scopes
    std::size_t owner_ = 0;                           // the thread of the pass
    std::size_t other_threads_ = 0;                   // scopes that other threads opened in this pass
    std::size_t replay_passes_ = 0;                   // executions of the body that ended
    detail::running_loop<Policy>* running_ = nullptr; // the loop that collects
    std::optional<session> session_;
    detail::launch_log launches_;
    hw::launch_watch watch_;
    bool flushes_scopes_ = false; // the caches, before outermost scopes
    std::optional<hw::cache_flusher> flusher_;
    std::optional<error> failure_; // the first thing that went wrong; the hardware is left alone from then on
    detail::range_log log_;
    completeness state_;
    std::optional<gpuprof::report> report_;
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "basic_profiler.inl.hpp"
#endif

#endif // GPUPROF_MEASURE_BASIC_PROFILER_HPP
