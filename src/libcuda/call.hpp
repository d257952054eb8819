// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the embedded GPU's libcuda.so.1 is put together from: calls by their symbols.
#ifndef GPUPROF_SRC_LIBCUDA_CALL_HPP
#define GPUPROF_SRC_LIBCUDA_CALL_HPP

#include <span>
#include <string_view>

#include <gpuprof/hw/abi/driver.hpp>

#include "program_call.hpp"

namespace gpuprof::driver_library {

using program::call;
using program::tell_once;

// The driver's table of the chip that GPUPROF_CHIP names: what most calls go to. Made at the first call; thread-safe.
[[nodiscard]] abi::driver_table const& table();
// Whether that chip is one of event hardware, whose driver and CUPTI are those of CUDA 12.9.
[[nodiscard]] bool is_legacy();

// Calls that the table does not have, one list a file.
[[nodiscard]] std::span<call const> export_table_calls();     // export_table.cpp: cuGetExportTable
[[nodiscard]] std::span<call const> conditional_node_calls(); // conditional_nodes.cpp: cuGraphConditionalHandleCreate
[[nodiscard]] std::span<call const> context_calls();          // context_calls.cpp: devices, contexts, modules, streams
[[nodiscard]] std::span<call const> copy_calls();             // copy_calls.cpp: boxes, rows, advice
[[nodiscard]] std::span<call const> graph_node_calls();       // graph_nodes.cpp: cuGraphAdd…, cuGraphExec…
[[nodiscard]] std::span<call const> host_memory_calls();      // host_memory.cpp: cuMemHostRegister
[[nodiscard]] std::span<call const> library_calls();          // library.cpp: cuLibrary…, cuKernel…
[[nodiscard]] std::span<call const> link_calls();             // link_calls.cpp: cuLink…
[[nodiscard]] std::span<call const> memory_node_calls();    // memory_nodes.cpp: cuGraphAddMemAllocNode, cuGraphAddNode
[[nodiscard]] std::span<call const> pool_calls();           // pools.cpp: cuMemPool…, cuMemAllocFromPoolAsync
[[nodiscard]] std::span<call const> proc_address_calls();   // proc_address.cpp: cuGetProcAddress
[[nodiscard]] std::span<call const> virtual_memory_calls(); // virtual_memory.cpp: cuMemCreate, cuMemMap
[[nodiscard]] std::span<call const> tensor_map_calls();     // tensor_maps.cpp: cuTensorMapEncodeTiled
[[nodiscard]] std::span<call const> texture_calls(); // texture_calls.cpp: arrays, cuTexObject…, cuSurfObject…

// What a symbol leads to, and whether the embedded GPU has it; null for a name that no libcuda has.
struct entry_point {
    void* function = nullptr;
    bool is_supported = false;
};
[[nodiscard]] entry_point find_entry_point(std::string_view symbol);

} // namespace gpuprof::driver_library

#endif // GPUPROF_SRC_LIBCUDA_CALL_HPP
