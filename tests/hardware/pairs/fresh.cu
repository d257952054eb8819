// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs and clean kernels of a third group: code as users write it, of other subjects than the pairs of the other files. They were
// used to judge by once, and then to mend rules by, too.
#include "pair.hpp"

namespace {

// A histogram of 1024 bins, added up in global memory, or in shared memory first.
constexpr unsigned bins = 1024;

} // namespace

KERNEL(bad_word_counts)(unsigned const* words, unsigned* counts, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(counts + words[i], 1u);
}
KERNEL(mended_word_counts)(unsigned const* words, unsigned* counts, unsigned n) {
    __shared__ unsigned own[bins];
    own[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) atomicAdd(own + words[i], 1u);
    __syncthreads();
    atomicAdd(counts + threadIdx.x, own[threadIdx.x]);
}
FRESH_PAIR(word_counts, global_atomic_contention) {
    unsigned const n = memory.pick(16u << 20, 1u << 16);
    std::vector<unsigned> words = memory.values<unsigned>(memory.period);
    for (unsigned& word : words) word = (word >> 14) % bins;
    unsigned const* const in = memory.repeated(words, n);
    results<unsigned> const out = memory.output<unsigned>(bins, 0);
    unsigned const grid = memory.pick(sms * 2, 8u);
    return {[=] { bad_word_counts<<<grid, bins>>>(in, out.bad, n); },
            [=] { mended_word_counts<<<grid, bins>>>(in, out.mended, n); }};
}

// A matrix by a vector: a thread a row, or a warp a row.
KERNEL(bad_matrix_by_vector)(float const* matrix, float const* vector, float* out, unsigned rows, unsigned columns) {
    unsigned const row = global_thread();
    if (row >= rows) return;
    float sum = 0;
    for (unsigned k = 0; k < columns; ++k) sum += matrix[std::size_t{row} * columns + k] * vector[k];
    out[row] = sum;
}
KERNEL(mended_matrix_by_vector)(float const* matrix, float const* vector, float* out, unsigned rows, unsigned columns) {
    unsigned const row = global_thread() / 32;
    if (row >= rows) return;
    float sum = 0;
    for (unsigned k = threadIdx.x % 32; k < columns; k += 32) sum += matrix[std::size_t{row} * columns + k] * vector[k];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) out[row] = sum;
}
FRESH_PAIR(matrix_by_vector, uncoalesced_global_access) {
    unsigned const rows = memory.pick(sms * 512u, 1024u);
    unsigned const columns = memory.pick(1536u, 64u);
    float const* const matrix = memory.input<float>(std::size_t{rows} * columns);
    float const* const vector = memory.input<float>(columns);
    results<float> const out = memory.output<float>(rows);
    return {[=] { bad_matrix_by_vector<<<blocks_for(rows, 256), 256>>>(matrix, vector, out.bad, rows, columns); },
            [=] { mended_matrix_by_vector<<<rows / 8, 256>>>(matrix, vector, out.mended, rows, columns); }};
}

namespace {

// Of the 2048 values of a block of 512 threads.
__device__ float sum_of_four(float const* in) {
    float const* const first = in + blockIdx.x * 2048 + threadIdx.x;
    return (first[0] + first[512]) + (first[1024] + first[1536]);
}

} // namespace

// Sums of blocks by a tree whose strides grow, so that lanes drift apart, or shrink.
KERNEL(bad_tree_sums)(float const* in, float* out) {
    __shared__ float part[512];
    part[threadIdx.x] = sum_of_four(in);
    __syncthreads();
    for (unsigned apart = 1; apart < 512; apart *= 2) {
        unsigned const at = 2 * apart * threadIdx.x;
        if (at < 512) part[at] += part[at + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
KERNEL(mended_tree_sums)(float const* in, float* out) {
    __shared__ float part[512];
    part[threadIdx.x] = sum_of_four(in);
    __syncthreads();
    for (unsigned apart = 256; apart > 0; apart /= 2) {
        if (threadIdx.x < apart) part[threadIdx.x] += part[threadIdx.x + apart];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
FRESH_PAIR(tree_sums, shared_bank_conflicts) {
    unsigned const grid = sms * 4 * memory.pick(48u, 1u);
    float const* const in = memory.input<float>(grid * 2048);
    results<float> const out = memory.output<float>(grid);
    return {[=] { bad_tree_sums<<<grid, 512>>>(in, out.bad); },
            [=] { mended_tree_sums<<<grid, 512>>>(in, out.mended); }};
}

namespace {

// A picture blurred by 5 x 5 weights, in double precision or single; the input has four rows more, and 32 pixels
// more a row.
__constant__ double const weights_as_double[25] = {
    1 / 256.0,  4 / 256.0, 6 / 256.0,  4 / 256.0,  1 / 256.0,  4 / 256.0, 16 / 256.0, 24 / 256.0, 16 / 256.0,
    4 / 256.0,  6 / 256.0, 24 / 256.0, 36 / 256.0, 24 / 256.0, 6 / 256.0, 4 / 256.0,  16 / 256.0, 24 / 256.0,
    16 / 256.0, 4 / 256.0, 1 / 256.0,  4 / 256.0,  6 / 256.0,  4 / 256.0, 1 / 256.0};
__constant__ float const weights_as_float[25] = {
    1 / 256.0f,  4 / 256.0f, 6 / 256.0f,  4 / 256.0f,  1 / 256.0f,  4 / 256.0f, 16 / 256.0f, 24 / 256.0f, 16 / 256.0f,
    4 / 256.0f,  6 / 256.0f, 24 / 256.0f, 36 / 256.0f, 24 / 256.0f, 6 / 256.0f, 4 / 256.0f,  16 / 256.0f, 24 / 256.0f,
    16 / 256.0f, 4 / 256.0f, 1 / 256.0f,  4 / 256.0f,  6 / 256.0f,  4 / 256.0f, 1 / 256.0f};

template <class Weight>
__device__ void blur(float const* in, float* out, unsigned n, Weight const (&weights)[25]) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const y = blockIdx.y * blockDim.y + threadIdx.y;
    Weight sum = 0;
#pragma unroll
    for (unsigned k = 0; k < 25; ++k) sum += in[std::size_t{y + k / 5} * (n + 32) + x + k % 5] * weights[k];
    out[std::size_t{y} * n + x] = static_cast<float>(sum);
}

} // namespace

KERNEL(bad_picture_blur)(float const* in, float* out, unsigned n) { blur(in, out, n, weights_as_double); }
KERNEL(mended_picture_blur)(float const* in, float* out, unsigned n) { blur(in, out, n, weights_as_float); }
FRESH_PAIR(picture_blur, accidental_fp64) {
    unsigned const n = memory.pick(4096u, 256u);
    float const* const in = memory.input<float>(std::size_t{n + 32} * (n + 4));
    results<float> const out = memory.output<float>(std::size_t{n} * n);
    dim3 const grid(n / 32, n / 8);
    return {[=] { bad_picture_blur<<<grid, dim3(32, 8)>>>(in, out.bad, n); },
            [=] { mended_picture_blur<<<grid, dim3(32, 8)>>>(in, out.mended, n); }};
}

namespace {

// Scores of rows of 512 become shares of 1: a block of 128 threads a row, in double precision or single.
template <class Number>
__device__ Number of_block(Number value, bool greatest) {
    __shared__ Number of_warps[4];
    auto const both = [=](Number a, Number b) { return !greatest ? a + b : a > b ? a : b; };
    for (unsigned apart = 16; apart > 0; apart /= 2) value = both(value, __shfl_xor_sync(~0u, value, apart));
    __syncthreads();
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = value;
    __syncthreads();
    return both(both(of_warps[0], of_warps[1]), both(of_warps[2], of_warps[3]));
}
template <class Number>
__device__ void shares(float4 const* in, float4* out) {
    float4 const four = in[global_thread()];
    Number const x[4] = {four.x, four.y, four.z, four.w};
    Number const most = of_block(max(max(x[0], x[1]), max(x[2], x[3])), true);
    Number e[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) e[k] = exp(x[k] - most);
    Number const sum = of_block((e[0] + e[1]) + (e[2] + e[3]), false);
    out[global_thread()] = make_float4(static_cast<float>(e[0] / sum), static_cast<float>(e[1] / sum),
                                       static_cast<float>(e[2] / sum), static_cast<float>(e[3] / sum));
}

} // namespace

KERNEL(bad_shares_of_rows)(float4 const* in, float4* out) { shares<double>(in, out); }
KERNEL(mended_shares_of_rows)(float4 const* in, float4* out) { shares<float>(in, out); }
FRESH_PAIR(shares_of_rows, accidental_fp64) {
    unsigned const rows = memory.pick(sms * 16u * 8, sms * 1u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(rows * 512));
    results<float> const out = memory.output<float>(rows * 512);
    return {[=] { bad_shares_of_rows<<<rows, 128>>>(in, reinterpret_cast<float4*>(out.bad)); },
            [=] { mended_shares_of_rows<<<rows, 128>>>(in, reinterpret_cast<float4*>(out.mended)); }};
}

namespace {

// One step of heat flow in a square of n x n, with 32 values before and after each row and a row above and below: lanes go down
// a column, or along a row.
template <bool AlongRow>
__device__ void heat(float const* in, float* out, unsigned n) {
    unsigned const first = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const second = blockIdx.y * blockDim.y + threadIdx.y;
    unsigned const x = (AlongRow ? first : second) + 32;
    unsigned const y = (AlongRow ? second : first) + 1;
    std::size_t const pitch = n + 64;
    float const* const at = in + y * pitch + x;
    out[y * pitch + x] = at[0] * 0.6f + (at[1] + at[-1] + at[pitch] + *(at - pitch)) * 0.1f;
}

} // namespace

KERNEL(bad_heat_step)(float const* in, float* out, unsigned n) { heat<false>(in, out, n); }
KERNEL(mended_heat_step)(float const* in, float* out, unsigned n) { heat<true>(in, out, n); }
FRESH_PAIR(heat_step, uncoalesced_global_access) {
    unsigned const n = memory.pick(6144u, 256u);
    std::size_t const all = std::size_t{n + 64} * (n + 2);
    float const* const in = memory.input<float>(all);
    results<float> const out = memory.output<float>(all);
    dim3 const grid(n / 64, n / 4);
    return {[=] { bad_heat_step<<<grid, dim3(64, 4)>>>(in, out.bad, n); },
            [=] { mended_heat_step<<<grid, dim3(64, 4)>>>(in, out.mended, n); }};
}

namespace {

// Inverses of 5 x 5 matrices that are far from singular, by Gauss and Jordan in place: loops that stay, or unrolled ones.
template <unsigned Unroll>
__device__ void invert(float const* in, float* out, unsigned count) {
    unsigned const i = global_thread();
    float a[5][5];
#pragma unroll
    for (unsigned k = 0; k < 25; ++k) a[k / 5][k % 5] = in[k * count + i] + (k / 5 == k % 5 ? 6.0f : 0.0f);
#pragma unroll Unroll
    for (unsigned p = 0; p < 5; ++p) {
        float const scale = 1.0f / a[p][p];
        a[p][p] = 1;
#pragma unroll Unroll
        for (unsigned c = 0; c < 5; ++c) a[p][c] *= scale;
#pragma unroll Unroll
        for (unsigned r = 0; r < 5; ++r) {
            if (r == p) continue;
            float const factor = a[r][p];
            a[r][p] = 0;
#pragma unroll Unroll
            for (unsigned c = 0; c < 5; ++c) a[r][c] -= factor * a[p][c];
        }
    }
#pragma unroll
    for (unsigned k = 0; k < 25; ++k) out[k * count + i] = a[k / 5][k % 5];
}

} // namespace

KERNEL(bad_inverses)(float const* in, float* out, unsigned count) { invert<1>(in, out, count); }
KERNEL(mended_inverses)(float const* in, float* out, unsigned count) { invert<5>(in, out, count); }
FRESH_PAIR(inverses, local_memory_arrays) {
    unsigned const grid = memory.pick(full_grid * 2, 8u);
    float const* const in = memory.input<float>(grid * 256 * 25);
    results<float> const out = memory.output<float>(grid * 256 * 25, 1e-3);
    return {[=] { bad_inverses<<<grid, 256>>>(in, out.bad, grid * 256); },
            [=] { mended_inverses<<<grid, 256>>>(in, out.mended, grid * 256); }};
}

// Running sums of 512 values: two barriers a step, or steps within warps.
KERNEL(bad_running_sums)(float const* in, float* out) {
    __shared__ float sums[512];
    unsigned const t = threadIdx.x;
    sums[t] = in[global_thread()];
    for (unsigned apart = 1; apart < 512; apart *= 2) {
        __syncthreads();
        float const before = t >= apart ? sums[t - apart] : 0.0f;
        __syncthreads();
        sums[t] += before;
    }
    out[global_thread()] = sums[t];
}
KERNEL(mended_running_sums)(float const* in, float* out) {
    __shared__ float of_warps[16];
    unsigned const lane = threadIdx.x % 32;
    unsigned const warp = threadIdx.x / 32;
    float sum = in[global_thread()];
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        float const before = __shfl_up_sync(~0u, sum, apart);
        if (lane >= apart) sum += before;
    }
    if (lane == 31) of_warps[warp] = sum;
    __syncthreads();
    float const before = sum_of_warp(lane < warp ? of_warps[lane] : 0.0f);
    out[global_thread()] = sum + before;
}
FRESH_PAIR(running_sums, barrier_waits) {
    unsigned const grid = sms * 4 * memory.pick(4u, 1u);
    float const* const in = memory.input<float>(grid * 512);
    results<float> const out = memory.output<float>(grid * 512);
    return {[=] { bad_running_sums<<<grid, 512>>>(in, out.bad); },
            [=] { mended_running_sums<<<grid, 512>>>(in, out.mended); }};
}

namespace {

// A sparse matrix by rows: values and columns of row r are at begin[r] to begin[r + 1].
struct sparse {
    unsigned rows;
    unsigned const* begin;
    unsigned const* column;
    float const* value;
    float const* vector;
};
// Of rows as long as `lengths` says, each with neighbouring columns that begin near the diagonal.
sparse sparse_matrix(workspace& memory, std::vector<unsigned> const& lengths) {
    std::vector<unsigned> begin{0}, column;
    unsigned longest = 0;
    for (std::size_t r = 0; r < lengths.size(); ++r) {
        for (unsigned k = 0; k < lengths[r]; ++k) column.push_back(static_cast<unsigned>(r) + k);
        begin.push_back(static_cast<unsigned>(column.size()));
        longest = std::max(longest, lengths[r]);
    }
    return {static_cast<unsigned>(lengths.size()), memory.upload(begin), memory.upload(column),
            memory.input<float>(column.size()), memory.input<float>(lengths.size() + longest)};
}

} // namespace

// A thread a row, or a warp a row.
KERNEL(bad_sparse_rows)(sparse m, float* out) {
    unsigned const row = global_thread();
    if (row >= m.rows) return;
    float sum = 0;
    for (unsigned k = m.begin[row]; k < m.begin[row + 1]; ++k) sum += m.value[k] * m.vector[m.column[k]];
    out[row] = sum;
}
KERNEL(mended_sparse_rows)(sparse m, float* out) {
    unsigned const row = global_thread() / 32;
    if (row >= m.rows) return;
    float sum = 0;
    for (unsigned k = m.begin[row] + threadIdx.x % 32; k < m.begin[row + 1]; k += 32)
        sum += m.value[k] * m.vector[m.column[k]];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) out[row] = sum;
}
FRESH_PAIR(sparse_rows, uncoalesced_global_access) {
    unsigned const rows = memory.pick(full_grid * 256u, 2048u);
    std::vector<unsigned> lengths = memory.values<unsigned>(rows);
    for (unsigned& length : lengths) length = 96 + (length >> 14) % 33;
    sparse const m = sparse_matrix(memory, lengths);
    results<float> const out = memory.output<float>(rows);
    return {[=] { bad_sparse_rows<<<blocks_for(rows, 256), 256>>>(m, out.bad); },
            [=] { mended_sparse_rows<<<blocks_for(rows, 8), 256>>>(m, out.mended); }};
}

namespace {

// Part of a row.
struct piece {
    unsigned row;
    unsigned begin;
    unsigned end;
};
// A block a piece.
__device__ void add_piece(sparse const& m, piece const& of, float* out) {
    float sum = 0;
    for (unsigned k = of.begin + threadIdx.x; k < of.end; k += blockDim.x) sum += m.value[k] * m.vector[m.column[k]];
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) atomicAdd(out + of.row, sum);
}

} // namespace

// A few of the last rows are very long: whole rows, or rows in pieces.
KERNEL(bad_long_rows)(sparse m, piece const* pieces, float* out) { add_piece(m, pieces[blockIdx.x], out); }
KERNEL(mended_long_rows)(sparse m, piece const* pieces, float* out) { add_piece(m, pieces[blockIdx.x], out); }
FRESH_PAIR(long_rows, workload_imbalance) {
    constexpr unsigned most = 1024;
    unsigned const rows = memory.pick(40'000u, 200u);
    unsigned const long_length = memory.pick(65'536u, 4096u);
    std::vector<unsigned> lengths(rows, 512);
    for (unsigned k = 0; k < 5; ++k) lengths[rows - 1 - 7 * k] = long_length;
    std::vector<piece> whole, cut;
    unsigned begin = 0;
    for (unsigned row = 0; row < rows; begin += lengths[row++]) {
        unsigned const end = begin + lengths[row];
        whole.push_back({row, begin, end});
        for (unsigned k = begin; k < end; k += most) cut.push_back({row, k, std::min(k + most, end)});
    }
    sparse const m = sparse_matrix(memory, lengths);
    piece const* const rows_whole = memory.upload(whole);
    piece const* const rows_cut = memory.upload(cut);
    results<float> const out = memory.output<float>(rows, 1e-3);
    return {[=] { bad_long_rows<<<static_cast<unsigned>(whole.size()), 128>>>(m, rows_whole, out.bad); },
            [=] { mended_long_rows<<<static_cast<unsigned>(cut.size()), 128>>>(m, rows_cut, out.mended); }};
}

namespace {

// A quarter turn of a picture, by tiles in shared memory whose rows are `Pitch` apart.
template <unsigned Pitch>
__device__ void turn(float const* in, float* out, unsigned n) {
    __shared__ float tile[32 * Pitch];
    unsigned const x = blockIdx.x * 32;
    unsigned const y = blockIdx.y * 32;
    for (unsigned k = threadIdx.y; k < 32; k += blockDim.y)
        tile[k * Pitch + threadIdx.x] = in[std::size_t{y + k} * n + x + threadIdx.x];
    __syncthreads();
    for (unsigned k = threadIdx.y; k < 32; k += blockDim.y)
        out[std::size_t{n - 1 - x - k} * n + y + threadIdx.x] = tile[threadIdx.x * Pitch + k];
}

} // namespace

KERNEL(bad_quarter_turn)(float const* in, float* out, unsigned n) { turn<32>(in, out, n); }
KERNEL(mended_quarter_turn)(float const* in, float* out, unsigned n) { turn<33>(in, out, n); }
FRESH_PAIR(quarter_turn, shared_bank_conflicts) {
    unsigned const n = memory.pick(2048u, 256u);
    float const* const in = memory.input<float>(std::size_t{n} * n);
    results<float> const out = memory.output<float>(std::size_t{n} * n, 0);
    dim3 const grid(n / 32, n / 32);
    return {[=] { bad_quarter_turn<<<grid, dim3(32, 16)>>>(in, out.bad, n); },
            [=] { mended_quarter_turn<<<grid, dim3(32, 16)>>>(in, out.mended, n); }};
}

namespace {

// Random walks on a line with walls that push back. A walk takes as many steps as `steps` says.
__device__ void walk(unsigned const* steps, unsigned const* seeds, float* out) {
    unsigned const i = global_thread();
    unsigned state = seeds[i];
    float at = 0;
#pragma unroll 1
    for (unsigned k = steps[i]; k > 0; --k) {
        state = state * 1664525u + 1013904223u;
        at = fmaf(at, 0.99f, (state & 0x80000000u) ? 0.01f : -0.01f);
    }
    out[i] = at + 1.5f;
}

} // namespace

// Steps differ by a tenth at most; walks as they come, or the longest first.
KERNEL(bad_random_walks)(unsigned const* steps, unsigned const* seeds, float* out) { walk(steps, seeds, out); }
KERNEL(mended_random_walks)(unsigned const* steps, unsigned const* seeds, float* out) { walk(steps, seeds, out); }
FRESH_PAIR(random_walks, thread_divergence) {
    unsigned const grid = memory.pick(full_grid * 4, 8u);
    unsigned const least = memory.pick(9000u, 27u);
    std::vector<unsigned> seeds = memory.values<unsigned>(grid * 256);
    std::vector<unsigned> steps(seeds.size()), order(seeds.size()), sorted_seeds, sorted_steps;
    for (unsigned i = 0; i < order.size(); ++i) order[i] = i, steps[i] = least + seeds[i] % (least / 5);
    std::stable_sort(order.begin(), order.end(), [&](unsigned a, unsigned b) { return steps[a] > steps[b]; });
    for (unsigned i : order) sorted_seeds.push_back(seeds[i]), sorted_steps.push_back(steps[i]);
    unsigned const* const as_they_come[] = {memory.upload(steps), memory.upload(seeds)};
    unsigned const* const sorted[] = {memory.upload(sorted_steps), memory.upload(sorted_seeds)};
    results<float> const out =
        memory.output<float>(grid * 256, 1e-4, grid * 256, [order](std::size_t i) { return order[i]; });
    return {
        [=, steps = as_they_come[0], seeds = as_they_come[1]] {
            bad_random_walks<<<grid, 256>>>(steps, seeds, out.bad);
        },
        [=, steps = sorted[0], seeds = sorted[1]] { mended_random_walks<<<grid, 256>>>(steps, seeds, out.mended); }};
}

namespace {

__device__ void tone(float const* in, float* out, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        float const x = in[i];
        out[i] = x * fmaf(x, 0.15f, 0.05f) * __frcp_rn(fmaf(x, fmaf(x, 0.15f, 0.5f), 0.06f));
    }
}

} // namespace

// As many blocks as another GPU had SMs, or as fit this one.
KERNEL(bad_blocks_of_another)(float const* in, float* out, unsigned n) { tone(in, out, n); }
KERNEL(mended_blocks_of_another)(float const* in, float* out, unsigned n) { tone(in, out, n); }
FRESH_PAIR(blocks_of_another, small_grid) {
    unsigned const n = memory.pick(6u << 20, 1u << 16);
    float const* const in = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_blocks_of_another<<<64, 256>>>(in, out.bad, n); },
            [=] { mended_blocks_of_another<<<full_grid, 256>>>(in, out.mended, n); }};
}

namespace {

// Values that settle in many steps; a block of 1024 threads, two of which fit an SM, takes `units` of 1024 values.
__device__ void settle(float const* in, float* out, unsigned units, unsigned turns) {
#pragma unroll 1
    for (unsigned u = 0; u < units; ++u) {
        unsigned const i = (blockIdx.x * units + u) * 1024 + threadIdx.x;
        float const aim = in[i] * 0.02f;
        float x = 0;
#pragma unroll 8
        for (unsigned k = 0; k < turns; ++k) x = fmaf(x, 0.98f, aim);
        out[i] = x;
    }
}

} // namespace

// 1.05 waves of heavy blocks, or 8.4 of light ones.
KERNEL(__launch_bounds__(1024, 2) bad_heavy_blocks)(float const* in, float* out, unsigned units, unsigned turns) {
    settle(in, out, units, turns);
}
KERNEL(__launch_bounds__(1024, 2) mended_heavy_blocks)(float const* in, float* out, unsigned units, unsigned turns) {
    settle(in, out, units, turns);
}
FRESH_PAIR(heavy_blocks, tail_effect) {
    unsigned const grid = memory.pick(277u, 5u);
    unsigned const turns = memory.pick(4000u, 16u);
    float const* const in = memory.input<float>(grid * 8 * 1024);
    results<float> const out = memory.output<float>(grid * 8 * 1024);
    return {[=] { bad_heavy_blocks<<<grid, 1024>>>(in, out.bad, 8, turns); },
            [=] { mended_heavy_blocks<<<grid * 8, 1024>>>(in, out.mended, 1, turns); }};
}

namespace {

// Four bytes a word, each made brighter, 255 at most.
__device__ void brighten(unsigned const* in, unsigned* out, unsigned n) {
    unsigned const i = global_thread();
    if (i < n) out[i] = __vaddus4(in[i], 0x18181818u);
}

} // namespace

KERNEL(bad_photo_of_host)(unsigned const* in, unsigned* out, unsigned n) { brighten(in, out, n); }
KERNEL(mended_photo_of_host)(unsigned const* in, unsigned* out, unsigned n) { brighten(in, out, n); }
FRESH_PAIR(photo_of_host, host_memory_access) {
    unsigned const n = memory.pick(12u << 20, 1u << 16);
    unsigned const* const far = memory.host_input<unsigned>(n);
    unsigned const* const near = memory.input<unsigned>(n);
    results<unsigned> const out = memory.output<unsigned>(n, 0);
    return {[=] { bad_photo_of_host<<<blocks_for(n, 512), 512>>>(far, out.bad, n); },
            [=] { mended_photo_of_host<<<blocks_for(n, 512), 512>>>(near, out.mended, n); }};
}

namespace {

// Where a ray hits a plane, and how.
struct hit {
    float x, y, z, distance, cosine;
};
__device__ hit hit_of(float slope) {
    float const distance = 2.0f / slope;
    return {distance * 0.6f, distance * 0.8f, distance * slope, distance * sqrtf(1 + slope * slope),
            slope * rsqrtf(1 + slope * slope)};
}

} // namespace

// A record a thread, or five arrays.
KERNEL(bad_hit_records)(float const* slopes, hit* out, unsigned) {
    out[global_thread()] = hit_of(slopes[global_thread()]);
}
KERNEL(mended_hit_records)(float const* slopes, float* out, unsigned n) {
    unsigned const i = global_thread();
    hit const h = hit_of(slopes[i]);
    out[i] = h.x;
    out[n + i] = h.y;
    out[2 * n + i] = h.z;
    out[3 * n + i] = h.distance;
    out[4 * n + i] = h.cosine;
}
FRESH_PAIR(hit_records, uncoalesced_global_stores) {
    unsigned const grid = memory.pick(full_grid * 24, 64u);
    unsigned const n = grid * 256;
    float const* const slopes = memory.input<float>(n);
    results<float> const out = memory.output<float>(std::size_t{n} * 5, 1e-4, std::size_t{n} * 5,
                                                    [n](std::size_t i) { return i % n * 5 + i / n; });
    return {[=] { bad_hit_records<<<grid, 256>>>(slopes, reinterpret_cast<hit*>(out.bad), n); },
            [=] { mended_hit_records<<<grid, 256>>>(slopes, out.mended, n); }};
}

// Bytes of pixels become floats, one or four a thread.
KERNEL(bad_pixel_floats)(std::uint8_t const* in, float* out) {
    out[global_thread()] = static_cast<float>(in[global_thread()]) * (1.0f / 255);
}
KERNEL(mended_pixel_floats)(uchar4 const* in, float4* out) {
    uchar4 const p = in[global_thread()];
    constexpr float scale = 1.0f / 255;
    out[global_thread()] = make_float4(static_cast<float>(p.x) * scale, static_cast<float>(p.y) * scale,
                                       static_cast<float>(p.z) * scale, static_cast<float>(p.w) * scale);
}
FRESH_PAIR(pixel_floats, narrow_global_access) {
    unsigned const n = memory.pick(128u << 20, 1u << 18);
    std::uint8_t const* const in = memory.input<std::uint8_t>(n);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_pixel_floats<<<n / 256, 256>>>(in, out.bad); },
            [=] {
                mended_pixel_floats<<<n / 1024, 256>>>(reinterpret_cast<uchar4 const*>(in),
                                                       reinterpret_cast<float4*>(out.mended));
            }};
}

namespace {

// Sums of products of eight channels: 36 a thread, of `turns` samples.
__device__ void products_of_channels(float const* in, float* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
    float sums[36] = {};
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t) {
        float channel[8];
#pragma unroll
        for (unsigned c = 0; c < 8; ++c) channel[c] = in[std::size_t{t * 8 + c} * threads + global_thread()];
        unsigned at = 0;
#pragma unroll
        for (unsigned a = 0; a < 8; ++a)
#pragma unroll
            for (unsigned b = 0; b <= a; ++b, ++at) sums[at] = fmaf(channel[a], channel[b], sums[at]);
    }
#pragma unroll
    for (unsigned k = 0; k < 36; ++k) out[std::size_t{k} * threads + global_thread()] = sums[k];
}

} // namespace

// Eight blocks an SM were asked for: 32 registers a thread. Or as many as the sums need.
KERNEL(__launch_bounds__(256, 8) bad_covariance)(float const* in, float* out, unsigned turns) {
    products_of_channels(in, out, turns);
}
KERNEL(__launch_bounds__(256) mended_covariance)(float const* in, float* out, unsigned turns) {
    products_of_channels(in, out, turns);
}
FRESH_PAIR(covariance, register_spills) {
    unsigned const grid = memory.pick(full_grid, 4u);
    unsigned const turns = memory.pick(64u, 4u);
    float const* const in = memory.input<float>(std::size_t{turns} * 8 * grid * 256);
    results<float> const out = memory.output<float>(std::size_t{36} * grid * 256);
    return {[=] { bad_covariance<<<grid, 256>>>(in, out.bad, turns); },
            [=] { mended_covariance<<<grid, 256>>>(in, out.mended, turns); }};
}

namespace {

constexpr unsigned curve_size = 1024;

// Values looked up in a curve that the block keeps in shared memory, and a line between two of its points.
__device__ void follow_curve(float const* curve, float const* in, float* out, unsigned each) {
    extern __shared__ float own[];
    for (unsigned i = threadIdx.x; i < curve_size; i += blockDim.x) own[i] = curve[i];
    __syncthreads();
    unsigned i = blockIdx.x * each * blockDim.x + threadIdx.x;
#pragma unroll 1
    for (unsigned k = 0; k < each; ++k, i += blockDim.x) {
        float const place = in[i] * (curve_size - 2);
        unsigned const at = static_cast<unsigned>(place);
        out[i] = own[at] + (place - static_cast<float>(at)) * (own[at + 1] - own[at]);
    }
}

} // namespace

// Room for the largest curve there may be, or for the one there is.
KERNEL(bad_room_for_most)(float const* curve, float const* in, float* out, unsigned each) {
    follow_curve(curve, in, out, each);
}
KERNEL(mended_room_for_most)(float const* curve, float const* in, float* out, unsigned each) {
    follow_curve(curve, in, out, each);
}
FRESH_PAIR(room_for_most, occupancy_limited_by_shared_memory) {
    constexpr unsigned most = 72 * 1024;
    CHECK_CUDA(cudaFuncSetAttribute(bad_room_for_most, cudaFuncAttributeMaxDynamicSharedMemorySize, most));
    unsigned const grid = memory.pick(full_grid * 12, full_grid);
    unsigned const each = 16;
    std::vector<float> places(1000); // neighbours look up neighbours
    for (unsigned i = 0; i < places.size(); ++i) places[i] = static_cast<float>(i) / 1000;
    float const* const in = memory.repeated(places, grid * 256 * each);
    float const* const curve = memory.input<float>(curve_size);
    results<float> const out = memory.output<float>(grid * 256 * each);
    return {[=] { bad_room_for_most<<<grid, 256, most>>>(curve, in, out.bad, each); },
            [=] { mended_room_for_most<<<grid, 256, curve_size * sizeof(float)>>>(curve, in, out.mended, each); }};
}

namespace {

// Levels of a pyramid, each thread its own column: nobody reads what another thread has written.
template <bool Fence>
__device__ void levels(float const* in, float* out, unsigned count) {
    unsigned const threads = gridDim.x * blockDim.x;
    float x = in[global_thread()];
#pragma unroll 1
    for (unsigned k = 0; k < count; ++k) {
        x = fmaf(x, 0.75f, in[((k + 1) * 256 + global_thread()) % threads] * 0.25f);
        out[std::size_t{k} * threads + global_thread()] = x;
        if (Fence) __threadfence();
    }
}

} // namespace

KERNEL(bad_published_levels)(float const* in, float* out, unsigned count) { levels<true>(in, out, count); }
KERNEL(mended_published_levels)(float const* in, float* out, unsigned count) { levels<false>(in, out, count); }
FRESH_PAIR(published_levels, memory_fences) {
    unsigned const grid = memory.pick(full_grid, 16u);
    unsigned const count = memory.pick(24u, 4u);
    float const* const in = memory.input<float>(grid * 256);
    results<float> const out = memory.output<float>(std::size_t{count} * grid * 256);
    return {[=] { bad_published_levels<<<grid, 256>>>(in, out.bad, count); },
            [=] { mended_published_levels<<<grid, 256>>>(in, out.mended, count); }};
}

namespace {

// A total for each block, behind a lock that one lane of each warp takes once a turn; who finds it taken sleeps for `wait` ns.
__device__ void add_locked(unsigned const* in, unsigned* locks, unsigned* totals, unsigned turns, unsigned wait) {
    unsigned state = in[global_thread()];
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t) {
#pragma unroll 1
        for (unsigned k = 0; k < 32; ++k) state = state * 1664525u + 1013904223u;
        unsigned const sum = __reduce_add_sync(~0u, state >> 24);
        if (threadIdx.x % 32 == 0) {
            while (atomicCAS(locks + blockIdx.x, 0u, 1u) != 0) __nanosleep(wait);
            __threadfence_block();
            unsigned volatile* const total = totals + blockIdx.x;
            *total = *total + sum;
            __threadfence_block();
            atomicExch(locks + blockIdx.x, 0u);
        }
        __syncwarp();
    }
}

} // namespace

// Who finds the lock taken sleeps much longer than it is taken, or shortly.
KERNEL(bad_locked_totals)(unsigned const* in, unsigned* locks, unsigned* totals, unsigned turns) {
    add_locked(in, locks, totals, turns, 100'000);
}
KERNEL(mended_locked_totals)(unsigned const* in, unsigned* locks, unsigned* totals, unsigned turns) {
    add_locked(in, locks, totals, turns, 100);
}
FRESH_PAIR(locked_totals, sleeping) {
    unsigned const grid = memory.pick(full_grid, 8u);
    unsigned const turns = memory.pick(16u, 2u);
    unsigned const* const in = memory.input<unsigned>(grid * 256);
    unsigned* const locks = memory.zeroed<unsigned>(grid);
    results<unsigned> const out = memory.output<unsigned>(grid, 0);
    return {[=] { bad_locked_totals<<<grid, 256>>>(in, locks, out.bad, turns); },
            [=] { mended_locked_totals<<<grid, 256>>>(in, locks, out.mended, turns); }};
}

namespace {

// Place and mass of a body.
struct body {
    float x, y, z, mass;
};
__device__ body read(body const* from) { return *from; } // four loads
__device__ body read(float4 const* from) {
    float4 const v = *from;
    return {v.x, v.y, v.z, v.w};
}
template <class Stored>
__device__ void pull_of_all(Stored const* bodies, float4* out, unsigned n) {
    body const own = read(bodies + global_thread());
    float3 pull = make_float3(0, 0, 0);
#pragma unroll 4
    for (unsigned k = 0; k < n; ++k) {
        body const other = read(bodies + k);
        float3 const d = make_float3(other.x - own.x, other.y - own.y, other.z - own.z);
        float const inverse = rsqrtf(fmaf(d.x, d.x, fmaf(d.y, d.y, fmaf(d.z, d.z, 0.01f))));
        float const strength = other.mass * inverse * inverse * inverse;
        pull = make_float3(fmaf(d.x, strength, pull.x), fmaf(d.y, strength, pull.y), fmaf(d.z, strength, pull.z));
    }
    out[global_thread()] = make_float4(pull.x, pull.y, pull.z, 0);
}

} // namespace

KERNEL(bad_gravity)(body const* bodies, float4* out, unsigned n) { pull_of_all(bodies, out, n); }
KERNEL(mended_gravity)(float4 const* bodies, float4* out, unsigned n) { pull_of_all(bodies, out, n); }
FRESH_PAIR(gravity, narrow_global_access) {
    unsigned const n = memory.pick(full_grid * 96u, 1024u);
    float const* const in = memory.input<float>(n * 4);
    results<float> const out = memory.output<float>(n * 4, 1e-3);
    return {[=] {
                bad_gravity<<<n / 256, 256>>>(reinterpret_cast<body const*>(in), reinterpret_cast<float4*>(out.bad), n);
            },
            [=] {
                mended_gravity<<<n / 256, 256>>>(reinterpret_cast<float4 const*>(in),
                                                 reinterpret_cast<float4*>(out.mended), n);
            }};
}

// Rows of 1024 brought to mean 0 and variance 1: a warp a row, which it keeps in registers.
KERNEL(clean_layer_norm)(float4 const* in, float4* out) {
    std::size_t const row = global_thread() / 32;
    unsigned const lane = threadIdx.x % 32;
    float4 v[8];
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
        v[k] = in[row * 256 + k * 32 + lane];
        sum += (v[k].x + v[k].y) + (v[k].z + v[k].w);
    }
    float const mean = sum_of_warp(sum) * (1.0f / 1024);
    float squares = 0;
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) {
        v[k] = make_float4(v[k].x - mean, v[k].y - mean, v[k].z - mean, v[k].w - mean);
        squares = fmaf(v[k].x, v[k].x, fmaf(v[k].y, v[k].y, fmaf(v[k].z, v[k].z, fmaf(v[k].w, v[k].w, squares))));
    }
    float const scale = rsqrtf(fmaf(sum_of_warp(squares), 1.0f / 1024, 1e-5f));
#pragma unroll
    for (unsigned k = 0; k < 8; ++k)
        out[row * 256 + k * 32 + lane] = make_float4(v[k].x * scale, v[k].y * scale, v[k].z * scale, v[k].w * scale);
}
FRESH_CLEAN(layer_norm) {
    unsigned const grid = memory.pick(full_grid * 16, 64u);
    std::size_t const n = std::size_t{grid} * 8 * 1024;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const values(n);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(n, [=](std::size_t i) {
        std::size_t const row = i / 1024 * 1024;
        double sum = 0, squares = 0;
        for (std::size_t k = row; k < row + 1024; ++k) sum += values[k];
        double const mean = sum / 1024;
        for (std::size_t k = row; k < row + 1024; ++k) squares += (values[k] - mean) * (values[k] - mean);
        return (values[i] - mean) / std::sqrt(squares / 1024 + 1e-5);
    }));
    return {nullptr, [=] { clean_layer_norm<<<grid, 256>>>(in, out); }};
}

// Dot products of pairs of vectors of 4096: a block a pair.
KERNEL(clean_dot_products)(float4 const* a, float4 const* b, float* out) {
    __shared__ float of_warps[8];
    float sum = 0;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
        std::size_t const i = std::size_t{blockIdx.x} * 1024 + k * 256 + threadIdx.x;
        float4 const x = a[i];
        float4 const y = b[i];
        sum = fmaf(x.x, y.x, fmaf(x.y, y.y, fmaf(x.z, y.z, fmaf(x.w, y.w, sum))));
    }
    sum = sum_of_warp(sum);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = sum_of_warp(threadIdx.x < 8 ? of_warps[threadIdx.x] : 0.0f);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
FRESH_CLEAN(dot_products) {
    unsigned const grid = memory.pick(full_grid * 16, 64u);
    std::size_t const n = std::size_t{grid} * 4096;
    auto const* const a = reinterpret_cast<float4 const*>(memory.input<float>(n));
    auto const* const b = reinterpret_cast<float4 const*>(memory.input<float>(n + 4) + 4);
    pattern const values(n + 4);
    float* const out = memory.clean_output<float>(grid, [=](std::size_t block) {
        double sum = 0;
        for (std::size_t i = block * 4096; i < (block + 1) * 4096; ++i) sum += values[i] * values[i + 4];
        return sum;
    });
    return {nullptr, [=] { clean_dot_products<<<grid, 256>>>(a, b, out); }};
}

// Grey of pictures in three planes of bytes, 16 pixels a thread.
namespace {

__device__ unsigned grey_of_four(unsigned red, unsigned green, unsigned blue) {
    unsigned all = 0;
#pragma unroll
    for (unsigned k = 0; k < 32; k += 8) {
        unsigned const sum = (red >> k & 255) * 77 + (green >> k & 255) * 150 + (blue >> k & 255) * 29;
        all |= sum >> 8 << k;
    }
    return all;
}

} // namespace

KERNEL(clean_grey)(uint4 const* planes, uint4* out, unsigned n) {
    unsigned const i = global_thread();
    uint4 const r = planes[i];
    uint4 const g = planes[n + i];
    uint4 const b = planes[2 * n + i];
    out[i] = make_uint4(grey_of_four(r.x, g.x, b.x), grey_of_four(r.y, g.y, b.y), grey_of_four(r.z, g.z, b.z),
                        grey_of_four(r.w, g.w, b.w));
}
FRESH_CLEAN(grey) {
    unsigned const grid = memory.pick(full_grid * 12, 16u);
    std::size_t const n = std::size_t{grid} * 4096;
    std::vector<std::uint8_t> const bytes = memory.values<std::uint8_t>(memory.period);
    auto const* const planes = reinterpret_cast<uint4 const*>(memory.repeated(bytes, n * 3));
    auto const host = std::make_shared<std::vector<std::uint8_t> const>(bytes);
    auto* const out = reinterpret_cast<uint4*>(memory.clean_output<std::uint8_t>(
        n,
        [=](std::size_t i) {
            auto const at = [&](std::size_t k) { return (*host)[k % host->size()]; };
            return static_cast<double>((at(i) * 77 + at(n + i) * 150 + at(2 * n + i) * 29) / 256);
        },
        0));
    return {nullptr, [=] { clean_grey<<<grid, 256>>>(planes, out, grid * 256); }};
}

// A picture twice as wide and high: each thread doubles two pixels.
KERNEL(clean_twice_as_large)(float2 const* in, float4* out, unsigned pairs_of_row) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    std::size_t const y = blockIdx.y * blockDim.y + threadIdx.y;
    float2 const v = in[y * pairs_of_row + x];
    float4 const twice = make_float4(v.x, v.x, v.y, v.y);
    out[2 * y * pairs_of_row + x] = twice;
    out[(2 * y + 1) * pairs_of_row + x] = twice;
}
FRESH_CLEAN(twice_as_large) {
    unsigned const n = memory.pick(4096u, 256u);
    auto const* const in = reinterpret_cast<float2 const*>(memory.input<float>(std::size_t{n} * n));
    pattern const values(std::size_t{n} * n);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(
        std::size_t{n} * n * 4, [=](std::size_t i) { return values[i / (2 * n) / 2 * n + i % (2 * n) / 2]; }));
    return {nullptr, [=] { clean_twice_as_large<<<dim3(n / 128, n / 4), dim3(64, 4)>>>(in, out, n / 2); }};
}

// Each warp sorts its 32 values, four such sets a thread.
KERNEL(clean_warp_sort)(unsigned const* in, unsigned* out) {
    unsigned const lane = threadIdx.x % 32;
    unsigned const first = blockIdx.x * blockDim.x * 4 + threadIdx.x;
    unsigned v[4];
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) v[j] = in[first + j * blockDim.x];
#pragma unroll
    for (unsigned size = 2; size <= 32; size *= 2)
#pragma unroll
        for (unsigned apart = size / 2; apart > 0; apart /= 2) {
            bool const lower = ((lane & apart) == 0) == ((lane & size) == 0);
#pragma unroll
            for (unsigned j = 0; j < 4; ++j) {
                unsigned const other = __shfl_xor_sync(~0u, v[j], apart);
                v[j] = lower ? min(v[j], other) : max(v[j], other);
            }
        }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) out[first + j * blockDim.x] = v[j];
}
FRESH_CLEAN(warp_sort) {
    unsigned const grid = memory.pick(full_grid * 8, 16u);
    std::size_t const n = std::size_t{grid} * 1024;
    unsigned const* const in = memory.input<unsigned>(n);
    auto const values = std::make_shared<std::vector<unsigned> const>(memory.values<unsigned>(memory.period));
    unsigned* const out = memory.clean_output<unsigned>(
        n,
        [=](std::size_t i) {
            std::vector<unsigned> set;
            for (std::size_t k = i / 32 * 32; k < i / 32 * 32 + 32; ++k) set.push_back((*values)[k % values->size()]);
            std::sort(set.begin(), set.end());
            return static_cast<double>(set[i % 32]);
        },
        0);
    return {nullptr, [=] { clean_warp_sort<<<grid, 256>>>(in, out); }};
}

// Random numbers, four sequences a thread, each of its own seed.
namespace {

__host__ __device__ inline unsigned random_of(unsigned seed, unsigned rounds) {
    for (unsigned r = 0; r < rounds; ++r) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
    }
    return seed;
}

} // namespace

KERNEL(clean_random_numbers)(uint4* out, unsigned rounds) {
    unsigned const seed = global_thread() * 4 + 1;
    uint4 v = make_uint4(seed, seed + 1, seed + 2, seed + 3);
#pragma unroll 8
    for (unsigned r = 0; r < rounds; ++r)
        v = make_uint4(random_of(v.x, 1), random_of(v.y, 1), random_of(v.z, 1), random_of(v.w, 1));
    out[global_thread()] = v;
}
FRESH_CLEAN(random_numbers) {
    unsigned const grid = memory.pick(full_grid * 8, 16u);
    unsigned const rounds = memory.pick(2000u, 16u);
    unsigned* const out = memory.clean_output<unsigned>(
        grid * 1024, [=](std::size_t i) { return random_of(static_cast<unsigned>(i) + 1, rounds); }, 0);
    return {nullptr, [=] { clean_random_numbers<<<grid, 256>>>(reinterpret_cast<uint4*>(out), rounds); }};
}

// What a loan costs by a discount that grows with the risk: functions of the hardware.
namespace {

__device__ float price(float risk) {
    float const rate = fmaf(risk, 0.03f, 0.01f);
    float const growth = __expf(rate * -5.0f);
    return __fdividef(1 - growth, rate) + __logf(1 + risk) * growth;
}

} // namespace

KERNEL(clean_prices)(float4 const* in, float4* out) {
    float4 const v = in[global_thread()];
    out[global_thread()] = make_float4(price(v.x), price(v.y), price(v.z), price(v.w));
}
FRESH_CLEAN(prices) {
    unsigned const grid = memory.pick(full_grid * 24, 16u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(n));
    pattern const values(n);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(n, [=](std::size_t i) {
        double const rate = values[i] * 0.03 + 0.01;
        return (1 - std::exp(-5 * rate)) / rate + std::log(1 + values[i]) * std::exp(-5 * rate);
    }));
    return {nullptr, [=] { clean_prices<<<grid, 256>>>(in, out); }};
}

// A filter of 17 equal taps over a tile in shared memory, four outputs a thread.
KERNEL(clean_moving_mean)(float const* in, float* out) {
    __shared__ float tile[1024 + 16];
    unsigned const first = blockIdx.x * 1024;
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) tile[k * 256 + threadIdx.x] = in[first + k * 256 + threadIdx.x];
    if (threadIdx.x < 16) tile[1024 + threadIdx.x] = in[first + 1024 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) {
        float sum = 0;
#pragma unroll
        for (unsigned tap = 0; tap < 17; ++tap) sum += tile[k * 256 + threadIdx.x + tap];
        out[first + k * 256 + threadIdx.x] = sum * (1.0f / 17);
    }
}
FRESH_CLEAN(moving_mean) {
    unsigned const grid = memory.pick(full_grid * 16, 16u);
    std::size_t const n = std::size_t{grid} * 1024;
    float const* const in = memory.input<float>(n + 16);
    pattern const values(n + 16);
    float* const out = memory.clean_output<float>(n, [=](std::size_t i) {
        double sum = 0;
        for (std::size_t k = i; k < i + 17; ++k) sum += values[k];
        return sum / 17;
    });
    return {nullptr, [=] { clean_moving_mean<<<grid, 256>>>(in, out); }};
}

// What rules say of mended kernels above, done: written to see whether that was false.

// A total for each block behind a lock, as mended_locked_totals has it, or one addition a warp.
KERNEL(bad_locked_totals_again)(unsigned const* in, unsigned* locks, unsigned* totals, unsigned turns) {
    add_locked(in, locks, totals, turns, 100);
}
KERNEL(mended_locked_totals_again)(unsigned const* in, unsigned* totals, unsigned turns) {
    unsigned state = in[global_thread()];
    unsigned all = 0;
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t) {
#pragma unroll 1
        for (unsigned k = 0; k < 32; ++k) state = state * 1664525u + 1013904223u;
        all += __reduce_add_sync(~0u, state >> 24);
    }
    if (threadIdx.x % 32 == 0) atomicAdd(totals + blockIdx.x, all);
}
AGAIN_PAIR(locked_totals_again, global_atomic_contention) {
    unsigned const grid = memory.pick(full_grid, 8u);
    unsigned const turns = memory.pick(16u, 2u);
    unsigned const* const in = memory.input<unsigned>(grid * 256);
    unsigned* const locks = memory.zeroed<unsigned>(grid);
    results<unsigned> const out = memory.output<unsigned>(grid, 0);
    return {[=] { bad_locked_totals_again<<<grid, 256>>>(in, locks, out.bad, turns); },
            [=] { mended_locked_totals_again<<<grid, 256>>>(in, out.mended, turns); }};
}

// The picture of mended_picture_blur, a pixel a thread, or four below each other, which share rows in registers.
KERNEL(bad_picture_blur_again)(float const* in, float* out, unsigned n) { blur(in, out, n, weights_as_float); }
KERNEL(mended_picture_blur_again)(float const* in, float* out, unsigned n) {
    unsigned const x = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned const y = (blockIdx.y * blockDim.y + threadIdx.y) * 4;
    float sums[4] = {};
#pragma unroll
    for (unsigned row = 0; row < 8; ++row) {
        float values[5];
#pragma unroll
        for (unsigned k = 0; k < 5; ++k) values[k] = in[std::size_t{y + row} * (n + 32) + x + k];
#pragma unroll
        for (unsigned j = 0; j < 4; ++j)
            if (row >= j && row < j + 5)
#pragma unroll
                for (unsigned k = 0; k < 5; ++k)
                    sums[j] = fmaf(values[k], weights_as_float[(row - j) * 5 + k], sums[j]);
    }
#pragma unroll
    for (unsigned j = 0; j < 4; ++j) out[std::size_t{y + j} * n + x] = sums[j];
}
AGAIN_PAIR(picture_blur_again, no_tiling) {
    unsigned const n = memory.pick(4096u, 256u);
    float const* const in = memory.input<float>(std::size_t{n + 32} * (n + 4));
    results<float> const out = memory.output<float>(std::size_t{n} * n);
    return {[=] { bad_picture_blur_again<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(in, out.bad, n); },
            [=] { mended_picture_blur_again<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out.mended, n); }};
}

// The quarter turn of mended_quarter_turn by blocks of 16 warps, or of four.
KERNEL(bad_turn_by_blocks)(float const* in, float* out, unsigned n) { turn<33>(in, out, n); }
KERNEL(mended_turn_by_blocks)(float const* in, float* out, unsigned n) { turn<33>(in, out, n); }
FRESH_PAIR(turn_by_blocks, barrier_waits) {
    unsigned const n = memory.pick(2048u, 256u);
    float const* const in = memory.input<float>(std::size_t{n} * n);
    results<float> const out = memory.output<float>(std::size_t{n} * n, 0);
    dim3 const grid(n / 32, n / 32);
    return {[=] { bad_turn_by_blocks<<<grid, dim3(32, 16)>>>(in, out.bad, n); },
            [=] { mended_turn_by_blocks<<<grid, dim3(32, 4)>>>(in, out.mended, n); }};
}
