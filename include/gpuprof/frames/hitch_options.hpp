// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Options of a capture of hitches.
#ifndef GPUPROF_FRAMES_HITCH_OPTIONS_HPP
#define GPUPROF_FRAMES_HITCH_OPTIONS_HPP

#include <cstddef>
#include <string>

#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// When a hitch_capture writes, what, and how much memory it takes: about 400 bytes * records. Sizes of
// 0, more than 4,194,304 records, and a threshold that is no time, are invalid_argument.
struct hitch_options {
    double threshold_us = 33'333;       // a frame that takes longer on the host is a hitch
    std::size_t frames = 30;            // that a file has: the hitch, and those before it
    std::size_t files = 4;              // at most; later hitches are counted
    std::size_t records = 16384;        // that are kept; older ones go, also if `frames` frames have more
    std::string path = "hitch-%n.json"; // %n is the number of the frame
};

GPUPROF_NAMESPACE_END

#endif // GPUPROF_FRAMES_HITCH_OPTIONS_HPP
