// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel's name as a word that a regular expression and a shell take as it is.
#ifndef GPUPROF_INJECTION_KERNEL_WORD_HPP
#define GPUPROF_INJECTION_KERNEL_WORD_HPP

#include <string>
#include <string_view>

#include <gpuprof/text/distinct_names.hpp>

namespace gpuprof::injection {

// "scale" of "void mine::scale<float>(float*)": the name without scopes, template arguments and parameters. "a kernel" without a
// name. @param demangled as c++filt shows it
[[nodiscard]] inline std::string kernel_word(std::string_view demangled) {
    std::string name = gpuprof::detail::essence_of_name(std::string{demangled});
    if (std::size_t const after = name.find_first_of("(<"); after != name.npos) name.resize(after);
    if (std::size_t const before = name.find_last_of(" :"); before != name.npos) name.erase(0, before + 1);
    return name.empty() ? "a kernel" : name;
}

} // namespace gpuprof::injection

#endif // GPUPROF_INJECTION_KERNEL_WORD_HPP
