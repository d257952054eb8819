// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keeps the stack of ranges of each thread and domain, and the ranges of the process.
#include "nvtx_ranges.hpp"

#include <cstdint>
#include <map>
#include <mutex>

#include "../injection/nvtx_calls.hpp"
#include "fork_safe_mutex.hpp"
#include "settings.hpp"

namespace gpuprof::driver_library {
namespace {

namespace nvtx = program::nvtx;

// The ranges of one domain on one thread: the path of each.
struct range_stack {
    nvtx::handle domain = nullptr;
    std::vector<std::string> paths;
};
using range_stacks = std::vector<range_stack>;

std::vector<std::string>* own_paths(nvtx::handle domain) {
    range_stacks* const mine = nvtx::own<range_stacks>();
    if (mine == nullptr) return nullptr;
    for (range_stack& each : *mine)
        if (each.domain == domain) return &each.paths;
    return &mine->emplace_back(range_stack{domain, {}}).paths;
}

int push_range(nvtx::handle domain, std::string const& name) {
    std::vector<std::string>* const paths = own_paths(domain);
    if (paths == nullptr) return -1;
    std::string const before = !paths->empty() ? paths->back() + '/' : domain == nullptr ? "" : *domain + ':';
    paths->push_back(before + name);
    return static_cast<int>(paths->size()) - 1;
}
int pop_range(nvtx::handle domain) {
    std::vector<std::string>* const paths = own_paths(domain);
    if (paths == nullptr || paths->empty()) return -1;
    paths->pop_back();
    return static_cast<int>(paths->size());
}

// Ranges that were started and not ended, by their numbers. Never destroyed: exit handlers launch, too.
struct started_ranges {
    std::map<std::uint64_t, std::string> names;
    std::uint64_t last = 0;

    static started_ranges& all() {
        static auto* const one = new started_ranges;
        return *one;
    }
    static std::mutex& access() { return program::fork_safe_mutex<started_ranges>(); }
};
std::uint64_t start_range(nvtx::handle domain, std::string const& name) {
    std::lock_guard const held{started_ranges::access()};
    started_ranges& all = started_ranges::all();
    all.names.emplace(++all.last, nvtx::full_name(domain, name));
    return all.last;
}
void end_range(std::uint64_t range) {
    std::lock_guard const held{started_ranges::access()};
    started_ranges& all = started_ranges::all();
    all.names.erase(range);
}

} // namespace

std::vector<std::string> open_ranges() {
    std::vector<std::string> paths;
    if (auto const* const mine = program::nvtx::own<range_stacks>())
        for (range_stack const& each : *mine) paths.insert(paths.end(), each.paths.begin(), each.paths.end());
    std::lock_guard const held{started_ranges::access()};
    started_ranges& all = started_ranges::all();
    for (auto const& [number, name] : all.names) paths.push_back(name);
    return paths;
}

} // namespace gpuprof::driver_library

// NVTX calls it if NVTX_INJECTION64_PATH names this library; see take_calls().
extern "C" __attribute__((visibility("default"))) int
InitializeInjectionNvtx2(void const* (*find_table)(std::uint32_t number)) {
    using namespace gpuprof::driver_library;
    if (chosen_settings().rows != table_rows::ranges) return 0;
    return gpuprof::program::nvtx::take_calls(find_table, {&push_range, &pop_range, &start_range, &end_range});
}
