// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What was launched in each range of a collection, and whether every replay pass launched the same.
#ifndef GPUPROF_MEASURE_LAUNCH_LOG_HPP
#define GPUPROF_MEASURE_LAUNCH_LOG_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../core/error.hpp" // joined
#include "../detail/config.hpp"
#include "../detail/hash.hpp"
#include "../detail/shared.hpp"
#include "../hw/callbacks/graph_watch.hpp"
#include "../hw/callbacks/launch_watch.hpp"
#include "../hw/memory/reached_memory.hpp"
#include "../hw/machine/platform/mutex.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace detail {

// "saxpy<<<(4, 1, 1), (256, 1, 1)>>>", as the launch is written.
[[nodiscard]] inline std::string launch_text(hw::kernel_launch const& launch) {
    auto const triple = [](std::array<unsigned, 3> const& of) {
        return joined({"(", std::to_string(of[0]), ", ", std::to_string(of[1]), ", ", std::to_string(of[2]), ")"});
    };
    std::string shared;
    if (launch.dynamic_shared != 0) shared = joined({", ", std::to_string(launch.dynamic_shared)});
    return joined({launch.kernel.empty() ? "a kernel" : launch.kernel, "<<<", triple(launch.grid), ", ",
                   triple(launch.block), shared, ">>>"});
}

// Listens to a launch_watch while replay passes run. Ranges are known by the numbers that the
// hardware gets; a launch belongs to every range that is open. Launches may come from any thread;
// everything else belongs to the pass's.
class launch_log {
public:
    static constexpr std::size_t none = (std::numeric_limits<std::size_t>::max)();

    // Launches of a graph, by its number in graphs().
    struct graph_launches {
        std::size_t graph = 0;
        std::size_t times = 0;
    };
    // What one range launched in a pass, those inside it included.
    struct range_launches {
        std::size_t kernels = 0; // not those of graphs
        std::size_t graphs = 0;
        std::vector<graph_launches> of_graphs{}; // in the first pass
        std::size_t refused = 0;
        std::uint64_t work = 0;   // the sum of the launches' hashes: of names and configurations, in any order
        std::uint64_t last = 0;   // the last kernel's hash
        bool alike = true;        // every kernel has one name and one configuration
        std::size_t first = none; // its first kernel, in kept()
    };

    // A graph that was launched, as it was instantiated.
    struct launched_graph {
        abi::CUgraphExec executable = nullptr;
        detail::shared<hw::graph_kernels> nodes{}; // null: not known
        std::vector<hw::kernel_launch> kernels{};  // one a node
        [[nodiscard]] bool known() const noexcept { return unknown().empty(); }
        // Why the kernels are not known; empty: they are.
        [[nodiscard]] std::string_view unknown() const noexcept {
            return nodes.get() != nullptr ? nodes.get()->unknown : "it was instantiated before the profiler was made";
        }
    };

    // A range each kernel: the number in kept() of each kernel in the order of launches, or what is
    // not known.
    static constexpr std::size_t no_name = none - 1;    // one kernel of a graph that runs in no certain order
    static constexpr std::size_t any_number = none - 2; // a graph whose kernels are not known

    // @param with_facts the driver is asked what it knows of the launches that are kept, for
    // launch__ metrics
    void reset(bool auto_range, bool with_facts) {
        auto_range_ = auto_range;
        with_facts_ = with_facts;
        pass_ = 0;
        rows_.clear();
        first_rows_.clear();
        kept_.clear();
        graphs_.clear();
        sequence_.clear();
        before_graphs_ = until_graphs_ = 0;
        open_.clear();
        refused_.reset();
        refused_count_ = outside_ = differing_ = 0;
        out_of_memory_ = false;
    }

    void begin_pass() {
        platform::lock const held{mutex_};
        ++pass_;
        for (range_launches& each : rows_) each = {};
        if (auto_range_) {
            if (rows_.empty()) rows_.resize(1);
            open_.assign(1, 0);
        }
    }
    void enter(std::uint32_t id) {
        platform::lock const held{mutex_};
        if (id >= rows_.size()) rows_.resize(id + std::size_t{1});
        open_.push_back(id);
    }
    void leave() noexcept {
        platform::lock const held{mutex_};
        if (!open_.empty()) open_.pop_back();
    }
    void end_pass() {
        platform::lock const held{mutex_};
        open_.clear();
        if (pass_ == 1) {
            first_rows_ = rows_;
            return;
        }
        for (std::size_t id = 0; id < first_rows_.size() && id < rows_.size(); ++id) {
            range_launches const &then = first_rows_[id], &now = rows_[id];
            if (now.work == then.work && now.kernels == then.kernels && now.graphs == then.graphs) continue;
            if (differing_++ == 0)
                first_difference_ = {id, pass_, then.kernels + then.graphs, now.kernels + now.graphs};
        }
    }

    // The first pass's launches say there what they reach; null: nowhere.
    void fill(hw::reached_memory* reached) noexcept { reached_ = reached; }

    // Launches from here on are not the application's, or are again.
    void ignore(bool all) {
        platform::lock const held{mutex_};
        ignored_ = all;
    }

    // For hw::launch_watch.
    static void heard(void* self, hw::launch_event const& launch) { static_cast<launch_log*>(self)->add(launch); }
    // Asked for the reason of a refused launch.
    void on(device const& gpu) noexcept { gpu_ = &gpu; }
    // Asked for the kernels of graphs; null: they are not known.
    void know_graphs_by(hw::graph_watch const* watch) noexcept { graph_watch_ = watch; }

    struct difference {
        std::size_t range = 0;
        std::size_t pass = 0;
        std::size_t then = 0; // launches in the first pass
        std::size_t now = 0;
    };
    struct refusal {
        hw::kernel_launch launch;
        std::size_t range = none; // the innermost; none outside of every range
        std::string diagnosis;    // the machine's own words; may be empty
    };

    // Of the first pass, by the number of the range; one row with number 0 for a range per kernel.
    [[nodiscard]] std::vector<range_launches> const& ranges() const noexcept { return first_rows_; }
    [[nodiscard]] std::vector<hw::kernel_launch> const& kept() const noexcept { return kept_; }
    [[nodiscard]] std::vector<launched_graph> const& graphs() const noexcept { return graphs_; }
    // With auto_range: of the first pass. And how many of them came before the first graph's, and until
    // the last graph's end.
    [[nodiscard]] std::vector<std::size_t> const& sequence() const noexcept { return sequence_; }
    [[nodiscard]] std::size_t before_graphs() const noexcept { return before_graphs_; }
    [[nodiscard]] std::size_t until_graphs() const noexcept { return until_graphs_; }
    // Whether there was room for each kernel that was launched in the first pass.
    [[nodiscard]] bool kernels_are_kept() const noexcept {
        std::size_t kernels = 0;
        for (std::size_t const each : sequence_) kernels += each < kept_.size() ? 1 : 0;
        return !first_rows_.empty() && kernels >= first_rows_[0].kernels;
    }
    [[nodiscard]] std::size_t differing() const noexcept { return differing_; } // ranges, once a pass
    [[nodiscard]] difference const& first_difference() const noexcept { return first_difference_; }
    [[nodiscard]] std::size_t refused() const noexcept { return refused_count_; } // in all passes
    [[nodiscard]] std::optional<refusal> const& first_refusal() const noexcept { return refused_; }
    [[nodiscard]] std::size_t outside() const noexcept { return outside_; } // kernels outside of ranges, in all passes
    [[nodiscard]] bool out_of_memory() const noexcept { return out_of_memory_; }

    // Kernels whose configuration is remembered: the first of each range, or every one where each
    // is a range.
    static constexpr std::size_t most_kept = 65'536;

private:
    void add(hw::launch_event const& launch) noexcept {
        platform::lock const held{mutex_};
        if (ignored_) return;
#if GPUPROF_EXCEPTIONS
        try {
            record(launch);
        } catch (...) {
            out_of_memory_ = true;
        }
#else
        record(launch);
#endif
    }
    void record(hw::launch_event const& launch) {
        if (launch.status != abi::CUDA_SUCCESS) {
            ++refused_count_;
            for (std::uint32_t const id : open_) ++rows_[id].refused;
            if (!refused_) keep_refusal(launch);
            return;
        }
        if (open_.empty()) {
            ++outside_;
            return;
        }
        if (pass_ == 1 && reached_ != nullptr) reached_->add(launch, gpu_->driver(), open_.back());
        std::uint64_t const hash = hash_of(launch);
        std::size_t place = none;
        std::size_t const graph = launch.graph && pass_ == 1 ? number_of_graph(launch) : none;
        if (graph != none && auto_range_) keep_nodes(graph, rows_[0].graphs == 0);
        for (std::uint32_t const id : open_) {
            range_launches& row = rows_[id];
            row.work += hash;
            if (launch.graph) {
                ++row.graphs;
                if (graph != none) add_graph(row, graph);
                continue;
            }
            if (row.kernels++ != 0 && row.last != hash) row.alike = false;
            row.last = hash;
            if (pass_ != 1 || kept_.size() >= most_kept || (row.first != none && !auto_range_)) continue;
            if (place == none) {
                place = kept_.size();
                kept_.push_back(with_facts_ ? describe(launch, gpu_->driver()) : as_launched(launch));
                if (auto_range_) sequence_.push_back(place);
            }
            if (row.first == none) row.first = place;
        }
    }
    // The graph's place in graphs_, where it is put when it is launched first.
    [[nodiscard]] GPUPROF_COLD std::size_t number_of_graph(hw::launch_event const& launch) {
        detail::shared<hw::graph_kernels> nodes;
        if (graph_watch_ != nullptr) nodes = graph_watch_->find(launch.executable);
        for (std::size_t i = 0; i < graphs_.size(); ++i)
            if (graphs_[i].executable == launch.executable && graphs_[i].nodes.get() == nodes.get()) return i;
        launched_graph graph{launch.executable, std::move(nodes), {}};
        if (graph.known())
            for (hw::graph_kernel const& each : graph.nodes.get()->kernels) {
                hw::launch_event node = launch;
                node.graph = false;
                node.symbol = each.symbol.empty() ? nullptr : each.symbol.c_str();
                node.function = each.function;
                node.grid = each.grid;
                node.block = each.block;
                node.cluster = each.cluster;
                node.dynamic_shared = each.dynamic_shared;
                node.cooperative = each.cooperative;
                graph.kernels.push_back(with_facts_ ? describe(node, gpu_->driver()) : as_launched(node));
            }
        graphs_.push_back(std::move(graph));
        return graphs_.size() - 1;
    }
    GPUPROF_COLD static void add_graph(range_launches& row, std::size_t graph) {
        for (graph_launches& each : row.of_graphs)
            if (each.graph == graph) {
                ++each.times;
                return;
            }
        row.of_graphs.push_back({graph, 1});
    }
    // With auto_range each kernel of the graph is a range.
    GPUPROF_COLD void keep_nodes(std::size_t graph, bool is_first) {
        launched_graph const& launched = graphs_[graph];
        if (is_first) before_graphs_ = sequence_.size();
        bool const has_room = launched.kernels.size() <= most_kept - kept_.size();
        if (!launched.known() || !has_room) sequence_.push_back(any_number);
        else
            for (std::size_t i = 0; i < launched.kernels.size(); ++i) {
                if (!launched.nodes.get()->kernels[i].in_order) {
                    sequence_.push_back(no_name);
                    continue;
                }
                sequence_.push_back(kept_.size());
                kept_.push_back(launched.kernels[i]);
            }
        until_graphs_ = sequence_.size();
    }
    GPUPROF_COLD void keep_refusal(hw::launch_event const& launch) {
        refused_.emplace(refusal{as_launched(launch), open_.empty() || auto_range_ ? none : open_.back(),
                                 gpu_->machine().last_fault != nullptr ? gpu_->machine().last_fault(launch.context)
                                                                       : std::string{}});
    }
    [[nodiscard]] static std::uint64_t hash_of(hw::launch_event const& launch) noexcept {
        std::uint64_t hash =
            fnv1a(fnv1a_start, launch.symbol != nullptr ? std::string_view{launch.symbol} : std::string_view{});
        auto const mix = [&hash](std::uint64_t value) { hash = fnv1a(hash, value); };
        for (auto const* part : {&launch.grid, &launch.block, &launch.cluster})
            for (unsigned const dimension : *part) mix(dimension);
        mix(launch.dynamic_shared);
        mix(launch.graph ? 2u : launch.cooperative ? 1u : 0u);
        return hash ^ (hash >> 29);
    }

    device const* gpu_ = nullptr;
    hw::graph_watch const* graph_watch_ = nullptr;
    hw::reached_memory* reached_ = nullptr;
    platform::mutex mutex_;
    bool auto_range_ = false;
    bool with_facts_ = false;
    bool ignored_ = false;
    bool out_of_memory_ = false;
    std::size_t pass_ = 0;
    std::vector<range_launches> rows_;
    std::vector<range_launches> first_rows_;
    std::vector<std::uint32_t> open_;
    std::vector<hw::kernel_launch> kept_;
    std::vector<launched_graph> graphs_;
    std::vector<std::size_t> sequence_;
    std::size_t before_graphs_ = 0;
    std::size_t until_graphs_ = 0;
    std::optional<refusal> refused_;
    std::size_t refused_count_ = 0;
    std::size_t outside_ = 0;
    std::size_t differing_ = 0;
    difference first_difference_{};
};

} // namespace detail
GPUPROF_NAMESPACE_END

#endif // GPUPROF_MEASURE_LAUNCH_LOG_HPP
