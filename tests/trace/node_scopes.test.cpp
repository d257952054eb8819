// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which scope a node of a graph belongs to: that of its capture, whoever launches the graph.
#include <gpuprof/trace/node_scopes.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <string>

#include <gpuprof/scope.hpp>
#include <gpuprof/trace/tracer.hpp>

#include "support/paper_activity.hpp"
#include "support/sanitized.hpp"

namespace node_scopes_test {

namespace activity = gpuprof::activity;
namespace abi = gpuprof::abi;
using gpuprof::scope;
using gpuprof::detail::node_scopes;
using test::paper_activity;

namespace {

constexpr auto kernels = activity::kinds<activity::kernel>;
using kernel_tracer = gpuprof::tracer<activity::kind_list<activity::kernel>>;

// The path of each kernel's scope, by its node; 0 for kernels of no graph.
std::map<std::uint64_t, std::string> paths(kernel_tracer::batch const& batch) {
    std::map<std::uint64_t, std::string> all;
    batch.visit(
        [&](activity::kernel const& it) { all[it.graph_node.value_or(0)] = batch.scope_path(batch.scope_of(it)); });
    return all;
}

// Memory of this process, in bytes.
std::size_t resident() {
    std::ifstream file{"/proc/self/statm"};
    std::size_t all = 0, pages = 0;
    file >> all >> pages;
    return pages * 4096;
}

} // namespace

TEST_CASE("a clone has its original's scope, whichever of the two callbacks comes first") {
    node_scopes nodes;
    nodes.created(1, 10);
    nodes.created(2, 0); // captured in no scope
    nodes.cloned(11, 1);
    nodes.created(11, 99); // the scope around cuGraphInstantiate
    nodes.created(12, 99);
    nodes.cloned(12, 2);
    nodes.cloned(13, 2);
    nodes.created(13, 99);
    CHECK(nodes.scope_of(1) == 10);
    CHECK(nodes.scope_of(11) == 10);
    CHECK(nodes.scope_of(2) == 0);
    CHECK(nodes.scope_of(12) == 0);
    CHECK(nodes.scope_of(13) == 0);
    CHECK(nodes.scope_of(4711) == 0);
}

TEST_CASE("nodes that were destroyed are known until so many others were, and not longer") {
    node_scopes nodes;
    std::uint64_t id = 0;
    for (std::size_t i = 0; i < node_scopes::most_ended; ++i) {
        nodes.created(++id, 7);
        nodes.destroyed(id);
    }
    CHECK(nodes.size() == node_scopes::most_ended);
    CHECK(nodes.scope_of(1) == 7);
    nodes.created(++id, 7); // one that lives
    std::uint64_t const living = id;
    for (int i = 0; i < 1'000; ++i) {
        nodes.created(++id, 8);
        nodes.destroyed(id);
    }
    nodes.destroyed(4711'4711); // never heard of
    CHECK(nodes.size() == node_scopes::most_ended + 1);
    CHECK(nodes.scope_of(1'000) == 0);
    CHECK(nodes.scope_of(1'001) == 7);
    CHECK(nodes.scope_of(living) == 7);
}

TEST_CASE("what a graph's node does belongs to the scope that captured it, other kernels to the scope of their call") {
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    CHECK_FALSE(cupti.subscribed()); // nobody pays who opens no scope
    {
        scope const model{trace, "model"};
        {
            scope const layer{trace, "layer 1"};
            cupti.make_node(1);
        }
        {
            scope const layer{trace, "layer 2"};
            cupti.make_node(2);
        }
    }
    cupti.make_node(3); // in no scope
    {
        scope const instantiate{trace, "instantiate"};
        for (std::uint64_t const node : {1u, 2u, 3u}) {
            cupti.make_node(100 + node);
            cupti.clone_node(100 + node, node);
        }
    }
    {
        scope const step{trace, "step"};
        cupti.launch_graph({101, 102, 103});
        cupti.launch("plain");
    }
    cupti.launch_graph({101});
    for (std::uint64_t const node : {1u, 2u, 3u, 101u, 102u, 103u})
        cupti.destroy_node(node); // before its records are read
    auto const batch = *trace.try_flush();
    CHECK(paths(batch) == std::map<std::uint64_t, std::string>{
                              {0, "step"}, {101, "model/layer 1"}, {102, "model/layer 2"}, {103, "step"}});
    CHECK_FALSE(batch.unknown_nodes());
    REQUIRE(trace.try_finish());
    CHECK_FALSE(cupti.subscribed());
}

TEST_CASE("where another tool has CUPTI's callbacks, nodes have the scope of the launch, and the batch says why") {
    paper_activity cupti;
    cupti.take_subscriber();
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    {
        scope const captured{trace, "capture"};
        cupti.make_node(1);
    }
    {
        scope const step{trace, "step"};
        cupti.launch_graph({1});
    }
    auto const batch = *trace.try_flush();
    CHECK(paths(batch) == std::map<std::uint64_t, std::string>{{1, "step"}});
    REQUIRE(batch.unknown_nodes());
    CHECK(batch.unknown_nodes()->code == gpuprof::errc::busy);
}

TEST_CASE("a million replays of a graph leave memory as it was, and each node with the scope of its capture") {
    std::size_t const replays = sanitized ? 20'000 : 1'000'000;
    paper_activity cupti;
    auto trace = *kernel_tracer::try_begin(cupti.machine, kernels);
    for (std::uint64_t const node : {1u, 2u, 3u}) {
        scope const captured{trace, node == 1 ? "first" : node == 2 ? "second" : "third"};
        cupti.make_node(node);
    }
    std::size_t seen = 0, wrong = 0, before = 0;
    for (std::size_t i = 0; i < replays; ++i) {
        {
            scope const replay{trace, "replay"};
            cupti.launch_graph({1, 2, 3});
        }
        if (i % 5'000 != 4'999) continue;
        auto const batch = *trace.try_flush();
        CHECK(batch.losses().complete());
        std::uint64_t const first = batch.scopes().empty() ? 0 : 1; // scopes are numbered from 1 on as they come
        batch.visit([&](activity::kernel const& it) {
            ++seen;
            wrong += batch.scope_of(it) != first + *it.graph_node - 1;
        });
        if (i < replays / 10) before = resident();
    }
    CHECK(seen == 3 * replays);
    CHECK(wrong == 0);
    if (!sanitized) {
        std::size_t const after = resident();
        CHECK(after < before + (1u << 20));
        MESSAGE(replays << " replays: " << before << " bytes, then " << after);
    }
}

} // namespace node_scopes_test
