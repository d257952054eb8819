// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The bytes that carry a chip's counter availability and a configuration's passes from the host API to the range
// profiler. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_CONFIG_IMAGE_HPP
#define GPUPROF_HW_SIM_CUPTI_CONFIG_IMAGE_HPP

#include <cstddef>  // std::size_t
#include <cstdint>  // fields
#include <iterator> // std::size
#include <optional> // an image that may be foreign
#include <span>     // bytes
#include <utility>  // std::move
#include <vector>   // passes

#include "../../../detail/config.hpp"
#include "../chip/chips.hpp"
#include "image_bytes.hpp"
#include "../counters/collection.hpp"
#include "../counters/metric_rows.hpp"
#include "../counters/pass_scheduler.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// What both images begin with. Everything is checked before it is believed: images come back through the caller's hands
// and from files.
struct image_header {
    std::uint32_t magic;
    std::uint32_t checksum; // of what follows the header
    std::uint32_t bytes;    // of the whole image
    std::uint32_t chip;
    std::uint32_t passes; // in an availability image: 1 where one pass collects everything, else 0
};

inline constexpr std::uint32_t availability_magic = 0x41534750; // "PGSA"
inline constexpr std::uint32_t config_magic = 0x43534750;

namespace detail {
// Null for a number that is no chip's with range profiling.
[[nodiscard]] inline chip_model const* model_of(std::uint32_t which) noexcept {
    for (chip_model const* const model : chip_models)
        if (which == static_cast<std::uint32_t>(model->which())) return model;
    return nullptr;
}
[[nodiscard]] inline std::optional<image_header> open_image(std::span<std::uint8_t const> image, std::uint32_t magic) {
    if (image.size() < sizeof(image_header)) return {};
    auto const header = load<image_header>(image.data());
    if (header.magic != magic || header.bytes < sizeof header || header.bytes > image.size()) return {};
    if (header.checksum != checksum(image.subspan(sizeof header, header.bytes - sizeof header))) return {};
    return model_of(header.chip) == nullptr ? std::nullopt : std::optional{header};
}
} // namespace detail

[[nodiscard]] inline std::vector<std::uint8_t> make_availability_image(chip_model const& model, collection how) {
    std::vector<std::uint8_t> image(sizeof(image_header));
    store(image.data(), image_header{availability_magic, checksum({}), sizeof(image_header),
                                     static_cast<std::uint32_t>(model.which()), how == collection::at_once ? 1u : 0u});
    return image;
}

// How a device with this availability image collects; nothing if it is none of that chip. @pre `image` points at the
// bytes such an image has.
[[nodiscard]] inline std::optional<collection> read_availability_image(std::uint8_t const* image,
                                                                       chip_model const& model) {
    auto const header = detail::open_image({image, sizeof(image_header)}, availability_magic);
    if (!header || header->chip != static_cast<std::uint32_t>(model.which()) || header->passes > 1) return {};
    return header->passes == 1 ? collection::at_once : collection::in_passes;
}

struct configuration {
    chip which;
    std::vector<pass> passes;
};

// Header, then for each pass the number of its rows and the rows.
[[nodiscard]] inline std::vector<std::uint8_t> make_config_image(configuration const& of) {
    std::vector<std::uint8_t> image(sizeof(image_header));
    auto const append = [&](row_number value) {
        image.resize(image.size() + sizeof value);
        store(image.data() + image.size() - sizeof value, value);
    };
    for (pass const& each : of.passes) {
        append(static_cast<row_number>(each.size()));
        for (row_number const row : each) append(row);
    }
    store(image.data(), image_header{config_magic, checksum(std::span{image}.subspan(sizeof(image_header))),
                                     static_cast<std::uint32_t>(image.size()), static_cast<std::uint32_t>(of.which),
                                     static_cast<std::uint32_t>(of.passes.size())});
    return image;
}

// Nothing if the bytes are not, in every field, a configuration of this library.
[[nodiscard]] inline std::optional<configuration> read_config_image(std::span<std::uint8_t const> image) {
    auto const header = detail::open_image(image, config_magic);
    if (!header) return {};
    image = image.first(header->bytes).subspan(sizeof(image_header));
    auto const take = [&]() -> std::optional<row_number> {
        if (image.size() < sizeof(row_number)) return {};
        auto const value = load<row_number>(image.data());
        image = image.subspan(sizeof value);
        return value;
    };
    chip_model const& model = *detail::model_of(header->chip);
    configuration result{model.which(), {}};
    for (std::uint32_t i = 0; i < header->passes; ++i) {
        auto const rows = take();
        if (!rows) return {};
        pass each;
        for (row_number row = 0; row < *rows; ++row) {
            auto const number = take();
            if (!number || *number >= std::size(metric_rows) || !metric_rows[*number].is_on(model)) return {};
            each.push_back(*number);
        }
        result.passes.push_back(std::move(each));
    }
    if (!image.empty() || result.passes.empty()) return {};
    return result;
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_CONFIG_IMAGE_HPP
