// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The event groups of a plan in one context, by the replay pass they are on in. Layer: hw.
#ifndef GPUPROF_HW_EVENT_EVENT_COUNTERS_HPP
#define GPUPROF_HW_EVENT_EVENT_COUNTERS_HPP

#include <cstddef> // std::size_t
#include <cstdint> // std::uint64_t
#include <span>    // passes, sums
#include <string>  // texts of errors
#include <utility> // std::move
#include <vector>  // groups

#include "../../core/result.hpp"
#include "../abi/cupti.hpp"
#include "event_group.hpp"
#include "event_passes.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// What is read is one sum an event, a column; the columns of a replay pass stand together. Move-only; see event_group for the
// rest.
class event_counters {
public:
    struct column {
        abi::CUpti_EventID event = 0;
        std::size_t replay_pass = 0;
        double scale = 1; // from the profiled instances to all of them
    };

    event_counters() = default;

    // Creates the groups; nothing counts yet. @param at_once all passes in one replay pass, for kernel replay
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
                for (abi::CUpti_EventID const event : planned.events)
                    made.columns_.push_back({event, replay_pass, scale});
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
    [[nodiscard]] std::size_t first_column(std::size_t replay_pass) const noexcept {
        std::size_t at = 0;
        while (at < columns_.size() && columns_[at].replay_pass != replay_pass) ++at;
        return at;
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
    // Writes what was counted since the last read or reset; abi::cupti_event_overflow where a counter wrapped. Allocates
    // nothing. @pre sums.size() == columns().size(); the replay pass is enabled. Columns of other replay passes stay.
    [[nodiscard]] result<void> try_read(std::size_t replay_pass, std::span<std::uint64_t> sums) {
        std::size_t at = first_column(replay_pass);
        for (event_group& group : replay_passes_[replay_pass]) {
            std::span<std::uint64_t> const own = sums.subspan(at, group.events().size());
            for (std::uint64_t& each : own) each = 0;
            if (auto read = group.try_read(own); !read) [[unlikely]]
                return read;
            at += own.size();
        }
        return {};
    }

private:
    std::vector<std::vector<event_group>> replay_passes_;
    std::vector<column> columns_; // by replay pass, group, event
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_EVENT_EVENT_COUNTERS_HPP
