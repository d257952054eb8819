// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What gpuprof adds to CUPTI on a GPU: to a range, and to the time until a process has its first counter.
//
//   range_bench [repetitions of the first part, 7] [processes of the second part, 5]
//
// Ranges: bare calls through the CUPTI table and gpuprof scopes take turns in one process, with the same metrics, the
// same room and the same kernel. First counter: new processes, each with a context and a kernel that has run already;
// every CUPTI call is timed in the bare sequence and in gpuprof alike. Without a GPU it says why and succeeds.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <gpuprof/gpuprof.hpp>

namespace {

namespace abi = gpuprof::abi;

using clock_type = std::chrono::steady_clock;
double milliseconds_since(clock_type::time_point begin) {
    return std::chrono::duration<double, std::milli>(clock_type::now() - begin).count();
}

double median(std::vector<double> of) {
    auto const middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
    std::nth_element(of.begin(), middle, of.end());
    return *middle;
}

template <class Status>
void check(char const* call, Status status) {
    if (status) throw std::runtime_error{gpuprof::hw::explain(call, status).message()};
}

// An empty kernel, as an application would have it ready.
class work {
public:
    explicit work(gpuprof::hw::machine const& machine) : driver_{machine.driver} {
        check("cuInit", driver_.Init(0));
        abi::CUdevice device = 0;
        abi::CUcontext context = nullptr;
        check("cuDeviceGet", driver_.DeviceGet(&device, 0));
        check("cuDevicePrimaryCtxRetain", driver_.DevicePrimaryCtxRetain(&context, device));
        check("cuCtxSetCurrent", driver_.CtxSetCurrent(context));
        check("cuModuleLoadData", driver_.ModuleLoadData(&module_, ".version 7.0\n.target sm_70\n.address_size 64\n"
                                                                   ".visible .entry nothing() { ret; }\n"));
        check("cuModuleGetFunction", driver_.ModuleGetFunction(&kernel_, module_, "nothing"));
        launch();
        check("cuCtxSynchronize", driver_.CtxSynchronize());
    }
    void launch() const {
        check("cuLaunchKernel", driver_.LaunchKernel(kernel_, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr));
    }

private:
    abi::driver_table const& driver_;
    abi::CUmodule module_ = nullptr;
    abi::CUfunction kernel_ = nullptr;
};

struct bare_result {
    double ranges_ms = 0; // the loop over ranges in the last pass
    double value = 0;     // of the first metric in the first range
};

// What a program that knows CUPTI well writes: nothing is asked twice, nothing is checked that cannot fail.
bare_result bare_collection(abi::cupti_table const& cupti, abi::CUcontext context, std::vector<char const*> metrics,
                            std::size_t count, work const& work) {
    abi::CUpti_Profiler_Initialize_Params initialize;
    check("cuptiProfilerInitialize", cupti.ProfilerInitialize(&initialize));
    abi::CUpti_Device_GetChipName_Params chip;
    check("cuptiDeviceGetChipName", cupti.DeviceGetChipName(&chip));

    abi::CUpti_Profiler_GetCounterAvailability_Params available;
    available.ctx = context;
    check("cuptiProfilerGetCounterAvailability", cupti.ProfilerGetCounterAvailability(&available));
    std::vector<std::uint8_t> availability(available.counterAvailabilityImageSize);
    available.pCounterAvailabilityImage = availability.data();
    check("cuptiProfilerGetCounterAvailability", cupti.ProfilerGetCounterAvailability(&available));

    abi::CUpti_Profiler_Host_Initialize_Params host;
    host.pChipName = chip.pChipName;
    host.pCounterAvailabilityImage = availability.data();
    check("cuptiProfilerHostInitialize", cupti.ProfilerHostInitialize(&host));
    abi::CUpti_Profiler_Host_ConfigAddMetrics_Params add;
    add.pHostObject = host.pHostObject;
    add.ppMetricNames = metrics.data();
    add.numMetrics = metrics.size();
    check("cuptiProfilerHostConfigAddMetrics", cupti.ProfilerHostConfigAddMetrics(&add));
    abi::CUpti_Profiler_Host_GetConfigImageSize_Params config_size;
    config_size.pHostObject = host.pHostObject;
    check("cuptiProfilerHostGetConfigImageSize", cupti.ProfilerHostGetConfigImageSize(&config_size));
    std::vector<std::uint8_t> config(config_size.configImageSize);
    abi::CUpti_Profiler_Host_GetConfigImage_Params get;
    get.pHostObject = host.pHostObject;
    get.configImageSize = config.size();
    get.pConfigImage = config.data();
    check("cuptiProfilerHostGetConfigImage", cupti.ProfilerHostGetConfigImage(&get));

    abi::CUpti_RangeProfiler_Enable_Params enable;
    enable.ctx = context;
    check("cuptiRangeProfilerEnable", cupti.RangeProfilerEnable(&enable));
    abi::CUpti_RangeProfiler_GetCounterDataSize_Params size;
    size.pRangeProfilerObject = enable.pRangeProfilerObject;
    size.pMetricNames = metrics.data();
    size.numMetrics = metrics.size();
    size.maxNumOfRanges = count;
    size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(count);
    check("cuptiRangeProfilerGetCounterDataSize", cupti.RangeProfilerGetCounterDataSize(&size));
    std::vector<std::uint8_t> data(size.counterDataSize);
    abi::CUpti_RangeProfiler_CounterDataImage_Initialize_Params clear;
    clear.pRangeProfilerObject = enable.pRangeProfilerObject;
    clear.counterDataSize = data.size();
    clear.pCounterData = data.data();
    check("cuptiRangeProfilerCounterDataImageInitialize", cupti.RangeProfilerCounterDataImageInitialize(&clear));
    abi::CUpti_RangeProfiler_SetConfig_Params set;
    set.pRangeProfilerObject = enable.pRangeProfilerObject;
    set.configSize = config.size();
    set.pConfig = config.data();
    set.counterDataImageSize = data.size();
    set.pCounterDataImage = data.data();
    set.range = abi::CUPTI_UserRange;
    set.replayMode = abi::CUPTI_UserReplay;
    set.maxRangesPerPass = count;
    set.numNestingLevels = 1;
    set.minNestingLevel = 1;
    check("cuptiRangeProfilerSetConfig", cupti.RangeProfilerSetConfig(&set));

    std::vector<std::string> names; // CUPTI would merge ranges of one name; the bare loop need not spell them each time
    for (std::size_t i = 0; i < count; ++i) names.push_back(std::to_string(i));
    bare_result result;
    for (bool last = false; !last;) {
        abi::CUpti_RangeProfiler_Start_Params start;
        start.pRangeProfilerObject = enable.pRangeProfilerObject;
        check("cuptiRangeProfilerStart", cupti.RangeProfilerStart(&start));
        auto const begin = clock_type::now();
        for (std::size_t i = 0; i < count; ++i) {
            abi::CUpti_RangeProfiler_PushRange_Params push;
            push.pRangeProfilerObject = enable.pRangeProfilerObject;
            push.pRangeName = names[i].c_str();
            check("cuptiRangeProfilerPushRange", cupti.RangeProfilerPushRange(&push));
            work.launch();
            abi::CUpti_RangeProfiler_PopRange_Params pop;
            pop.pRangeProfilerObject = enable.pRangeProfilerObject;
            check("cuptiRangeProfilerPopRange", cupti.RangeProfilerPopRange(&pop));
        }
        result.ranges_ms = milliseconds_since(begin);
        abi::CUpti_RangeProfiler_Stop_Params stop;
        stop.pRangeProfilerObject = enable.pRangeProfilerObject;
        check("cuptiRangeProfilerStop", cupti.RangeProfilerStop(&stop));
        last = stop.isAllPassSubmitted != 0;
    }
    abi::CUpti_RangeProfiler_DecodeData_Params decode;
    decode.pRangeProfilerObject = enable.pRangeProfilerObject;
    check("cuptiRangeProfilerDecodeData", cupti.RangeProfilerDecodeData(&decode));
    std::vector<double> values(metrics.size());
    abi::CUpti_Profiler_Host_EvaluateToGpuValues_Params evaluate;
    evaluate.pHostObject = host.pHostObject;
    evaluate.pCounterDataImage = data.data();
    evaluate.counterDataImageSize = data.size();
    evaluate.ppMetricNames = metrics.data();
    evaluate.numMetrics = metrics.size();
    evaluate.pMetricValues = values.data();
    check("cuptiProfilerHostEvaluateToGpuValues", cupti.ProfilerHostEvaluateToGpuValues(&evaluate));
    result.value = values[0];

    abi::CUpti_RangeProfiler_Disable_Params disable;
    disable.pRangeProfilerObject = enable.pRangeProfilerObject;
    check("cuptiRangeProfilerDisable", cupti.RangeProfilerDisable(&disable));
    abi::CUpti_Profiler_Host_Deinitialize_Params close;
    close.pHostObject = host.pHostObject;
    check("cuptiProfilerHostDeinitialize", cupti.ProfilerHostDeinitialize(&close));
    return result;
}

template <class... Metrics>
double scopes_ms(gpuprof::device const& gpu, std::size_t count, work const& work, Metrics... metrics) {
    gpuprof::profiler_options options;
    options.max_ranges = count;
    gpuprof::profiler prof{gpu, options, metrics...};
    double spent = 0;
    for (auto pass : prof.passes()) {
        auto const begin = clock_type::now();
        for (std::size_t i = 0; i < count; ++i) {
            gpuprof::scope const step{prof, "step"};
            work.launch();
        }
        spent = milliseconds_since(begin);
    }
    gpuprof::report const report = prof.report();
    if (!report.complete()) throw std::runtime_error{report.completeness().problems.front().message()};
    return spent;
}

template <class... Metrics>
void compare_ranges(char const* what, gpuprof::device const& gpu, work const& work, int repetitions,
                    Metrics... metrics) {
    constexpr std::size_t count = 500;
    std::vector<std::string> const names{std::string{metrics.name()}...};
    std::vector<char const*> list;
    for (std::string const& each : names) list.push_back(each.c_str());
    std::vector<double> bare, scopes, ratios;
    for (int i = -1; i < repetitions; ++i) { // the first replay pass warms up
        double b = 0, s = 0;
        auto const run_bare = [&] { b = bare_collection(gpu.cupti(), gpu.context(), list, count, work).ranges_ms; };
        auto const run_scopes = [&] { s = scopes_ms(gpu, count, work, metrics...); };
        if (i % 2 == 0) run_bare(), run_scopes();
        else run_scopes(), run_bare();
        if (i < 0) continue;
        bare.push_back(b * 1e3 / count);
        scopes.push_back(s * 1e3 / count);
        ratios.push_back(s / b);
    }
    double const ratio = median(scopes) / median(bare);
    std::printf("%-24s %10.3f us bare %10.3f us scopes  %+7.0f ns  ratio %.4f (of pairs %.4f), at most 1.02: %s\n",
                what, median(bare), median(scopes), 1e3 * (median(scopes) - median(bare)), ratio, median(ratios),
                ratio <= 1.02 ? "met" : "MISSED");
}

struct call_times {
    std::vector<std::pair<std::string, double>> calls; // in the order of the first call

    void add(std::string const& call, double ms) {
        for (auto& [name, sum] : calls)
            if (name == call) {
                sum += ms;
                return;
            }
        calls.emplace_back(call, ms);
    }
};
call_times times;

// Stands in for a table's entry and times it.
template <auto Member, class = decltype(Member)>
struct timed;
template <auto Member, class Table, class... Parameters>
struct timed<Member, abi::CUptiResult (*Table::*)(Parameters...)> {
    static inline abi::CUptiResult (*original)(Parameters...) = nullptr;
    static inline char const* symbol = "";
    static abi::CUptiResult call(Parameters... parameters) {
        auto const begin = clock_type::now();
        auto const status = original(parameters...);
        times.add(symbol, milliseconds_since(begin));
        return status;
    }
    static void install(Table& table, char const* name) {
        if (table.*Member == nullptr) return;
        original = table.*Member;
        symbol = name;
        table.*Member = &call;
    }
};

gpuprof::hw::machine const& timed_machine() {
    static gpuprof::hw::machine machine = gpuprof::hw::real_machine();
#define INSTALL(member, symbol, parameters) timed<&abi::cupti_table::member>::install(machine.cupti, #symbol);
    GPUPROF_ABI_CUPTI(INSTALL)
#undef INSTALL
    return machine;
}

constexpr char first_metric[] = "sm__inst_executed.sum";

// In a process of its own: prints its calls and, last, the whole.
int first_counter(bool bare) {
    gpuprof::hw::machine const& machine = timed_machine();
    work const work{machine};
    times.calls.clear();
    double value = 0, whole = 0;
    auto const begin = clock_type::now();
    if (bare) {
        abi::CUcontext context = nullptr;
        check("cuCtxGetCurrent", machine.driver.CtxGetCurrent(&context));
        value = bare_collection(machine.cupti, context, {first_metric}, 1, work).value;
        whole = milliseconds_since(begin);
    } else {
        auto const gpu = gpuprof::device::try_open(machine).value();
        value = gpuprof::measure<first_metric>(gpu, [&] { work.launch(); }).template get<0>().value();
        whole = milliseconds_since(begin);
    }
    for (auto const& [call, ms] : times.calls) std::printf("%s %.6f\n", call.c_str(), ms);
    std::printf("value %.17g\nwhole %.6f\n", value, whole);
    return std::isfinite(value) && value > 0 ? 0 : 1;
}

// Runs this program again and adds what it prints to `into`, by name.
void run_process(char const* self, char const* how, char const* cache, std::map<std::string, std::vector<double>>& into,
                 std::vector<std::string>& order) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error{"no pipe"};
    pid_t const child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        close(ends[0]);
        close(ends[1]);
        if (cache != nullptr) setenv("GPUPROF_CACHE_DIR", cache, 1);
        else unsetenv("GPUPROF_CACHE_DIR");
        execl(self, self, "--first", how, static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    std::FILE* const out = fdopen(ends[0], "r");
    char name[128];
    double ms = 0;
    while (std::fscanf(out, "%127s %lf", name, &ms) == 2) {
        into[name].push_back(ms);
        if (std::find(order.begin(), order.end(), name) == order.end()) order.emplace_back(name);
    }
    std::fclose(out);
    int status = 0;
    waitpid(child, &status, 0);
    if (status != 0) throw std::runtime_error{std::string{"a process failed: "} + how};
}

void compare_first_counter(char const* self, int processes) {
    std::filesystem::path const cache =
        std::filesystem::temp_directory_path() / ("gpuprof_range_bench_" + std::to_string(getpid()));
    std::map<std::string, std::vector<double>> bare, cold, warm, filling;
    std::vector<std::string> order, unused;
    run_process(self, "measure", cache.c_str(), filling, unused);
    for (int i = 0; i < processes; ++i) {
        run_process(self, "bare", nullptr, bare, order);
        run_process(self, "measure", nullptr, cold, order);
        run_process(self, "measure", cache.c_str(), warm, order);
    }
    std::filesystem::remove_all(cache);

    auto const of = [](std::map<std::string, std::vector<double>> const& all, std::string const& name) {
        auto const at = all.find(name);
        return at == all.end() ? 0 : median(at->second);
    };
    std::printf("\nFirst counter, ms, medians of %d processes each   %12s %12s %12s\n", processes, "bare", "cold cache",
                "warm cache");
    double floor = 0, in_bare = 0;
    for (std::string const& name : order) {
        if (name == "whole" || name == "value") continue;
        double const b = of(bare, name), c = of(cold, name), w = of(warm, name);
        in_bare += b;
        floor += w;
        if (b >= 0.05 || c >= 0.05 || w >= 0.05) std::printf("  %-46s %12.2f %12.2f %12.2f\n", name.c_str(), b, c, w);
    }
    double const whole_bare = of(bare, "whole"), whole_cold = of(cold, "whole"), whole_warm = of(warm, "whole");
    std::printf("  %-46s %12.2f %12.2f %12.2f\n", "whole, value in hand and hardware given back", whole_bare,
                whole_cold, whole_warm);
    std::printf("  CUPTI calls alone: %.2f of the bare sequence, %.2f with a warm cache; gpuprof adds %.2f ms\n",
                in_bare, floor, whole_warm - floor);
    std::printf("  warm / bare = %.3f   at most 0.5: %s; cold / bare = %.3f; the calls still made / bare = %.3f\n",
                whole_warm / whole_bare,
                whole_warm <= 0.5 * whole_bare ? "met" : "MISSED, the calls named above are the floor",
                whole_cold / whole_bare, floor / whole_bare);
}

} // namespace

int main(int argc, char** argv) try {
    if (argc == 3 && std::string{argv[1]} == "--first") return first_counter(std::string{argv[2]} == "bare");

    auto const opened = gpuprof::device::try_open(gpuprof::hw::real_machine());
    if (!opened) {
        std::printf("No GPU to measure on.\n%s\n", opened.error().message().c_str());
        return 0;
    }
    gpuprof::device const& gpu = *opened;
    if (gpu.chip().empty() || !gpu.capability().has_range_hardware()) {
        std::printf("No range profiler on %.*s.\n", static_cast<int>(gpu.name().size()), gpu.name().data());
        return 0;
    }
    int driver = 0;
    static_cast<void>(gpu.driver().DriverGetVersion(&driver));
    std::printf("%.*s (%s), driver for CUDA %d.%d, CUPTI %s\n", static_cast<int>(gpu.name().size()), gpu.name().data(),
                gpu.chip().c_str(), driver / 1000, driver % 1000 / 10,
                gpuprof::hw::cupti_version_text(gpu.machine().cupti_library.version).c_str());
    int const repetitions = argc > 1 ? std::max(1, std::atoi(argv[1])) : 7;
    int const processes = argc > 2 ? std::max(0, std::atoi(argv[2])) : 5; // 0: ranges only

    work const work{gpu.machine()};
    std::printf("\nOne range around one empty kernel, 500 ranges, medians of %d turns:\n", repetitions);
    compare_ranges("gpu__time_duration only", gpu, work, 3 * repetitions, gpuprof::metric<"gpu__time_duration.sum">);
    compare_ranges("two SM counters", gpu, work, repetitions, gpuprof::metric<"sm__inst_executed.sum">,
                   gpuprof::metric<"smsp__warps_launched.sum">);
    if (processes > 0) compare_first_counter("/proc/self/exe", processes);
} catch (std::exception const& problem) {
    std::fprintf(stderr, "%s\n", problem.what());
    return 1;
}
