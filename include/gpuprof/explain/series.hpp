// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a kernel does with other launch parameters: all combinations, measured alike.
#ifndef GPUPROF_EXPLAIN_SERIES_HPP
#define GPUPROF_EXPLAIN_SERIES_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "series_compiled_out.hpp"
#else

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/owned.hpp"
#include "../hw/machine/device.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "series_axis.hpp"
#include "series_options.hpp"
#include "series_report.hpp"
#include "series_work.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace explain {

// A sweep over launch parameters, before anything runs.
//
//     explain::series sweep{gpu, {{"block", {64, 128, 256}}, explain::carveout_axis(kernel, {0, 50, 100})},
//                           metrics::gpu_time_duration};
//     std::cout << sweep.combinations() << " combinations, " << sweep.runs() << " runs\n";
//     auto found = sweep.measure([&](explain::parameters const& with) { launch(with.get<unsigned>("block")); });
//     std::cout << found;                      // a row a combination
//     found.best().values["block"];
//
// A measurement of a combination: its settings are made at the kernels; the work runs once, unmeasured, which loads its code and
// tells what memory it changes; that is put back; the work runs once a pass of the metrics, and memory is put back after each.
// So each run of the work finds the memory as it was before the series, and so does what comes after the series, but for memory
// that memory_control does not know of. Settings are put back after each measurement, also if the work throws.
//
// A combination that cannot be launched is a row with its reason. Nothing else of the series fails with it, unless the device is
// lost: then what is left is not run. A launch that the driver refuses is seen by CUPTI's callbacks, or if the work returns the
// status.
// Cost: runs() runs of the work, and copies of the memory that it changes. Use from one thread at a time. Move-only; @pre the
// kernels of the axes outlive measure(). Kernel profiling guide 2023.3, 2.5.
class series {
public:
    // @param metrics the first is the one to choose by. Errors: a profiler's; invalid_argument for no axis or metric, an axis
    // without a value, two of one name, a setting without a kernel, no round, or too many combinations.
    [[nodiscard]] static result<series> try_create(device const& gpu, series_options const& options,
                                                   std::vector<axis> axes, std::span<metric_info const> metrics);
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<series> try_create(device const& gpu, std::vector<axis> axes, Metrics... metrics) {
        metric_info const list[]{metric_info{metrics}...};
        return try_create(gpu, series_options{}, std::move(axes), list);
    }
#if GPUPROF_EXCEPTIONS
    // try_create(), throwing.
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    series(device const& gpu, std::vector<axis> axes, Metrics... metrics)
        : series{try_create(gpu, std::move(axes), metrics...).value()} {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    series(device const& gpu, series_options const& options, std::vector<axis> axes, Metrics... metrics)
        : series{gpu, options, std::move(axes),
                 std::span<metric_info const>{std::vector<metric_info>{metric_info{metrics}...}}} {}
    series(device const& gpu, series_options const& options, std::vector<axis> axes,
           std::span<metric_info const> metrics)
        : series{try_create(gpu, options, std::move(axes), metrics).value()} {}
#endif
    series(series&& other) noexcept;
    series& operator=(series&&) = delete;
    ~series();

    [[nodiscard]] std::size_t combinations() const noexcept;
    // Of one measurement of one combination.
    [[nodiscard]] std::size_t passes_needed() const noexcept;
    // How often the work runs if no combination is refused: combinations x rounds x (1 + passes).
    [[nodiscard]] std::size_t runs() const noexcept;
    // The values of a combination. @pre combination < combinations()
    [[nodiscard]] parameters at(std::size_t combination) const;

    // Measures all combinations. `work` launches, on any stream, and need not wait. What it throws passes through.
    // Errors: why nothing can be measured (permission, busy, ...).
    // @pre `work` does the same each time for the same values
    template <launches_combination Work>
    [[nodiscard]] result<series_report> try_measure(Work&& work) {
        return try_run(detail::series_work::of(work));
    }
#if GPUPROF_EXCEPTIONS
    template <launches_combination Work>
    [[nodiscard]] series_report measure(Work&& work) {
        return try_measure(work).value();
    }
#endif

private:
    struct state;

    series() noexcept;
    [[nodiscard]] result<series_report> try_run(detail::series_work const& work);

    gpuprof::detail::owned<state> state_; // the profiler knows its address
};

} // namespace explain
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "series.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_EXPLAIN_SERIES_HPP
