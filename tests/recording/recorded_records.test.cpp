// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// recording/recorded_records: every kind of record of every release comes back from its text with each member.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gpuprof/recording/recorded_records.hpp>
#include <gpuprof/replay.hpp>

#include "support/recorded_program.hpp"

namespace recorded_records_test {

namespace activity = gpuprof::activity;
namespace replay = gpuprof::hw::replay;

namespace {

// Gives each member of a record a value of its own: texts and numbers with all bytes set.
class filler {
public:
    filler(unsigned char* bytes, std::size_t size, activity::cuda_release of)
        : bytes_{bytes}, size_{size}, release_{of} {}

    template <class Member>
    void operator()(char const*, std::size_t offset, std::size_t size, Member&, activity::releases those = {},
                    activity::no_value = {0}) {
        if (!those.contain(release_) || offset + size > size_ || offset == 0) return;
        constexpr bool is_text =
            std::is_same_v<Member, std::string_view> || std::is_same_v<Member, std::optional<std::string_view>>;
        // Ports beyond the record cannot be told.
        if (std::is_same_v<Member, activity::port_list> && size == sizeof(void*)) return;
        static char const* const text = "text with \"quotes\"";
        ++members;
        if (is_text) std::memcpy(bytes_ + offset, &text, sizeof text);
        else
            for (std::size_t i = 0; i < size; ++i) bytes_[offset + i] = static_cast<unsigned char>(0x81 + offset + i);
    }
    std::size_t members = 0;

private:
    unsigned char* bytes_;
    std::size_t size_;
    activity::cuda_release release_;
};

char const* keep(void*, std::string const& text) {
    static char const* const expected = "text with \"quotes\"";
    return text == expected ? expected : "another text";
}

constexpr activity::cuda_release releases[]{
    activity::release(11, 1), activity::release(11, 2), activity::release(11, 6), activity::release(11, 8),
    activity::release(12, 0), activity::release(12, 2), activity::release(12, 4), activity::release(12, 6),
    activity::release(12, 8), activity::release(12, 9), activity::release(13, 0), activity::release(13, 1),
    activity::release(13, 2), activity::release(13, 3), activity::release(13, 4), activity::release(13, 5)};

// The texts differ in the address alone, and the program has one of each, so that bytes can be compared.
template <class Record>
std::size_t compared() {
    std::size_t count = 0;
    for (auto const kind : Record::kinds)
        for (auto const of : releases) {
            auto const* const form = activity::form_of(kind, of);
            if (form == nullptr) continue;
            std::vector<std::uint64_t> words((form->size + 7) / 8);
            auto* const bytes = reinterpret_cast<unsigned char*>(words.data());
            filler fill{bytes, form->size, of};
            Record record{};
            record.layout(fill);
            std::memcpy(bytes, &kind, sizeof kind);
            std::string text = "{";
            CAPTURE(form->structure);
            REQUIRE(replay::add_record(text, words.data(), of));
            text += '}';
            auto const json = gpuprof::try_read_json(text);
            REQUIRE(json);
            auto const back = replay::record_of(*json, of, &keep, nullptr);
            std::string again = "{";
            REQUIRE_FALSE(back.empty());
            REQUIRE(replay::add_record(again, back.data(), of));
            CHECK(again + '}' == text);
            // Every byte that a member has, but for the addresses of texts.
            std::vector<std::uint64_t> filled(words.size());
            CHECK(back.size() == words.size());
            for (std::size_t i = 0; i < words.size(); ++i)
                if (back[i] != words[i]) {
                    char const *then = nullptr, *now = nullptr;
                    std::memcpy(&then, &words[i], sizeof then);
                    std::memcpy(&now, &back[i], sizeof now);
                    REQUIRE(now == keep(nullptr, "text with \"quotes\""));
                    CHECK(std::string_view{then} == now);
                }
            ++count;
        }
    return count;
}

} // namespace

TEST_CASE("recorded records: each kind in each release comes back from its text with all its members") {
    std::size_t count = 0;
#define GPUPROF_ACTIVITY_ADD(type) count += compared<activity::type>();
    GPUPROF_ACTIVITY_RECORDS(GPUPROF_ACTIVITY_ADD)
#undef GPUPROF_ACTIVITY_ADD
    CHECK(count > 600); // 59 kinds, most of them in each of 16 releases
}

TEST_CASE("recorded records: what is no record of the release is refused") {
    auto const size_of = [](char const* text, activity::cuda_release of = activity::release(13, 0)) {
        auto const json = gpuprof::try_read_json(text);
        REQUIRE(json);
        return 8 * replay::record_of(*json, of, &keep, nullptr).size();
    };
    CHECK(size_of(R"({"kind": "memset", "value": 7})") != 0);
    CHECK(size_of(R"({"kind": "memset", "valve": 7})") == 0);
    CHECK(size_of(R"({"kind": "memset", "value": -7})") == 0);
    CHECK(size_of(R"({"kind": "memset", "value": 4294967296})") == 0); // of 4 bytes
    CHECK(size_of(R"({"kind": "memset", "value": "7"})") == 0);        // such numbers are no texts
    CHECK(size_of(R"({"kind": "memset", "bytes": "18446744073709551615"})") != 0);
    CHECK(size_of(R"({"kind": "memset", "bytes": "18446744073709551616"})") == 0);
    CHECK(size_of(R"({"kind": "nothing"})") == 0);
    CHECK(size_of(R"({"value": 7, "kind": "memset"})") == 0);
    CHECK(size_of("{}") == 0);
    CHECK(size_of("[]") == 0);
    CHECK(size_of(R"({"kind": "graph_host_node"})", activity::release(11, 1)) == 0); // of a later release
    std::uint64_t unknown[64] = {63};
    std::string text;
    CHECK_FALSE(replay::add_record(text, unknown, activity::release(13, 0)));
    CHECK(text.empty());
}

} // namespace recorded_records_test
