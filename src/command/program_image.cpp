// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_image.hpp"

#include <cstddef>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <elf.h>

#include <gpuprof/hw/machine/platform/file.hpp>
#include <gpuprof/text/printable.hpp>

#include "../sim/image/fat_binary.hpp"

namespace gpuprof::command {
namespace {

// Bytes of a file that may be damaged: everything is read through `at`.
class elf_file {
public:
    explicit elf_file(std::string_view bytes) : bytes_{bytes} {}

    template <class T>
    [[nodiscard]] std::optional<T> at(std::uint64_t offset) const {
        if (offset > bytes_.size() || sizeof(T) > bytes_.size() - offset) return {};
        T value;
        std::memcpy(&value, bytes_.data() + offset, sizeof value);
        return value;
    }
    [[nodiscard]] std::string_view part(std::uint64_t offset, std::uint64_t size) const {
        if (offset > bytes_.size() || size > bytes_.size() - offset) return {};
        return bytes_.substr(offset, size);
    }
    [[nodiscard]] std::optional<Elf64_Shdr> section(std::size_t index) const {
        auto const header = at<Elf64_Ehdr>(0);
        if (!header || index >= header->e_shnum) return {};
        return at<Elf64_Shdr>(header->e_shoff + index * sizeof(Elf64_Shdr));
    }
    [[nodiscard]] std::string_view content(Elf64_Shdr const& of) const {
        return of.sh_type == SHT_NOBITS ? std::string_view{} : part(of.sh_offset, of.sh_size);
    }
    // The text at an offset of a section of texts.
    [[nodiscard]] std::string_view text(std::size_t section_index, std::uint64_t offset) const {
        auto const texts = section(section_index);
        std::string_view const all = texts ? content(*texts) : std::string_view{};
        return offset < all.size() ? all.substr(offset, all.substr(offset).find('\0')) : std::string_view{};
    }

private:
    std::string_view bytes_;
};

template <class T, class F>
void for_each_entry(std::string_view content, F&& f) {
    for (std::size_t at = 0; at + sizeof(T) <= content.size(); at += sizeof(T)) {
        T entry;
        std::memcpy(&entry, content.data() + at, sizeof entry);
        f(entry);
    }
}

// Whether an image is known to have no kernel: that of a file without one, or what nvcc links for a program that has nothing to
// link. What cannot be unpacked here may have one.
bool has_no_kernel(sim::image::fat_entry const& entry) {
    auto const image = sim::image::unpack(entry);
    if (!image) return false;
    if (entry.kind == sim::image::entry_kind::ptx)
        return image->find(".version") != image->npos && image->find(".entry") == image->npos;
    return image->starts_with(ELFMAG) && image->find(".text.") == image->npos;
}

// A section of containers, one for each file that was compiled.
std::vector<gpu_code> read_containers(std::string_view section, program_image& image) {
    std::vector<gpu_code> codes;
    std::size_t at = 0;
    while (at + sim::image::container_header_bytes <= section.size()) {
        std::uint32_t magic = 0;
        std::uint16_t header = 0;
        std::uint64_t size = 0;
        std::memcpy(&magic, section.data() + at, sizeof magic);
        std::memcpy(&header, section.data() + at + 6, sizeof header);
        std::memcpy(&size, section.data() + at + 8, sizeof size);
        if (magic != sim::image::container_magic || size > section.size() - at - header ||
            header > section.size() - at) {
            at += 8; // what lies between containers
            continue;
        }
        auto const bytes = std::as_bytes(std::span{section.substr(at, header + size)});
        gpu_code code;
        if (auto const entries = sim::image::read_container(bytes))
            for (sim::image::fat_entry const& entry : *entries) {
                bool const is_ptx = entry.kind == sim::image::entry_kind::ptx;
                if (!(is_ptx || entry.kind == sim::image::entry_kind::machine_code) || has_no_kernel(entry)) continue;
                (is_ptx ? code.ptx : code.machines).insert(entry.target);
                image.packed_by_zstd = image.packed_by_zstd || (is_ptx && entry.packed == sim::image::packing::zstd);
            }
        if (!code.ptx.empty() || !code.machines.empty()) codes.push_back(std::move(code));
        at += (header + size + 7) / 8 * 8;
    }
    return codes;
}

// Files that are linked with each other are one code, and the machine code that nvcc made of all of them is a part of it.
std::vector<gpu_code> joined(std::vector<gpu_code> whole, std::vector<gpu_code> linked) {
    if (linked.empty()) return whole;
    gpu_code all;
    for (gpu_code& each : linked) {
        all.ptx.merge(each.ptx);
        all.machines.merge(each.machines);
    }
    std::vector<gpu_code> codes;
    for (gpu_code& each : whole) {
        if (each.ptx.empty()) all.machines.merge(each.machines);
        else codes.push_back(std::move(each));
    }
    codes.push_back(std::move(all));
    return codes;
}

} // namespace

result<program_image> try_read_program(std::string const& path) {
    std::string const shown = gpuprof::detail::printable_path(path);
    auto const bytes = platform::read_file(path);
    if (!bytes) return error{errc::io, 0, shown, "it cannot be read", {}};
    program_image image;
    if (bytes->starts_with("#!")) {
        image.is_script = true;
        return image;
    }
    elf_file const file{*bytes};
    auto const header = file.at<Elf64_Ehdr>(0);
    if (!header || !bytes->starts_with(ELFMAG) || header->e_ident[EI_CLASS] != ELFCLASS64 ||
        header->e_ident[EI_DATA] != ELFDATA2LSB || (header->e_type != ET_EXEC && header->e_type != ET_DYN))
        return error{errc::invalid_argument, 0, shown, "it is no program of 64 bits for Linux",
                     "name what nvcc or a compiler built"};
    image.processor = header->e_machine;
    std::vector<gpu_code> whole, linked;
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
        auto const section = file.section(i);
        if (!section) return error{errc::invalid_argument, 0, shown, "it ends within its sections", {}};
        std::string_view const name = file.text(header->e_shstrndx, section->sh_name);
        if (section->sh_type == SHT_DYNAMIC)
            for_each_entry<Elf64_Dyn>(file.content(*section), [&](Elf64_Dyn const& entry) {
                if (entry.d_tag == DT_NEEDED) image.needed.emplace_back(file.text(section->sh_link, entry.d_un.d_val));
            });
        if (section->sh_type == SHT_DYNSYM)
            for_each_entry<Elf64_Sym>(file.content(*section), [&](Elf64_Sym const& symbol) {
                if (symbol.st_shndx == SHN_UNDEF &&
                    file.text(section->sh_link, symbol.st_name) == "__cudaRegisterFatBinary")
                    image.asks_for_runtime = true;
            });
        if (name == ".nv_fatbin" || name == "__nv_relfatbin") {
            image.has_gpu_code = true;
            (name == ".nv_fatbin" ? whole : linked) = read_containers(file.content(*section), image);
        }
    }
    image.codes = joined(std::move(whole), std::move(linked));
    return image;
}

} // namespace gpuprof::command
