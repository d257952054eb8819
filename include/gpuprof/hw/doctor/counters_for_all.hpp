// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How an administrator opens the counters to all users: by distribution, and in a container.
#ifndef GPUPROF_HW_DOCTOR_COUNTERS_FOR_ALL_HPP
#define GPUPROF_HW_DOCTOR_COUNTERS_FOR_ALL_HPP

#include <cstddef>
#include <string>
#include <string_view>

#include "../../detail/config.hpp"
#include "surroundings.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace hw {

// The names of the distribution and of those it comes from (os-release(5): ID, ID_LIKE), with blanks around each.
[[nodiscard]] inline std::string distributions(surroundings const& here) {
    std::string const release = here.file("/etc/os-release");
    std::string names = " ";
    for (std::size_t at = 0; at < release.size();) {
        std::size_t const end = release.find('\n', at);
        std::string_view const line = std::string_view{release}.substr(at, end == release.npos ? end : end - at);
        at = end == release.npos ? release.size() : end + 1;
        if (!line.starts_with("ID=") && !line.starts_with("ID_LIKE=")) continue;
        for (char const c : line.substr(line.find('=') + 1))
            if (c != '"') names += c;
        names += ' ';
    }
    return names;
}

// The commands that change the option of the kernel module, which the initramfs holds, too; a restart ends them.
[[nodiscard]] inline std::string commands_that_open_counters(surroundings const& here) {
    std::string const names = distributions(here);
    auto const is = [&](char const* name) { return names.find(name) != names.npos; };
    std::string_view const rebuild = is(" debian ") || is(" ubuntu ") ? "sudo update-initramfs -u"
                                     : is(" fedora ") || is(" rhel ") || is(" centos ")
                                         ? "sudo dracut --regenerate-all -f"
                                     : is(" suse ") || is(" opensuse ") || is(" sles ") ? "sudo dracut -f"
                                     : is(" arch ")                                     ? "sudo mkinitcpio -P"
                                                                                        : "";
    std::string text = "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "
                       "/etc/modprobe.d/nvidia-profiling.conf && ";
    if (rebuild.empty()) return text + "sudo reboot (where an initramfs holds the module, rebuild it before)";
    return text.append(rebuild) + " && sudo reboot";
}

// What to do against counters that are for administrators only.
[[nodiscard]] inline std::string how_to_open_counters(surroundings const& here) {
    if (here.variable("KUBERNETES_SERVICE_HOST"))
        return "in the pod's securityContext: capabilities: add: [SYS_ADMIN]; or load the nvidia module of the node "
               "with "
               "NVreg_RestrictProfilingToAdminUsers=0";
    bool const podman = here.exists("/run/.containerenv");
    if (podman || here.exists("/.dockerenv"))
        return std::string{"start the container with "} + (podman ? "podman" : "docker") +
               " run --cap-add=SYS_ADMIN; or load the nvidia module of the host with "
               "NVreg_RestrictProfilingToAdminUsers=0";
    return commands_that_open_counters(here) + "; or run as root or with CAP_SYS_ADMIN";
}

} // namespace hw
GPUPROF_NAMESPACE_END

#endif // GPUPROF_HW_DOCTOR_COUNTERS_FOR_ALL_HPP
