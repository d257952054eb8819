// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of the display of frames.
#ifndef GPUPROF_FRAMES_HUD_OPTIONS_HPP
#define GPUPROF_FRAMES_HUD_OPTIONS_HPP

#include <cstddef>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// How write_hud() displays frames.
struct hud_options {
    std::size_t width = 80; // characters of a line at most; longer text goes on in the next line. At least 40
    std::size_t scopes = 8; // that are listed, the longest first; at most most_scopes

    static constexpr std::size_t most_scopes = 64;
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_HUD_OPTIONS_HPP
