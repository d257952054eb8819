// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of PC samples in CUPTI's own format, as its samples pc_sampling_continuous and pc_sampling_utility have them.
#ifndef GPUPROF_IO_CUPTI_SAMPLES_HPP
#define GPUPROF_IO_CUPTI_SAMPLES_HPP

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../core/result.hpp"
#include "../detail/config.hpp"
#include "../hw/abi/cupti_pc_sampling_util.hpp"
#include "../hw/samplers/pc_samples.hpp"
#if !GPUPROF_ENABLED
#include "../hw/machine/compiled_out.hpp"
#endif

GPUPROF_NAMESPACE_BEGIN
namespace hw {
struct machine;
}
namespace io {

// The samples of a range that was sampled.
struct cupti_sample_range {
    std::uint64_t range = 0; // CUPTI's number of it
    pc_samples samples{};    // without device, chip, and whether the buffer was full: the file has none of these
};

// Reads such a file, and merges its buffers by their ranges, in the order of their first ones. By gpuprof itself, without
// CUPTI's libpcsamplingutil, which a damaged file crashes. Errors: io; invalid_argument for a file that is none, is cut short
// or damaged; version_mismatch for a later version of the format. CUPTI 12.0, 2.10.
[[nodiscard]] result<std::vector<cupti_sample_range>> try_read_cupti_samples(std::string const& path);
[[nodiscard]] result<std::vector<cupti_sample_range>> try_parse_cupti_samples(std::string_view content);

// The library that writes such files: beside libcupti, or the one named. Errors: unavailable; version_mismatch for CUPTI before
// 12.4, whose records have another length.
[[nodiscard]] result<abi::pc_sampling_util_table> try_pc_sampling_util(hw::machine const& on, std::string library = {});

// Appends the samples to such a file as one buffer; makes the file. Errors: unavailable where the library lacks the call; io, with what it
// says; invalid_argument if there are no reasons.
[[nodiscard]] result<void> try_append_cupti_samples(cupti_sample_range const& of, std::string const& path,
                                                    abi::pc_sampling_util_table const& by);

#if !GPUPROF_ENABLED
inline result<std::vector<cupti_sample_range>> try_read_cupti_samples(std::string const&) {
    return gpuprof::detail::compiled_out();
}
inline result<std::vector<cupti_sample_range>> try_parse_cupti_samples(std::string_view) {
    return gpuprof::detail::compiled_out();
}
inline result<abi::pc_sampling_util_table> try_pc_sampling_util(hw::machine const&, std::string) { // NOLINT
    return gpuprof::detail::compiled_out();
}
inline result<void> try_append_cupti_samples(cupti_sample_range const&, std::string const&,
                                             abi::pc_sampling_util_table const&) {
    return {};
}
#endif

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_ENABLED && GPUPROF_HEADER_ONLY
#include "cupti_samples.inl.hpp"
#endif

#endif // GPUPROF_IO_CUPTI_SAMPLES_HPP
