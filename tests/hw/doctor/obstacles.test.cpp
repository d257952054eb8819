// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/doctor: what NVIDIA's documents say can stand in the way of measuring, each on a machine made up so that it does, and not
// on one where it does not. The documents: CUPTI 12.0 (1.2, 2.1, 4) and Nsight Compute 2023.3 (3.4, 6, 7, 11).
#include <doctest/doctest.h>

#if !defined(_WIN32)
#include <fcntl.h>
#endif

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include <gpuprof/hw/counters/registry.hpp>
#include <gpuprof/hw/doctor/device_name.hpp>
#include <gpuprof/hw/doctor/doctor.hpp>
#include <gpuprof/hw/doctor/examination.hpp>

#include "support/hand_filled.hpp"
#include "support/kept_name.hpp"
#include "support/paper_hardware.hpp"
#include "support/system.hpp"

namespace obstacles_test {

using gpuprof::errc;
using gpuprof::finding;
using gpuprof::hw::surroundings;
using test::hand_filled_device;
using test::hand_filled_machine;

namespace abi = gpuprof::abi;
namespace hw = gpuprof::hw;

namespace {

using topic = finding::topic;
using severity = finding::severity;

bool has(finding const& each, topic about, severity how, std::string_view part) {
    return each.about == about && each.how == how && each.text.find(part) != part.npos;
}

// The findings about that, of that severity, whose text contains all parts.
std::size_t count(std::vector<finding> const& all, topic about, severity how,
                  std::initializer_list<std::string_view> parts) {
    std::size_t found = 0;
    for (finding const& each : all) {
        bool every = true;
        for (std::string_view const part : parts) every = every && has(each, about, how, part);
        if (every && each.how != severity::good) CHECK_FALSE(each.remedy.empty());
        found += every ? 1 : 0;
    }
    return found;
}

hand_filled_device of(int generation, int revision, std::string name = "Paper GPU") {
    hand_filled_device gpu;
    gpu.name = std::move(name);
    gpu.generation = generation;
    gpu.revision = revision;
    return gpu;
}

// With the CUPTI of CUDA 12.9, which has events.
hw::machine with_events(hand_filled_device const& gpu) {
    hw::machine on = hand_filled_machine({gpu});
    on.cupti_library.version = 28;
    return on;
}

surroundings wsl2() {
    surroundings here;
    here.kernel_version = "Linux version 5.15.153.1-microsoft-standard-WSL2";
    return here;
}

// A backend for every capability with counters, events included, in the program's list while `is_in_program`.
struct every_hardware : test::paper_hardware {
    static inline bool is_in_program = false;
    [[nodiscard]] static bool supports(gpuprof::compute_capability capability) {
        return is_in_program && (capability.has_event_hardware() || capability.has_range_hardware());
    }
};
hw::registration const every_hardware_registered{hw::backend<every_hardware>};

std::vector<finding> examine(hw::machine const& on, surroundings const& here = {}) {
    every_hardware::is_in_program = true;
    auto found = hw::examination::of(on, here);
    every_hardware::is_in_program = false;
    return found;
}

} // namespace

TEST_CASE("obstacle 1: counters for administrators only") {
    surroundings here;
    here.driver_parameters = "RmProfilingAdminOnly: 1\n";
    here.own_status = "CapEff:\t0000000000000000\n";
    auto const all = examine(hand_filled_machine({{}}), here);
    CHECK(count(all, topic::permission, severity::obstacle, {"administrators only"}) == 1);
    CHECK_FALSE(gpuprof::can_measure(all));
}

TEST_CASE("obstacle 2: on Tegra counters and tracing are for root, whatever the driver's parameters say") {
    surroundings here;
    here.own_status = "CapEff:\t0000000000000000\n";
    CHECK(count(examine(hand_filled_machine({{}}), here), topic::permission, severity::obstacle, {""}) == 0);
    for (hw::named_text const& sign :
         {hw::named_text{"/etc/nv_tegra_release", "# R36 (release), REVISION: 3.0\n"},
          hw::named_text{"/proc/device-tree/compatible", "nvidia,p3737-0000\0nvidia,tegra234"}}) {
        here.files = {sign};
        if (sign.name.find("compatible") != std::string::npos)
            here.files = {{sign.name, std::string("nvidia,p3737-0000\0nvidia,tegra234\0", 35)}};
        auto const all = examine(hand_filled_machine({{}}), here);
        CHECK(count(all, topic::permission, severity::obstacle, {"Tegra", "tracing", "root only"}) == 1);
        CHECK_FALSE(gpuprof::can_measure(all));
    }
    here.own_status = "CapEff:\t000001ffffffffff\n";
    CHECK(gpuprof::can_measure(examine(hand_filled_machine({{}}), here)));
}

TEST_CASE("obstacle 3: under WSL counters are opened on the Windows side") {
    auto const all = examine(hand_filled_machine({{}}), wsl2());
    REQUIRE(count(all, topic::permission, severity::caveat, {"WSL 2", "Windows side"}) == 1);
    for (finding const& each : all)
        if (each.about == topic::permission) CHECK(each.remedy.find("NVIDIA Control Panel") != std::string::npos);
}

TEST_CASE("obstacle 4: WSL needs version 2, driver 525, Windows 11, and has no events") {
    surroundings first;
    first.kernel_version = "Linux version 4.4.0-19041-Microsoft";
    CHECK(count(examine(hand_filled_machine({{}}), first), topic::system, severity::obstacle, {"WSL 1"}) == 1);

    hw::machine on = hand_filled_machine({{}});
    CHECK(count(examine(on, wsl2()), topic::system, severity::obstacle, {""}) == 0);
    CHECK(count(examine(on, wsl2()), topic::permission, severity::caveat, {"Windows 11"}) == 1);
    on.cupti_library.version = 17;
    on.driver_library.version = 11080; // driver 520; 525 came with CUDA 12.0
    CHECK(count(examine(on, wsl2()), topic::system, severity::obstacle, {"driver 525"}) == 1);
    CHECK(count(examine(on), topic::system, severity::obstacle, {""}) == 0);

    on = with_events(of(5, 2));
    CHECK(gpuprof::can_measure(examine(on)));
    CHECK(count(examine(on, wsl2()), topic::counters, severity::obstacle, {"no events under WSL"}) == 1);
    on = with_events(of(7, 0));
    CHECK(count(examine(on, wsl2()), topic::counters, severity::note, {"no events under WSL", "not affected"}) == 1);
    CHECK(gpuprof::can_measure(examine(on, wsl2())));
}

TEST_CASE("obstacle 5: a virtual GPU whose host has not enabled profiling") {
    hand_filled_device gpu = of(9, 0, "NVIDIA H100-40C");
    gpu.support.isSupported = abi::CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    gpu.support.vGpu = abi::CUPTI_PROFILER_CONFIGURATION_DISABLED;
    auto const all = examine(hand_filled_machine({gpu}));
    CHECK(count(all, topic::counters, severity::obstacle, {"a virtual GPU"}) == 1);
    for (finding const& each : all)
        if (each.about == topic::counters) CHECK(each.remedy.find("enable_profiling") != std::string::npos);
}

TEST_CASE("obstacle 6: a virtual GPU needs a licence, does not survive a migration, and has no events") {
    hw::machine const on = hand_filled_machine({of(9, 0, "NVIDIA H100-40C")});
    CHECK(count(examine(on), topic::values, severity::caveat, {"20 minutes", "nvidia-gridd"}) == 1);
    CHECK(count(examine(on), topic::values, severity::note, {"migration"}) == 1);
    surroundings licensed;
    licensed.processes = {"nvidia-gridd"};
    CHECK(count(examine(on, licensed), topic::values, severity::caveat, {"20 minutes"}) == 0);
    CHECK(count(examine(on, licensed), topic::values, severity::note, {"20 minutes"}) == 1);
    CHECK(count(examine(hand_filled_machine({{}})), topic::values, severity::caveat, {""}) == 0);
    CHECK(count(examine(with_events(of(6, 1, "GRID P40-24Q"))), topic::counters, severity::obstacle,
                {"no events on a virtual GPU"}) == 1);
}

TEST_CASE("obstacle 6: a virtual GPU whose name does not tell is one where CUPTI says so") {
    static abi::CUptiResult answer;
    static abi::CUpti_DeviceVirtualizationMode mode;
    hw::machine on = hand_filled_machine({of(9, 0)});
    on.cupti.DeviceVirtualizationMode = [](abi::CUdevice, abi::CUpti_DeviceVirtualizationMode* to) {
        if (answer == abi::CUPTI_SUCCESS) *to = mode;
        return answer;
    };
    auto const caveats = [&](abi::CUptiResult answers, abi::CUpti_DeviceVirtualizationMode says) {
        answer = answers;
        mode = says;
        return count(examine(on), topic::values, severity::caveat, {"20 minutes"});
    };
    CHECK(caveats(abi::CUPTI_SUCCESS, abi::CUPTI_DEVICE_VIRTUALIZATION_MODE_VIRTUAL_GPU) == 1);
    CHECK(caveats(abi::CUPTI_SUCCESS, abi::CUPTI_DEVICE_VIRTUALIZATION_MODE_PASS_THROUGH) == 0);
    CHECK(caveats(abi::CUPTI_ERROR_UNKNOWN, abi::CUPTI_DEVICE_VIRTUALIZATION_MODE_VIRTUAL_GPU) == 0);
}

TEST_CASE("obstacle 7: a virtual GPU on a MIG instance counts other machines' work and locks their clocks") {
    auto const mig = examine(hand_filled_machine({of(9, 0, "NVIDIA H100-3-40C")}));
    CHECK(count(mig, topic::values, severity::caveat, {"other virtual machines", "locked clocks"}) == 1);
    auto const whole = examine(hand_filled_machine({of(9, 0, "NVIDIA H100-40C")}));
    CHECK(count(whole, topic::values, severity::caveat, {"other virtual machines"}) == 0);
}

TEST_CASE("obstacle 8: a shared MIG instance has no values of shared units, and clocks are the whole GPU's") {
    auto const shared = examine(hand_filled_machine({of(9, 0, "NVIDIA H100 80GB HBM3 MIG 1c.3g.40gb")}));
    CHECK(count(shared, topic::values, severity::caveat, {"NaN", "L2", "device memory"}) == 1);
    auto const isolated = examine(hand_filled_machine({of(9, 0, "NVIDIA H100 80GB HBM3 MIG 3g.40gb")}));
    CHECK(count(isolated, topic::values, severity::caveat, {""}) == 0);
    for (auto const& all : {shared, isolated}) {
        CHECK(count(all, topic::values, severity::note, {"MIG instance", "whole GPU"}) == 1);
        for (finding const& each : all)
            if (has(each, topic::values, severity::note, "whole GPU"))
                CHECK(each.remedy.find("nvidia-smi --lock-gpu-clocks=tdp,tdp") != std::string::npos);
    }
}

TEST_CASE("obstacle 9: SLI, confidential computing, mining processors") {
    struct expectation {
        abi::CUpti_Profiler_Support_Level abi::CUpti_Profiler_DeviceSupported_Params::*aspect;
        char const* text;
    };
    for (auto const& [aspect, text] :
         {expectation{&abi::CUpti_Profiler_DeviceSupported_Params::sli, "SLI"},
          expectation{&abi::CUpti_Profiler_DeviceSupported_Params::confidentialCompute, "confidential computing"},
          expectation{&abi::CUpti_Profiler_DeviceSupported_Params::cmp, "mining processor"}}) {
        hand_filled_device gpu;
        gpu.support.isSupported = abi::CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
        gpu.support.*aspect = abi::CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
        CHECK(count(examine(hand_filled_machine({gpu})), topic::counters, severity::obstacle, {text}) == 1);
    }
}

TEST_CASE("obstacle 10: the multi-process service") {
    hand_filled_device gpu;
    gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_MPS_ENABLED] = 1;
    auto const all = examine(hand_filled_machine({gpu}));
    CHECK(count(all, topic::system, severity::obstacle, {"MPS"}) == 1);
    CHECK(count(all, topic::system, severity::obstacle, {"events"}) == 0); // 9.0 has none
    CHECK_FALSE(gpuprof::can_measure(all));
    gpu.generation = 7;
    CHECK(count(examine(hand_filled_machine({gpu})), topic::system, severity::obstacle,
                {"MPS", "events may count too much"}) == 1);

    surroundings daemon;
    daemon.processes = {kept_name("nvidia-cuda-mps-control")};
    CHECK(count(examine(hand_filled_machine({{}}), daemon), topic::system, severity::caveat, {"MPS"}) == 1);
    gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_MPS_ENABLED] = 0; // a driver that knows says no
    auto const no_client = examine(hand_filled_machine({gpu}), daemon);
    CHECK(count(no_client, topic::system, severity::caveat, {"MPS"}) == 0);
    CHECK(count(no_client, topic::system, severity::obstacle, {"MPS"}) == 0);
}

TEST_CASE("obstacle 11: a driver too old for CUPTI") {
    hw::machine on = hand_filled_machine({{}});
    on.driver_library.version = 12080;
    CHECK(count(examine(on), topic::cupti, severity::obstacle, {"newer CUDA release than the driver"}) == 1);
}

TEST_CASE("obstacle 12: other tools, and a debugger of this process") {
    for (char const* const whole : {"ncu", "nsys", "nvprof", "cuda-gdb", "cuda-gdb-python", "cuda-memcheck",
                                    "compute-sanitizer", "ngfx", "ngfx-capture", "ngfx-ui.bin"}) {
        std::string const program = kept_name(whole);
        CAPTURE(program);
        surroundings here;
        here.processes = {"bash", program};
        CHECK(count(examine(hand_filled_machine({{}}), here), topic::other_tools, severity::caveat, {program}) == 1);
    }
    struct expectation {
        char const* mapped;
        char const* tool;
    };
    for (auto const& [mapped, tool] :
         {expectation{"/usr/local/cuda/compute-sanitizer/libsanitizer-collection.so", "Compute Sanitizer"},
          expectation{"/opt/ncu/target/linux-desktop-glibc_2_11_3-x64/libcuda-injection.so", "Nsight Compute"},
          expectation{"/opt/nsys/target-linux-x64/libToolsInjection64.so", "Nsight Systems"}}) {
        surroundings here;
        here.files = {{"/proc/self/maps", std::string{"7f00-7f01 r-xp 00000000 08:01 42 "} + mapped + "\n"}};
        CHECK(count(examine(hand_filled_machine({{}}), here), topic::other_tools, severity::caveat,
                    {tool, "injected"}) == 1);
    }
    surroundings debugged;
    debugged.own_status = "State:\tR (running)\nTracerPid:\t4711\nCapEff:\t0\n";
    CHECK(gpuprof::can_measure(examine(hand_filled_machine({{}}), debugged)));
    debugged.files = {{"/proc/4711/comm", "gdb\n"}};
    CHECK(gpuprof::can_measure(examine(hand_filled_machine({{}}), debugged)));
    debugged.files = {{"/proc/4711/comm", "cuda-gdb\n"}};
    CHECK(count(examine(hand_filled_machine({{}}), debugged), topic::other_tools, severity::obstacle, {"cuda-gdb"}) ==
          1);
    debugged.own_status = "TracerPid:\t0\n";
    CHECK(gpuprof::can_measure(examine(hand_filled_machine({{}}), debugged)));
}

TEST_CASE("obstacle 13: DCGM holds the counters") {
    surroundings here;
    here.processes = {"nv-hostengine"};
    auto const all = examine(hand_filled_machine({{}}), here);
    REQUIRE(count(all, topic::other_tools, severity::caveat, {"nv-hostengine"}) == 1);
    for (finding const& each : all)
        if (each.about == topic::other_tools) CHECK(each.remedy.find("dcgmi profile --pause") != std::string::npos);
}

TEST_CASE("obstacle 14: code of nvcc before 9.0 on capability 6.0 and 6.1") {
    auto const told = [](int generation, int revision) {
        return count(examine(with_events(of(generation, revision))), topic::values, severity::note,
                     {"nvcc before 9.0"});
    };
    CHECK(told(5, 3) == 0);
    CHECK(told(6, 0) == 1);
    CHECK(told(6, 1) == 1);
    CHECK(told(6, 2) == 0);
    CHECK(told(7, 0) == 0);
}

TEST_CASE("obstacle 15: auto boost of Tesla products") {
    CHECK(count(examine(with_events(of(5, 2, "Tesla M40"))), topic::values, severity::note, {"auto boost"}) == 1);
    CHECK(count(examine(with_events(of(5, 2, "GeForce GTX 980"))), topic::values, severity::note, {"auto boost"}) == 0);
    CHECK(count(examine(with_events(of(2, 0, "Tesla C2050"))), topic::values, severity::note, {"auto boost"}) == 0);
}

TEST_CASE("obstacle 16: compute preemption, a caveat where another context is there to be preempted for") {
    hand_filled_device gpu = of(6, 0);
    auto const told = [&](severity how, surroundings const& here) {
        return count(examine(with_events(gpu), here), topic::values, how,
                     {"preempts", "warps_launched", "sm_cta_launched"});
    };
    surroundings shared;
    shared.device_users = {"Xorg"};
    CHECK(told(severity::note, {}) == 1); // from the capability, if the driver does not know the attribute
    CHECK(told(severity::caveat, shared) == 1);
    gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT] = 1; // a display
    CHECK(told(severity::caveat, {}) == 1);
    gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED] = 0;
    CHECK(told(severity::caveat, shared) + told(severity::note, shared) == 0);
    gpu = of(5, 2);
    CHECK(told(severity::caveat, shared) + told(severity::note, shared) == 0);
    gpu = of(9, 0); // no events to speak of, but times
    CHECK(count(examine(hand_filled_machine({gpu}), shared), topic::values, severity::caveat, {"preempts", "time"}) ==
          1);
    CHECK(told(severity::caveat, shared) == 0);
}

TEST_CASE("obstacle 17: demand paging") {
    hand_filled_device gpu;
    CHECK(count(examine(hand_filled_machine({gpu})), topic::values, severity::note, {"page faults"}) == 0);
    gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS] = 1;
    CHECK(count(examine(hand_filled_machine({gpu})), topic::values, severity::note,
                {"page faults", "first replay pass"}) == 1);
}

TEST_CASE("obstacle 18: other contexts and engines on the GPU") {
    surroundings here;
    here.device_users = {"nvidia-persiste"}; // keeps the driver loaded, and no more
    CHECK(count(examine(hand_filled_machine({{}}), here), topic::values, severity::caveat, {"other programs"}) == 0);
    here.device_users = {"nvidia-persiste", "Xorg", "python3"};
    CHECK(count(examine(hand_filled_machine({{}}), here), topic::values, severity::caveat, {"(Xorg, python3)", "L2"}) ==
          1);
}

TEST_CASE("obstacle 19: the watchdog of a device with a display") {
    hand_filled_device gpu;
    gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT] = 0;
    CHECK(count(examine(hand_filled_machine({gpu})), topic::system, severity::caveat, {"watchdog"}) == 0);
    gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT] = 1;
    auto const all = examine(hand_filled_machine({gpu}));
    REQUIRE(count(all, topic::system, severity::caveat, {"device 0", "watchdog"}) == 1);
    for (finding const& each : all)
        if (has(each, topic::system, severity::caveat, "watchdog"))
            CHECK(each.remedy.find("Interactive to false") != std::string::npos);
}

TEST_CASE("obstacle 20: persistence mode") {
    CHECK(count(examine(hand_filled_machine({{}})), topic::system, severity::note, {"nvidia-persistenced"}) == 1);
    surroundings here;
    here.processes = {kept_name("nvidia-persistenced")};
    CHECK(count(examine(hand_filled_machine({{}}), here), topic::system, severity::note, {"nvidia-persistenced"}) == 0);
    CHECK(count(examine(hand_filled_machine({{}}), wsl2()), topic::system, severity::note, {"nvidia-persistenced"}) ==
          0);
}

TEST_CASE("obstacle 20: persistence mode as the management library tells it, else by the daemon") {
    using namespace gpuprof::hw::provided;
    static unsigned modes[2];
    static int status;
    nvml_table library;
    library.handle_by_bus_id = [](char const* bus_id, nvml_device* device) {
        *device = reinterpret_cast<nvml_device>(&modes[bus_id[0] == '1' ? 1 : 0]);
        return 0;
    };
    library.persistence_mode = [](nvml_device device, unsigned* is_on) {
        *is_on = *reinterpret_cast<unsigned*>(device);
        return status;
    };
    other_nvml = &library;
    surroundings with_daemon;
    with_daemon.processes = {kept_name("nvidia-persistenced")};
    auto const told = [](surroundings const& here, char const* words) {
        auto machine = hand_filled_machine({{"GPU A"}, {"GPU B"}});
        machine.driver.DeviceGetPCIBusId = [](char* text, int size, abi::CUdevice which) {
            std::snprintf(text, static_cast<std::size_t>(size), "%d000:18:00.0", which);
            return abi::CUDA_SUCCESS;
        };
        return count(examine(machine, here), topic::system, severity::note, {words});
    };
    modes[0] = modes[1] = 1;
    status = 0;
    CHECK(told({}, "persist") == 0);
    modes[1] = 0;
    CHECK(told({}, "persistence mode is off (device 1)") == 1);
    CHECK(told(with_daemon, "persistence mode is off (device 1)") == 1); // it runs, and leaves this one alone
    CHECK(told({}, "nvidia-persistenced does not run") == 0);
    modes[0] = 0;
    CHECK(told({}, "persistence mode is off (device 0, device 1)") == 1);
    status = 3; // not told
    CHECK(told({}, "nvidia-persistenced does not run") == 1);
    CHECK(told(with_daemon, "persist") == 0);
    status = 0;
    library.persistence_mode = nullptr;
    CHECK(told({}, "nvidia-persistenced does not run") == 1);
    library.missing = gpuprof::error{gpuprof::errc::unavailable, 0, "none"};
    CHECK(told({}, "nvidia-persistenced does not run") == 1);
    other_nvml = nullptr;
}

TEST_CASE("obstacle 21: the lock file of Nsight Compute, in the first directory that is named") {
    auto const told = [](surroundings const& here) {
        return count(examine(hand_filled_machine({{}}), here), topic::other_tools, severity::note,
                     {"nsight-compute-lock"});
    };
    surroundings here;
    CHECK(told(here) == 0);
    here.files = {{"/tmp/nsight-compute-lock", ""}};
    CHECK(told(here) == 1);
    here.variables = {{"TEMPDIR", "/d"}};
    CHECK(told(here) == 0);
    here.files = {{"/d/nsight-compute-lock", ""}};
    CHECK(told(here) == 1);
    for (char const* const earlier : {"TEMP", "TMP", "TMPDIR"}) {
        here.variables.push_back({earlier, std::string{"/of_"} + earlier});
        CHECK(told(here) == 0);
        here.files = {{std::string{"/of_"} + earlier + "/nsight-compute-lock", ""}};
        CHECK(told(here) == 1);
    }
}

TEST_CASE("obstacle 22: no events on 64-bit ARM servers, but on Tegra") {
    surroundings here;
    here.arm64 = true;
    CHECK(count(examine(with_events(of(6, 0)), here), topic::counters, severity::obstacle,
                {"no events on 64-bit ARM"}) == 1);
    CHECK(count(examine(with_events(of(9, 0)), here), topic::counters, severity::obstacle, {""}) == 0);
    here.files = {{"/etc/nv_tegra_release", "# R32"}};
    here.own_status = "CapEff:\t000001ffffffffff\n";
    CHECK(gpuprof::can_measure(examine(with_events(of(6, 2)), here)));
}

TEST_CASE("obstacle 23: which CUPTI serves which capability") {
    struct expectation {
        int generation, revision, version; // of cuptiGetVersion: 18 is 11.8, 28 is 12.9
        bool events;
    };
    for (expectation const& with :
         {expectation{5, 0, 28, true}, expectation{7, 0, 28, true}, expectation{5, 0, 130000, false},
          expectation{6, 1, 130001, false}, expectation{3, 5, 28, false}, expectation{3, 5, 18, true},
          expectation{2, 0, 18, false}}) {
        CAPTURE(with.generation);
        CAPTURE(with.version);
        hw::machine on = hand_filled_machine({of(with.generation, with.revision)});
        on.cupti_library.version = with.version;
        auto const all = examine(on);
        if (with.generation < 7)
            CHECK(count(all, topic::counters, severity::obstacle, {"no events with CUPTI"}) == (with.events ? 0 : 1));
        CHECK(count(all, topic::counters, severity::note, {"no events with CUPTI"}) == 0);
        CHECK(gpuprof::can_measure(all) == with.events);
    }
    // Range profiling, of capability 7.0 and later, needs the calls that came with 12.6; a machine with older devices does not.
    hw::machine on = hand_filled_machine({of(9, 0)});
    on.cupti.RangeProfilerEnable = nullptr;
    CHECK_FALSE(gpuprof::can_measure(examine(on)));
    on = with_events(of(5, 2));
    on.cupti.RangeProfilerEnable = nullptr;
    CHECK(gpuprof::can_measure(examine(on)));
    on = hand_filled_machine({of(7, 0)});
    CHECK(count(examine(on), topic::counters, severity::note, {"no events with CUPTI 13", "not affected"}) == 1);
}

TEST_CASE("obstacle 24: on Windows counters may be for administrators, kernels are ended, timestamps are equal") {
    surroundings here;
    here.kernel_version = "Windows 10.0.22631";
    auto const plain = examine(hand_filled_machine({{}}), here);
    CHECK(count(plain, topic::permission, severity::caveat, {"administrators only", "not elevated"}) == 1);
    CHECK(count(plain, topic::values, severity::note, {"same timestamp"}) == 1);
    here.root = true;
    auto const elevated = examine(hand_filled_machine({{}}), here);
    CHECK(count(elevated, topic::permission, severity::caveat, {"administrators only"}) == 0);
    CHECK(count(elevated, topic::permission, severity::good, {"elevated"}) == 1);
    CHECK(count(examine(hand_filled_machine({{}}), {}), topic::values, severity::note, {"same timestamp"}) == 0);
}

TEST_CASE("obstacle 25: a compute mode in which no program can make a context") {
    hand_filled_device gpu;
    CHECK(count(examine(hand_filled_machine({gpu})), topic::system, severity::obstacle, {"compute mode"}) == 0);
    for (int const mode : {abi::CU_COMPUTEMODE_DEFAULT, abi::CU_COMPUTEMODE_EXCLUSIVE_PROCESS}) {
        gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE] = mode;
        CHECK(count(examine(hand_filled_machine({gpu})), topic::system, severity::obstacle, {"compute mode"}) == 0);
    }
    gpu.attributes[abi::CU_DEVICE_ATTRIBUTE_COMPUTE_MODE] = abi::CU_COMPUTEMODE_PROHIBITED;
    auto const all = examine(hand_filled_machine({gpu}));
    REQUIRE(count(all, topic::system, severity::obstacle, {"device 0", "prohibited"}) == 1);
    CHECK_FALSE(gpuprof::can_measure(all));
    for (finding const& each : all)
        if (has(each, topic::system, severity::obstacle, "compute mode")) {
            CHECK(each.code == errc::busy);
            CHECK(each.remedy.ends_with("nvidia-smi -c 0"));
        }
}

TEST_CASE("on an ordinary server the doctor prints a few lines, and the notes only on request") {
    hand_filled_device gpu;
    gpu.attributes = {{abi::CU_DEVICE_ATTRIBUTE_COMPUTE_PREEMPTION_SUPPORTED, 1},
                      {abi::CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
                      {abi::CU_DEVICE_ATTRIBUTE_KERNEL_EXEC_TIMEOUT, 0},
                      {abi::CU_DEVICE_ATTRIBUTE_MPS_ENABLED, 0}};
    surroundings here;
    here.driver_parameters = "RmProfilingAdminOnly: 0\n";
    auto const all = examine(hand_filled_machine({gpu}), here);
    CHECK(gpuprof::to_text(all) == "  ok       driver: CUDA 13.0, /paper/libcuda.so.1\n"
                                   "  ok       CUPTI: CUPTI 13.0, /paper/libcupti.so.13 (toolkit)\n"
                                   "  ok       device: device 0: Paper GPU, compute capability 9.0, range profiling\n"
                                   "  ok       counters: CUPTI can profile device 0\n"
                                   "  ok       permission: counters are open to all users\n");
    std::string const full = gpuprof::to_text(all, true);
    for (char const* const topic : {"preempts", "page faults", "nvidia-persistenced"})
        CHECK(full.find(topic) != full.npos);
}

TEST_CASE("what a device's name tells of MIG and of virtual GPUs") {
    using hw::mig_profile;
    using hw::vgpu_profile;
    static_assert(hw::mig_profile_of("NVIDIA A100-SXM4-40GB") == mig_profile::none);
    static_assert(hw::mig_profile_of("NVIDIA A100-SXM4-40GB MIG 1g.5gb") == mig_profile::isolated);
    static_assert(hw::mig_profile_of("NVIDIA A100-SXM4-40GB MIG 1g.5gb+me") == mig_profile::isolated);
    static_assert(hw::mig_profile_of("NVIDIA A100-SXM4-40GB MIG 2c.3g.20gb") == mig_profile::shared);
    for (char const* const physical :
         {"NVIDIA A100-SXM4-40GB", "NVIDIA A100 80GB PCIe", "Tesla V100-PCIE-16GB", "NVIDIA H200",
          "NVIDIA GeForce GTX 1650 with Max-Q Design", "Tesla K40c", "Quadro T2000", "Q", "-Q", ""}) {
        CAPTURE(physical);
        CHECK(hw::vgpu_profile_of(physical) == vgpu_profile::none);
    }
    for (char const* const whole :
         {"GRID T4-16Q", "NVIDIA A40-48Q", "GRID V100D-8C", "NVIDIA A16-2B", "NVIDIA L4-24A"}) {
        CAPTURE(whole);
        CHECK(hw::vgpu_profile_of(whole) == vgpu_profile::whole);
    }
    CHECK(hw::vgpu_profile_of("GRID A100-3-20C") == vgpu_profile::mig);
    CHECK(hw::vgpu_profile_of("NVIDIA A100-1-5CME") == vgpu_profile::mig);
}

#if !defined(_WIN32)
TEST_CASE("files that another process has open are seen, this process's are not") {
    auto const seen = [](std::string const& path) {
        std::size_t by_child = 0;
        for (auto const& each : gpuprof::platform::files_open_elsewhere(path)) by_child += each.path == path ? 1 : 0;
        return by_child;
    };
    std::string const path = "/tmp/gpuprof_open_file_" + std::to_string(::getpid());
    int const own = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    REQUIRE(own >= 0);
    CHECK(seen(path) == 0);
    int ends[2];
    REQUIRE(::pipe(ends) == 0);
    pid_t const child = ::fork(); // has the file open, too, until the pipe is closed
    if (child == 0) {
        ::close(ends[1]);
        char byte;
        static_cast<void>(!::read(ends[0], &byte, 1));
        ::_exit(0);
    }
    CHECK(seen(path) == 1);
    ::close(ends[0]);
    ::close(ends[1]);
    ::waitpid(child, nullptr, 0);
    CHECK(seen(path) == 0);
    ::close(own);
    ::unlink(path.c_str());
}
#endif

} // namespace obstacles_test
