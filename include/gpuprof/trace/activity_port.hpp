// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where CUPTI asks this process for buffers and hands them back.
#ifndef GPUPROF_TRACE_ACTIVITY_PORT_HPP
#define GPUPROF_TRACE_ACTIVITY_PORT_HPP

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "../core/result.hpp"
#include "../hw/machine/machine.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../hw/machine/platform/growing_number.hpp"
#include "../hw/machine/status.hpp"
#include "activity_calls.hpp"
#include "record_buffers.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// CUPTI's two buffer callbacks carry no word of the caller's, and one CUPTI serves one collector a process: a port is the
// process's end of one CUPTI. Ports are never destroyed, and keep alive whatever CUPTI may still write to. In the child of a fork
// they do nothing: a thread of the parent may have held their mutexes. Thread-safe.
class activity_port {
public:
    // Takes the port of that CUPTI for one collector. Errors: unavailable where CUPTI has no activity calls; busy if this
    // process traces through this CUPTI already; what cuptiActivityRegisterCallbacks says.
    // @param by the calls of the process, or those of the subscriber that shares CUPTI with another tool
    [[nodiscard]] static result<activity_port*> try_take(hw::machine const& on, activity_calls const& by,
                                                         std::shared_ptr<record_buffers> buffers) {
        auto const registers = on.cupti.ActivityRegisterCallbacks;
        if (registers == nullptr) return hw::unavailable_call(on, "cuptiActivityRegisterCallbacks");
        if (!of_this_process()) {
            error forked{errc::unavailable, 0, "tracing in a forked child",
                         "the process that it came from has traced, and CUPTI does not work in the child",
                         "trace in processes that were started anew (exec, or the start method \"spawn\")"};
            return forked;
        }
        platform::lock const control{ports_mutex()};
        for (std::size_t i = 0; i < port_count; ++i) {
            activity_port& port = ports()[i];
            if (port.registers_ != nullptr && port.registers_ != registers) continue;
            if (port.taken_) {
                error busy{errc::busy, 0, "the activity records of this process are taken",
                           "another tracer collects them, and CUPTI serves one collector a process",
                           "end the other tracer first, or share it"};
                return busy;
            }
            port.registers_ = registers;
            { // before CUPTI knows of them: it may ask at once
                platform::lock const held{port.mutex_};
                port.forget_returned();
                port.held_.push_back(buffers);
                port.current_ = std::move(buffers);
            }
            if (auto const status = by.is_shared() ? on.cupti.ActivityRegisterCallbacks_v2(
                                                         by.subscriber, requests_v2[i], completions_v2[i])
                                                   : registers(requests[i], completions[i])) {
                port.close();
                return hw::explain(joined({"cuptiActivityRegisterCallbacks", by.suffix()}), status);
            }
            port.taken_ = true;
            return &port;
        }
        error none{errc::busy, 0, "too many CUPTIs in this process", "five have been traced through", ""};
        return none;
    }
    // CUPTI gets no buffers any more; those that it has stay alive until it hands them back.
    void give() noexcept {
        platform::lock const control{ports_mutex()};
        close();
        taken_ = false;
    }

    // Grows with each buffer that CUPTI hands back.
    [[nodiscard]] platform::growing_number& arrivals() noexcept { return arrivals_; }
    // Wakes who waits for one: there is something else to read.
    void wake() noexcept { arrivals_.grow(); }

private:
    // A real machine's CUPTI, the embedded GPU's two, that of recordings, one of a test.
    static constexpr std::size_t port_count = 5;

    static platform::mutex& ports_mutex() {
        static platform::mutex one;
        return one;
    }
    static activity_port* ports() {
        static auto* const all = new activity_port[port_count];
        return all;
    }
    void close() noexcept {
        platform::lock const held{mutex_};
        current_.reset();
        forget_returned();
    }
    void forget_returned() noexcept {
        std::erase_if(held_, [&](auto const& each) { return each != current_ && each->lent() == 0; });
    }
    // False in a child of the process that first asked.
    static bool of_this_process() noexcept {
        static std::atomic<unsigned> first{0};
        platform::watch_forks();
        unsigned const now = platform::forks_so_far() + 1;
        unsigned expected = 0;
        return first.compare_exchange_strong(expected, now, std::memory_order_relaxed) || expected == now;
    }

    template <std::size_t Port>
    static void requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
        *buffer = nullptr;
        *size = *most = 0; // as many records as fit
        if (!of_this_process()) return;
        activity_port& port = ports()[Port];
        platform::lock const held{port.mutex_};
        *buffer = port.current_ != nullptr ? port.current_->lend() : nullptr;
        *size = *buffer != nullptr ? port.current_->bytes_each() : 0;
    }
    template <std::size_t Port>
    static void completed(abi::CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
        if (buffer == nullptr || !of_this_process()) return;
        activity_port& port = ports()[Port];
        {
            platform::lock const held{port.mutex_};
            for (auto const& each : port.held_)
                if (each->take_back(buffer, valid)) break;
            port.forget_returned();
        }
        port.wake();
    }
    template <std::size_t Port>
    static void requested_v2(std::uint8_t** buffer, std::size_t* size, std::size_t* most, void*) {
        requested<Port>(buffer, size, most);
    }
    template <std::size_t Port>
    static void completed_v2(std::uint8_t* buffer, std::size_t size, std::size_t valid, void*) {
        completed<Port>(nullptr, 0, buffer, size, valid);
    }
    static constexpr abi::cupti_buffer_request_v2 requests_v2[port_count] = {
        &requested_v2<0>, &requested_v2<1>, &requested_v2<2>, &requested_v2<3>, &requested_v2<4>};
    static constexpr abi::cupti_buffer_complete_v2 completions_v2[port_count] = {
        &completed_v2<0>, &completed_v2<1>, &completed_v2<2>, &completed_v2<3>, &completed_v2<4>};
    static constexpr abi::CUpti_BuffersCallbackRequestFunc requests[port_count] = {
        &requested<0>, &requested<1>, &requested<2>, &requested<3>, &requested<4>};
    static constexpr abi::CUpti_BuffersCallbackCompleteFunc completions[port_count] = {
        &completed<0>, &completed<1>, &completed<2>, &completed<3>, &completed<4>};

    platform::mutex mutex_;
    decltype(abi::cupti_table::ActivityRegisterCallbacks) registers_ = nullptr; // tells CUPTIs apart
    bool taken_ = false;
    std::shared_ptr<record_buffers> current_;
    std::vector<std::shared_ptr<record_buffers>>
        held_; // the current ones, and older ones that CUPTI has not handed back
    platform::growing_number arrivals_;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_TRACE_ACTIVITY_PORT_HPP
