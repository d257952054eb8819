// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A value or the error that kept it from being. Layer: vocabulary; includes no CUDA header.
#ifndef GPUPROF_RESULT_HPP
#define GPUPROF_RESULT_HPP

#include <optional> // result<void> holds an error or nothing
#include <utility>  // std::move, std::forward
#include <variant>  // result<T> holds one of two

#include "error.hpp"

GPUPROF_NAMESPACE_BEGIN

// What every try_… returns. `if (r)` asks, `*r` and `r->` read (precondition: r holds a value), `r.error()` tells why
// not (precondition: it does not), `r.value()` reads or raises the error. Never empty; as thread-safe as T.
template <class T>
class GPUPROF_NODISCARD_TYPE result {
public:
    using value_type = T;

    result(T value) : state_{std::in_place_index<0>, std::move(value)} {}               // NOLINT(*-explicit-*)
    result(gpuprof::error why) : state_{std::in_place_index<1>, std::move(why)} {} // NOLINT(*-explicit-*)

    [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
    [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }

    [[nodiscard]] T& operator*() & noexcept { return *std::get_if<0>(&state_); }
    [[nodiscard]] T const& operator*() const& noexcept { return *std::get_if<0>(&state_); }
    [[nodiscard]] T&& operator*() && noexcept { return std::move(*std::get_if<0>(&state_)); }
    [[nodiscard]] T* operator->() noexcept { return std::get_if<0>(&state_); }
    [[nodiscard]] T const* operator->() const noexcept { return std::get_if<0>(&state_); }

    [[nodiscard]] gpuprof::error const& error() const& noexcept { return *std::get_if<1>(&state_); }
    [[nodiscard]] gpuprof::error&& error() && noexcept { return std::move(*std::get_if<1>(&state_)); }

    // The value; raises the error when there is none (throws gpuprof::exception, or stops a program without exceptions).
    [[nodiscard]] T& value() & {
        if (!has_value()) detail::raise(error());
        return **this;
    }
    [[nodiscard]] T const& value() const& {
        if (!has_value()) detail::raise(error());
        return **this;
    }
    [[nodiscard]] T&& value() && {
        if (!has_value()) detail::raise(error());
        return *std::move(*this);
    }
    template <class U>
    [[nodiscard]] T value_or(U&& other) const& {
        return has_value() ? **this : static_cast<T>(std::forward<U>(other));
    }

private:
    std::variant<T, gpuprof::error> state_;
};

// Success without a value.
template <>
class GPUPROF_NODISCARD_TYPE result<void> {
public:
    using value_type = void;

    result() = default;
    result(gpuprof::error why) : error_{std::move(why)} {} // NOLINT(google-explicit-constructor)

    [[nodiscard]] bool has_value() const noexcept { return !error_; }
    [[nodiscard]] explicit operator bool() const noexcept { return has_value(); }
    [[nodiscard]] gpuprof::error const& error() const& noexcept { return *error_; }
    [[nodiscard]] gpuprof::error&& error() && noexcept { return *std::move(error_); }
    void value() const {
        if (error_) detail::raise(*error_);
    }

private:
    std::optional<gpuprof::error> error_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_RESULT_HPP
