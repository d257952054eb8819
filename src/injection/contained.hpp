// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the injection library says, and that nothing of it reaches the program.
#ifndef GPUPROF_INJECTION_CONTAINED_HPP
#define GPUPROF_INJECTION_CONTAINED_HPP

#include <cstdio>
#include <exception>
#include <string>

#include <gpuprof/detail/config.hpp>

namespace gpuprof::injection {

// One line, written at once, so that lines of several processes do not mix.
inline void say(std::string const& text) noexcept {
    static_cast<void>(std::fprintf(stderr, "gpuprof: %s\n", text.c_str()));
}

// Whatever goes wrong in `f` stays here: "the trace ends here". @return whether nothing did
template <class F>
bool contained([[maybe_unused]] char const* what, F&& f) noexcept {
#if GPUPROF_EXCEPTIONS
    try {
        f();
    } catch (std::exception const& problem) {
        static_cast<void>(std::fprintf(stderr, "gpuprof: %s ends here: %s\n", what, problem.what()));
        return false;
    } catch (...) {
        static_cast<void>(std::fprintf(stderr, "gpuprof: %s ends here\n", what));
        return false;
    }
#else
    f();
#endif
    return true;
}

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_CONTAINED_HPP
