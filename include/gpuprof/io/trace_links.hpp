// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a writer remembers of calls and scopes to tie kernels to them. Layer: write out.
#ifndef GPUPROF_IO_TRACE_LINKS_HPP
#define GPUPROF_IO_TRACE_LINKS_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // ids
#include <memory>      // tables
#include <string_view> // names

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Values by a number, of which the latest are kept: a value replaces one whose number has the same place. Where numbers are
// consecutive these are the last `Places` ones. Number 0 is none.
template <class Value, std::size_t Places>
class recent {
public:
    recent() : entries_{new entry[Places]} {}

    [[nodiscard]] Value const* find(std::uint64_t number) const noexcept {
        entry const& at = entries_[number % Places];
        return at.number == number && number != 0 ? &at.value : nullptr;
    }
    Value& put(std::uint64_t number) noexcept {
        entry& at = entries_[number % Places];
        at.number = number;
        return at.value;
    }

private:
    struct entry {
        std::uint64_t number = 0;
        Value value{};
    };
    std::unique_ptr<entry[]> entries_;
};

// Where a call is drawn.
struct call_place {
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    std::uint64_t start = 0;
};

// The name of a scope, cut after `longest` bytes.
struct short_name {
    static constexpr std::size_t longest = 55;
    unsigned char size = 0;
    char text[longest]{};

    void set(std::string_view name) noexcept {
        size = static_cast<unsigned char>(name.size() < longest ? name.size() : longest);
        name.copy(text, size);
    }
    [[nodiscard]] std::string_view view() const noexcept { return {text, size}; }
};

// 1.1 MB, whatever the length of the trace.
struct trace_links {
    recent<call_place, 16384> calls;      // by correlation
    recent<std::uint64_t, 32768> scopes;  // the number of the scope that was open, by correlation
    recent<short_name, 1024> scope_names; // by the scope's number
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TRACE_LINKS_HPP
