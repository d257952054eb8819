// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tables by source line share: stalls that are added up, and the text of a file.
#ifndef GPUPROF_SAMPLE_SOURCE_LINES_HPP
#define GPUPROF_SAMPLE_SOURCE_LINES_HPP

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/machine/platform/file.hpp"
#include "../hw/samplers/module_code.hpp"
#include "../hw/samplers/pc_samples.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// Adds stalls to other stalls, by reason.
inline void add_stalls(std::vector<stall_count>& to, std::vector<stall_count> const& more) {
    for (stall_count const& each : more) {
        auto const found =
            std::find_if(to.begin(), to.end(), [&](stall_count const& known) { return known.reason == each.reason; });
        if (found == to.end()) {
            to.push_back(each);
        } else {
            found->samples += each.samples;
            found->latency_samples += each.latency_samples;
        }
    }
}
inline void most_first(std::vector<stall_count>& stalls) {
    std::stable_sort(stalls.begin(), stalls.end(),
                     [](stall_count const& a, stall_count const& b) { return a.samples > b.samples; });
}

// The text of a file, by the compiler's name for it; if there is none, the module itself, if it is
// text.
[[nodiscard]] inline std::string source_text(std::string const& path, module_code const& code, std::uint64_t module,
                                             std::size_t largest) {
    if (auto text = platform::read_file(path, largest)) return *std::move(text);
    std::string_view const image = code.find(module);
    bool const is_text = image.find(".version") != image.npos && image.find('\0') == image.npos;
    return is_text && path.ends_with(".ptx") && image.size() <= largest ? std::string{image} : std::string{};
}

// Splits a text into lines without their ends.
[[nodiscard]] inline std::vector<std::string_view> lines_of_text(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        std::size_t const end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        lines.push_back(line);
        text.remove_prefix(end == text.npos ? text.size() : end + 1);
    }
    return lines;
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SAMPLE_SOURCE_LINES_HPP
