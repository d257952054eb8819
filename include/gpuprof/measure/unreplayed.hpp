// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Why work is not repeated, and what is said of it in a report.
#ifndef GPUPROF_MEASURE_UNREPLAYED_HPP
#define GPUPROF_MEASURE_UNREPLAYED_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// What keeps a launch or a range from being repeated.
struct repeat_obstacle {
    std::string cause{};
    std::string_view remedy{};
};

inline constexpr std::string_view other_replay =
    "use replay_mode::application, which runs the program once a pass, or replay_mode::user with scopes";

// Each kind of work and each cause once, with how often it was found.
class unreplayed {
public:
    // @param work "saxpy", "graph 2", "range \"a\""
    // @param counted values of the passes that were made are there; else there are none
    void add(std::string_view work, repeat_obstacle why, bool counted) {
        for (entry& each : list_)
            if (each.work == work && each.why.cause == why.cause && each.counted == counted) {
                ++each.times;
                return;
            }
        if (list_.size() == most_told) {
            ++others_;
            return;
        }
        list_.push_back({std::string{work}, std::move(why), counted, 1});
    }
    // @param once, several what is counted: "launch", "launches"
    void tell(std::vector<error>& problems, std::string_view once, std::string_view several) const {
        for (entry const& each : list_)
            problems.push_back(
                {errc::not_collected, 0,
                 joined({each.work, ": ", std::to_string(each.times), " ", each.times == 1 ? once : several,
                         each.times == 1 ? " was" : " were",
                         each.counted ? " not repeated: what one pass counts is there" : " not measured"}),
                 each.why.cause, each.why.remedy});
        if (others_ != 0)
            problems.push_back({errc::not_collected, 0,
                                joined({std::to_string(others_), " other ", others_ == 1 ? once : several,
                                        others_ == 1 ? " was" : " were", " not repeated or not measured"}),
                                "there are more reasons than are told", ""});
    }

private:
    static constexpr std::size_t most_told = 32;
    struct entry {
        std::string work;
        repeat_obstacle why;
        bool counted = false;
        std::size_t times = 0;
    };
    std::vector<entry> list_;
    std::size_t others_ = 0;
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_UNREPLAYED_HPP
