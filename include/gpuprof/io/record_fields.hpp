// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists the names and values of the members of any record, from its layout.
#ifndef GPUPROF_IO_RECORD_FIELDS_HPP
#define GPUPROF_IO_RECORD_FIELDS_HPP

#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "../hw/activity/record.hpp"
#include "../trace/traced_scope.hpp"
#include "field_value.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// The name of a record type: "kernel".
template <class Record>
inline constexpr std::string_view record_name = {};
template <>
inline constexpr std::string_view record_name<activity::unknown> = "unknown";
template <>
inline constexpr std::string_view record_name<traced_scope> = "scope";
#define GPUPROF_IO_RECORD_NAME(type)                                                                                   \
    template <>                                                                                                        \
    inline constexpr std::string_view record_name<activity::type> = #type;
GPUPROF_ACTIVITY_RECORDS(GPUPROF_IO_RECORD_NAME)
#undef GPUPROF_IO_RECORD_NAME

namespace detail {

// Calls row(name, offset, size, member, ...) for each member, like a record's layout().
template <class Record, class Row>
void lay_out(Record& record, Row& row) {
    record.layout(row);
}
template <class Row>
void lay_out(activity::unknown& record, Row& row) {
    row("kind", 0, 0, record.kind);
    row("reason", 0, 0, record.reason);
    row("size", 0, 0, record.size);
}
template <class Row>
void lay_out(traced_scope& scope, Row& row) {
    row("number", 0, 0, scope.number);
    row("parent", 0, 0, scope.parent);
    row("name", 0, 0, scope.name);
    row("start", 0, 0, scope.time.start);
    row("end", 0, 0, scope.time.end);
    row("threadId", 0, 0, scope.thread);
}

// Sets the value. A list of ports needs the record, which says how many links are connected.
template <class Record, class Member>
void set_member(field_value& to, Record const& record, Member const& member) noexcept {
    if constexpr (std::is_same_v<Member, activity::port_list>) {
        to.kind = field_kind::list;
        for (std::size_t link = 0; link < record.links && link < 32; ++link)
            if (auto const port = member.port(link)) to.list[to.size++] = *port;
    } else {
        set(to, member);
    }
}

// A row of a layout() that calls f(name, member). Releases that differ have a second row for a member
// after its first: it is left out.
template <class F>
[[nodiscard]] auto each_member(F f) {
    return [f, before = static_cast<void const*>(nullptr)]<class Member>(char const* name, std::size_t, std::size_t,
                                                                         Member& member, auto...) mutable {
        if (std::exchange(before, &member) != &member) f(std::string_view{name}, member);
    };
}

} // namespace detail

// Names of all members that a record of this type can have, in the order of the layout, those of only
// some of its kinds included (the clocks of an environment record). The same for every record, like
// the columns of a table. Created at the first call and never destroyed: a trace may end after
// static objects. Thread-safe.
template <class Record>
[[nodiscard]] std::vector<std::string_view> const& columns_of() {
    static auto const& all = *new std::vector<std::string_view> const {[] {
        std::vector<std::string_view> columns;
        // The members can depend on those that are enumerations, so try all values of them.
        for (unsigned value = 0; value < 16; ++value) {
            Record record{};
            std::vector<std::string_view> present;
            auto row = detail::each_member([&]<class Member>(std::string_view name, Member& member) {
                if constexpr (std::is_enum_v<Member>) member = static_cast<Member>(value);
                present.push_back(name);
            });
            detail::lay_out(record, row);
            // A new column goes before the next known one, which keeps the order of the layout.
            auto before = columns.size();
            for (std::size_t i = present.size(); i-- > 0;) {
                std::size_t at = 0;
                while (at < columns.size() && columns[at] != present[i]) ++at;
                if (at < columns.size()) before = at;
                else columns.insert(columns.begin() + static_cast<std::ptrdiff_t>(before), present[i]);
            }
        }
        return columns;
    }()};
    return all;
}

// Calls f(name, field_value const&) for the members of this record, in the order of columns_of().
// Allocates nothing.
template <class Record, class F>
void for_each_field(Record const& of, F&& f) {
    auto row = detail::each_member([&](std::string_view name, auto const& member) {
        field_value value;
        detail::set_member(value, of, member);
        f(name, static_cast<field_value const&>(value));
    });
    detail::lay_out(const_cast<Record&>(of), row); // layout() also fills records; this row reads
}

} // namespace io
GPUPROF_NAMESPACE_END

#endif // GPUPROF_IO_RECORD_FIELDS_HPP
