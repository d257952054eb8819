// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of error.hpp.
#ifndef GPUPROF_CORE_ERROR_INL_HPP
#define GPUPROF_CORE_ERROR_INL_HPP

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <string_view>

#include "error.hpp"

GPUPROF_NAMESPACE_BEGIN

GPUPROF_COLD GPUPROF_INLINE error::error(errc code_, int status_, std::string_view what_, std::string_view cause_,
                                         std::string_view remedy_)
    : code{code_}, status{status_}, what{what_}, cause{cause_}, remedy{remedy_} {}

GPUPROF_COLD GPUPROF_INLINE std::string error::message() const {
    return detail::joined(
        {name(code), ": ", what, cause.empty() ? "" : "; because ", cause, remedy.empty() ? "" : "; remedy: ", remedy});
}

#if GPUPROF_EXCEPTIONS
GPUPROF_COLD GPUPROF_INLINE exception::exception(gpuprof::error why)
    : std::runtime_error{why.message()}, error_{static_cast<gpuprof::error&&>(why)} {}
#endif

namespace detail {

[[noreturn]] GPUPROF_COLD GPUPROF_INLINE void raise(error why) {
#if GPUPROF_EXCEPTIONS
    throw exception{static_cast<error&&>(why)};
#else
    std::fprintf(stderr, "gpuprof: %s\n", why.message().c_str());
    std::abort();
#endif
}

GPUPROF_COLD GPUPROF_INLINE std::string joined(std::initializer_list<std::string_view> parts) {
    std::size_t size = 0;
    for (std::string_view const part : parts) size += part.size();
    std::string text;
    text.reserve(size);
    for (std::string_view const part : parts) text += part;
    return text;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_CORE_ERROR_INL_HPP
