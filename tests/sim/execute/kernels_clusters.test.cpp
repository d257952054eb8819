// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clusters of several blocks: who is who, each other's shared memory, barriers, and what goes wrong.
#include <array>
#include <map>

#include "support/kernel_fixture.hpp"

namespace kernels_clusters_test {

using namespace gpuprof_test;
using sim::launch_failure;

struct clusters : machine {
    explicit clusters(sim::extent3 blocks, unsigned sms = 132, unsigned threads = 1) : machine{"clusters.sm_90.ptx"} {
        cluster = blocks;
        options.sm_count = sms;
        options.threads = threads;
        options.alone_steps = 1;
    }
};

TEST_CASE("a block of a cluster knows its place in three dimensions") {
    struct layout {
        sim::extent3 grid, cluster;
    };
    for (auto const& [grid, cluster] : {layout{{8, 1, 1}, {8, 1, 1}}, layout{{4, 6, 4}, {2, 3, 2}},
                                        layout{{3, 2, 5}, {1, 2, 1}}, layout{{2, 2, 2}, {1, 1, 1}}}) {
        clusters m{cluster};
        auto const out = m.zeros<unsigned>(grid.count() * 16);
        m.run("who", grid, {1}, arguments{out});
        for (unsigned z = 0; z < grid.z; ++z)
            for (unsigned y = 0; y < grid.y; ++y)
                for (unsigned x = 0; x < grid.x; ++x) {
                    unsigned const rx = x % cluster.x, ry = y % cluster.y, rz = z % cluster.z;
                    unsigned const size = cluster.x * cluster.y * cluster.z;
                    // A block alone maps its own address to itself.
                    unsigned const says = 1 | 2 | (size == 1 ? 4 : 0) | 8;
                    std::array<unsigned, 16> const expected{rx,
                                                            ry,
                                                            rz,
                                                            cluster.x,
                                                            cluster.y,
                                                            cluster.z,
                                                            rx + cluster.x * (ry + cluster.y * rz),
                                                            size,
                                                            x / cluster.x,
                                                            y / cluster.y,
                                                            z / cluster.z,
                                                            grid.x / cluster.x,
                                                            grid.y / cluster.y,
                                                            grid.z / cluster.z,
                                                            1,
                                                            says};
                    for (std::size_t i = 0; i < 16; ++i) {
                        CAPTURE(i);
                        CHECK(out[(x + grid.x * (y + std::size_t{grid.y} * z)) * 16 + i] == expected[i]);
                    }
                }
    }
}

TEST_CASE("without clusters each block is one, which nobody asked for") {
    clusters m{{0, 0, 0}};
    auto const out = m.zeros<unsigned>(3 * 16);
    m.run("who", {3}, {1}, arguments{out});
    for (unsigned b = 0; b < 3; ++b) {
        CHECK(out[b * 16 + 6] == 0);
        CHECK(out[b * 16 + 7] == 1);
        CHECK(out[b * 16 + 8] == b);
        CHECK(out[b * 16 + 11] == 3);
        CHECK(out[b * 16 + 14] == 0);
    }
}

TEST_CASE("blocks of a cluster read each other's shared memory, whatever the SMs and host threads") {
    for (unsigned const sms : {1u, 3u, 132u})
        for (unsigned const threads : {1u, 3u}) {
            clusters m{{4, 1, 1}, sms, threads};
            constexpr std::size_t blocks = 20;
            auto const in = spread<int>(blocks * 64, -1000, 1000);
            auto const din = m.array(in);
            auto const out = m.zeros<int>(blocks * 3 * 64);
            m.run("sum_of_cluster", {blocks}, {64}, arguments{din, out});
            std::size_t equal = 0;
            for (std::size_t b = 0; b < blocks; ++b)
                for (std::size_t round = 0; round < 3; ++round)
                    for (std::size_t t = 0; t < 64; ++t) {
                        int sum = 0;
                        for (std::size_t r = 0; r < 4; ++r)
                            sum += in[(b / 4 * 4 + r) * 64 + (t ^ r)] + static_cast<int>(round);
                        equal += out[(b * 3 + round) * 64 + t] == sum;
                    }
            CHECK(equal == blocks * 3 * 64);
        }
}

TEST_CASE("clusters of a cooperative launch stay together, too") {
    clusters m{{4, 1, 1}, 132, 4};
    m.cooperative = true;
    auto const in = spread<int>(8 * 64, -1000, 1000);
    auto const din = m.array(in);
    auto const out = m.zeros<int>(8 * 3 * 64);
    m.run("sum_of_cluster", {8}, {64}, arguments{din, out});
    for (std::size_t b = 0; b < 8; ++b) {
        int sum = 0;
        for (std::size_t r = 0; r < 4; ++r) sum += in[(b / 4 * 4 + r) * 64 + (5 ^ r)];
        CHECK(out[b * 3 * 64 + 5] == sum);
    }
}

TEST_CASE("atomics on shared memory of other blocks count every one") {
    clusters m{{2, 2, 1}};
    constexpr std::size_t each = 500;
    auto const in = spread<unsigned>(4 * each, 0, 1e6);
    auto const din = m.array(in);
    auto const bins = m.zeros<unsigned>(4 * 32);
    auto const olds = m.zeros<unsigned>(1);
    m.run("histogram", {2, 2, 1}, {96}, arguments{din, static_cast<int>(each), bins, olds});
    std::map<unsigned, unsigned> expected;
    for (unsigned const value : in) ++expected[value % 128];
    unsigned sum_of_olds = 0;
    for (auto const& [bin, count] : expected) sum_of_olds += count * (count - 1) / 2;
    CHECK(olds[0] == sum_of_olds);
    for (unsigned bin = 0; bin < 128; ++bin) CHECK(bins[bin] == expected[bin]);
}

TEST_CASE("a block arrives at the mbarrier of another one and waits for it") {
    for (unsigned const size : {2u, 5u, 16u}) {
        clusters m{{size, 1, 1}};
        auto const out = m.zeros<int>(std::size_t{2} * size);
        constexpr int rounds = 7;
        m.run("ring", {2 * size}, {32}, arguments{out, rounds});
        std::vector<int> value(std::size_t{2} * size);
        for (std::size_t b = 0; b < value.size(); ++b) value[b] = static_cast<int>(b);
        for (int round = 0; round < rounds; ++round) {
            auto next = value;
            for (std::size_t b = 0; b < value.size(); ++b)
                next[b] = value[b / size * size + (b % size + size - 1) % size] * 3 + 1;
            value = next;
        }
        CHECK(out.values() == value);
    }
}

TEST_CASE("asynchronous stores and sums complete on the receiver's mbarrier") {
    clusters m{{4, 1, 1}};
    auto const out = m.zeros<int>(8 * 65);
    m.run("async_stores", {8}, {32}, arguments{out});
    for (int b = 0; b < 8; ++b) {
        for (int i = 0; i < 16; ++i)
            CHECK(out[static_cast<std::size_t>(b * 65 + i)] == (b / 4 * 4 + i / 4) * 100 + b % 4 + i % 4);
        CHECK(out[static_cast<std::size_t>(b * 65 + 64)] == 1 + 2 + 3 + 4);
    }
}

TEST_CASE("a multicast gives a tile to the blocks of its mask, and reads it once") {
    for (unsigned const mask : {0b1111u, 0b0101u, 0b1000u}) {
        clusters m{{4, 1, 1}};
        auto const in = spread<int>(2 * 64, -1000, 1000);
        auto const din = m.array(in);
        auto const out = m.zeros<int>(8 * 64);
        m.run("multicast", {8}, {64}, arguments{din, out, mask});
        std::size_t equal = 0;
        for (unsigned b = 0; b < 8; ++b)
            for (unsigned t = 0; t < 64; ++t) {
                unsigned const giver = (b % 4 + 3) % 4;
                int const tile = mask >> giver & 1 ? in[b / 4 * 64 + t] : -1;
                equal += out[b * 64 + t] == tile * 10 + static_cast<int>(giver);
            }
        CHECK(equal == 8 * 64);
        CHECK(m.counted[sim::raw_counter::l2_sectors_tex_read] == 2 * 64 * sizeof(int) / 32);
    }
}

TEST_CASE("the cluster's barrier needs only threads that have not exited") {
    clusters m{{3, 1, 1}};
    auto const out = m.zeros<int>(6);
    m.run("leaves_early", {6}, {128}, arguments{out});
    for (std::size_t b = 0; b < 6; ++b) CHECK(out[b] == static_cast<int>(b / 3 * 3 + (b + 1) % 3 + 5));
}

TEST_CASE("what reaches for no shared memory of the cluster is a fault that says so") {
    struct wrong {
        int how;
        launch_failure kind;
        char const* text;
    };
    for (wrong const& each : {wrong{0, launch_failure::illegal_address, "a block that the cluster does not have"},
                              wrong{1, launch_failure::illegal_address, "shared memory of another block"},
                              wrong{2, launch_failure::illegal_address, "has exited"},
                              wrong{3, launch_failure::misaligned_address, "shared memory"},
                              wrong{4, launch_failure::deadlock, "cannot complete"}})
        for (bool const cooperative : {false, true}) {
            clusters m{{2, 1, 1}};
            m.cooperative = cooperative;
            auto const out = m.zeros<int>(1);
            auto const done = m.launch("goes_wrong", {2}, {32}, arguments{each.how, out});
            REQUIRE(done.error);
            CAPTURE(each.how);
            CHECK(done.error->kind == each.kind);
            INFO(done.error->message());
            CHECK(done.error->message().find(each.text) != std::string::npos);
        }
}

TEST_CASE("a grid that is no multiple of its clusters, and a cluster that is too large, are refused") {
    auto const refused = [](sim::extent3 grid, sim::extent3 cluster) {
        clusters m{cluster};
        auto const out = m.zeros<unsigned>(64 * 16);
        auto const done = m.launch("who", grid, {1}, arguments{out});
        return done.error && done.error->kind == launch_failure::invalid_configuration;
    };
    CHECK(refused({3, 1, 1}, {2, 1, 1}));
    CHECK(refused({4, 3, 1}, {1, 2, 1}));
    CHECK(refused({2, 2, 2}, {1, 1, 3}));
    CHECK(refused({17, 1, 1}, {17, 1, 1}));
    CHECK(refused({2, 1, 1}, {2, 0, 1}));
    CHECK(!refused({16, 1, 1}, {16, 1, 1}));
}

// cluster_load and cluster_atomics of tests/hardware/clusters.cu, without what they do in global memory beside.
ptx_text const reaches_others{R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry loads(.param .u64 to) {
    .shared .align 4 .b8 mine[512];
    .reg .b32 %r<9>; .reg .b64 %d<4>;
    mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2; mov.u32 %r3, mine; add.u32 %r2, %r2, %r3;
    st.shared.u32 [%r2], %r1;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    mov.u32 %r5, 0; mov.u32 %r6, 0;
again:
    mapa.shared::cluster.u32 %r4, %r2, %r5;
    ld.shared::cluster.u32 %r7, [%r4];
    add.u32 %r6, %r6, %r7; add.u32 %r5, %r5, 1;
    .reg .pred %p; setp.ne.u32 %p, %r5, 4; @%p bra again;
    ld.param.u64 %d1, [to]; mov.u32 %r8, %ctaid.x; mad.lo.u32 %r8, %r8, 128, %r1; mul.wide.u32 %d2, %r8, 4;
    add.u64 %d1, %d1, %d2; st.global.u32 [%d1], %r6;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    ret;
}
.visible .entry atomics(.param .u64 from) {
    .shared .align 4 .b8 bins[512];
    .reg .b32 %r<9>; .reg .b64 %d<4>;
    ld.param.u64 %d1, [from]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %tid.x; mad.lo.u32 %r1, %r1, 128, %r2;
    mul.wide.u32 %d2, %r1, 4; add.u64 %d1, %d1, %d2; ld.global.u32 %r3, [%d1]; and.b32 %r3, %r3, 511;
    shr.u32 %r4, %r3, 7; and.b32 %r5, %r3, 127; shl.b32 %r5, %r5, 2; mov.u32 %r6, bins; add.u32 %r5, %r5, %r6;
    mapa.shared::cluster.u32 %r7, %r5, %r4;
    red.shared::cluster.add.u32 [%r7], 1;
    atom.shared::cluster.add.u32 %r8, [%r7], 2;
    st.global.u32 [%d1], %r8;
    barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;
    ret;
}
)"};

TEST_CASE("shared memory of other blocks goes out through L1, and takes none of the block's own wavefronts") {
    using enum sim::raw_counter;
    machine m{reaches_others};
    m.cluster = {4, 1, 1};
    constexpr unsigned blocks = 400, threads = 128;
    auto const out = m.zeros<unsigned>(blocks * threads);
    m.run("loads", {blocks}, {threads}, arguments{out});
    CHECK(out[5] == 20); // four times
    // H200 (tests/hardware/last_programs.txt): 3,200 wavefronts, 32,000 sectors missed, of which 12,800 are global memory's.
    CHECK(m.counted[shared_wavefronts_st] == 1600);
    CHECK(m.counted[shared_wavefronts_ld] == 1600);
    CHECK(m.counted[l1_sectors_cluster] == 32'000 - 12'800);

    std::vector<unsigned> numbers(blocks * threads);
    for (unsigned i = 0; i < numbers.size(); ++i) numbers[i] = i * 7919 % 100003;
    auto const in = m.array(numbers);
    m.run("atomics", {blocks}, {threads}, arguments{in});
    // There: 6,400 wavefronts, of which 3,200 are a store's and a load's, and 89,602 sectors missed, 12,800 of global memory.
    CHECK(m.counted[shared_wavefronts_atom] == 3200);
    CHECK(m.counted[shared_conflicts_atom] == 0);
    CHECK(m.counted[l1_sectors_cluster] == 89'602 - 12'800);
}

} // namespace kernels_clusters_test
