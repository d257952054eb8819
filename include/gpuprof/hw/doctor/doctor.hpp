// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says before anything is measured what will work here, what will not, and what to do about it. Layer: hw; Linux.
#ifndef GPUPROF_HW_DOCTOR_DOCTOR_HPP
#define GPUPROF_HW_DOCTOR_DOCTOR_HPP

#include <cstdint>     // std::uint64_t
#include <cstdio>      // /proc
#include <cstdlib>     // strtoull, getenv
#include <string>      // texts
#include <string_view> // texts
#include <utility>     // std::move
#include <vector>      // findings

#include <dirent.h> // /proc
#include <unistd.h> // geteuid

#include "../../core/error.hpp"
#include "../machine/device.hpp"
#include "../machine/machine.hpp"
#include "../range/metric_host.hpp"
#include "../any_hardware.hpp"

GPUPROF_NAMESPACE_BEGIN

// One thing the doctor looked at.
struct finding {
    enum class topic : unsigned char { driver, cupti, chip_data, device, counters, permission, other_tools };
    enum class severity : unsigned char {
        good,   // as it should be
        note,   // worth knowing
        problem // something will not work
    };

    topic about = topic::driver;
    severity how = severity::good;
    errc code = errc::unavailable; // of a problem: the error that measuring would end in
    std::string text;
    std::string remedy;
};

[[nodiscard]] constexpr std::string_view name(finding::topic about) noexcept {
    switch (about) {
        case finding::topic::driver: return "driver";
        case finding::topic::cupti: return "CUPTI";
        case finding::topic::chip_data: return "chip data";
        case finding::topic::device: return "device";
        case finding::topic::counters: return "counters";
        case finding::topic::permission: return "permission";
        case finding::topic::other_tools: return "other tools";
    }
    return "";
}

namespace hw {

// What the operating system knows: files and processes, read once so that tests can make them up.
struct surroundings {
    std::string driver_parameters;      // /proc/driver/nvidia/params
    std::string kernel_version;         // /proc/version
    std::string own_status;             // /proc/self/status
    std::vector<std::string> processes; // names of running programs
    bool root = false;
    bool injection = false; // CUDA_INJECTION64_PATH is set: a tool sits in this process

    GPUPROF_LAZY [[nodiscard]] static surroundings read() {
        surroundings here;
        here.driver_parameters = text_of("/proc/driver/nvidia/params");
        here.kernel_version = text_of("/proc/version");
        here.own_status = text_of("/proc/self/status");
        here.root = ::geteuid() == 0;
        here.injection = std::getenv("CUDA_INJECTION64_PATH") != nullptr;
        if (DIR* const proc = ::opendir("/proc")) {
            while (dirent const* const entry = ::readdir(proc)) {
                if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
                std::string name = text_of(("/proc/" + std::string{entry->d_name} + "/comm").c_str());
                if (!name.empty() && name.back() == '\n') name.pop_back();
                here.processes.push_back(std::move(name));
            }
            ::closedir(proc);
        }
        return here;
    }

    // CUPTI's own test is in the kernel module; this is what it goes by (anchors: ERR_NVGPUCTRPERM).
    GPUPROF_LAZY [[nodiscard]] bool counters_for_admins_only() const {
        std::size_t const at = driver_parameters.find("RmProfilingAdminOnly:");
        return at != std::string::npos && driver_parameters.find_first_not_of(' ', at + 21) != std::string::npos &&
               driver_parameters[driver_parameters.find_first_not_of(' ', at + 21)] == '1';
    }
    // CAP_SYS_ADMIN (21) or CAP_PERFMON (38) among the effective capabilities.
    [[nodiscard]] bool privileged() const {
        std::size_t const at = own_status.find("CapEff:");
        if (at == std::string::npos) return root;
        std::uint64_t const effective = std::strtoull(own_status.c_str() + at + 7, nullptr, 16);
        return (effective >> 21 & 1) != 0 || (effective >> 38 & 1) != 0;
    }
    [[nodiscard]] bool wsl() const {
        return kernel_version.find("microsoft") != std::string::npos ||
               kernel_version.find("Microsoft") != std::string::npos;
    }

private:
    GPUPROF_LAZY [[nodiscard]] static std::string text_of(char const* path) {
        std::string text;
        if (std::FILE* const in = std::fopen(path, "r")) {
            char part[4096];
            for (std::size_t n; (n = std::fread(part, 1, sizeof part, in)) > 0;) text.append(part, n);
            std::fclose(in);
        }
        return text;
    }
};

// The findings for one machine. See gpuprof::doctor().
// Hardware: the policy that says which capabilities can be used.
template <class Hardware = any_hardware>
class basic_examination {
public:
    [[nodiscard]] static std::vector<finding> of(machine const& on, surroundings const& here) {
        basic_examination look{on, here};
        look.libraries();
        look.chip_data();
        look.devices();
        look.permission();
        look.other_tools();
        return std::move(look.list_);
    }

private:
    basic_examination(machine const& on, surroundings const& here) : on_{on}, here_{here} {}

    void add(finding::topic about, finding::severity how, std::string text, std::string remedy = {},
             errc code = errc::unavailable) {
        list_.push_back({about, how, code, std::move(text), std::move(remedy)});
    }
    void add(finding::topic about, error const& why) {
        add(about, finding::severity::problem, why.what + (why.cause.empty() ? "" : "; because " + why.cause),
            why.remedy, why.code);
    }

    void libraries() {
        using enum finding::severity;
        if (on_.driver_error) add(finding::topic::driver, *on_.driver_error);
        else
            add(finding::topic::driver, good,
                "CUDA " + std::to_string(on_.driver_library.version / 1000) + '.' +
                    std::to_string(on_.driver_library.version % 1000 / 10) + ", " + on_.driver_library.path);
        if (on_.cupti_error) {
            add(finding::topic::cupti, *on_.cupti_error);
            return;
        }
        add(finding::topic::cupti, good,
            "CUPTI " + cupti_version_text(on_.cupti_library.version) + ", " + on_.cupti_library.path + " (" +
                std::string{name(on_.cupti_library.how)} + ')');
        if (on_.cupti.RangeProfilerEnable == nullptr)
            add(finding::topic::cupti, unavailable_call(on_, "cuptiRangeProfilerEnable"));
        if (!on_.driver_error && cupti_release(on_.cupti_library.version) > on_.driver_library.version / 1000)
            add(finding::topic::cupti, problem, "this CUPTI is of a newer CUDA release than the driver",
                "use the CUPTI of the driver's release, or update the driver", errc::version_mismatch);
    }

    void chip_data() {
        if (on_.cupti_error || on_.cupti.ProfilerHostInitialize == nullptr) return;
        open_companion(on_.cupti_library, "libnvperf_host.so");
        auto chips = metric_host::try_chips(on_.cupti);
        if (!chips) return add(finding::topic::chip_data, chips.error());
        std::size_t usable = 0;
        std::string first_refused;
        for (std::string const& chip : *chips) {
            if (metric_host::try_open(on_.cupti, chip)) ++usable;
            else if (first_refused.empty()) first_refused = chip;
        }
        if (usable == 0 && !chips->empty())
            return add(finding::topic::chip_data, finding::severity::problem,
                       "CUPTI has no metrics for any chip: libnvperf_host is missing beside it",
                       "install the whole CUPTI, not libcupti alone");
        add(finding::topic::chip_data, finding::severity::good,
            "metrics of " + std::to_string(usable) + " of " + std::to_string(chips->size()) +
                " chips can be planned here, GPU or not");
    }

    void devices() {
        using enum finding::severity;
        if (on_.driver_error) return;
        if (auto status = on_.driver.Init(0)) return add(finding::topic::device, explain("cuInit", status));
        int count = 0;
        if (auto status = on_.driver.DeviceGetCount(&count))
            return add(finding::topic::device, explain("cuDeviceGetCount", status));
        if (count == 0)
            return add(finding::topic::device, problem, "the driver sees no device",
                       "check nvidia-smi and CUDA_VISIBLE_DEVICES");
        for (int i = 0; i < count; ++i) one_device(i);
    }

    // Without making a context: the doctor changes nothing.
    void one_device(int ordinal) {
        using enum finding::severity;
        abi::CUdevice device = 0;
        char text[256] = {};
        int generation = 0;
        int revision = 0;
        if (on_.driver.DeviceGet(&device, ordinal) || on_.driver.DeviceGetName(text, sizeof text - 1, device) ||
            on_.driver.DeviceGetAttribute(&generation, abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ||
            on_.driver.DeviceGetAttribute(&revision, abi::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device))
            return add(finding::topic::device, problem, "device " + std::to_string(ordinal) + " does not answer",
                       "check nvidia-smi");
        compute_capability const capability{generation, revision};
        std::string const who = "device " + std::to_string(ordinal) + ": " + text + ", compute capability " +
                                std::to_string(generation) + '.' + std::to_string(revision);
        if (!Hardware::supports(capability))
            return add(finding::topic::device, problem, who + ": no counter hardware this version can use",
                       capability.has_event_hardware()
                           ? "include gpuprof/events.hpp, or measure on capability 7.0 or later"
                           : "measure on capability 7.0 or later");
        if (!capability.has_range_hardware()) {
            add(finding::topic::device, good, who + ", events and metrics");
            if (!on_.cupti_error && cupti_release(on_.cupti_library.version) >= 13)
                add(finding::topic::counters, problem,
                    "CUPTI 13 and later serve no events, which is all that device " + std::to_string(ordinal) +
                        " counts",
                    "use the CUPTI of CUDA 12 or earlier (wheel nvidia-cuda-cupti-cu12)");
            return;
        }
        add(finding::topic::device, good, who + ", range profiling");
        if (on_.cupti_error || on_.cupti.ProfilerDeviceSupported == nullptr || on_.cupti.ProfilerInitialize == nullptr)
            return;
        abi::CUpti_Profiler_Initialize_Params ready;
        if (auto status = on_.cupti.ProfilerInitialize(&ready))
            return add(finding::topic::counters, explain("cuptiProfilerInitialize", status));
        abi::CUpti_Profiler_DeviceSupported_Params p;
        p.cuDevice = device;
        if (auto status = on_.cupti.ProfilerDeviceSupported(&p))
            return add(finding::topic::counters, explain("cuptiProfilerDeviceSupported", status));
        if (p.isSupported == abi::CUPTI_PROFILER_CONFIGURATION_SUPPORTED)
            return add(finding::topic::counters, good, "CUPTI can profile device " + std::to_string(ordinal));
        if (p.isSupported == abi::CUPTI_PROFILER_CONFIGURATION_LIMITED_SUPPORT)
            return add(finding::topic::counters, note,
                       "CUPTI can collect some metrics of device " + std::to_string(ordinal) + " only");
        auto const bad = [](abi::CUpti_Profiler_Support_Level level) {
            return level == abi::CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED;
        };
        auto const off = [](abi::CUpti_Profiler_Support_Level level) {
            return level == abi::CUPTI_PROFILER_CONFIGURATION_DISABLED;
        };
        std::string why;
        std::string remedy;
        auto const blame = [&](abi::CUpti_Profiler_Support_Level level, char const* what, char const* what_to_do) {
            if (!bad(level) && !off(level)) return;
            why += (why.empty() ? "" : ", ") + std::string{what};
            remedy += (remedy.empty() ? "" : "; ") + std::string{what_to_do};
        };
        blame(p.architecture, "its architecture", "use a device of capability 7.0 or later");
        blame(p.sli, "an SLI configuration", "disable SLI");
        blame(p.vGpu, "a virtual GPU", "enable profiling for the virtual GPU on the host");
        blame(p.confidentialCompute, "confidential computing", "disable it while profiling");
        blame(p.cmp, "a mining processor", "use another device");
        blame(p.wsl, "WSL", "enable counters in the Windows NVIDIA Control Panel, with a current driver");
        add(finding::topic::counters, problem,
            "CUPTI cannot profile device " + std::to_string(ordinal) + (why.empty() ? "" : ": " + why), remedy);
    }

    void permission() {
        using enum finding::severity;
        if (here_.driver_parameters.empty()) {
            if (here_.wsl())
                add(finding::topic::permission, note, "WSL: whether counters are open is set on the Windows side",
                    "NVIDIA Control Panel, Developer, Manage GPU Performance Counters: allow all users");
            return;
        }
        if (!here_.counters_for_admins_only())
            return add(finding::topic::permission, good, "counters are open to all users");
        if (here_.privileged())
            return add(finding::topic::permission, good,
                       "counters are for administrators only, and this process has the privilege");
        add(finding::topic::permission, problem,
            "counters are for administrators only (RmProfilingAdminOnly: 1), and this process has no such privilege",
            "load the nvidia module with NVreg_RestrictProfilingToAdminUsers=0, or run as root or with CAP_SYS_ADMIN",
            errc::permission);
    }

    void other_tools() {
        using enum finding::severity;
        for (std::string const& program : here_.processes)
            for (std::string_view const known :
                 {"nv-hostengine", "dcgm-exporter", "dcgmi", "ncu", "nsys", "nv-nsight-cu-cli"})
                if (program == std::string_view{known}.substr(0, 15)) // the kernel cuts names there
                    add(finding::topic::other_tools, note, program + " is running and may hold the counters",
                        program.starts_with("n") && program != "nv-hostengine" ? "let it finish first"
                                                                               : "pause it with dcgmi profile --pause",
                        errc::busy);
        if (here_.injection)
            add(finding::topic::other_tools, note, "a tool is injected into this process (CUDA_INJECTION64_PATH)",
                "run without it if measuring answers busy", errc::busy);
    }

    machine const& on_;
    surroundings const& here_;
    std::vector<finding> list_;
};
using examination = basic_examination<>;

} // namespace hw

// Looks at drivers, libraries, devices, permissions and other tools, and says what it found: the good, too, so that an
// empty problem list means something. Makes no context and changes nothing. Errors: none, they are findings.
// Cost: loading the libraries, up to 0.1 s. Thread-safe.
GPUPROF_LAZY [[nodiscard]] std::vector<finding> doctor(hw::machine const& on = hw::real_machine()) {
    return hw::examination::of(on, hw::surroundings::read());
}

// One line a finding, then its remedy.
GPUPROF_LAZY [[nodiscard]] std::string to_text(std::vector<finding> const& findings) {
    std::string text;
    for (finding const& each : findings) {
        text += each.how == finding::severity::good   ? "  ok       "
                : each.how == finding::severity::note ? "  note     "
                                                      : "  PROBLEM  ";
        text += name(each.about);
        text += ": " + each.text + '\n';
        if (!each.remedy.empty()) text += "             remedy: " + each.remedy + '\n';
    }
    return text;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_DOCTOR_HPP
