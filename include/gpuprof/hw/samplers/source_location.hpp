// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Places in source files.
#ifndef GPUPROF_HW_SAMPLERS_SOURCE_LOCATION_HPP
#define GPUPROF_HW_SAMPLERS_SOURCE_LOCATION_HPP

#include <cstdint>
#include <string>

#include "../../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// The source line of an instruction.
struct source_location {
    std::string directory; // empty if `file` contains it, or if it is not known
    std::string file;
    std::uint32_t line = 0;

    // The file's path as the compiler recorded it.
    [[nodiscard]] std::string path() const {
        return directory.empty() || file.starts_with('/') ? file : directory + '/' + file;
    }
    friend bool operator==(source_location const&, source_location const&) = default;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SAMPLERS_SOURCE_LOCATION_HPP
