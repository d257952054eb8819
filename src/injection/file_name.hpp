// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The name of a file that each process writes for itself.
#ifndef GPUPROF_SRC_INJECTION_FILE_NAME_HPP
#define GPUPROF_SRC_INJECTION_FILE_NAME_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include <unistd.h>

#include <gpuprof/hw/machine/platform/process_number.hpp>

namespace gpuprof::program {

// "trace-%h-%p.json": %p is the number of the process, %h the name of the computer, %% is a %.
[[nodiscard]] inline std::string file_name_of(std::string_view pattern) {
    std::string path;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        char const sign = pattern[i] == '%' && i + 1 < pattern.size() ? pattern[i + 1] : '\0';
        char computer[256] = {};
        if (sign == 'p') path += std::to_string(platform::process_number());
        else if (sign == 'h' && ::gethostname(computer, sizeof computer - 1) == 0) path += computer;
        else path += pattern[i];
        if (sign == 'p' || sign == 'h' || sign == '%') ++i;
    }
    return path;
}

} // namespace gpuprof::program

#endif // GPUPROF_SRC_INJECTION_FILE_NAME_HPP
