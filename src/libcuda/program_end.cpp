// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_end.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include <gpuprof/detail/config.hpp>

namespace gpuprof::driver_library {
namespace {

constinit std::atomic<verdict (*)()> teller{nullptr};
constinit verdict told{};

verdict tell() noexcept {
    auto const by = teller.exchange(nullptr);
    if (by == nullptr) return {};
#if GPUPROF_EXCEPTIONS
    try {
        return by();
    } catch (std::exception const& problem) {
        std::fprintf(stderr, "gpuprof: what kernels did is lost: %s\n", problem.what());
        return {0, true};
    }
#else
    return by();
#endif
}

// Ends the process with another status than the program's, if there is reason to. What the program printed is not lost.
void change_status(int of_program, void*) {
    constexpr int lost = 2;
    int const status = told.finding_status != 0 ? told.finding_status : lost;
    if (told.finding_status == 0 && (!told.table_is_lost || of_program != 0)) return;
    std::fflush(nullptr);
    std::_Exit(status);
}

// The dynamic linker calls it when this library's turn has come, which is after the program and after all libraries that
// use this one: their exit handlers and statics are gone then. The lowest priority there is: the last function of this library. Others
// may still follow, such as the C++ library, which writes what std::cout holds; exit() calls last whoever comes last.
__attribute__((destructor(101))) void at_end() {
    told = tell();
    if (told.finding_status == 0 && !told.table_is_lost) return;
    if (::on_exit(&change_status, nullptr) != 0) change_status(0, nullptr);
}

// std::quick_exit does not come there, and calls handlers of its own, of which the first that was registered comes last.
__attribute__((constructor)) void register_quick_end() {
    static_cast<void>(std::at_quick_exit([] {
        told = tell();
        change_status(0, nullptr); // nobody knows the program's
    }));
}

} // namespace

void tell_at_end(verdict (*tell)()) { teller = tell; }

} // namespace gpuprof::driver_library
