// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_ENABLED=0: a spread_profiler that measures nothing and sends nothing. See measure/compiled_out.hpp.
#ifndef GPUPROF_RANKS_COMPILED_OUT_HPP
#define GPUPROF_RANKS_COMPILED_OUT_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED // a rank_report has a report, which is another class where gpuprof is enabled

#include <cstddef>
#include <span>
#include <vector>

#include "../core/result.hpp"
#include "../measure/compiled_out.hpp"
#include "../metric/info.hpp"
#include "../metric/metric.hpp"
#include "communicator.hpp"
#include "rank_report.hpp"
#include "spread_options.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks {

class spread_profiler;

// The loop runs its body once.
class [[nodiscard]] spread_passes {
public:
    explicit constexpr spread_passes(spread_profiler&) noexcept {}
    spread_passes(spread_passes const&) = delete;
    spread_passes& operator=(spread_passes const&) = delete;

    class iterator {
    public:
        explicit constexpr iterator(spread_passes&) noexcept {}
        [[nodiscard]] pass const& operator*() const noexcept { return now_; }
        iterator& operator++() noexcept {
            ran_ = true;
            return *this;
        }
        struct end {};
        [[nodiscard]] bool operator==(end) const noexcept { return ran_; }

    private:
        pass now_;
        bool ran_ = false;
    };
    [[nodiscard]] iterator begin() noexcept { return iterator{*this}; }
    [[nodiscard]] iterator::end end() const noexcept { return {}; }
};

class spread_profiler {
public:
    [[nodiscard]] static result<spread_profiler> try_create(device const&, communicator&, spread_options const&,
                                                            std::span<metric_info const>) {
        return result<spread_profiler>{spread_profiler{}};
    }
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    [[nodiscard]] static result<spread_profiler> try_create(device const&, communicator&, spread_options const&,
                                                            Metrics...) {
        return result<spread_profiler>{spread_profiler{}};
    }
#if GPUPROF_EXCEPTIONS
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    spread_profiler(device const&, communicator&, Metrics...)
    noexcept {}
    template <metric_like... Metrics>
        requires(sizeof...(Metrics) > 0)
    spread_profiler(device const&, communicator&, spread_options const&, Metrics...)
    noexcept {}
    spread_profiler(device const&, communicator&, spread_options const&, std::span<metric_info const>) noexcept {}
#endif
    spread_profiler(spread_profiler&&) noexcept {}
    spread_profiler& operator=(spread_profiler&&) = delete;
    ~spread_profiler() {} // NOLINT(modernize-use-equals-default): so that an unused one is no warning

    [[nodiscard]] operator scope_target&() noexcept { // NOLINT(google-explicit-constructor): as with a profiler
        return gpuprof::detail::idle_target();
    }
    [[nodiscard]] std::vector<metric_info> const& metrics() const noexcept {
        return gpuprof::detail::nothing<std::vector<metric_info>>();
    }
    [[nodiscard]] std::size_t groups() const noexcept { return 0; }
    [[nodiscard]] std::vector<metric_info> const& share() const noexcept {
        return gpuprof::detail::nothing<std::vector<metric_info>>();
    }
    [[nodiscard]] spread_passes passes() & { return spread_passes{*this}; }
    // clang-format off
    spread_passes passes() && = GPUPROF_DELETE("gpuprof: keep the profiler in a variable");
    // clang-format on
    [[nodiscard]] result<rank_report> try_report() { return result<rank_report>{rank_report{}}; }
#if GPUPROF_EXCEPTIONS
    [[nodiscard]] rank_report report() { return {}; }
#endif

private:
    spread_profiler() = default;
};

} // namespace ranks
GPUPROF_NAMESPACE_END

#endif // !GPUPROF_ENABLED

#endif // GPUPROF_RANKS_COMPILED_OUT_HPP
