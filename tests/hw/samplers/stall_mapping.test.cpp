// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/samplers/stall_mapping.hpp: the rows of CUPTI 12.0, table 10.
#include <gpuprof/hw/samplers/stall_mapping.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <set>

namespace stall_mapping_test {

using gpuprof::reason_in_records;
using gpuprof::stall_reason;
using records = gpuprof::activity::stall_reason;

TEST_CASE("stall reasons: each of samples but two belongs to one of records, and all twelve of records are used") {
    std::set<records> of_records;
    std::set<stall_reason> of_samples;
    for (auto const& each : gpuprof::stall_mappings) {
        of_records.insert(each.of_records);
        CHECK(of_samples.insert(each.of_samples).second);
        CHECK(reason_in_records(each.of_samples) == each.of_records);
    }
    CHECK(of_records.size() == 12);
    CHECK(of_samples.size() == 18);
    CHECK(of_samples.size() == gpuprof::stall_reasons - 2); // warpgroup_arrive is later, unknown is none
    CHECK(of_samples.count(stall_reason::warpgroup_arrive) == 0);
    static_assert(reason_in_records(stall_reason::wait) == records::exec_dependency);
    static_assert(reason_in_records(stall_reason::drain) == records::memory_throttle);
    static_assert(reason_in_records(stall_reason::selected) == records::none);
    static_assert(reason_in_records(stall_reason::warpgroup_arrive) == records::other);
}

} // namespace stall_mapping_test
