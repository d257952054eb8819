// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An instruction ready to execute, and the registers it works on.
#ifndef GPUPROF_SRC_SIM_CODE_DECODED_HPP
#define GPUPROF_SRC_SIM_CODE_DECODED_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "observer.hpp"
#include "../ptx/type.hpp"

GPUPROF_NAMESPACE_BEGIN
namespace sim {

// One value for each lane of a warp: what an instruction computes on.
template <class T>
struct alignas(64) lanes : std::array<T, warp_size> {};

// Bit i for lane i, in integers as wide as what they are combined with: compilers vectorise loops
// over a table, and not those that shift by the number of a lane.
template <class Word>
inline constexpr lanes<Word> lane_bits_as = [] {
    lanes<Word> bits{};
    for (unsigned i = 0; i < warp_size; ++i) bits[i] = Word{1} << i;
    return bits;
}();
inline constexpr lanes<lane_mask> const& lane_bits = lane_bits_as<lane_mask>;

// Of each lane `bytes` bytes, from `chosen` where the mask has the lane, else from `other`. `to` may be either of them. In
// units of at most 32 bits and without a branch: so every processor compares and takes several at once.
template <std::size_t Bytes>
void choose_lanes(std::byte* to, std::byte const* chosen, std::byte const* other, lane_mask mask) noexcept {
    using unit =
        std::conditional_t<Bytes == 1, std::uint8_t, std::conditional_t<Bytes == 2, std::uint16_t, std::uint32_t>>;
    constexpr unsigned units = Bytes / sizeof(unit); // of a lane
    constexpr unsigned lanes_of_mask = sizeof(unit) * 8;
    static constexpr auto bits = [] {
        std::array<unit, std::size_t{lanes_of_mask} * units> of{};
        for (unsigned i = 0; i < of.size(); ++i) of[i] = static_cast<unit>(unit{1} << i / units);
        return of;
    }();
    constexpr unsigned at_once = bits.size() / (bits.size() > warp_size ? 2 : 1); // fits the processor's registers
    for (unsigned first = 0; first < warp_size * units; first += at_once) {
        std::array<unit, at_once> x, y;
        std::memcpy(x.data(), chosen + first * sizeof(unit), sizeof x);
        std::memcpy(y.data(), other + first * sizeof(unit), sizeof y);
        auto const here = static_cast<unit>(mask >> first / units / lanes_of_mask * lanes_of_mask);
        for (unsigned i = 0; i < at_once; ++i) {
            unit const takes = (here & bits[first % bits.size() + i]) != 0 ? static_cast<unit>(~unit{0}) : unit{0};
            y[i] = static_cast<unit>(y[i] ^ ((x[i] ^ y[i]) & takes));
        }
        std::memcpy(to + first * sizeof(unit), y.data(), sizeof y);
    }
}

// Calls f with a number of that many bytes, at most 8.
template <class F>
void with_word(unsigned bytes, F const& f) {
    switch (bytes) {
        case 1: return f(std::uint8_t{});
        case 2: return f(std::uint16_t{});
        case 4: return f(std::uint32_t{});
        default: return f(std::uint64_t{});
    }
}

// A number in a register, where others may have been.
template <class T>
struct lane_of {
    using type GPUPROF_MAY_ALIAS = T;
};

// Where an operand lies: a byte offset into the warp's frame, or into the function's pool of
// constants.
struct operand_ref {
    static constexpr std::uint32_t in_pool = std::uint32_t{1} << 31;
    std::uint32_t code = 0;
};

// The registers an instruction can name. Each has its 32 lanes side by side in its own size; a
// predicate is a mask.
class registers {
public:
    registers(std::byte* frame, std::byte const* pool) noexcept : frame_{frame}, pool_{pool} {}

    template <class T>
    [[nodiscard]] lanes<T> read(operand_ref r) const noexcept {
        lanes<T> values;
        std::memcpy(values.data(), at(r), sizeof(T) * warp_size);
        return values;
    }
    template <class T>
    void write(operand_ref r, lanes<T> const& values, lane_mask mask) const noexcept {
        if (mask == all_lanes) std::memcpy(frame_ + r.code, values.data(), sizeof(T) * warp_size);
        else merge(r, values, mask);
    }
    // The lanes themselves, not a copy. @pre T is a number
    template <class T>
    [[nodiscard]] typename lane_of<T>::type const* look(operand_ref r) const noexcept {
        return reinterpret_cast<typename lane_of<T>::type const*>(at(r));
    }
    template <class T>
    [[nodiscard]] typename lane_of<T>::type* look_to_write(operand_ref r) const noexcept {
        return reinterpret_cast<typename lane_of<T>::type*>(frame_ + r.code);
    }
    // Those of the mask alone.
    template <class T>
    GPUPROF_NOINLINE void merge(operand_ref r, lanes<T> const& values, lane_mask mask) const noexcept {
        std::byte* const to = frame_ + r.code;
        choose_lanes<sizeof(T)>(to, reinterpret_cast<std::byte const*>(values.data()), to, mask);
    }
    [[nodiscard]] lane_mask read_predicate(operand_ref r) const noexcept {
        lane_mask bits;
        std::memcpy(&bits, at(r), sizeof bits);
        return bits;
    }
    void write_predicate(operand_ref r, lane_mask bits, lane_mask mask) const noexcept {
        lane_mask const merged = (read_predicate(r) & ~mask) | (bits & mask);
        std::memcpy(frame_ + r.code, &merged, sizeof merged);
    }
    // One lane's value of `bytes` bytes, zero-extended, and its counterpart.
    [[nodiscard]] std::uint64_t read_lane(operand_ref r, unsigned lane, unsigned bytes) const noexcept {
        std::uint64_t value = 0;
        std::memcpy(&value, at(r) + std::size_t{lane} * bytes, bytes < 8 ? bytes : 8);
        return value;
    }
    void write_lane(operand_ref r, unsigned lane, unsigned bytes, std::uint64_t value) const noexcept {
        std::memcpy(frame_ + r.code + std::size_t{lane} * bytes, &value, bytes < 8 ? bytes : 8);
    }
    [[nodiscard]] std::byte* bytes(operand_ref r) const noexcept { return frame_ + r.code; }
    [[nodiscard]] std::byte const* read_bytes(operand_ref r) const noexcept { return at(r); }

private:
    [[nodiscard]] std::byte const* at(operand_ref r) const noexcept {
        return r.code & operand_ref::in_pool ? pool_ + (r.code & ~operand_ref::in_pool) : frame_ + r.code;
    }

    std::byte* frame_;
    std::byte const* pool_;
};

// Part of a vector operand: a register (or constant) of `bytes` bytes a lane.
struct operand_slot {
    operand_ref ref;
    std::uint8_t bytes = 0;
    bool sink = false; // written to, never read
};

enum class tensor_copy : std::uint8_t { load, store };
inline constexpr std::uint32_t tensor_copy_multicast = 256, tensor_copy_image = 512; // in `immediate`
enum class bulk_copy : std::uint8_t { to_shared, to_global, within_shared };

// mapa: where the CTA of rank b has what this one has at a; getctarank: whose it is.
enum class cluster_question : std::uint8_t { address, rank };

enum class rounding : std::uint8_t { nearest, zero, down, up, nearest_away };

// What the executor itself does for an instruction; `compute` stands for everything that only
// touches registers.
enum class action : std::uint8_t {
    compute,
    nothing,
    find_slow_lanes, // `mode`: slow_way. Goes past the next `immediate` instructions, which count them, if there is none
    branch,
    branch_indexed,
    call,
    ret,
    exit,
    trap,
    barrier,
    barrier_arrive,
    cluster_arrive,
    cluster_wait,
    await_products, // wgmma.wait_group; `immediate`: groups that may be under way
    fence,          // those before say where the lanes go on; `compute` alone touches registers alone
    special_register,
    local_address,
    commit_products,
    cluster_address, // `mode` is a cluster_question; `immediate` is the size of a, and of d where that is an address
    bulk_commit,     // of bulk groups; for checks alone
    bulk_wait,       // `immediate`: groups that may stay pending; `mode`: only their reads are waited for
    load,            // those from here on access memory
    store,
    atomic,
    copy_async,
    copy_async_commit,
    copy_async_wait,
    store_async, // st.async and red.async: as a store or an atomic; the last two slots are the mbarrier's base and offset
    copy_tensor, // `mode` is a tensor_copy; slots as copy_bulk's, of the tile, the map and, of loads, the mbarrier, then the
                 // coordinates and the offsets of an image; `immediate`: the number of coordinates, with
                 // tensor_copy_multicast to the CTAs of the mask c and tensor_copy_image
    replace_in_tensor_map, // `mode` is a tensor_map_field; slots: the map's base and offset; `immediate`: the ordinal; b
    copy_tensor_map,       // slots: bases of destination and source, each before its offset
    copy_bulk, // `mode` is a bulk_copy; slots: bases of destination, source and mbarrier, each before its offset; b: bytes
               // `immediate` is not 0: a multicast to the CTAs of the mask c
    mbarrier,
    load_matrix,
    store_matrix,
    multiply_async, // wgmma.mma_async: `mode` is a wgmma_form, `immediate` the columns of b; slots: d, the metadata of a sparse one, then a if it is in registers;
                    // a and b: descriptors, c: whether d is added
    texture // surfaces, too: `mode` and `immediate` are those of texture/form.hpp, slots the values, then the coordinates
};

enum class special : std::uint8_t {
    tid_x,
    tid_y,
    tid_z,
    ntid_x,
    ntid_y,
    ntid_z,
    ctaid_x,
    ctaid_y,
    ctaid_z,
    nctaid_x,
    nctaid_y,
    nctaid_z,
    laneid,
    warpid,
    nwarpid,
    smid,
    nsmid,
    gridid,
    lanemask_eq,
    lanemask_le,
    lanemask_lt,
    lanemask_ge,
    lanemask_gt,
    clock,
    clock_hi,
    clock64,
    globaltimer,
    globaltimer_lo,
    globaltimer_hi,
    dynamic_smem_size,
    total_smem_size,
    aggr_smem_size,
    envreg1,
    envreg2,
    reserved_smem_offset_1,
    cluster_ctaid_x,
    cluster_ctaid_y,
    cluster_ctaid_z,
    cluster_nctaid_x,
    cluster_nctaid_y,
    cluster_nctaid_z,
    cluster_ctarank,
    cluster_nctarank,
    clusterid_x,
    clusterid_y,
    clusterid_z,
    nclusterid_x,
    nclusterid_y,
    nclusterid_z,
    is_explicit_cluster, // a predicate
    current_graph_exec,
    zero
};

enum class atomic_operation : std::uint8_t { none, add, exch, cas, min, max, inc, dec, and_, or_, xor_ };

// How the lanes of a warp take part in an instruction. Those that `members` names must all execute
// it.
enum class collective : std::uint8_t {
    none,     // each lane for itself
    warp,     // the warp as one
    exchange, // a shuffle: computed for all lanes at once, whatever groups they form
    groups    // lanes that name the same members do it together, apart from the others
};

// Which operand of a matrix product a warp holds together.
enum class fragment : std::uint8_t { none, a, b, c };

// What an access or a fence promises to other threads; for checks alone.
struct memory_order {
    bool strong = false; // volatile, relaxed or more, and atomics
    bool releases = false;
    bool in_cta_only = false;     // its scope
    bool between_proxies = false; // a fence.proxy.async
};

// A wmma product: a of `size` rows and `k` columns, b the other way round. decoded::immediate of
// its loads and stores.
struct wmma_shape {
    std::uint8_t size = 16;
    std::uint8_t k = 16;

    // Values that a lane has of a fragment.
    [[nodiscard]] constexpr unsigned values(fragment which) const noexcept {
        return size * unsigned{which == fragment::c ? size : k} / warp_size;
    }
    [[nodiscard]] constexpr std::uint32_t packed() const noexcept { return size | std::uint32_t{k} << 8; }
    [[nodiscard]] static constexpr wmma_shape of(std::uint32_t bits) noexcept {
        return {static_cast<std::uint8_t>(bits & 0xff), static_cast<std::uint8_t>(bits >> 8)};
    }
};

// How a memory instruction reaches memory.
struct memory_form {
    ptx::space space = ptx::space::generic;
    ptx::type element = ptx::type::b32;
    std::uint8_t count = 1;      // elements a lane
    bool narrow_address = false; // the base register has 32 bits
    bool has_base = false;
    bool frame_relative = false;   // local: the offset counts from the function's own frame
    bool kernel_parameter = false; // param: the launch's parameters, not the frame's
    bool ordered = false;          // acquire, release or volatile: not merely relaxed
    memory_order order;
    bool discards = false; // an atomic operation whose result nobody reads
    atomic_operation operation = atomic_operation::none;
    sim::fragment fragment = sim::fragment::none; // wmma: what is moved, `b` its stride
};

// decoded::mode of mma and wmma.mma: bits.
struct mma_form {
    enum : std::uint8_t {
        tall = 1, // 16 rows rather than 8
        wide = 2, // wmma: 16 columns rather than 8
        saturates = 4,
        sparse = 8,
        half_bytes = 16, // elements of 4 bits; source_type and memory.element are those of bytes
        selector = 32    // of a sparse one's metadata, times 0 to 3
    };
};

// decoded::mode of wgmma.mma_async: bits.
struct wgmma_form {
    enum : std::uint8_t {
        a_in_registers = 1,
        negated = 2,   // one factor
        saturates = 4, // as in other products
        a_across = 8,  // in shared memory, elements along k are no neighbours
        b_across = 16,
        sparse = 32,
        second = 64 // the selector of a sparse one's metadata
    };
};

// What the warps at a barrier find out together. decoded::mode of barriers.
enum class barrier_reduction : std::uint8_t { none, popc, and_, or_ };

struct decoded;
using lane_function = void (*)(registers const&, decoded const&, lane_mask);

struct decoded {
    sim::action action = sim::action::compute;
    bool guarded = false;
    bool guard_negated = false;
    bool guard_only_counts = false; // all lanes execute it; those that the guard leaves out are not counted
    bool ftz = false;               // flush subnormals
    bool sat = false;               // saturate
    bool negated = false;           // the predicate argument is
    bool packed = false;            // two half-precision numbers at a time
    bool target_leaves = false;     // the side of a branch that is taken does not come to where the others meet
    bool next_leaves = false;       // the side that is not
    sim::collective collective = sim::collective::none; // unless none, operand e names the members
    sim::rounding rounding = sim::rounding::nearest;
    std::uint8_t mode = 0;         // what else selects the operation: a comparison, a look-up table, a shape
    std::uint8_t opcode = 0;       // its row in the instruction set
    std::uint8_t result_bytes = 0; // of d; 0 where slots say it
    std::uint8_t sources = 0;      // bits 0 to 3: a, b, c, e are read
    ptx::type type = ptx::type::none;
    ptx::type source_type = ptx::type::none;
    memory_form memory;
    lane_function compute = nullptr;
    operand_ref guard;
    operand_ref d, d2;      // results
    operand_ref a, b, c, e; // arguments; of a collective instruction, e is the mask of its members
    std::int64_t offset = 0;
    std::uint32_t immediate = 0;
    std::uint32_t list = 0; // first of `list_count` entries in the function's operand slots
    std::uint32_t list_count = 0;
    operand_slot const* slots = nullptr; // the same, once the function is complete
    std::uint32_t target = 0;            // of a branch, or the index of a call's description
    std::uint32_t reconvergence = 0;     // where the two sides of a branch meet, none when nowhere
    instruction_info info;

    static constexpr std::uint32_t nowhere = ~std::uint32_t{0};
};

[[nodiscard]] constexpr barrier_reduction reduction_of(decoded const& barrier) noexcept {
    return static_cast<barrier_reduction>(barrier.mode);
}

} // namespace sim
GPUPROF_NAMESPACE_END

#endif // GPUPROF_SRC_SIM_CODE_DECODED_HPP
