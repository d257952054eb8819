// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Remembers calls and scopes, so that a trace writer can connect kernels to them.
#ifndef GPUPROF_IO_TRACE_LINKS_HPP
#define GPUPROF_IO_TRACE_LINKS_HPP

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The latest values by a number: a value replaces one whose number has the same place. For
// consecutive numbers these are the last `Places` values. Number 0 means none.
template <class Value, std::size_t Places>
class recent {
public:
    recent() : entries_{new entry[Places]} {}

    [[nodiscard]] Value const* find(std::uint64_t number) const noexcept {
        entry const& at = entries_[number % Places];
        return at.number == number && number != 0 ? &at.value : nullptr;
    }
    [[nodiscard]] Value* find(std::uint64_t number) noexcept {
        entry& at = entries_[number % Places];
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

// A call that arrows begin at.
struct call_place {
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    std::uint64_t start = 0;
    std::uint32_t arrows = 0; // that were drawn
};

// Where an arrow ends.
struct arrow_end {
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    std::uint64_t time = 0;
};

// The ends of arrows whose call has not come: the last `room`.
class waiting_ends {
public:
    static constexpr std::size_t room = 8192;

    waiting_ends() : ends_{new waiting[room]} {}

    void add(std::uint32_t correlation, arrow_end const& end) noexcept {
        std::uint32_t const* const before = newest_.find(correlation);
        std::size_t const at = next_++ % room;
        ends_[at] = {correlation, before != nullptr ? *before : 0, end};
        newest_.put(correlation) = static_cast<std::uint32_t>(at + 1);
    }
    // Calls f(arrow_end) for those of a call, and forgets them.
    template <class F>
    void take(std::uint32_t correlation, F&& f) {
        std::uint32_t const* const newest = newest_.find(correlation);
        for (std::uint32_t at = newest != nullptr ? *newest : 0; at != 0;) {
            waiting& each = ends_[at - 1];
            if (each.correlation != correlation) break; // overwritten
            each.correlation = 0;
            f(each.end);
            at = each.before;
        }
        if (newest != nullptr) newest_.put(correlation) = 0;
    }

private:
    struct waiting {
        std::uint32_t correlation = 0; // 0: none
        std::uint32_t before = 0;      // the place of another end of the same call, from 1 on; 0: none
        arrow_end end{};
    };
    recent<std::uint32_t, room> newest_; // places from 1 on, by correlation
    std::unique_ptr<waiting[]> ends_;
    std::size_t next_ = 0;
};

// The path of a scope, cut after `longest` bytes.
struct short_name {
    static constexpr std::size_t longest = 119;
    unsigned char size = 0;
    char text[longest]{};

    void set(std::string_view name) noexcept {
        size = static_cast<unsigned char>(name.size() < longest ? name.size() : longest);
        name.copy(text, size);
    }
    [[nodiscard]] std::string_view view() const noexcept { return {text, size}; }
};

// An open NVTX range.
struct open_range {
    std::uint32_t id = 0;
    bool has_thread = false;
    std::uint32_t process = 0;
    std::uint32_t thread = 0;
    std::uint64_t start = 0;
    std::string name{};
    std::string domain{};
};

// The open ranges, in the order of their beginnings; ranges over `most` are not kept. Texts keep
// their memory for later ranges.
class open_ranges {
public:
    static constexpr std::size_t most = 1024;
    static constexpr std::size_t longest = 4096; // bytes of a name; longer ones are cut

    open_ranges() : ranges_{new open_range[most]} {}

    // Null if there is no room.
    [[nodiscard]] open_range* begin() noexcept { return count_ == most ? nullptr : &ranges_[count_++]; }
    // Ends the range of this id; says whether it was the last one that its thread began. Null: not
    // kept. Valid until the next begin().
    struct ended {
        open_range const* range;
        bool nested;
    };
    [[nodiscard]] ended end(std::uint32_t id) noexcept {
        std::size_t at = count_;
        while (at > 0 && ranges_[at - 1].id != id) --at;
        if (at == 0) return {nullptr, false};
        bool nested = true;
        for (; at < count_; ++at) { // moves it to the end; the others keep their order
            open_range const& later = ranges_[at];
            if (later.has_thread && later.thread == ranges_[at - 1].thread) nested = false;
            std::swap(ranges_[at - 1], ranges_[at]);
        }
        return {&ranges_[--count_], nested};
    }
    [[nodiscard]] std::size_t size() const noexcept { return count_; }
    [[nodiscard]] open_range const& operator[](std::size_t at) const noexcept { return ranges_[at]; }

private:
    std::unique_ptr<open_range[]> ranges_;
    std::size_t count_ = 0;
};

// All links of a trace: 1.7 MB, whatever its length.
struct trace_links {
    recent<call_place, 16384> calls; // by correlation
    waiting_ends ends;
    recent<std::uint32_t, 4096> named_threads; // the process, by thread
    recent<std::uint64_t, 32768> scopes;       // the number of the scope that was open, by correlation
    recent<short_name, 1024> scope_names;      // by the scope's number
    recent<std::uint32_t, 1024> context_gpu;   // the device, by context
    open_ranges ranges;
};

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_TRACE_LINKS_HPP
