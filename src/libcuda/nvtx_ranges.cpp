// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tool of NVTX that keeps the stack of ranges of each thread and domain.
#include "nvtx_ranges.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include <gpuprof/hw/abi/nvtx_parameters.hpp>
#include <gpuprof/text/printable.hpp>

#include "program_call.hpp"
#include "settings.hpp"

namespace gpuprof::driver_library {
namespace nvtx {
namespace {

// What the program holds for a domain or a registered string. Null: the domain of calls without one.
using handle = std::string const*;

// One text a name, kept until the process ends: each library of a program registers its strings and domains anew.
struct names {
    std::set<std::string> all;
};
handle registered(std::string name) {
    static auto* const known = new names;
    std::lock_guard const held{program::fork_safe_mutex<names>()};
    return &*known->all.insert(std::move(name)).first;
}

// The ranges of one domain on one thread: the path of each.
struct stack {
    handle domain = nullptr;
    std::vector<std::string> paths;
};

// The calling thread's; null when its objects are gone, while exit handlers still launch kernels.
std::vector<stack>* own_stacks() {
    static thread_local constinit std::vector<stack>* mine = nullptr;
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
        mine = new std::vector<stack>;
    }
    return mine;
}

std::vector<std::string>* own_paths(handle domain) {
    std::vector<stack>* const mine = own_stacks();
    if (mine == nullptr) return nullptr;
    for (stack& each : *mine)
        if (each.domain == domain) return &each.paths;
    return &mine->emplace_back(stack{domain, {}}).paths;
}

std::string utf8(wchar_t const* text) {
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
std::string text_of(char const* text) { return text == nullptr ? std::string{} : std::string{text}; }
std::string name_of(abi::nvtxEventAttributes_v2 const* event) {
    if (event == nullptr) return {};
    switch (event->messageType) {
        case 1: return text_of(event->message.ascii);
        case 2: return utf8(event->message.unicode);
        case 3:
            return event->message.registered == nullptr ? std::string{}
                                                        : *static_cast<handle>(event->message.registered);
        default: return {};
    }
}

// NVTX's calls. A push and a pop return the level of the range, 0 for an outermost one; negative: there is none.
int push(handle domain, std::string const& name) {
    std::vector<std::string>* const paths = own_paths(domain);
    if (paths == nullptr) return -1;
    std::string const before = !paths->empty() ? paths->back() + '/' : domain == nullptr ? "" : *domain + ':';
    paths->push_back(before + gpuprof::detail::printable(name));
    return static_cast<int>(paths->size()) - 1;
}
int pop(handle domain) {
    std::vector<std::string>* const paths = own_paths(domain);
    if (paths == nullptr || paths->empty()) return -1;
    paths->pop_back();
    return static_cast<int>(paths->size());
}
int push_a(char const* name) { return push(nullptr, text_of(name)); }
int push_w(wchar_t const* name) { return push(nullptr, utf8(name)); }
int push_event(abi::nvtxEventAttributes_v2 const* event) { return push(nullptr, name_of(event)); }
int push_in(handle domain, abi::nvtxEventAttributes_v2 const* event) { return push(domain, name_of(event)); }
int pop_last() { return pop(nullptr); }
handle domain_a(char const* name) { return registered(gpuprof::detail::printable(text_of(name))); }
handle domain_w(wchar_t const* name) { return registered(gpuprof::detail::printable(utf8(name))); }
handle string_a(handle, char const* text) { return registered(text_of(text)); }
handle string_w(handle, wchar_t const* text) { return registered(utf8(text)); }

// NVTX's table of its modules' functions, from nvtxDetail/nvtxTypes.h of NVTX 3: a slot for each call, by its number.
using function = void (*)();
struct callbacks {
    std::size_t size;
    int (*find_functions)(std::uint32_t module, function*** slots, unsigned* count);
};
constexpr std::uint32_t callbacks_table = 1; // NVTX_ETID_CALLBACKS
constexpr std::uint32_t core = 1, core2 = 5; // NVTX_CB_MODULE_CORE, NVTX_CB_MODULE_CORE2

struct row {
    std::uint32_t module;
    unsigned call; // NVTX_CBID_CORE_..., NVTX_CBID_CORE2_...
    function to;
};
template <auto Function>
row row_of(std::uint32_t module, unsigned call) {
    return {module, call, reinterpret_cast<function>(&program::boundary<Function>::in_any_process)};
}

int take_calls(callbacks const* from) {
    if (from == nullptr || chosen_settings().rows != table_rows::ranges) return 0;
    for (row const& each :
         {row_of<&push_event>(core, 8), row_of<&push_a>(core, 9), row_of<&push_w>(core, 10),
          row_of<&pop_last>(core, 11), row_of<&push_in>(core2, 4), row_of<&pop>(core2, 5), row_of<&string_a>(core2, 10),
          row_of<&string_w>(core2, 11), row_of<&domain_a>(core2, 12), row_of<&domain_w>(core2, 13)}) {
        function** slots = nullptr;
        unsigned count = 0;
        if (from->find_functions(each.module, &slots, &count) == 0 || slots == nullptr) continue;
        if (each.call < count && slots[each.call] != nullptr) *slots[each.call] = each.to;
    }
    return 1;
}

} // namespace
} // namespace nvtx

std::vector<std::string> open_ranges() {
    std::vector<std::string> paths;
    if (auto const* const mine = nvtx::own_stacks())
        for (nvtx::stack const& each : *mine) paths.insert(paths.end(), each.paths.begin(), each.paths.end());
    return paths;
}

} // namespace gpuprof::driver_library

// NVTX calls it at its first call in each library of a program, if NVTX_INJECTION64_PATH names this library. 0: NVTX goes on
// without a tool. Thread-safe.
extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2(void const* (*find_table)(std::uint32_t number)) {
    using namespace gpuprof::driver_library::nvtx;
    return take_calls(static_cast<callbacks const*>(find_table(callbacks_table)));
}
