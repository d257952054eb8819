// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tracer's dealings with CUPTI, without the types of its records.
#ifndef GPUPROF_TRACE_TRACE_SESSION_HPP
#define GPUPROF_TRACE_TRACE_SESSION_HPP

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "../core/result.hpp"
#include "../hw/callbacks/subscription.hpp"
#include "../hw/machine/output_fields.hpp"
#include "../hw/machine/output_line.hpp"
#include "../hw/machine/device.hpp"
#include "../hw/machine/machine.hpp"
#include "../hw/machine/platform/fork.hpp"
#include "../measure/scope.hpp"
#include "../hw/activity/kind_set.hpp"
#include "../hw/activity/release.hpp"
#include "activity_calls.hpp"
#include "activity_port.hpp"
#include "losses.hpp"
#include "record_buffers.hpp"
#include "scope_log.hpp"
#include "trace_batch.hpp"
#include "traced_scope.hpp"
#include "tracer_options.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {

// From try_begin() to the destructor. Not movable: scopes know its address. Thread-safe. In the child of a fork all functions
// do nothing, and take no mutex.
class trace_session final : public scope_target {
public:
    // @param gpu whose recordings have the records; null: they are not recorded
    [[nodiscard]] static result<std::unique_ptr<trace_session>> try_begin(hw::machine const& on,
                                                                          activity::kind_set asked,
                                                                          tracer_options const& options,
                                                                          device const* gpu = nullptr);
    ~trace_session();

    [[nodiscard]] result<void> try_start();
    [[nodiscard]] result<void> try_stop();
    [[nodiscard]] result<void> try_flush(flush_mode mode);
    [[nodiscard]] result<void> try_enable(abi::CUcontext context, abi::CUpti_ActivityKind kind, bool on);
    [[nodiscard]] result<void> try_dump(abi::CUpti_ActivityKind kind);

    // The calling thread's ids (external_id).
    [[nodiscard]] abi::CUptiResult push_id(abi::CUpti_ExternalCorrelationKind kind, std::uint64_t id) noexcept;
    void pop_id(abi::CUpti_ExternalCorrelationKind kind) noexcept;
    [[nodiscard]] bool is_of_scopes(abi::CUpti_ExternalCorrelationKind kind) const noexcept {
        return kind == options_.scope_kind;
    }

    // What there is to be visited.
    struct taken {
        held_buffers buffers;
        std::vector<traced_scope> scopes;
        trace_losses lost;
    };
    enum class taking : unsigned char {
        asked,      // the program asks
        by_arrival, // a thread takes what CUPTI has handed over
        last        // the program asks for all that is left
    };
    // Errors: of a recorded device only, those of hw::output_line::pass() and replay_mismatch for other scopes.
    [[nodiscard]] result<taken> try_take(taking how);

    [[nodiscard]] hw::machine const& machine() const noexcept { return *machine_; }
    [[nodiscard]] abi::cupti_table const& cupti() const noexcept { return machine_->cupti; }
    [[nodiscard]] record_walk walk() const noexcept { return {calls_.next(), release_}; }
    [[nodiscard]] activity::kind_set asked() const noexcept { return asked_; }
    [[nodiscard]] std::shared_ptr<trace_names> const& names() const noexcept { return names_; }
    [[nodiscard]] activity::cuda_release release() const noexcept { return release_; }
    // CUPTI's activity calls, which another tool may share.
    [[nodiscard]] activity_calls const& calls() const noexcept { return calls_; }
    [[nodiscard]] activity_port& port() const noexcept { return *port_; }
    [[nodiscard]] bool has_filled() const noexcept { return buffers_->has_filled(); }

private:
    trace_session(hw::machine const& on, activity::kind_set asked, tracer_options const& options);
    [[nodiscard]] static result<std::unique_ptr<trace_session>> try_begin_by(bool shared, hw::machine const& on,
                                                                             activity::kind_set asked,
                                                                             tracer_options const& options,
                                                                             device const* gpu);
    [[nodiscard]] static result<hw::subscription> try_share(hw::machine const& on);

    static ticket enter(scope_target& self, scope_name name) noexcept;
    static void leave(scope_target& self, scope_name name, ticket opened) noexcept;

    [[nodiscard]] result<void> begin();
    [[nodiscard]] result<void> check_devices() const;
    [[nodiscard]] result<void> sample_instructions_each(std::uint32_t power);
    [[nodiscard]] result<void> apply_settings();
    [[nodiscard]] result<void> count_unified_memory(unified_memory_counters const& which, bool on);
    [[nodiscard]] bool is_call_by_call(abi::CUpti_ActivityKind kind) const noexcept;
    [[nodiscard]] result<void> record_calls(abi::CUpti_ActivityKind kind, bool on);
    [[nodiscard]] result<void> stop_calls();
    [[nodiscard]] result<void> set(abi::CUpti_ActivityAttribute which, void const* value, std::size_t size);
    void put_back_settings() noexcept;
    [[nodiscard]] result<void> check_asked(abi::CUpti_ActivityKind kind) const;
    void read_links(held_buffers const& buffers);
    struct output;
    void describe(hw::output_fields& fields, output& all) const;
    [[nodiscard]] result<void> begin_outputs(device const& gpu);
    [[nodiscard]] result<void> keep(taken const& all);
    [[nodiscard]] result<void> play(taking how, taken& all);
    [[nodiscard]] result<void> compare_scopes(std::vector<ended_scope> const& recorded);
    void put(hw::raw_records const& records);
    void read_devices();
    void tie_scopes() noexcept;
    void watch_nodes();
    static void heard(void* self, hw::callback_id id, void const* data);
    [[nodiscard]] bool is_in_child() const noexcept { return forks_ != platform::forks_so_far(); }
    [[nodiscard]] std::uint64_t now() const noexcept;
    static constexpr std::uint64_t pushed = std::uint64_t{1} << 63; // in a ticket, beside the scope's number

    struct old_setting {
        abi::CUpti_ActivityAttribute which;
        std::size_t size;
        std::size_t value;
    };
    using flag_call = abi::CUptiResult (*)(std::uint8_t);

    struct context_kind {
        abi::CUcontext context;
        abi::CUpti_ActivityKind kind;
        friend bool operator==(context_kind const&, context_kind const&) = default;
    };

    hw::machine const* machine_;
    activity_calls calls_;
    activity::kind_set asked_;
    tracer_options options_;
    activity::cuda_release release_{};
    unsigned forks_; // platform::forks_so_far() of the process that traces
    std::shared_ptr<record_buffers> buffers_;
    std::shared_ptr<trace_names> names_;
    activity_port* port_ = nullptr;
    activity::kind_set enabled_;            // by this session, for all contexts
    activity::kind_set enabled_calls_;      // kinds of which single calls are
    std::vector<context_kind> enabled_in_;  // and for one
    std::vector<old_setting> old_settings_; // to be put back
    std::vector<flag_call> switched_on_;    // to be switched off
    bool has_clock_ = false;
    bool has_period_ = false;
    bool counts_unified_memory_ = false;
    bool knows_devices_ = false; // with the taking mutex
    std::optional<abi::CUpti_ActivityThreadIdType> old_thread_numbers_;
    platform::mutex control_; // enabling and disabling
    platform::mutex taking_;  // take()
    bool is_running_ = false; // kinds are enabled; with the control mutex
    std::atomic<int> tie_{0}; // scopes to records: 0 not yet, 1 done, -1 CUPTI cannot
    scope_log scopes_;
    std::optional<hw::subscription> beside_; // keeps the handle of calls_, where another tool shares CUPTI
    detail::owned<hw::output_line> line_;    // null: nothing is recorded or played
    std::uint64_t names_kept_ = 0;           // scopes whose names are recorded
    std::vector<ended_scope> played_scopes_; // of a replay, to be compared with those that were recorded
    std::optional<error> unlike_;            // the first difference of a replay
    std::optional<hw::subscription> nodes_;  // hears of graph nodes, from the first scope on
};

} // namespace detail
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "trace_session.inl.hpp"
#endif

#endif // GPUPROF_TRACE_TRACE_SESSION_HPP
