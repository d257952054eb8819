// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config_image.hpp"

#include <cstddef>
#include <iterator>
#include <utility>

#include "../chip/chips.hpp"
#include "../counters/metric_rows.hpp"
#include "../counters/metric_table.hpp"
#include "image_bytes.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// The beginning of both images. Every field is checked before it is used: images come back through
// the caller's hands and from files.
struct image_header {
    std::uint32_t magic;
    std::uint32_t checksum; // of what follows the header
    std::uint32_t bytes;    // of the whole image
    std::uint32_t chip;
    std::uint32_t passes; // in an availability image: 1 where one pass collects everything, else 0
};

constexpr std::uint32_t availability_magic = 0x41534750; // "PGSA"
constexpr std::uint32_t config_magic = 0x43534750;

// Null for a number that is no chip's with range profiling.
[[nodiscard]] static chip_model const* model_of(std::uint32_t which) noexcept {
    for (chip_model const* const model : chip_models)
        if (which == static_cast<std::uint32_t>(model->which())) return model;
    return nullptr;
}

[[nodiscard]] static std::optional<image_header> open_image(std::span<std::uint8_t const> image, std::uint32_t magic) {
    if (image.size() < sizeof(image_header)) return {};
    auto const header = load<image_header>(image.data());
    if (header.magic != magic || header.bytes < sizeof header || header.bytes > image.size()) return {};
    if (header.checksum != checksum(image.subspan(sizeof header, header.bytes - sizeof header))) return {};
    return model_of(header.chip) == nullptr ? std::nullopt : std::optional{header};
}

std::vector<std::uint8_t> make_availability_image(chip_model const& model, collection how) {
    std::vector<std::uint8_t> image(sizeof(image_header));
    store(image.data(), image_header{availability_magic, checksum({}), sizeof(image_header),
                                     static_cast<std::uint32_t>(model.which()), how == collection::at_once ? 1u : 0u});
    return image;
}

std::optional<collection> read_availability_image(std::uint8_t const* image, chip_model const& model) {
    auto const header = open_image({image, sizeof(image_header)}, availability_magic);
    if (!header || header->chip != static_cast<std::uint32_t>(model.which()) || header->passes > 1) return {};
    return header->passes == 1 ? collection::at_once : collection::in_passes;
}

std::vector<std::uint8_t> make_config_image(configuration const& config) {
    std::vector<std::uint8_t> image(sizeof(image_header));
    auto const append = [&](row_number value) {
        image.resize(image.size() + sizeof value);
        store(image.data() + image.size() - sizeof value, value);
    };
    for (pass const& counters : config.passes) {
        append(static_cast<row_number>(counters.size()));
        for (row_number const row : counters) append(row);
    }
    store(image.data(), image_header{config_magic, checksum(std::span{image}.subspan(sizeof(image_header))),
                                     static_cast<std::uint32_t>(image.size()), static_cast<std::uint32_t>(config.which),
                                     static_cast<std::uint32_t>(config.passes.size())});
    return image;
}

std::optional<configuration> read_config_image(std::span<std::uint8_t const> image) {
    auto const header = open_image(image, config_magic);
    if (!header) return {};
    image = image.first(header->bytes).subspan(sizeof(image_header));
    auto const take = [&]() -> std::optional<row_number> {
        if (image.size() < sizeof(row_number)) return {};
        auto const value = load<row_number>(image.data());
        image = image.subspan(sizeof value);
        return value;
    };
    chip_model const& model = *model_of(header->chip);
    configuration result{model.which(), {}};
    for (std::uint32_t i = 0; i < header->passes; ++i) {
        auto const rows = take();
        if (!rows) return {};
        pass counters;
        for (row_number row = 0; row < *rows; ++row) {
            auto const number = take();
            if (!number || *number >= std::size(metric_rows) || !metric_rows[*number].is_on(model)) return {};
            counters.push_back(*number);
        }
        result.passes.push_back(std::move(counters));
    }
    if (!image.empty() || result.passes.empty()) return {};
    return result;
}

} // namespace sim
GPUPROF_NAMESPACE_END
