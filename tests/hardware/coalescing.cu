// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How requests of several SMs for the same sectors come together before L2, by experiments on a GPU. Chosen SMs read the same
// memory, each a while after the other; L2's sectors from L1 tell how many requests were left. Prints
//   where: which SM each CTA of a grid comes to
//   groups: SMs whose requests are joined, found by pairs of SMs that read at the same moment
//   delays: sectors that are left when two SMs of a group read some time apart, from L2 and from device memory
//   sizes: when so many SMs of a group, or of all, read at the same moment
// The embedded GPU's model/request_coalescer.hpp is made after it.
// -arch=sm_90
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include <gpuprof/gpuprof.hpp>

namespace {

constexpr unsigned most_sms = 160;
constexpr unsigned threads = 256;
constexpr std::size_t read_bytes = 64 << 10; // by each SM that takes part
constexpr std::size_t sectors = read_bytes / 32;
constexpr std::uint16_t idle = 0xffff;
using gpuprof::metric;
constexpr auto l2_reads = metric<"lts__t_sectors_srcunit_tex_op_read.sum">;

struct plan {
    std::uint16_t delay[most_sms]; // of each SM, in steps of 32 ns
};

__device__ std::uint64_t now() {
    std::uint64_t time;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}
__device__ unsigned this_sm() {
    unsigned sm;
    asm volatile("mov.u32 %0, %smid;" : "=r"(sm));
    return sm;
}

// One CTA an SM. All begin at the next moment but one at which the timer is a multiple of 1.05 ms: they come there at once.
__global__ void read_together(plan p, uint4 const* from, uint4* nothing) {
    unsigned const sm = this_sm();
    if (p.delay[sm] == idle) return;
    __shared__ std::uint64_t begin;
    if (threadIdx.x == 0) begin = ((now() >> 20) + 2 << 20) + p.delay[sm] * 32u;
    __syncthreads();
    while (now() < begin) {}
    uint4 all{};
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < read_bytes / sizeof(uint4); i += threads) {
        uint4 const one = from[i];
        all.x ^= one.x, all.y ^= one.y, all.z ^= one.z, all.w ^= one.w;
    }
    if (all.x == 0x12345678) *nothing = all;
}

__global__ void tell_sm(unsigned* sm, unsigned* order, unsigned* next, int wait) {
    if (threadIdx.x != 0) return;
    sm[blockIdx.x] = this_sm();
    order[blockIdx.x] = atomicAdd(next, 1u);
    std::uint64_t const end = now() + static_cast<unsigned>(wait);
    while (now() < end) {}
}

void check(cudaError_t status, char const* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::exit(2);
}

class experiment {
public:
    experiment() : gpu_{gpuprof::open_device()} {
        cudaDeviceProp properties;
        check(cudaGetDeviceProperties(&properties, 0), "properties");
        sms_ = static_cast<unsigned>(properties.multiProcessorCount);
        shared_ = static_cast<int>(properties.sharedMemPerBlockOptin) - 1024;
        check(cudaFuncSetAttribute(read_together, cudaFuncAttributeMaxDynamicSharedMemorySize, shared_),
              "shared memory");
        check(cudaMalloc(&memory_, bytes), "memory");
        check(cudaMemset(memory_, 0, bytes), "memory");
        check(cudaMalloc(&nothing_, sizeof(uint4)), "memory");
    }
    [[nodiscard]] unsigned sms() const { return sms_; }

    // Sectors that L2 was asked for in each of the plans. @param cold from device memory: each plan has memory of its own
    std::vector<double> measure(std::vector<plan> const& plans, bool cold) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < plans.size(); ++i) names.push_back("plan " + std::to_string(i));
        gpuprof::profiler prof{gpu_, l2_reads};
        for (auto pass : prof.passes()) {
            for (std::size_t i = 0; i < plans.size(); ++i) {
                if (cold) next_ = (next_ + read_bytes) % (bytes - read_bytes);
                else launch(plans[i]); // brings it to L2
                gpuprof::scope one{prof, names[i]};
                launch(plans[i]);
            }
        }
        gpuprof::report const report = prof.report();
        std::vector<double> counted;
        for (std::string const& name : names) counted.push_back(report[name][l2_reads].value());
        return counted;
    }

    void tell_places(unsigned grid, unsigned block, int shared, int wait) {
        unsigned* told = nullptr;
        check(cudaMalloc(&told, (2 * grid + 1) * sizeof(unsigned)), "memory");
        check(cudaMemset(told, 0, (2 * grid + 1) * sizeof(unsigned)), "memory");
        check(cudaFuncSetAttribute(tell_sm, cudaFuncAttributeMaxDynamicSharedMemorySize, shared), "shared memory");
        tell_sm<<<grid, block, shared>>>(told, told + grid, told + 2 * grid, wait);
        check(cudaDeviceSynchronize(), "places");
        std::vector<unsigned> sm(grid);
        check(cudaMemcpy(sm.data(), told, grid * sizeof(unsigned), cudaMemcpyDeviceToHost), "copy");
        std::printf("where: grid %u, block %u, %d bytes shared, each CTA waits %d ns:", grid, block, shared, wait);
        for (unsigned const each : sm) std::printf(" %u", each);
        std::printf("\n");
        cudaFree(told);
    }
    [[nodiscard]] int most_shared() const { return shared_; }

private:
    static constexpr std::size_t bytes = std::size_t{4} << 30;

    void launch(plan const& p) {
        read_together<<<sms_, threads, static_cast<std::size_t>(shared_)>>>(p, memory_ + next_ / sizeof(uint4),
                                                                            nothing_);
        check(cudaDeviceSynchronize(), "launch");
    }

    gpuprof::device gpu_;
    unsigned sms_ = 0;
    int shared_ = 0;
    uint4* memory_ = nullptr;
    uint4* nothing_ = nullptr;
    std::size_t next_ = 0;
};

plan nobody() {
    plan p;
    std::fill(std::begin(p.delay), std::end(p.delay), idle);
    return p;
}
plan of(std::vector<unsigned> const& sms, std::size_t many) {
    plan p = nobody();
    for (std::size_t i = 0; i < many; ++i) p.delay[sms[i]] = 0;
    return p;
}

} // namespace

int main() {
    experiment e;
    unsigned const sms = e.sms();
    for (unsigned const grid : {1u, 2u, 4u, 8u, 16u, 64u, sms}) e.tell_places(grid, 256, e.most_shared(), 20000);
    e.tell_places(2 * sms, 256, 0, 20000);
    e.tell_places(8 * sms, 256, 0, 50000);
    e.tell_places(4 * sms, 1024, 0, 50000);
    e.tell_places(4 * sms, 256, 0, 0);

    // An SM without a group is paired with all others that have none.
    std::vector<std::vector<unsigned>> groups;
    std::vector<bool> has_group(sms);
    for (unsigned first = 0; first < sms; ++first) {
        if (has_group[first]) continue;
        std::vector<unsigned> others;
        std::vector<plan> plans;
        for (unsigned other = first + 1; other < sms; ++other)
            if (!has_group[other]) {
                others.push_back(other);
                plans.push_back(of({first, other}, 2));
            }
        std::vector<unsigned> group{first};
        if (!plans.empty()) {
            auto const left = e.measure(plans, false);
            std::string line;
            for (std::size_t i = 0; i < others.size(); ++i) {
                double const share = left[i] / (2 * sectors);
                if (first == 0) line += ' ' + std::to_string(others[i]) + ':' + std::to_string(share).substr(0, 5);
                if (share < 0.9) group.push_back(others[i]);
            }
            if (first == 0) std::printf("groups: share left of the sectors of SM 0 and another:%s\n", line.c_str());
        }
        for (unsigned const each : group) has_group[each] = true;
        std::printf("groups: %zu SMs:", group.size());
        for (unsigned const each : group) std::printf(" %u", each);
        std::printf("\n");
        std::fflush(stdout);
        groups.push_back(std::move(group));
    }
    auto const& largest = *std::max_element(groups.begin(), groups.end(),
                                            [](auto const& a, auto const& b) { return a.size() < b.size(); });
    for (bool const cold : {false, true}) {
        char const* const from = cold ? "device memory" : "L2";
        if (largest.size() > 1) {
            std::vector<plan> plans;
            std::vector<unsigned> steps{0,  1,  2,  3,  4,  6,  8,  10,  12,  16,  20,
                                        24, 28, 32, 40, 48, 64, 96, 128, 256, 1024};
            for (unsigned const step : steps) {
                plans.push_back(of(largest, 2));
                plans.back().delay[largest[1]] = static_cast<std::uint16_t>(step);
            }
            auto const left = e.measure(plans, cold);
            std::printf("delays: from %s, ns and sectors left of %zu:", from, 2 * sectors);
            for (std::size_t i = 0; i < steps.size(); ++i) std::printf(" %u:%.0f", steps[i] * 32, left[i]);
            std::printf("\n");
        }
        std::vector<unsigned> all(sms);
        for (unsigned i = 0; i < sms; ++i) all[i] = i;
        for (auto const* set : {&largest, static_cast<std::vector<unsigned> const*>(&all)}) {
            std::vector<plan> plans;
            std::vector<std::size_t> sizes;
            for (std::size_t many = 1; many <= set->size(); many = many < 20 ? many + 1 : many + 16)
                sizes.push_back(many);
            if (sizes.back() != set->size()) sizes.push_back(set->size());
            for (std::size_t const many : sizes) plans.push_back(of(*set, many));
            auto const left = e.measure(plans, cold);
            std::printf("sizes: from %s, SMs of %s and sectors left of %zu each:", from,
                        set == &all ? "all" : "a group", sectors);
            for (std::size_t i = 0; i < sizes.size(); ++i) std::printf(" %zu:%.0f", sizes[i], left[i]);
            std::printf("\n");
        }
        std::fflush(stdout);
    }
    return 0;
}
