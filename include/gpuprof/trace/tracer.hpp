// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ran: collects CUPTI's activity records as typed values.
#ifndef GPUPROF_TRACE_TRACER_HPP
#define GPUPROF_TRACE_TRACER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../core/result.hpp"
#include "../hw/callbacks/detach.hpp"
#include "../hw/machine/device.hpp"
#include "kind_list.hpp"
#include "trace_batch.hpp"
#include "trace_session.hpp"

GPUPROF_NAMESPACE_BEGIN
class external_id;
namespace detail {

[[nodiscard]] inline error refused_after_end() {
    return {errc::invalid_state, 0, "a tracer that has ended", "it was finished, detached or moved from",
            "begin another one"};
}
// A target on which scopes do nothing.
[[nodiscard]] inline scope_target& idle_target() noexcept {
    struct nothing final : scope_target {
        nothing() noexcept
            : scope_target{[](scope_target&, scope_name) noexcept {
                               return ticket{0, 0};
                           },
                           [](scope_target&, scope_name, ticket) noexcept {}} {}
    };
    static nothing idle;
    return idle;
}

} // namespace detail

// Records what the GPUs of this process do, from its construction on: kernels, copies, calls, memory, whatever kinds are asked
// for. Nothing is replayed and nothing waits. Scopes opened on it are recorded too, and from the first one on records know
// the scope that their call was made in, which costs records of the calls (0.7 us a launch on an H200).
//
//     gpuprof::tracer trace{gpu, activity::kinds<activity::kernel, activity::memcpy>};
//     { gpuprof::scope step{trace, "step"}; launch(); }
//     for (auto const& record : trace.flush()) std::visit(print, record);
//
// Kinds are a list of types (activity::kinds<...>), and then every visitor must take each of them; or an activity::kind_set
// made while running. One tracer a process: CUPTI serves one collector. Move-only; thread-safe, but for its move and its end;
// threads that flush at the same time share the records. Its end stops the recording, and never throws; batches may
// outlive it. In the child of a fork it does nothing. CUPTI 12.0, 2.3.
template <class Kinds>
class tracer {
public:
    using batch = trace_batch<Kinds>;

    // Errors: unavailable where CUPTI is missing or has no activity calls; invalid_argument for kinds that exclude each other;
    // busy if this process has a tracer; version_mismatch for a CUPTI that knows no device of this machine, or whose records are
    // older than CUDA 11.1; and what CUPTI says of a kind. Cost: the memory of the options.
    // @pre the machine (with a device: the device's) outlives the tracer
    [[nodiscard]] static result<tracer> try_begin(hw::machine const& on, Kinds kinds,
                                                  tracer_options const& options = {}) {
        auto begun = detail::trace_session::try_begin(on, set_of(kinds), options);
        if (!begun) return std::move(begun).error();
        return tracer{*std::move(begun)};
    }
    // The same; its records are part of recordings (gpuprof/replay.hpp). Errors, of a recorded device: not_collected, which names
    // what was not recorded.
    [[nodiscard]] static result<tracer> try_begin(device const& gpu, Kinds kinds, tracer_options const& options = {}) {
        auto begun = detail::trace_session::try_begin(gpu.machine(), set_of(kinds), options, &gpu);
        if (!begun) return std::move(begun).error();
        return tracer{*std::move(begun)};
    }
#if GPUPROF_EXCEPTIONS
    // try_begin(), throwing.
    tracer(device const& gpu, Kinds kinds, tracer_options const& options = {})
        : tracer{try_begin(gpu, kinds, options).value()} {}
    tracer(hw::machine const& on, Kinds kinds, tracer_options const& options = {})
        : tracer{try_begin(on, kinds, options).value()} {}
#endif

    // For gpuprof::scope; after finish() nothing is recorded. @pre no scope on it is open when the tracer ends
    operator scope_target&() noexcept { // NOLINT(*-explicit-*)
        return session_ != nullptr ? static_cast<scope_target&>(*session_) : detail::idle_target();
    }

    // Has CUPTI hand over its buffers, and gives what they hold. `completed`: buffers all of whose records are complete; what
    // still runs comes with a later one. `forced`: all, at the end of a program. Waits for no GPU.
    // Errors: what cuptiActivityFlushAll says; of a recorded device, not_collected, replay_mismatch and invalid_argument, which
    // say what was not recorded so. Cost: about 2 ms for 400,000 records on an H200.
    [[nodiscard]] result<batch> try_flush(flush_mode mode = flush_mode::completed) {
        if (left_) {
            result<batch> last{*std::move(left_)};
            left_.reset();
            return last;
        }
        if (session_ == nullptr) return detail::refused_after_end();
        return try_flush(mode, taking::asked);
    }
    // What CUPTI has handed over by itself; on a recorded device, what was recorded in its place, or nothing and an error of the
    // next try_flush(). @pre the tracer has not ended
    [[nodiscard]] batch take() {
        auto taken = try_take_from(*session_, taking::asked);
        if (taken) return *std::move(taken);
        return batch{detail::held_buffers{nullptr}, session_->walk(), session_->asked(), session_->names(), {}, {}};
    }
#if GPUPROF_EXCEPTIONS
    // try_flush(), throwing.
    [[nodiscard]] batch flush(flush_mode mode = flush_mode::completed) { return try_flush(mode).value(); }
#endif

    // Stops recording, and goes on. What was recorded before can still be flushed.
    [[nodiscard]] result<void> try_stop() {
        return session_ != nullptr ? session_->try_stop() : result<void>{detail::refused_after_end()};
    }
    [[nodiscard]] result<void> try_start() {
        return session_ != nullptr ? session_->try_start() : result<void>{detail::refused_after_end()};
    }
    // Ends it now: what is left comes back, and another tracer can begin. To take CUPTI out of the process: try_detach().
    [[nodiscard]] result<batch> try_finish() {
        if (session_ == nullptr) return detail::refused_after_end();
        static_cast<void>(session_->try_stop());
        auto last = try_flush(flush_mode::forced, taking::last);
        session_.reset();
        return last;
    }
    // Ends it, and takes CUPTI out of the process: calls of CUDA cost what they did before anything was traced. A later tracer
    // attaches it again. Errors: those of try_finish(), and of hw::try_detach(). Where CUPTI itself fails to go, the tracer has
    // ended, and what is left comes with the next try_flush().
    [[nodiscard]] result<batch> try_detach() {
        if (session_ == nullptr) return detail::refused_after_end();
        hw::machine const& on = session_->machine();
        if (auto can = hw::try_prepare_detach(on); !can) return std::move(can).error();
        auto last = try_finish();
        if (!last) return last;
        if (auto detached = hw::try_detach(on); !detached) {
            left_.emplace(*std::move(last));
            return std::move(detached).error();
        }
        return last;
    }

    // Records a kind in one context: from then on this goes before what holds for all contexts (CUPTI 12.0, 2.3).
    // Errors: invalid_argument for a kind that the tracer was not made for; what CUPTI says.
    [[nodiscard]] result<void> try_enable(device const& gpu, abi::CUpti_ActivityKind kind) {
        return session_ != nullptr ? session_->try_enable(gpu.context(), kind, true)
                                   : result<void>{detail::refused_after_end()};
    }
    [[nodiscard]] result<void> try_disable(device const& gpu, abi::CUpti_ActivityKind kind) {
        return session_ != nullptr ? session_->try_enable(gpu.context(), kind, false)
                                   : result<void>{detail::refused_after_end()};
    }
    // Has CUPTI record now what there is of a kind, whenever it came: devices, contexts, streams, NVLink and PCIe. The records
    // are in the next batch. CUDA 11.7. Errors: as try_enable().
    [[nodiscard]] result<void> try_dump(abi::CUpti_ActivityKind kind) {
        return session_ != nullptr ? session_->try_dump(kind) : result<void>{detail::refused_after_end()};
    }

    // Drops by CUPTI and scopes without room since the beginning, of what was flushed. Records without times are counted in
    // each batch.
    [[nodiscard]] trace_losses lost() const noexcept {
        if (names_ == nullptr) return {};
        platform::lock const held{detail::names_mutex};
        return names_->lost;
    }
    // "frame/step" for a scope's number; empty for 0.
    [[nodiscard]] std::string scope_path(std::uint64_t number) const {
        return names_ != nullptr ? names_->scopes.path_of(number) : std::string{};
    }

private:
    template <class, class>
    friend class trace_consumer;
    friend class external_id;
    using taking = detail::trace_session::taking;
    [[nodiscard]] static result<batch> try_take_from(detail::trace_session& from, taking how) {
        auto all = from.try_take(how);
        if (!all) return std::move(all).error();
        return batch{std::move(all->buffers), from.walk(), from.asked(), from.names(),
                     std::move(all->scopes),  all->lost};
    }
    [[nodiscard]] result<batch> try_flush(flush_mode mode, taking how) {
        if (auto flushed = session_->try_flush(mode); !flushed) return std::move(flushed).error();
        return try_take_from(*session_, how);
    }
    explicit tracer(std::unique_ptr<detail::trace_session> session) noexcept
        : session_{std::move(session)}, names_{session_->names()} {}

    [[nodiscard]] static constexpr activity::kind_set set_of(Kinds kinds) noexcept {
        if constexpr (std::is_same_v<Kinds, activity::kind_set>) return kinds;
        else return Kinds::set();
    }

    std::shared_ptr<detail::trace_session> session_; // also a consumer's
    std::shared_ptr<detail::trace_names const> names_;
    std::optional<batch> left_; // where detaching failed
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_TRACER_HPP
