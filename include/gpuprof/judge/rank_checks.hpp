// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPUPROF_CHECK_RANKS: a check that all ranks of a program make together. Include after the adaptor of the test framework.
#ifndef GPUPROF_JUDGE_RANK_CHECKS_HPP
#define GPUPROF_JUDGE_RANK_CHECKS_HPP

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../detail/config.hpp"
#include "../ranks/communicator.hpp"
#include "../ranks/message.hpp"
#include "../ranks/silent_rank.hpp"
#include "../ranks/tree.hpp"
#include "outcome.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace judge {
namespace detail {

// What ranks found, summed up.
struct rank_outcomes {
    static constexpr std::size_t most_told = 4;
    struct told {
        std::size_t rank = 0;
        gpuprof::verdict verdict = gpuprof::verdict::pass;
        std::string text;
    };
    std::size_t passed = 0, failed = 0, inconclusive = 0;
    std::vector<told> not_passed{}; // the lowest ranks, those that failed first
    std::vector<ranks::silent_rank> silent{};

    [[nodiscard]] static rank_outcomes of(outcome const& mine, std::size_t rank) {
        rank_outcomes made;
        ++(mine.verdict == verdict::pass   ? made.passed
           : mine.verdict == verdict::fail ? made.failed
                                           : made.inconclusive);
        if (!mine) made.not_passed.push_back({rank, mine.verdict, mine.text()});
        return made;
    }
    void merge(rank_outcomes&& other) {
        passed += other.passed;
        failed += other.failed;
        inconclusive += other.inconclusive;
        ranks::detail::add_silent(silent, other.silent);
        for (told& each : other.not_passed) {
            auto at = not_passed.begin();
            while (at != not_passed.end() && std::pair{at->verdict, at->rank} < std::pair{each.verdict, each.rank})
                ++at;
            not_passed.insert(at, std::move(each));
        }
        if (not_passed.size() > most_told) not_passed.resize(most_told);
    }
    [[nodiscard]] std::string written() const {
        ranks::detail::message_writer to;
        for (std::size_t const count : {passed, failed, inconclusive}) to.small(count);
        ranks::detail::write_silent(to, silent);
        to.list(not_passed, [&](told const& each) {
            to.small(each.rank);
            to.small(static_cast<std::size_t>(each.verdict));
            to.text(each.text);
        });
        return to.take();
    }
    [[nodiscard]] static bool read(std::string_view bytes, rank_outcomes& into) {
        ranks::detail::message_reader from{bytes};
        for (std::size_t* const count : {&into.passed, &into.failed, &into.inconclusive}) *count = from.small();
        ranks::detail::read_silent(from, into.silent);
        from.list([&] {
            told& each = into.not_passed.emplace_back();
            each.rank = from.small();
            each.verdict =
                from.small() == static_cast<std::size_t>(verdict::fail) ? verdict::fail : verdict::inconclusive;
            each.text = from.text();
        });
        return from.whole();
    }
};

} // namespace detail

// The same outcome on all ranks: it passes where it passes on each, fails where it fails on one, and is inconclusive where it is
// on one, or where a rank is silent. Texts of the four lowest ranks that do not pass are in it. All ranks call it. Returns within
// two and a half deadlines. Cost: two messages a rank, through the tree.
[[nodiscard]] inline outcome of_all_ranks(ranks::communicator& all, outcome const& mine,
                                          unsigned deadline_ms = 30'000) {
#if GPUPROF_ENABLED
    auto found = detail::rank_outcomes::of(mine, all.rank());
    auto const shared = ranks::detail::try_share(all, found, deadline_ms);
    if (!shared) return not_answered(shared.error());
    outcome made;
    std::size_t const heard = found.passed + found.failed + found.inconclusive;
    made.expanded =
        gpuprof::detail::joined({std::to_string(found.passed), " of ", std::to_string(heard), " ranks pass"});
    for (auto const& each : found.not_passed)
        made.expanded += gpuprof::detail::joined({"\nrank ", std::to_string(each.rank), ": ", each.text});
    if (found.failed != 0) {
        made.verdict = verdict::fail;
    } else if (!found.silent.empty()) {
        made.verdict = verdict::inconclusive;
        made.reason = problem_of(found.silent).message();
    } else if (found.inconclusive != 0) {
        made.verdict = verdict::inconclusive;
        made.reason = "it is so on a rank";
    }
    return made;
#else
    static_cast<void>(all.size() + deadline_ms);
    return mine;
#endif
}

} // namespace judge
GPUPROF_NAMESPACE_END

// GPUPROF_CHECK_RANKS(all, m[metric] <= 4096): each rank checks its own value, and all have the same outcome. `all` is a
// ranks::communicator. All ranks make the check; one whose expression throws gpuprof's exception is inconclusive, and does not
// keep the others waiting. The test goes on if it does not pass.
#define GPUPROF_CHECK_RANKS(all, ...) GPUPROF_JUDGE_RANKS(false, CHECK_RANKS, all, #__VA_ARGS__, __VA_ARGS__)
// The same; the test ends on all ranks if it does not pass.
#define GPUPROF_REQUIRE_RANKS(all, ...) GPUPROF_JUDGE_RANKS(true, REQUIRE_RANKS, all, #__VA_ARGS__, __VA_ARGS__)

#define GPUPROF_JUDGE_RANKS(required, macro, all, text, ...)                                                           \
    do {                                                                                                               \
        GPUPROF_QUIETLY_BEGIN                                                                                          \
        ::gpuprof::outcome gpuprof_outcome;                                                                            \
        GPUPROF_OUTCOME_OF(gpuprof_outcome,                                                                            \
                           GPUPROF_ANSWER(::gpuprof::judge::settled(::gpuprof::judge::decomposer{} << __VA_ARGS__)))   \
        gpuprof_outcome = ::gpuprof::judge::of_all_ranks(all, gpuprof_outcome);                                        \
        GPUPROF_TELL(gpuprof_outcome, required, "GPUPROF_" #macro, text);                                              \
        GPUPROF_QUIETLY_END                                                                                            \
    } while (false)

#endif // GPUPROF_JUDGE_RANK_CHECKS_HPP
