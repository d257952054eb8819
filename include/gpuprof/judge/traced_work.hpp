// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a function made the host wait for and the GPU copy, from a trace of it, and expectations of that. Opt-in, not in
// judge.hpp: in a header-only program it brings the tracer.
#ifndef GPUPROF_JUDGE_TRACED_WORK_HPP
#define GPUPROF_JUDGE_TRACED_WORK_HPP

#include <concepts>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../measure/measure.hpp" // device, in both builds
#include "../recording/traced_calls.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN

// What one run of a function did. A value.
class traced_work {
public:
    // Nothing could be traced: every check of it is inconclusive for that reason.
    explicit traced_work(error why, std::optional<error> unrecorded = {})
        : why_not_{std::move(why)}, unrecorded_{std::move(unrecorded)} {}
    traced_work(std::vector<traced_calls> found, std::size_t calls, std::string device,
                std::optional<error> unrecorded = {})
        : found_{std::move(found)}, calls_{calls}, device_{std::move(device)}, unrecorded_{std::move(unrecorded)} {}

    // Calls after which the host goes on later than it could, and copies, in the order of their first call.
    [[nodiscard]] std::vector<traced_calls> const& found() const noexcept { return found_; }
    // All calls of the runtime and the driver; those that the runtime makes are not counted again.
    [[nodiscard]] std::size_t calls() const noexcept { return calls_; }
    [[nodiscard]] std::string const& device() const noexcept { return device_; }
    // Why there is no answer, or not a whole one.
    [[nodiscard]] std::optional<error> const& why_not() const noexcept { return why_not_; }
    // Why it is not recorded, where a recording was asked for. Checks are judged all the same; one that fails says it.
    [[nodiscard]] std::optional<error> const& unrecorded() const noexcept { return unrecorded_; }

private:
    std::vector<traced_calls> found_;
    std::size_t calls_ = 0;
    std::string device_;
    std::optional<error> why_not_;
    std::optional<error> unrecorded_;
};

namespace judge {
[[nodiscard]] traced_work work_traced(device const& gpu, void (*run)(void*), void* work);
[[nodiscard]] outcome judge_waits(traced_work const& of, std::size_t known);
[[nodiscard]] outcome judge_copies(traced_work const& of, std::size_t known);
} // namespace judge

// Runs `work` once under a tracer, and waits for the GPU after it. All threads of the process are heard meanwhile. A run of its
// own: counters come from observe(). On a recorded device `work` runs without a tracer, and the answer is the recording's.
// Whatever keeps the calls from being known is in the result, and makes checks inconclusive;
// nothing throws but `work`.
//
//     auto const step = gpuprof::observe_trace(gpu, [&] { train_step(); });
//     GPUPROF_EXPECT(step, expect::no_hidden_synchronisation());
//     GPUPROF_EXPECT(step, expect::no_hidden_copies(1));
//
// @pre no tracer of this process lives: CUPTI serves one
template <class F>
[[nodiscard]] traced_work observe_trace(device const& gpu, F&& work) {
    using callable = std::remove_reference_t<F>;
    void const* const at = std::addressof(work);
    return judge::work_traced(
        gpu, [](void* called) { (*static_cast<callable*>(called))(); }, const_cast<void*>(at));
}
// Where the device itself may be missing.
template <class F>
[[nodiscard]] traced_work observe_trace(result<device> const& gpu, F&& work) {
    if (!gpu) return traced_work{gpu.error()};
    return observe_trace(*gpu, static_cast<F&&>(work));
}

// What is expected of traced work. A value; a project's own is anything that is called with a traced_work and returns an outcome.
struct trace_expectation {
    std::string_view name;
    std::size_t known = 0;
    outcome (*judge)(traced_work const&, std::size_t known) = nullptr;
    [[nodiscard]] outcome operator()(traced_work const& of) const { return judge(of, known); }
};

namespace expect {

// The host waits for the GPU in no more calls than the test knows of. Calls wait that are made for it (cudaDeviceSynchronize,
// cudaStreamSynchronize, cudaEventSynchronize), copies between host and device that are not asynchronous, asynchronous copies
// of memory of the host that is not pinned, and cudaFree and its like, whether or not the GPU was busy. Copies of graphs do not.
[[nodiscard]] inline trace_expectation no_hidden_synchronisation(std::size_t known = 0) noexcept {
    return {"no hidden synchronisation", known, &judge::judge_waits};
}
// Memory is copied no more often than the test knows of, by calls or graphs, in any direction. Managed memory that moves by
// itself is no copy here: trace activity::unified_memory_counter for it.
[[nodiscard]] inline trace_expectation no_hidden_copies(std::size_t known = 0) noexcept {
    return {"no hidden copies", known, &judge::judge_copies};
}

} // namespace expect

namespace judge {
// For GPUPROF_EXPECT.
template <class Expectation>
    requires requires(Expectation const& of, traced_work const& work) {
        { of(work) } -> std::same_as<outcome>;
    }
[[nodiscard]] outcome expected(traced_work const& work, Expectation const& of) { return of(work); }
} // namespace judge

GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "traced_work.inl.hpp"
#endif

#endif // GPUPROF_JUDGE_TRACED_WORK_HPP
