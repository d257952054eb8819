// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What enumerations of records are called, and that a value of a newer CUPTI is kept.
#include <gpuprof/hw/activity/record.hpp>

#include <doctest/doctest.h>

namespace texts_test {

using namespace gpuprof::activity;

TEST_CASE("enumerators have names in words") {
    CHECK(to_text(memcpy_kind::host_to_device) == "host to device");
    CHECK(to_text(memcpy_kind::peer_to_peer) == "peer to peer");
    CHECK(to_text(memory_kind::managed_static) == "managed static");
    CHECK(to_text(overhead_kind::lazy_function_loading) == "lazy function loading");
    CHECK(to_text(synchronization_type::stream_wait_event) == "stream wait event");
    CHECK(to_text(unified_memory_counter_kind::bytes_transfer_host_to_device) == "bytes transfer host to device");
    CHECK(to_text(stall_reason::memory_dependency) == "memory dependency");
    CHECK(to_text(openacc_event::delete_) == "delete");
    CHECK(to_text(stream_flag::null_) == "null");
    CHECK(to_text(unknown_reason::truncated) == "truncated");
}

TEST_CASE("a value that is not declared keeps its number and says that it is not known") {
    auto const newer = static_cast<launch_type>(17);
    CHECK(to_text(newer) == "not known here");
    CHECK(static_cast<unsigned>(newer) == 17);
}

} // namespace texts_test
