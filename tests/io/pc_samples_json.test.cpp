// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// io/pc_samples_json.hpp: what was written is read back, and what is no such file is refused.
#include <string>
#include <string_view>

#include <doctest/doctest.h>

#include <gpuprof/io/pc_samples_json.hpp>

#include "support/scratch_directory.hpp"

namespace pc_samples_json_test {

using gpuprof::errc;
using gpuprof::pc_samples;
using gpuprof::io::json;
using gpuprof::io::try_parse_pc_samples;

namespace {

pc_samples some() {
    pc_samples samples;
    samples.device = "a \"GPU\" <b>\n";
    samples.chip = "GH100";
    samples.source = gpuprof::device_source::embedded;
    samples.how = gpuprof::fidelity::estimated;
    samples.mode = gpuprof::pc_sampling_mode::kernel_serialized;
    samples.period = 12;
    samples.reasons = {{"wait", gpuprof::stall_reason::wait}, {"gmma", gpuprof::stall_reason::unknown}};
    samples.total = 9007199254740991; // 2^53 - 1
    samples.dropped = 1;
    samples.non_user = 2;
    samples.unnamed = 1;
    samples.buffer_full = 3;
    samples.lost_records = 4;
    gpuprof::pc_record record;
    record.function = "_Z1fi\\";
    record.module = 0xfedcba9876543210;
    record.pc_offset = 4711;
    record.function_index = 7;
    record.launch = 0xffffffff;
    record.stalls = {{0, 5, 4}, {1, 3, 0}};
    samples.add(record);
    record.function = "g";
    record.stalls = {};
    samples.add(record);
    return samples;
}

} // namespace

TEST_CASE("samples written as JSON are read back as they were") {
    pc_samples const written = some();
    auto const read = try_parse_pc_samples(json(written));
    REQUIRE_MESSAGE(read, (read ? std::string{} : read.error().message()));
    CHECK(read->device == written.device);
    CHECK(read->chip == written.chip);
    CHECK(read->source == written.source);
    CHECK(read->how == written.how);
    CHECK(read->mode == written.mode);
    CHECK(read->period == written.period);
    CHECK(read->reasons == written.reasons);
    CHECK(read->records == written.records);
    CHECK(read->total == written.total);
    CHECK(read->dropped == written.dropped);
    CHECK(read->non_user == written.non_user);
    CHECK(read->unnamed == written.unnamed);
    CHECK(read->buffer_full == written.buffer_full);
    CHECK(read->lost_records == written.lost_records);
    CHECK(json(*read) == json(written));

    auto const nothing = try_parse_pc_samples(json(pc_samples{}));
    REQUIRE(nothing);
    CHECK(nothing->records.empty());
    CHECK(nothing->source == gpuprof::device_source::hardware);
}

TEST_CASE("a file of samples is replaced whole and read back") {
    scratch_directory const folder;
    std::string const path = folder.path() + "/samples.json";
    REQUIRE(gpuprof::io::try_write(some(), path));
    auto const read = gpuprof::io::try_read_pc_samples(path);
    REQUIRE(read);
    CHECK(read->records == some().records);
    auto const nowhere = gpuprof::io::try_write(some(), folder.path() + "/no/such/folder.json");
    REQUIRE_FALSE(nowhere);
    CHECK(nowhere.error().code == errc::io);
    auto const missing = gpuprof::io::try_read_pc_samples(folder.path() + "/missing.json");
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == errc::io);
}

TEST_CASE("every part of the file that is missing or out of range is refused") {
    std::string const good = json(some());
    auto const refused = [&](std::string_view part, std::string_view by, errc code = errc::invalid_argument) {
        std::string text = good;
        std::size_t const at = text.find(part);
        CAPTURE(part);
        REQUIRE(at != text.npos);
        text.replace(at, part.size(), by);
        auto const read = try_parse_pc_samples(text);
        REQUIRE_FALSE(read);
        CHECK(read.error().code == code);
        CHECK_FALSE(read.error().cause.empty());
    };
    refused("\"gpuprof_pc_samples\": 1", "\"gpuprof_pc_samples\": 2", errc::version_mismatch);
    refused("\"gpuprof_pc_samples\": 1", "\"gpuprof_pc_samples\": 0");
    refused("\"gpuprof_pc_samples\"", "\"gpuprof_baseline\"");
    refused("\"serialised\"", "\"sideways\"");
    refused("\"embedded\"", "\"paper\"");
    refused("\"estimated\"", "5");
    refused("\"period\": 12", "\"period\": 32");
    refused("\"period\": 12", "\"period\": -1");
    refused("\"total\": 9007199254740991", "\"total\": 1e300");
    refused("\"dropped\": 1", "\"dropped\": 1.5");
    refused("\"non_user\": 2", "\"non\": 2");
    refused("\"wait\"", "17");
    refused("\"fedcba9876543210\"", "\"fedcba98765432100\"");
    refused("\"fedcba9876543210\"", "\"\"");
    refused("\"fedcba9876543210\"", "\"0x1\"");
    refused("\"launch\": 4294967295", "\"launch\": 4294967296");
    refused("[0, 5, 4]", "[2, 5, 4]"); // there are two reasons
    refused("[0, 5, 4]", "[0, 5]");
    refused("[0, 5, 4]", "[0, -5, 4]");
    refused("[0, 5, 4]", "7");
    refused("\"stalls\": [", "\"stall\": [");
    for (std::size_t size = 0; size + 2 < good.size(); ++size) // cut short anywhere: the last two are "}\n"
        CHECK_FALSE(try_parse_pc_samples(std::string_view{good}.substr(0, size)));
}

} // namespace pc_samples_json_test
