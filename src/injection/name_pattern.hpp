// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regular expressions for names of kernels.
#ifndef GPUPROF_SRC_INJECTION_NAME_PATTERN_HPP
#define GPUPROF_SRC_INJECTION_NAME_PATTERN_HPP

#include <memory>
#include <string>
#include <utility>

#include <regex.h>

#include <gpuprof/core/result.hpp>
#include <gpuprof/text/printable.hpp>

namespace gpuprof::program {

// An extended regular expression of POSIX. Const use is thread-safe.
class name_pattern {
public:
    // Errors: invalid_argument, with what is wrong. An empty text matches every name.
    [[nodiscard]] static result<name_pattern> try_make(std::string const& text) {
        auto made = std::make_unique<regex_t>();
        if (int const status = ::regcomp(made.get(), text.c_str(), REG_EXTENDED | REG_NOSUB); status != 0) {
            char why[128];
            ::regerror(status, made.get(), why, sizeof why);
            return error{errc::invalid_argument, 0, gpuprof::detail::printable(text) + " is no regular expression",
                         why};
        }
        return name_pattern{std::move(made)};
    }
    // Whether a part of the name is one that the expression describes.
    [[nodiscard]] bool matches(std::string const& name) const {
        return ::regexec(compiled_.get(), name.c_str(), 0, nullptr, 0) == 0;
    }

private:
    struct release {
        void operator()(regex_t* of) const noexcept {
            ::regfree(of);
            delete of;
        }
    };
    explicit name_pattern(std::unique_ptr<regex_t> made) : compiled_{made.release()} {}

    std::unique_ptr<regex_t, release> compiled_;
};

} // namespace gpuprof::program

#endif // GPUPROF_SRC_INJECTION_NAME_PATTERN_HPP
