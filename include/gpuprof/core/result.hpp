// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// result<T>: a value, or the error because of which there is none.
#ifndef GPUPROF_CORE_RESULT_HPP
#define GPUPROF_CORE_RESULT_HPP

#include <new>
#include <utility>

#include "error.hpp"

GPUPROF_NAMESPACE_BEGIN

// The return type of every try_ function. `if (r)` asks whether it holds a value; `*r` and `r->`
// read it (@pre it holds one); `r.error()` reads the error (@pre it holds none); `r.value()` reads
// the value or raises the error. Never empty; as thread-safe as T. (A union of its own:
// std::variant would take every program 10 ms of compile time for each T.)
template <class T>
class GPUPROF_NODISCARD_TYPE result {
public:
    using value_type = T;

    result(T value) : value_(std::move(value)), holds_{true} {}
    result(gpuprof::error why) : error_{std::move(why)}, holds_{false} {}

    result(result const& other) requires requires(T const& from) { T(from); } : holds_{other.holds_} {
        if (holds_) ::new (static_cast<void*>(&value_)) T(other.value_);
        else ::new (static_cast<void*>(&error_)) gpuprof::error(other.error_);
    }
    result(result&& other) noexcept : holds_{other.holds_} {
        if (holds_) ::new (static_cast<void*>(&value_)) T(std::move(other.value_));
        else ::new (static_cast<void*>(&error_)) gpuprof::error(std::move(other.error_));
    }
    // Replaces what it holds: T need not be assignable.
    result& operator=(result other) noexcept {
        this->~result();
        ::new (static_cast<void*>(this)) result(std::move(other));
        return *this;
    }
    ~result() {
        if (holds_) value_.~T();
        else error_.~error();
    }

    [[nodiscard]] bool has_value() const noexcept { return holds_; }
    [[nodiscard]] explicit operator bool() const noexcept { return holds_; }

    [[nodiscard]] T& operator*() & noexcept { return value_; }
    [[nodiscard]] T const& operator*() const& noexcept { return value_; }
    [[nodiscard]] T operator*() && noexcept {
        return std::move(value_);
    } // by value: a reference into a temporary would dangle
    [[nodiscard]] T* operator->() noexcept { return &value_; }
    [[nodiscard]] T const* operator->() const noexcept { return &value_; }

    [[nodiscard]] gpuprof::error const& error() const& noexcept { return error_; }
    [[nodiscard]] gpuprof::error error() && noexcept { return std::move(error_); }

    // The value. Raises the error if there is none: throws gpuprof::exception, or stops a program
    // without exceptions.
    [[nodiscard]] T& value() & {
        if (!holds_) detail::raise(error_);
        return value_;
    }
    [[nodiscard]] T const& value() const& {
        if (!holds_) detail::raise(error_);
        return value_;
    }
    [[nodiscard]] T value() && {
        if (!holds_) detail::raise(std::move(error_));
        return std::move(value_);
    }
    template <class U>
    [[nodiscard]] T value_or(U&& other) const& {
        return holds_ ? value_ : static_cast<T>(std::forward<U>(other));
    }

private:
    union {
        T value_;
        gpuprof::error error_;
    };
    bool holds_;
};

// Success without a value. Costs a flag: it is returned where a range of 4 us is opened.
template <>
class GPUPROF_NODISCARD_TYPE result<void> {
public:
    using value_type = void;

    result() noexcept : holds_{true} {}
    result(gpuprof::error why) : error_(std::move(why)), holds_{false} {}
    result(result const& other) : holds_{other.holds_} {
        if (!holds_) ::new (static_cast<void*>(&error_)) gpuprof::error(other.error_);
    }
    result(result&& other) noexcept : holds_{other.holds_} {
        if (!holds_) ::new (static_cast<void*>(&error_)) gpuprof::error(std::move(other.error_));
    }
    result& operator=(result other) noexcept {
        this->~result();
        ::new (static_cast<void*>(this)) result(std::move(other));
        return *this;
    }
    ~result() {
        if (!holds_) error_.~error();
    }

    [[nodiscard]] bool has_value() const noexcept { return holds_; }
    [[nodiscard]] explicit operator bool() const noexcept { return holds_; }
    [[nodiscard]] gpuprof::error const& error() const& noexcept { return error_; }
    [[nodiscard]] gpuprof::error error() && noexcept { return std::move(error_); }
    void value() const {
        if (!holds_) detail::raise(error_);
    }

private:
    union {
        gpuprof::error error_;
    };
    bool holds_;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_RESULT_HPP
