// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The legacy vocabulary against a real libcupti, which lists and evaluates events and metrics of old devices without any
// device. Looked for among the files that setup/fetch_cupti_wheels.sh unpacks (GPUPROF_CUPTI_WHEELS, or ../cupti-wheels);
// CUPTI 13 no longer has these functions.
#if !defined(_WIN32)
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <dlfcn.h>

#include <gpuprof/legacy/lookup.hpp>

#include "support/sanitized.hpp"

namespace cupti_agreement_test {

using gpuprof::capability_family;
using gpuprof::expression_input;
using gpuprof::input_source;
using gpuprof::legacy_metric_row;
using gpuprof::metric_property;

namespace legacy = gpuprof::legacy;

namespace {

// The functions needed, with CUPTI's enumerations as int and its value union as eight bytes.
struct cupti {
    int (*num_domains)(std::uint32_t*) = nullptr;
    int (*enum_domains)(std::size_t*, std::uint32_t*) = nullptr;
    int (*domain_attribute)(std::uint32_t, int, std::size_t*, void*) = nullptr;
    int (*domain_num_events)(std::uint32_t, std::uint32_t*) = nullptr;
    int (*domain_enum_events)(std::uint32_t, std::size_t*, std::uint32_t*) = nullptr;
    int (*event_attribute)(std::uint32_t, int, std::size_t*, void*) = nullptr;
    int (*num_metrics)(std::uint32_t*) = nullptr;
    int (*enum_metrics)(std::size_t*, std::uint32_t*) = nullptr;
    int (*metric_attribute)(std::uint32_t, int, std::size_t*, void*) = nullptr;
    int (*metric_num_events)(std::uint32_t, std::uint32_t*) = nullptr;
    int (*metric_enum_events)(std::uint32_t, std::size_t*, std::uint32_t*) = nullptr;
    int (*metric_num_properties)(std::uint32_t, std::uint32_t*) = nullptr;
    int (*metric_enum_properties)(std::uint32_t, std::size_t*, int*) = nullptr;
    int (*metric_value)(std::uint32_t, std::size_t, std::uint32_t*, std::size_t, std::uint64_t*, std::size_t, int*,
                        std::size_t, std::uint64_t*, void*) = nullptr;
};

template <class Function>
bool load(void* library, char const* name, Function& into) {
    into = reinterpret_cast<Function>(dlsym(library, name));
    return into != nullptr;
}

std::optional<cupti> open_cupti() {
    if (sanitized) return std::nullopt; // CUPTI leaks what it lists
    std::filesystem::path wheels = "../cupti-wheels";
    if (char const* const named = std::getenv("GPUPROF_CUPTI_WHEELS")) wheels = named;
    for (std::string const release : {"11.8", "12.0", "12.6", "12.9"}) {
        std::error_code ignored;
        for (auto const& file :
             std::filesystem::directory_iterator{wheels / release / "nvidia" / "cuda_cupti" / "lib", ignored}) {
            if (!file.path().filename().string().starts_with("libcupti.so")) continue;
            void* const library = dlopen(file.path().c_str(), RTLD_NOW | RTLD_LOCAL); // never closed
            cupti api;
            if (library != nullptr && load(library, "cuptiGetNumEventDomains", api.num_domains) &&
                load(library, "cuptiEnumEventDomains", api.enum_domains) &&
                load(library, "cuptiEventDomainGetAttribute", api.domain_attribute) &&
                load(library, "cuptiEventDomainGetNumEvents", api.domain_num_events) &&
                load(library, "cuptiEventDomainEnumEvents", api.domain_enum_events) &&
                load(library, "cuptiEventGetAttribute", api.event_attribute) &&
                load(library, "cuptiGetNumMetrics", api.num_metrics) &&
                load(library, "cuptiEnumMetrics", api.enum_metrics) &&
                load(library, "cuptiMetricGetAttribute", api.metric_attribute) &&
                load(library, "cuptiMetricGetNumEvents", api.metric_num_events) &&
                load(library, "cuptiMetricEnumEvents", api.metric_enum_events) &&
                load(library, "cuptiMetricGetNumProperties", api.metric_num_properties) &&
                load(library, "cuptiMetricEnumProperties", api.metric_enum_properties) &&
                load(library, "cuptiMetricGetValue2", api.metric_value))
                return api;
        }
    }
    return std::nullopt;
}

// A device that a family's data was taken from: its domains, by CUPTI's identifiers.
struct device {
    capability_family family;
    double schedulers; // per multiprocessor, which CUPTI knows by itself
    std::set<std::uint32_t> domains;
};
device const devices[]{
    {capability_family::cc_3x, 4, {0x191, 0x199, 0x19b, 0x19c}},
    {capability_family::cc_5x, 4, {0x1100001, 0x1100009, 0x110000a, 0x110000b, 0x110000d, 0x110000f}},
    {capability_family::cc_6x,
     2, // 6.0; 6.1 has 4
     {0x1300002, 0x130000a, 0x130000b, 0x1300011, 0x1300017, 0x1300018, 0x130001c, 0x130001d}},
    {capability_family::cc_70, 4, {0x1400002, 0x1400014, 0x1400016, 0x1400019, 0x140001b, 0x1400021}},
};

std::string text(int (*attribute)(std::uint32_t, int, std::size_t*, void*), std::uint32_t id, int which) {
    char value[512]{};
    std::size_t size = sizeof value;
    return attribute(id, which, &size, value) == 0 ? value : "";
}
int number(int (*attribute)(std::uint32_t, int, std::size_t*, void*), std::uint32_t id, int which) {
    std::uint32_t value = 0;
    std::size_t size = sizeof value;
    return attribute(id, which, &size, &value) == 0 ? static_cast<int>(value) : -1;
}

// Lists of identifiers: how many, then which.
template <class Id, class Count, class Enumerate, class... Of>
std::vector<Id> list(Count count, Enumerate enumerate, Of... of) {
    std::uint32_t n = 0;
    if (count(of..., &n) != 0) return {};
    std::vector<Id> ids(n);
    std::size_t bytes = n * sizeof(Id);
    return n != 0 && enumerate(of..., &bytes, ids.data()) == 0 ? ids : std::vector<Id>{};
}

// The device's events by identifier; empty where this CUPTI no longer has the device.
std::map<std::uint32_t, std::string> events_of(cupti const& api, device const& which) {
    std::map<std::uint32_t, std::string> events;
    for (std::uint32_t const domain : list<std::uint32_t>(api.num_domains, api.enum_domains)) {
        if (which.domains.count(domain) == 0) continue;
        for (std::uint32_t const event : list<std::uint32_t>(api.domain_num_events, api.domain_enum_events, domain))
            events[event] = text(api.event_attribute, event, 0);
    }
    return events;
}

std::map<int, std::uint64_t> const properties{
    {0, 8}, {1, 64}, {2, 1000000}, {3, 1000000}, {4, 6}, {5, 288000000}, {12, 12}, {13, 1},
};

double property_value(device const& which, metric_property property) {
    if (property == metric_property::warp_size) return 32;
    if (property == metric_property::schedulers_per_multiprocessor) return which.schedulers;
    return static_cast<double>(properties.at(static_cast<int>(property)));
}

// Counts that differ from round to replay pass. Hits, misses and the like are parts of the rest, and active of elapsed cycles.
std::uint64_t some_count(std::string_view event, unsigned replay_pass) {
    std::uint64_t mix = 1469598103934665603U + replay_pass;
    for (char const c : event) mix = (mix ^ static_cast<unsigned char>(c)) * 1099511628211U;
    std::uint64_t const part = 1000 + (mix >> 20) % 9000;
    if (event.find("hit") != event.npos) return part / 16;
    bool const small_part =
        event.find("miss") != event.npos || event.find("divergent") != event.npos || event.starts_with("l2_");
    if (event.starts_with("elapsed")) return 200 * part;
    if (event.starts_with("active_cycles")) return 20 * part;
    return small_part ? part : 4 * part + 9000;
}

union metric_value {
    double real;
    std::uint64_t whole;
    int level;
};

// CUPTI's value of a metric in its own unit; nothing where it finds the counts contradictory.
std::optional<double> cupti_value(cupti const& api, std::uint32_t metric, int kind, std::vector<std::uint32_t> events,
                                  std::vector<std::uint64_t> counts) {
    auto needed = list<int>(api.metric_num_properties, api.metric_enum_properties, metric);
    std::vector<std::uint64_t> property_values;
    for (int const each : needed) property_values.push_back(properties.at(each));
    metric_value value{};
    int const status =
        api.metric_value(metric, events.size() * sizeof events[0], events.data(), counts.size() * sizeof counts[0],
                         counts.data(), needed.size() * sizeof(int), needed.data(),
                         property_values.size() * sizeof(std::uint64_t), property_values.data(), &value);
    if (status != 0) return std::nullopt;
    if (kind == 5) return value.level;
    return kind == 0 || kind == 2 ? value.real : static_cast<double>(value.whole);
}

// Whether ours, in CUPTI's unit, is what CUPTI says: whole kinds are cut off, levels rounded up.
bool agrees(int kind, double ours, double theirs) {
    double const tolerance = 1e-9 * std::fabs(ours);
    if (kind == 0 || kind == 2) return std::fabs(ours - theirs) <= tolerance;
    if (kind == 5) return theirs >= std::min(ours, 10.0) - 1e-9 && theirs < ours + 1;
    return theirs <= ours + tolerance && theirs > ours - 1 - tolerance;
}

// Metrics that CUPTI computes from public events and that it is asked for all the same: how PCIe and L1 enter is not known.
std::set<std::string_view> const asked_though_public{"l1_shared_utilization", "sysmem_read_utilization",
                                                     "sysmem_utilization", "sysmem_write_utilization"};

std::set<std::string> inputs_of(legacy_metric_row const& row) {
    std::set<std::string> names;
    for (expression_input const& input : row.formula.inputs())
        if (input.source == input_source::event) names.insert(std::string{input.name});
    return names;
}
std::set<std::string> names_of(std::vector<std::uint32_t> const& ids,
                               std::map<std::uint32_t, std::string> const& events) {
    std::set<std::string> names;
    for (std::uint32_t const id : ids) names.insert(events.at(id));
    return names;
}

// Whether CUPTI accepted some of 40 sets of counts; each of those is checked.
bool compare(cupti const& api, device const& which, std::uint32_t metric, legacy_metric_row const& row,
             std::vector<std::uint32_t> const& ids, std::map<std::uint32_t, std::string> const& events) {
    int const kind = number(api.metric_attribute, metric, 4);
    double const scale = std::pow(10, row.metric->of.power_of_ten - row.metric->cupti.power_of_ten);
    bool accepted = false;
    for (unsigned replay_pass = 0; replay_pass < 40; ++replay_pass) {
        std::vector<std::uint64_t> counts;
        for (std::uint32_t const id : ids) counts.push_back(some_count(events.at(id), replay_pass));
        auto const theirs = cupti_value(api, metric, kind, ids, counts);
        if (!theirs) continue;
        double const ours = scale * row.formula.evaluate([&](expression_input const& input) {
            return input.source == input_source::property ? property_value(which, input.property)
                                                          : static_cast<double>(some_count(input.name, replay_pass));
        });
        CAPTURE(ours);
        CAPTURE(*theirs);
        CHECK(agrees(kind, ours, *theirs));
        accepted = true;
    }
    return accepted;
}

} // namespace

TEST_CASE("event sets are what CUPTI lists for the devices") {
    auto const api = open_cupti();
    if (!api) {
        MESSAGE(
            "skipped: no libcupti of CUDA 11 or 12 (tests/setup/fetch_cupti_wheels.sh fetches them), or a sanitizer");
        return;
    }
    for (device const& which : devices) {
        CAPTURE(std::string{name(which.family)});
        auto const& set = legacy::events_of(which.family);
        std::size_t found = 0;
        for (std::uint32_t const domain : which.domains) {
            std::string const name = text(api->domain_attribute, domain, 0);
            for (std::uint32_t const event :
                 list<std::uint32_t>(api->domain_num_events, api->domain_enum_events, domain)) {
                std::string const event_name = text(api->event_attribute, event, 0);
                CAPTURE(event_name);
                auto const* const place = set.find(event_name);
                REQUIRE(place != nullptr);
                CHECK(set.domain_of(*place).name == name);
                CHECK(static_cast<int>(set.domain_of(*place).collection) == number(api->domain_attribute, domain, 4));
                ++found;
            }
        }
        if (found != 0) CHECK(found == set.events.size()); // CUPTI 12 no longer has 3.x
    }
}

TEST_CASE("formulas give what CUPTI computes from the same counts") {
    auto const api = open_cupti();
    if (!api) {
        MESSAGE(
            "skipped: no libcupti of CUDA 11 or 12 (tests/setup/fetch_cupti_wheels.sh fetches them), or a sanitizer");
        return;
    }
    std::size_t compared = 0;
    for (device const& which : devices) {
        auto const events = events_of(*api, which);
        std::set<std::string> computed_by_cupti; // from this device's public events
        std::set<std::string> agreeing;
        for (std::uint32_t const metric : list<std::uint32_t>(api->num_metrics, api->enum_metrics)) {
            std::string const metric_name = text(api->metric_attribute, metric, 0);
            auto const ids = list<std::uint32_t>(api->metric_num_events, api->metric_enum_events, metric);
            bool const of_device = !ids.empty() && std::all_of(ids.begin(), ids.end(),
                                                               [&](std::uint32_t id) { return events.count(id) == 1; });
            legacy_metric_row const* const row = legacy::metrics_of(which.family).find(metric_name);
            bool const of_61 = which.family == capability_family::cc_6x && metric_name.starts_with("ecc_");
            if (!of_device || row == nullptr || of_61 || asked_though_public.count(metric_name) == 1) continue;
            computed_by_cupti.insert(metric_name);
            // A name can belong to several metrics of CUPTI's, for devices with fewer parts of the same kind.
            if (inputs_of(*row) != names_of(ids, events)) continue;
            CAPTURE(std::string{name(which.family)});
            CAPTURE(metric_name);
            if (compare(*api, which, metric, *row, ids, events)) agreeing.insert(metric_name);
        }
        CAPTURE(std::string{name(which.family)});
        for (std::string const& metric_name : computed_by_cupti) {
            CAPTURE(metric_name);
            CHECK(agreeing.count(metric_name) == 1);
        }
        compared += agreeing.size();
    }
    CHECK(compared > 100);
}

// CUPTI 12.0 has 6 metrics, of two names, that it evaluates from the counts of one instance and in no other way.
TEST_CASE("what CUPTI evaluates for one instance only is what the descriptors say") {
    auto const api = open_cupti();
    if (!api) {
        MESSAGE("skipped: no libcupti of CUDA 11 or 12");
        return;
    }
    std::set<std::string> only, ours;
    for (std::uint32_t const metric : list<std::uint32_t>(api->num_metrics, api->enum_metrics)) {
        int const modes = number(api->metric_attribute, metric, 5); // CUPTI_METRIC_ATTR_EVALUATION_MODE
        if (modes == 1)
            only.insert(text(api->metric_attribute, metric, 0)); // CUPTI_METRIC_EVALUATION_MODE_PER_INSTANCE
    }
    for (auto const* const each : legacy::all_metrics)
        if (each->of_one_instance()) ours.insert(each->name);
    CHECK(only == ours);
    CHECK(ours == std::set<std::string>{"ipc_instance", "sm_efficiency_instance"});
}

TEST_CASE("categories and kinds of values are CUPTI's") {
    auto const api = open_cupti();
    if (!api) {
        MESSAGE(
            "skipped: no libcupti of CUDA 11 or 12 (tests/setup/fetch_cupti_wheels.sh fetches them), or a sanitizer");
        return;
    }
    int found = 0;
    for (std::uint32_t const metric : list<std::uint32_t>(api->num_metrics, api->enum_metrics)) {
        std::string const metric_name = text(api->metric_attribute, metric, 0);
        auto const* const ours = legacy::find_metric(metric_name);
        if (ours == nullptr) continue;
        CAPTURE(metric_name);
        CHECK(static_cast<int>(ours->category) == number(api->metric_attribute, metric, 3));
        int const kind = number(api->metric_attribute, metric, 4);
        if (kind == 2) CHECK(ours->cupti == gpuprof::percent_unit);
        if (kind == 3) CHECK(ours->cupti == gpuprof::bytes_per_second::unit());
        if (kind == 5) CHECK(ours->cupti == gpuprof::tenth_unit);
        if (kind == 0 || kind == 1) CHECK(ours->cupti.power_of_ten == 0);
        ++found;
    }
    CHECK(found > 500);
}

} // namespace cupti_agreement_test
#endif
