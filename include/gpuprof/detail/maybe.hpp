// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value or none, at a tenth of <optional>'s compile time. Layer: below everything but config.
#ifndef GPUPROF_DETAIL_MAYBE_HPP
#define GPUPROF_DETAIL_MAYBE_HPP

#include <new>     // placement
#include <utility> // std::move, std::forward

#include "config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What this library uses of std::optional, under the same names. T need not be assignable or copyable.
template <class T>
class maybe {
public:
    maybe() noexcept : none_{} {}
    maybe(T value) : value_(std::move(value)), holds_{true} {} // NOLINT(google-explicit-constructor)
    maybe(char const* text) requires requires {
        T(text);
    } // NOLINT(google-explicit-constructor): for strings
        : value_(text),
          holds_{true} {}
    maybe(maybe const& other) requires requires(T const& from) { T(from); } : none_{} {
        if (other.holds_) emplace(other.value_);
    }
    maybe(maybe&& other) noexcept : none_{} {
        if (other.holds_) emplace(std::move(other.value_));
    }
    maybe& operator=(maybe other) noexcept {
        reset();
        if (other.holds_) emplace(std::move(other.value_));
        return *this;
    }
    ~maybe() { reset(); }

    void reset() noexcept {
        if (holds_) value_.~T();
        holds_ = false;
    }
    template <class... From>
    T& emplace(From&&... from) {
        reset();
        T* const made = ::new (static_cast<void*>(&value_)) T(std::forward<From>(from)...);
        holds_ = true;
        return *made;
    }

    [[nodiscard]] bool has_value() const noexcept { return holds_; }
    [[nodiscard]] explicit operator bool() const noexcept { return holds_; }
    // @pre it holds a value
    [[nodiscard]] T& operator*() & noexcept { return value_; }
    [[nodiscard]] T const& operator*() const& noexcept { return value_; }
    [[nodiscard]] T&& operator*() && noexcept { return std::move(value_); }
    [[nodiscard]] T* operator->() noexcept { return &value_; }
    [[nodiscard]] T const* operator->() const noexcept { return &value_; }

private:
    union {
        char none_;
        T value_;
    };
    bool holds_ = false;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_DETAIL_MAYBE_HPP
