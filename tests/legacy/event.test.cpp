// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// event.hpp: descriptors, domains and sets, and that the families' data is sound.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <string_view>

#include <gpuprof/legacy/lookup.hpp>

namespace event_test {

using gpuprof::capability_family;
using gpuprof::dimension;
using gpuprof::event_collection;
using gpuprof::event_place;
using gpuprof::event_set;
using gpuprof::unit_of;

namespace events = gpuprof::legacy::events;

TEST_CASE("a set finds its events by name, with the domain that counts them") {
    event_set const& set = gpuprof::legacy::events_70;
    event_place const* const place = set.find("active_warps");
    REQUIRE(place != nullptr);
    CHECK(place->event == &events::active_warps);
    CHECK(std::string_view{set.domain_of(*place).name} == "domain_d");
    CHECK(set.domain_of(*place).collection == event_collection::multiprocessor);
    CHECK(set.find("active_warp") == nullptr);
    CHECK(set.find("") == nullptr);
    CHECK(set.find("branch") == nullptr); // 6.x has it
}

TEST_CASE("event sets are sound: names unique, domains used and in range, texts there") {
    for (capability_family const family : gpuprof::all_capability_families) {
        event_set const& set = gpuprof::legacy::events_of(family);
        CAPTURE(std::string{name(family)});
        CHECK(set.family == family);
        std::set<std::string_view> names;
        std::set<unsigned> used;
        for (event_place const& place : set.events) {
            CAPTURE(place.event->name);
            CHECK(names.insert(place.event->name).second);
            CHECK(place.domain < set.domains.size());
            CHECK(std::string_view{place.event->meaning}.ends_with("."));
            used.insert(place.domain);
        }
        CHECK(used.size() == set.domains.size());
        std::set<std::string_view> domains;
        for (auto const& domain : set.domains) CHECK(domains.insert(domain.name).second);
    }
}

// As many as CUPTI 11.8 enumerates for 3.5, 5.0, 6.0 and 7.0, by domain; the 82 of 7.0 are also table 8's.
TEST_CASE("event sets have as many events as CUPTI enumerates") {
    CHECK(gpuprof::legacy::events_3x.events.size() == 33 + 48 + 45 + 15);
    CHECK(gpuprof::legacy::events_5x.events.size() == 5 + 4 + 20 + 20 + 36 + 10);
    CHECK(gpuprof::legacy::events_6x.events.size() == 7 + 8 + 20 + 10 + 32 + 1 + 4 + 2);
    CHECK(gpuprof::legacy::events_70.events.size() == 24 + 2 + 2 + 4 + 20 + 30);
    CHECK(gpuprof::legacy::events_70.events.size() == gpuprof::legacy::event_mappings().size());
}

TEST_CASE("an event's unit is what it counts") {
    CHECK(events::inst_executed.of == unit_of(dimension::instruction));
    CHECK(events::active_warps.of == unit_of(dimension::warp) * unit_of(dimension::cycle_gpc));
    CHECK(events::fb_subp0_read_sectors.of == unit_of(dimension::sector));
    CHECK(events::active_cycles_sys.of == unit_of(dimension::cycle_sys));
    CHECK(events::shared_ld_bank_conflict.of == unit_of(dimension::bank_conflict));
    CHECK(events::l1_global_load_hit.of == unit_of(dimension::line));
    // By the words of their names, for the whole lists.
    for (capability_family const family : gpuprof::all_capability_families) {
        for (event_place const& place : gpuprof::legacy::events_of(family).events) {
            std::string_view const name = place.event->name;
            CAPTURE(name);
            if (name.find("sector") != name.npos) CHECK(place.event->of == unit_of(dimension::sector));
            if (name.ends_with("bank_conflict")) CHECK(place.event->of == unit_of(dimension::bank_conflict));
            if (name.starts_with("prof_trigger")) CHECK(place.event->of == unit_of(dimension::event));
        }
    }
}

} // namespace event_test
