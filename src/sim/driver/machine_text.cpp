// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_text.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/hw/machine/toolkit_program.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

namespace {

constexpr unsigned most_seconds = 60;

// A file of the toolkit's programs, which is removed with this object.
class scratch_file {
public:
    explicit scratch_file(std::string_view suffix) : path_{hw::new_toolkit_file(suffix)} {}
    scratch_file(scratch_file const&) = delete;
    scratch_file& operator=(scratch_file const&) = delete;
    ~scratch_file() { static_cast<void>(platform::remove_file(path_)); }

    [[nodiscard]] bool write(std::string_view content) const {
        return platform::write_file(path_, content, platform::file_readers::this_user);
    }
    [[nodiscard]] std::string const& path() const noexcept { return path_; }

private:
    std::string path_;
};

std::string disassembled(std::string_view cubin) {
    scratch_file const file{".cubin"};
    if (!file.write(cubin)) return {};
    return hw::output_of_toolkit_program("nvdisasm", {"-c", file.path()}, most_seconds).value_or(std::string{});
}

std::string compiled(std::string_view ptx, std::string const& architecture) {
    scratch_file const source{".ptx"}, cubin{".cubin"};
    if (!source.write(ptx)) return {};
    if (!hw::output_of_toolkit_program("ptxas", {"-arch=" + architecture, source.path(), "-o", cubin.path()},
                                       most_seconds))
        return {};
    return platform::read_file(cubin.path()).value_or(std::string{});
}

// sm_90, or sm_90a for PTX that is for this chip alone.
std::string architecture_of(chip_model const& chip, std::string_view ptx) {
    compute_capability const device = chip.capability();
    std::string const name = "sm_" + std::to_string(device.generation) + std::to_string(device.revision);
    std::string_view const target = ptx.substr(std::min(ptx.find(".target"), ptx.size()));
    return target.substr(0, target.find('\n')).find(name + "a") == target.npos ? name : name + "a";
}

} // namespace

machine_text machine_text_of(void const* image, std::string_view ptx, chip_model const& chip, machine_code_use use) {
    machine_text text{image::resources_in(image, chip), nullptr};
    if (use == machine_code_use::none) return text;
    auto cubins = image::cubins_in(image, chip);
    if (cubins.empty() && use == machine_code_use::compiled) {
        if (auto cubin = compiled(ptx, architecture_of(chip, ptx)); !cubin.empty()) {
            text.resources = image::resources_in_cubin(cubin);
            cubins.push_back(std::move(cubin));
        }
    }
    if (!cubins.empty())
        text.listing = std::make_shared<listed_module const>([cubins = std::move(cubins)] {
            std::string all;
            for (std::string const& each : cubins) all += disassembled(each);
            return all;
        });
    return text;
}

} // namespace sim::driver
GPUPROF_NAMESPACE_END
