// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects behind the handles of the embedded GPU's driver: plain data under the driver's lock.
#ifndef GPUPROF_SRC_SIM_DRIVER_OBJECTS_HPP
#define GPUPROF_SRC_SIM_DRIVER_OBJECTS_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <gpuprof/hw/abi/driver_types.hpp>
#include <gpuprof/hw/abi/results.hpp>
#include <gpuprof/hw/activity/timestamp.hpp>
#include <gpuprof/sim/check_set.hpp>
#include <gpuprof/sim/launch_error.hpp>

#include "../check/memory_shadow.hpp"
#include "../chip/chip_model.hpp"
#include "../code/device_heap.hpp"
#include "../code/device_memory.hpp"
#include "../code/kernel.hpp"
#include "../decode/program.hpp"
#include "../model/l2_cache.hpp"
#include "../texture/object.hpp"
#include "operation.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim::driver {

// The capture of a stream's work, and of the streams that joined it, into a graph.
struct capture_state {
    CUcontext context = nullptr;
    CUstream origin = nullptr;
    CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
    std::thread::id thread;
    bool invalidated = false;
    CUgraph graph = nullptr;    // the handle that the graph gets when the capture ends
    std::uint32_t graph_id = 0; // its number
    std::vector<std::uint64_t> conditions;
    bool adds_to_graph = false; // the graph existed before
    graph_nodes nodes;
    std::vector<std::size_t> excused; // nodes that need not have joined the origin at the end
};

// A stream's work has run when the call that enqueues it returns. What remains of its order is the
// time when its last operation ends, or, in a capture, the nodes that the next operation has to
// follow.
struct stream_state {
    CUcontext context = nullptr;
    std::uint32_t id = 0; // see state::stream_count
    unsigned flags = CU_STREAM_DEFAULT;
    int priority = 0;
    double ready = 0;
    std::shared_ptr<capture_state> capture;
    std::vector<std::size_t> frontier;
    std::vector<CUgraphNode> told_frontier; // what cuStreamGetCaptureInfo gave out
};

struct event_state {
    CUcontext context = nullptr;
    std::uint32_t id = 0;
    unsigned flags = CU_EVENT_DEFAULT;
    bool recorded = false; // outside of any capture
    bool captured = false; // since then, recorded in a capture
    double time = 0;
    std::uint64_t record_number = 0;      // of the last recording; 0: none
    std::weak_ptr<capture_state> capture; // which one, while it goes on
    std::vector<std::size_t> frontier;
};

// A graph or an executable. graph_ids.hpp explains the numbers.
struct graph_state {
    std::shared_ptr<graph_nodes const> nodes;
    std::uint32_t id = 0;
    std::uint32_t source = 0;              // of an executable: the number of its graph
    std::vector<std::uint64_t> conditions; // their handles
    bool is_for_device = false;            // an executable that kernels may launch
};

struct function_state {
    CUfunction handle = nullptr;
    CUmodule module = nullptr;
    CUcontext context = nullptr;
    std::uint32_t id = 0;
    sim::kernel const* code = nullptr; // the module's
    int max_dynamic_shared = 0;
    int carveout = CU_SHAREDMEM_CARVEOUT_DEFAULT;
    extent3 required_cluster{0, 0, 0}; // blocks, by an attribute or by the kernel itself; 0: no requirement
    bool may_exceed_portable_cluster = false;
    char const* kept_name = nullptr; // for activity records; null before the first
};

struct module_state {
    CUcontext context = nullptr;
    std::uint32_t id = 0;
    sim::program code; // its variables are in the context's memory, so it goes first
    std::map<std::string, CUfunction, std::less<>> functions; // those that were looked up
    std::shared_ptr<std::string const> image;                 // the PTX text, for tools
    std::uint64_t code_number = 0;                            // by which samples name the code
    std::map<std::string, std::uint32_t> sampled_functions{}; // numbers of functions that were sampled
};

// Memory that the application allocated. Pinned and managed memory is host memory, at its own
// address.
enum class memory_kind : unsigned char { device, managed, pinned };
struct allocation {
    std::size_t bytes = 0;
    memory_kind kind = memory_kind::device;
    std::unique_ptr<std::byte, decltype(&std::free)> host{nullptr, &std::free};
    bool from_pool = false;          // of the device: allocated in the order of a stream
    int pool = 0;                    // the number of that pool
    bool from_graph = false;         // of a node: see mark_operation
    bool is_unused = false;          // such memory, before its node runs and after it was freed
    activity::timestamp allocated{}; // when, in records
};

// An array: memory with a shape, for textures and surfaces. `shape` has its texels and where they
// are; rows follow each other without gaps.
struct array_state {
    CUcontext context = nullptr;
    texture_object shape;
    std::array<std::size_t, 3> extent{}; // as the application gave it: zero where there is no such dimension
    unsigned flags = 0;
};

// The descriptions that a texture or surface object was created from: the driver's structures, as
// bytes.
struct texture_state {
    std::vector<std::byte> resource;
    std::vector<std::byte> texture; // empty for surfaces
};

// Memory without an address, as cuMemCreate creates it. Its mappings keep it alive.
struct physical_memory {
    std::size_t bytes = 0;
    std::array<std::byte, 32> properties{}; // CUmemAllocationProp
    std::unique_ptr<std::byte, decltype(&std::free)> host{nullptr, &std::free};
};
// Addresses that cuMemAddressReserve reserved, and what is mapped there.
struct reserved_range {
    std::size_t bytes = 0;
    struct mapping {
        std::size_t bytes = 0;
        std::shared_ptr<physical_memory> memory;
        bool is_accessible = false; // once cuMemSetAccess said so
    };
    std::map<CUdeviceptr, mapping> mappings;
};

// A pool for asynchronous allocations of a device. It keeps no free memory: its size is the sum of
// its allocations.
struct memory_pool {
    int device = 0;
    bool is_known = false; // once something was allocated
    bool is_there = true;  // false once destroyed; its allocations live on
    std::uint64_t used = 0;
    std::uint64_t used_at_most = 0; // since the application reset it
    std::uint64_t most = 0;         // limit in bytes; 0: all of the device's memory
};

// Device memory for kernels that launch kernels: see launch_pool.
struct device_launch_memory {
    std::uint64_t buffers = 0; // of parameters
    std::uint64_t bytes = 0;   // of these
    std::uint64_t texts = 0;   // of errors
};

struct context_state {
    // @param slot the device's number among those side by side
    context_state(CUcontext name, int ordinal, chip_model const& model, unsigned slot = 0)
        : handle{name}, device{ordinal}, chip{&model}, memory{model.memory_bytes, slot} {
        default_stream.context = name;
    }

    // Kernels and copies find in L2 what earlier ones left there. Megabytes, so created when first
    // needed.
    [[nodiscard]] l2_cache& l2() {
        if (!l2_) l2_.emplace(*chip);
        return *l2_;
    }
    // L1 is empty whenever a kernel begins.
    void empty_caches() { l2_.reset(); }

    CUcontext handle;
    std::uint32_t id = 0; // see state::context_count
    int device;
    chip_model const* chip;
    unsigned flags = 0;
    device_memory memory;
    std::map<CUdeviceptr, allocation> allocations;
    std::map<std::uint64_t, texture_state> textures; // and surfaces, by their handles
    std::map<CUdeviceptr, reserved_range> reserved;  // virtual memory
    stream_state default_stream;
    std::map<std::thread::id, stream_state> thread_streams;
    std::array<std::size_t, 7> limits{1024, 8650752, std::size_t{8} << 20, 0, 2048,
                                      64,   0}; // by CUlimit, as an H200 begins
    std::unique_ptr<device_heap> heap;          // of malloc in kernels; created when first needed
    std::uint64_t grid_workspace = 0;           // of cooperative launches; created when first needed
    device_launch_memory launch_memory;         // created when first needed
    bool traces_kernels = true;                 // false once CUPTI records no more of them: see record_operation()
    std::unique_ptr<memory_shadow> shadow;      // the state of memory for checks; null: no checks
    check_set checks;
    CUresult lost = CUDA_SUCCESS; // after a kernel failed, the status of every later call
    std::optional<launch_error> failure;

private:
    std::optional<l2_cache> l2_;
};

} // namespace sim::driver
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_DRIVER_OBJECTS_HPP
