// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device of event hardware can count, as CUPTI lists it: domains, events, metrics.
#ifndef GPUPROF_HW_COUNTERS_EVENT_EVENT_CATALOGUE_HPP
#define GPUPROF_HW_COUNTERS_EVENT_EVENT_CATALOGUE_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../../core/compute_capability_text.hpp"
#include "../../../core/error.hpp"
#include "../../../core/result.hpp"
#include "../../abi/cupti.hpp"
#include "../../machine/device.hpp"
#include "event_attributes.hpp"
#include "../../machine/status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// Events of one domain are counted by the same instances of a unit; a device has more instances
// than it can profile at a time (CUPTI 12.0, 2.5).
struct domain_properties {
    abi::CUpti_EventDomainID id = 0;
    std::string name;
    std::uint32_t profiled_instances = 1;
    std::uint32_t total_instances = 1;
    abi::CUpti_EventCollectionMethod method = abi::CUPTI_EVENT_COLLECTION_METHOD_SM;

    // What the sum over the profiled instances is multiplied with to stand for the device.
    [[nodiscard]] double scale() const noexcept {
        return profiled_instances == 0 ? 1.0 : static_cast<double>(total_instances) / profiled_instances;
    }
};

struct event_properties {
    abi::CUpti_EventID id = 0;
    abi::CUpti_EventDomainID domain = 0;
    std::string name;
    std::string description;
    abi::CUpti_EventCategory category = abi::CUPTI_EVENT_CATEGORY_INSTRUCTION;
    // Whose work is counted: the context's, the device's, or either (CUPTI 12.0,
    // CUpti_EventProfilingScope).
    abi::CUpti_EventProfilingScope scope = abi::CUPTI_EVENT_PROFILING_SCOPE_CONTEXT;
};

struct derived_metric_properties {
    abi::CUpti_MetricID id = 0;
    std::string name;
    std::string description;
    abi::CUpti_MetricCategory category = abi::CUPTI_METRIC_CATEGORY_MULTIPROCESSOR;
    abi::CUpti_MetricValueKind kind = abi::CUPTI_METRIC_VALUE_KIND_DOUBLE;
    // From the counts of one instance, or from those of all together, or both (CUPTI 5.0,
    // CUpti_MetricEvaluationMode).
    unsigned modes = abi::CUPTI_METRIC_EVALUATION_MODE_AGGREGATE;

    [[nodiscard]] bool is_only_of_one_instance() const noexcept {
        return (modes & abi::CUPTI_METRIC_EVALUATION_MODE_AGGREGATE) == 0 &&
               (modes & abi::CUPTI_METRIC_EVALUATION_MODE_PER_INSTANCE) != 0;
    }
    [[nodiscard]] bool can_be_of_one_instance() const noexcept {
        return (modes & abi::CUPTI_METRIC_EVALUATION_MODE_PER_INSTANCE) != 0;
    }
};

// The lists CUPTI keeps for one device. Nothing is cached: a domain costs microseconds, a whole
// enumeration milliseconds. The device outlives it. Const use is as thread-safe as CUPTI's own
// calls, which are.
class event_catalogue {
public:
    // Errors: unavailable, with the reason, where the event and metric API does not serve the
    // device: capability 7.5 and later, CUPTI 13 and later, no CUPTI.
    [[nodiscard]] static result<event_catalogue> try_open(device const& gpu) {
        abi::cupti_table const& cupti = gpu.cupti();
        if (char const* const call = detail::missing_event_call(cupti))
            return refused(gpu, unavailable_call(gpu.machine(), call));
        std::uint32_t domains = 0;
        if (auto status = cupti.DeviceGetNumEventDomains(gpu.handle(), &domains))
            return refused(gpu, explain("cuptiDeviceGetNumEventDomains", status));
        if (domains == 0)
            return refused(gpu,
                           error{errc::unavailable, 0, std::string{gpu.name()}, "CUPTI lists no events of it", ""});
        return event_catalogue{gpu};
    }

    [[nodiscard]] result<std::vector<domain_properties>> try_domains() const {
        auto ids = detail::try_list<abi::CUpti_EventDomainID>(
            "cuptiDeviceGetNumEventDomains", [&](auto* n) { return cupti_->DeviceGetNumEventDomains(device_, n); },
            "cuptiDeviceEnumEventDomains",
            [&](auto* bytes, auto* list) { return cupti_->DeviceEnumEventDomains(device_, bytes, list); });
        if (!ids) return std::move(ids).error();
        std::vector<domain_properties> list;
        for (abi::CUpti_EventDomainID const id : *ids) {
            auto one = try_domain(id);
            if (!one) return std::move(one).error();
            list.push_back(*std::move(one));
        }
        return list;
    }

    // What CUPTI has for any device of the machine: domains with their names and methods, and numbers of metrics for try_metric().
    // How many instances a domain has is a device's.
    struct any_domain {
        abi::CUpti_EventDomainID id = 0;
        std::string name;
        abi::CUpti_EventCollectionMethod method = abi::CUPTI_EVENT_COLLECTION_METHOD_SM;
    };
    [[nodiscard]] result<std::vector<any_domain>> try_domains_of_all() const {
        auto ids = detail::try_list<abi::CUpti_EventDomainID>(
            "cuptiGetNumEventDomains", [&](auto* n) { return cupti_->GetNumEventDomains(n); }, "cuptiEnumEventDomains",
            [&](auto* bytes, auto* list) { return cupti_->EnumEventDomains(bytes, list); });
        if (!ids) return std::move(ids).error();
        std::vector<any_domain> list;
        for (abi::CUpti_EventDomainID const id : *ids) {
            auto const ask = [&](abi::CUpti_EventDomainAttribute which) {
                return [this, id, which](std::size_t* size, void* value) {
                    return cupti_->EventDomainGetAttribute(id, which, size, value);
                };
            };
            auto name = detail::try_text("cuptiEventDomainGetAttribute", ask(abi::CUPTI_EVENT_DOMAIN_ATTR_NAME));
            if (!name) return std::move(name).error();
            auto method = detail::try_number<abi::CUpti_EventCollectionMethod>(
                "cuptiEventDomainGetAttribute", ask(abi::CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD));
            list.push_back({id, *std::move(name), method.value_or(abi::CUPTI_EVENT_COLLECTION_METHOD_SM)});
        }
        return list;
    }
    [[nodiscard]] result<std::vector<abi::CUpti_MetricID>> try_metrics_of_all() const {
        return detail::try_list<abi::CUpti_MetricID>(
            "cuptiGetNumMetrics", [&](auto* n) { return cupti_->GetNumMetrics(n); }, "cuptiEnumMetrics",
            [&](auto* bytes, auto* list) { return cupti_->EnumMetrics(bytes, list); });
    }

    [[nodiscard]] result<domain_properties> try_domain(abi::CUpti_EventDomainID id) const {
        static constexpr std::string_view call = "cuptiDeviceGetEventDomainAttribute";
        auto const ask = [&](abi::CUpti_EventDomainAttribute which) {
            return [this, id, which](std::size_t* size, void* value) {
                return cupti_->DeviceGetEventDomainAttribute(device_, id, which, size, value);
            };
        };
        domain_properties made;
        made.id = id;
        auto name = detail::try_text(call, ask(abi::CUPTI_EVENT_DOMAIN_ATTR_NAME));
        if (!name) return std::move(name).error();
        made.name = *std::move(name);
        auto profiled = detail::try_number<std::uint32_t>(call, ask(abi::CUPTI_EVENT_DOMAIN_ATTR_INSTANCE_COUNT));
        if (!profiled) return std::move(profiled).error();
        made.profiled_instances = *profiled;
        auto total = detail::try_number<std::uint32_t>(call, ask(abi::CUPTI_EVENT_DOMAIN_ATTR_TOTAL_INSTANCE_COUNT));
        if (!total) return std::move(total).error();
        made.total_instances = *total;
        // Newer than the rest: where CUPTI does not tell, SM stays.
        auto method = detail::try_number<abi::CUpti_EventCollectionMethod>(
            call, ask(abi::CUPTI_EVENT_DOMAIN_ATTR_COLLECTION_METHOD));
        if (method) made.method = *method;
        return made;
    }

    [[nodiscard]] result<std::vector<event_properties>> try_events(abi::CUpti_EventDomainID domain) const {
        auto ids = detail::try_list<abi::CUpti_EventID>(
            "cuptiEventDomainGetNumEvents", [&](auto* n) { return cupti_->EventDomainGetNumEvents(domain, n); },
            "cuptiEventDomainEnumEvents",
            [&](auto* bytes, auto* list) { return cupti_->EventDomainEnumEvents(domain, bytes, list); });
        if (!ids) return std::move(ids).error();
        std::vector<event_properties> list;
        for (abi::CUpti_EventID const id : *ids) {
            auto const ask = [&](abi::CUpti_EventAttribute which) {
                return [this, id, which](std::size_t* size, void* value) {
                    return cupti_->EventGetAttribute(id, which, size, value);
                };
            };
            auto name = detail::try_text("cuptiEventGetAttribute", ask(abi::CUPTI_EVENT_ATTR_NAME));
            if (!name) return std::move(name).error();
            auto text = detail::try_text("cuptiEventGetAttribute", ask(abi::CUPTI_EVENT_ATTR_LONG_DESCRIPTION));
            auto category = detail::try_number<abi::CUpti_EventCategory>("cuptiEventGetAttribute",
                                                                         ask(abi::CUPTI_EVENT_ATTR_CATEGORY));
            // Newer than the rest: where CUPTI does not tell, the context stays.
            auto scope = detail::try_number<abi::CUpti_EventProfilingScope>("cuptiEventGetAttribute",
                                                                            ask(abi::CUPTI_EVENT_ATTR_PROFILING_SCOPE));
            list.push_back({id, domain, *std::move(name), text.value_or(std::string{}),
                            category.value_or(abi::CUPTI_EVENT_CATEGORY_INSTRUCTION),
                            scope.value_or(abi::CUPTI_EVENT_PROFILING_SCOPE_CONTEXT)});
        }
        return list;
    }

    // Every event of the device, domain by domain.
    [[nodiscard]] result<std::vector<event_properties>> try_events() const {
        auto domains = try_domains();
        if (!domains) return std::move(domains).error();
        std::vector<event_properties> all;
        for (domain_properties const& domain : *domains) {
            auto events = try_events(domain.id);
            if (!events) return std::move(events).error();
            all.insert(all.end(), events->begin(), events->end());
        }
        return all;
    }

    [[nodiscard]] result<std::vector<derived_metric_properties>> try_metrics() const {
        auto ids = detail::try_list<abi::CUpti_MetricID>(
            "cuptiDeviceGetNumMetrics", [&](auto* n) { return cupti_->DeviceGetNumMetrics(device_, n); },
            "cuptiDeviceEnumMetrics",
            [&](auto* bytes, auto* list) { return cupti_->DeviceEnumMetrics(device_, bytes, list); });
        if (!ids) return std::move(ids).error();
        std::vector<derived_metric_properties> list;
        for (abi::CUpti_MetricID const id : *ids) {
            auto one = try_metric(id);
            if (!one) return std::move(one).error();
            list.push_back(*std::move(one));
        }
        return list;
    }

    [[nodiscard]] result<derived_metric_properties> try_metric(abi::CUpti_MetricID id) const {
        auto const ask = [&](abi::CUpti_MetricAttribute which) {
            return [this, id, which](std::size_t* size, void* value) {
                return cupti_->MetricGetAttribute(id, which, size, value);
            };
        };
        auto name = detail::try_text("cuptiMetricGetAttribute", ask(abi::CUPTI_METRIC_ATTR_NAME));
        if (!name) return std::move(name).error();
        auto kind = detail::try_number<abi::CUpti_MetricValueKind>("cuptiMetricGetAttribute",
                                                                   ask(abi::CUPTI_METRIC_ATTR_VALUE_KIND));
        if (!kind) return std::move(kind).error();
        auto text = detail::try_text("cuptiMetricGetAttribute", ask(abi::CUPTI_METRIC_ATTR_LONG_DESCRIPTION));
        auto category = detail::try_number<abi::CUpti_MetricCategory>("cuptiMetricGetAttribute",
                                                                      ask(abi::CUPTI_METRIC_ATTR_CATEGORY));
        auto modes = detail::try_number<abi::CUpti_MetricEvaluationMode>("cuptiMetricGetAttribute",
                                                                         ask(abi::CUPTI_METRIC_ATTR_EVALUATION_MODE));
        if (!modes) return std::move(modes).error(); // without it a value may be of the wrong counts
        return derived_metric_properties{id,
                                         *std::move(name),
                                         text.value_or(std::string{}),
                                         category.value_or(abi::CUPTI_METRIC_CATEGORY_MULTIPROCESSOR),
                                         *kind,
                                         static_cast<unsigned>(*modes)};
    }

private:
    explicit event_catalogue(device const& gpu) noexcept : cupti_{&gpu.cupti()}, device_{gpu.handle()} {}

    // Says why this device has no events here: the status alone would not.
    [[nodiscard]] GPUPROF_COLD static error refused(device const& gpu, error why) {
        auto const capability = gpu.capability();
        if (!capability.has_event_hardware()) {
            why.code = errc::unavailable;
            why.cause = std::string{gpu.name()} + " has compute capability " + capability_text(capability) +
                        "; events and their metrics end with 7.2";
            why.remedy = "measure range metrics; many legacy names have one they map to";
        } else if (why.status == abi::CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED || why.status == 0) {
            if (cupti_release(gpu.machine().cupti_library.version) >= 13) {
                why.code = errc::unavailable;
                why.cause = "CUPTI 13 and later no longer serve events and their metrics";
                why.remedy = "use the CUPTI of CUDA 12 or earlier (wheel nvidia-cuda-cupti-cu12)";
            }
        }
        // CUPTI 12.0, table 3: events and metrics of Maxwell, Pascal and Volta. Other statuses have
        // other reasons.
        bool const not_served = why.status == 0 || why.status == abi::CUPTI_ERROR_LEGACY_PROFILER_NOT_SUPPORTED ||
                                why.status == abi::CUPTI_ERROR_INVALID_DEVICE ||
                                why.status == abi::CUPTI_ERROR_NOT_SUPPORTED ||
                                why.status == abi::CUPTI_ERROR_NOT_COMPATIBLE;
        int const release = cupti_release(gpu.machine().cupti_library.version);
        if (not_served && release == 12 && capability.generation < 5) {
            why.code = errc::unavailable;
            why.cause = "the CUPTI of CUDA 12 serves events and metrics of capability 5.0 to 7.2; this device has " +
                        capability_text(capability);
            why.remedy = capability.generation == 3 && capability.revision >= 5
                             ? "use the CUPTI of CUDA 11, the last for 3.5 and 3.7 (wheel nvidia-cuda-cupti-cu11)"
                             : "use a CUPTI of the time: CUDA 10.2 is the last for 3.0 and 3.2, CUDA 8 for 2.x";
        }
        return why;
    }

    abi::cupti_table const* cupti_;
    abi::CUdevice device_;
};

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_COUNTERS_EVENT_EVENT_CATALOGUE_HPP
