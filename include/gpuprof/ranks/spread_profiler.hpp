// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A profiler whose passes are spread over ranks that do the same work: one run, all counters.
#ifndef GPUPROF_RANKS_SPREAD_PROFILER_HPP
#define GPUPROF_RANKS_SPREAD_PROFILER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/owned.hpp"
#include "../hw/machine/device.hpp"
#include "../measure/profiler.hpp"
#include "../measure/scope.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "communicator.hpp"
#include "rank_report.hpp"
#include "spread_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

class spread_profiler;

// The loop `for (auto pass : spread.passes())`. Its body runs equally often on all ranks, so that it may communicate. Left early,
// the collection of this rank is abandoned, and the others name it as silent.
class [[nodiscard]] spread_passes {
public:
    explicit spread_passes(spread_profiler& of);
    ~spread_passes();
    spread_passes(spread_passes const&) = delete;
    spread_passes& operator=(spread_passes const&) = delete;

    class iterator {
    public:
        explicit iterator(spread_passes& of) noexcept : sequence_{&of} {}
        [[nodiscard]] pass const& operator*() const noexcept { return sequence_->now_; }
        iterator& operator++() {
            sequence_->advance();
            return *this;
        }
        struct end {};
        [[nodiscard]] bool operator==(end) const noexcept { return !sequence_->more_; }

    private:
        spread_passes* sequence_;
    };
    [[nodiscard]] iterator begin() noexcept { return iterator{*this}; }
    [[nodiscard]] iterator::end end() const noexcept { return {}; }

private:
    void advance();

    spread_profiler* of_;
    std::optional<pass_sequence> own_{}; // none: this rank measures nothing, or no longer
    std::uint64_t number_ = 0;           // of the next agreement
    pass now_{};
    bool more_ = true;
};

// Counters of a program that runs as several ranks, each with a GPU (or a part of one), which all do the same work. The metrics
// are put into groups that one pass of the hardware collects; rank r collects the groups g with g mod size = r, so that all
// passes are done in the time of a few. With more ranks than groups, each group is collected by several.
//
//     gpuprof::ranks::spread_profiler spread{gpu, all, metrics::dram_bytes_read, metric<"smsp__inst_executed.sum">};
//     for (auto pass : spread.passes()) { gpuprof::scope s{spread, "step"}; launch(); }
//     gpuprof::ranks::rank_report report = spread.report();
//     if (all.rank() == 0) std::cout << *report.merged;   // all metrics, as of one rank; <gpuprof/ranks.hpp> prints the ranks, too
//
// That ranks are alike is tested: names and counts of ranges, what was launched in them, and a counter that all of them collect
// (spread_options::common). Values of a rank that differs are not in the merged report, unless another one has them; the report
// says which rank it was. So is a rank that dies, hangs or cannot measure: the others end after the deadline.
//
// All ranks create it, run its loop and ask for the report, in the same order, with the same metrics and options, on one thread.
// Communication: one agreement after each execution of the body, and the report; none in scopes, in the destructor or at exit.
// Cost: see profiler; planning takes some ms a group of metrics more. @pre communicator and profiler outlive scopes and loop
class spread_profiler {
public:
    // Errors: those of profiler::try_create that all ranks have (invalid_argument, unknown_metric); another one, of this rank
    // alone, is a problem of the report, and this rank measures nothing.
    [[nodiscard]] static result<spread_profiler> try_create(device const& gpu, communicator& ranks,
                                                            spread_options const& options,
                                                            std::span<metric_info const> metrics);
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<spread_profiler> try_create(device const& gpu, communicator& ranks,
                                                            spread_options const& options, Metrics... metrics) {
        metric_info const list[]{metric_info{metrics}...};
        return try_create(gpu, ranks, options, std::span<metric_info const>{list});
    }
#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    spread_profiler(device const& gpu, communicator& ranks, Metrics... metrics)
        : spread_profiler{gpu, ranks, spread_options{}, metrics...} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    spread_profiler(device const& gpu, communicator& ranks, spread_options const& options, Metrics... metrics)
        : spread_profiler{try_create(gpu, ranks, options, metrics...).value()} {}
    spread_profiler(device const& gpu, communicator& ranks, spread_options const& options,
                    std::span<metric_info const> metrics)
        : spread_profiler{try_create(gpu, ranks, options, metrics).value()} {}
#endif
    spread_profiler(spread_profiler&&) = default; // @pre no loop runs
    spread_profiler& operator=(spread_profiler&&) = delete;
    ~spread_profiler() = default;

    // What scopes are opened on: gpuprof::scope s{spread, "step"}.
    [[nodiscard]] operator scope_target&() noexcept; // NOLINT(google-explicit-constructor): as with a profiler

    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept {
        return metrics_;
    } // all that were asked for
    // Groups of one pass each, and the metrics that this rank collects, the common counter among them.
    [[nodiscard]] std::size_t groups() const noexcept { return groups_; }
    [[nodiscard]] std::vector<metric_info> const& share() const noexcept { return share_; }

    [[nodiscard]] spread_passes passes() & { return spread_passes{*this}; }
    // clang-format off
    spread_passes passes() && = GPUPROF_DELETE("gpuprof: keep the profiler in a variable");
    // clang-format on

    // What all ranks measured in the last loop. All ranks call it. On rank 0, `merged` has all metrics, as one rank would have
    // measured them in many passes; on other ranks it has this rank's share. Errors: io where this rank can neither send nor
    // receive.
    [[nodiscard]] result<rank_report> try_report();
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] rank_report report() { return try_report().value(); }
#endif

private:
    friend class spread_passes;
    // Scopes of a rank that measures nothing.
    struct idle_target final : scope_target {
        idle_target() noexcept
            : scope_target{[](scope_target&, scope_name) noexcept {
                               return ticket{0, 0};
                           },
                           [](scope_target&, scope_name, ticket) noexcept {}} {}
        idle_target(idle_target&&) noexcept = default;
    };
    spread_profiler() = default;

    communicator* ranks_ = nullptr;
    spread_options options_{};
    std::vector<metric_info> metrics_{};
    std::vector<metric_info> share_{};
    std::size_t groups_ = 0;
    gpuprof::detail::owned<profiler> own_{}; // none: it could not be had
    idle_target idle_{};
    std::optional<error> failure_{};    // why
    std::vector<silent_rank> silent_{}; // in the last loop: there are no agreements from then on
};

} // namespace ranks
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "spread_profiler.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_RANKS_SPREAD_PROFILER_HPP
