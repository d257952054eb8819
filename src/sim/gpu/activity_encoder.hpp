// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes activity records as a CUDA release lays them out. hw/activity/ reads by the same rows,
// which a test compares to the toolkits' headers.
#ifndef GPUPROF_SRC_SIM_GPU_ACTIVITY_ENCODER_HPP
#define GPUPROF_SRC_SIM_GPU_ACTIVITY_ENCODER_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <type_traits>

#include <gpuprof/core/units.hpp>
#include <gpuprof/hw/activity/field_reader.hpp>
#include <gpuprof/hw/activity/record.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// Writes the fields of a record, as activity::field_reader reads them. A member that the release
// lacks is left out. An empty optional becomes the value by which CUPTI says that there is none, or
// 0. Texts must end with a null character and live as long as the process.
class field_writer {
public:
    // @pre `size` zeroed bytes can be written at `bytes`
    field_writer(std::byte* bytes, std::size_t size, activity::cuda_release of) noexcept
        : bytes_{bytes}, size_{size}, release_{of} {}

    template <class Member>
    void operator()(char const*, std::size_t offset, std::size_t size, Member const& from,
                    activity::releases those = {}) const noexcept {
        if (fits(offset, size, those)) put(from, offset, size);
    }
    template <class Member>
    void operator()(char const*, std::size_t offset, std::size_t size, std::optional<Member> const& from,
                    activity::releases those, activity::no_value none) const noexcept {
        if (!fits(offset, size, those)) return;
        if (from) put(*from, offset, size);
        else copy(&none.number, offset, size);
    }

private:
    std::byte* bytes_;
    std::size_t size_;
    activity::cuda_release release_;

    [[nodiscard]] bool fits(std::size_t offset, std::size_t size, activity::releases those) const noexcept {
        return those.contain(release_) && offset + size <= size_;
    }
    void copy(void const* from, std::size_t offset, std::size_t size) const noexcept {
        std::memcpy(bytes_ + offset, from, size);
    }
    void put_number(std::uint64_t number, std::size_t offset, std::size_t size) const noexcept {
        copy(&number, offset, size < sizeof number ? size : sizeof number); // little-endian, as the reader has it
    }

    template <class Member>
    void put(std::optional<Member> const& from, std::size_t offset, std::size_t size) const noexcept {
        if (from) put(*from, offset, size);
    }
    template <unit Unit>
    void put(quantity<Unit> from, std::size_t offset, std::size_t size) const noexcept {
        put_number(static_cast<std::uint64_t>(from.value()), offset, size);
    }
    void put(activity::timestamp from, std::size_t offset, std::size_t size) const noexcept {
        put_number(from.ticks, offset, size);
    }
    void put(std::string_view from, std::size_t offset, std::size_t) const noexcept {
        char const* const text = from.data();
        copy(&text, offset, sizeof text);
    }
    template <class Member>
    void put(Member const& from, std::size_t offset, std::size_t size) const noexcept {
        if constexpr (std::is_enum_v<Member> || std::is_unsigned_v<Member>) {
            put_number(static_cast<std::uint64_t>(from), offset, size);
        } else {
            static_assert(std::is_trivially_copyable_v<Member>);
            if (size == sizeof from) copy(&from, offset, size);
        }
    }
};

// The size in bytes of the release's record of a kind; 0 if it has none.
[[nodiscard]] std::size_t record_size(abi::CUpti_ActivityKind kind, activity::cuda_release of) noexcept;

// @pre record_size(kind, of) bytes can be written at `to`
template <class Record>
void encode(Record record, abi::CUpti_ActivityKind kind, activity::cuda_release of, std::byte* to) noexcept {
    std::size_t const size = record_size(kind, of);
    std::memset(to, 0, size);
    std::memcpy(to, &kind, sizeof kind);
    if constexpr (requires { record.kind = kind; }) record.kind = kind;
    field_writer const writer{to, size, of};
    record.layout(writer);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_GPU_ACTIVITY_ENCODER_HPP
