// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Any activity record as a variant, and the decoder of CUPTI's bytes (CUPTI 12.0, 2.3).
#ifndef GPUPROF_HW_ACTIVITY_RECORD_HPP
#define GPUPROF_HW_ACTIVITY_RECORD_HPP

#include <cstddef>
#include <cstring>
#include <variant>

#include "kinds.hpp"
#include "unknown.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace activity {

#define GPUPROF_ACTIVITY_ALTERNATIVE(type) , type
// One of the types of kinds.hpp, or unknown. Does not copy texts, lists of ports, or the bytes of
// an unknown record: they are valid during the record's visit, as long as CUPTI's buffer. (CUPTI
// keeps kernel names longer.)
using record = std::variant<unknown GPUPROF_ACTIVITY_RECORDS(GPUPROF_ACTIVITY_ALTERNATIVE)>;
#undef GPUPROF_ACTIVITY_ALTERNATIVE

namespace detail {

struct record_type {
    record_form const* forms = nullptr;
    std::size_t form_count = 0;
    void (*decode)(field_reader const&, record&) = nullptr;
};

inline constexpr std::size_t kind_limit = 64;
struct record_types {
    record_type of[kind_limit];
};

template <class Record>
void decode_as(field_reader const& read, record& to) {
    to.emplace<Record>().layout(read);
}
template <class Record>
constexpr void add_kinds(record_types& types) {
    for (auto const kind : Record::kinds)
        types.of[kind] = {Record::forms, sizeof Record::forms / sizeof *Record::forms, &decode_as<Record>};
}
constexpr record_types types_of_kinds() {
    record_types types{};
#define GPUPROF_ACTIVITY_ADD(type) add_kinds<type>(types);
    GPUPROF_ACTIVITY_RECORDS(GPUPROF_ACTIVITY_ADD)
#undef GPUPROF_ACTIVITY_ADD
    return types;
}
inline constexpr record_types types_by_kind = types_of_kinds();

} // namespace detail

// The structure of a kind in a release: its name in CUPTI's headers, and its size. Null if the kind
// is not in kinds.hpp or the release does not have it. A release after 13.5 gets the newest
// structure known here.
[[nodiscard]] inline record_form const* form_of(abi::CUpti_ActivityKind kind, cuda_release of) noexcept {
    if (kind >= detail::kind_limit) return nullptr;
    detail::record_type const& type = detail::types_by_kind.of[kind];
    record_form const* newest = nullptr;
    for (std::size_t i = 0; i < type.form_count; ++i)
        if (type.forms[i].first <= of) newest = &type.forms[i];
    return newest;
}

// Decodes the record at `at`, of which `readable` bytes can be read: to the end of CUPTI's data, or
// to the next record. Never fails: returns `unknown` if it cannot decode the record. No allocation;
// any thread. @pre `readable` bytes at `at` are initialised
// NOLINTNEXTLINE(bugprone-exception-escape): std::variant's copy may throw; records are numbers and pointers
[[nodiscard]] inline record decode(cuda_release of, abi::CUpti_Activity const* at, std::size_t readable) noexcept {
    record decoded;
    auto const keep = [&](abi::CUpti_ActivityKind kind, unknown_reason why) {
        decoded.template emplace<unknown>(unknown{kind, why, at, readable});
        return decoded;
    };
    abi::CUpti_ActivityKind kind{};
    if (at == nullptr || readable < sizeof kind) return keep(kind, unknown_reason::truncated);
    std::memcpy(&kind, at, sizeof kind);
    if (kind >= detail::kind_limit || detail::types_by_kind.of[kind].decode == nullptr)
        return keep(kind, unknown_reason::undeclared_kind);
    record_form const* const form = form_of(kind, of);
    if (form == nullptr) return keep(kind, unknown_reason::release_without);
    if (readable < form->size) return keep(kind, unknown_reason::truncated);
    detail::types_by_kind.of[kind].decode(field_reader{at, form->size, of}, decoded);
    return decoded;
}

} // namespace activity
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_ACTIVITY_RECORD_HPP
