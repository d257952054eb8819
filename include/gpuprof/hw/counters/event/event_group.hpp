// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An event group of CUPTI: events of one domain that are switched on, read and switched off
// together.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_GROUP_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_GROUP_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Owns a group; the destructor switches it off and destroys it. Which events share a group, and
// which groups can be on at the same time, the device decides (CUPTI 12.0, 2.5). Every call returns
// what CUPTI answered, with cause and remedy. Move-only; belongs to one thread at a time, and the
// context must outlive it.
class event_group {
public:
    [[nodiscard]] static result<event_group> try_create(abi::cupti_table const& cupti, abi::CUcontext context) {
        abi::CUpti_EventGroup handle = nullptr;
        if (auto status = cupti.EventGroupCreate(context, &handle, 0)) return explain("cuptiEventGroupCreate", status);
        return event_group{cupti, handle};
    }

    event_group(event_group&& other) noexcept
        : cupti_{other.cupti_},
          handle_{std::exchange(other.handle_, nullptr)},
          enabled_{std::exchange(other.enabled_, false)},
          instances_{other.instances_},
          events_{std::move(other.events_)},
          read_{std::move(other.read_)},
          values_{std::move(other.values_)} {}
    event_group& operator=(event_group&&) = delete;
    ~event_group() {
        if (handle_ == nullptr) return;
        // The context may be lost: there is no more to do then.
        if (enabled_) static_cast<void>(cupti_->EventGroupDisable(handle_));
        static_cast<void>(cupti_->EventGroupDestroy(handle_));
    }

    // False if the event does not fit: another domain, an event it excludes, no counter left.
    [[nodiscard]] result<bool> try_add(abi::CUpti_EventID event) {
        auto const status = cupti_->EventGroupAddEvent(handle_, event);
        if (status == abi::CUPTI_ERROR_NOT_COMPATIBLE || status == abi::CUPTI_ERROR_MAX_LIMIT_REACHED) return false;
        if (status) return explain("cuptiEventGroupAddEvent", status);
        events_.push_back(event);
        return true;
    }

    // Takes an event out, or all of them. @pre not enabled; prepare it again
    [[nodiscard]] result<void> try_remove(abi::CUpti_EventID event) {
        if (auto status = cupti_->EventGroupRemoveEvent(handle_, event))
            return explain("cuptiEventGroupRemoveEvent", status);
        std::erase(events_, event);
        return {};
    }
    [[nodiscard]] result<void> try_remove_all() {
        if (auto status = cupti_->EventGroupRemoveAllEvents(handle_))
            return explain("cuptiEventGroupRemoveAllEvents", status);
        events_.clear();
        return {};
    }

    // The domain of its events. @pre it has one
    [[nodiscard]] result<abi::CUpti_EventDomainID> try_domain() const {
        return try_attribute<abi::CUpti_EventDomainID>(abi::CUPTI_EVENT_GROUP_ATTR_EVENT_DOMAIN_ID);
    }
    [[nodiscard]] std::span<abi::CUpti_EventID const> events() const noexcept { return events_; }
    // How many instances of the domain the values are summed over; known once prepared.
    [[nodiscard]] std::uint32_t instances() const noexcept { return instances_; }

    // Asks for every instance that the device can profile, and makes room to read them: reading
    // allocates nothing.
    [[nodiscard]] result<void> try_prepare() {
        std::uint32_t all = 1;
        if (auto status = cupti_->EventGroupSetAttribute(
                handle_, abi::CUPTI_EVENT_GROUP_ATTR_PROFILE_ALL_DOMAIN_INSTANCES, sizeof all, &all))
            return explain("cuptiEventGroupSetAttribute", status);
        auto count = try_attribute<std::uint32_t>(abi::CUPTI_EVENT_GROUP_ATTR_INSTANCE_COUNT);
        if (!count) return std::move(count).error();
        instances_ = *count;
        if (instances_ == 0)
            return error{errc::internal, 0, "an event group without an instance of its domain", "", ""};
        read_.resize(events_.size());
        values_.resize(events_.size() * instances_);
        return {};
    }

    // Zeroes the counts and starts them. Errors: busy if another client has the counters, or groups
    // that are on leave none for this one.
    [[nodiscard]] result<void> try_enable() {
        if (auto status = cupti_->EventGroupEnable(handle_); status && !is_warning(status)) {
            error why = explain("cuptiEventGroupEnable", status);
            if (status == abi::CUPTI_ERROR_NOT_COMPATIBLE) {
                why.code = errc::busy;
                why.cause = "event groups that are on leave no counter for this one";
                why.remedy =
                    "end other event collections on the device, ask for fewer events, or use replay_mode::kernel";
            }
            return why;
        }
        enabled_ = true;
        return {};
    }
    [[nodiscard]] result<void> try_disable() {
        if (!enabled_) return {};
        if (auto status = cupti_->EventGroupDisable(handle_)) return explain("cuptiEventGroupDisable", status);
        enabled_ = false;
        return {};
    }
    [[nodiscard]] bool enabled() const noexcept { return enabled_; }

    // Adds to `sums`, one an event in the order of events(), what was counted since the last read
    // or enable, over all instances; CUPTI zeroes the counts. With room for it, each event has a
    // sum for every instance instead, one after the other. A sum that a counter's overflow spoilt
    // is abi::cupti_event_overflow, and stays.
    // @pre prepared, enabled; sums.size() == events().size(), or instances() times that
    [[nodiscard]] result<void> try_read(std::span<std::uint64_t> sums) {
        std::size_t value_bytes = values_.size() * sizeof values_[0];
        std::size_t event_bytes = read_.size() * sizeof read_[0];
        std::size_t count = 0;
        if (auto status = cupti_->EventGroupReadAllEvents(handle_, abi::CUPTI_EVENT_READ_FLAG_NONE, &value_bytes,
                                                          values_.data(), &event_bytes, read_.data(), &count))
            return explain("cuptiEventGroupReadAllEvents", status);
        if (count != events_.size() || value_bytes != values_.size() * sizeof values_[0])
            return error{errc::internal, 0, "cuptiEventGroupReadAllEvents gave other events than the group has", "",
                         ""};
        for (std::size_t at = 0; at < values_.size(); ++at) {
            std::size_t event = 0;
            while (event < events_.size() && events_[event] != read_[at % count]) ++event;
            if (event == events_.size())
                return error{errc::internal, 0, "cuptiEventGroupReadAllEvents gave an event the group does not have",
                             "", ""};
            bool const apart = sums.size() != events_.size();
            std::uint64_t& sum = sums[apart ? event * instances_ + at / count : event];
            bool const lost = values_[at] >= abi::cupti_event_invalid || sum == abi::cupti_event_overflow;
            sum = lost ? abi::cupti_event_overflow : sum + values_[at];
        }
        return {};
    }

    // Writes what one event counted since it was read last, in each instance; CUPTI zeroes these counts, and no others. A count
    // that overflowed is abi::cupti_event_overflow. Errors: what CUPTI says, such as invalid_argument for an event of another group.
    // @pre prepared, enabled; counts.size() == instances()
    [[nodiscard]] result<void> try_read_event(abi::CUpti_EventID event, std::span<std::uint64_t> counts) {
        std::size_t bytes = counts.size_bytes();
        if (auto status =
                cupti_->EventGroupReadEvent(handle_, abi::CUPTI_EVENT_READ_FLAG_NONE, event, &bytes, counts.data()))
            return explain("cuptiEventGroupReadEvent", status);
        if (bytes != counts.size_bytes())
            return error{errc::internal, 0, "cuptiEventGroupReadEvent gave counts of another number of instances", "",
                         ""};
        return {};
    }

    // The counts so far are forgotten.
    [[nodiscard]] result<void> try_reset() {
        if (auto status = cupti_->EventGroupResetAllEvents(handle_))
            return explain("cuptiEventGroupResetAllEvents", status);
        return {};
    }

private:
    event_group(abi::cupti_table const& cupti, abi::CUpti_EventGroup handle) noexcept
        : cupti_{&cupti}, handle_{handle} {}

    template <class Value>
    [[nodiscard]] result<Value> try_attribute(abi::CUpti_EventGroupAttribute which) const {
        Value value{};
        std::size_t size = sizeof value;
        if (auto status = cupti_->EventGroupGetAttribute(handle_, which, &size, &value))
            return explain("cuptiEventGroupGetAttribute", status);
        return value;
    }

    abi::cupti_table const* cupti_;
    abi::CUpti_EventGroup handle_;
    bool enabled_ = false;
    std::uint32_t instances_ = 0;
    std::vector<abi::CUpti_EventID> events_;
    std::vector<abi::CUpti_EventID> read_; // in the order CUPTI reads them
    std::vector<std::uint64_t> values_;    // instance by instance
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_GROUP_HPP
