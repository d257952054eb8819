// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the NVTX ranges that work of the GPU was launched in, from records in any order.
#ifndef GPUPROF_IO_MARKER_RANGES_HPP
#define GPUPROF_IO_MARKER_RANGES_HPP

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../detail/config.hpp"
#include "../hw/activity/api_call.hpp"
#include "../hw/activity/marker.hpp"
#include "activity_line.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace io {

// Joins three records: work has the correlation of the call that launched it, the call has a thread
// and a time, and markers tell which ranges that thread had pushed and not popped then. Work belongs
// to the range that was pushed last; ranges of different domains may cross. Nodes of a graph belong
// to the ranges of the call that launched the graph. Ranges of nvtxRangeStart, which CUPTI records
// as the process's, are ignored: work of other threads may or may not belong to them.
//
// Records wait as long as there is room, since a record may come late: `most_events` calls and
// markers of all threads, `most_work` pieces of work. Then the older half is settled for good: the
// open ranges of each thread remain, and the path of each of the newest `most_calls` calls. What
// comes later than that is not known, and is counted as such. About 16 MB at most, and the names.
//
// Cost of a record: see activity_summary. One thread at a time.
class marker_ranges {
public:
    static constexpr std::size_t most_events = std::size_t{1} << 18;
    static constexpr std::size_t most_work = std::size_t{1} << 17;
    static constexpr std::size_t most_calls = std::size_t{1} << 18;
    static constexpr std::size_t most_open = std::size_t{1} << 16; // ranges of all threads
    static constexpr std::size_t most_threads = 4096;              // calls of others are not known
    static constexpr std::size_t most_names = 10'000;              // then ranges are named "(others)"; paths likewise
    static constexpr std::uint32_t most_levels = 64;               // of a path; ranges within count as the last
    static constexpr std::size_t longest_name = 1000;              // bytes; longer ones are cut

    marker_ranges();

    void add(activity::marker const& of);
    void add(activity::api_call const& of);
    // A kernel, a copy or a set of `length` nanoseconds. @pre group <= activity_group::set
    void add(activity_group group, std::uint32_t correlation, std::uint64_t length);

    // A line for each path with work, one for work in no range and one for work of which that is not
    // known, if there is such work; in no order. Without a marker of a range, all work is in none.
    // Settles a copy of what waits: some milliseconds.
    [[nodiscard]] std::vector<scope_line> lines() const;

    // Begins and ends of ranges that came when calls of their time were settled: work was counted
    // without the range, or in it though it had ended.
    [[nodiscard]] std::uint64_t late() const noexcept { return late_; }

private:
    static constexpr std::uint32_t not_known = 0xffffffff; // as a path

    struct marker_event {
        std::uint64_t time;
        std::uint32_t id;
        std::uint32_t name; // from 1 on; 0: the end of a range
    };
    struct call {
        std::uint64_t time;
        std::uint32_t correlation;
    };
    struct open_range {
        std::uint32_t id;
        std::uint32_t name;
        std::uint32_t path; // not_known: not asked for yet
    };
    struct thread_events {
        std::vector<marker_event> markers{}; // not settled, like calls
        std::vector<call> calls{};
        std::vector<open_range> open{}; // at `settled`, in the order of their beginnings
        std::uint64_t settled = 0;      // all before this time
        [[nodiscard]] std::size_t size() const noexcept { return markers.size() + calls.size(); }
    };
    struct work {
        std::uint32_t correlation;
        activity_group group;
        std::uint32_t count;
        std::uint64_t length; // of all of them
    };
    struct path_node {
        std::uint32_t parent; // 0: none
        std::uint32_t name;
        std::uint32_t depth = 0;
        scope_line sum{}; // without its text
    };
    struct path_of_call {
        std::uint32_t correlation = 0; // 0: none
        std::uint32_t path = 0;
    };
    struct text_hash {
        using is_transparent = void;
        [[nodiscard]] std::size_t operator()(std::string_view of) const noexcept {
            return std::hash<std::string_view>{}(of);
        }
    };

    [[nodiscard]] thread_events* events_of(std::uint32_t thread);
    [[nodiscard]] std::uint32_t name_of(std::string_view domain, std::string_view name);
    [[nodiscard]] std::uint32_t path_of(thread_events& of);
    [[nodiscard]] std::uint32_t child(std::uint32_t parent, std::uint32_t name);
    [[nodiscard]] std::string text_of(std::uint32_t path) const;

    void step(thread_events& of, marker_event const& marker);
    void settle(thread_events& of, std::uint64_t until);
    void settle_half(thread_events& of);
    void settle_all();
    void settle_old_events();
    // Sums up work whose call is settled; the rest waits on.
    void settle_work();
    void settle_old_work();
    void remember(std::uint32_t correlation, std::uint32_t path);
    [[nodiscard]] path_of_call const* find(std::uint32_t correlation) const noexcept;
    void sum(work const& of, std::uint32_t path);

    std::unordered_map<std::uint32_t, thread_events> threads_;
    std::vector<work> work_;
    std::vector<path_of_call> paths_of_calls_; // by correlation
    std::vector<path_node> nodes_;             // 0: in no range; 1: "(others)"
    std::unordered_map<std::uint64_t, std::uint32_t> children_;
    std::vector<std::string> names_; // 0: unused; 1: "(others)"
    std::unordered_map<std::string, std::uint32_t, text_hash, std::equal_to<>> numbers_of_names_;
    scope_line not_known_sum_{};
    std::size_t events_ = 0; // of all threads, like the next
    std::size_t open_ = 0;
    std::uint64_t late_ = 0;
    std::uint64_t refused_ = 0; // records of threads for which there was no room
    bool has_ranges_ = false;
};

} // namespace io
GPUPROF_NAMESPACE_END

#if GPUPROF_HEADER_ONLY
#include "marker_ranges.inl.hpp"
#endif

#endif // GPUPROF_IO_MARKER_RANGES_HPP
