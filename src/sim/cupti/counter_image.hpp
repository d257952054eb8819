// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The counter data image: ranges, their names and what they counted, in bytes that the caller owns.
#ifndef GPUPROF_SRC_SIM_CUPTI_COUNTER_IMAGE_HPP
#define GPUPROF_SRC_SIM_CUPTI_COUNTER_IMAGE_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <gpuprof/detail/config.hpp>
#include "../chip/chips.hpp"
#include "../counters/metric_table.hpp"
#include "image_bytes.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// A range name is told apart by all of its characters, but only this many come back (CUPTI 13.0).
inline constexpr std::size_t stored_name_length = 59;

// What an image begins with: other bytes where metrics or chips have other numbers, since images
// come back from files that another gpuprof wrote.
[[nodiscard]] std::uint64_t counter_image_magic() noexcept;

// Where an image has each row, by number.
class row_places {
public:
    static constexpr std::uint16_t none = 0xffff;

    row_places() noexcept { places_.fill(none); }
    void set(row_number row, std::uint16_t place) noexcept {
        if (places_[row] == none) places_[row] = place;
    }
    [[nodiscard]] std::uint16_t operator[](row_number row) const noexcept { return places_[row]; }

private:
    std::array<std::uint16_t, std::size(metric_rows)> places_;
};
static_assert(std::size(metric_rows) < row_places::none);

// A view of an image: a header, the rows it has room for, a tree of names, and room for each row in
// each range. The header and the rows are checked when the image is opened, names and ranges when
// they are read, so that looking at one range does not cost the reading of all. A view is good
// until someone else writes to the bytes. Byte is std::uint8_t or std::uint8_t const.
template <class Byte>
class basic_counter_image {
public:
    // Bytes for so many ranges and tree nodes with these rows; nothing if that is more than the
    // address space holds.
    [[nodiscard]] static std::optional<std::size_t> size(std::size_t rows, std::size_t ranges,
                                                         std::size_t nodes) noexcept {
        // Each factor is far under 2^32, so these products fit into 64 bits.
        if (ranges > (std::numeric_limits<std::uint32_t>::max)() || rows > std::size(metric_rows)) return {};
        std::uint64_t const room = ranges * (sizeof(std::uint32_t) + rows * sizeof(counted)) + nodes * sizeof(node);
        if (room > std::uint64_t{1} << 40) return {};
        return sizeof(header) + rows * sizeof(row_number) + static_cast<std::size_t>(room);
    }

    // Makes the bytes an empty image for these rows; false if they are fewer than it needs. What
    // room for ranges and nodes there is follows from `ranges` and `nodes`.
    static bool initialize(std::span<std::uint8_t> bytes, chip which, std::span<row_number const> rows,
                           std::size_t ranges, std::size_t nodes) noexcept {
        auto const needed = size(rows.size(), ranges, nodes);
        if (!needed || bytes.size() < *needed) return false;
        std::memset(bytes.data(), 0, bytes.size());
        store(bytes.data(), header{counter_image_magic(), static_cast<std::uint32_t>(which), *needed, rows.size(),
                                   ranges, nodes, 0, 0});
        for (std::size_t i = 0; i < rows.size(); ++i)
            store(bytes.data() + sizeof(header) + i * sizeof(row_number), rows[i]);
        return true;
    }

    // Nothing if the header and the rows are not, in every field, those of an image of this
    // library.
    [[nodiscard]] static std::optional<basic_counter_image> open(std::span<Byte> bytes) noexcept {
        if (bytes.data() == nullptr || bytes.size() < sizeof(header)) return {};
        basic_counter_image image{bytes.data(), load<header>(bytes.data())};
        header const& head = image.header_;
        auto const needed = size(head.rows, head.ranges, head.nodes);
        if (head.magic != counter_image_magic() || !needed || *needed != head.bytes || head.bytes > bytes.size())
            return {};
        if (head.used_ranges > head.ranges || head.used_nodes > head.nodes || image.model() == nullptr) return {};
        for (std::size_t i = 0; i < head.rows; ++i)
            if (image.row(i) >= std::size(metric_rows)) return {};
        return image;
    }

    [[nodiscard]] std::size_t ranges() const noexcept { return static_cast<std::size_t>(header_.used_ranges); }
    [[nodiscard]] std::size_t room() const noexcept { return static_cast<std::size_t>(header_.ranges); }
    [[nodiscard]] std::size_t bytes() const noexcept { return static_cast<std::size_t>(header_.bytes); }
    [[nodiscard]] chip_model const* model() const noexcept {
        for (chip_model const* const known : chip_models)
            if (static_cast<std::uint32_t>(known->which()) == header_.which) return known;
        return nullptr;
    }

    // The names from the outermost scope to the range's own, joined; nothing if they are damaged.
    // Linear in the depth.
    // @pre range < ranges().
    [[nodiscard]] std::optional<std::string> name(std::size_t range, std::string_view delimiter) const {
        auto const stack = names(range);
        if (!stack) return {};
        std::string result;
        for (std::size_t i = 0; i < stack->size(); ++i) {
            if (i > 0) result += delimiter;
            result += (*stack)[i];
        }
        return result;
    }

    // The same one by one, outermost first; they lie in the image. @pre range < ranges().
    [[nodiscard]] std::optional<std::vector<char const*>> names(std::size_t range) const {
        std::vector<char const*> stack;
        for (std::uint64_t at = load<std::uint32_t>(range_at(range)) + std::uint64_t{1}; at != 0;) {
            if (at > header_.used_nodes) return {};
            auto const known = load<node>(node_at(at - 1));
            if (!known.is_good(at - 1) || known.name[known.length] != '\0') return {};
            stack.push_back(reinterpret_cast<char const*>(node_at(at - 1)) + offsetof(node, name));
            at = known.parent;
        }
        return std::vector<char const*>{stack.rbegin(), stack.rend()};
    }

    // Linear in the rows.
    [[nodiscard]] row_places places() const noexcept {
        row_places found;
        for (std::size_t i = 0; i < header_.rows; ++i) found.set(row(i), static_cast<std::uint16_t>(i));
        return found;
    }

    // What the range counted for the row at a place: replay passes are 0 where it was not
    // collected, as for row_places::none. @pre range < ranges().
    [[nodiscard]] counted value(std::size_t range, std::uint16_t place) const noexcept {
        return place == row_places::none ? counted{} : load<counted>(value_at(range, place));
    }

    // Adds one occurrence of a range; the first of a replay pass also counts the replay pass. Rows
    // the image has no room for, row_places::none, are left out. @pre range < ranges().
    void add(std::size_t range, std::uint16_t place, counted const& more, bool first_of_replay_pass) noexcept {
        if (place == row_places::none) return;
        auto total = load<counted>(value_at(range, place));
        total += more;
        total.replay_passes += first_of_replay_pass;
        store(value_at(range, place), total);
    }

private:
    friend class range_finder;

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
        // @param number the node's own: parents come first, so that there are no cycles
        [[nodiscard]] bool is_good(std::uint64_t number) const noexcept {
            return parent <= number && length <= stored_name_length;
        }
        [[nodiscard]] static std::uint64_t hash_of(std::string_view text) noexcept {
            std::uint64_t hash = 14695981039346656037u ^ text.size();
            for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
            return hash;
        }
    };

    basic_counter_image(Byte* bytes, header const& of) noexcept : bytes_{bytes}, header_{of} {}

    [[nodiscard]] row_number row(std::size_t i) const noexcept {
        return load<row_number>(bytes_ + sizeof(header) + i * sizeof(row_number));
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

// Finds ranges of an image by their names, and adds those that are new. What the image holds is
// read once; from then on each look-up costs its own names, however many ranges there are. While it
// lives nobody else adds ranges to the image.
class range_finder {
public:
    // Nothing if the names or the ranges of the image are damaged. @param image must outlive the
    // finder
    [[nodiscard]] static std::optional<range_finder> make(counter_image& image);

    // The range of that stack of names, added if it is new; nothing when the room for ranges or
    // names is used up. Names of a range that finds no room take none.
    [[nodiscard]] std::optional<std::size_t> find_or_add(std::span<std::string const> stack);

private:
    using node = counter_image::node;

    // A name under a parent. Names are told apart by their hashes of 64 bits.
    struct key {
        std::uint32_t parent;
        std::uint64_t hash;
        friend bool operator==(key const&, key const&) = default;
    };
    struct key_hash {
        [[nodiscard]] std::size_t operator()(key const& of) const noexcept {
            return static_cast<std::size_t>(of.hash ^ of.parent * 0x9e37'79b9'7f4a'7c15);
        }
    };

    explicit range_finder(counter_image& image) noexcept : image_{&image} {}

    counter_image* image_;
    std::unordered_map<key, std::uint32_t, key_hash> nodes_;
    std::unordered_map<std::uint32_t, std::size_t> ranges_; // by node
};

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CUPTI_COUNTER_IMAGE_HPP
