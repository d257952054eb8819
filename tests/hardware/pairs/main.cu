// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of kernels, a bad one and a mended one: pair.hpp. What planted flaws are worth, to judge the advice of profilers.
//   pairs list                     CSV: name, expected finding, group (pair::held_back), kernels, how ncu names it
//   pairs findings                 CSV: id, meaning
//   pairs check                    runs both kernels of each pair and compares their results; exit status 1 if they differ
//   pairs time                     CSV of times
//   pairs once                     launches `warm_up`, then each kernel exactly once, for profilers
// then names of pairs, if not all, or one group of them, as --tune: those of groups.txt;
// --scale small for an interpreter.
#include <chrono>
#include <cstring>
#include <utility>

#include "pair.hpp"

KERNEL(warm_up)(unsigned* out) { *out = 1; }

namespace {

constexpr unsigned samples = 21; // of each kernel
constexpr float short_us = 20;   // a sample of a shorter kernel is a batch of launches
constexpr unsigned longest_batch = 50;

// False if the GPU does not take the launch, which it says on the standard error output: the other pairs still run. A kernel that
// fails ends the program, for its context is lost.
bool launch(std::function<void()> const& kernel, pair const& of) {
    kernel();
    cudaError_t const status = cudaGetLastError();
    if (status != cudaSuccess) std::fprintf(stderr, "%s: %s\n", of.name, cudaGetErrorString(status));
    return status == cudaSuccess;
}
bool launch_and_wait(std::function<void()> const& kernel, pair const& of) {
    bool const launched = launch(kernel, of);
    check_cuda(cudaDeviceSynchronize(), of.name);
    return launched;
}
bool launch_and_wait(launches const& both, pair const& of) {
    bool const bad = !both.bad || launch_and_wait(both.bad, of);
    return launch_and_wait(both.mended, of) && bad;
}

void list(std::vector<pair> const& chosen) {
    std::printf("name,expected,held_back,bad_kernel,mended_kernel,ncu,gpuprof\n");
    for (pair const& each : chosen) {
        finding const* const planted = std::find_if(std::begin(findings), std::end(findings), [&](finding const& f) {
            return f.id == std::string(each.expected);
        });
        std::printf("%s,%s,%d,%s,%s,\"%s\",%s\n", each.name, each.expected, each.held_back(), each.bad_kernel().c_str(),
                    each.mended_kernel().c_str(), planted->ncu, planted->gpuprof);
    }
}

int check(std::vector<pair> const& chosen, bool small) {
    std::size_t compared = 0;
    unsigned wrong = 0;
    for (pair const& each : chosen) {
        auto const begin = std::chrono::steady_clock::now();
        workspace memory(small);
        launches const both = each.set_up(memory);
        bool const launched = launch_and_wait(both, each);
        comparison const c = memory.compare();
        bool const equal = launched && c.compared > 0 && c.different == 0;
        std::chrono::duration<double> const took = std::chrono::steady_clock::now() - begin;
        std::printf("%-32s %10zu compared, %zu different, worst %.1e, %.1f s%s\n", each.name, c.compared, c.different,
                    c.worst, took.count(), equal ? "" : " NO");
        std::fflush(stdout);
        compared += c.compared;
        wrong += !equal;
    }
    std::printf("%zu pairs and clean kernels, %zu values compared, %u wrong\n", chosen.size(), compared, wrong);
    return wrong > 0;
}

class stopwatch {
public:
    stopwatch() {
        CHECK_CUDA(cudaEventCreate(&begin_));
        CHECK_CUDA(cudaEventCreate(&end_));
    }
    stopwatch(stopwatch const&) = delete;
    stopwatch& operator=(stopwatch const&) = delete;
    ~stopwatch() {
        cudaEventDestroy(begin_);
        cudaEventDestroy(end_);
    }
    // Microseconds of a launch, the mean of `batch` back to back; nothing is subtracted.
    float time(std::function<void()> const& kernel, pair const& of, unsigned batch) {
        CHECK_CUDA(cudaEventRecord(begin_));
        for (unsigned i = 0; i < batch; ++i) launch(kernel, of);
        CHECK_CUDA(cudaEventRecord(end_));
        check_cuda(cudaEventSynchronize(end_), of.name);
        float milliseconds = 0;
        CHECK_CUDA(cudaEventElapsedTime(&milliseconds, begin_, end_));
        return milliseconds * 1000 / static_cast<float>(batch);
    }

private:
    cudaEvent_t begin_{};
    cudaEvent_t end_{};
};

struct measured {
    float median;
    float spread; // between quartiles, of the median
};
measured of_samples(std::vector<float> all) {
    std::sort(all.begin(), all.end());
    float const median = all[all.size() / 2];
    return {median, (all[all.size() * 3 / 4] - all[all.size() / 4]) / median};
}

// The two kernels in turn, after a warm-up of both, so that a change of the clock hits both alike. 1 if a pair could not be timed.
int time(std::vector<pair> const& chosen, bool small) {
    int failed = 0;
    std::printf("name,bad_us,mended_us,bad_spread,mended_spread,samples,bad_batch,mended_batch\n");
    stopwatch watch;
    for (pair const& each : chosen) {
        workspace memory(small);
        launches const both = each.set_up(memory);
        if (!launch_and_wait(both, each)) {
            failed = 1;
            continue;
        }
        std::function<void()> const kernels[2] = {both.bad, both.mended};
        unsigned batch[2] = {0, 0};
        std::vector<float> times[2];
        for (int k = 0; k < 2; ++k) {
            if (!kernels[k]) continue;
            float const first = watch.time(kernels[k], each, 5);
            batch[k] = first < short_us ? std::min(longest_batch, 1 + static_cast<unsigned>(5 * short_us / first)) : 1;
        }
        for (unsigned i = 0; i < samples; ++i)
            for (int k = 0; k < 2; ++k)
                if (kernels[k]) times[k].push_back(watch.time(kernels[k], each, batch[k]));
        measured const mended = of_samples(times[1]);
        measured const bad = kernels[0] ? of_samples(times[0]) : mended;
        std::printf("%s,%.3f,%.3f,%.4f,%.4f,%u,%u,%u\n", each.name, bad.median, mended.median, bad.spread,
                    mended.spread, samples, batch[0], batch[1]);
        std::fflush(stdout);
    }
    return failed;
}

int once(std::vector<pair> const& chosen, bool small) {
    int failed = 0;
    workspace memory(small);
    warm_up<<<1, 1>>>(memory.zeroed<unsigned>(1));
    CHECK_CUDA(cudaDeviceSynchronize());
    for (pair const& each : chosen) {
        workspace own(small);
        launches const both = each.set_up(own);
        if (!launch_and_wait(both, each)) failed = 1;
    }
    return failed;
}

int usage() {
    std::fprintf(stderr,
                 "usage: pairs list|findings|check|time|once [--scale small] [--GROUP] [NAME...], where a GROUP is");
    for (char const* const each : group_names) std::fprintf(stderr, " %s", each);
    std::fprintf(stderr, "\n");
    return 2;
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) return usage();
    std::string const mode = argv[1];
    bool small = false;
    int group = -1;
    std::vector<std::string> names;
    for (int i = 2; i < argc; ++i) {
        std::string const argument = argv[i];
        if (argument == "--scale" && i + 1 < argc &&
            (!std::strcmp(argv[i + 1], "small") || !std::strcmp(argv[i + 1], "full")))
            small = !std::strcmp(argv[++i], "small");
        else if (group_of(argument) >= 0) group = group_of(argument);
        else if (argument[0] == '-') return usage();
        else names.push_back(argument);
    }
    std::vector<pair> chosen;
    for (pair const& each : pairs())
        if (names.empty() ? group < 0 || each.held_back() == group
                          : std::find(names.begin(), names.end(), each.name) != names.end())
            chosen.push_back(each);
    for (std::string const& name : names)
        if (std::none_of(chosen.begin(), chosen.end(), [&](pair const& p) { return p.name == name; })) {
            std::fprintf(stderr, "no pair %s\n", name.c_str());
            return 2;
        }
    std::sort(chosen.begin(), chosen.end(),
              [](pair const& a, pair const& b) { return std::strcmp(a.name, b.name) < 0; });

    if (mode == "list") list(chosen);
    else if (mode == "findings")
        for (finding const& each : findings) std::printf("%s,\"%s\"\n", each.id, each.meaning);
    else if (mode == "check") return check(chosen, small);
    else if (mode == "time") return time(chosen, small);
    else if (mode == "once") return once(chosen, small);
    else return usage();
    return 0;
}
