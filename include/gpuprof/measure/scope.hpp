// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RAII scopes: what application code wraps around a hot loop. No other layer included.
#ifndef GPUPROF_MEASURE_SCOPE_HPP
#define GPUPROF_MEASURE_SCOPE_HPP

#include <cstddef>
#include <cstdint>

#include "../detail/builtin.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// <type_traits> would be a third of this header's cost.
template <class>
inline constexpr bool is_c_string = false;
template <>
inline constexpr bool is_c_string<char const*> = true;
template <>
inline constexpr bool is_c_string<char*> = true;
} // namespace detail

// The name of a scope, borrowed. Made from a literal (its length is known when compiling), a
// character buffer, a C string, or anything with data() and size(). A profiler copies names it
// keeps; a timeline keeps the pointer (see there).
struct scope_name {
    char const* data;
    std::size_t size;

    template <std::size_t N>
    constexpr scope_name(char const (&literal)[N]) noexcept : data{literal}, size{N - 1} {} // NOLINT(*-explicit-*)
    template <class Text>
        requires requires(Text const& text) {
            text.data();
            text.size();
        }
    constexpr scope_name(Text const& text) noexcept : data{text.data()}, size{text.size()} {} // NOLINT(*-explicit-*)
    // The length of a buffer's text and of a C string is taken only if the scope records; null is
    // the empty name.
    template <std::size_t N>
    constexpr scope_name(char (&buffer)[N]) noexcept : data{buffer}, size{npos} {} // NOLINT(*-explicit-*)
    template <class Pointer>
        requires detail::is_c_string<Pointer>
    constexpr scope_name(Pointer text) noexcept // NOLINT(*-explicit-*)
        : data{text != nullptr ? text : ""}, size{text != nullptr ? npos : 0} {}
    constexpr scope_name(char const* text, std::size_t length) noexcept : data{text}, size{length} {}

    [[nodiscard]] constexpr std::size_t length() const noexcept {
        return size == npos ? detail::text_length(data) : size;
    }

private:
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
};

// What scopes report to: a profiler or a timeline. Idle until armed, and then a scope costs one
// relaxed load and one predicted branch. Scopes may be opened on any thread at any time; what
// happens then is the target's to define.
class scope_target {
public:
    scope_target(scope_target const&) = delete;
    scope_target& operator=(scope_target const&) = delete;

    // Whether a scope opened now would do anything.
    [[nodiscard]] bool armed() const noexcept { return detail::load_relaxed(armed_) != 0; }

protected:
    // What enter() wants to see again in leave(): when the scope began, in ticks, and a number of
    // the target's own.
    struct ticket {
        std::uint64_t begin;
        std::uint64_t token;
    };
    // Neither may throw, whatever happens.
    using enter_function = ticket (*)(scope_target&, scope_name) noexcept;
    using leave_function = void (*)(scope_target&, scope_name, ticket) noexcept;

    constexpr scope_target(enter_function enter, leave_function leave) noexcept : enter_{enter}, leave_{leave} {}
    // @pre no scope is open on `other`: an open one would come back to the old address
    scope_target(scope_target&& other) noexcept : enter_{other.enter_}, leave_{other.leave_}, armed_{other.armed_} {}
    ~scope_target() = default;

    void arm(bool on) noexcept { detail::store_relaxed(armed_, on ? 1u : 0u); }

private:
    friend class scope;
    enter_function enter_;
    leave_function leave_;
    unsigned armed_ = 0;
};

#if GPUPROF_ENABLED

// Opens a range named `name` on `target` now and closes it at the end of the block. Ranges nest.
// Never throws, never allocates on an idle target; a range that cannot be recorded is counted in
// the report, not dropped silently.
// Cost: idle, one load and one branch; on a timeline, two timestamps and one bounded write; in a
// profiler's pass, what the hardware's push and pop cost (about 1 ms a range with SM counters on an
// H200, 8.5 us with time alone).
// @pre the target outlives the scope. CUPTI 12.0, 2.7.2.2 (user ranges).
class [[nodiscard]] scope {
public:
    [[nodiscard]] scope(scope_target& target, scope_name name) noexcept { // as a statement it would end at once
        if (target.armed()) [[unlikely]]
            enter(target, name);
    }
    ~scope() {
        if (target_ != nullptr) [[unlikely]]
            leave();
    }

    scope(scope const&) = delete;
    scope& operator=(scope const&) = delete;
    static void* operator new(std::size_t) = delete; // a scope is a block of code, not an object to pass around
    static void* operator new[](std::size_t) = delete;

private:
    void enter(scope_target& target, scope_name name) noexcept {
        ticket_ = target.enter_(target, name);
        name_ = name.data;
        name_size_ = name.size;
        target_ = &target;
    }
    void leave() noexcept { target_->leave_(*target_, {name_, name_size_}, ticket_); }

    scope_target* target_ = nullptr;
    // Written by enter() alone: an idle scope stores nothing.
    scope_target::ticket ticket_;
    char const* name_;
    std::size_t name_size_;
};

#else

// Compiled out: no member, no instruction.
class [[nodiscard]] scope {
public:
    template <class Name>
        requires requires(Name const& name) { scope_name{name}; }
    [[nodiscard]] constexpr scope(scope_target&, Name const&) noexcept {}
    constexpr ~scope() {} // NOLINT(modernize-use-equals-default): keeps "unused variable" quiet
    scope(scope const&) = delete;
    scope& operator=(scope const&) = delete;
    static void* operator new(std::size_t) = delete;
    static void* operator new[](std::size_t) = delete;
};

#endif

GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_SCOPE_HPP
