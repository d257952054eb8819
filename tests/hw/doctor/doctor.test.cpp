// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// hw/doctor.hpp: what is found on machines made up for it.
#include <doctest/doctest.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/system.hpp"

#include <gpuprof/hw/abi/nvperf_host.hpp>
#include <gpuprof/hw/doctor/chosen_device.hpp>
#include <gpuprof/hw/doctor/doctor.hpp>
#include <gpuprof/hw/doctor/examination.hpp>

#include "support/hand_filled.hpp"
#include "support/kept_name.hpp"

namespace doctor_test {

using gpuprof::errc;
using gpuprof::finding;
using gpuprof::hw::surroundings;
using test::hand_filled_machine;

namespace abi = gpuprof::abi;

namespace {

using topic = finding::topic;
using severity = finding::severity;

std::vector<finding> examine(gpuprof::hw::machine const& on, surroundings const& here = {}) {
    return gpuprof::hw::examination::of(on, here);
}

std::vector<finding> about(std::vector<finding> const& all, topic what) {
    std::vector<finding> list;
    for (finding const& each : all)
        if (each.about == what) list.push_back(each);
    return list;
}

// The one finding about a topic.
finding only(std::vector<finding> const& all, topic what) {
    auto const list = about(all, what);
    REQUIRE(list.size() == 1);
    return list.front();
}

std::size_t obstacles(std::vector<finding> const& all) {
    std::size_t count = 0;
    for (finding const& each : all) count += each.how == severity::obstacle;
    return count;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

surroundings linux_with(char const* parameters, char const* status) {
    surroundings here;
    here.driver_parameters = parameters;
    here.kernel_version = "Linux version 6.1.0-25-amd64 (debian-kernel@lists.debian.org)";
    here.own_status = status;
    return here;
}

// As in /proc/driver/nvidia/params and /proc/self/status.
constexpr char const* admins_only =
    "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 1\nPreserveVideoMemoryAllocations: 0\n";
constexpr char const* open_to_all =
    "ResmanDebugLevel: 4294967295\nRmProfilingAdminOnly: 0\nPreserveVideoMemoryAllocations: 1\n";
constexpr char const* no_capability =
    "Name:\tprogram\nCapInh:\t0000000000000000\nCapPrm:\t0000000000000000\nCapEff:\t0000000000000000\n";

finding device_finding(abi::CUpti_Profiler_DeviceSupported_Params const& support) {
    test::hand_filled_device gpu;
    gpu.support = support;
    gpu.support.isSupported = abi::CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    return only(examine(hand_filled_machine({gpu})), topic::counters);
}

} // namespace

TEST_CASE("a machine in order has good findings and notes only, one for each topic that applies") {
    auto const all = examine(hand_filled_machine({{}}), linux_with(open_to_all, no_capability));
    CHECK(gpuprof::can_measure(all));
    for (finding const& each : all) {
        if (each.how == severity::note) continue; // not shown unless asked for
        CHECK(each.how == severity::good);
        CHECK(each.remedy.empty());
        CHECK_FALSE(each.text.empty());
    }
    CHECK(only(all, topic::driver).text == "CUDA 13.0, /paper/libcuda.so.1");
    CHECK(only(all, topic::cupti).text == "CUPTI 13.0, /paper/libcupti.so.13 (toolkit)");
    CHECK(only(all, topic::device).text == "device 0: Paper GPU, compute capability 9.0, range profiling");
    CHECK(only(all, topic::counters).text == "CUPTI can profile device 0");
    CHECK(about(all, topic::permission).size() == 1);
    CHECK(about(all, topic::other_tools).empty());
}

TEST_CASE("the doctor makes no context") {
    static_cast<void>(examine(hand_filled_machine({{}})));
    CHECK(test::answers.contexts == 0);
}

TEST_CASE("counters for administrators only are a permission problem without the privilege") {
    auto const found =
        only(examine(hand_filled_machine({{}}), linux_with(admins_only, no_capability)), topic::permission);
    CHECK(found.how == severity::obstacle);
    CHECK(found.code == errc::permission);
    CHECK(contains(found.text, "RmProfilingAdminOnly: 1"));
    CHECK(contains(found.remedy, "NVreg_RestrictProfilingToAdminUsers=0"));
}

TEST_CASE("the remedy for closed counters has the commands of the distribution, and of the container") {
    auto const remedy = [](std::initializer_list<gpuprof::hw::named_text> files,
                           std::initializer_list<gpuprof::hw::named_text> variables = {}) {
        surroundings here = linux_with(admins_only, no_capability);
        here.files = files;
        here.variables = variables;
        return only(examine(hand_filled_machine({{}}), here), topic::permission).remedy;
    };
    std::string const file = "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
                             "/etc/modprobe.d/nvidia-profiling.conf && ";
    CHECK(contains(remedy({{"/etc/os-release", "NAME=\"Ubuntu\"\nID=ubuntu\nID_LIKE=debian\n"}}),
                   file + "sudo update-initramfs -u && sudo reboot; or run as root"));
    CHECK(contains(remedy({{"/etc/os-release", "ID=linuxmint\nID_LIKE=\"ubuntu debian\"\n"}}), "update-initramfs -u"));
    CHECK(contains(remedy({{"/etc/os-release", "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\""}}),
                   file + "sudo dracut --regenerate-all -f && sudo reboot"));
    CHECK(contains(remedy({}), file + "sudo reboot (where an initramfs holds the module"));
    CHECK(contains(remedy({{"/.dockerenv", ""}}),
                   "docker run --cap-add=SYS_ADMIN; or load the nvidia module of the host"));
    CHECK(contains(remedy({{"/run/.containerenv", ""}}), "podman run --cap-add=SYS_ADMIN"));
    CHECK(contains(remedy({}, {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}}), "capabilities: add: [SYS_ADMIN]"));
}

TEST_CASE("the doctor's lines are as wide as is asked, and break between words") {
    gpuprof::finding one;
    one.how = severity::obstacle;
    one.text = "the driver could not be loaded from any of its usual places";
    one.remedy = "install the driver";
    CHECK(gpuprof::to_text({one}, false, 40) == "  OBSTACLE driver: the driver could not\n"
                                                "           be loaded from any of its\n"
                                                "           usual places\n"
                                                "             remedy: install the driver\n");
    CHECK(gpuprof::to_text({one}, false, 50) == "  OBSTACLE driver: the driver could not be loaded\n"
                                                "           from any of its usual places\n"
                                                "             remedy: install the driver\n");
}

TEST_CASE("counters for administrators only are fine with CAP_SYS_ADMIN or CAP_PERFMON, and with no other capability") {
    auto const with = [](char const* effective) {
        return only(examine(hand_filled_machine({{}}), linux_with(admins_only, effective)), topic::permission).how;
    };
    CHECK(with("CapEff:\t0000000000200000\n") == severity::good);                            // 21, linux/capability.h
    CHECK(with("CapEff:\t0000004000000000\n") == severity::good);                            // 38
    CHECK(with("CapPrm:\t0000000000000000\nCapEff:\t000001ffffffffff\n") == severity::good); // root's
    CHECK(with("CapEff:\t00000000a80425fb\n") == severity::obstacle);                        // root in a container
    CHECK(with("CapEff:\t000001bfffdfffff\n") == severity::obstacle);                        // all but those two
    CHECK(with("CapPrm:\t000001ffffffffff\nCapEff:\t0000000000000000\n") == severity::obstacle);
}

TEST_CASE("where capabilities cannot be read, being root decides") {
    surroundings here = linux_with(admins_only, "");
    CHECK(only(examine(hand_filled_machine({{}}), here), topic::permission).how == severity::obstacle);
    here.root = true;
    CHECK(only(examine(hand_filled_machine({{}}), here), topic::permission).how == severity::good);
}

TEST_CASE("the driver's parameter is read as it stands, and not guessed where it is missing") {
    auto const closed = [](char const* parameters) {
        return linux_with(parameters, no_capability).counters_for_admins_only();
    };
    CHECK(closed(admins_only));
    CHECK(closed("RmProfilingAdminOnly:1"));
    CHECK(closed("RmProfilingAdminOnly:   1\n"));
    CHECK_FALSE(closed(open_to_all));
    CHECK_FALSE(closed("RmProfilingAdminOnly:"));
    CHECK_FALSE(closed("RmProfilingAdminOnly: \nNext: 1\n"));
    CHECK_FALSE(closed("ResmanDebugLevel: 1\n"));
    CHECK_FALSE(closed(""));
}

TEST_CASE("without the driver's parameters nothing is said of who may read counters") {
    surroundings const native = linux_with("", no_capability);
    CHECK_FALSE(native.wsl());
    CHECK(about(examine(hand_filled_machine({{}}), native), topic::permission).empty());
}

TEST_CASE("programs that hold counters are named, by the fifteen characters the kernel keeps") {
    struct expectation {
        char const* program;
        char const* remedy;
    };
    for (auto const& expected :
         {expectation{"nv-hostengine", "dcgmi profile --pause"}, expectation{"dcgm-exporter", "dcgmi profile --pause"},
          expectation{"dcgmi", "dcgmi profile --pause"}, expectation{"ncu", "let it finish"},
          expectation{"nsys", "let it finish"}, expectation{"nv-nsight-cu-cli", "let it finish"}}) {
        CAPTURE(expected.program);
        std::string const program = kept_name(expected.program);
        surroundings here;
        here.processes = {"bash", program, "python3"};
        auto const found = only(examine(hand_filled_machine({{}}), here), topic::other_tools);
        CHECK(found.how == severity::caveat);
        CHECK(found.code == errc::busy);
        CHECK(contains(found.text, program));
        CHECK(contains(found.remedy, expected.remedy));
    }
}

TEST_CASE("other programs are not blamed") {
    surroundings here;
    here.processes = {"", "bash", "ncurses", "nsys2", "xncu", "dcgm", "nvidia-smi", "nv-hostengine2", "NCU"};
    CHECK(about(examine(hand_filled_machine({{}}), here), topic::other_tools).empty());
}

TEST_CASE("a tool injected into this process is noted") {
    surroundings here;
    here.injection = true;
    auto const found = only(examine(hand_filled_machine({{}}), here), topic::other_tools);
    CHECK(found.how == severity::caveat);
    CHECK(contains(found.text, "CUDA_INJECTION64_PATH"));
}

TEST_CASE("without libraries both are problems with cause and remedy, and nothing is called") {
    gpuprof::hw::machine none;
    none.driver_error =
        gpuprof::error{errc::unavailable, 0, "the driver could not be loaded", "no such file", "install it"};
    none.cupti_error = gpuprof::error{errc::unavailable, 0, "CUPTI could not be loaded", "", "install the toolkit"};
    auto const all = examine(none);
    CHECK(all.size() == 2);
    CHECK(obstacles(all) == 2);
    CHECK(only(all, topic::driver).text == "the driver could not be loaded; because no such file");
    CHECK(only(all, topic::driver).remedy == "install it");
    CHECK(only(all, topic::driver).code == errc::unavailable);
    CHECK(only(all, topic::cupti).text == "CUPTI could not be loaded");
}

TEST_CASE("without CUPTI the devices are still looked at") {
    auto machine = hand_filled_machine({{}});
    machine.cupti = {};
    machine.cupti_error = gpuprof::error{errc::unavailable, 0, "CUPTI could not be loaded", {}, {}};
    auto const all = examine(machine);
    CHECK(obstacles(all) == 1);
    CHECK(only(all, topic::device).how == severity::good);
    CHECK(about(all, topic::counters).empty());
}

TEST_CASE("a CUPTI without range profiling is a problem that names version and file") {
    auto machine = hand_filled_machine({{}});
    machine.cupti.RangeProfilerEnable = nullptr;
    machine.cupti_library.version = 18;
    auto const found = about(examine(machine), topic::cupti);
    REQUIRE(found.size() == 2);
    CHECK(found[1].how == severity::obstacle);
    CHECK(contains(found[1].text, "cuptiRangeProfilerEnable is not in /paper/libcupti.so.13"));
    CHECK(contains(found[1].text, "11.8, 12.0 or 12.1"));
    CHECK_FALSE(found[1].remedy.empty());
}

TEST_CASE("a CUPTI with the older profiling API alone is no obstacle, if its host library is there") {
    auto machine = hand_filled_machine({{}});
    machine.cupti.RangeProfilerEnable = nullptr;
    machine.cupti_library.version = 23;
    machine.cupti.ProfilerDeInitialize = [](auto*) { return gpuprof::abi::CUPTI_SUCCESS; };
    machine.cupti.ProfilerGetCounterAvailability = [](auto*) { return gpuprof::abi::CUPTI_SUCCESS; };
#define ANSWERS(member, symbol, parameters) machine.cupti.member = [](auto*) { return gpuprof::abi::CUPTI_SUCCESS; };
    GPUPROF_ABI_CUPTI_TARGET(ANSWERS)
#undef ANSWERS
    auto const without_host = about(examine(machine), topic::cupti);
    REQUIRE(without_host.size() == 2);
    CHECK(without_host[1].how == severity::obstacle);
    CHECK(contains(without_host[1].text, "/paper/libnvperf_host.so"));
    gpuprof::abi::nvperf_table const host;
    machine.nvperf = &host;
    auto const found = about(examine(machine), topic::cupti);
    REQUIRE(found.size() == 2);
    CHECK(found[1].how == severity::note);
    CHECK(contains(found[1].text, "measures ranges by its profiling API"));
    CHECK(contains(found[1].remedy, "12.6"));
    CHECK(gpuprof::can_measure(examine(machine)));
    // Whose structure of support is shorter.
    static std::size_t refused = 0;
    refused = 0;
    static auto const answer = machine.cupti.ProfilerDeviceSupported;
    machine.cupti.ProfilerDeviceSupported = [](gpuprof::abi::CUpti_Profiler_DeviceSupported_Params* p) {
        if (p->structSize <= GPUPROF_STRUCT_SIZE(gpuprof::abi::CUpti_Profiler_DeviceSupported_Params, cmp))
            return answer(p);
        ++refused;
        return gpuprof::abi::CUPTI_ERROR_INVALID_PARAMETER;
    };
    CHECK(gpuprof::can_measure(examine(machine)));
    CHECK(refused == 2);
}

TEST_CASE("the CUPTI whose range profiler crashes on this driver is an obstacle that says so") {
    auto machine = hand_filled_machine({{}});
    machine.cupti_library.version = 130'500;
    auto const found = about(examine(machine), topic::cupti);
    REQUIRE(found.size() == 2);
    CHECK(found[1].how == severity::obstacle);
    CHECK(found[1].code == errc::version_mismatch);
    CHECK(contains(found[1].text, "the range profiler of CUPTI 13.5 is not used"));
    // With the profiling API and its host library, that is what measures.
    auto with_both = machine;
    with_both.cupti.ProfilerDeInitialize = [](auto*) { return abi::CUPTI_SUCCESS; };
    with_both.cupti.ProfilerGetCounterAvailability = [](auto*) { return abi::CUPTI_SUCCESS; };
#define ANSWERS(member, symbol, parameters) with_both.cupti.member = [](auto*) { return abi::CUPTI_SUCCESS; };
    GPUPROF_ABI_CUPTI_TARGET(ANSWERS)
#undef ANSWERS
    abi::nvperf_table const host;
    with_both.nvperf = &host;
    auto const used = about(examine(with_both), topic::cupti);
    REQUIRE(used.size() == 2);
    CHECK(used[1].how == severity::note);
    CHECK(contains(used[1].text, "ranges are measured by CUPTI's profiling API"));
    machine.driver_library.version = 13'050;
    CHECK(about(examine(machine), topic::cupti).size() == 1);
}

TEST_CASE("a CUPTI of a newer release than the driver is a version problem") {
    auto machine = hand_filled_machine({{}});
    machine.driver_library.version = 12080;
    auto const found = about(examine(machine), topic::cupti);
    REQUIRE(found.size() == 2);
    CHECK(found[1].how == severity::obstacle);
    CHECK(found[1].code == errc::version_mismatch);
    CHECK(only(examine(machine), topic::driver).text == "CUDA 12.8, /paper/libcuda.so.1");
    machine.cupti_library.version = 28;
    CHECK(about(examine(machine), topic::cupti).size() == 1);
}

TEST_CASE("a driver that does not start, does not count, or sees nothing is a device problem") {
    auto machine = hand_filled_machine({{}});
    test::answers.init = abi::CUDA_ERROR_SYSTEM_DRIVER_MISMATCH;
    auto found = only(examine(machine), topic::device);
    CHECK(found.how == severity::obstacle);
    CHECK(found.code == errc::version_mismatch);
    CHECK(contains(found.text, "cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"));

    machine = hand_filled_machine({{}});
    test::answers.count = abi::CUDA_ERROR_NO_DEVICE;
    found = only(examine(machine), topic::device);
    CHECK(found.code == errc::unavailable);
    CHECK(contains(found.text, "cuDeviceGetCount: CUDA_ERROR_NO_DEVICE"));

    found = only(examine(hand_filled_machine({})), topic::device);
    CHECK(found.how == severity::obstacle);
    CHECK(contains(found.remedy, "CUDA_VISIBLE_DEVICES"));
}

TEST_CASE("each device is judged by its own capability") {
    test::hand_filled_device old;
    old.name = "Old GPU";
    old.generation = 5;
    old.revision = 2;
    test::hand_filled_device mute;
    mute.responds = false;
    test::hand_filled_device volta;
    volta.generation = 7;
    auto const all = examine(hand_filled_machine({old, {}, mute, volta}));
    auto const found = about(all, topic::device);
    REQUIRE(found.size() == 4);
    CHECK(found[0].how == severity::obstacle);
    CHECK(contains(found[0].text, "device 0: Old GPU, compute capability 5.2"));
    CHECK(contains(found[0].remedy, "7.0"));
    CHECK(found[1].how == severity::good);
    CHECK(found[2].how == severity::obstacle);
    CHECK(contains(found[2].text, "device 2 does not answer"));
    CHECK(found[3].how == severity::good);
    std::size_t asked = 0; // of CUPTI
    for (finding const& each : about(all, topic::counters)) asked += each.how == severity::good;
    CHECK(asked == 2);
}

TEST_CASE("a device name that fills the buffer is cut, not overrun") {
    test::hand_filled_device gpu;
    gpu.name.assign(10'000, 'n');
    CHECK(only(examine(hand_filled_machine({gpu})), topic::device).text.size() < 400);
}

TEST_CASE("what CUPTI does not support is named, with what to do about it") {
    constexpr auto unsupported = abi::CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
    constexpr auto disabled = abi::CUPTI_PROFILER_CONFIGURATION_DISABLED;
    abi::CUpti_Profiler_DeviceSupported_Params support;
    support.vGpu = unsupported;
    auto found = device_finding(support);
    CHECK(found.how == severity::obstacle);
    CHECK(found.text == "CUPTI cannot profile device 0: a virtual GPU");
    CHECK(contains(found.remedy, "virtual GPU"));

    support = {};
    support.confidentialCompute = disabled;
    CHECK(contains(device_finding(support).text, "confidential computing"));
    support.wsl = unsupported;
    found = device_finding(support);
    CHECK(found.text == "CUPTI cannot profile device 0: confidential computing, WSL");
    CHECK(contains(found.remedy, "; "));

    for (auto const member :
         {&abi::CUpti_Profiler_DeviceSupported_Params::architecture, &abi::CUpti_Profiler_DeviceSupported_Params::sli,
          &abi::CUpti_Profiler_DeviceSupported_Params::cmp}) {
        support = {};
        support.*member = unsupported;
        found = device_finding(support);
        CHECK(contains(found.text, "device 0: "));
        CHECK_FALSE(found.remedy.empty());
    }
    CHECK(device_finding({}).text == "CUPTI cannot profile device 0");
}

TEST_CASE("limited support is a caveat, not an obstacle") {
    test::hand_filled_device gpu;
    gpu.support.isSupported = abi::CUPTI_PROFILER_CONFIGURATION_LIMITED_SUPPORT;
    auto const found = only(examine(hand_filled_machine({gpu})), topic::counters);
    CHECK(found.how == severity::caveat);
    CHECK(contains(found.text, "some metrics"));
}

TEST_CASE("an error of CUPTI's is told with its cause") {
    auto const machine = hand_filled_machine({{}});
    test::answers.initialize = abi::CUPTI_ERROR_NOT_INITIALIZED;
    CHECK(contains(only(examine(machine), topic::counters).text,
                   "cuptiProfilerInitialize: CUPTI_ERROR_NOT_INITIALIZED (15)"));
    test::answers.initialize = abi::CUPTI_SUCCESS;
    test::answers.supported = abi::CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED;
    auto const found = only(examine(machine), topic::counters);
    CHECK(contains(found.text, "cuptiProfilerDeviceSupported: CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED (33)"));
    CHECK_FALSE(found.remedy.empty());
}

TEST_CASE("chip data: planned without a GPU, missing beside CUPTI, or refused") {
    static char const* const names[] = {"GV100", "GH100", "GB100"};
    auto machine = hand_filled_machine({});
    machine.cupti.ProfilerHostGetSupportedChips = [](abi::CUpti_Profiler_Host_GetSupportedChips_Params* p) {
        p->numChips = 3;
        p->ppChipNames = names;
        return abi::CUPTI_SUCCESS;
    };
    machine.cupti.ProfilerHostDeinitialize = [](abi::CUpti_Profiler_Host_Deinitialize_Params*) {
        return abi::CUPTI_SUCCESS;
    };
    machine.cupti.ProfilerHostInitialize = [](abi::CUpti_Profiler_Host_Initialize_Params* p) {
        return p->pChipName == std::string_view{"GH100"} ? abi::CUPTI_SUCCESS : abi::CUPTI_ERROR_UNKNOWN;
    };
    CHECK(only(examine(machine), topic::chip_data).text == "metrics of 1 of 3 chips can be planned here, GPU or not");

    machine.cupti.ProfilerHostInitialize = [](abi::CUpti_Profiler_Host_Initialize_Params*) {
        return abi::CUPTI_ERROR_UNKNOWN;
    };
    auto found = only(examine(machine), topic::chip_data);
    CHECK(found.how == severity::obstacle);
    CHECK(contains(found.text, "libnvperf_host"));

    machine.cupti.ProfilerHostGetSupportedChips = [](abi::CUpti_Profiler_Host_GetSupportedChips_Params*) {
        return abi::CUPTI_ERROR_UNKNOWN;
    };
    found = only(examine(machine), topic::chip_data);
    CHECK(found.how == severity::obstacle);
    CHECK(contains(found.text, "cuptiProfilerHostGetSupportedChips"));
}

TEST_CASE("findings are written as lines, the remedy under its finding") {
    std::vector<finding> const list{{topic::driver, severity::good, errc::unavailable, "fine", ""},
                                    {topic::values, severity::note, errc::unavailable, "always so", "know it"},
                                    {topic::chip_data, severity::caveat, errc::busy, "so so", "look"},
                                    {topic::permission, severity::obstacle, errc::permission, "closed", "open it"}};
    CHECK(gpuprof::to_text(list) == "  ok       driver: fine\n"
                                    "  caveat   chip data: so so\n"
                                    "             remedy: look\n"
                                    "  OBSTACLE permission: closed\n"
                                    "             remedy: open it\n");
    CHECK(gpuprof::to_text(list, true) == "  ok       driver: fine\n"
                                          "  note     values: always so\n"
                                          "             remedy: know it\n"
                                          "  caveat   chip data: so so\n"
                                          "             remedy: look\n"
                                          "  OBSTACLE permission: closed\n"
                                          "             remedy: open it\n");
    CHECK(gpuprof::to_text(std::vector<gpuprof::finding>{}).empty());
}

TEST_CASE("measuring works if nothing stands in the way of the machine and of its first device") {
    auto const obstacle = [](int device) {
        return finding{topic::device, severity::obstacle, errc::unavailable, "no", "", device};
    };
    auto const good = [](int device) {
        return finding{topic::device, severity::good, errc::unavailable, "yes", "", device};
    };
    CHECK(gpuprof::can_measure({good(-1), good(0), good(1)}));
    CHECK(gpuprof::can_measure({good(-1), good(0), obstacle(1)})); // open_device() opens device 0
    CHECK_FALSE(gpuprof::can_measure({good(-1), obstacle(0), good(1)}));
    CHECK_FALSE(gpuprof::can_measure({obstacle(-1), good(0)}));
    CHECK_FALSE(gpuprof::can_measure({good(-1), obstacle(2)})); // the one that GPUPROF_DEVICE names
    CHECK(gpuprof::can_measure({{topic::device, severity::caveat, errc::busy, "perhaps", ""}}));
}

TEST_CASE("one device alone is looked at where one is asked for, and missed where it is not there") {
    test::hand_filled_device old;
    old.generation = 5;
    auto const machine = hand_filled_machine({old, {}});
    auto const all = gpuprof::hw::examination::of(machine, {});
    CHECK(about(all, topic::device).size() == 2);
    CHECK_FALSE(gpuprof::can_measure(all));
    auto const second = gpuprof::hw::examination::of(machine, {}, 1);
    CHECK(only(second, topic::device).device == 1);
    CHECK(gpuprof::can_measure(second));
    auto const third = gpuprof::hw::examination::of(machine, {}, 2);
    CHECK(only(third, topic::device).text == "the driver sees no device 2");
    CHECK_FALSE(gpuprof::can_measure(third));
}

TEST_CASE("a GPUPROF_DEVICE that names hardware is told from others") {
    auto const number = [](std::string_view text) {
        int ordinal = -1;
        return gpuprof::hw::names_hardware(text, ordinal) ? ordinal : -1;
    };
    CHECK(number("cuda:0") == 0);
    CHECK(number("CUDA:12") == 12);
    CHECK(number("Cuda:999") == 999);
    for (char const* const other : {"", "cuda", "cuda:", "cuda:1000", "cuda:-1", "cuda:1x", "cuda:x", "cuda;1", "sim",
                                    "sim:9.0", "#uda:1", "CUD!:1"}) {
        CAPTURE(other);
        CHECK(number(other) == -1);
    }
}

TEST_CASE("this machine's surroundings are those that the system tells") {
    auto const here = surroundings::read();
    if (gpuprof::platform::is_windows) {
        CHECK(here.kernel_version.starts_with("Windows "));
        CHECK(here.windows());
    } else {
        CHECK(contains(here.kernel_version, "Linux"));
        CHECK(contains(here.own_status, "CapEff:"));
        CHECK(here.root == (geteuid() == 0));
    }
    CHECK_FALSE(here.processes.empty()); // this one at least
    for (std::string const& name : here.processes) CHECK_FALSE(contains(name, "\n"));
}

} // namespace doctor_test
