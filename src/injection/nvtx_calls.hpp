// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool of NVTX: hears of the ranges that threads push and pop, and of those that a process starts and ends. Numbers and tables
// are those of NVTX 3 (nvtxDetail/nvtxTypes.h).
#ifndef GPUPROF_SRC_INJECTION_NVTX_CALLS_HPP
#define GPUPROF_SRC_INJECTION_NVTX_CALLS_HPP

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include <gpuprof/hw/abi/nvtx_parameters.hpp>
#include <gpuprof/hw/machine/platform/mutex.hpp>
#include <gpuprof/text/printable.hpp>

namespace gpuprof::program::nvtx {

// A domain of the program's own, by its name; null: the domain of calls without one. Registered strings are the same.
using handle = std::string const*;

// What a tool does with ranges; exceptions end in the caller.
struct listener {
    // Of the calling thread. Both return the level of the range, 0 for an outermost one, or a negative number if there is none.
    int (*push)(handle domain, std::string const& name) = nullptr;
    int (*pop)(handle domain) = nullptr;
    // Of the process: any thread may end what another one started, in any order. A range has a number from 1 on.
    std::uint64_t (*start)(handle domain, std::string const& name) = nullptr;
    void (*end)(std::uint64_t range) = nullptr;
};
inline constinit listener hears{};

// A name as reports have it: of a domain of its own with that before it, "loader:batch".
[[nodiscard]] inline std::string full_name(handle domain, std::string const& name) {
    return domain == nullptr ? name : *domain + ':' + name;
}

// One text a name, kept until the process ends: each library of a program registers its strings and domains anew.
[[nodiscard]] inline handle registered(std::string name) {
    static std::mutex access;
    static auto* const known = new std::set<std::string>;
    [[maybe_unused]] static bool const safe = platform::hold_over_fork([] { access.lock(); }, [] { access.unlock(); });
    std::lock_guard const held{access};
    return &*known->insert(std::move(name)).first;
}

[[nodiscard]] inline std::string utf8(wchar_t const* text) {
    std::string made;
    for (; text != nullptr && *text != L'\0'; ++text) {
        auto const code = static_cast<std::uint32_t>(*text);
        int const more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3; // bytes after the first
        constexpr std::uint32_t marks[]{0, 0xc0, 0xe0, 0xf0};
        made += static_cast<char>(marks[more] | code >> 6 * more);
        for (int left = more - 1; left >= 0; --left) made += static_cast<char>(0x80 | (code >> 6 * left & 0x3f));
    }
    return made;
}
[[nodiscard]] inline std::string text_of(char const* text) { return text == nullptr ? std::string{} : text; }
[[nodiscard]] inline std::string name_of(abi::nvtxEventAttributes_v2 const* event) {
    if (event == nullptr) return {};
    auto const* const string = static_cast<handle>(event->message.registered);
    switch (event->messageType) {
        case 1: return text_of(event->message.ascii);
        case 2: return utf8(event->message.unicode);
        case 3: return string == nullptr ? std::string{} : *string;
        default: return {};
    }
}

inline int push(handle domain, std::string const& name) { return hears.push(domain, gpuprof::detail::printable(name)); }
inline int push_a(char const* name) { return push(nullptr, text_of(name)); }
inline int push_w(wchar_t const* name) { return push(nullptr, utf8(name)); }
inline int push_event(abi::nvtxEventAttributes_v2 const* event) { return push(nullptr, name_of(event)); }
inline int push_in(handle domain, abi::nvtxEventAttributes_v2 const* event) { return push(domain, name_of(event)); }
inline int pop_in(handle domain) { return hears.pop(domain); }
inline int pop() { return pop_in(nullptr); }
inline std::uint64_t start(handle domain, std::string const& name) {
    return hears.start(domain, gpuprof::detail::printable(name));
}
inline std::uint64_t start_a(char const* name) { return start(nullptr, text_of(name)); }
inline std::uint64_t start_w(wchar_t const* name) { return start(nullptr, utf8(name)); }
inline std::uint64_t start_event(abi::nvtxEventAttributes_v2 const* event) { return start(nullptr, name_of(event)); }
inline std::uint64_t start_in(handle domain, abi::nvtxEventAttributes_v2 const* event) {
    return start(domain, name_of(event));
}
inline void end(std::uint64_t range) { hears.end(range); }
inline void end_in(handle, std::uint64_t range) { hears.end(range); }
inline handle domain_a(char const* name) { return registered(gpuprof::detail::printable(text_of(name))); }
inline handle domain_w(wchar_t const* name) { return registered(gpuprof::detail::printable(utf8(name))); }
inline handle string_a(handle, char const* text) { return registered(text_of(text)); }
inline handle string_w(handle, wchar_t const* text) { return registered(utf8(text)); }

// What the program calls: no exception leaves it.
template <auto Function>
struct guarded;
template <class R, class... A, R (*Function)(A...)>
struct guarded<Function> {
    static R call(A... arguments) noexcept {
#if GPUPROF_EXCEPTIONS
        try {
            return Function(arguments...);
        } catch (...) { // no memory
            return R();
        }
#else
        return Function(arguments...);
#endif
    }
};

using function = void (*)();
struct callbacks { // NvtxExportTableCallbacks: a slot for each call of a module, by its number
    std::size_t size;
    int (*find_functions)(std::uint32_t module, function*** slots, unsigned* count);
};
struct row {
    std::uint32_t module; // 1: NVTX_CB_MODULE_CORE; 5: NVTX_CB_MODULE_CORE2, of domains
    unsigned call;        // NVTX_CBID_CORE_..., NVTX_CBID_CORE2_...
    function to;
};
template <auto Function>
[[nodiscard]] row row_of(std::uint32_t module, unsigned call) {
    return {module, call, reinterpret_cast<function>(&guarded<Function>::call)};
}

// Puts the calls above into NVTX's slots, for InitializeInjectionNvtx2(find_table), which NVTX calls at its first call in each library
// of a program. @return what that returns: 1, or 0: NVTX goes on without a tool. Thread-safe; one listener a process.
[[nodiscard]] inline int take_calls(void const* (*find_table)(std::uint32_t number), listener const& by) {
    constexpr std::uint32_t callbacks_table = 1; // NVTX_ETID_CALLBACKS
    auto const* const from = static_cast<callbacks const*>(find_table(callbacks_table));
    if (from == nullptr) return 0;
    static bool const once = (hears = by, true);
    for (row const& each :
         {row_of<&start_event>(1, 4), row_of<&start_a>(1, 5), row_of<&start_w>(1, 6), row_of<&end>(1, 7),
          row_of<&push_event>(1, 8), row_of<&push_a>(1, 9), row_of<&push_w>(1, 10), row_of<&pop>(1, 11),
          row_of<&start_in>(5, 2), row_of<&end_in>(5, 3), row_of<&push_in>(5, 4), row_of<&pop_in>(5, 5),
          row_of<&string_a>(5, 10), row_of<&string_w>(5, 11), row_of<&domain_a>(5, 12), row_of<&domain_w>(5, 13)}) {
        function** slots = nullptr;
        unsigned count = 0;
        if (from->find_functions(each.module, &slots, &count) == 0 || slots == nullptr) continue;
        if (each.call < count && slots[each.call] != nullptr) *slots[each.call] = each.to;
    }
    return once ? 1 : 0;
}

// What a tool keeps for each thread, made when it is first asked for; null when the thread's objects are gone, while exit handlers still run.
template <class State>
[[nodiscard]] State* own() {
    static thread_local constinit State* mine = nullptr;
    static thread_local constinit bool ended = false;
    struct owner {
        ~owner() {
            delete std::exchange(mine, nullptr);
            ended = true;
        }
    };
    if (mine == nullptr && !ended) {
        static thread_local owner const at_end;
        static_cast<void>(at_end);
        mine = new State;
    }
    return mine;
}

} // namespace gpuprof::program::nvtx

#endif // GPUPROF_SRC_INJECTION_NVTX_CALLS_HPP
