// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads fat binaries: the container in which CUDA's compilers put PTX and machine code for several
// GPUs.
#ifndef GPUPROF_SRC_SIM_IMAGE_FAT_BINARY_HPP
#define GPUPROF_SRC_SIM_IMAGE_FAT_BINARY_HPP

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <gpuprof/core/result.hpp>
#include <gpuprof/hw/abi/results.hpp>

GPUPROF_NAMESPACE_BEGIN
namespace sim::image {

// NVIDIA documents the wrapper (crt headers, fatbinary_section.h), but not the container. Its
// layout was found by comparing the output of nvcc 11.8 to 13.0 with the options it was given. All
// numbers are little-endian.
inline constexpr std::uint32_t wrapper_magic = 0x466243b1;   // {magic, version, pointer to a container, …}
inline constexpr std::uint32_t container_magic = 0xba55ed50; // {magic, version : 16, header bytes : 16, bytes : 64}
inline constexpr std::size_t container_header_bytes = 16;
inline constexpr std::size_t least_entry_header_bytes = 64;
inline constexpr std::size_t most_unpacked_bytes = std::size_t{1} << 28; // a larger number is taken for damage

enum class entry_kind : std::uint16_t { ptx = 1, machine_code = 2 }; // others are passed over
enum class packing : std::uint8_t { none, lz4, zstd };

// One image of a container. Refers to the container's bytes.
struct fat_entry {
    entry_kind kind{};
    std::uint32_t target = 0; // 80 for sm_80 and compute_80
    packing packed = packing::none;
    std::size_t unpacked_bytes = 0;
    std::span<std::byte const> payload;
};

// Whether an image begins like a wrapper or a container. Reads at most four bytes, and none beyond
// a null character.
[[nodiscard]] bool is_fat_binary(void const* image) noexcept;

// The containers of an image in memory: the image itself, or those that its wrapper points at. A
// wrapper of version 2, which nvcc -rdc=true writes (crt/link.stub), also has a list of containers
// to be linked, one for each compiled file; a null pointer ends it. Errors: invalid_argument for a
// wrapper that points at something else.
// @pre is_fat_binary(image); as many bytes can be read there as the containers name: nothing else
// marks their end
[[nodiscard]] result<std::vector<std::span<std::byte const>>> containers_of(void const* image);

// The images of a container, in its order. Errors: invalid_argument for bytes that are no
// container, or that end within one. Linear in the number of images; reads only `container`.
[[nodiscard]] result<std::vector<fat_entry>> read_container(std::span<std::byte const> container);

// The text of an image that is PTX, without null characters at its end. Errors: invalid_argument
// for a payload that does not unpack to the size that it says; unavailable for zstd where there is
// no decoder. Cost: a copy of the text. Thread-safe.
[[nodiscard]] result<std::string> unpack(fat_entry const& entry);

// The bytes of an image of any kind, all of them. Errors and cost as unpack().
[[nodiscard]] result<std::string> unpack_whole(fat_entry const& entry);

} // namespace sim::image
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_IMAGE_FAT_BINARY_HPP
