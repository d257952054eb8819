// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When CTAs begin on an SM, and how soon after one has ended: each writes its SM and the cycles of its begin and its end.
#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"

namespace {

struct seen {
    unsigned sm;
    unsigned cta;
    long long begin;
    long long end;
};

// `steps` dependent FFMAs; then each thread stores `stores` words, a line each, which are on their way when the CTA ends.
__global__ void traced(unsigned steps, unsigned stores, seen* all, float* far) {
    long long const begin = clock64();
    float value = static_cast<float>(threadIdx.x);
#pragma unroll 1
    for (unsigned i = 0; i < steps; i += 32)
        unrolled<32>([&](unsigned) { asm volatile("fma.rn.f32 %0, %0, %0, 0f3F000000;" : "+f"(value)); });
    unsigned sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    std::size_t const at = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < stores; ++i) far[((i << 20) + at * 32) % (64u << 20)] = value;
    if (threadIdx.x == 0) all[blockIdx.x] = {sm, blockIdx.x, begin, clock64()};
}

double quantile(std::vector<double> all, double share) {
    if (all.empty()) return 0;
    std::sort(all.begin(), all.end());
    return all[static_cast<std::size_t>(share * static_cast<double>(all.size() - 1) + 0.5)];
}

using by_sm = std::map<unsigned, std::vector<seen>>; // CTAs of an SM by their begins

// From one begin on an SM to the next: the first `places` of them, or the others.
std::vector<double> gaps(by_sm const& sms, std::size_t places, bool first) {
    std::vector<double> all;
    for (auto const& [sm, ctas] : sms)
        for (std::size_t i = 1; i < ctas.size(); ++i)
            if ((i < places) == first) all.push_back(static_cast<double>(ctas[i].begin - ctas[i - 1].begin));
    return all;
}

// Of an SM that is full: from the end of a CTA to the begin of the one that takes its place.
std::vector<double> turns(by_sm const& sms, std::size_t places) {
    std::vector<double> all;
    for (auto const& [sm, ctas] : sms) {
        std::vector<long long> ends;
        for (seen const& each : ctas) ends.push_back(each.end);
        std::sort(ends.begin(), ends.end());
        for (std::size_t i = places; i < ctas.size(); ++i)
            all.push_back(static_cast<double>(ctas[i].begin - ends[i - places]));
    }
    return all;
}

// From a CTA of an SM to the next one there, in the order of the grid.
std::vector<double> strides(by_sm const& sms) {
    std::vector<double> all;
    for (auto const& [sm, ctas] : sms)
        for (std::size_t i = 1; i < ctas.size(); ++i)
            all.push_back(static_cast<double>(ctas[i].cta) - static_cast<double>(ctas[i - 1].cta));
    return all;
}

} // namespace

void cta_begins(time_table& table) {
    constexpr std::size_t far_bytes = std::size_t{256} << 20;
    constexpr unsigned most_ctas = 33792;
    struct {
        char const* name;
        unsigned grid, block, steps, stores, shared;
    } const shapes[]{{"32_short", 33792, 32, 0, 0, 0},       {"64_short", 33792, 64, 0, 0, 0},
                     {"128_short", 33792, 128, 0, 0, 0},     {"256_short", 33792, 256, 0, 0, 0},
                     {"1024_short", 8448, 1024, 0, 0, 0},    {"64_32", 33792, 64, 32, 0, 0},
                     {"256_32", 33792, 256, 32, 0, 0},       {"256_stores", 8448, 256, 0, 1, 0},
                     {"256_far_stores", 8448, 256, 0, 8, 0}, {"32_long", 8448, 32, 4096, 0, 0},
                     {"64_long", 8448, 64, 2048, 0, 0},      {"128_long", 4224, 128, 1024, 0, 0},
                     {"256_long", 4224, 256, 1024, 0, 0},    {"512_long", 2112, 512, 1024, 0, 0},
                     {"1024_long", 1056, 1024, 1024, 0, 0},  {"256_long_shared_100k", 1056, 256, 1024, 0, 100}};
    CHECK_CUDA(cudaFuncSetAttribute(traced, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    for (auto const& s : shapes) {
        std::string const name = std::string("cta_") + s.name;
        if (!table.wants(name)) continue;
        auto* const memory = static_cast<unsigned char*>(table.memory(far_bytes + most_ctas * sizeof(seen)));
        auto* const where = reinterpret_cast<seen*>(memory + far_bytes);
        int fit = 0;
        CHECK_CUDA(
            cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, traced, static_cast<int>(s.block), s.shared * 1024));
        auto const places = static_cast<std::size_t>(fit);
        auto const of = [&](char const* what, std::string const& explained,
                            std::function<double(by_sm const&)> const& value) {
            table.clocked(name + "_" + what, "cycles",
                          explained + "; grid " + std::to_string(s.grid) + " block " + std::to_string(s.block) + ", " +
                              std::to_string(s.steps) + " FFMAs, " + std::to_string(s.stores) + " stores",
                          [&] {
                              traced<<<s.grid, s.block, s.shared * 1024>>>(s.steps, s.stores, where,
                                                                           reinterpret_cast<float*>(memory));
                              std::vector<seen> all(s.grid);
                              CHECK_CUDA(cudaMemcpy(all.data(), where, s.grid * sizeof(seen), cudaMemcpyDeviceToHost));
                              by_sm sms;
                              for (seen const& each : all) sms[each.sm].push_back(each);
                              for (auto& [sm, ctas] : sms)
                                  std::sort(ctas.begin(), ctas.end(),
                                            [](seen const& a, seen const& b) { return a.begin < b.begin; });
                              return value(sms);
                          });
        };
        of("lasts", "from the first instruction of a CTA to its last but the store, the median", [](by_sm const& sms) {
            std::vector<double> all;
            for (auto const& [sm, ctas] : sms)
                for (seen const& each : ctas) all.push_back(static_cast<double>(each.end - each.begin));
            return quantile(all, 0.5);
        });
        for (unsigned percent : {10u, 50u, 90u}) {
            std::string const share = std::to_string(percent);
            of(("first_gap_" + share).c_str(), "from begin to begin on an SM that has room, of the first CTAs",
               [&](by_sm const& sms) { return quantile(gaps(sms, places, true), percent / 100.0); });
            of(("gap_" + share).c_str(), "from begin to begin on an SM, of later CTAs",
               [&](by_sm const& sms) { return quantile(gaps(sms, places, false), percent / 100.0); });
            of(("turn_" + share).c_str(), "from an end on an SM to the begin in its place; negative: it had room",
               [&](by_sm const& sms) { return quantile(turns(sms, places), percent / 100.0); });
            of(("stride_" + share).c_str(), "from a CTA of an SM to the next there, in CTAs of the grid",
               [&](by_sm const& sms) { return quantile(strides(sms), percent / 100.0); });
        }
    }
}
