// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a report of many ranks costs each rank: the tree of ranks/tree.hpp, all of whose ranks are simulated here one after another.
//
//   ranks_bench [ranks, 10000] [ranges, 200] [metrics, 4]
//
// Every value differs on every rank, which is the worst case for the size of a message. A rank's time is what it takes to read and
// sum up the messages of those below it and to write its own, of the processor; the critical path is the longest such time of each
// level, added up; passing messages on is not in it. Its memory is what it sums up and one message below
// it, each as bytes and as rows. A row for each power of ten.
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gpuprof/ranks.hpp>
#include <gpuprof/ranks/rank_message.hpp>
#include <gpuprof/ranks/tree.hpp>

namespace {

namespace ranks = gpuprof::ranks;
using ranks::detail::rank_message;
using ranks::detail::tree_place;

struct cost {
    std::map<std::size_t, double> slowest; // milliseconds, by height
    double all = 0;                        // milliseconds of all ranks
    std::size_t longest_message = 0;       // bytes
    std::size_t most_memory = 0;           // bytes of messages that a rank holds at once
    std::size_t heard = 0;
    bool found = false; // the rank that differs
};

gpuprof::report report_of(std::size_t rank, std::size_t ranges, std::size_t metrics) {
    std::mt19937 random{static_cast<unsigned>(rank)};
    std::normal_distribution<double> near{1, 0.01};
    gpuprof::report_contents made;
    made.device = "simulated GPU";
    for (std::size_t i = 0; i < metrics; ++i) {
        made.metrics.emplace_back();
        made.metrics.back().name = "smsp__metric_with_a_name_" + std::to_string(i) + ".sum";
    }
    for (std::size_t i = 0; i < ranges; ++i) {
        made.ranges.push_back({"range " + std::to_string(i), gpuprof::report_range::top, 1, {i}});
        for (std::size_t k = 0; k < metrics; ++k) made.values.push_back(1e6 * near(random));
    }
    if (rank == 7) made.values[0] = 2e6;
    return gpuprof::report{std::move(made)};
}

// The message of a rank, after all below it.
std::string pass_on(std::size_t rank, std::size_t size, std::size_t ranges, std::size_t metrics, cost& into) {
    tree_place const place{rank, size};
    auto const below = place.below();
    std::vector<std::string> messages;
    for (std::size_t i = 1; i < below.size(); ++i) messages.push_back(pass_on(below[i], size, ranges, metrics, into));
    gpuprof::report const mine = report_of(rank, ranges, metrics);
    std::clock_t const begin = std::clock();
    auto all = rank_message::of(mine, rank, false);
    for (std::string const& each : messages) {
        rank_message other;
        if (!rank_message::read(each, other)) std::abort();
        all.merge(std::move(other));
    }
    std::string written = all.written();
    double const took = 1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    double& slowest = into.slowest[place.height()];
    slowest = std::max(slowest, took);
    into.all += took;
    into.longest_message = std::max(into.longest_message, written.size());
    std::size_t longest = 0; // one is taken after another
    for (std::string const& each : messages) longest = std::max(longest, each.size());
    into.most_memory = std::max(into.most_memory, 2 * (longest + written.size())); // each as bytes and as rows
    if (rank == 0) {
        into.heard = all.heard;
        auto const outliers = all.rows.front().values.outliers();
        into.found = !outliers.empty() && outliers.front().rank == 7;
    }
    return written;
}

} // namespace

int main(int count, char** arguments) {
    auto const number = [&](int at, std::size_t otherwise) {
        return count > at ? static_cast<std::size_t>(std::strtoul(arguments[at], nullptr, 10)) : otherwise;
    };
    std::size_t const most = number(1, 10'000), ranges = number(2, 200), metrics = number(3, 4);
    std::printf("%zu ranges x %zu metrics, every value different\n", ranges, metrics);
    std::printf("%8s %8s %16s %18s %18s %16s %s\n", "ranks", "levels", "a rank's message", "memory of a rank",
                "critical path", "all ranks", "outlier found");
    bool right = true;
    for (std::size_t size = 10; size <= most; size *= 10) {
        cost of;
        static_cast<void>(pass_on(0, size, ranges, metrics, of));
        double path = 0;
        for (auto const& [height, slowest] : of.slowest) path += slowest;
        std::printf("%8zu %8zu %13.1f KB %15.2f MB %15.1f ms %13.0f ms %s\n", size, tree_place{0, size}.height(),
                    static_cast<double>(of.longest_message) / 1e3, static_cast<double>(of.most_memory) / 1e6, path,
                    of.all, of.found ? "yes" : "no");
        right = right && of.found && of.heard == size;
    }
    return right ? 0 : 1;
}
