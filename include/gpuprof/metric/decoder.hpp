// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The words that metric names are made of, as data.
#ifndef GPUPROF_METRIC_DECODER_HPP
#define GPUPROF_METRIC_DECODER_HPP

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "../detail/config.hpp"
#include "kind.hpp"
#include "../core/unit.hpp"

GPUPROF_NAMESPACE_BEGIN

// The part a word plays in a name (guide 3.2; "guide" is the Nsight Compute
// 2023.3 kernel profiling guide here and elsewhere).
enum class term_kind : unsigned char {
    hw_unit,   // a unit of the GPU; `of` is the cycle of its clock
    stage,     // a pipeline stage inside a unit: the t of l1tex__t_sectors
    subunit,   // where inside the unit
    quantity,  // what is counted; `of` says in which dimension
    singular,  // a quantity's singular, in ratios: sectors_per_request
    adjective, // belongs to the quantity it precedes: bank_conflicts, thread_inst
    state,     // belongs to the quantity it follows: inst_executed, warps_launched
    level,     // a state that lasts, so that the counter adds up what is there on every cycle: warps_active
    maker,     // makes a ratio or a throughput of the name
    key,       // says what the qualifiers after it are about: pipe_lsu, op_ld; % in its phrase, if any, stands for them
    qualifier  // narrows down what is counted
};

// One word. `phrase` is how a description in words spells it, `meaning` explains it in one sentence.
struct term {
    char const* word;
    term_kind kind;
    dimension of;
    char const* phrase;
    char const* meaning;
};

namespace detail::terms {
using enum term_kind;
using enum dimension;

inline constexpr term table[] = {
    {"ctc", hw_unit, cycle_ctc, "the chip-to-chip link", "Connects this GPU to another chip in the same package."},
    {"dram", hw_unit, cycle_dram, "device memory",
     "The memory chips behind the memory controllers, where global and local memory live."},
    {"dramc", hw_unit, cycle_dram, "the DRAM controller", "Drives the memory chips, in the DRAM's own clock."},
    {"fbpa", hw_unit, cycle_fbp, "the frame buffer partition",
     "A memory controller between the L2 cache and DRAM; how many there are depends on the chip."},
    {"fe", hw_unit, cycle_sys, "the front end",
     "Takes the driver's commands, starts the work and carries out synchronisation."},
    {"gcc", hw_unit, cycle_gpc, "the GPC constant cache",
     "Second level of the constant and instruction caches, shared by the units of a GPC."},
    {"gpc", hw_unit, cycle_gpc, "the graphics processing cluster",
     "Several TPCs with what they share; the chip has a number of them."},
    {"gpu", hw_unit, cycle_sys, "the GPU", "The whole chip."},
    {"gr", hw_unit, cycle_sys, "the compute and graphics engine",
     "Runs kernels and graphics, and hands CTAs to the SMs."},
    {"idc", hw_unit, cycle_gpc, "the indexed constant cache", "The SM's cache for constants that a register indexes."},
    {"l1tex", hw_unit, cycle_gpc, "the L1/texture cache",
     "The SM's first-level cache, also home of shared memory and of texture fetches."},
    {"lrc", hw_unit, cycle_fbp, "the L2 request coalescer",
     "Merges read requests of several SMs before they reach an L2 slice."},
    {"ltc", hw_unit, cycle_fbp, "the L2 cache", "Last cache before device memory, shared by the whole chip."},
    {"ltcfabric", hw_unit, cycle_fbp, "the L2 fabric", "Links the partitions of the L2 cache."},
    {"lts", hw_unit, cycle_fbp, "the L2 cache slice", "One of the independent slices that the L2 cache is made of."},
    {"mcc", hw_unit, cycle_mcc, "the memory controller channel",
     "A channel of the memory subsystem of an integrated GPU, DRAM controller included."},
    {"nvlrx", hw_unit, cycle_nvlrx, "the NVLink receiver", "The receiving half of the NVLink ports."},
    {"nvltx", hw_unit, cycle_nvltx, "the NVLink transmitter", "The sending half of the NVLink ports."},
    {"pcie", hw_unit, cycle_pcie, "the PCIe interface", "The link between GPU and host."},
    {"pm", hw_unit, cycle_sys, "the performance monitor", "The counting hardware itself."},
    {"sm", hw_unit, cycle_gpc, "the streaming multiprocessor",
     "Runs CTAs as warps of 32 threads, and owns the resources that their threads share."},
    {"smsp", hw_unit, cycle_gpc, "the SM sub-partition",
     "A quarter of an SM: one warp scheduler with its pool of warps and its pipelines."},
    {"sys", hw_unit, cycle_sys, "the system domain", "Units that serve the chip as a whole."},
    {"syslrc", hw_unit, cycle_sys, "the L2 request coalescer for system memory",
     "Merges read requests to memory that is not the device's own."},
    {"syslts", hw_unit, cycle_sys, "the L2 cache slice for system memory",
     "An L2 slice in front of memory that is not the device's own."},
    {"tpc", hw_unit, cycle_gpc, "the thread processing cluster", "One or more SMs with the caches they share."},
    {"d", stage, none, "data stage", "Reads and writes the cached data."},
    {"data", stage, none, "data stage", "Reads and writes the cached data."},
    {"f", stage, none, "filter stage", "Filters texture samples and returns data to the SM."},
    {"m", stage, none, "miss stage", "Sends what missed to the next level and takes in what returns."},
    {"samp", stage, none, "sampler stage", "Turns texture coordinates into samples."},
    {"t", stage, none, "tag stage", "Looks up addresses in the cache's tags."},
    {"atomic", subunit, none, "atomic unit", "Carries out atomic operations next to the cache."},
    {"cbc", subunit, none, "compression bit cache", "Caches the state of compressed memory."},
    {"comptag", subunit, none, "compression tags", "Say how memory is compressed."},
    {"dcc", subunit, none, "data constant cache", "A constant cache of the SM."},
    {"decomp", subunit, none, "decompressor", "Expands compressed sectors."},
    {"engine", subunit, none, "engine", "A part of the chip that works through a queue of its own."},
    {"gcomp", subunit, none, "compressor", "Compresses sectors before they are written."},
    {"gxc", subunit, none, "data conversion unit", "Converts sectors on their way."},
    {"hub", subunit, none, "hub", "Where the units outside the GPCs reach memory."},
    {"icc", subunit, none, "instruction cache", "Holds instructions for the SMs of a TPC."},
    {"ilc", subunit, none, "in-line compressor", "Compresses sectors on their way to memory."},
    {"imc", subunit, none, "immediate constant cache", "Holds constants that an instruction names directly."},
    {"lsuin", subunit, none, "load/store input stage",
     "Takes the load/store pipeline's instructions into the L1/texture cache."},
    {"mio", subunit, none, "memory input/output", "Queues instructions for the units that sub-partitions share."},
    {"mioc", subunit, none, "memory input/output control", "Directs the instructions that the sub-partitions share."},
    {"mio2rf", subunit, none, "return path to the register file", "Brings results of shared units back to registers."},
    {"pq", subunit, none, "pending queue", "Holds instructions until their unit takes them."},
    {"rf", subunit, none, "the register file", "Where the threads' registers are."},
    {"scheduler", subunit, none, "scheduler", "Chooses what runs next."},
    {"sram", level, none, "on-chip memory", "The memory that L1 cache and shared memory divide between them."},
    {"texin", subunit, none, "texture input stage", "Takes texture and surface requests into the L1/texture cache."},
    {"tmain", subunit, none, "tensor memory access input", "Takes instructions into the tensor memory access unit."},
    {"writeback", subunit, none, "write-back", "Returns results to registers."},
    {"xbar", subunit, none, "the crossbar", "Carries packets between the GPCs and the L2 slices."},
    {"xcomp", subunit, none, "compressor", "Compresses sectors on the way to memory."},
    {"accesses", quantity, tag, "accesses", "Look-ups of a cache's tags."},
    {"bytes", quantity, byte, "bytes", "Amount of data."},
    {"cgas", quantity, cluster, "clusters", "Groups of CTAs that are guaranteed to run at the same time."},
    {"conflicts", quantity, bank_conflict, "conflicts",
     "Times that work had to wait because two parts of it needed the same resource."},
    {"count", quantity, event, "occurrences", "How often something happened."},
    {"ctas", quantity, cta, "CTAs", "Cooperative thread arrays, \"blocks\" in CUDA."},
    {"cycles", quantity, cycle_gpc, "cycles", "Ticks of the unit's own clock."},
    {"inst", quantity, instruction, "instructions",
     "Machine (SASS) instructions; one for a whole warp unless thread instructions are meant."},
    {"instructions", quantity, instruction, "instructions", "Machine (SASS) instructions."},
    {"kilobytes", quantity, kilobyte, "kilobytes", "Amount of data."},
    {"lines", quantity, line, "cache lines", "Aligned blocks of 128 bytes, four sectors each."},
    {"ops", quantity, operation, "operations", "Arithmetic operations; a fused multiply-add is two."},
    {"quanta", quantity, event, "allocation quanta", "The portions in which registers are handed out."},
    {"reads", quantity, access, "reads", "Accesses that read."},
    {"registers", quantity, reg, "registers", "32-bit registers."},
    {"replays", quantity, instruction, "replays", "Instructions issued again."},
    {"requests", quantity, request, "requests", "Commands to a unit, each about one or more sectors."},
    {"sectors", quantity, sector, "32-byte sectors", "Aligned pieces of 32 bytes; four make a cache line."},
    {"semreleases", quantity, event, "semaphore releases", "Signals to whoever waits on a semaphore."},
    {"tags", quantity, tag, "tags", "Keys that identify cached lines."},
    {"targets", quantity, branch_target, "targets", "Places that a branch can lead to."},
    {"threads", quantity, thread, "threads", "Single threads, 32 to a warp."},
    {"time", quantity, second, "time", "Duration in nanoseconds."},
    {"warps", quantity, warp, "warps", "Groups of 32 threads that execute together."},
    {"wavefronts", quantity, wavefront, "wavefronts",
     "Portions of a request that a pipeline stage handles at once; more than one means serialised work."},
    {"workids", quantity, event, "work items", "Portions of a launch that are handed out on request."},
    {"writes", quantity, access, "writes", "Accesses that write."},
    {"cta", singular, cta, "CTA", "A cooperative thread array, a \"block\" in CUDA."},
    {"instruction", singular, instruction, "instruction", "A machine (SASS) instruction."},
    {"register", singular, reg, "register", "A 32-bit register."},
    {"request", singular, request, "request", "A command to a unit, about one or more sectors."},
    {"sector", singular, sector, "sector", "An aligned piece of 32 bytes."},
    {"thread", singular, thread, "thread", "One thread of a warp."},
    {"warp", singular, warp, "warp", "32 threads that execute together."},
    {"wavefront", singular, wavefront, "wavefront", "A portion of a request that a pipeline stage handles at once."},
    {"bank", adjective, none, "bank", "About the banks that shared memory and the data stage are divided into."},
    {"branch", adjective, none, "branch", "About jumps."},
    {"cache", adjective, none, "cache", "About a cache."},
    {"divergent", adjective, none, "divergent", "Not the same for all threads of the warp."},
    {"input", adjective, none, "input", "Coming in."},
    {"output", adjective, none, "output", "Going out."},
    {"read", adjective, none, "read", "That reads."},
    {"response", adjective, none, "response", "That answers."},
    {"set", adjective, none, "set", "About the sets that a cache's lines are grouped into."},
    {"tag", adjective, none, "tag", "About a cache's tags."},
    {"write", adjective, none, "write", "That writes."},
    {"completed", state, none, "completed", "Finished."},
    {"elapsed", state, none, "elapsed", "While the unit was powered and measured, whether it worked or not."},
    {"end", state, none, "at the end", "Timestamp of the end."},
    {"executed", state, none, "executed", "Carried out."},
    {"granted", state, none, "granted", "Given on request."},
    {"idle", state, none, "idle", "Without work."},
    {"issued", state, none, "issued", "Sent to a pipeline by the warp scheduler."},
    {"launched", state, none, "launched", "Started."},
    {"pending", state, none, "pending", "Under way."},
    {"requested", state, none, "requested", "Asked for."},
    {"restored", state, none, "restored", "Brought back after preemption."},
    {"returned", state, none, "returned", "Delivered."},
    {"stalled", state, none, "stalled", "Held up by something else."},
    {"start", state, none, "at the start", "Timestamp of the beginning."},
    {"active", level, none, "active", "At work."},
    {"allocated", level, none, "allocated", "Reserved."},
    {"configured", level, none, "configured", "Set aside by configuration."},
    {"eligible", level, none, "eligible", "Ready to issue the next instruction."},
    {"inactive", level, none, "inactive", "Not at work."},
    {"issue", level, none, "issue", "At the moment the warp scheduler chooses."},
    {"amortized", maker, none, "amortised", "Spread over all that ran at the same time."},
    {"average", maker, none, "average", "Quotient of two counters."},
    {"latency", maker, none, "latency", "Cycles from beginning to end."},
    {"per", maker, none, "per", "Divided by what follows."},
    {"rate", maker, none, "rate", "Share of the whole."},
    {"throughput", maker, none, "throughput",
     "How near a unit came to its peak: the highest percentage among the counters it is made of."},
    {"aperture", key, none, "in %", "Which memory is behind an address."},
    {"cmd", key, none, "for % commands", "Which command it is."},
    {"dest", key, none, "to %", "Where it goes."},
    {"dst", key, none, "with % results", "Data type of the result."},
    {"evict", key, none, "with eviction policy \"%\"", "What happens to the line when the cache needs room."},
    {"hitprop", key, none, "with hit policy \"%\"", "Eviction policy given to a line that is hit."},
    {"level", key, none, "at the level of %", "At which level it happens."},
    {"lookup", key, none, "that %", "How the look-up in the cache ended."},
    {"mem", key, none, "to % memory", "Which memory space is accessed."},
    {"missprop", key, none, "with miss policy \"%\"", "Eviction policy given to a line that missed."},
    {"obj", key, none, "for % objects", "What is fetched."},
    {"op", key, none, "by % operations", "Which kind of instruction or access."},
    {"packet", key, none, "in % packets", "What kind of packet."},
    {"path", key, none, "on the % path", "Which data path."},
    {"pipe", key, none, "of the % pipeline", "Which pipeline."},
    {"queue", key, none, "of the % queue", "Which queue."},
    {"reason", key, none, "because of %", "Why."},
    {"scope", key, none, "with % scope", "How far it reaches."},
    {"shader", key, none, "of % shaders", "What kind of program."},
    {"size", key, none, "of size %", "How large."},
    {"sparsity", key, none, "with sparsity %", "Whether structured sparsity is used."},
    {"src", key, none, "with % operands", "Data type of the operands."},
    {"srcnode", key, none, "from %", "Which part of the chip asked."},
    {"srcunit", key, none, "from %", "Which unit asked."},
    {"subpipe", key, none, "of the % sub-pipeline", "Which part of a pipeline."},
    {"type", key, none, "of type %", "Which kind."},
    {"adu", qualifier, none, "address divergence",
     "Pipeline for divergent branches and jumps, constant loads and block barriers."},
    {"all", qualifier, none, "all", "Every one."},
    {"alu", qualifier, none, "arithmetic logic", "Pipeline for most integer, logic and bit operations."},
    {"aluheavy", qualifier, none, "heavy arithmetic logic", "The full half of the ALU pipeline."},
    {"alulite", qualifier, none, "light arithmetic logic", "The reduced half of the ALU pipeline."},
    {"any", qualifier, none, "any", "At least one."},
    {"atom", qualifier, none, "atomic", "Read-modify-write that returns the old value."},
    {"barrier", qualifier, none, "at a barrier", "Waiting for the other warps of the CTA."},
    {"bf16", qualifier, none, "BF16", "16-bit float with 8 exponent bits."},
    {"bypass", qualifier, none, "bypassing", "Without allocating in the cache."},
    {"cas", qualifier, none, "compare-and-swap", "Replaces a value if it is the expected one."},
    {"cbu", qualifier, none, "convergence barrier", "Pipeline for warp convergence and branches."},
    {"ce", qualifier, none, "the copy engine", "Copies memory without an SM."},
    {"coalescing", qualifier, none, "coalescing", "Merging of equal requests."},
    {"constant", qualifier, none, "constant", "About constants."},
    {"cpu", qualifier, none, "the CPU", "The host's processor."},
    {"cs", qualifier, none, "compute", "Kernels, as opposed to graphics."},
    {"demote", qualifier, none, "demote", "Lowered in the order of eviction."},
    {"device", qualifier, none, "device memory", "The GPU's own memory."},
    {"dispatch", qualifier, none, "dispatch", "Handing an instruction to its pipeline."},
    {"dmma", qualifier, none, "double-precision matrix", "FP64 matrix multiply-add."},
    {"dot", qualifier, none, "with", "Introduces a kind of atomic."},
    {"dshared", qualifier, none, "distributed shared", "Shared memory of another CTA in the cluster."},
    {"drain", qualifier, none, "draining stores", "Waiting after exit for stores to finish."},
    {"explicit", qualifier, none, "explicit", "Spelled out in the instruction."},
    {"fadd", qualifier, none, "FP32 add", "Single-precision addition."},
    {"fbp", qualifier, none, "a frame buffer partition", "Memory-side part of the chip."},
    {"ffma", qualifier, none, "FP32 fused multiply-add", "Single-precision multiply-add."},
    {"first", qualifier, none, "first", "First to be evicted."},
    {"fma", qualifier, none, "fused multiply-add", "Pipeline for most FP32 arithmetic and integer multiplication."},
    {"fmaheavy", qualifier, none, "heavy fused multiply-add", "FP32, FP16 and integer dot products."},
    {"fmalite", qualifier, none, "light fused multiply-add", "FP32 and FP16."},
    {"fmul", qualifier, none, "FP32 multiply", "Single-precision multiplication."},
    {"dadd", qualifier, none, "FP64 add", "Double-precision addition."},
    {"dfma", qualifier, none, "FP64 fused multiply-add", "Double-precision multiply-add."},
    {"dmul", qualifier, none, "FP64 multiply", "Double-precision multiplication."},
    {"hadd", qualifier, none, "FP16 add", "Half-precision addition."},
    {"hfma", qualifier, none, "FP16 fused multiply-add", "Half-precision multiply-add."},
    {"hmul", qualifier, none, "FP16 multiply", "Half-precision multiplication."},
    {"fp16", qualifier, none, "FP16", "Half precision, or the pipeline for pairs of them."},
    {"fp32", qualifier, none, "FP32", "Single precision."},
    {"fp64", qualifier, none, "FP64", "Double precision, or the pipeline for it."},
    {"fp4", qualifier, none, "FP4", "4-bit float."},
    {"fp6", qualifier, none, "FP6", "6-bit float."},
    {"fp8", qualifier, none, "FP8", "8-bit float."},
    {"frame", qualifier, none, "frame", "A user-defined frame."},
    {"generic", qualifier, none, "generic", "An address whose memory space is found out at run time."},
    {"global", qualifier, none, "global", "Memory that all threads see."},
    {"gmma", qualifier, none, "warp-group matrix", "Matrix multiply-add by four warps together."},
    {"hit", qualifier, none, "hit", "The data was there."},
    {"hmma", qualifier, none, "half-precision matrix", "FP16 matrix multiply-add."},
    {"imma", qualifier, none, "integer matrix", "Integer matrix multiply-add."},
    {"int8", qualifier, none, "INT8", "8-bit integer."},
    {"int4", qualifier, none, "INT4", "4-bit integer."},
    {"internal", qualifier, none, "internal", "Inside the unit."},
    {"activity", qualifier, none, "activity", "Work done."},
    {"ipa", qualifier, none, "interpolation",
     "Attribute interpolation, and address generation that uses the same path."},
    {"l1", qualifier, none, "the L1 cache", "The first-level caches."},
    {"last", qualifier, none, "last", "Last to be evicted."},
    {"ld", qualifier, none, "load", "Reads memory."},
    {"ldgsts", qualifier, none, "global-to-shared copy", "Asynchronous copy from global to shared memory."},
    {"ldsm", qualifier, none, "matrix load", "Loads matrix fragments from shared memory."},
    {"lg", qualifier, none, "local and global", "Local and global memory together."},
    {"lgds", qualifier, none, "local, global and distributed shared", "The three together."},
    {"local", qualifier, none, "local", "Memory of a single thread: stack and spilled registers."},
    {"long", qualifier, none, "long", "Of long latency."},
    {"lsu", qualifier, none, "load/store", "Pipeline for loads, stores, atomics, shuffles and barriers."},
    {"membar", qualifier, none, "memory barrier", "Orders memory accesses."},
    {"miss", qualifier, none, "missed", "The data was not there."},
    {"multicast", qualifier, none, "multicast", "One answer to several receivers."},
    {"no", qualifier, none, "no", "Without."},
    {"none", qualifier, none, "none", "Without."},
    {"normal", qualifier, none, "normal", "No special treatment."},
    {"not", qualifier, none, "not", "Without."},
    {"off", qualifier, none, "off", "Switched off."},
    {"on", qualifier, none, "on", "Switched on."},
    {"other", qualifier, none, "other", "Anything else."},
    {"peer", qualifier, none, "peer memory", "Memory of another GPU."},
    {"pred", key, none, "whose predicate is %", "About an instruction's predicate."},
    {"realtime", key, none, "sampled in real time", "Fit for periodic sampling."},
    {"red", qualifier, none, "reduction", "Read-modify-write without an answer."},
    {"redas", qualifier, none, "asynchronous reduction", "Reduction in another CTA's shared memory."},
    {"region", qualifier, none, "region", "A user-defined region."},
    {"sass", qualifier, none, "instrumented", "Counted by patching the program."},
    {"scoreboard", qualifier, none, "scoreboard", "Tracks results under way."},
    {"selected", qualifier, none, "selected", "Chosen to issue."},
    {"shared", qualifier, none, "shared", "On-chip memory of a CTA."},
    {"short", qualifier, none, "short", "Of short latency."},
    {"sleeping", qualifier, none, "sleeping", "In a sleep instruction."},
    {"st", qualifier, none, "store", "Writes memory."},
    {"stsm", qualifier, none, "matrix store", "Stores matrix fragments to shared memory."},
    {"surface", qualifier, none, "surface", "Texture memory that can be written."},
    {"sysmem", qualifier, none, "system memory", "The host's memory."},
    {"tc", qualifier, none, "tensor core", "Pipeline of the fifth-generation tensor cores."},
    {"tensor", qualifier, none, "tensor", "Pipeline for matrix multiply-add."},
    {"tex", qualifier, none, "texture", "Pipeline for texture and surface instructions."},
    {"texture", qualifier, none, "texture", "Memory read through texture addressing."},
    {"tf32", qualifier, none, "TF32", "19-bit float for tensor cores."},
    {"throttle", qualifier, none, "throttling", "Held back because a queue is full."},
    {"tma", qualifier, none, "tensor memory access",
     "Bulk copies between global and shared memory that know multidimensional layouts."},
    {"tmem", qualifier, none, "tensor memory", "On-chip memory of the tensor cores."},
    {"total", qualifier, none, "in total", "All of them."},
    {"uniform", qualifier, none, "uniform", "The same for all threads of a warp."},
    {"user", qualifier, none, "user", "Of the program."},
    {"wait", qualifier, none, "a fixed latency", "Waiting a known number of cycles."},
    {"xu", qualifier, none, "transcendental", "Pipeline for special functions and conversions."},
};
} // namespace detail::terms

// The decoder of guide 3.3, widened by what the names that CUPTI lists need. A word that is not here is still valid in
// a name (chips grow new ones); only hardware units are a closed set.
inline constexpr auto const& decoder = detail::terms::table;

// What can follow a name's base after a '.': a roll-up or a sub-metric. `phrase` continues the description of the base.
struct suffix {
    char const* word;
    rollup roll;
    submetric of;
    char const* phrase;
};

// Roll-ups and sub-metrics of guide 3.2. The four …_per_second ones are two words, with another '.' between them.
inline constexpr suffix suffixes[] = {
    {"sum", rollup::sum, submetric::none, "summed over all instances"},
    {"avg", rollup::avg, submetric::none, "averaged over all instances"},
    {"min", rollup::min, submetric::none, "least of all instances"},
    {"max", rollup::max, submetric::none, "greatest of all instances"},
    {"peak_sustained", rollup::none, submetric::peak_sustained, "at the sustained peak rate"},
    {"peak_sustained_active", rollup::none, submetric::peak_sustained_active,
     "at the sustained peak rate over active cycles"},
    {"peak_sustained_elapsed", rollup::none, submetric::peak_sustained_elapsed,
     "at the sustained peak rate over elapsed cycles"},
    {"peak_sustained_region", rollup::none, submetric::peak_sustained_region,
     "at the sustained peak rate over the range"},
    {"peak_sustained_frame", rollup::none, submetric::peak_sustained_frame,
     "at the sustained peak rate over the frame"},
    {"per_second", rollup::none, submetric::per_second, "per second"},
    {"per_cycle_active", rollup::none, submetric::per_cycle_active, "per active cycle"},
    {"per_cycle_elapsed", rollup::none, submetric::per_cycle_elapsed, "per elapsed cycle"},
    {"per_cycle_in_region", rollup::none, submetric::per_cycle_in_region, "per cycle of the range"},
    {"per_cycle_in_frame", rollup::none, submetric::per_cycle_in_frame, "per cycle of the frame"},
    {"pct_of_peak_sustained_active", rollup::none, submetric::pct_of_peak_sustained_active,
     "as a percentage of the sustained peak over active cycles"},
    {"pct_of_peak_sustained_elapsed", rollup::none, submetric::pct_of_peak_sustained_elapsed,
     "as a percentage of the sustained peak over elapsed cycles"},
    {"pct_of_peak_sustained_region", rollup::none, submetric::pct_of_peak_sustained_region,
     "as a percentage of the sustained peak over the range"},
    {"pct_of_peak_sustained_frame", rollup::none, submetric::pct_of_peak_sustained_frame,
     "as a percentage of the sustained peak over the frame"},
    {"pct", rollup::none, submetric::pct, "as a percentage"},
    {"ratio", rollup::none, submetric::ratio, "as a ratio"},
    {"max_rate", rollup::none, submetric::max_rate, "at most"},
};

namespace detail {

// FNV-1a, 32 bits. Loops that run by the thousand while compiling spell the step out instead of calling something.
inline constexpr std::uint32_t hash_seed = 2166136261u;
inline constexpr std::uint32_t hash_prime = 16777619u;

[[nodiscard]] constexpr std::uint32_t hash_word(char const* word) noexcept {
    std::uint32_t hash = hash_seed;
    for (; *word != '\0'; ++word) hash = (hash ^ static_cast<unsigned char>(*word)) * hash_prime;
    return hash;
}

// Open addressing over the hashes of a table's words. A name's words are looked up by the thousand while compiling, so
// this does not compare characters; that no two words of a table share a hash is checked by a test.
template <class Row, std::uint32_t Slots>
struct word_index {
    std::uint32_t hashes[Slots]{};
    Row const* rows[Slots]{};

    template <std::size_t Size>
    constexpr explicit word_index(Row const (&table)[Size]) noexcept {
        static_assert(Size * 2 < Slots, "a fuller index is a slower one");
        for (Row const& row : table) {
            std::uint32_t const hash = hash_word(row.word);
            std::uint32_t slot = hash % Slots;
            while (rows[slot] != nullptr) slot = (slot + 1) % Slots;
            hashes[slot] = hash;
            rows[slot] = &row;
        }
    }
    [[nodiscard]] constexpr Row const* find(std::uint32_t hash) const noexcept {
        std::uint32_t slot = hash % Slots;
        while (rows[slot] != nullptr && hashes[slot] != hash) slot = (slot + 1) % Slots;
        return rows[slot];
    }
};
inline constexpr word_index<term, 1024> words{terms::table};
inline constexpr word_index<suffix, 64> suffix_words{suffixes};

[[nodiscard]] constexpr term const* term_of_hash(std::uint32_t hash) noexcept { return words.find(hash); }
[[nodiscard]] constexpr suffix const* suffix_of_hash(std::uint32_t hash) noexcept { return suffix_words.find(hash); }

} // namespace detail

// What `word` means in metric names, or null when the decoder does not have it. Constant time, usable in constant
// expressions, thread-safe.
[[nodiscard]] constexpr term const* find_term(std::string_view word) noexcept {
    std::uint32_t hash = detail::hash_seed;
    for (char const c : word) hash = (hash ^ static_cast<unsigned char>(c)) * detail::hash_prime;
    term const* const found = detail::term_of_hash(hash);
    return found != nullptr && word == found->word ? found : nullptr;
}

GPUPROF_NAMESPACE_END

#endif // GPUPROF_METRIC_DECODER_HPP
