// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Summarises a trace: how often kernels, copies and calls occurred, and how long they took.
#ifndef GPUPROF_IO_ACTIVITY_TABLE_HPP
#define GPUPROF_IO_ACTIVITY_TABLE_HPP

#include "../detail/config.hpp"

#if !GPUPROF_ENABLED
#include "trace_compiled_out.hpp"
#else

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "../hw/activity/record.hpp"
#include "../trace/traced_scope.hpp"
#include "activity_line.hpp"
#include "marker_ranges.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Sums up records in any order.
//
//     gpuprof::io::activity_summary summary;
//     summary.add(tracer.flush());
//     std::cout << gpuprof::io::table(summary);
//
// Memory: about 200 bytes and the name for each line; after `most_lines` lines, records with a new
// name are added to a line "(others)" of their group. To find the NVTX ranges of work that is in no
// scope, see marker_ranges.hpp for what is kept and how long: 16 MB at most, and their names. One
// thread at a time. Cost: 0.05 us a record.
class activity_summary {
public:
    static constexpr std::size_t most_lines = 10'000;

    // The name of a driver or runtime function; empty if it is not known, which is written "driver
    // call 307". null: name_of_call().
    using call_names = std::string_view (*)(abi::CUpti_ActivityKind kind, std::uint32_t callback);
    explicit activity_summary(call_names name_of_call = nullptr);
    ~activity_summary();
    activity_summary(activity_summary&&) noexcept;
    activity_summary& operator=(activity_summary&&) noexcept;

    // Adds a record, a variant of records, or a tracer's batch with its scopes. Ignores other kinds
    // of records.
    template <class Record>
    void add(Record const& record) {
        if constexpr (requires { sum(record); }) sum(record);
        else if constexpr (requires {
                               record.visit(*this);
                               record.scope_of(0u);
                           })
            add_batch(record);
    }
    template <class... Records>
    void add(std::variant<Records...> const& record) {
        std::visit([this](auto const& held) { this->add(held); }, record);
    }
    // The same, as a visitor: batch.visit(summary).
    template <class Record>
    void operator()(Record const& record) {
        add(record);
    }

    // The lines in the order of the table: by group, then the longest total first, then by name and
    // scope.
    [[nodiscard]] std::vector<activity_line> lines() const;

    // The work of the GPU by the scope, or else the NVTX range, in which it was launched; each kernel,
    // copy and set with a time is in one line. The longest total first; then the line of work in none,
    // and that of work of which it is not known. Ranges need records of markers and of the calls that
    // launch: activity::marker, and activity::api_call of the runtime or the driver. Cost: some
    // milliseconds.
    [[nodiscard]] std::vector<scope_line> scopes() const;
    // Begins and ends of NVTX ranges that came too late to be regarded in full: see marker_ranges.
    [[nodiscard]] std::uint64_t late_markers() const noexcept { return ranges_.late(); }

    // The time of all kernels, copies and sets, in nanoseconds; concurrent work counts twice.
    [[nodiscard]] std::uint64_t gpu_time() const noexcept { return gpu_time_; }
    // Records whose time CUPTI could not take; they are in no line.
    [[nodiscard]] std::uint64_t without_time() const noexcept { return without_time_; }

private:
    // The scope of the current record, if a batch knows it.
    struct scope_source {
        void const* batch = nullptr;
        std::uint64_t number = 0;
        std::string (*path)(void const* batch, std::uint64_t number) = nullptr;
    };
    template <class Batch>
    void add_batch(Batch const& batch) {
        scope_ = {&batch, 0, [](void const* of, std::uint64_t number) {
                      return static_cast<Batch const*>(of)->scope_path(number);
                  }};
        batch.visit([this, &batch](auto const& record) {
            if constexpr (requires { batch.scope_of(record); }) scope_.number = batch.scope_of(record);
            else scope_.number = 0;
            this->add(record);
        });
        scope_ = {};
    }
    // The key of a line.
    struct key {
        activity_group group;
        std::uint64_t scope;
        std::string name; // mangled
        friend bool operator==(key const&, key const&) = default;
    };
    struct key_view {
        activity_group group;
        std::uint64_t scope;
        std::string_view name;
    };
    struct hash {
        using is_transparent = void;
        [[nodiscard]] std::size_t operator()(key_view const& of) const noexcept {
            return std::hash<std::string_view>{}(of.name) ^
                   (of.scope * 0x9e3779b97f4a7c15u + static_cast<std::size_t>(of.group));
        }
        [[nodiscard]] std::size_t operator()(key const& of) const noexcept {
            return (*this)(key_view{of.group, of.scope, of.name});
        }
    };
    struct equal {
        using is_transparent = void;
        template <class A, class B>
        [[nodiscard]] bool operator()(A const& a, B const& b) const noexcept {
            return a.group == b.group && a.scope == b.scope && a.name == b.name;
        }
    };

    void sum(activity::kernel const& of);
    void sum(activity::memcpy const& of);
    void sum(activity::peer_memcpy const& of);
    void sum(activity::memset const& of);
    void sum(activity::synchronization const& of);
    void sum(activity::api_call const& of);
    void sum(activity::marker const& of) { ranges_.add(of); }
    // Adds a record of the GPU's work to its line, and to its scope or range. Null without a time.
    template <class Work>
    activity_line* work_line_of(activity_group group, std::string_view name, Work const& of);
    // Adds the record's time to its line and returns the line; null without a time.
    activity_line* line_of(activity_group group, std::string_view name, activity::interval const& time);

    call_names name_of_call_;
    std::unordered_map<key, activity_line, hash, equal> lines_;
    scope_source scope_{};
    marker_ranges ranges_;                 // of work in no scope
    scope_line beyond_{.is_known = false}; // work in scopes for which there was no line
    std::uint64_t gpu_time_ = 0;
    std::uint64_t without_time_ = 0;
};

// The summary as text: a table for each group with lines. Shares are of gpu_time(), and add up to
// 100 % over kernels, copies and sets. Shows the `most` longest lines of each group, and the sum of
// the others in one more line. Names of more than 72 bytes are shortened where they do not differ.
// If work was launched in scopes or NVTX ranges, scopes() follow as one more table.
[[nodiscard]] std::string table(activity_summary const& of, std::size_t most = 50);

// The same as CSV and as JSON, complete: times in nanoseconds, bytes, share in percent. The CSV has
// no table of scopes().
[[nodiscard]] std::string csv(activity_summary const& of);
[[nodiscard]] std::string json(activity_summary const& of);

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "activity_table.inl.hpp"
#endif

#endif // GPUPROF_ENABLED

#endif // GPUPROF_IO_ACTIVITY_TABLE_HPP
