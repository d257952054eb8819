// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A record's member as one of the few kinds of values that text formats have.
#ifndef GPUPROF_IO_FIELD_VALUE_HPP
#define GPUPROF_IO_FIELD_VALUE_HPP

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

#include "../core/units.hpp"
#include "../hw/activity/field_types.hpp"
#include "../hw/activity/kind_set.hpp"
#include "../hw/activity/lists.hpp"
#include "../hw/activity/not_known.hpp"
#include "../hw/activity/timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Kinds of values. absent: the release or the record lacks the member, or CUPTI could not take the
// time.
enum class field_kind : unsigned char { absent, whole, negative, real, yes_no, text, bytes, address, list };

// A value; refers to its record and is valid as long as that.
struct field_value {
    field_kind kind = field_kind::absent;
    std::uint64_t whole = 0; // of whole, address and yes_no; of negative without its sign
    double real = 0;         // finite
    std::string_view text{}; // of text; of bytes, which are written in hexadecimal digits
    std::size_t size = 0;    // of list
    std::uint64_t list[32];  // the first `size` are set
};

namespace detail {

inline void set(field_value& to, std::string_view text) noexcept {
    if (text.data() == nullptr) return;
    to.kind = field_kind::text;
    to.text = text;
}
inline void set(field_value& to, void const* address) noexcept {
    to.kind = field_kind::address;
    to.whole = reinterpret_cast<std::uintptr_t>(address);
}
inline void set(field_value& to, activity::timestamp time) noexcept {
    if (time.known()) to.kind = field_kind::whole;
    to.whole = time.ticks;
}
template <unit Unit>
void set(field_value& to, quantity<Unit> number) noexcept {
    double const value = number.value();
    bool const whole = value >= 0 && value < 9007199254740992.0 && value == static_cast<double>(number.count());
    to.kind = whole ? field_kind::whole : std::isfinite(value) ? field_kind::real : field_kind::absent;
    to.whole = whole ? number.count() : 0;
    to.real = value;
}
inline void set(field_value& to, activity::uuid const& id) noexcept {
    to.kind = field_kind::bytes;
    to.text = {reinterpret_cast<char const*>(id.bytes), sizeof id.bytes};
}
inline void set(field_value& to, activity::cache_preference preference) noexcept {
    to.kind = field_kind::whole;
    to.whole = preference.both;
}
inline void set(field_value& to, activity::tagged_value value) noexcept {
    to.kind = field_kind::whole;
    to.whole = value.bits;
}
template <class Number, std::size_t Size>
void set(field_value& to, Number const (&numbers)[Size]) noexcept {
    static_assert(Size <= 32);
    to.kind = field_kind::list;
    to.size = Size;
    for (std::size_t i = 0; i < Size; ++i) to.list[i] = numbers[i];
}
inline void set(field_value& to, activity::words_32 const& words) noexcept { set(to, words.words); }
inline void set(field_value& to, activity::processor_set const& words) noexcept { set(to, words.words); }
inline void set(field_value& to, activity::peer_list const& peers) noexcept {
    to.kind = field_kind::list;
    for (std::int32_t const device : peers.devices)
        if (device >= 0) to.list[to.size++] = static_cast<std::uint64_t>(device);
}
inline void set(field_value& to, abi::CUpti_ActivityKind kind) noexcept {
    std::string_view const name = activity::name_of(kind);
    to.kind = name.empty() ? field_kind::whole : field_kind::text;
    to.text = name;
    to.whole = kind;
}
// Numbers, and enumerations by their names if they have names.
template <class Member>
    requires(std::is_arithmetic_v<Member> || std::is_enum_v<Member>)
void set(field_value& to, Member value) noexcept {
    if constexpr (std::is_same_v<Member, bool>) {
        to.kind = field_kind::yes_no;
        to.whole = value;
    } else if constexpr (std::is_enum_v<Member>) {
        to.kind = field_kind::whole;
        to.whole = static_cast<std::uint64_t>(value);
        if constexpr (requires { to_text(value); }) {
            to.text = to_text(value);
            if (!to.text.empty() && to.text != activity::not_known) to.kind = field_kind::text;
        }
    } else if constexpr (std::is_signed_v<Member>) {
        to.kind = value < 0 ? field_kind::negative : field_kind::whole;
        to.whole = value < 0 ? ~static_cast<std::uint64_t>(value) + 1 : static_cast<std::uint64_t>(value);
    } else {
        to.kind = field_kind::whole;
        to.whole = value;
    }
}
template <class Member>
void set(field_value& to, std::optional<Member> const& member) noexcept {
    if (member) set(to, *member);
}

} // namespace detail
} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_FIELD_VALUE_HPP
