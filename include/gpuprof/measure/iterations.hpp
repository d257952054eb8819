// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counters of work that a program repeats anyway, a pass an iteration: nothing runs twice.
#ifndef GPUPROF_MEASURE_ITERATIONS_HPP
#define GPUPROF_MEASURE_ITERATIONS_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "iterations_compiled_out.hpp"
#else

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/owned.hpp"
#include "../hw/machine/device.hpp"
#include "../metric/info.hpp"
#include "iteration_value.hpp"
#include "profiler.hpp"
#include "profiler_options.hpp"
#include "scope.hpp"

GPUPROF_NAMESPACE_BEGIN

// A solver's step, a training step, a frame: work that comes again and again, and cannot be replayed.
//
//     gpuprof::iterations steps{gpu, metrics::inst_executed, metrics::dram_bytes_read};
//     while (!converged()) {
//         auto const now = steps.next();
//         step();
//     }
//     auto const read = steps.try_value("dram__bytes_read.sum"); // mean, least, most, half_width
//
// Counters that need n passes get them in n iterations, one a pass: a round. Each round gives each
// metric one value, and a metric's value is their mean with its interval. No value is made up: a round
// whose iterations launched different kernels, or that was not over, counts for nothing, and
// problems() says so. A metric of several counters may have them from different iterations of a round;
// one that takes a pass alone has not.
//
// Where the hardware cannot be had the program goes on, unmeasured, and problems() says why; it is not
// asked for again. Cost: that of a profiler's passes; between iterations of one round nothing is armed
// anew. Use from one thread at a time, an iteration from one thread. Move-only. Kernel profiling guide
// 2023.3, 2.3 (what replay modes cannot do).
class iterations {
public:
    // @param options as a profiler's; room for one range unless max_ranges says more, which scopes in an
    // iteration need. Errors: a profiler's; invalid_argument for automatic ranges and for memory that is
    // to be restored, since every iteration goes on from the last.
    [[nodiscard]] static result<iterations> try_create(device const& gpu, profiler_options const& options,
                                                       std::span<metric_info const> metrics);
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<iterations> try_create(device const& gpu, Metrics... metrics) {
        metric_info const list[]{metric_info{metrics}...};
        return try_create(gpu, profiler_options{}, list);
    }
#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    explicit iterations(device const& gpu, Metrics... metrics) : iterations{try_create(gpu, metrics...).value()} {}
    // clang-format off
    template <class... Rest>
    explicit iterations(device const&&, Rest&&...) = GPUPROF_DELETE("gpuprof: keep the device in a variable");
    // clang-format on
#endif
    iterations(iterations&& other) noexcept;
    iterations& operator=(iterations&&) = delete;
    ~iterations();

private:
    struct state;

public:
    // One iteration, as long as it lives. @pre it ends before its iterations
    class [[nodiscard]] iteration {
    public:
        iteration(iteration&& other) noexcept : of_{std::exchange(other.of_, nullptr)} {}
        iteration& operator=(iteration&&) = delete;
        ~iteration();
        // Whether counters run. Not if another iteration runs, or the hardware could not be had.
        [[nodiscard]] bool measured() const noexcept;

    private:
        friend class iterations;
        explicit iteration(state* of) noexcept : of_{of} {}
        state* of_; // null: measures nothing
    };
    [[nodiscard]] iteration next() noexcept;

    // Iterations that a round takes.
    [[nodiscard]] std::size_t passes_needed() const noexcept;
    // Rounds that gave values, and that did not.
    [[nodiscard]] std::size_t rounds() const noexcept;
    [[nodiscard]] std::size_t left_out() const noexcept;
    // Why rounds were left out, each cause once.
    [[nodiscard]] std::vector<error> const& problems() const noexcept;

    // For scopes in an iteration: gpuprof::scope part{steps.counters(), "forward"}.
    [[nodiscard]] profiler& counters() noexcept;

    // @param range the path of a scope in the iteration, "iteration/forward"; the whole, if none is
    // given. Errors: not_collected, with the first of problems() as its cause; invalid_argument for a
    // metric that is none of these.
    [[nodiscard]] result<iteration_value> try_value(std::string_view metric,
                                                    std::string_view range = "iteration") const;

private:
    iterations() noexcept;

    detail::owned<state> state_; // iterations know its address
};

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "iterations.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_MEASURE_ITERATIONS_HPP
