// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The doctor's facts about this machine and process from the operating system.
#ifndef GPUPROF_HW_DOCTOR_SURROUNDINGS_HPP
#define GPUPROF_HW_DOCTOR_SURROUNDINGS_HPP

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../../detail/config.hpp"
#include "../machine/platform/environment.hpp"
#include "../machine/platform/file.hpp"
#include "../machine/platform/open_files.hpp"
#include "../machine/platform/process.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// A named text: a file by its path, or an environment variable.
struct named_text {
    std::string name;
    std::string text;
};

// Facts from the operating system: files, processes and the environment. Facts of every examination
// are read once; the others when a finding needs them. Tests provide all of them.
struct surroundings {
    std::string driver_parameters;      // /proc/driver/nvidia/params
    std::string kernel_version;         // /proc/version, or "Windows " and numbers
    std::string own_status;             // /proc/self/status
    std::vector<std::string> processes; // names of running programs
    // Names of other programs that have a GPU open, each once, as far as they are visible.
    std::vector<std::string> device_users;
    bool root = false;      // or, on Windows, elevated
    bool arm64 = false;     // a process for 64-bit ARM
    bool injection = false; // CUDA_INJECTION64_PATH is set: a tool is in this process

    std::vector<named_text> files;     // by path, in place of those of the machine
    std::vector<named_text> variables; // of the environment, in place of this process's
    bool live = false;                 // looks up other names on this machine; else they do not exist

    [[nodiscard]] static surroundings read() {
        surroundings here;
        here.live = true;
        here.driver_parameters = text_of("/proc/driver/nvidia/params");
        here.kernel_version = platform::kernel_version();
        here.own_status = platform::process_status();
        here.root = platform::user_is_root();
        here.injection = platform::variable("CUDA_INJECTION64_PATH").has_value();
        here.processes = platform::running_programs();
        here.device_users = programs_on_devices();
#if defined(__aarch64__) || defined(_M_ARM64)
        here.arm64 = true;
#endif
        return here;
    }

    // The content of a file; empty if there is none, or if it may not be read.
    [[nodiscard]] std::string file(std::string_view path) const {
        for (named_text const& each : files)
            if (each.name == path) return each.text;
        return live ? text_of(std::string{path}) : std::string{};
    }
    // Whether the file exists and may be read.
    [[nodiscard]] bool exists(std::string_view path) const {
        for (named_text const& each : files)
            if (each.name == path) return true;
        return live && platform::read_file(std::string{path}).has_value();
    }
    // An environment variable; nothing if it is not set. @pre no other thread sets one meanwhile
    [[nodiscard]] std::optional<std::string> variable(std::string_view name) const {
        for (named_text const& each : variables)
            if (each.name == name) return each.text;
        return live ? platform::variable(std::string{name}.c_str()) : std::nullopt;
    }
    // Whether a program of that name runs. Compares as many characters as the system keeps.
    [[nodiscard]] bool runs(std::string_view program) const {
        for (std::string const& each : processes)
            if (each == program.substr(0, platform::program_name_length)) return true;
        return false;
    }

    // CUPTI's own test is in the kernel module; this is the parameter that it reads (anchors:
    // ERR_NVGPUCTRPERM).
    [[nodiscard]] bool counters_for_admins_only() const {
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
    // The Windows Subsystem for Linux, by its kernel's name: WSL 1 writes "Microsoft", WSL 2
    // "microsoft".
    [[nodiscard]] bool wsl1() const { return kernel_version.find("Microsoft") != std::string::npos; }
    [[nodiscard]] bool wsl() const { return wsl1() || kernel_version.find("microsoft") != std::string::npos; }
    // Windows itself, by the text of platform::kernel_version().
    [[nodiscard]] bool windows() const { return kernel_version.starts_with("Windows "); }
    // A Tegra, NVIDIA's system on a chip: Jetson, Drive.
    [[nodiscard]] bool tegra() const {
        return exists("/etc/nv_tegra_release") ||
               file("/proc/device-tree/compatible").find("nvidia,tegra") != std::string::npos;
    }

private:
    // "/dev/nvidia0" and so on; "/dev/nvidiactl" is no GPU.
    [[nodiscard]] static std::vector<std::string> programs_on_devices() {
        std::vector<std::string> programs;
        constexpr std::string_view prefix = "/dev/nvidia";
        for (platform::file_elsewhere const& each : platform::files_open_elsewhere(prefix)) {
            char const next = each.path.size() > prefix.size() ? each.path[prefix.size()] : ' ';
            bool known = next < '0' || next > '9';
            for (std::string const& program : programs) known = known || program == each.program;
            if (!known) programs.push_back(each.program);
        }
        return programs;
    }
    [[nodiscard]] static std::string text_of(std::string const& path) {
        return platform::read_file(path).value_or(std::string{});
    }
};

} // namespace hw

GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_SURROUNDINGS_HPP
