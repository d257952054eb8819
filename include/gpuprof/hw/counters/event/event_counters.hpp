// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event groups of a plan in one context, by the replay pass they are on in.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_COUNTERS_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_COUNTERS_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "event_group.hpp"
#include "event_passes.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What is read is one sum an event, or a count for each instance of its domain, in consecutive
// slots: a column. The columns of a replay pass stand together. Move-only; see event_group for the
// rest.
class event_counters {
public:
    struct column {
        abi::CUpti_EventID event = 0;
        std::size_t replay_pass = 0;
        double scale = 1;      // from the profiled instances to all of them
        std::size_t slot = 0;  // the first, of
        std::size_t slots = 1; // so many: 1, or one for each profiled instance
        bool is_clock = false; // counts by itself, whatever runs
    };

    event_counters() = default;

    // Creates the groups; nothing counts yet. @param at_once all passes in one replay pass, for
    // kernel replay
    [[nodiscard]] static result<event_counters> try_create(abi::cupti_table const& cupti, abi::CUcontext context,
                                                           std::span<planned_pass const> passes, bool at_once) {
        event_counters made;
        made.replay_passes_.resize(at_once ? 1 : passes.size());
        for (std::size_t pass = 0; pass < passes.size(); ++pass) {
            std::size_t const replay_pass = at_once ? 0 : pass;
            for (planned_group const& planned : passes[pass].groups) {
                auto group = event_group::try_create(cupti, context);
                if (!group) return std::move(group).error();
                for (abi::CUpti_EventID const event : planned.events) {
                    auto added = group->try_add(event);
                    if (!added) return std::move(added).error();
                    if (!*added)
                        return error{errc::internal, 0,
                                     "event " + std::to_string(event) + " no longer fits the group it was planned for",
                                     "another user of CUPTI changed what this context can count", "plan anew"};
                }
                if (auto ready = group->try_prepare(); !ready) return std::move(ready).error();
                double const scale = static_cast<double>(planned.total_instances) / group->instances();
                std::size_t const slots = planned.by_instance ? group->instances() : 1;
                for (abi::CUpti_EventID const event : planned.events) {
                    made.columns_.push_back({event, replay_pass, scale, made.slots_, slots, is_clock(cupti, event)});
                    made.slots_ += slots;
                }
                made.replay_passes_[replay_pass].push_back(*std::move(group));
            }
        }
        return result<event_counters>{std::move(made)};
    }

    [[nodiscard]] std::size_t replay_passes() const noexcept { return replay_passes_.size(); }
    [[nodiscard]] std::span<column const> columns() const noexcept { return columns_; }
    // The column of an event in a replay pass; null if it is not counted there.
    [[nodiscard]] column const* find(abi::CUpti_EventID event, std::size_t replay_pass) const noexcept {
        for (column const& each : columns_)
            if (each.event == event && each.replay_pass == replay_pass) return &each;
        return nullptr;
    }
    // Counts of all columns together.
    [[nodiscard]] std::size_t slots() const noexcept { return slots_; }
    // The first slot of a replay pass, and one past its last: `first_slot` of the next.
    [[nodiscard]] std::size_t first_slot(std::size_t replay_pass) const noexcept {
        for (column const& each : columns_)
            if (each.replay_pass >= replay_pass) return each.slot;
        return slots_;
    }

    [[nodiscard]] result<void> try_enable(std::size_t replay_pass) {
        for (event_group& group : replay_passes_[replay_pass])
            if (auto enabled = group.try_enable(); !enabled) return enabled;
        return {};
    }
    [[nodiscard]] result<void> try_disable(std::size_t replay_pass) {
        for (event_group& group : replay_passes_[replay_pass])
            if (auto disabled = group.try_disable(); !disabled) return disabled;
        return {};
    }
    // What was counted so far is forgotten.
    [[nodiscard]] result<void> try_reset(std::size_t replay_pass) {
        for (event_group& group : replay_passes_[replay_pass])
            if (auto reset = group.try_reset(); !reset) [[unlikely]]
                return reset;
        return {};
    }
    // Writes what was counted since the last read or reset; abi::cupti_event_overflow where a
    // counter wrapped. Allocates nothing. @pre sums.size() == slots(); the replay pass is enabled.
    // Columns of other replay passes stay.
    [[nodiscard]] result<void> try_read(std::size_t replay_pass, std::span<std::uint64_t> sums) {
        clear(replay_pass, sums);
        return try_add(replay_pass, sums);
    }
    // The same, with what CUPTI hands over late: in continuous mode a count may come with a later
    // read than the first one after the work, and the last read's may be lost (CUPTI 12.0,
    // 1.2.1.1). Reads until one brings nothing, clocks apart: twice after work, three times if
    // nothing was counted, four times at most. @pre the context is synchronised
    [[nodiscard]] result<void> try_read_settled(std::size_t replay_pass, std::span<std::uint64_t> sums) {
        clear(replay_pass, sums);
        std::uint64_t before = 0;
        for (int reads = 1; reads <= most_reads; ++reads) {
            if (auto read = try_add(replay_pass, sums); !read) [[unlikely]]
                return read;
            std::uint64_t const now = counted(replay_pass, sums);
            bool const brought = now != before;
            if (reads > 1 && !brought && (now != 0 || reads > 2)) break;
            before = now;
        }
        return {};
    }

private:
    static constexpr int most_reads = 4;

    [[nodiscard]] static bool is_clock(abi::cupti_table const& cupti, abi::CUpti_EventID event) {
        char name[32]{};
        std::size_t size = sizeof name - 1;
        return cupti.EventGetAttribute(event, abi::CUPTI_EVENT_ATTR_NAME, &size, name) == abi::CUPTI_SUCCESS &&
               std::string_view{name}.starts_with("elapsed_cycles");
    }
    void clear(std::size_t replay_pass, std::span<std::uint64_t> sums) const noexcept {
        for (std::size_t at = first_slot(replay_pass); at < first_slot(replay_pass + 1); ++at) sums[at] = 0;
    }
    // Of everything but clocks; any number that grows with every count will do.
    [[nodiscard]] std::uint64_t counted(std::size_t replay_pass, std::span<std::uint64_t const> sums) const noexcept {
        std::uint64_t all = 0;
        for (column const& each : columns_)
            if (each.replay_pass == replay_pass && !each.is_clock)
                for (std::size_t i = 0; i < each.slots; ++i)
                    all += sums[each.slot + i] == abi::cupti_event_overflow ? 1 : sums[each.slot + i];
        return all;
    }
    [[nodiscard]] result<void> try_add(std::size_t replay_pass, std::span<std::uint64_t> sums) {
        std::size_t at = 0;
        while (at < columns_.size() && columns_[at].replay_pass != replay_pass) ++at;
        for (event_group& group : replay_passes_[replay_pass]) {
            std::size_t const size = group.events().size() * columns_[at].slots;
            if (auto read = group.try_read(sums.subspan(columns_[at].slot, size)); !read) [[unlikely]]
                return read;
            at += group.events().size();
        }
        return {};
    }

    std::vector<std::vector<event_group>> replay_passes_;
    std::vector<column> columns_; // by replay pass, group, event
    std::size_t slots_ = 0;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_COUNTERS_HPP
