// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The metrics that one chip has, searchable at compile time. Includes no CUDA header and no data: each
// chip's data is an optional header of its own, <gpuprof/metric/catalogue/gh100.hpp> and so on.
#ifndef GPUPROF_METRIC_CATALOGUE_HPP
#define GPUPROF_METRIC_CATALOGUE_HPP

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base_metric.hpp"
#include "base_name.hpp"
#include "../core/chip.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

namespace detail {
// How many characters two names have in common at their beginnings, `known` of which need not be compared again. `row` is
// NUL-terminated. Here and below loops over pointers stand for string_view's functions, which are many times slower when
// constant-evaluated.
[[nodiscard]] constexpr std::size_t shared_beginning(char const* row, std::string_view name,
                                                     std::size_t known = 0) noexcept {
    char const* const text = name.data();
    std::size_t const size = name.size();
    std::size_t i = known;
    while (i < size && row[i] != '\0' && row[i] == text[i]) ++i;
    return i;
}

// The first of `count` rows, sorted byte by byte, that does not sort before `name`.
template <class Row, class NameOf>
[[nodiscard]] constexpr std::size_t first_not_before(Row const* rows, std::size_t count, std::string_view name,
                                                     NameOf name_of) noexcept {
    std::size_t first = 0;
    // What the nearest rows before and after share with the name, all rows between them share, too.
    std::size_t shared_before = 0;
    std::size_t shared_after = 0;
    while (count > 0) {
        std::size_t const half = count / 2;
        char const* const row = name_of(rows[first + half]);
        std::size_t const i = shared_beginning(row, name, shared_before < shared_after ? shared_before : shared_after);
        if (i < name.size() && static_cast<unsigned char>(row[i]) < static_cast<unsigned char>(name.data()[i])) {
            first += half + 1;
            count -= half + 1;
            shared_before = i;
        } else {
            count = half;
            shared_after = i;
        }
    }
    return first;
}

// Whether `row` is `name`, which shows in the row's end lying where the name's does.
[[nodiscard]] constexpr bool is_name(char const* row, std::string_view name) noexcept {
    return shared_beginning(row, name) == name.size() && row[name.size()] == '\0';
}
} // namespace detail

// A chip's catalogue as CUPTI's profiler host API lists it. A small view over static storage, which the chips of a family
// share: freely copied, usable from any thread. `catalogue_cupti_version` tells which CUPTI it was taken from; another one
// may know more metrics or fewer.
class catalogue {
public:
    // For the generated headers: bit i of `members` says that row i of `table` is this chip's.
    constexpr catalogue(gpuprof::chip which, detail::base_metric_table const& table,
                        std::span<std::uint64_t const> members) noexcept
        : table_{&table}, members_{members.data()}, chip_{which} {}

    [[nodiscard]] constexpr gpuprof::chip chip() const noexcept { return chip_; }

    // Number of base metrics. Linear in the table.
    [[nodiscard]] constexpr std::size_t size() const noexcept {
        std::size_t count = 0;
        for (std::size_t row = 0; row < table_->row_count; ++row) count += is_member(row);
        return count;
    }

    // The base metric of exactly this name ("sm__inst_executed"; no roll-up). Logarithmic, usable in constant expressions.
    [[nodiscard]] constexpr std::optional<base_metric> find(std::string_view base) const noexcept {
        std::size_t const row = row_of(base);
        if (row == table_->row_count) return std::nullopt;
        return at(row);
    }

    // Whether this chip can evaluate exactly this name: a base metric and one of its sub-metrics
    // ("sm__inst_executed.sum.per_second"). Logarithmic, usable in constant expressions.
    [[nodiscard]] constexpr bool contains(std::string_view metric) const noexcept {
        std::string_view const base = base_name(metric);
        std::size_t const row = row_of(base);
        if (row == table_->row_count) return false;
        std::string_view const rest = metric.substr(base.size());
        auto const known = sub_metrics(table_->rows[row].kind);
        std::size_t const at = detail::first_not_before(known.data(), known.size(), rest,
                                                        [](std::string_view const& each) { return each.data(); });
        return at < known.size() && detail::is_name(known[at].data(), rest);
    }

    // The base metric whose name shares the longest beginning with `base`: what a misspelled name probably meant, found as
    // cheaply as `find`. (`nearest` judges better and takes longer.) Without a name in an empty catalogue.
    [[nodiscard]] constexpr base_metric neighbour(std::string_view base) const noexcept {
        std::size_t const bound = lower_bound(base);
        std::size_t const after = next_member(bound);
        std::size_t before = bound;
        while (before > 0 && !is_member(before - 1)) --before;
        bool const none_before = before == 0;
        bool const none_after = after == table_->row_count;
        if (none_before && none_after) return {};
        if (none_before) return at(after);
        if (none_after) return at(before - 1);
        char const* const lower = table_->rows[before - 1].name;
        char const* const upper = table_->rows[after].name;
        return at(detail::shared_beginning(lower, base) > detail::shared_beginning(upper, base) ? before - 1 : after);
    }

    // The base metrics in the order of their names (byte-wise).
    class iterator {
    public:
        using value_type = base_metric;
        using difference_type = std::ptrdiff_t;

        constexpr iterator() = default;
        [[nodiscard]] constexpr base_metric operator*() const noexcept { return in_->at(row_); }
        constexpr iterator& operator++() noexcept {
            row_ = in_->next_member(row_ + 1);
            return *this;
        }
        constexpr iterator operator++(int) noexcept {
            iterator const before = *this;
            ++*this;
            return before;
        }
        friend constexpr bool operator==(iterator const&, iterator const&) = default;

    private:
        friend class catalogue;
        constexpr iterator(catalogue const& in, std::size_t row) noexcept : in_{&in}, row_{row} {}

        catalogue const* in_ = nullptr;
        std::size_t row_ = 0;
    };

    [[nodiscard]] constexpr iterator begin() const& noexcept { return {*this, next_member(0)}; }
    [[nodiscard]] constexpr iterator end() const& noexcept { return {*this, table_->row_count}; }

private:
    [[nodiscard]] constexpr bool is_member(std::size_t row) const noexcept {
        return (members_[row / 64] >> (row % 64) & 1u) != 0;
    }
    [[nodiscard]] constexpr std::size_t next_member(std::size_t row) const noexcept {
        while (row < table_->row_count && !is_member(row)) ++row;
        return row;
    }
    [[nodiscard]] constexpr base_metric at(std::size_t row) const noexcept {
        detail::base_metric_row const& found = table_->rows[row];
        return {found.name, found.kind, table_->hardware_units[found.hardware_unit],
                table_->dimensions[found.dimension]};
    }
    [[nodiscard]] constexpr std::size_t lower_bound(std::string_view base) const noexcept {
        return detail::first_not_before(table_->rows, table_->row_count, base,
                                        [](detail::base_metric_row const& row) { return row.name; });
    }
    // The chip's row of that name; row_count if there is none. A name has several rows where chips differ about it.
    [[nodiscard]] constexpr std::size_t row_of(std::string_view base) const noexcept {
        std::size_t row = lower_bound(base);
        for (; row < table_->row_count && detail::is_name(table_->rows[row].name, base); ++row)
            if (is_member(row)) return row;
        return table_->row_count;
    }

    detail::base_metric_table const* table_;
    std::uint64_t const* members_;
    gpuprof::chip chip_;
};

namespace detail {
inline constexpr base_metric_table no_base_metrics{};

template <chip Chip>
consteval catalogue missing_catalogue() {
    static_assert(Chip != Chip,
                  "gpuprof: include <gpuprof/metric/catalogue/gh100.hpp>, or the header named after this chip, before "
                  "using the chip's catalogue");
    return {Chip, no_base_metrics, {}};
}
} // namespace detail

// The catalogue of a chip, once its header is included: `catalogue_of<chip::gh100>.contains("sm__inst_executed.sum")`.
// Without that header it does not compile.
template <chip Chip>
inline constexpr catalogue catalogue_of = detail::missing_catalogue<Chip>();

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_CATALOGUE_HPP
