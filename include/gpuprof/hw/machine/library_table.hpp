// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Opens a candidate library and fills a function table from it, or notes why not.
#ifndef GPUPROF_HW_MACHINE_LIBRARY_TABLE_HPP
#define GPUPROF_HW_MACHINE_LIBRARY_TABLE_HPP

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../text/printable.hpp"
#include "../../detail/builtin.hpp"
#include "../abi/cupti.hpp"
#include "../abi/driver.hpp"
#include "library.hpp"
#include "library_search.hpp"
#include "platform/environment.hpp"
#include "platform/library.hpp"
#include "platform/library_file.hpp"
#include "platform/soname.hpp"
#include "status.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

[[nodiscard]] GPUPROF_COLD inline void* resolve_symbol(void* handle, char const* symbol, hw::library_report& report) {
    void* const address = platform::find_symbol(handle, symbol);
    if (address == nullptr) report.missing.push_back(std::string{symbol});
    return address;
}

// The place of a table's member, whatever its type, and the symbol that fills it. Data, because a
// call for each member, with its type, compiled to 221 functions at -O0 and 8 KB of code at -O2
// (g++ 12).
struct table_slot {
    std::size_t offset;
    char const* symbol;
};

#define GPUPROF_TABLE_SLOT(member, symbol, parameters) {offsetof(table, member), #symbol},
[[nodiscard]] inline std::span<table_slot const> slots_of(abi::driver_table const&) noexcept {
    using table = abi::driver_table;
    static constexpr table_slot slots[]{GPUPROF_ABI_DRIVER(GPUPROF_TABLE_SLOT)};
    static_assert(sizeof(table) == sizeof slots / sizeof *slots * sizeof(void*));
    return slots;
}
[[nodiscard]] inline std::span<table_slot const> slots_of(abi::cupti_table const&) noexcept {
    using table = abi::cupti_table;
    static constexpr table_slot slots[]{GPUPROF_ABI_CUPTI(GPUPROF_TABLE_SLOT)};
    static_assert(sizeof(table) == sizeof slots / sizeof *slots * sizeof(void*));
    return slots;
}
#undef GPUPROF_TABLE_SLOT

// Function and data pointers look alike on every system where a library's symbols are found by
// name.
inline void fill_slots(void* table, std::span<table_slot const> slots, void* handle, hw::library_report& report) {
    report.missing.clear();
    for (table_slot const& each : slots) {
        void* const address = resolve_symbol(handle, each.symbol, report);
        std::memcpy(static_cast<char*>(table) + each.offset, &address, sizeof address);
    }
}

// Why the library is refused; empty if it is not, and its version is then in the report.
[[nodiscard]] inline std::string library_refusal(abi::driver_table const& table, hw::library_report& report) {
    if (table.Init == nullptr || table.DriverGetVersion == nullptr) return "it is not a CUDA driver library";
    abi::CUresult const status = table.DriverGetVersion(&report.version);
    return status == abi::CUDA_SUCCESS ? std::string{} : hw::explain("cuDriverGetVersion", status).what;
}

[[nodiscard]] inline std::string library_refusal(abi::cupti_table const& table, hw::library_report& report) {
    std::uint32_t version = 0;
    if (table.GetVersion == nullptr || table.GetResultString == nullptr) return "it is not a CUPTI library";
    abi::CUptiResult const status = table.GetVersion(&version);
    report.version = static_cast<int>(version);
    if (status == abi::CUPTI_SUCCESS) return {};
    return hw::explain("cuptiGetVersion", status).what + "; CUPTI 13.5 answers no call where there is no CUDA driver";
}

// Fills the table from a handle. False if it is the wrong library; the reason is then among the
// attempts.
template <class Table>
[[nodiscard]] bool adopt_library(Table& table, hw::library_report& report, void* handle, hw::candidate const& from) {
    fill_slots(&table, slots_of(table), handle, report);
    std::string const why = library_refusal(table, report);
    if (why.empty()) {
        report.how = from.where;
        report.path = platform::library_path(handle);
        if (report.path.empty()) report.path = from.path;
        report.soname = hw::file_name(report.path);
        return true;
    }
    report.tried.push_back({from.where, gpuprof::detail::printable_path(from.path), why});
    report.missing.clear();
    report.version = 0;
    table = Table{};
    return false;
}

// Opens a candidate; null, with the reason among the attempts, if that fails.
[[nodiscard]] inline void* open_candidate(hw::candidate const& from, hw::library_report& report) {
    bool const named_by_path = platform::names_a_place(from.path) || from.path.empty();
    std::string why = named_by_path ? platform::library_defect(from.path) : platform::soname_defect(from.path);
    if (why.empty()) {
        auto opened = platform::open_library(from.path);
        if (opened.handle != nullptr) return opened.handle;
        why = gpuprof::detail::printable_path(opened.refusal);
    }
    report.tried.push_back({from.where, gpuprof::detail::printable_path(from.path), std::move(why)});
    return nullptr;
}

// The candidates that the caller or the environment named. A given name is binding: if it fails,
// nothing else is tried.
[[nodiscard]] inline std::vector<hw::candidate> named_candidates(std::optional<std::string> const& path,
                                                                 char const* variable, std::string_view stem) {
    std::vector<hw::candidate> list;
    if (path) hw::add_named(list, hw::found_by::explicit_path, *path, stem);
    else if (auto const value = platform::trusted_variable(variable); !value.empty())
        hw::add_named(list, hw::found_by::environment, value, stem);
    return list;
}

[[nodiscard]] inline error absent_library(std::string_view library, hw::library_report const& report,
                                          std::string_view remedy) {
    std::string tried;
    for (auto const& each : report.tried)
        tried += joined({tried.empty() ? "\"" : "; \"", each.path, "\" (", hw::name(each.where), "): ", each.reason});
    return error{errc::unavailable, 0, joined({library, " could not be loaded"}), tried, remedy};
}

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_MACHINE_LIBRARY_TABLE_HPP
