// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What tracing costs on a GPU, beside calls of CUPTI that do the same; and what it loses, and the memory it needs, over a
// million launches. trace_cost.sh runs every part. Built by nvcc with NVIDIA's cupti.h; linked with libcupti.
//
//   trace_cost PART     rows `what | gpuprof | bare CUPTI | ratio | target | verdict`; exit status 0 if all verdicts are met
//
// Two contenders run in one process, in turns, the first one alternating; the ratio is that of the medians of all bursts.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include <gpuprof/scope.hpp>
#include <gpuprof/trace.hpp>
#include <gpuprof/trace/callbacks.hpp>

#include <cuda_runtime.h>
#include <cupti.h>

__global__ void nothing() {}
__global__ void node_a(int* to) { *to += 1; }
__global__ void node_b(int* to) { *to += 2; }
__global__ void node_c(int* to) { *to += 3; }
__global__ void node_d(int* to) { *to += 4; }

namespace {

namespace activity = gpuprof::activity;
using std::chrono::steady_clock;

bool all_met = true;

[[noreturn]] void give_up(char const* call, char const* why) {
    std::printf("%s | %s | | | works | MISSED\n", call, why);
    std::fflush(stdout);
    std::_Exit(1);
}
void check(cudaError_t status, char const* call) {
    if (status != cudaSuccess) give_up(call, cudaGetErrorString(status));
}
void check(CUptiResult status, char const* call) {
    if (status == CUPTI_SUCCESS) return;
    char const* text = "";
    cuptiGetResultString(status, &text);
    give_up(call, text);
}
#define CHECKED(call) check((call), #call)

template <class T>
T must(gpuprof::result<T> value, char const* what) {
    if (value) return *std::move(value);
    give_up(what, value.error().message().c_str());
}

// ---- statistics

struct sample {
    std::vector<double> values;
    void add(double value) { values.push_back(value); }
    double at(double part) const {
        std::vector<double> sorted = values;
        std::sort(sorted.begin(), sorted.end());
        return sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))];
    }
    double median() const { return at(0.5); }
    std::string text() const {
        char buffer[80];
        std::snprintf(buffer, sizeof buffer, "%.4g (%.4g to %.4g)", median(), at(0.25), at(0.75));
        return buffer;
    }
};

void print_row(std::string const& what, std::string const& ours, std::string const& bare, std::string const& ratio,
               std::string const& target, std::string const& verdict) {
    std::printf("%s | %s | %s | %s | %s | %s\n", what.c_str(), ours.c_str(), bare.c_str(), ratio.c_str(),
                target.c_str(), verdict.c_str());
    std::fflush(stdout);
}
void verdict_row(std::string const& what, sample const& ours, sample const& bare, double limit, bool at_most) {
    double const ratio = ours.median() / bare.median();
    bool const met = at_most ? ratio <= limit : ratio >= limit;
    all_met = all_met && met;
    char text[2][40];
    std::snprintf(text[0], sizeof text[0], "%.4f", ratio);
    std::snprintf(text[1], sizeof text[1], "%s %.2f", at_most ? "<=" : ">=", limit);
    print_row(what, ours.text(), bare.text(), text[0], text[1], met ? "met" : "MISSED");
}
void fact_row(std::string const& what, std::string const& ours, bool is_verdict = false, bool met = true,
              std::string const& target = "") {
    if (is_verdict) all_met = all_met && met;
    print_row(what, ours, "", "", target, is_verdict ? (met ? "met" : "MISSED") : "");
}

// ---- bare CUPTI: a pool of buffers, as gpuprof has, that keeps what CUPTI hands back

struct bare_pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<std::uint8_t[]>> memory;
    std::vector<std::uint8_t*> free;
    std::vector<std::pair<std::uint8_t*, std::size_t>> filled;
    std::size_t bytes = 0;
    // Lent when no buffer is free: what lands there is counted when CUPTI hands it back, and forgotten.
    bool counts_overflow = false;
    std::size_t overflowed = 0;
    std::vector<std::uint8_t*> spare;

    void make(std::size_t count, std::size_t each, std::size_t spares = 0) {
        bytes = each;
        counts_overflow = spares != 0;
        for (std::size_t i = 0; i < count + spares; ++i) {
            memory.emplace_back(new std::uint8_t[each]());
            (i < count ? free : spare).push_back(memory.back().get());
        }
        spare_begin_ = count;
    }
    bool is_spare(std::uint8_t* buffer) const {
        for (std::size_t i = spare_begin_; i < memory.size(); ++i)
            if (memory[i].get() == buffer) return true;
        return false;
    }
    bool owns(std::uint8_t* buffer) const {
        for (auto const& each : memory)
            if (each.get() == buffer) return true;
        return false;
    }
    void recycle() {
        std::lock_guard const held{mutex};
        for (auto const& [buffer, valid] : filled) {
            std::memset(buffer, 0, valid);
            free.push_back(buffer);
        }
        filled.clear();
    }

private:
    std::size_t spare_begin_ = 0;
};
bare_pool pool;
std::atomic<std::uint64_t> requests_refused{0};

std::size_t count_kernels(std::uint8_t* buffer, std::size_t valid) {
    std::size_t kernels = 0;
    CUpti_Activity* at = nullptr;
    while (cuptiActivityGetNextRecord(buffer, valid, &at) == CUPTI_SUCCESS)
        if (at->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) ++kernels;
    return kernels;
}

void CUPTIAPI bare_requested(std::uint8_t** buffer, std::size_t* size, std::size_t* most) {
    std::lock_guard const held{pool.mutex};
    *most = 0;
    *buffer = nullptr;
    *size = 0;
    auto& from = !pool.free.empty() ? pool.free : pool.spare;
    if (from.empty()) {
        ++requests_refused;
        return;
    }
    *buffer = from.back();
    *size = pool.bytes;
    from.pop_back();
}
void CUPTIAPI bare_completed(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t, std::size_t valid) {
    if (buffer == nullptr || !pool.owns(buffer)) return;
    if (pool.is_spare(buffer)) {
        std::size_t const kernels = count_kernels(buffer, valid);
        std::memset(buffer, 0, valid);
        std::lock_guard const held{pool.mutex};
        pool.overflowed += kernels;
        pool.spare.push_back(buffer);
        return;
    }
    std::lock_guard const held{pool.mutex};
    if (valid == 0) pool.free.push_back(buffer);
    else pool.filled.emplace_back(buffer, valid);
}

using bare_kinds = std::vector<CUpti_ActivityKind>;
struct bare_tracing {
    explicit bare_tracing(bare_kinds asked) : kinds{std::move(asked)} {
        CHECKED(cuptiActivityRegisterCallbacks(&bare_requested, &bare_completed));
        for (auto const kind : kinds) CHECKED(cuptiActivityEnable(kind));
    }
    void stop() {
        for (auto const kind : kinds) CHECKED(cuptiActivityDisable(kind));
        kinds.clear();
    }
    ~bare_tracing() {
        stop();
        CHECKED(cuptiActivityFlushAll(1));
        pool.recycle();
    }
    bare_kinds kinds;
};

// ---- launches

constexpr int burst = 500; // fits into the queue of a channel: the host's time is measured, not the GPU's

template <class Launch>
double microseconds_a_launch(Launch&& launch) {
    cudaDeviceSynchronize();
    auto const begin = steady_clock::now();
    for (int i = 0; i < burst; ++i) launch();
    auto const end = steady_clock::now();
    cudaDeviceSynchronize();
    return std::chrono::duration<double, std::micro>(end - begin).count() / burst;
}
void plain_launch() { nothing<<<1, 32>>>(); }

// `between` bursts records are flushed and their buffers given back, so that both contenders write to few buffers, whose pages
// they touched while warming up.
constexpr int warm_bursts = 6, bursts_a_turn = 8;
template <class Launch, class Between>
void measure(sample& into, Launch&& launch, Between&& between, int bursts = bursts_a_turn) {
    for (int i = 0; i < warm_bursts + bursts; ++i) {
        double const time = microseconds_a_launch(launch);
        if (i >= warm_bursts) into.add(time);
        between();
    }
}
void nothing_between() {}

constexpr std::size_t few_buffers = 4, few_bytes = 512 << 10;
gpuprof::tracer_options few() {
    gpuprof::tracer_options options;
    options.buffers = few_buffers;
    options.buffer_bytes = few_bytes;
    return options;
}
void flush_bare() {
    CHECKED(cuptiActivityFlushAll(1));
    pool.recycle();
}
template <class Tracer>
void flush_ours(Tracer& trace) {
    static_cast<void>(must(trace.try_flush(gpuprof::flush_mode::forced), "flush").bytes());
}

constexpr int turns = 30;
// Both contenders in turns.
template <class Ours, class Bare>
void in_turns(Ours&& ours, Bare&& bare) {
    for (int turn = 0; turn < turns; ++turn) {
        if (turn % 2 == 0) ours(), bare();
        else bare(), ours();
    }
}

gpuprof::hw::machine const& machine() { return gpuprof::hw::real_machine(); }

template <class Kinds>
void launch_part(char const* what, Kinds kinds, bare_kinds const& bare_asked) {
    pool.make(few_buffers, few_bytes);
    sample ours, bare, untraced;
    measure(untraced, plain_launch, nothing_between, 40);
    in_turns(
        [&] {
            auto trace = must(gpuprof::tracer<Kinds>::try_begin(machine(), kinds, few()), "tracer");
            measure(ours, plain_launch, [&] { flush_ours(trace); });
        },
        [&] {
            bare_tracing trace{bare_asked};
            measure(bare, plain_launch, &flush_bare);
        });
    fact_row("us a launch before anything was traced", untraced.text());
    verdict_row(std::string{"us a launch, "} + what, ours, bare, 1.02, true);
}

void kernels_part() {
    launch_part("kernels", activity::kinds<activity::kernel>, {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL});
}
void calls_part() {
    launch_part("kernels, runtime and driver", activity::kinds<activity::kernel, activity::api_call>,
                {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER});
}

// Each launch in a scope. A scope has a begin and an end on the host, which the second bare contender takes too.
void scopes_part() {
    pool.make(few_buffers, few_bytes);
    sample ours, bare, bare_timed;
    struct timed {
        std::uint64_t id, begin, end;
    };
    std::vector<timed> log(std::size_t{1} << 16);
    std::size_t logged = 0;
    constexpr auto kinds = activity::kinds<activity::kernel, activity::api_call>;
    using tracer = gpuprof::tracer<std::remove_const_t<decltype(kinds)>>;
    bare_kinds const asked{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_RUNTIME,
                           CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_EXTERNAL_CORRELATION};
    auto const push = [] { cuptiActivityPushExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, 1); };
    auto const pop = [] {
        std::uint64_t id = 0;
        cuptiActivityPopExternalCorrelationId(CUPTI_EXTERNAL_CORRELATION_KIND_CUSTOM2, &id);
    };
    auto const run_ours = [&] {
        auto trace = must(tracer::try_begin(machine(), kinds, few()), "tracer");
        auto const scoped = [&] {
            gpuprof::scope const step{trace, "step"};
            nothing<<<1, 32>>>();
        };
        measure(ours, scoped, [&] { flush_ours(trace); });
    };
    auto const run_bare = [&] {
        bare_tracing trace{asked};
        auto const pushed = [&] {
            push();
            nothing<<<1, 32>>>();
            pop();
        };
        measure(bare, pushed, &flush_bare);
        auto const timed_too = [&] {
            timed& one = log[logged++ % log.size()];
            push();
            cuptiGetTimestamp(&one.begin);
            nothing<<<1, 32>>>();
            cuptiGetTimestamp(&one.end);
            pop();
        };
        measure(bare_timed, timed_too, &flush_bare);
    };
    in_turns(run_ours, run_bare);
    verdict_row("us a launch in a scope, against push, pop and two times", ours, bare_timed, 1.02, true);
    print_row("us a launch in a scope, against push and pop alone", ours.text(), bare.text(),
              std::to_string(ours.median() / bare.median()), "", "");
}

// What is left after tracing. "before" cannot be had again, so it has as many bursts as all of the rest. The bare contender
// is another process's (bare_left).
void left_part() {
    sample before, stopped, finished, detached;
    for (int i = 0; i < 4; ++i) microseconds_a_launch(plain_launch);
    measure(before, plain_launch, nothing_between, 200);
    constexpr auto kinds = activity::kinds<activity::kernel, activity::api_call, activity::memcpy>;
    using tracer = gpuprof::tracer<std::remove_const_t<decltype(kinds)>>;
    bool detaches = true;
    for (int turn = 0; turn < 6; ++turn) {
        auto trace = must(tracer::try_begin(machine(), kinds), "tracer");
        for (int i = 0; i < 10; ++i) {
            gpuprof::scope const step{trace, "step"};
            microseconds_a_launch(plain_launch);
        }
        static_cast<void>(must(trace.try_flush(gpuprof::flush_mode::forced), "flush").bytes());
        if (auto const done = trace.try_stop(); !done) std::printf("stop: %s\n", done.error().message().c_str());
        measure(stopped, plain_launch, nothing_between, 40);
        if (turn < 3) {
            static_cast<void>(must(trace.try_finish(), "finish").bytes());
            measure(finished, plain_launch, nothing_between, 40);
            continue;
        }
        auto const last = trace.try_detach();
        if (!last) {
            fact_row("detaching", last.error().message(), true, false, "works");
            detaches = false;
            break;
        }
        measure(detached, plain_launch, nothing_between, 40);
    }
    verdict_row("us a launch after try_stop(), against before", stopped, before, 1.01, true);
    verdict_row("us a launch after try_finish(), against before", finished, before, 1.01, true);
    if (detaches) verdict_row("us a launch after try_detach(), against before", detached, before, 1.01, true);
}
void bare_left_part() {
    sample before, stopped;
    pool.make(32, std::size_t{4} << 20);
    for (int i = 0; i < 4; ++i) microseconds_a_launch(plain_launch);
    measure(before, plain_launch, nothing_between, 200);
    for (int turn = 0; turn < 6; ++turn) {
        {
            bare_tracing trace{{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_RUNTIME,
                                CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_MEMCPY}};
            for (int i = 0; i < 10; ++i) microseconds_a_launch(plain_launch);
        }
        measure(stopped, plain_launch, nothing_between, 40);
    }
    print_row("us a launch after bare CUPTI's cuptiActivityDisable, against before", "", stopped.text(),
              std::to_string(stopped.median() / before.median()), "", "");
}

// ---- records a second

struct sums {
    std::uint64_t records = 0, nanoseconds = 0, correlations = 0, callbacks = 0;
    friend bool operator==(sums const&, sums const&) = default;
};
struct summing {
    sums& to;
    void operator()(activity::kernel const& k) const {
        ++to.records;
        to.nanoseconds += k.time.end.ticks - k.time.start.ticks;
        to.correlations += k.correlation;
    }
    void operator()(activity::api_call const& c) const {
        ++to.records;
        to.nanoseconds += c.time.end.ticks - c.time.start.ticks;
        to.correlations += c.correlation;
        to.callbacks += c.callback;
    }
    void operator()(activity::memcpy const& m) const {
        ++to.records;
        to.nanoseconds += m.time.end.ticks - m.time.start.ticks;
        to.correlations += m.correlation;
    }
    template <class Other>
    void operator()(Other const&) const {}
};
sums bare_walk() {
    sums to;
    for (auto const& [buffer, valid] : pool.filled) {
        CUpti_Activity* at = nullptr;
        while (cuptiActivityGetNextRecord(buffer, valid, &at) == CUPTI_SUCCESS) {
            switch (at->kind) {
                case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL: {
                    auto const* k = reinterpret_cast<CUpti_ActivityKernel10 const*>(at);
                    ++to.records;
                    to.nanoseconds += k->end - k->start;
                    to.correlations += k->correlationId;
                    break;
                }
                case CUPTI_ACTIVITY_KIND_RUNTIME:
                case CUPTI_ACTIVITY_KIND_DRIVER: {
                    auto const* c = reinterpret_cast<CUpti_ActivityAPI const*>(at);
                    ++to.records;
                    to.nanoseconds += c->end - c->start;
                    to.correlations += c->correlationId;
                    to.callbacks += c->cbid;
                    break;
                }
                case CUPTI_ACTIVITY_KIND_MEMCPY: {
                    auto const* m = reinterpret_cast<CUpti_ActivityMemcpy6 const*>(at);
                    ++to.records;
                    to.nanoseconds += m->end - m->start;
                    to.correlations += m->correlationId;
                    break;
                }
                default: break;
            }
        }
    }
    return to;
}
void work_to_visit() {
    int* data = nullptr;
    CHECKED(cudaMalloc(&data, 4096));
    std::vector<int> host(1024);
    for (int i = 0; i < 60000; ++i) {
        nothing<<<1, 32>>>();
        if (i % 10 == 0) cudaMemcpyAsync(data, host.data(), 4096, cudaMemcpyHostToDevice);
    }
    CHECKED(cudaDeviceSynchronize());
    CHECKED(cudaFree(data));
}
void visit_part() {
    pool.make(32, std::size_t{4} << 20);
    using listed_kinds = activity::kind_list<activity::kernel, activity::api_call, activity::memcpy>;
    activity::kind_set const chosen = listed_kinds::set();
    auto const batch_of = [](auto kinds) {
        auto trace = must(gpuprof::tracer<decltype(kinds)>::try_begin(machine(), kinds), "tracer");
        work_to_visit();
        return must(trace.try_flush(gpuprof::flush_mode::forced), "flush");
    };
    auto const listed_batch = batch_of(listed_kinds{});
    auto const chosen_batch = batch_of(chosen);
    // its buffers are not recycled: they are walked below
    CHECKED(cuptiActivityRegisterCallbacks(&bare_requested, &bare_completed));
    for (auto const kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_RUNTIME,
                            CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_MEMCPY})
        CHECKED(cuptiActivityEnable(kind));
    work_to_visit();
    CHECKED(cuptiActivityFlushAll(1));
    for (auto const kind : {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_RUNTIME,
                            CUPTI_ACTIVITY_KIND_DRIVER, CUPTI_ACTIVITY_KIND_MEMCPY})
        CHECKED(cuptiActivityDisable(kind));

    std::pair<char const*, std::function<sums()>> const ways[] = {
        {"bare", &bare_walk},
        {"visit(), kinds at compile time",
         [&] {
             sums to;
             listed_batch.visit(summing{to});
             return to;
         }},
        {"visit(), kinds at run time",
         [&] {
             sums to;
             chosen_batch.visit(summing{to});
             return to;
         }},
        {"iterator, kinds at compile time",
         [&] {
             sums to;
             for (auto const& record : listed_batch) std::visit(summing{to}, record);
             return to;
         }},
        {"iterator, kinds at run time",
         [&] {
             sums to;
             for (auto const& record : chosen_batch) std::visit(summing{to}, record);
             return to;
         }},
    };
    sample rates[std::size(ways)];
    sums found[std::size(ways)];
    for (int turn = 0; turn < 60; ++turn) {
        for (std::size_t i = 0; i < std::size(ways); ++i) {
            std::size_t const which = (i + static_cast<std::size_t>(turn)) % std::size(ways);
            auto const begin = steady_clock::now();
            found[which] = ways[which].second();
            double const seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
            if (turn >= 5) rates[which].add(static_cast<double>(found[which].records) / seconds * 1e-6);
        }
    }
    bool same = true; // of three runs of one program: times differ, numbers of records do not
    for (sums const& each : found)
        same = same && each.records == found[0].records && each.callbacks == found[0].callbacks;
    same = same && found[1] == found[3] && found[2] == found[4];
    fact_row("records visited", std::to_string(found[1].records) + ", bare " + std::to_string(found[0].records), true,
             same, "the same");
    for (std::size_t i = 1; i < std::size(ways); ++i)
        verdict_row(std::string{"million records a second, "} + ways[i].first, rates[i], rates[0], 0.9, false);
}

// ---- callbacks

// <<<>>> calls one or the other, by release of nvcc.
constexpr CUpti_CallbackId launch_calls[]{CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
                                          CUPTI_RUNTIME_TRACE_CBID___cudaLaunchKernel_v13000};
std::uint64_t heard = 0;
void CUPTIAPI bare_heard(void*, CUpti_CallbackDomain, CUpti_CallbackId, CUpti_CallbackData const* data) {
    if (data->callbackSite == CUPTI_API_ENTER) ++heard;
}
void callbacks_part() {
    sample ours, bare;
    auto const what =
        gpuprof::runtime_call<"cudaLaunchKernel_v7000"> | gpuprof::runtime_call<"__cudaLaunchKernel_v13000">;
    auto const listener = [](gpuprof::api_call_event const& call) {
        if (call.enter()) ++heard;
    };
    std::uint64_t heard_by_ours = 0, heard_by_bare = 0;
    in_turns(
        [&] {
            auto const from = heard;
            auto const listening = must(gpuprof::callbacks::try_begin(machine(), what, listener), "callbacks");
            measure(ours, plain_launch, nothing_between);
            heard_by_ours += heard - from;
        },
        [&] {
            auto const from = heard;
            CUpti_SubscriberHandle subscriber{};
            CHECKED(cuptiSubscribe(&subscriber, reinterpret_cast<CUpti_CallbackFunc>(&bare_heard), nullptr));
            for (auto const call : launch_calls)
                CHECKED(cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API, call));
            measure(bare, plain_launch, nothing_between);
            CHECKED(cuptiUnsubscribe(subscriber));
            heard_by_bare += heard - from;
        });
    std::uint64_t const launches = std::uint64_t{turns} * (warm_bursts + bursts_a_turn) * burst;
    fact_row("launches heard", std::to_string(heard_by_ours) + ", bare " + std::to_string(heard_by_bare), true,
             heard_by_ours == heard_by_bare && heard_by_ours >= launches, std::to_string(launches));
    verdict_row("us a launch with a callback", ours, bare, 1.02, true);
}

// ---- a million launches

// kB of a row of /proc/self/status.
long status_of(char const* row) {
    std::FILE* const file = std::fopen("/proc/self/status", "r");
    char line[256];
    long value = 0;
    while (file != nullptr && std::fgets(line, sizeof line, file) != nullptr)
        if (std::strncmp(line, row, std::strlen(row)) == 0) value = std::atol(line + std::strlen(row) + 1);
    if (file != nullptr) std::fclose(file);
    return value;
}
struct memory_watch {
    std::vector<long> resident; // kB, at tenths of the way
    void look() { resident.push_back(status_of("VmRSS")); }
    void rows() const {
        std::string text;
        for (long const each : resident) text += std::to_string(each) + " ";
        fact_row("VmRSS at tenths of the way, kB", text);
        fact_row("VmHWM, kB", std::to_string(status_of("VmHWM")));
        long const grown = *std::max_element(resident.begin() + 2, resident.end()) - resident[1];
        fact_row("VmRSS grown after the first tenth, kB", std::to_string(grown), true, grown <= 4096, "<= 4096");
    }
};

// What records alone say of their loss: numbers that CUPTI counts by one for each launch.
struct number_range {
    std::uint64_t first = ~std::uint64_t{0}, last = 0, seen = 0;
    void add(std::uint64_t number) {
        first = std::min(first, number);
        last = std::max(last, number);
        ++seen;
    }
    std::uint64_t missing() const { return seen == 0 ? 0 : last - first + 1 - seen; }
};
void loss_rows(char const* how, std::uint64_t launched, std::uint64_t seen, std::uint64_t reported,
               number_range const& correlations, number_range const& grids, bool is_verdict) {
    std::string const prefix = std::string{how} + ": ";
    fact_row(prefix + "launched", std::to_string(launched));
    fact_row(prefix + "seen", std::to_string(seen));
    fact_row(prefix + "reported lost", std::to_string(reported));
    fact_row(prefix + "launched - seen - reported",
             std::to_string(static_cast<long long>(launched) - static_cast<long long>(seen) -
                            static_cast<long long>(reported)),
             is_verdict, seen + reported == launched, "0");
    fact_row(prefix + "lost by gaps between correlation ids", std::to_string(correlations.missing()) + " between " +
                                                                  std::to_string(correlations.first) + " and " +
                                                                  std::to_string(correlations.last));
    fact_row(prefix + "lost by gaps between grid ids", std::to_string(grids.missing()) + " between " +
                                                           std::to_string(grids.first) + " and " +
                                                           std::to_string(grids.last));
}

constexpr std::uint64_t million = 1000000;
constexpr std::size_t lossy_bytes = 64 << 10;

// A consumer that looks every 20 ms only, and two buffers of 64 KiB, which 300 kernels fill.
void lossy_part() {
    namespace abi = gpuprof::abi;
    gpuprof::tracer_options options;
    options.buffers = 2;
    options.buffer_bytes = lossy_bytes;
    constexpr auto kinds = activity::kinds<activity::kernel>;
    auto trace =
        must(gpuprof::tracer<std::remove_const_t<decltype(kinds)>>::try_begin(machine(), kinds, options), "tracer");
    std::uint64_t seen = 0, reported = 0;
    number_range correlations, grids;
    auto const consume = [&](auto const& batch) {
        batch.visit([&](activity::kernel const& k) {
            ++seen;
            correlations.add(k.correlation);
            grids.add(static_cast<std::uint64_t>(k.grid_id));
        });
        reported += batch.losses().dropped;
    };
    std::atomic<bool> done{false};
    std::thread consumer{[&] {
        while (!done) {
            consume(trace.take());
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }};
    memory_watch memory;
    for (std::uint64_t i = 0; i < million; ++i) {
        if (i % (million / 10) == 0) memory.look();
        nothing<<<1, 32>>>();
    }
    CHECKED(cudaDeviceSynchronize());
    memory.look();
    done = true;
    consumer.join();
    consume(must(trace.try_flush(gpuprof::flush_mode::forced), "flush"));
    consume(must(trace.try_finish(), "finish"));
    loss_rows("tracer", million, seen, reported, correlations, grids, true);
    memory.rows();
}
// The same with bare calls: what CUPTI itself counts when it gets no buffer, and what can be counted when it always gets one.
void bare_lossy(bool with_spares) {
    pool.make(2, lossy_bytes, with_spares ? 8 : 0);
    std::uint64_t seen = 0, reported = 0;
    number_range correlations, grids;
    auto const consume = [&] {
        std::vector<std::pair<std::uint8_t*, std::size_t>> mine;
        {
            std::lock_guard const held{pool.mutex};
            mine.swap(pool.filled);
        }
        for (auto const& [buffer, valid] : mine) {
            CUpti_Activity* at = nullptr;
            while (cuptiActivityGetNextRecord(buffer, valid, &at) == CUPTI_SUCCESS) {
                if (at->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) continue;
                auto const* k = reinterpret_cast<CUpti_ActivityKernel10 const*>(at);
                ++seen;
                correlations.add(k->correlationId);
                grids.add(static_cast<std::uint64_t>(k->gridId));
            }
            std::memset(buffer, 0, valid);
            std::lock_guard const held{pool.mutex};
            pool.free.push_back(buffer);
        }
        std::size_t dropped = 0;
        if (cuptiActivityGetNumDroppedRecords(nullptr, 0, &dropped) == CUPTI_SUCCESS) reported += dropped;
    };
    {
        bare_tracing trace{{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL}};
        std::atomic<bool> done{false};
        std::thread consumer{[&] {
            while (!done) {
                consume();
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        }};
        for (std::uint64_t i = 0; i < million; ++i) nothing<<<1, 32>>>();
        CHECKED(cudaDeviceSynchronize());
        done = true;
        consumer.join();
        CHECKED(cuptiActivityFlushAll(1));
        consume();
        trace.stop();
        CHECKED(cuptiActivityFlushAll(1));
        consume();
    }
    fact_row("requests that got no buffer", std::to_string(requests_refused.load()));
    fact_row("cuptiActivityGetNumDroppedRecords", std::to_string(reported));
    fact_row("counted in spare buffers", std::to_string(pool.overflowed));
    loss_rows(with_spares ? "bare, spare buffers" : "bare, null buffers", million, seen, reported + pool.overflowed,
              correlations, grids, false);
}
void bare_null_part() { bare_lossy(false); }
void bare_spare_part() { bare_lossy(true); }

// A graph of four kernels, captured in two scopes, replayed a million times.
void graph_part() {
    constexpr auto kinds = activity::kinds<activity::kernel>;
    auto trace = must(gpuprof::tracer<std::remove_const_t<decltype(kinds)>>::try_begin(machine(), kinds), "tracer");
    std::uint64_t const scope_numbers[2]{1, 2}; // in the order in which they are opened first
    int* data = nullptr;
    CHECKED(cudaMalloc(&data, sizeof(int)));
    CHECKED(cudaMemset(data, 0, sizeof(int)));
    cudaStream_t stream = nullptr;
    CHECKED(cudaStreamCreate(&stream));
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    CHECKED(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    {
        gpuprof::scope const first{trace, "first"};
        node_a<<<1, 1, 0, stream>>>(data);
        node_b<<<1, 1, 0, stream>>>(data);
    }
    {
        gpuprof::scope const second{trace, "second"};
        node_c<<<1, 1, 0, stream>>>(data);
        node_d<<<1, 1, 0, stream>>>(data);
    }
    CHECKED(cudaStreamEndCapture(stream, &graph));
    CHECKED(cudaGraphInstantiate(&executable, graph, 0));

    std::uint64_t nodes = 0, others = 0, reported = 0, without_time = 0;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> by_node; // graph node, records
    std::uint64_t in_scope[2]{};
    auto const consume = [&](auto const& batch) {
        batch.visit([&](activity::kernel const& k) {
            if (!k.graph_node) {
                ++others;
                return;
            }
            ++nodes;
            // Node a and b were captured in the first scope, c and d in the second.
            bool const is_first = k.name.find("node_a") != k.name.npos || k.name.find("node_b") != k.name.npos;
            if (batch.scope_of(k) == scope_numbers[is_first ? 0 : 1]) ++in_scope[is_first ? 0 : 1];
            for (auto& [node, records] : by_node)
                if (node == *k.graph_node) {
                    ++records;
                    return;
                }
            by_node.emplace_back(*k.graph_node, 1);
        });
        auto const lost = batch.losses();
        reported += lost.dropped;
        without_time += lost.without_time;
    };
    std::atomic<bool> done{false};
    std::thread consumer{[&] {
        while (!done) {
            consume(trace.take());
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
    }};
    memory_watch memory;
    auto const begin = steady_clock::now();
    std::uint64_t replays = 0;
    for (; replays < million; ++replays) {
        if (replays % (million / 10) == 0) memory.look();
        CHECKED(cudaGraphLaunch(executable, stream));
    }
    CHECKED(cudaStreamSynchronize(stream));
    double const seconds = std::chrono::duration<double>(steady_clock::now() - begin).count();
    memory.look();
    done = true;
    consumer.join();
    consume(must(trace.try_flush(gpuprof::flush_mode::forced), "flush"));
    fact_row("replays of a graph of four kernels", std::to_string(replays) + " in " + std::to_string(seconds) + " s");
    fact_row("records of nodes", std::to_string(nodes) + ", lost " + std::to_string(reported), true,
             nodes + reported == 4 * replays, std::to_string(4 * replays));
    fact_row("records without times", std::to_string(without_time));
    std::string text;
    for (auto const& [node, records] : by_node) text += std::to_string(records) + " ";
    fact_row("different nodes", std::to_string(by_node.size()) + ": " + text, true, by_node.size() == 4, "4");
    fact_row("records whose node knows the scope that captured it",
             std::to_string(in_scope[0]) + " in the first, " + std::to_string(in_scope[1]) + " in the second", true,
             in_scope[0] + in_scope[1] == nodes && nodes != 0, "all");
    fact_row("scopes", trace.scope_path(1) + ", " + trace.scope_path(2));
    fact_row("kernels outside of graphs", std::to_string(others));
    memory.rows();
    CHECKED(cudaGraphExecDestroy(executable));
    CHECKED(cudaGraphDestroy(graph));
}

constexpr std::pair<char const*, void (*)()> parts[] = {
    {"kernels", &kernels_part},     {"calls", &calls_part},
    {"scopes", &scopes_part},       {"left", &left_part},
    {"bare_left", &bare_left_part}, {"visit", &visit_part},
    {"callbacks", &callbacks_part}, {"lossy", &lossy_part},
    {"bare_null", &bare_null_part}, {"bare_spare", &bare_spare_part},
    {"graph", &graph_part}};

} // namespace

int main(int argument_count, char** arguments) {
    if (argument_count == 2) {
        for (auto const& [name, part] : parts) {
            if (std::strcmp(arguments[1], name) != 0) continue;
            CHECKED(cudaFree(nullptr));
            auto const begin = steady_clock::now(); // clocks go up
            while (steady_clock::now() - begin < std::chrono::milliseconds(500)) microseconds_a_launch(plain_launch);
            part();
            return all_met ? 0 : 1;
        }
    }
    for (auto const& [name, part] : parts) std::printf("%s\n", name);
    return 2;
}
