// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts events over nested ranges of one context, one pass a replay pass.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_SESSION_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_SESSION_HPP

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../../core/result.hpp"
#include "../../../detail/owned.hpp"
#include "../../abi/cupti.hpp"
#include "../../abi/driver.hpp"
#include "../counter_data.hpp"
#include "../counter_hardware.hpp"
#include "../../machine/device.hpp"
#include "event_counters.hpp"
#include "event_plan.hpp"
#include "event_value.hpp"
#include "gpu_stopwatch.hpp"
#include "kernel_ranges.hpp"
#include "kernel_replay.hpp"
#include "range_counts.hpp"
#include "../../machine/session_registry.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The event counters of one context, held from try_open to destruction.
//
// User ranges count continuously: where a range begins or ends the context is synchronised and the
// counts are read, which zeroes them, and added to every open range. Whatever the context does
// between the two is counted, copies and idle time included, and time is measured by the GPU's
// clock (CUPTI 12.0, 2.5: collection mode continuous). CUPTI may hand counts over late then, so
// each boundary reads until nothing more comes; see event_counters. With count_kernels_only nothing
// but kernels counts (collection mode kernel): a range must have one kernel of its own, of several
// CUPTI keeps the last one's counts.
// With replay_mode::kernel CUPTI repeats each kernel for all groups of events in one replay pass
// and counts nothing but kernels; it keeps the counts of the last kernel only, so that a range may
// have one kernel of its own (those of ranges inside it apart); a second one is an error.
//
// With range_mode::auto_range every launch is a range, in any of these ways: the launching thread
// synchronises the context and reads the counters before and after (job callback_event of CUPTI
// 12.0, 2.4). Launches over the room are told by one range more.
//
// Cost of a range: two synchronisations and four reads a group, two without continuous counting.
// Not thread-safe: replay passes and ranges belong to one thread.
class event_session {
public:
    // Errors: busy if this process already has a session on the context.
    [[nodiscard]] static result<event_session> try_open(device const& gpu, event_plan const& what) {
        auto lease = session_lease::try_take(gpu.context());
        if (!lease) return std::move(lease).error();
        return result<event_session>{event_session{*std::move(lease), gpu, what}};
    }

    event_session(event_session&& other) noexcept
        : lease_{std::move(other.lease_)},
          machine_{other.machine_},
          driver_{other.driver_},
          cupti_{other.cupti_},
          device_{other.device_},
          plan_{std::move(other.plan_)},
          shape_{other.shape_},
          counters_{std::move(other.counters_)},
          replay_{std::move(other.replay_)},
          clock_{std::move(other.clock_)},
          ranges_{std::move(other.ranges_)},
          segment_{std::move(other.segment_)},
          replay_pass_{other.replay_pass_},
          kernels_{std::move(other.kernels_)} {}
    event_session& operator=(event_session&&) = delete;
    ~event_session() {
        if (lease_.context() == nullptr) return;
        kernels_ = {}; // first: it reads the counters
        counters_.reset();
        replay_.end();
    }

    // Makes room and creates the groups. The previous collection's values are gone then.
    // Errors: unavailable for kernel replay where this CUPTI has none; what CUPTI says.
    [[nodiscard]] result<void> try_prepare(session_shape const& shape) {
        if (shape.max_ranges == 0 || shape.max_ranges > 0xffffffffu)
            return error{errc::invalid_argument, 0, "room for no range, or for too many", "",
                         "ask for 1 to 4294967295 ranges"};
        if (shape.replay == replay_mode::application)
            return error{errc::unavailable, 0, "application replay on event hardware",
                         "the event API keeps no counter data that another process could go on with",
                         "use replay_mode::user or replay_mode::kernel on devices before capability 7.0"};
        if (!counters_ || shape.replay != shape_.replay) {
            context_scope const here{*driver_, lease_.context()};
            if (auto status = here.status()) return explain("cuCtxPushCurrent", status);
            counters_.reset(); // first: CUPTI may have no room for both
            auto made = event_counters::try_create(*cupti_, lease_.context(), plan_.collected,
                                                   shape.replay == replay_mode::kernel);
            if (!made) return std::move(made).error();
            if (auto ready = clock_.try_create(*driver_); !ready) return ready;
            counters_.emplace(*std::move(made));
        }
        shape_ = shape;
        replay_pass_ = 0;
        std::size_t const room = shape.max_ranges + (is_each_kernel() ? 1 : 0);
        ranges_.reset(room, shape.nesting_levels, counters().slots(), counters().replay_passes());
        segment_.assign(counters().slots(), 0);
        return {};
    }

    [[nodiscard]] result<void> try_begin_replay_pass() {
        context_scope const here{*driver_, lease_.context()};
        if (auto status = here.status()) return explain("cuCtxPushCurrent", status);
        if (shape_.replay == replay_mode::kernel) {
            if (auto begun = replay_.try_begin(*cupti_, lease_.context()); !begun) return begun;
        } else if (auto status = cupti_->SetEventCollectionMode(
                       lease_.context(), is_continuous() ? abi::CUPTI_EVENT_COLLECTION_MODE_CONTINUOUS
                                                         : abi::CUPTI_EVENT_COLLECTION_MODE_KERNEL)) {
            error why = explain("cuptiSetEventCollectionMode", status);
            if (status == abi::CUPTI_ERROR_NOT_SUPPORTED) {
                why.cause = "this device counts events while a kernel runs, not continuously";
                why.remedy = "count kernels only (count_kernels_only), or use replay_mode::kernel; with one kernel in "
                             "each range";
            }
            return why;
        }
        if (auto enabled = counters().try_enable(replay_pass_); !enabled || !is_each_kernel()) return enabled;
        launched_ = 0;
        if (!kernels_) kernels_.make();
        return kernels_->try_begin(*machine_, lease_.context(),
                                   {this, &event_session::kernel_begins, &event_session::kernel_ends});
    }

    // Opens a range under the one that is open; a number pushed again adds to its range.
    [[nodiscard]] result<void> try_push(std::uint32_t id) {
        if (id >= ranges_.room()) [[unlikely]]
            return error{errc::too_many_ranges, 0, "range " + std::to_string(id) + " is over the room",
                         "there is room for " + std::to_string(ranges_.room()), "ask for more"};
        if (auto counted = try_count(); !counted) [[unlikely]]
            return counted;
        ranges_.open(id);
        return {};
    }
    [[nodiscard]] result<void> try_pop() {
        if (!ranges_.any_open()) [[unlikely]]
            return error{errc::invalid_state, 0, "no range is open", "it was closed already", ""};
        if (auto counted = try_count(); !counted) [[unlikely]]
            return counted;
        ranges_.close();
        return {};
    }

    // Launches are no ranges until try_resume(); the counters run on, and each range reads them when it
    // begins. In kernel replay CUPTI still replays what is launched.
    [[nodiscard]] result<void> try_pause() {
        if (kernels_) kernels_->pause(true);
        return {};
    }
    [[nodiscard]] result<void> try_resume() {
        if (kernels_) kernels_->pause(false);
        return {};
    }

    // @pre every pushed range is popped
    [[nodiscard]] result<replay_progress> try_end_replay_pass() {
        context_scope const here{*driver_, lease_.context()};
        if (auto status = here.status()) return explain("cuCtxPushCurrent", status);
        if (is_each_kernel())
            if (auto ended = kernels_->try_end(); !ended) return std::move(ended).error();
        if (auto stopped = counters().try_disable(replay_pass_); !stopped) return std::move(stopped).error();
        replay_.end();
        ranges_.close_all();
        replay_progress state;
        state.pass = replay_pass_++;
        state.last = replay_pass_ >= counters().replay_passes();
        return state;
    }

    // Every range collected so far, in the order of first opening; also worth calling after an
    // abandoned collection: what its passes gave has values.
    [[nodiscard]] result<std::vector<range_values>> try_read() {
        std::vector<range_values> list;
        for (std::uint32_t const id : ranges_.ranges()) {
            range_values& made = list.emplace_back();
            made.id = id;
            for (event_output const& output : plan_.outputs) {
                auto value = try_evaluate(output, id);
                if (!value) return std::move(value).error();
                made.values.push_back(*value);
            }
        }
        return list;
    }
    [[nodiscard]] static result<counter_data> try_keep() { return no_counter_data(); }

private:
    event_session(session_lease lease, device const& gpu, event_plan const& what)
        : lease_{std::move(lease)},
          machine_{&gpu.machine()},
          driver_{&gpu.driver()},
          cupti_{&gpu.cupti()},
          device_{gpu.handle()},
          plan_{what} {}

    // @pre prepared
    [[nodiscard]] event_counters& counters() noexcept { return *counters_; }
    [[nodiscard]] event_counters const& counters() const noexcept { return *counters_; }

    // Around a launch, on the thread that launches.
    static result<void> kernel_begins(void* self) {
        return static_cast<event_session*>(self)->try_count(); // nothing is open: what came before is forgotten
    }
    static result<void> kernel_ends(void* self) {
        auto& mine = *static_cast<event_session*>(self);
        if (mine.launched_ >= mine.ranges_.room()) return {};
        mine.ranges_.open(mine.launched_++);
        auto counted = mine.try_count();
        mine.ranges_.close();
        return counted;
    }

    // Adds what was counted since the last call to every open range.
    [[nodiscard]] result<void> try_count() {
        context_scope const here{*driver_, lease_.context()};
        if (auto status = here.status()) [[unlikely]]
            return explain("cuCtxPushCurrent", status);
        if (auto status = driver_->CtxSynchronize()) [[unlikely]]
            return explain("cuCtxSynchronize", status);
        if (!ranges_.any_open()) {
            // What was counted before and comes late belongs to no range.
            auto forgotten = is_continuous() ? counters().try_read_settled(replay_pass_, segment_)
                                             : counters().try_reset(replay_pass_);
            if (!forgotten) [[unlikely]]
                return forgotten;
            replay_.forget();
            return clock_.try_start();
        }
        if (replay_.kernels() > 1) [[unlikely]]
            return error{errc::not_collected, 0, std::to_string(replay_.kernels()) + " kernels ran in one range",
                         "with replay_mode::kernel CUPTI keeps the counts of the last one only",
                         "open a scope around each launch, or use replay_mode::user"};
        auto elapsed = clock_.try_lap();
        if (!elapsed) [[unlikely]]
            return std::move(elapsed).error();
        auto read = is_continuous() ? counters().try_read_settled(replay_pass_, segment_)
                                    : counters().try_read(replay_pass_, segment_);
        if (!read) [[unlikely]]
            return read;
        ranges_.add(segment_, counters().first_slot(replay_pass_), counters().first_slot(replay_pass_ + 1),
                    replay_pass_, *elapsed);
        replay_.forget();
        return clock_.try_start();
    }

    [[nodiscard]] bool is_each_kernel() const noexcept { return shape_.ranges == range_mode::auto_range; }
    [[nodiscard]] bool is_continuous() const noexcept {
        return shape_.replay != replay_mode::kernel && !shape_.count_kernels_only;
    }

    // All operands from one replay pass where one has them all, else each from the first that has
    // it.
    [[nodiscard]] result<double> try_evaluate(event_output const& output, std::uint32_t id) const {
        std::size_t const collected =
            replay_pass_ < counters().replay_passes() ? replay_pass_ : counters().replay_passes();
        std::size_t whole = 0;
        while (whole < collected && !has_all(output.events, whole)) ++whole;
        std::size_t replay_pass = whole < collected ? whole : 0; // whose time it is
        std::vector<event_counters::column const*> columns;
        for (abi::CUpti_EventID const event : output.events) {
            auto const* from = whole < collected ? counters().find(event, whole) : nullptr;
            for (std::size_t r = 0; r < collected && from == nullptr; ++r) from = counters().find(event, r);
            if (from != nullptr && columns.empty()) replay_pass = from->replay_pass;
            columns.push_back(from);
        }
        double const elapsed = ranges_.nanoseconds(id, replay_pass);
        if (output.of_one_instance) return try_by_instance(output, id, columns, elapsed);
        std::vector<double> counts;
        counts.reserve(columns.size());
        for (auto const* const from : columns)
            counts.push_back(from != nullptr ? count(id, *from) : std::numeric_limits<double>::quiet_NaN());
        return try_value_of(*cupti_, device_, output, counts, elapsed);
    }
    // From the counts of one instance after the other: the mean, or the one that was asked for
    // (CUPTI 5.0, CUpti_MetricEvaluationMode). Instances without a value do not count.
    [[nodiscard]] result<double> try_by_instance(event_output const& output, std::uint32_t id,
                                                 std::span<event_counters::column const* const> columns,
                                                 double elapsed) const {
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        std::size_t instances = 0;
        for (auto const* const from : columns) {
            if (from == nullptr || (instances != 0 && from->slots != instances)) return none;
            instances = from->slots;
        }
        auto const asked = static_cast<std::size_t>(output.instance); // one that there is: try_plan_events looked
        double sum = 0;
        std::size_t valid = 0;
        for (std::size_t i = 0; i < instances; ++i) {
            if (output.instance >= 0 && i != asked) continue;
            std::vector<double> counts;
            for (auto const* const from : columns) {
                std::uint64_t const own = ranges_.counts(id)[from->slot + i];
                counts.push_back(own == abi::cupti_event_overflow ? none : static_cast<double>(own));
            }
            auto value = try_value_of(*cupti_, device_, output, counts, elapsed);
            if (!value) return value;
            if (*value != *value) continue;
            sum += *value;
            ++valid;
        }
        return valid == 0 ? none : sum / static_cast<double>(valid);
    }
    [[nodiscard]] bool has_all(std::span<abi::CUpti_EventID const> events, std::size_t replay_pass) const noexcept {
        for (abi::CUpti_EventID const each : events)
            if (counters().find(each, replay_pass) == nullptr) return false;
        return true;
    }
    [[nodiscard]] double count(std::uint32_t id, event_counters::column const& from) const noexcept {
        double sum = 0;
        for (std::uint64_t const each : ranges_.counts(id).subspan(from.slot, from.slots)) {
            if (each == abi::cupti_event_overflow) return std::numeric_limits<double>::quiet_NaN();
            sum += static_cast<double>(each);
        }
        return sum * from.scale;
    }

    session_lease lease_; // first: given back when all else is gone
    hw::machine const* machine_;
    abi::driver_table const* driver_;
    abi::cupti_table const* cupti_;
    abi::CUdevice device_;
    event_plan plan_;
    session_shape shape_{};
    std::optional<event_counters> counters_; // once prepared
    kernel_replay replay_;
    gpu_stopwatch clock_;
    range_counts ranges_;
    std::vector<std::uint64_t> segment_; // counted since the last boundary, a column an event
    std::size_t replay_pass_ = 0;
    std::uint32_t launched_ = 0;           // kernels of this replay pass, each a range
    detail::owned<kernel_ranges> kernels_; // where every kernel is a range
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_SESSION_HPP
