// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that visits records as CUPTI hands them over.
#ifndef GPUPROF_TRACE_CONSUMER_HPP
#define GPUPROF_TRACE_CONSUMER_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "compiled_out.hpp"
#else

#include <atomic>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <thread>
#include <utility>

#include "../core/result.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../hw/machine/platform/growing_number.hpp"
#include "tracer.hpp"

GPUPROF_NAMESPACE_BEGIN

// Calls f(batch const&) on a thread of its own, whenever CUPTI has handed over buffers or many scopes have ended, and gives the
// buffers back after it. What waits for f is bounded by the tracer's buffers: where f is too slow, CUPTI drops records and
// counts them, and batch.losses() and tracer::lost() tell how many. CUPTI hands over full buffers; others come as often as
// tracer_options::flush_period_ms says.
//
//     gpuprof::trace_consumer consume{trace, [&](auto const& batch) { batch.visit(f); }};
//
// Its end flushes what is complete, waits until f has seen it, and never throws. If f throws, it is called no more; the error
// comes from try_end(), and what f has not seen stays with the tracer. Movable; one thread at a time. In the child of a fork
// there is no such thread, and nothing is visited. @pre it ends before the tracer is finished or detached
template <class Kinds, class F>
class trace_consumer {
public:
    // Errors: invalid_state for a tracer that has ended; unavailable if the system has no thread.
    [[nodiscard]] static result<trace_consumer> try_begin(tracer<Kinds>& of, F f) {
        if (of.session_ == nullptr) return detail::refused_after_end();
        auto made = std::make_unique<worker>(of.session_, std::move(f));
#if GPUPROF_EXCEPTIONS
        try {
#endif
            made->thread = std::thread{[self = made.get()] { self->run(); }};
#if GPUPROF_EXCEPTIONS
        } catch (std::exception const& why) {
            error none{errc::unavailable, 0, "a thread to consume records", why.what(), "end other threads"};
            return none;
        }
#endif
        return trace_consumer{std::move(made)};
    }
#if GPUPROF_EXCEPTIONS
    // try_begin(), throwing.
    trace_consumer(tracer<Kinds>& of, F f) : trace_consumer{try_begin(of, std::move(f)).value()} {}
#endif

    trace_consumer(trace_consumer&&) noexcept = default;
    trace_consumer& operator=(trace_consumer&&) = delete;
    ~trace_consumer() {
        if (worker_ == nullptr) return;
        if (worker_->is_in_child()) {
            worker_.release()->thread.detach(); // it is the parent's
            return;
        }
        worker_->end();
    }

    // Ends it now. Errors: not_collected if f threw, with what it said; what cuptiActivityFlushAll says; invalid_state from f; of
    // a recorded device, those of tracer::try_flush().
    [[nodiscard]] result<void> try_end() {
        if (worker_ == nullptr || worker_->is_in_child()) return detail::refused_after_end();
        if (worker_->thread.get_id() == std::this_thread::get_id()) {
            error inside{errc::invalid_state, 0, "ending a consumer of records", "it was asked to by its own function",
                         "end it on another thread"};
            return inside;
        }
        worker_->end();
        if (worker_->problem) return *worker_->problem;
        return {};
    }

private:
    struct worker {
        worker(std::shared_ptr<detail::trace_session> of, F given)
            : session{std::move(of)}, f{std::move(given)}, forks{platform::forks_so_far()} {}
        std::shared_ptr<detail::trace_session> session;
        F f;
        unsigned forks;
        std::atomic<bool> is_ending{false};
        std::optional<error> problem; // the thread's until it was joined
        std::thread thread;

        [[nodiscard]] bool is_in_child() const noexcept { return forks != platform::forks_so_far(); }

        void run() noexcept {
            platform::growing_number& arrivals = session->port().arrivals();
            for (;;) {
                std::uint32_t const seen = arrivals.now();
                bool const is_last = is_ending.load(std::memory_order_acquire);
#if GPUPROF_EXCEPTIONS
                try {
                    visit(is_last);
                } catch (std::exception const& thrown) {
                    refuse(thrown.what());
                } catch (...) {
                    refuse("not a std::exception");
                }
#else
                visit(is_last);
#endif
                if (is_last || problem) return;
                arrivals.wait(seen);
            }
        }
        void visit(bool is_last) {
            using taking = detail::trace_session::taking;
            auto const batch = tracer<Kinds>::try_take_from(*session, is_last ? taking::last : taking::by_arrival);
            if (!batch) problem = batch.error();
            else if (!batch->empty()) f(*batch);
        }
        void refuse(char const* said) noexcept {
#if GPUPROF_EXCEPTIONS
            try {
                problem.emplace(error{errc::not_collected, 0, "the function that consumes records threw", said,
                                      "catch in the function what it can go on after"});
            } catch (...) { // no memory for the texts
                problem.emplace();
                problem->code = errc::not_collected;
            }
#else
            static_cast<void>(said);
#endif
        }
        void end() noexcept {
            if (!thread.joinable()) return;
            auto flushed = session->try_flush(flush_mode::completed);
            is_ending.store(true, std::memory_order_release);
            session->port().wake();
            thread.join();
            if (!flushed && !problem) problem.emplace(std::move(flushed).error());
        }
    };
    explicit trace_consumer(std::unique_ptr<worker> made) noexcept : worker_{std::move(made)} {}

    std::unique_ptr<worker> worker_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_ENABLED

#endif // GPUPROF_TRACE_CONSUMER_HPP
