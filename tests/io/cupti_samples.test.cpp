// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of CUPTI's PC samples: one that libpcsamplingutil of CUDA 13.0 wrote, damaged ones, and what gpuprof has that library write.
#include <gpuprof/io/cupti_samples.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <string_view>

#include <gpuprof/hw/machine/machine.hpp>

#include "support/scratch_directory.hpp"

namespace cupti_samples_test {

namespace abi = gpuprof::abi;
namespace io = gpuprof::io;
using gpuprof::errc;

namespace {

// CuptiUtilPutPcSampData of CUDA 13.0 (2026-11-27): two records of two reasons, 3 and 5, with 100 and 7 samples each.
constexpr std::string_view written = "0100000001000000020000000000000002000000000000000200000000000000"
                                     "100200000000000024000000435550530000000018004c0004000c0014001c00"
                                     "24002c0034003c00080044001800000058000000140100005000000000000000"
                                     "0200000000000000d60000000000000001000000000000000200000000000000"
                                     "05000000000000004d000000000000000b0000000000000010000a0000000000"
                                     "0000000000000400100000001c00000000001600180008000c00000000000700"
                                     "000000001000140016000000000000020c0000000c0000008400000010000000"
                                     "02000000030000000500000002000000400000000400000030000000736d7370"
                                     "5f5f706373616d705f77617270735f69737375655f7374616c6c65645f776169"
                                     "745f6e6f745f6973737565640000000025000000736d73705f5f706373616d70"
                                     "5f77617270735f69737375655f7374616c6c65645f7761697400000002000000"
                                     "0300000005000000020000007800000004000000a4ffffff3400000009000000"
                                     "3c00000022000000400000000000000089776655443322112000000000000000"
                                     "0200000000000000000000000a0000006b65726e656c5f74776f000002000000"
                                     "030000006400000005000000070000001400380014001c0024002c0004000800"
                                     "0c00100014000000340000000900000034000000210000004000000000000000"
                                     "8877665544332211100000000000000002000000000000000000000002000000"
                                     "6b3100000200000003000000640000000500000007000000";

std::string bytes_of(std::string_view hexadecimal) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hexadecimal.size(); i += 2)
        bytes += static_cast<char>(std::stoi(std::string{hexadecimal.substr(i, 2)}, nullptr, 16));
    return bytes;
}

gpuprof::pc_samples some_samples() {
    gpuprof::pc_samples all;
    all.period = 9;
    all.total = 321;
    all.dropped = 2;
    all.non_user = 4;
    gpuprof::pc_record record;
    record.function = "_Z5saxpyPf";
    record.module = 0xfeed;
    record.pc_offset = 0x40;
    record.function_index = 3;
    record.stalls = {{all.reason_of("long_scoreboard"), 300, 20}, {all.reason_of("wait"), 15, 0}};
    all.add(record);
    return all;
}

} // namespace

TEST_CASE("a file that CUPTI's library wrote is read without it") {
    auto const read = io::try_parse_cupti_samples(bytes_of(written));
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    auto const& one = read->front();
    CHECK(one.range == 77);
    CHECK(one.samples.total == 214);
    CHECK(one.samples.dropped == 1);
    CHECK(one.samples.lost_records == 5);
    CHECK(one.samples.non_user == 11);
    CHECK(one.samples.period == 12);
    CHECK(one.samples.mode == gpuprof::pc_sampling_mode::kernel_serialized);
    REQUIRE(one.samples.reasons.size() == 1); // one of them is of latency samples
    CHECK(one.samples.reasons[0].name == "wait");
    REQUIRE(one.samples.records.size() == 2);
    for (auto const& each : one.samples.records) {
        bool const is_first = each.function == "k1";
        CHECK(each.function == (is_first ? "k1" : "kernel_two"));
        CHECK(each.module == (is_first ? 0x1122334455667788u : 0x1122334455667789u));
        CHECK(each.pc_offset == (is_first ? 0x10 : 0x20));
        CHECK(each.function_index == 9);
        CHECK(each.launch == (is_first ? 33 : 34));
        CHECK(each.stalls == std::vector<gpuprof::stall_count>{{0, 100, 7}});
    }
}

TEST_CASE("buffers of a file are merged by their ranges") {
    std::string const one = bytes_of(written), buffer = one.substr(8);
    std::string two = one + buffer, other = one + buffer;
    two[4] = other[4] = 2;                  // buffers
    auto const range = other.rfind('\x4d'); // 77, which is once in a buffer
    REQUIRE(other.find('\x4d') == range - buffer.size());
    other[range] = 78;
    auto const merged = io::try_parse_cupti_samples(two);
    REQUIRE(merged);
    REQUIRE(merged->size() == 1);
    CHECK(merged->front().samples.total == 428);
    CHECK(merged->front().samples.records.size() == 2);
    CHECK(merged->front().samples.records[0].samples() == 200);
    auto const apart = io::try_parse_cupti_samples(other);
    REQUIRE(apart);
    REQUIRE(apart->size() == 2);
    CHECK((*apart)[0].range == 77);
    CHECK((*apart)[1].range == 78);
}

TEST_CASE("a file that is cut short, damaged or none says so, and nothing outside of it is read") {
    std::string const good = bytes_of(written);
    for (std::size_t size = 0; size < good.size(); ++size) {
        CAPTURE(size);
        auto const cut = io::try_parse_cupti_samples(std::string_view{good}.substr(0, size));
        REQUIRE_FALSE(cut);
        CHECK(cut.error().code == errc::invalid_argument);
    }
    std::mt19937 random{1};
    std::size_t refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string bad = good;
        for (unsigned k = 0; k < 1 + random() % 4; ++k) bad[random() % bad.size()] = static_cast<char>(random());
        if (!io::try_parse_cupti_samples(bad)) ++refused;
    }
    CHECK(refused > 5'000); // the others differ in a number or a text
    CHECK(io::try_parse_cupti_samples("{\"gpuprof_pc_samples\": 1}").error().code == errc::invalid_argument);
    std::string later = good;
    later[0] = 2;
    CHECK(io::try_parse_cupti_samples(later).error().code == errc::version_mismatch);
    CHECK(io::try_read_cupti_samples("/nonexistent/file").error().code == errc::io);
}

TEST_CASE("the library gets all of the samples, and what it refuses is an error") {
    static abi::CUptiUtilResult answer = abi::CUPTI_UTIL_SUCCESS;
    abi::pc_sampling_util_table paper;
    paper.PutPcSampData = [](abi::CUptiUtil_PutPcSampDataParams* p) {
        auto const& data = *static_cast<abi::CUpti_PCSamplingData const*>(p->pSamplingData);
        CHECK(data.totalNumPcs == 1);
        CHECK(data.rangeId == 5);
        CHECK(data.pPcData[0].stallReasonCount == 4); // two reasons, each with latency samples
        CHECK(data.pPcData[0].stallReason[0].samples == 300);
        CHECK(p->pPcSamplingStallReasons->numStallReasons == 4);
        CHECK(std::string{p->pPcSamplingStallReasons->stallReasons[1]} ==
              "smsp__pcsamp_warps_issue_stalled_long_scoreboard_not_issued");
        CHECK(p->numAttributes == 3);
        return answer;
    };
    io::cupti_sample_range const one{5, some_samples()};
    CHECK(io::try_append_cupti_samples(one, "paper", paper));
    answer = abi::CUPTI_UTIL_ERROR_UNABLE_TO_CREATE_FILE;
    auto const refused = io::try_append_cupti_samples(one, "paper", paper);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == errc::io);
    CHECK(refused.error().message().find("CuptiUtilPutPcSampData of paper") != std::string::npos);
    CHECK(io::try_append_cupti_samples({5, {}}, "paper", paper).error().code == errc::invalid_argument);
    CHECK(io::try_append_cupti_samples(one, "paper", {}).error().code == errc::unavailable);
    gpuprof::hw::machine old;
    old.cupti_library.version = 22; // of CUDA 12.3
    CHECK(io::try_pc_sampling_util(old).error().code == errc::version_mismatch);
    gpuprof::hw::machine none;
    CHECK(io::try_pc_sampling_util(none, "/nonexistent/libpcsamplingutil.so").error().code == errc::unavailable);
}

TEST_CASE("what CUPTI's library writes is what was given to it") {
    std::string library;
    if (char const* const wheels = std::getenv("GPUPROF_CUPTI_WHEELS"))
        for (char const* const place : {"/13.0/nvidia/cu13/lib", "/12.9/nvidia/cuda_cupti/lib"})
            if (std::filesystem::exists(std::string{wheels} + place + "/libpcsamplingutil.so"))
                library = std::string{wheels} + place + "/libpcsamplingutil.so";
    if (library.empty()) {
        MESSAGE("skipped: GPUPROF_CUPTI_WHEELS names no folder with libpcsamplingutil.so");
        return;
    }
    auto const calls = io::try_pc_sampling_util({}, library);
    REQUIRE_MESSAGE(calls, (calls ? std::string{} : calls.error().message()));
    scratch_directory const scratch;
    std::string const path = scratch.path() + "/samples.dat";
    for (std::uint64_t const range : {1u, 2u, 1u})
        REQUIRE(io::try_append_cupti_samples({range, some_samples()}, path, *calls));
    auto const read = io::try_read_cupti_samples(path);
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    REQUIRE(read->size() == 2);
    CHECK((*read)[0].samples.total == 642); // range 1 twice
    auto const& samples = (*read)[1].samples;
    auto const expected = some_samples();
    CHECK((*read)[1].range == 2);
    CHECK(samples.total == 321);
    CHECK(samples.dropped == 2);
    CHECK(samples.non_user == 4);
    CHECK(samples.period == 9);
    CHECK(samples.mode == gpuprof::pc_sampling_mode::continuous);
    CHECK(samples.records == expected.records);
    CHECK(io::try_append_cupti_samples({1, expected}, "/nonexistent/samples.dat", *calls).error().code == errc::io);
}

} // namespace cupti_samples_test
