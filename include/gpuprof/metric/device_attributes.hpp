// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The attributes of a device that the CUDA driver knows, by name. Pure data.
#ifndef GPUPROF_METRIC_DEVICE_ATTRIBUTES_HPP
#define GPUPROF_METRIC_DEVICE_ATTRIBUTES_HPP

#include <cstddef>
#include <string_view>

#include "../core/unit.hpp"
#include "../detail/config.hpp"

GPUPROF_NAMESPACE_BEGIN

// What an attribute's value counts. `plain` is a flag, an identifier, or a number of something that has no unit.
enum class attribute_measure : unsigned char { plain, in_bytes, in_kilohertz, in_threads, in_registers, in_blocks };

// The unit of values of that measure.
[[nodiscard]] constexpr unit unit_of_measure(attribute_measure measure) noexcept {
    switch (measure) {
        case attribute_measure::in_bytes: return unit_of(dimension::byte);
        case attribute_measure::in_kilohertz: return one / unit_of(dimension::second, -3);
        case attribute_measure::in_threads: return unit_of(dimension::thread);
        case attribute_measure::in_registers: return unit_of(dimension::reg);
        case attribute_measure::in_blocks: return unit_of(dimension::cta);
        case attribute_measure::plain: break;
    }
    return one;
}

// An attribute: its enumerator's name without CU_DEVICE_ATTRIBUTE_, in lower case, and the enumerator's number. The
// metric of that attribute is device__attribute_ and this name (Nsight Compute guide, chapter 4, "Device Attributes").
struct device_attribute {
    char const* name;
    unsigned short number;
    attribute_measure measure;
};

namespace detail::attributes {
using enum attribute_measure;

// As of CUDA 13.5, in the order of <cuda.h>; a number with two names is there twice. A test holds it against hw/abi.
inline constexpr device_attribute table[] = {
    {"max_threads_per_block", 1, in_threads},
    {"max_block_dim_x", 2, in_threads},
    {"max_block_dim_y", 3, in_threads},
    {"max_block_dim_z", 4, in_threads},
    {"max_grid_dim_x", 5, in_blocks},
    {"max_grid_dim_y", 6, in_blocks},
    {"max_grid_dim_z", 7, in_blocks},
    {"max_shared_memory_per_block", 8, in_bytes},
    {"shared_memory_per_block", 8, in_bytes},
    {"total_constant_memory", 9, in_bytes},
    {"warp_size", 10, in_threads},
    {"max_pitch", 11, in_bytes},
    {"max_registers_per_block", 12, in_registers},
    {"registers_per_block", 12, in_registers},
    {"clock_rate", 13, in_kilohertz},
    {"texture_alignment", 14, in_bytes},
    {"gpu_overlap", 15, plain},
    {"multiprocessor_count", 16, plain},
    {"kernel_exec_timeout", 17, plain},
    {"integrated", 18, plain},
    {"can_map_host_memory", 19, plain},
    {"compute_mode", 20, plain},
    {"maximum_texture1d_width", 21, plain},
    {"maximum_texture2d_width", 22, plain},
    {"maximum_texture2d_height", 23, plain},
    {"maximum_texture3d_width", 24, plain},
    {"maximum_texture3d_height", 25, plain},
    {"maximum_texture3d_depth", 26, plain},
    {"maximum_texture2d_layered_width", 27, plain},
    {"maximum_texture2d_layered_height", 28, plain},
    {"maximum_texture2d_layered_layers", 29, plain},
    {"maximum_texture2d_array_width", 27, plain},
    {"maximum_texture2d_array_height", 28, plain},
    {"maximum_texture2d_array_numslices", 29, plain},
    {"surface_alignment", 30, in_bytes},
    {"concurrent_kernels", 31, plain},
    {"ecc_enabled", 32, plain},
    {"pci_bus_id", 33, plain},
    {"pci_device_id", 34, plain},
    {"tcc_driver", 35, plain},
    {"memory_clock_rate", 36, in_kilohertz},
    {"global_memory_bus_width", 37, plain},
    {"l2_cache_size", 38, in_bytes},
    {"max_threads_per_multiprocessor", 39, in_threads},
    {"async_engine_count", 40, plain},
    {"unified_addressing", 41, plain},
    {"maximum_texture1d_layered_width", 42, plain},
    {"maximum_texture1d_layered_layers", 43, plain},
    {"can_tex2d_gather", 44, plain},
    {"maximum_texture2d_gather_width", 45, plain},
    {"maximum_texture2d_gather_height", 46, plain},
    {"maximum_texture3d_width_alternate", 47, plain},
    {"maximum_texture3d_height_alternate", 48, plain},
    {"maximum_texture3d_depth_alternate", 49, plain},
    {"pci_domain_id", 50, plain},
    {"texture_pitch_alignment", 51, in_bytes},
    {"maximum_texturecubemap_width", 52, plain},
    {"maximum_texturecubemap_layered_width", 53, plain},
    {"maximum_texturecubemap_layered_layers", 54, plain},
    {"maximum_surface1d_width", 55, plain},
    {"maximum_surface2d_width", 56, plain},
    {"maximum_surface2d_height", 57, plain},
    {"maximum_surface3d_width", 58, plain},
    {"maximum_surface3d_height", 59, plain},
    {"maximum_surface3d_depth", 60, plain},
    {"maximum_surface1d_layered_width", 61, plain},
    {"maximum_surface1d_layered_layers", 62, plain},
    {"maximum_surface2d_layered_width", 63, plain},
    {"maximum_surface2d_layered_height", 64, plain},
    {"maximum_surface2d_layered_layers", 65, plain},
    {"maximum_surfacecubemap_width", 66, plain},
    {"maximum_surfacecubemap_layered_width", 67, plain},
    {"maximum_surfacecubemap_layered_layers", 68, plain},
    {"maximum_texture1d_linear_width", 69, plain},
    {"maximum_texture2d_linear_width", 70, plain},
    {"maximum_texture2d_linear_height", 71, plain},
    {"maximum_texture2d_linear_pitch", 72, in_bytes},
    {"maximum_texture2d_mipmapped_width", 73, plain},
    {"maximum_texture2d_mipmapped_height", 74, plain},
    {"compute_capability_major", 75, plain},
    {"compute_capability_minor", 76, plain},
    {"maximum_texture1d_mipmapped_width", 77, plain},
    {"stream_priorities_supported", 78, plain},
    {"global_l1_cache_supported", 79, plain},
    {"local_l1_cache_supported", 80, plain},
    {"max_shared_memory_per_multiprocessor", 81, in_bytes},
    {"max_registers_per_multiprocessor", 82, in_registers},
    {"managed_memory", 83, plain},
    {"multi_gpu_board", 84, plain},
    {"multi_gpu_board_group_id", 85, plain},
    {"host_native_atomic_supported", 86, plain},
    {"single_to_double_precision_perf_ratio", 87, plain},
    {"pageable_memory_access", 88, plain},
    {"concurrent_managed_access", 89, plain},
    {"compute_preemption_supported", 90, plain},
    {"can_use_host_pointer_for_registered_mem", 91, plain},
    {"can_use_stream_mem_ops_v1", 92, plain},
    {"can_use_64_bit_stream_mem_ops_v1", 93, plain},
    {"can_use_stream_wait_value_nor_v1", 94, plain},
    {"cooperative_launch", 95, plain},
    {"cooperative_multi_device_launch", 96, plain},
    {"max_shared_memory_per_block_optin", 97, in_bytes},
    {"can_flush_remote_writes", 98, plain},
    {"host_register_supported", 99, plain},
    {"pageable_memory_access_uses_host_page_tables", 100, plain},
    {"direct_managed_mem_access_from_host", 101, plain},
    {"virtual_address_management_supported", 102, plain},
    {"virtual_memory_management_supported", 102, plain},
    {"handle_type_posix_file_descriptor_supported", 103, plain},
    {"handle_type_win32_handle_supported", 104, plain},
    {"handle_type_win32_kmt_handle_supported", 105, plain},
    {"max_blocks_per_multiprocessor", 106, in_blocks},
    {"generic_compression_supported", 107, plain},
    {"max_persisting_l2_cache_size", 108, in_bytes},
    {"max_access_policy_window_size", 109, in_bytes},
    {"gpu_direct_rdma_with_cuda_vmm_supported", 110, plain},
    {"reserved_shared_memory_per_block", 111, in_bytes},
    {"sparse_cuda_array_supported", 112, plain},
    {"read_only_host_register_supported", 113, plain},
    {"timeline_semaphore_interop_supported", 114, plain},
    {"memory_pools_supported", 115, plain},
    {"gpu_direct_rdma_supported", 116, plain},
    {"gpu_direct_rdma_flush_writes_options", 117, plain},
    {"gpu_direct_rdma_writes_ordering", 118, plain},
    {"mempool_supported_handle_types", 119, plain},
    {"cluster_launch", 120, plain},
    {"deferred_mapping_cuda_array_supported", 121, plain},
    {"can_use_64_bit_stream_mem_ops", 122, plain},
    {"can_use_stream_wait_value_nor", 123, plain},
    {"dma_buf_supported", 124, plain},
    {"ipc_event_supported", 125, plain},
    {"mem_sync_domain_count", 126, plain},
    {"tensor_map_access_supported", 127, plain},
    {"handle_type_fabric_supported", 128, plain},
    {"unified_function_pointers", 129, plain},
    {"numa_config", 130, plain},
    {"numa_id", 131, plain},
    {"multicast_supported", 132, plain},
    {"mps_enabled", 133, plain},
    {"host_numa_id", 134, plain},
    {"d3d12_cig_supported", 135, plain},
    {"mem_decompress_algorithm_mask", 136, plain},
    {"mem_decompress_maximum_length", 137, plain},
    {"vulkan_cig_supported", 138, plain},
    {"gpu_pci_device_id", 139, plain},
    {"gpu_pci_subsystem_id", 140, plain},
    {"host_numa_virtual_memory_management_supported", 141, plain},
    {"host_numa_memory_pools_supported", 142, plain},
    {"host_numa_multinode_ipc_supported", 143, plain},
    {"host_memory_pools_supported", 144, plain},
    {"host_virtual_memory_management_supported", 145, plain},
    {"host_alloc_dma_buf_supported", 146, plain},
    {"only_partial_host_native_atomic_supported", 147, plain},
    {"atomic_reduction_supported", 148, plain},
    {"locality_domain_count", 149, plain},
    {"max_oversized_shared_memory_per_block", 150, in_bytes},
    {"d3d12_cig_streams_supported", 151, plain},
    {"dma_buf_mmap_supported", 152, plain},
    {"logical_endpoint_unicast_supported", 153, plain},
    {"logical_endpoint_multicast_supported", 154, plain},
    {"logical_endpoint_counted_ops_supported", 155, plain},
    {"logical_endpoint_unicast_access_on_owner_device_supported", 156, plain},
    {"locality_domain_multiprocessor_count", 157, plain},
    {"logical_endpoint_supported_handle_types", 158, plain},
    {"vulkan_cig_streams_supported", 159, plain},
    {"tensor_map_large_tensor_min_size", 160, plain},
    {"gpu_direct_rdma_with_localized_memory_supported", 161, plain},
};
} // namespace detail::attributes

// The attributes of the CUDA driver that are metrics.
inline constexpr auto const& device_attributes = detail::attributes::table;

// The attribute of that name, as in the table ("warp_size"), or null. Linear in the table, usable in constant
// expressions, thread-safe.
[[nodiscard]] constexpr device_attribute const* find_device_attribute(std::string_view name) noexcept {
    for (device_attribute const& row : device_attributes) {
        std::size_t i = 0;
        while (i < name.size() && row.name[i] == name[i] && row.name[i] != '\0') ++i;
        if (i == name.size() && row.name[i] == '\0') return &row;
    }
    return nullptr;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_DEVICE_ATTRIBUTES_HPP
