// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A rank of two with a GPU for each, for rank_trace.sh: one trace of both, whose clocks are checked by a ping-pong of kernels.
//   rank_trace FOLDER RANK SIZE      FOLDER lies in /dev/shm: ranks pass messages by memory that they share
// Each kernel waits until the one before it, on the other GPU, has raised a number, and raises it, so that kernels end by turns. In the
// joint trace, the way from GPU 0 to GPU 1 and the way back are as long as each other only if the clocks agree.
// Exit status 0 if all that is known beforehand is so, 1 if it is not, 77 without so many GPUs.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/rank_trace.hpp>

namespace activity = gpuprof::activity;
namespace io = gpuprof::io;
namespace ranks = gpuprof::ranks;

constexpr unsigned turns = 200;
constexpr double most_microseconds = 10; // that clocks may be apart

extern "C" __global__ void nccl_ping(unsigned volatile* number, unsigned turn) {
    while (*number != turn) {}
    *number = turn + 1;
    __threadfence_system();
}

static void must(cudaError_t status, char const* call) {
    if (status == cudaSuccess) return;
    std::printf("%s: %s\n", call, cudaGetErrorString(status));
    std::exit(1);
}
static int failed = 0;
static void check(bool holds, char const* what) {
    if (holds) return;
    std::printf("WRONG: %s\n", what);
    failed = 1;
}

// Memory of all ranks: a number for the kernels, and a box for each message that is under way.
struct box {
    std::atomic<unsigned> is_full;
    std::uint64_t number;
    std::uint64_t size;
    char bytes[std::size_t{2} << 20];
};
struct shared_memory {
    unsigned number[1024]; // a page
    box boxes[4];          // from * 2 + to
};

// A communicator of one's own, as quick as a program on one machine can have it.
class memory_ranks final : public ranks::communicator {
public:
    memory_ranks(shared_memory& in, std::size_t rank) : in_{&in}, rank_{rank} {}
    std::size_t rank() const noexcept override { return rank_; }
    std::size_t size() const noexcept override { return 2; }
    gpuprof::result<ranks::messages> try_gather(ranks::gather_call const& call) override {
        ranks::messages got;
        std::uint64_t const until = now() + std::uint64_t{call.deadline_ms} * 1'000'000;
        if (call.ranks[0] != rank_) {
            box& to = in_->boxes[rank_ * 2 + call.ranks[0]];
            while (to.is_full.load(std::memory_order_acquire) != 0)
                if (now() >= until) return gpuprof::result<ranks::messages>{std::move(got)};
            if (call.message.size() > sizeof to.bytes)
                return gpuprof::error{gpuprof::errc::io, 0, "a message is too long"};
            to.number = call.number;
            to.size = call.message.size();
            std::memcpy(to.bytes, call.message.data(), call.message.size());
            to.is_full.store(1, std::memory_order_release);
            return gpuprof::result<ranks::messages>{std::move(got)};
        }
        for (std::size_t const each : call.ranks)
            got.push_back(each == rank_ ? gpuprof::result<std::string>{std::string{call.message}}
                                        : heard(in_->boxes[each * 2 + rank_], each, call.number, until));
        return gpuprof::result<ranks::messages>{std::move(got)};
    }

private:
    static std::uint64_t now() {
        timespec time{};
        ::clock_gettime(CLOCK_MONOTONIC, &time);
        return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
    }
    static gpuprof::result<std::string> heard(box& from, std::size_t rank, std::uint64_t number, std::uint64_t until) {
        for (;;) {
            if (from.is_full.load(std::memory_order_acquire) != 0) {
                if (from.number > number) return ranks::problem_of({{rank, 0}});
                std::string message{from.bytes, from.size};
                bool const is_it = from.number == number;
                from.is_full.store(0, std::memory_order_release);
                if (is_it) return gpuprof::result<std::string>{std::move(message)};
            }
            if (now() >= until) return ranks::problem_of({{rank, 0}});
        }
    }

    shared_memory* in_;
    std::size_t rank_;
};

// The ends of a rank's kernels in the joint trace, in microseconds.
static std::vector<double> ends_in(std::string const& trace, unsigned process) {
    std::vector<double> ends;
    std::string const key = "\"name\":\"nccl_ping\",\"cat\":\"kernel\",\"pid\":" + std::to_string(process) + ",";
    for (std::size_t at = trace.find(key); at != trace.npos; at = trace.find(key, at + 1)) {
        double start = 0, length = 0;
        if (std::sscanf(trace.c_str() + trace.find("\"ts\":", at), "\"ts\":%lf,\"dur\":%lf", &start, &length) == 2)
            ends.push_back(start + length);
    }
    std::sort(ends.begin(), ends.end());
    return ends;
}
static double median(std::vector<double> of) {
    if (of.empty()) return 1e9;
    std::nth_element(of.begin(), of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2), of.end());
    return of[of.size() / 2];
}

int main(int count, char** arguments) {
    if (count != 4) return 2;
    std::string const folder = arguments[1];
    std::size_t const rank = std::strtoul(arguments[2], nullptr, 10), size = std::strtoul(arguments[3], nullptr, 10);
    int gpus = 0;
    if (size != 2 || rank > 1 || cudaGetDeviceCount(&gpus) != cudaSuccess || gpus < 2) {
        std::printf("there are %d GPUs, and two ranks need two\n", gpus);
        return 77;
    }
    int const file = ::open((folder + "/memory").c_str(), O_RDWR | O_CREAT, 0600);
    check(file >= 0 && ::ftruncate(file, sizeof(shared_memory)) == 0, "memory that is shared");
    void* const place = ::mmap(nullptr, sizeof(shared_memory), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (place == MAP_FAILED) return 1;
    auto& memory = *static_cast<shared_memory*>(place);
    memory_ranks all{memory, rank};

    must(cudaSetDevice(static_cast<int>(rank)), "cudaSetDevice");
    must(cudaFree(nullptr), "a context");
    must(cudaHostRegister(memory.number, sizeof memory.number, cudaHostRegisterMapped), "cudaHostRegister");
    void* number = nullptr;
    must(cudaHostGetDevicePointer(&number, memory.number, 0), "cudaHostGetDevicePointer");
    auto const flag = static_cast<unsigned volatile*>(number);
    auto const gpu = gpuprof::open_device(static_cast<int>(rank));

    // Loads the kernel, on a number of this rank's own.
    nccl_ping<<<1, 1>>>(flag + 64 * (rank + 1), 0);
    must(cudaDeviceSynchronize(), "a first kernel");

    gpuprof::tracer tracer{gpu, activity::kinds<activity::kernel>};
    auto trace = io::rank_trace::try_begin(all, gpu, folder + "/trace.json").value();
    for (unsigned turn = 0; turn < turns; ++turn) nccl_ping<<<1, 1>>>(flag, 2 * turn + static_cast<unsigned>(rank));
    must(cudaDeviceSynchronize(), "kernels by turns");
    trace.write(tracer.flush());
    auto const waits = trace.try_finish(all).value();
    if (rank != 0) return failed;

    std::printf("%s", io::table(waits).c_str());
    for (auto const& each : waits.problems) std::printf("%s\n", each.message().c_str());
    for (auto const& each : waits.ranks)
        std::printf("rank %zu: clock ahead by %lld ns, drift %.3f ppm, error %llu ns\n", each.rank,
                    static_cast<long long>(each.clock_ahead), each.clock_drift_ppm,
                    static_cast<unsigned long long>(each.clock_error));
    // A ping is joined as collectives are, but is none: its kernel may end before the other rank's begins, which is told as a problem.
    check(waits.heard == 2, "both ranks are in the trace");
    check(waits.collectives.size() == turns, "each turn is joined");
    check(static_cast<double>(waits.clock_error()) < 1000 * most_microseconds, "the stated error is under 10 us");

    std::string const text = gpuprof::platform::read_file(folder + "/trace.json").value_or("");
    auto const here = ends_in(text, 1), there = ends_in(text, 2);
    check(here.size() == turns && there.size() == turns, "all kernels are in the file");
    std::vector<double> forth, back;
    for (std::size_t i = 0; i < here.size() && i < there.size(); ++i) {
        forth.push_back(there[i] - here[i]);
        if (i + 1 < here.size()) back.push_back(here[i + 1] - there[i]);
    }
    double const apart = (median(forth) - median(back)) / 2;
    std::printf("ping-pong: GPU 0 to 1 %.3f us, back %.3f us (medians of %zu), clocks are %.3f us apart\n",
                median(forth), median(back), forth.size(), apart);
    check(apart < most_microseconds && apart > -most_microseconds,
          "clocks of the joint trace are less than 10 us apart");
    return failed;
}
