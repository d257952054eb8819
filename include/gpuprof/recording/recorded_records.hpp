// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Activity records as JSON objects, by the members of CUPTI's structures, and back.
#ifndef GPUPROF_RECORDING_RECORDED_RECORDS_HPP
#define GPUPROF_RECORDING_RECORDED_RECORDS_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/activity/kind_set.hpp"
#include "../hw/activity/record.hpp"
#include "../text/json_text.hpp"
#include "../text/json_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw::replay {

// JSON has doubles: a number above 2^53 is a text of its digits.
inline constexpr std::uint64_t most_exact = std::uint64_t{1} << 53;

// Adds a number, which may be too long for a double, as read_whole() reads it.
inline void add_whole(std::string& to, std::uint64_t value) {
    if (value <= most_exact) to += std::to_string(value);
    else to += '"' + std::to_string(value) + '"';
}
// False if the value is no number of 64 bits.
[[nodiscard]] inline bool read_whole(json_value const& from, std::uint64_t& value) {
    if (from.is == json_value::type::number) {
        if (!(from.number >= 0) || !(from.number <= static_cast<double>(most_exact))) return false;
        value = static_cast<std::uint64_t>(from.number);
        return static_cast<double>(value) == from.number;
    }
    if (from.is != json_value::type::text || from.text.empty() || from.text.size() > 20) return false;
    value = 0;
    for (char const digit : from.text) {
        if (digit < '0' || digit > '9') return false;
        std::uint64_t const last = static_cast<std::uint64_t>(digit - '0');
        if (value > (~std::uint64_t{0} - last) / 10) return false;
        value = value * 10 + last;
    }
    return value > most_exact;
}

// What a record's layout() calls for each of its members, with the member's place in CUPTI's structure.
class record_rows {
protected:
    enum class content : unsigned char { number, text, bytes, pointer };

    record_rows(std::size_t size, activity::cuda_release of) noexcept : size_{size}, release_{of} {}
    template <class Member>
    [[nodiscard]] static constexpr content content_of(Member const*, std::size_t size) noexcept {
        if (std::is_same_v<Member, std::string_view>) return content::text;
        // The ports of links lie in CUPTI's memory from 13.2 on, and a record does not say how many there are.
        if (std::is_same_v<Member, activity::port_list> && size == sizeof(void*)) return content::pointer;
        return size <= sizeof(std::uint64_t) ? content::number : content::bytes;
    }
    template <class Member>
    [[nodiscard]] static constexpr content content_of(std::optional<Member> const*, std::size_t size) noexcept {
        return content_of(static_cast<Member const*>(nullptr), size);
    }
    // Whether the structure of the release has the member.
    [[nodiscard]] bool has(activity::releases those, std::size_t offset, std::size_t size) const noexcept {
        return those.contain(release_) && offset + size <= size_;
    }

    std::size_t size_;
    activity::cuda_release release_;
};

// Writes a record's members that are not 0: `, "correlationId": 7`.
class record_writer : public record_rows {
public:
    record_writer(void const* bytes, std::size_t size, activity::cuda_release of, std::string& to) noexcept
        : record_rows{size, of}, bytes_{static_cast<unsigned char const*>(bytes)}, to_{to} {}

    template <class Member>
    void operator()(char const* name, std::size_t offset, std::size_t size, Member const& to,
                    activity::releases those = {}, activity::no_value = {0}) {
        if (has(those, offset, size)) write(name, offset, size, content_of(&to, size));
    }

    void text(std::string_view part) { to_ += part; } // for write_json_string

private:
    void write(char const* name, std::size_t offset, std::size_t size, content what) {
        bool is_empty = what == content::pointer || offset == 0; // the kind stands first
        for (std::size_t i = 0; i < size && !is_empty; ++i) {
            if (bytes_[offset + i] != 0) break;
            is_empty = i + 1 == size;
        }
        for (std::string_view const each : written_)
            if (each == name) is_empty = true; // a member that two rows read
        if (is_empty) return;
        written_.emplace_back(name);
        to_ += ", ";
        gpuprof::detail::write_json_string(*this, name);
        to_ += ": ";
        if (what == content::number) {
            std::uint64_t value = 0;
            std::memcpy(&value, bytes_ + offset, size);
            add_whole(to_, value);
        } else if (what == content::text) {
            char const* value = nullptr;
            std::memcpy(&value, bytes_ + offset, sizeof value);
            gpuprof::detail::write_json_string(*this, gpuprof::detail::valid_utf8(value));
        } else {
            to_ += '"';
            for (std::size_t i = 0; i < size; ++i)
                for (int const shift : {4, 0}) to_ += "0123456789abcdef"[unsigned{bytes_[offset + i]} >> shift & 15u];
            to_ += '"';
        }
    }

    unsigned char const* bytes_;
    std::string& to_;
    std::vector<std::string_view> written_;
};

// Fills a record's bytes from such an object. Texts are kept by `keep`, which returns their address.
class record_reader : public record_rows {
public:
    using keeper = char const* (*)(void* self, std::string const& text);

    record_reader(json_value const& from, void* bytes, std::size_t size, activity::cuda_release of, keeper keep,
                  void* self)
        : record_rows{size, of}, from_{from}, bytes_{static_cast<unsigned char*>(bytes)}, keep_{keep}, self_{self} {}

    template <class Member>
    void operator()(char const* name, std::size_t offset, std::size_t size, Member const& to,
                    activity::releases those = {}, activity::no_value = {0}) {
        if (has(those, offset, size)) read(name, offset, size, content_of(&to, size));
    }
    // Whether every member was one of the record's, of its type.
    [[nodiscard]] bool is_whole() const noexcept { return good_ && found_.size() + 1 == from_.names.size(); }

private:
    void read(char const* name, std::size_t offset, std::size_t size, content what) {
        json_value const* const value = from_.find(name);
        if (value == nullptr || what == content::pointer || offset == 0) return;
        bool known = false;
        for (std::string_view const each : found_) known = known || each == name;
        if (!known) found_.emplace_back(name);
        if (what == content::number) {
            std::uint64_t number = 0;
            good_ = good_ && read_whole(*value, number) && (size == sizeof number || number >> (8 * size) == 0);
            std::memcpy(bytes_ + offset, &number, size);
        } else if (value->is != json_value::type::text) {
            good_ = false;
        } else if (what == content::text) {
            char const* const kept = keep_(self_, value->text);
            std::memcpy(bytes_ + offset, &kept, sizeof kept);
        } else {
            good_ = good_ && value->text.size() == 2 * size;
            for (std::size_t i = 0; good_ && i < 2 * size; ++i) {
                std::size_t const digit = std::string_view{"0123456789abcdef"}.find(value->text[i]);
                good_ = digit < 16;
                unsigned char& byte = bytes_[offset + i / 2];
                byte = static_cast<unsigned char>((unsigned{byte} << 4 | static_cast<unsigned>(digit & 15)) & 255u);
            }
        }
    }

    json_value const& from_;
    unsigned char* bytes_;
    keeper keep_;
    void* self_;
    bool good_ = true;
    std::vector<std::string_view> found_;
};

// What shows a row the members of each kind of record.
template <class Row>
struct layouts_of_kinds {
    void (*of[activity::detail::kind_limit])(Row&){};
    constexpr layouts_of_kinds() {
#define GPUPROF_ACTIVITY_ADD(type) add<activity::type>();
        GPUPROF_ACTIVITY_RECORDS(GPUPROF_ACTIVITY_ADD)
#undef GPUPROF_ACTIVITY_ADD
    }

private:
    template <class Record>
    constexpr void add() {
        for (auto const kind : Record::kinds)
            of[kind] = [](Row& row) {
                Record record{};
                record.layout(row);
            };
    }
};

// Appends a record as an object's members, its kind first. False for one that this gpuprof or the release does not know.
[[nodiscard]] inline bool add_record(std::string& to, void const* record, activity::cuda_release of) {
    static constexpr layouts_of_kinds<record_writer> layouts{};
    abi::CUpti_ActivityKind kind{};
    std::memcpy(&kind, record, sizeof kind);
    auto const* const form = activity::form_of(kind, of);
    if (form == nullptr || activity::name_of(kind).empty()) return false;
    to += "\"kind\": \"";
    to += activity::name_of(kind);
    to += '"';
    record_writer row{record, form->size, of, to};
    layouts.of[kind](row);
    return true;
}

// The bytes of such an object, in words, for alignment. Nothing if it is no record of the release.
[[nodiscard]] inline std::vector<std::uint64_t> record_of(json_value const& from, activity::cuda_release of,
                                                          record_reader::keeper keep, void* self) {
    static constexpr layouts_of_kinds<record_reader> layouts{};
    std::vector<std::uint64_t> words;
    if (from.names.empty() || from.names[0] != "kind" || from.items[0].is != json_value::type::text) return words;
    for (auto const& [name, kind] : activity::kind_names) {
        auto const* const form = activity::form_of(kind, of);
        if (name != from.items[0].text || form == nullptr || layouts.of[kind] == nullptr) continue;
        words.resize((form->size + 7) / 8);
        record_reader row{from, words.data(), form->size, of, keep, self};
        layouts.of[kind](row);
        std::memcpy(words.data(), &kind, sizeof kind);
        if (!row.is_whole()) words.clear();
        break;
    }
    return words;
}

} // namespace hw::replay
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RECORDING_RECORDED_RECORDS_HPP
