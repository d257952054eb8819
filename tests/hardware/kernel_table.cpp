// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Counts what the kernels of tests/kernels do, on a GPU or on the embedded one, and prints it as tables of kernel by
// metric; h200_kernels.txt is what it printed on an H200. A cell is "least..greatest" where repetitions differ.
//
//   kernel_table TESTS [--repeat N] [--only KERNEL]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gpuprof/gpuprof.hpp>
#include <gpuprof/sim.hpp>

#include "functional_suite.hpp"

namespace {

struct metric_group {
    char const* title;
    std::vector<std::string> metrics;
};

std::vector<metric_group> const& groups() {
    static std::vector<metric_group> const all{
        {"launches", {"smsp__warps_launched.sum", "smsp__threads_launched.sum", "sm__ctas_launched.sum"}},
        {"instructions",
         {"smsp__inst_executed.sum", "smsp__thread_inst_executed.sum", "smsp__thread_inst_executed_pred_on.sum",
          "smsp__inst_executed_op_branch.sum"}},
        {"instructions of memory",
         {"smsp__inst_executed_op_global_ld.sum", "smsp__inst_executed_op_global_st.sum",
          "smsp__inst_executed_op_global_red.sum", "smsp__inst_executed_op_generic_ld.sum",
          "smsp__inst_executed_op_generic_st.sum", "smsp__inst_executed_op_generic_atom.sum",
          "smsp__inst_executed_op_ldgsts.sum", "smsp__inst_executed_op_local_ld.sum",
          "smsp__inst_executed_op_local_st.sum", "smsp__inst_executed_op_ldc.sum"}},
        {"instructions of shared memory",
         {"smsp__inst_executed_op_shared_ld.sum", "smsp__inst_executed_op_shared_st.sum",
          "smsp__inst_executed_op_shared_atom.sum", "smsp__inst_executed_op_ldsm.sum"}},
        {"L1 requests",
         {"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
          "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
          "l1tex__t_requests_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
          "l1tex__t_requests_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_requests_pipe_lsu_mem_local_op_st.sum"}},
        {"L1 sectors",
         {"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum", "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_ldgsts_cache_access.sum",
          "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum", "l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum"}},
        {"sectors found in L1",
         {"l1tex__t_sectors_pipe_lsu_lookup_hit.sum", "l1tex__t_sectors_pipe_lsu_lookup_miss.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
          "l1tex__t_sectors_pipe_lsu_mem_global_op_st_lookup_hit.sum",
          "l1tex__t_sectors_pipe_lsu_mem_local_op_ld_lookup_hit.sum",
          "l1tex__t_sectors_pipe_lsu_mem_local_op_st_lookup_hit.sum"}},
        {"wavefronts of shared memory",
         {"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
          "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
          "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum"}},
        {"L2 sectors",
         {"lts__t_sectors.sum", "lts__t_sectors_op_read.sum", "lts__t_sectors_op_write.sum",
          "lts__t_sectors_op_atom.sum", "lts__t_sectors_op_red.sum", "lts__t_sectors_srcunit_tex.sum"}},
        {"device memory", {"dram__bytes_read.sum", "dram__bytes_write.sum"}},
    };
    return all;
}

std::string read_file(std::string const& path) {
    std::ifstream file{path, std::ios::binary};
    std::string text{std::istreambuf_iterator<char>{file}, {}};
    if (text.empty()) throw std::runtime_error{"cannot read " + path};
    return text;
}

void check(std::string const& call, gpuprof::abi::CUresult status) {
    if (status) throw std::runtime_error{gpuprof::hw::explain(call, status).message()};
}

// The modules of the launches, each loaded once.
class loaded_modules {
public:
    loaded_modules(gpuprof::abi::driver_table const& driver, std::string folder)
        : driver_{driver}, folder_{std::move(folder)} {}
    loaded_modules(loaded_modules const&) = delete;
    loaded_modules& operator=(loaded_modules const&) = delete;
    ~loaded_modules() {
        for (auto const& each : modules_) static_cast<void>(driver_.ModuleUnload(each.second));
    }
    gpuprof::abi::CUfunction function(std::string const& file, char const* name) {
        auto [at, is_new] = modules_.try_emplace(file, nullptr);
        if (is_new)
            check("cuModuleLoadData " + file,
                  driver_.ModuleLoadData(&at->second, read_file(folder_ + "/kernels/" + file).c_str()));
        gpuprof::abi::CUfunction found = nullptr;
        check(std::string{"cuModuleGetFunction "} + name, driver_.ModuleGetFunction(&found, at->second, name));
        return found;
    }

private:
    gpuprof::abi::driver_table const& driver_;
    std::string folder_;
    std::map<std::string, gpuprof::abi::CUmodule> modules_;
};

// A launch with its arrays in device memory. Neither copied nor moved: it hands out addresses of its members.
class prepared_launch {
public:
    prepared_launch(gpuprof::abi::driver_table const& driver, loaded_modules& modules, functional_launch const& what)
        : driver_{driver},
          what_{what},
          function_{modules.function(what.file, what.name)},
          arguments_{what.arguments()},
          arrays_(arguments_.size()) {
        for (std::size_t i = 0; i < arguments_.size(); ++i) {
            if (arguments_[i].is_array) check("cuMemAlloc", driver_.MemAlloc(&arrays_[i], arguments_[i].bytes.size()));
            parameters_.push_back(arguments_[i].is_array ? static_cast<void*>(&arrays_[i])
                                                         : arguments_[i].bytes.data());
        }
    }
    prepared_launch(prepared_launch const&) = delete;
    prepared_launch& operator=(prepared_launch const&) = delete;
    ~prepared_launch() {
        for (auto const address : arrays_)
            if (address != 0) static_cast<void>(driver_.MemFree(address));
    }

    // Puts into the arrays what they hold at first.
    void reset() {
        for (std::size_t i = 0; i < arguments_.size(); ++i)
            if (arguments_[i].is_array)
                check("cuMemcpyHtoD",
                      driver_.MemcpyHtoD(arrays_[i], arguments_[i].bytes.data(), arguments_[i].bytes.size()));
    }
    void launch() {
        check(what_.name,
              driver_.LaunchKernel(function_, what_.grid.x, what_.grid.y, what_.grid.z, what_.block.x, what_.block.y,
                                   what_.block.z, what_.shared, nullptr, parameters_.data(), nullptr));
        check(what_.name, driver_.CtxSynchronize());
    }
    [[nodiscard]] char const* name() const { return what_.name; }

private:
    gpuprof::abi::driver_table const& driver_;
    functional_launch const& what_;
    gpuprof::abi::CUfunction function_;
    functional::arguments arguments_;
    std::vector<gpuprof::abi::CUdeviceptr> arrays_;
    std::vector<void*> parameters_;
};

// Leaves in L2 nothing that a launch could find and nothing that must be written back: reads more than it holds. Does
// nothing on the embedded GPU, where that would take minutes.
class l2_flush {
public:
    l2_flush(gpuprof::device const& gpu, loaded_modules& modules) : driver_{gpu.driver()} {
        if (gpu.source() == gpuprof::device_source::embedded) return;
        function_ = modules.function("reduce.sm_80.ptx", "reduce_shuffle");
        check("cuMemAlloc", driver_.MemAlloc(&memory_, words * 4 + 4));
        check("cuMemsetD8", driver_.MemsetD8(memory_, 0, words * 4 + 4));
    }
    l2_flush(l2_flush const&) = delete;
    l2_flush& operator=(l2_flush const&) = delete;
    ~l2_flush() {
        if (memory_ != 0) static_cast<void>(driver_.MemFree(memory_));
    }
    void operator()() {
        if (function_ == nullptr) return;
        gpuprof::abi::CUdeviceptr sum = memory_ + words * 4;
        int count = words;
        void* parameters[] = {&memory_, &sum, &count};
        check("reduce_shuffle",
              driver_.LaunchKernel(function_, words / 256, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
        check("cuCtxSynchronize", driver_.CtxSynchronize());
    }

private:
    static constexpr int words = 1 << 27; // half a gibibyte
    gpuprof::abi::driver_table const& driver_;
    gpuprof::abi::CUfunction function_ = nullptr;
    gpuprof::abi::CUdeviceptr memory_ = 0;
};

// The least and the greatest value of a cell.
struct extremes {
    double least = 0;
    double greatest = 0;
};
using table = std::map<std::string, std::map<std::string, extremes>>; // by metric and kernel

class counting {
public:
    using launches = std::vector<std::unique_ptr<prepared_launch>>;

    counting(gpuprof::device const& gpu, loaded_modules& modules, launches const& what)
        : gpu_{gpu}, flush_{gpu, modules}, launches_{what} {}

    // Counts a group over every launch. A metric that the device does not have is left out.
    void count(metric_group const& group, int repeat) {
        std::vector<gpuprof::metric_info> metrics;
        for (std::string const& name : group.metrics) {
            auto const metric = gpuprof::try_metric(name).value();
            if (gpuprof::profiler::try_create(gpu_, {}, std::span{&metric, 1})) metrics.push_back(metric);
        }
        auto profiler = gpuprof::profiler::try_create(gpu_, {}, metrics).value();
        for (int repetition = 0; repetition < repeat; ++repetition) {
            for ([[maybe_unused]] auto const& pass : profiler.passes())
                for (auto const& each : launches_) launch(profiler, *each);
            add(profiler.report());
        }
    }

    [[nodiscard]] table const& values() const { return values_; }

private:
    void launch(gpuprof::profiler& profiler, prepared_launch& what) {
        what.reset();
        flush_();
        gpuprof::scope range{profiler, what.name()};
        what.launch();
    }

    void add(gpuprof::report const& report) {
        for (gpuprof::error const& problem : report.completeness().problems)
            throw std::runtime_error{problem.message()};
        for (auto const& each : launches_)
            for (gpuprof::metric_info const& metric : report.metrics()) {
                double const value = report.try_range(each->name()).value().try_value(metric.name).value().value;
                auto [at, is_new] = values_[metric.name].try_emplace(each->name(), extremes{value, value});
                if (is_new) continue;
                at->second.least = std::min(at->second.least, value);
                at->second.greatest = std::max(at->second.greatest, value);
            }
    }

    gpuprof::device const& gpu_;
    l2_flush flush_;
    launches const& launches_;
    table values_;
};

std::string text_of(table const& values, std::string const& metric, char const* kernel) {
    auto const column = values.find(metric);
    if (column == values.end()) return "-";
    extremes const& cell = column->second.at(kernel);
    char text[64];
    if (cell.least == cell.greatest) std::snprintf(text, sizeof text, "%.0f", cell.least);
    else std::snprintf(text, sizeof text, "%.0f..%.0f", cell.least, cell.greatest);
    return text;
}

// A group's legend, then a row a kernel.
void print(metric_group const& group, table const& values, counting::launches const& launches) {
    std::printf("\n%s\n", group.title);
    std::size_t const columns = group.metrics.size();
    for (std::size_t i = 0; i < columns; ++i)
        std::printf("  %c  %s\n", static_cast<char>('a' + i), group.metrics[i].c_str());
    std::vector<std::size_t> widths(columns, 1);
    std::size_t name_width = 6;
    for (auto const& each : launches) {
        name_width = std::max(name_width, std::string_view{each->name()}.size());
        for (std::size_t i = 0; i < columns; ++i)
            widths[i] = std::max(widths[i], text_of(values, group.metrics[i], each->name()).size());
    }
    std::printf("%-*s", static_cast<int>(name_width), "kernel");
    for (std::size_t i = 0; i < columns; ++i)
        std::printf("  %*c", static_cast<int>(widths[i]), static_cast<char>('a' + i));
    for (auto const& each : launches) {
        std::printf("\n%-*s", static_cast<int>(name_width), each->name());
        for (std::size_t i = 0; i < columns; ++i)
            std::printf("  %*s", static_cast<int>(widths[i]), text_of(values, group.metrics[i], each->name()).c_str());
    }
    std::printf("\n");
}

// The version of the kernel's driver, where the system tells it.
std::string driver_version() {
    std::ifstream file{"/sys/module/nvidia/version"};
    std::string text;
    return std::getline(file, text) ? text : "unknown";
}

} // namespace

int main(int words, char** word) try {
    std::string folder, only;
    int repeat = 3;
    for (int i = 1; i < words; ++i) {
        std::string_view const each = word[i];
        if (each == "--repeat" && i + 1 < words) repeat = std::max(std::atoi(word[++i]), 1);
        else if (each == "--only" && i + 1 < words) only = word[++i];
        else if (folder.empty() && !each.starts_with('-')) folder = each;
        else throw std::runtime_error{"usage: kernel_table TESTS [--repeat N] [--only KERNEL]"};
    }
    if (folder.empty()) throw std::runtime_error{"usage: kernel_table TESTS [--repeat N] [--only KERNEL]"};

    gpuprof::device const gpu = gpuprof::open_device();
    loaded_modules modules{gpu.driver(), folder};
    auto const suite = functional_launches();
    counting::launches launches;
    for (functional_launch const& each : suite)
        if (only.empty() || only == each.name)
            launches.push_back(std::make_unique<prepared_launch>(gpu.driver(), modules, each));
    if (launches.empty()) throw std::runtime_error{"no kernel \"" + only + '"'};

    counting counts{gpu, modules, launches};
    for (metric_group const& group : groups()) counts.count(group, repeat);

    bool const on_hardware = gpu.source() == gpuprof::device_source::hardware;
    std::printf("Counters of the kernels of tests/kernels, each launched with %s\n",
                on_hardware ? "nothing of its data in the caches" : "L2 as copying its data leaves it");
    std::printf("  device: %.*s\n", static_cast<int>(gpu.name().size()), gpu.name().data());
    std::printf("  chip: %s\n", gpu.chip().c_str());
    if (on_hardware) {
        std::printf("  driver: %s\n", driver_version().c_str());
        std::printf("  driver API: %d\n", gpu.machine().driver_library.version);
        std::printf("  CUPTI: %s\n", gpuprof::hw::cupti_version_text(gpu.machine().cupti_library.version).c_str());
    }
    std::printf(
        "  built: g++ -std=c++20 -O1 -I include tests/hardware/kernel_table.cpp -o kernel_table -pthread -ldl\n");
    std::printf("  command:");
    for (int i = 0; i < words; ++i) std::printf(" %s", word[i]);
    std::printf("\n  repetitions: %d\n", repeat);
    for (metric_group const& group : groups()) print(group, counts.values(), launches);
} catch (std::exception const& problem) {
    std::fprintf(stderr, "kernel_table: %s\n", problem.what());
    return 2;
}
