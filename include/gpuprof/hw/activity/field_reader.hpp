// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the members of a record from CUPTI's bytes.
#ifndef GPUPROF_HW_ACTIVITY_FIELD_READER_HPP
#define GPUPROF_HW_ACTIVITY_FIELD_READER_HPP

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#include "../../core/units.hpp"
#include "../../detail/builtin.hpp"
#include "release.hpp"
#include "timestamp.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

static_assert(std::endian::native == std::endian::little, "CUPTI exists for little-endian processors only");

// A structure of CUPTI's headers for a kind of record, from the release `first` on.
struct record_form {
    cuda_release first;
    char const* structure;
    std::size_t size;
};

// The value by which CUPTI says "none".
struct no_value {
    std::uint64_t number;
};

// Reads a record. A record type has kinds (CUPTI's kinds of records that fill it), forms (in the
// order of releases) and a function layout, which calls row(member of CUPTI's structure, its
// offset, its size, member to fill, releases that have it, value for none) for each member. A
// field_reader is such a row. Members that a release lacks keep their value: an optional remains
// empty.
class field_reader {
public:
    // @pre `size` bytes can be read at `bytes`
    field_reader(void const* bytes, std::size_t size, cuda_release of) noexcept
        : bytes_{static_cast<char const*>(bytes)}, size_{size}, release_{of} {}

    template <class Member>
    GPUPROF_ALWAYS_INLINE void operator()(char const*, std::size_t offset, std::size_t size, Member& to,
                                          releases those = {}) const noexcept {
        if (those.contain(release_) && offset + size <= size_) fill(to, offset, size);
    }
    template <class Member>
    GPUPROF_ALWAYS_INLINE void operator()(char const*, std::size_t offset, std::size_t size, std::optional<Member>& to,
                                          releases those, no_value none) const noexcept {
        if (!those.contain(release_) || offset + size > size_ || number(offset, size) == none.number) return;
        fill(to, offset, size);
    }

private:
    char const* bytes_;
    std::size_t size_;
    cuda_release release_;

    GPUPROF_ALWAYS_INLINE [[nodiscard]] std::uint64_t number(std::size_t offset, std::size_t size) const noexcept {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes_ + offset, size < sizeof value ? size : sizeof value);
        return value;
    }

    template <class Member>
    GPUPROF_ALWAYS_INLINE void fill(std::optional<Member>& to, std::size_t offset, std::size_t size) const noexcept {
        fill(to.emplace(), offset, size);
    }
    template <unit Unit>
    GPUPROF_ALWAYS_INLINE void fill(quantity<Unit>& to, std::size_t offset, std::size_t size) const noexcept {
        to = quantity<Unit>{static_cast<double>(number(offset, size))};
    }
    GPUPROF_ALWAYS_INLINE void fill(timestamp& to, std::size_t offset, std::size_t size) const noexcept {
        to.ticks = number(offset, size);
    }
    GPUPROF_ALWAYS_INLINE void fill(std::string_view& to, std::size_t offset, std::size_t) const noexcept {
        char const* text = nullptr;
        std::memcpy(&text, bytes_ + offset, sizeof text);
        to = text == nullptr ? std::string_view{} : std::string_view{text};
    }
    GPUPROF_ALWAYS_INLINE void fill(bool& to, std::size_t offset, std::size_t size) const noexcept {
        to = number(offset, size) != 0;
    }
    // Unsigned numbers and enumerations may be wider than CUPTI's. A type with read() reads itself;
    // anything else is copied.
    template <class Member>
    GPUPROF_ALWAYS_INLINE void fill(Member& to, std::size_t offset, std::size_t size) const noexcept {
        if constexpr (std::is_enum_v<Member> || std::is_unsigned_v<Member>) {
            to = static_cast<Member>(number(offset, size));
        } else if constexpr (requires { to.read(bytes_ + offset, size); }) {
            to.read(bytes_ + offset, size);
        } else {
            static_assert(std::is_trivially_copyable_v<Member>);
            if (size == sizeof to) std::memcpy(&to, bytes_ + offset, sizeof to);
        }
    }
};

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_FIELD_READER_HPP
