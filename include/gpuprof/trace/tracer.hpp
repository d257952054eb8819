// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ran: collects CUPTI's activity records as typed values. Layer: trace.
#ifndef GPUPROF_TRACE_TRACER_HPP
#define GPUPROF_TRACE_TRACER_HPP

#include <memory>      // the session
#include <string>      // paths
#include <string_view> // names
#include <utility>     // std::move

#include "../core/result.hpp"
#include "../hw/machine/device.hpp"
#include "kind_list.hpp"
#include "trace_batch.hpp"
#include "trace_session.hpp"

GPUPROF_NAMESPACE_BEGIN

// Records what the GPUs of this process do, from its construction on: kernels, copies, calls, memory, whatever kinds are asked
// for. Nothing is replayed and nothing waits. Scopes opened on it are recorded too, and from the first one on records know
// the scope that their call was made in, which costs records of the calls (0.7 us a launch on an H200).
//
//     gpuprof::tracer trace{gpu, activity::kinds<activity::kernel, activity::memcpy>};
//     { gpuprof::scope step{trace, "step"}; launch(); }
//     for (auto const& record : trace.flush()) std::visit(print, record);
//
// Kinds are a list of types (activity::kinds<...>), and then every visitor must take each of them; or an activity::kind_set
// made while running. One tracer a process: CUPTI serves one collector. Move-only; scopes may be opened on any thread, flush()
// and the settings may be called on any, one thread at a time. Its end stops the recording, and never throws; batches may
// outlive it. In the child of a fork it does nothing. CUPTI 12.0, 2.3.
template <class Kinds>
class tracer {
public:
    using batch = trace_batch<Kinds>;

    // Errors: unavailable where CUPTI is missing or has no activity calls; invalid_argument for kinds that exclude each other;
    // busy if this process has a tracer; and what CUPTI says of a kind. Cost: the memory of the options.
    // @pre the machine (with a device: the device's) outlives the tracer
    [[nodiscard]] static result<tracer> try_begin(hw::machine const& on, Kinds kinds,
                                                  tracer_options const& options = {}) {
        auto begun = detail::trace_session::try_begin(on, set_of(kinds), options);
        if (!begun) return std::move(begun).error();
        return tracer{*std::move(begun)};
    }
    [[nodiscard]] static result<tracer> try_begin(device const& gpu, Kinds kinds, tracer_options const& options = {}) {
        return try_begin(gpu.machine(), kinds, options);
    }
#if GPUPROF_EXCEPTIONS
    // try_begin(), throwing.
    tracer(device const& gpu, Kinds kinds, tracer_options const& options = {})
        : tracer{try_begin(gpu, kinds, options).value()} {}
    tracer(hw::machine const& on, Kinds kinds, tracer_options const& options = {})
        : tracer{try_begin(on, kinds, options).value()} {}
#endif

    // For gpuprof::scope. @pre no scope on it is open when the tracer ends
    operator scope_target&() noexcept { return *session_; } // NOLINT(*-explicit-*)

    // Has CUPTI hand over its buffers, and gives what they hold. `completed`: buffers all of whose records are complete; what
    // still runs comes with a later one. `forced`: all, at the end of a program. Waits for no GPU.
    // Errors: what cuptiActivityFlushAll says. Cost: about 2 ms for 400,000 records on an H200.
    [[nodiscard]] result<batch> try_flush(flush_mode mode = flush_mode::completed) {
        if (auto flushed = session_->try_flush(mode); !flushed) return std::move(flushed).error();
        return take();
    }
    // What CUPTI has handed over by itself.
    [[nodiscard]] batch take() {
        auto all = session_->take();
        total_ += all.lost;
        return batch{std::move(all.buffers), session_->walk(),      session_->asked(),
                     session_->names(),      std::move(all.scopes), all.lost};
    }
#if GPUPROF_EXCEPTIONS
    // try_flush(), throwing.
    [[nodiscard]] batch flush(flush_mode mode = flush_mode::completed) { return try_flush(mode).value(); }
#endif

    // Stops recording, and goes on. What was recorded before can still be flushed.
    [[nodiscard]] result<void> try_stop() { return session_->try_stop(); }
    [[nodiscard]] result<void> try_start() { return session_->try_start(); }

    // Drops by CUPTI and scopes without room since the beginning, of what was flushed. Records without times are counted in
    // each batch.
    [[nodiscard]] trace_losses lost() const noexcept { return total_; }
    // "frame/step" for a scope's number; empty for 0.
    [[nodiscard]] std::string scope_path(std::uint64_t number) const {
        return session_->names()->scopes.path_of(number);
    }

private:
    explicit tracer(std::unique_ptr<detail::trace_session> session) noexcept : session_{std::move(session)} {}

    [[nodiscard]] static constexpr activity::kind_set set_of(Kinds kinds) noexcept {
        if constexpr (std::is_same_v<Kinds, activity::kind_set>) return kinds;
        else return Kinds::set();
    }

    std::unique_ptr<detail::trace_session> session_;
    trace_losses total_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_TRACER_HPP
