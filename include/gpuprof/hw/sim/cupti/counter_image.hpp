// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counter data image: ranges, their names and what they counted, in bytes that the caller owns. Layer: hw/sim.
#ifndef GPUPROF_HW_SIM_CUPTI_COUNTER_IMAGE_HPP
#define GPUPROF_HW_SIM_CUPTI_COUNTER_IMAGE_HPP

#include <cstddef>     // std::size_t
#include <cstdint>     // fields
#include <cstring>     // std::memset
#include <iterator>    // std::size
#include <limits>      // the largest size
#include <optional>    // an image that may be foreign
#include <span>        // bytes
#include <string>      // range names
#include <string_view> // range names
#include <vector>      // the nodes of a range

#include "../../../detail/config.hpp"
#include "../chip/chips.hpp"
#include "image_bytes.hpp"
#include "../counters/metric_table.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A range name is told apart by all of its characters, but only this many come back (CUPTI 13.0).
inline constexpr std::size_t stored_name_length = 59;

// A view of an image: a header, the rows it has room for, a tree of names, and room for each row in each range. The
// bytes are checked once, when the view is made; a view is then good until someone else writes to them. Byte is
// std::uint8_t or std::uint8_t const.
template <class Byte>
class basic_counter_image {
public:
    // Bytes for so many ranges and tree nodes with these rows; nothing if that is more than the address space holds.
    [[nodiscard]] static std::optional<std::size_t> size(std::size_t rows, std::size_t ranges,
                                                         std::size_t nodes) noexcept {
        // Each factor is far under 2^32, so these products fit into 64 bits.
        if (ranges > std::numeric_limits<std::uint32_t>::max() || rows > std::size(metric_rows)) return {};
        std::uint64_t const room = ranges * (sizeof(std::uint32_t) + rows * sizeof(counted)) + nodes * sizeof(node);
        if (room > std::uint64_t{1} << 40) return {};
        return sizeof(header) + rows * sizeof(row_number) + static_cast<std::size_t>(room);
    }

    // Makes the bytes an empty image for these rows; false if they are fewer than it needs. What room for ranges and
    // nodes there is follows from `ranges` and `nodes`.
    static bool initialize(std::span<std::uint8_t> bytes, chip which, std::span<row_number const> rows,
                           std::size_t ranges, std::size_t nodes) noexcept {
        auto const needed = size(rows.size(), ranges, nodes);
        if (!needed || bytes.size() < *needed) return false;
        std::memset(bytes.data(), 0, bytes.size());
        store(bytes.data(),
              header{magic, static_cast<std::uint32_t>(which), *needed, rows.size(), ranges, nodes, 0, 0});
        for (std::size_t i = 0; i < rows.size(); ++i)
            store(bytes.data() + sizeof(header) + i * sizeof(row_number), rows[i]);
        return true;
    }

    // Nothing if the bytes are not, in every field, an image of this library.
    [[nodiscard]] static std::optional<basic_counter_image> open(std::span<Byte> bytes) noexcept {
        if (bytes.data() == nullptr || bytes.size() < sizeof(header)) return {};
        basic_counter_image image{bytes.data(), load<header>(bytes.data())};
        header const& head = image.header_;
        auto const needed = size(head.rows, head.ranges, head.nodes);
        if (head.magic != magic || !needed || *needed != head.bytes || head.bytes > bytes.size()) return {};
        if (head.used_ranges > head.ranges || head.used_nodes > head.nodes || image.model() == nullptr) return {};
        for (std::size_t i = 0; i < head.rows; ++i)
            if (image.row(i) >= std::size(metric_rows)) return {};
        for (std::uint64_t i = 0; i < head.used_nodes; ++i) {
            auto const each = load<node>(image.node_at(i));
            if (each.parent > i || each.length > stored_name_length) return {}; // parents come first: no cycles
        }
        for (std::uint64_t i = 0; i < head.used_ranges; ++i)
            if (load<std::uint32_t>(image.range_at(i)) >= head.used_nodes) return {};
        return image;
    }

    [[nodiscard]] std::size_t ranges() const noexcept { return static_cast<std::size_t>(header_.used_ranges); }
    [[nodiscard]] std::size_t room() const noexcept { return static_cast<std::size_t>(header_.ranges); }
    [[nodiscard]] chip_model const* model() const noexcept {
        for (chip_model const* const each : chip_models)
            if (static_cast<std::uint32_t>(each->which()) == header_.which) return each;
        return nullptr;
    }

    // The names from the outermost scope to the range's own, joined. @pre range < ranges().
    [[nodiscard]] std::string name(std::size_t range, std::string_view delimiter) const {
        std::string result;
        for (std::uint64_t at = load<std::uint32_t>(range_at(range)) + std::uint64_t{1}; at != 0;) {
            auto const each = load<node>(node_at(at - 1));
            std::string part{each.name, each.length};
            if (each.parent != 0) part.insert(0, delimiter);
            result.insert(0, part);
            at = each.parent;
        }
        return result;
    }

    // What the range counted for a row: replay passes are 0 where it was not collected. @pre range < ranges().
    [[nodiscard]] counted value(std::size_t range, row_number row) const noexcept {
        auto const at = find(row);
        return at ? load<counted>(value_at(range, *at)) : counted{};
    }

    // The range of that stack of names, made if it is new; nothing when the room for ranges or names is used up.
    [[nodiscard]] std::optional<std::size_t> find_or_add(std::span<std::string const> stack) noexcept {
        header const before = header_;
        auto const range = place(stack);
        if (!range) header_ = before; // names of a range that found no room take none
        store(bytes_, header_);
        return range;
    }

    // Adds one occurrence of a range; the first of a replay pass also counts the replay pass. Rows the image has no room for are
    // left out. @pre range < ranges().
    void add(std::size_t range, row_number row, counted const& more, bool first_of_replay_pass) noexcept {
        auto const at = find(row);
        if (!at) return;
        auto total = load<counted>(value_at(range, *at));
        total += more;
        total.replay_passes += first_of_replay_pass;
        store(value_at(range, *at), total);
    }

private:
    static constexpr std::uint64_t magic = 0x31444353'47505047; // "GPPGSCD1"

    struct header {
        std::uint64_t magic;
        std::uint64_t which;
        std::uint64_t bytes;
        std::uint64_t rows;
        std::uint64_t ranges;
        std::uint64_t nodes;
        std::uint64_t used_ranges;
        std::uint64_t used_nodes;
    };

    struct node {
        std::uint32_t parent = 0; // number of a node before this one, from 1; 0: outermost
        std::uint32_t length = 0; // of the name as stored
        std::uint64_t hash = 0;   // of the whole name
        char name[stored_name_length + 1] = {};

        node() = default;
        node(std::uint32_t under, std::string_view text) noexcept
            : parent{under},
              length{static_cast<std::uint32_t>(text.substr(0, stored_name_length).size())},
              hash{hash_of(text)} {
            if (length != 0) std::memcpy(name, text.data(), length);
        }
        [[nodiscard]] bool is(std::string_view text) const noexcept {
            return hash == hash_of(text) && std::string_view{name, length} == text.substr(0, stored_name_length);
        }
        [[nodiscard]] static std::uint64_t hash_of(std::string_view text) noexcept {
            std::uint64_t hash = 14695981039346656037u ^ text.size();
            for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
            return hash;
        }
    };

    basic_counter_image(Byte* bytes, header const& of) noexcept : bytes_{bytes}, header_{of} {}

    [[nodiscard]] std::optional<std::size_t> place(std::span<std::string const> stack) noexcept {
        std::uint64_t parent = 0; // nodes are numbered from 1 here, 0 is the root
        for (std::string const& part : stack) {
            std::uint64_t at = 1;
            for (; at <= header_.used_nodes; ++at) {
                auto const each = load<node>(node_at(at - 1));
                if (each.parent == parent && each.is(part)) break;
            }
            if (at > header_.used_nodes) {
                if (header_.used_nodes == header_.nodes) return {};
                store(node_at(header_.used_nodes), node{static_cast<std::uint32_t>(parent), part});
                ++header_.used_nodes;
            }
            parent = at;
        }
        for (std::size_t range = 0; range < ranges(); ++range)
            if (load<std::uint32_t>(range_at(range)) + std::uint64_t{1} == parent) return range;
        if (parent == 0 || header_.used_ranges == header_.ranges) return {};
        store(range_at(header_.used_ranges), static_cast<std::uint32_t>(parent - 1));
        ++header_.used_ranges;
        return ranges() - 1;
    }

    [[nodiscard]] row_number row(std::size_t i) const noexcept {
        return load<row_number>(bytes_ + sizeof(header) + i * sizeof(row_number));
    }
    [[nodiscard]] std::optional<std::size_t> find(row_number wanted) const noexcept {
        for (std::size_t i = 0; i < header_.rows; ++i)
            if (row(i) == wanted) return i;
        return {};
    }
    [[nodiscard]] Byte* node_at(std::uint64_t i) const noexcept {
        return bytes_ + sizeof(header) + header_.rows * sizeof(row_number) + i * sizeof(node);
    }
    [[nodiscard]] Byte* range_at(std::uint64_t i) const noexcept {
        return node_at(header_.nodes) + i * (sizeof(std::uint32_t) + header_.rows * sizeof(counted));
    }
    [[nodiscard]] Byte* value_at(std::size_t range, std::size_t i) const noexcept {
        return range_at(range) + sizeof(std::uint32_t) + i * sizeof(counted);
    }

    Byte* bytes_;
    header header_;
};

using counter_image = basic_counter_image<std::uint8_t>;
using const_counter_image = basic_counter_image<std::uint8_t const>;

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_SIM_CUPTI_COUNTER_IMAGE_HPP
