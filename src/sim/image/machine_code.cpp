// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine_code.hpp"

#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include "fat_binary.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

namespace {

// The bytes of a file that may be damaged.
struct cubin_bytes {
    std::string_view all;

    [[nodiscard]] std::string_view part(std::uint64_t at, std::uint64_t size) const {
        return at <= all.size() && size <= all.size() - at ? all.substr(at, size) : std::string_view{};
    }
    template <class T>
    [[nodiscard]] T number(std::uint64_t at) const {
        T value{};
        if (auto const bytes = part(at, sizeof value); !bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
};

// A section of an ELF file of 64 bits, as the ABI of System V lays it out.
struct cubin_section {
    std::uint32_t type = 0;
    std::uint32_t link = 0;
    std::string_view name;
    std::string_view content;
};

constexpr std::uint32_t symbol_table = 2;
constexpr std::size_t section_header_bytes = 64, symbol_bytes = 24;

std::string_view text_at(std::string_view texts, std::size_t at) {
    return at < texts.size() ? texts.substr(at, texts.substr(at).find('\0')) : std::string_view{};
}

} // namespace

std::map<std::string, kernel_resources> resources_in_cubin(std::string_view cubin) {
    constexpr char format_of_value = 4, least_stack = 0x12, registers = 0x2f;
    std::map<std::string, kernel_resources> found;
    cubin_bytes const file{cubin};
    if (cubin.substr(0, 5) != "\177ELF\2") return found;
    auto const headers = file.number<std::uint64_t>(40);
    auto const count = file.number<std::uint16_t>(60), names = file.number<std::uint16_t>(62);
    auto const section = [&](std::size_t index) {
        std::uint64_t const at = headers + index * section_header_bytes;
        cubin_section of{file.number<std::uint32_t>(at + 4), file.number<std::uint32_t>(at + 40), {}, {}};
        of.content = file.part(file.number<std::uint64_t>(at + 24), file.number<std::uint64_t>(at + 32));
        return of;
    };
    if (headers > cubin.size()) return found;
    std::string_view const texts = section(names).content;
    for (std::size_t i = 0; i < count; ++i) {
        cubin_section const info = section(i);
        std::string_view const name = text_at(texts, file.number<std::uint32_t>(headers + i * section_header_bytes));
        if (name != ".nv.info") continue;
        cubin_section const symbols = section(info.link);
        if (symbols.type != symbol_table) continue;
        std::string_view const symbol_names = section(symbols.link).content;
        cubin_bytes const table{symbols.content}, entries{info.content};
        for (std::size_t at = 0; at + 4 <= info.content.size();) {
            bool const has_value = info.content[at] == format_of_value;
            char const attribute = info.content[at + 1];
            if (has_value && (attribute == least_stack || attribute == registers)) {
                auto const symbol = entries.number<std::uint32_t>(at + 4);
                auto const place = table.number<std::uint32_t>(std::uint64_t{symbol} * symbol_bytes);
                std::string_view const kernel = text_at(symbol_names, place);
                auto const value = entries.number<std::uint32_t>(at + 8);
                if (!kernel.empty())
                    (attribute == registers ? found[std::string{kernel}].registers : found[std::string{kernel}].stack) =
                        value;
            }
            at += 4 + (has_value ? entries.number<std::uint16_t>(at + 2) : 0u);
        }
    }
    return found;
}

// Calls f(cubin, target) with the machine code that is wanted.
template <class Predicate, class F>
static void for_each_cubin(void const* image, Predicate wants, F f) {
    if (!is_fat_binary(image)) return;
    auto const containers = containers_of(image);
    if (!containers) return;
    for (auto const& container : *containers) {
        auto const entries = read_container(container);
        if (!entries) continue;
        for (fat_entry const& entry : *entries) {
            if (entry.kind != entry_kind::machine_code || !wants(entry.target)) continue;
            if (auto cubin = unpack_whole(entry)) f(std::move(*cubin), entry.target);
        }
    }
}

template <class Predicate>
static std::map<std::string, kernel_resources> resources_of(void const* image, Predicate wants) {
    std::map<std::string, kernel_resources> found;
    for_each_cubin(image, wants, [&](std::string const& cubin, std::uint32_t target) {
        for (auto [kernel, resources] : resources_in_cubin(cubin)) {
            resources.target = target;
            if (kernel_resources& best = found[kernel]; best.target <= target) best = resources;
        }
    });
    return found;
}

// Machine code of the chip's own generation, and not of a later chip.
static auto runs_on_chip(chip_model const& chip) {
    compute_capability const device = chip.capability();
    auto const own = static_cast<std::uint32_t>(device.generation * 10 + device.revision);
    return [=](std::uint32_t target) { return target / 10 == own / 10 && target <= own; };
}

std::map<std::string, kernel_resources> resources_in(void const* image) {
    return resources_of(image, [](std::uint32_t) { return true; });
}

std::map<std::string, kernel_resources> resources_in(void const* image, chip_model const& chip) {
    return resources_of(image, runs_on_chip(chip));
}

std::vector<std::string> cubins_in(void const* image, chip_model const& chip) {
    std::vector<std::string> found;
    for_each_cubin(image, runs_on_chip(chip),
                   [&](std::string cubin, std::uint32_t) { found.push_back(std::move(cubin)); });
    return found;
}

} // namespace sim::image
GPUPROF_NAMESPACE_END
