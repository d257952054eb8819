// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and texts as the bytes of a message between ranks.
#ifndef GPUPROF_RANKS_MESSAGE_HPP
#define GPUPROF_RANKS_MESSAGE_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "../core/error.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace ranks::detail {

// Ranks of a program are of one machine type, so that numbers go as they lie in memory.
class message_writer {
public:
    void number(std::uint64_t value) { put(&value, sizeof value); }
    void small(std::size_t value) {
        auto const cut = static_cast<std::uint32_t>(value);
        put(&cut, sizeof cut);
    }
    void real(double value) { put(&value, sizeof value); }
    void text(std::string_view value) {
        small(value.size());
        bytes_.append(value);
    }
    void failure(error const& of) {
        small(static_cast<std::size_t>(of.code));
        for (std::string const* const each : {&of.what, &of.cause, &of.remedy}) text(*each);
    }
    template <class List, std::invocable<typename List::value_type const&> Write>
    void list(List const& of, Write write) {
        small(of.size());
        for (auto const& each : of) write(each);
    }
    [[nodiscard]] std::string take() { return std::move(bytes_); }

private:
    void put(void const* from, std::size_t size) { bytes_.append(static_cast<char const*>(from), size); }
    std::string bytes_;
};

// Reads what a message_writer wrote. Of a message that was cut off or is another's, ok() is false, and what is read is 0.
class message_reader {
public:
    explicit message_reader(std::string_view message) noexcept : left_{message} {}

    [[nodiscard]] bool ok() const noexcept { return ok_; }
    [[nodiscard]] bool whole() const noexcept { return ok_ && left_.empty(); }

    std::uint64_t number() { return get<std::uint64_t>(); }
    std::size_t small() { return get<std::uint32_t>(); }
    double real() { return get<double>(); }
    std::string text() {
        std::size_t const size = small();
        if (!ok_ || size > left_.size()) {
            ok_ = false;
            return {};
        }
        std::string value{left_.substr(0, size)};
        left_.remove_prefix(size);
        return value;
    }
    error failure() {
        error made;
        made.code = static_cast<errc>(small());
        if (made.code > errc::internal) made.code = errc::internal;
        made.what = text();
        made.cause = text();
        made.remedy = text();
        return made;
    }
    // Every item has at least a byte, so that a wrong number of them ends soon.
    template <std::invocable Read>
    void list(Read read) {
        std::size_t const size = small();
        if (size > left_.size()) ok_ = false;
        for (std::size_t i = 0; ok_ && i < size; ++i) read();
    }

private:
    template <class T>
    T get() {
        T value{};
        if (!ok_ || left_.size() < sizeof value) {
            ok_ = false;
            return value;
        }
        std::memcpy(&value, left_.data(), sizeof value);
        left_.remove_prefix(sizeof value);
        return value;
    }

    std::string_view left_;
    bool ok_ = true;
};

} // namespace ranks::detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_RANKS_MESSAGE_HPP
