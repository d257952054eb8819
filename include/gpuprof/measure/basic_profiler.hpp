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

#include "range_log.hpp"
#include "../core/error.hpp"
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

// The loop `for (auto pass : profiler.passes())`: its body runs once a replay pass. Leaving it early (break, exception)
// abandons the collection; what was measured by then stays.
template <class Policy>
class [[nodiscard]] pass_sequence {
public:
    explicit pass_sequence(basic_profiler<Policy>& of) noexcept
        : profiler_{of}, owner_{of.begin_collection()}, more_{true} {}
    ~pass_sequence() {
        if (owner_) profiler_.end_collection();
    }
    pass_sequence(pass_sequence const&) = delete;
    pass_sequence& operator=(pass_sequence const&) = delete;

    class iterator {
    public:
        explicit iterator(pass_sequence& of) noexcept : sequence_{&of} {}
        [[nodiscard]] pass operator*() const noexcept { return sequence_->profiler_.current_pass(); }
        iterator& operator++() noexcept {
            sequence_->more_ = sequence_->owner_ && sequence_->profiler_.next_replay_pass();
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
    basic_profiler<Policy>& profiler_;
    bool owner_; // false: a loop inside another of the same profiler, which runs once and measures nothing
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
// the hardware cannot be had (the body runs once, unmeasured), more or deeper ranges than room (not collected), a scope
// open when a pass ends (closed there), scopes closed out of order (the inner ones close too), scopes on other threads
// than the pass's (counted, not collected), passes that differ, an abandoned pass, a lost device.
// @pre the device outlives the profiler; the measured code does the same work in every pass; one passes() loop per
// context at a time (another is told "busy"). Scopes may run on any thread; everything else belongs to one.
// Movable between collections. CUPTI 12.0, 2.7.1 and 2.7.2.
template <class Policy>
class basic_profiler final : public scope_target {
    static_assert(hw::counter_hardware<Policy>,
                  "gpuprof: a profiler's backend policy is a class that counter_hardware describes");

public:
    // Errors: invalid_argument for an empty list, unknown_metric with the nearest names, unavailable, permission.
    [[nodiscard]] static result<basic_profiler> try_create(device const& gpu, profiler_options const& options,
                                                           std::span<metric_info const> metrics);
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<basic_profiler> try_create(device const& gpu, profiler_options const& options,
                                                           Metrics... metrics) {
        metric_info const list[]{metric_info{metrics}...};
        return try_create(gpu, options, std::span<metric_info const>{list});
    }

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

    // @pre neither collects
    basic_profiler(basic_profiler&&) noexcept;
    basic_profiler& operator=(basic_profiler&&) = delete;
    ~basic_profiler();

    // How often the hardware must see the work: times nesting levels, plus the survey, that is how often the body runs.
    [[nodiscard]] std::size_t passes_needed() const noexcept;
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept { return metrics_; }

    // Collects anew; the last report is replaced when it ends.
    [[nodiscard]] pass_sequence<Policy> passes() noexcept { return pass_sequence<Policy>{*this}; }

    // What the last collection brought. Errors: invalid_state before the first one and during one.
    [[nodiscard]] result<gpuprof::report> try_report() const;
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] gpuprof::report report() const;
#endif

private:
    friend class pass_sequence<Policy>;
    using session = typename Policy::session;
    static constexpr std::size_t deepest_survey = 1024; // recursion without end must not take all memory
    enum class stage : unsigned char { idle, survey, collecting, unmeasured };

    basic_profiler(device const& gpu, profiler_options const& options, std::vector<metric_info> metrics,
                   std::vector<std::string> names, typename Policy::plan plan);

    void rearm() noexcept { arm(nvtx_ || options_.record != nullptr || counting_ != 0); }

    // ---- scopes -----------------------------------------------------------------------------------------------------

    static ticket enter(scope_target& target, scope_name name) noexcept;
    static void leave(scope_target& target, scope_name name, ticket opened) noexcept;

    [[nodiscard]] bool collects() noexcept;

    std::uint64_t open(std::string_view name) noexcept;
    void fail(error why);
    void close(std::uint64_t token) noexcept;
    void pop(std::size_t ranges) noexcept;

    // ---- replay passes -----------------------------------------------------------------------------------------------------

    // A transition that has no memory ends the collection; the application goes on.
    template <class F>
    bool guarded(F transition) noexcept;
    bool begin_collection() noexcept;
    bool next_replay_pass() noexcept;
    void end_collection() noexcept;

    // False inside another loop of the same profiler.
    bool begin();

    // Whether the body is to run again.
    bool advance();

    // The loop is over: to its end, or left early.
    bool end();

    // Begins the first replay pass under the counters. False, with the stage unmeasured, if the hardware cannot be had; the
    // body still runs then if it has not yet. A remembered configuration that is refused is made anew, once.
    bool start_hardware();
    [[nodiscard]] result<void> try_start(hw::session_shape const& shape);

    // Reads what there is, writes the report, gives the hardware back.
    void finish();

    void enter_stage(stage next) noexcept;
    [[nodiscard]] pass current_pass() const noexcept { return {replay_passes_, stage_ == stage::collecting}; }

    device const* gpu_;
    profiler_options options_;
    std::vector<metric_info> metrics_;
    std::vector<std::string> names_;
    typename Policy::plan plan_;
    bool nvtx_;
    bool nested_ = false;
    bool out_of_memory_ = false;
    stage stage_ = stage::idle;     // the owner's alone
    unsigned counting_ = 0;         // survey or collecting; read by every thread's scopes
    std::size_t owner_ = 0;         // the thread of the pass
    std::size_t other_threads_ = 0; // scopes that other threads opened
    std::size_t replay_passes_ = 0; // executions of the body that ended
    std::optional<session> session_;
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
