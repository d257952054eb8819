// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pairs of programs as they occur in the field. Their author had read neither the rules nor any result of them; each flaw was
// named before its kernels had been run. Many kernels have a second, lesser weakness that both of a pair share.
#include <numeric>

#include "pair.hpp"

namespace {

constexpr unsigned threads_of_gpu = sms * 2048; // all that can be resident

__host__ __device__ unsigned mixed(unsigned x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}
__device__ float share_of(unsigned x) { return (static_cast<float>(x >> 8) + 0.5f) * 0x1p-24f; } // in (0, 1)

} // namespace

// Genetics: risk scores of people, by the doses of 512 sites each. A row a person, or a row a site.
KERNEL(bad_risk_scores)
(std::uint8_t const* __restrict__ doses, float const* __restrict__ weights, float* out, unsigned people,
 unsigned sites) {
    unsigned const person = global_thread();
    if (person >= people) return;
    float score = 0;
    for (unsigned s = 0; s < sites; ++s)
        score += weights[s] * static_cast<float>(doses[std::size_t{person} * sites + s] & 3);
    out[person] = score;
}
KERNEL(mended_risk_scores)
(std::uint8_t const* __restrict__ doses, float const* __restrict__ weights, float* out, unsigned people,
 unsigned sites) {
    unsigned const person = global_thread();
    if (person >= people) return;
    float score = 0;
    for (unsigned s = 0; s < sites; ++s)
        score += weights[s] * static_cast<float>(doses[std::size_t{s} * people + person] & 3);
    out[person] = score;
}
OUTSIDE_PAIR(risk_scores, uncoalesced_global_access) {
    unsigned const people = memory.pick(threads_of_gpu / 2, 1000u);
    unsigned const sites = memory.pick(512u, 24u);
    std::vector<std::uint8_t> const by_person = workspace::values<std::uint8_t>(std::size_t{people} * sites);
    std::vector<std::uint8_t> by_site(by_person.size());
    for (std::size_t p = 0; p < people; ++p)
        for (std::size_t s = 0; s < sites; ++s) by_site[s * people + p] = by_person[p * sites + s];
    std::uint8_t const* const bad_doses = memory.upload(by_person);
    std::uint8_t const* const mended_doses = memory.upload(by_site);
    float const* const weights = memory.input<float>(sites);
    results<float> const out = memory.output<float>(people);
    unsigned const grid = blocks_for(people, 256);
    return {[=] { bad_risk_scores<<<grid, 256>>>(bad_doses, weights, out.bad, people, sites); },
            [=] { mended_risk_scores<<<grid, 256>>>(mended_doses, weights, out.mended, people, sites); }};
}

// Finance: paths of an interest rate that returns to its mean. A row a path, or a row a step.
namespace {

__device__ void rates(float* out, unsigned path, unsigned paths, unsigned steps, std::size_t of_path,
                      std::size_t of_step) {
    if (path >= paths) return;
    float rate = 0.03f;
    unsigned state = mixed(path + 1);
    for (unsigned t = 0; t < steps; ++t) {
        state = state * 1664525u + 1013904223u;
        rate += 0.01f * (0.04f - rate) + 0.004f * (share_of(state) - 0.5f);
        out[path * of_path + t * of_step] = rate;
    }
}

} // namespace

KERNEL(bad_rate_paths)(float* out, unsigned paths, unsigned steps) {
    rates(out, global_thread(), paths, steps, steps, 1);
}
KERNEL(mended_rate_paths)(float* out, unsigned paths, unsigned steps) {
    rates(out, global_thread(), paths, steps, 1, paths);
}
OUTSIDE_PAIR(rate_paths, uncoalesced_global_stores) {
    unsigned const paths = memory.pick(threads_of_gpu, 2048u);
    unsigned const steps = memory.pick(90u, 20u);
    std::size_t const n = std::size_t{paths} * steps;
    results<float> const out =
        memory.output<float>(n, 1e-4, n, [=](std::size_t i) { return i % paths * steps + i / paths; });
    unsigned const grid = blocks_for(paths, 128);
    return {[=] { bad_rate_paths<<<grid, 128>>>(out.bad, paths, steps); },
            [=] { mended_rate_paths<<<grid, 128>>>(out.mended, paths, steps); }};
}

// Particles in cells: the cell of each particle goes into the fourth word of its record, or into an array.
namespace {

__device__ int cell_of(float x, float y, float z) {
    int const i = min(63, static_cast<int>(x * 40));
    int const j = min(63, static_cast<int>(y * 40));
    int const k = min(63, static_cast<int>(z * 40));
    return i + 64 * (j + 64 * k);
}

} // namespace

KERNEL(bad_particle_cells)(int* records, unsigned n) {
    unsigned const i = global_thread();
    if (i >= n) return;
    float4 const place = reinterpret_cast<float4 const*>(records)[i];
    records[std::size_t{i} * 4 + 3] = cell_of(place.x, place.y, place.z);
}
KERNEL(mended_particle_cells)(float4 const* places, int* cells, unsigned n) {
    unsigned const i = global_thread();
    if (i >= n) return;
    float4 const place = places[i];
    cells[i] = cell_of(place.x, place.y, place.z);
}
OUTSIDE_PAIR(particle_cells, partial_sector_stores) {
    unsigned const n = memory.pick(threads_of_gpu * 40, 5000u);
    float const* const places = memory.input<float>(std::size_t{n} * 4);
    results<int> const out = memory.output<int>(n, 0, std::size_t{n} * 4, [](std::size_t i) { return i * 4 + 3; });
    CHECK_CUDA(cudaMemcpy(out.bad, places, std::size_t{n} * 16, cudaMemcpyDeviceToDevice));
    unsigned const grid = blocks_for(n, 512);
    return {[=] { bad_particle_cells<<<grid, 512>>>(out.bad, n); },
            [=] { mended_particle_cells<<<grid, 512>>>(reinterpret_cast<float4 const*>(places), out.mended, n); }};
}

// Storage: the parity of four disks, byte by byte or 16 bytes at once.
namespace {

template <class T>
struct four_disks {
    T const* disk[4];
};
template <class T>
four_disks<T> as(four_disks<std::uint8_t> const& from) {
    four_disks<T> to;
    for (unsigned d = 0; d < 4; ++d) to.disk[d] = reinterpret_cast<T const*>(from.disk[d]);
    return to;
}

} // namespace

KERNEL(bad_disk_parity)(four_disks<std::uint8_t> from, std::uint8_t* parity, std::size_t n) {
    std::size_t const i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    parity[i] = static_cast<std::uint8_t>(from.disk[0][i] ^ from.disk[1][i] ^ from.disk[2][i] ^ from.disk[3][i]);
}
KERNEL(mended_disk_parity)(four_disks<uint4> from, uint4* parity, std::size_t n) {
    std::size_t const i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (i >= n) return;
    uint4 sum = from.disk[0][i];
    for (unsigned d = 1; d < 4; ++d) {
        uint4 const next = from.disk[d][i];
        sum = make_uint4(sum.x ^ next.x, sum.y ^ next.y, sum.z ^ next.z, sum.w ^ next.w);
    }
    parity[i] = sum;
}
OUTSIDE_PAIR(disk_parity, narrow_global_access) {
    std::size_t const n = memory.pick(std::size_t{48} << 20, std::size_t{48} << 10);
    four_disks<std::uint8_t> from;
    for (unsigned d = 0; d < 4; ++d) from.disk[d] = memory.input<std::uint8_t>(n + 16 * d) + 16 * d;
    results<std::uint8_t> const out = memory.output<std::uint8_t>(n, 0);
    unsigned const bad_grid = blocks_for(n, 256);
    unsigned const grid = blocks_for(n / 16, 256);
    return {[=] { bad_disk_parity<<<bad_grid, 256>>>(from, out.bad, n); },
            [=] { mended_disk_parity<<<grid, 256>>>(as<uint4>(from), reinterpret_cast<uint4*>(out.mended), n / 16); }};
}

// Finance: the first day on which a price passes its barrier. A day is loaded when the one before did not; or eight at once.
KERNEL(bad_first_passage)
(float const* __restrict__ prices, unsigned* out, unsigned shares, unsigned days, float barrier) {
    unsigned const share = global_thread();
    if (share >= shares) return;
    unsigned day = 0;
#pragma unroll 1
    while (day < days && prices[std::size_t{day} * shares + share] < barrier) ++day;
    out[share] = day;
}
KERNEL(mended_first_passage)
(float const* __restrict__ prices, unsigned* out, unsigned shares, unsigned days, float barrier) {
    unsigned const share = global_thread();
    if (share >= shares) return;
    unsigned first = days;
#pragma unroll 1
    for (unsigned day = 0; day < days && first == days; day += 8) {
        float next[8];
#pragma unroll
        for (unsigned k = 0; k < 8; ++k) next[k] = prices[std::size_t{day + k} * shares + share];
#pragma unroll
        for (unsigned k = 8; k-- > 0;)
            if (!(next[k] < barrier)) first = day + k;
    }
    out[share] = first;
}
OUTSIDE_PAIR(first_passage, low_memory_parallelism) {
    unsigned const shares = memory.pick(sms * 512u, 2048u);
    unsigned const days = memory.pick(504u, 40u);
    float const* const prices = memory.input<float>(std::size_t{shares} * days);
    results<unsigned> const out = memory.output<unsigned>(shares, 0);
    unsigned const grid = blocks_for(shares, 128);
    return {[=] { bad_first_passage<<<grid, 128>>>(prices, out.bad, shares, days, 1.49f); },
            [=] { mended_first_passage<<<grid, 128>>>(prices, out.mended, shares, days, 1.49f); }};
}

// Molecules: masses of cells. The particles of a cell are a list with links, or one after the other.
KERNEL(bad_cell_chains)
(int const* __restrict__ head, int const* __restrict__ next, float const* __restrict__ mass, float* out,
 unsigned cells) {
    unsigned const cell = global_thread();
    if (cell >= cells) return;
    float sum = 0;
    for (int p = head[cell]; p >= 0; p = next[p]) sum += mass[p];
    out[cell] = sum;
}
KERNEL(mended_cell_chains)
(int const* __restrict__ begin, float const* __restrict__ sorted_mass, float* out, unsigned cells) {
    unsigned const cell = global_thread();
    if (cell >= cells) return;
    float sum = 0;
    int const end = begin[cell + 1];
    for (int p = begin[cell]; p < end; ++p) sum += sorted_mass[p];
    out[cell] = sum;
}
OUTSIDE_PAIR(cell_chains, dependent_loads) {
    unsigned const cells = memory.pick(threads_of_gpu, 1024u);
    unsigned const n = cells * 14;
    std::vector<float> const mass = workspace::values<float>(n);
    std::vector<unsigned> const where = workspace::values<unsigned>(n);
    std::vector<int> head(cells, -1), next(n), begin(cells + 1, 0);
    for (unsigned p = 0; p < n; ++p) {
        unsigned const cell = static_cast<unsigned>((std::uint64_t{where[p]} * cells) >> 28); // values have 28 bits
        next[p] = head[cell];
        head[cell] = static_cast<int>(p);
        ++begin[cell + 1];
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<float> sorted;
    for (unsigned cell = 0; cell < cells; ++cell)
        for (int p = head[cell]; p >= 0; p = next[static_cast<unsigned>(p)])
            sorted.push_back(mass[static_cast<unsigned>(p)]);
    int const* const heads = memory.upload(head);
    int const* const links = memory.upload(next);
    int const* const begins = memory.upload(begin);
    float const* const masses = memory.upload(mass);
    float const* const sorted_masses = memory.upload(sorted);
    results<float> const out = memory.output<float>(cells);
    unsigned const grid = blocks_for(cells, 256);
    return {[=] { bad_cell_chains<<<grid, 256>>>(heads, links, masses, out.bad, cells); },
            [=] { mended_cell_chains<<<grid, 256>>>(begins, sorted_masses, out.mended, cells); }};
}

// Sequencing: the mean quality of reads of 128 bases, a warp a read. The reads stay with the host, or do not.
namespace {

__device__ void mean_quality(unsigned const* qualities, float* out, unsigned reads) {
    unsigned const read = global_thread() / 32;
    if (read >= reads) return;
    unsigned const four = qualities[std::size_t{read} * 32 + threadIdx.x % 32] & 0x3f3f3f3fu;
    float const sum =
        sum_of_warp(static_cast<float>((four & 63) + (four >> 8 & 63) + (four >> 16 & 63) + (four >> 24)));
    if (threadIdx.x % 32 == 0) out[read] = sum * (1.0f / 128);
}

} // namespace

KERNEL(bad_read_quality)(unsigned const* qualities, float* out, unsigned reads) { mean_quality(qualities, out, reads); }
KERNEL(mended_read_quality)(unsigned const* qualities, float* out, unsigned reads) {
    mean_quality(qualities, out, reads);
}
OUTSIDE_PAIR(read_quality, host_memory_access) {
    unsigned const reads = memory.pick(200'000u, 500u);
    unsigned const* const of_host = memory.host_input<unsigned>(std::size_t{reads} * 32);
    unsigned const* const of_device = memory.input<unsigned>(std::size_t{reads} * 32);
    results<float> const out = memory.output<float>(reads);
    unsigned const grid = blocks_for(reads, 8);
    return {[=] { bad_read_quality<<<grid, 256>>>(of_host, out.bad, reads); },
            [=] { mended_read_quality<<<grid, 256>>>(of_device, out.mended, reads); }};
}

// Engineering: a property of steam by a polynomial of degree 11. Its coefficients may be what the kernel writes, so that each
// turn loads them again; or they are loaded once.
KERNEL(bad_steam_property)(float const* in, float const* coefficients, float* out, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        float const x = in[i] - 1;
        float y = coefficients[11];
#pragma unroll
        for (unsigned k = 11; k-- > 0;) y = fmaf(y, x, coefficients[k]);
        out[i] = y;
    }
}
KERNEL(mended_steam_property)(float const* in, float const* coefficients, float* out, unsigned n) {
    float c[12];
#pragma unroll
    for (unsigned k = 0; k < 12; ++k) c[k] = coefficients[k];
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        float const x = in[i] - 1;
        float y = c[11];
#pragma unroll
        for (unsigned k = 11; k-- > 0;) y = fmaf(y, x, c[k]);
        out[i] = y;
    }
}
OUTSIDE_PAIR(steam_property, redundant_loads) {
    unsigned const grid = memory.pick(full_grid, 8u);
    unsigned const n = grid * 256 * memory.pick(32u, 5u);
    float const* const in = memory.input<float>(n);
    float const* const coefficients = memory.input<float>(12);
    results<float> const out = memory.output<float>(n);
    return {[=] { bad_steam_property<<<grid, 256>>>(in, coefficients, out.bad, n); },
            [=] { mended_steam_property<<<grid, 256>>>(in, coefficients, out.mended, n); }};
}

// Chemistry: likeness of all pairs of molecules by fingerprints of 1024 bits, word by word of all molecules.
constexpr unsigned words_of_print = 32;
KERNEL(bad_fingerprints)(unsigned const* __restrict__ prints, float* out, unsigned molecules) {
    unsigned const a = blockIdx.y * 16 + threadIdx.y;
    unsigned const b = blockIdx.x * 16 + threadIdx.x;
    int both = 0;
    int any = 0;
    for (unsigned w = 0; w < words_of_print; ++w) {
        unsigned const x = prints[w * molecules + a];
        unsigned const y = prints[w * molecules + b];
        both += __popc(x & y);
        any += __popc(x | y);
    }
    out[std::size_t{a} * molecules + b] = static_cast<float>(both) / static_cast<float>(any);
}
KERNEL(mended_fingerprints)(unsigned const* __restrict__ prints, float* out, unsigned molecules) {
    __shared__ unsigned of_a[words_of_print][16], of_b[words_of_print][16];
    for (unsigned w = threadIdx.y; w < words_of_print; w += 16) {
        of_a[w][threadIdx.x] = prints[w * molecules + blockIdx.y * 16 + threadIdx.x];
        of_b[w][threadIdx.x] = prints[w * molecules + blockIdx.x * 16 + threadIdx.x];
    }
    __syncthreads();
    int both = 0;
    int any = 0;
    for (unsigned w = 0; w < words_of_print; ++w) {
        unsigned const x = of_a[w][threadIdx.y];
        unsigned const y = of_b[w][threadIdx.x];
        both += __popc(x & y);
        any += __popc(x | y);
    }
    out[std::size_t{blockIdx.y * 16 + threadIdx.y} * molecules + blockIdx.x * 16 + threadIdx.x] =
        static_cast<float>(both) / static_cast<float>(any);
}
OUTSIDE_PAIR(fingerprints, no_tiling) {
    unsigned const molecules = memory.pick(3072u, 64u);
    unsigned const* const prints = memory.input<unsigned>(molecules * words_of_print);
    results<float> const out = memory.output<float>(std::size_t{molecules} * molecules);
    dim3 const grid(molecules / 16, molecules / 16);
    return {[=] { bad_fingerprints<<<grid, dim3(16, 16)>>>(prints, out.bad, molecules); },
            [=] { mended_fingerprints<<<grid, dim3(16, 16)>>>(prints, out.mended, molecules); }};
}

// Proteins: the best local score of a query without gaps against many sequences. The matrix of scores is in constant memory, or
// each block has it in shared memory.
namespace {

constexpr unsigned letters = 24;
__constant__ int likeness_of_letters[letters * letters];

__device__ int best_score(int const* scores, std::uint8_t const* query, std::uint8_t const* letters_of_all, unsigned n,
                          unsigned length) {
    int sum = 0;
    int best = 0;
    for (unsigned place = 0; place < length; ++place) {
        unsigned const letter = letters_of_all[std::size_t{place} * n + global_thread()];
        sum = max(0, sum + scores[query[place] * letters + letter]);
        best = max(best, sum);
    }
    return best;
}

} // namespace

KERNEL(bad_protein_scores)
(std::uint8_t const* __restrict__ query, std::uint8_t const* __restrict__ all, int* out, unsigned n, unsigned length) {
    out[global_thread()] = best_score(likeness_of_letters, query, all, n, length);
}
KERNEL(mended_protein_scores)
(std::uint8_t const* __restrict__ query, std::uint8_t const* __restrict__ all, int* out, unsigned n, unsigned length) {
    __shared__ int scores[letters * letters];
    for (unsigned i = threadIdx.x; i < letters * letters; i += blockDim.x) scores[i] = likeness_of_letters[i];
    __syncthreads();
    out[global_thread()] = best_score(scores, query, all, n, length);
}
OUTSIDE_PAIR(protein_scores, divergent_constants) {
    unsigned const n = memory.pick(threads_of_gpu, 1024u);
    unsigned const length = memory.pick(160u, 24u);
    auto const letters_of = [](std::size_t count) {
        std::vector<std::uint8_t> all;
        for (unsigned const value : workspace::values<unsigned>(count))
            all.push_back(static_cast<std::uint8_t>((value >> 12) % letters));
        return all;
    };
    std::vector<int> scores;
    for (unsigned const value : workspace::values<unsigned>(letters * letters))
        scores.push_back(static_cast<int>((value >> 12) % 12) - 6);
    CHECK_CUDA(cudaMemcpyToSymbol(likeness_of_letters, scores.data(), sizeof likeness_of_letters));
    std::uint8_t const* const query = memory.upload(letters_of(length));
    std::uint8_t const* const all = memory.repeated(letters_of(workspace::period), std::size_t{n} * length);
    results<int> const out = memory.output<int>(n, 0);
    return {[=] { bad_protein_scores<<<n / 256, 256>>>(query, all, out.bad, n, length); },
            [=] { mended_protein_scores<<<n / 256, 256>>>(query, all, out.mended, n, length); }};
}

// Molecules: the six components of a virial, the sum over all bonds. Each thread adds its own to them, or each block.
namespace {

struct tensor_of_6 {
    float value[6];
};
__device__ tensor_of_6 virial_of(float const* bonds, unsigned n, unsigned i) {
    float const x = bonds[i];
    float const y = bonds[n + i];
    float const z = bonds[2 * n + i];
    float const pull = 0.5f * rsqrtf(x * x + y * y + z * z);
    return {{x * x * pull, y * y * pull, z * z * pull, x * y * pull, x * z * pull, y * z * pull}};
}

} // namespace

KERNEL(bad_virial)(float const* __restrict__ bonds, double* sums, unsigned n) {
    unsigned const i = global_thread();
    if (i >= n) return;
    tensor_of_6 const own = virial_of(bonds, n, i);
    for (unsigned c = 0; c < 6; ++c) atomicAdd(sums + c, static_cast<double>(own.value[c]));
}
KERNEL(mended_virial)(float const* __restrict__ bonds, double* sums, unsigned n) {
    __shared__ float of_warps[6][8];
    unsigned const i = global_thread();
    tensor_of_6 own{};
    if (i < n) own = virial_of(bonds, n, i);
    for (unsigned c = 0; c < 6; ++c) {
        float const sum = sum_of_warp(own.value[c]);
        if (threadIdx.x % 32 == 0) of_warps[c][threadIdx.x / 32] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= 6) return;
    float sum = 0;
    for (unsigned w = 0; w < 8; ++w) sum += of_warps[threadIdx.x][w];
    atomicAdd(sums + threadIdx.x, static_cast<double>(sum));
}
OUTSIDE_PAIR(virial, global_atomic_contention) {
    unsigned const n = memory.pick(300'000u, 3'000u);
    float const* const bonds = memory.input<float>(std::size_t{n} * 3);
    results<double> const out = memory.output<double>(6);
    unsigned const grid = blocks_for(n, 256);
    return {[=] { bad_virial<<<grid, 256>>>(bonds, out.bad, n); },
            [=] { mended_virial<<<grid, 256>>>(bonds, out.mended, n); }};
}

// Pictures: the cosine transform of squares of 8 x 8, 32 of them a block: rows first, then columns. Squares one after the other in
// shared memory, or rows and squares apart so that no two lanes meet in a bank.
namespace {

__device__ void cosines(float (&a)[8]) {
    constexpr float c1 = 0.490393f, c2 = 0.461940f, c3 = 0.415735f, c4 = 0.353553f, c5 = 0.277785f, c6 = 0.191342f,
                    c7 = 0.097545f;
    float const e0 = a[0] + a[7], e1 = a[1] + a[6], e2 = a[2] + a[5], e3 = a[3] + a[4];
    float const o0 = a[0] - a[7], o1 = a[1] - a[6], o2 = a[2] - a[5], o3 = a[3] - a[4];
    a[0] = c4 * (e0 + e1 + e2 + e3);
    a[4] = c4 * (e0 - e1 - e2 + e3);
    a[2] = c2 * (e0 - e3) + c6 * (e1 - e2);
    a[6] = c6 * (e0 - e3) - c2 * (e1 - e2);
    a[1] = c1 * o0 + c3 * o1 + c5 * o2 + c7 * o3;
    a[3] = c3 * o0 - c7 * o1 - c1 * o2 - c5 * o3;
    a[5] = c5 * o0 - c1 * o1 + c7 * o2 + c3 * o3;
    a[7] = c7 * o0 - c5 * o1 + c3 * o2 - c1 * o3;
}
__device__ void transform_line(float* first, unsigned apart) {
    float line[8];
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) line[k] = first[k * apart];
    cosines(line);
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) first[k * apart] = line[k];
}
template <unsigned Row, unsigned Square>
__device__ void transform_squares(float const* in, float* out) {
    __shared__ float squares[32 * Square];
    std::size_t const first = std::size_t{blockIdx.x} * 2048;
    for (unsigned i = threadIdx.x; i < 2048; i += 256)
        squares[i / 64 * Square + i / 8 % 8 * Row + i % 8] = in[first + i];
    __syncthreads();
    float* const own = squares + threadIdx.x / 8 * Square;
    transform_line(own + threadIdx.x % 8 * Row, 1);
    __syncthreads();
    transform_line(own + threadIdx.x % 8, Row);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < 2048; i += 256)
        out[first + i] = squares[i / 64 * Square + i / 8 % 8 * Row + i % 8];
}

} // namespace

KERNEL(bad_cosine_squares)(float const* __restrict__ in, float* out) { transform_squares<8, 64>(in, out); }
KERNEL(mended_cosine_squares)(float const* __restrict__ in, float* out) { transform_squares<9, 72>(in, out); }
OUTSIDE_PAIR(cosine_squares, shared_bank_conflicts) {
    unsigned const grid = memory.pick(full_grid * 9, 8u);
    float const* const in = memory.input<float>(std::size_t{grid} * 2048);
    results<float> const out = memory.output<float>(std::size_t{grid} * 2048);
    return {[=] { bad_cosine_squares<<<grid, 256>>>(in, out.bad); },
            [=] { mended_cosine_squares<<<grid, 256>>>(in, out.mended); }};
}

// Sequencing: sums of qualities of the four bases. A block's threads add to four words of shared memory, or to registers first.
KERNEL(bad_base_qualities)(unsigned const* __restrict__ bases, float* out, unsigned of_thread) {
    __shared__ float sums[4];
    if (threadIdx.x < 4) sums[threadIdx.x] = 0;
    __syncthreads();
    std::size_t const first = std::size_t{blockIdx.x} * of_thread * 256 + threadIdx.x;
    for (unsigned k = 0; k < of_thread; ++k) {
        unsigned const base = bases[first + k * 256];
        atomicAdd(sums + (base >> 8 & 3), static_cast<float>(base >> 12 & 63));
    }
    __syncthreads();
    if (threadIdx.x < 4) out[blockIdx.x * 4 + threadIdx.x] = sums[threadIdx.x];
}
KERNEL(mended_base_qualities)(unsigned const* __restrict__ bases, float* out, unsigned of_thread) {
    __shared__ float sums[4];
    if (threadIdx.x < 4) sums[threadIdx.x] = 0;
    __syncthreads();
    float own[4] = {};
    std::size_t const first = std::size_t{blockIdx.x} * of_thread * 256 + threadIdx.x;
    for (unsigned k = 0; k < of_thread; ++k) {
        unsigned const base = bases[first + k * 256];
        float const quality = static_cast<float>(base >> 12 & 63);
        for (unsigned b = 0; b < 4; ++b) own[b] += (base >> 8 & 3) == b ? quality : 0.0f;
    }
    for (unsigned b = 0; b < 4; ++b) {
        float const sum = sum_of_warp(own[b]);
        if (threadIdx.x % 32 == 0) atomicAdd(sums + b, sum);
    }
    __syncthreads();
    if (threadIdx.x < 4) out[blockIdx.x * 4 + threadIdx.x] = sums[threadIdx.x];
}
OUTSIDE_PAIR(base_qualities, shared_atomic_contention) {
    unsigned const grid = memory.pick(full_grid, 6u);
    unsigned const of_thread = memory.pick(48u, 6u);
    unsigned const* const bases = memory.input<unsigned>(std::size_t{grid} * of_thread * 256);
    results<float> const out = memory.output<float>(grid * 4);
    return {[=] { bad_base_qualities<<<grid, 256>>>(bases, out.bad, of_thread); },
            [=] { mended_base_qualities<<<grid, 256>>>(bases, out.mended, of_thread); }};
}

// Inference: a recurrent state that is divided by its block's norm in each step. One thread adds up what the block's threads
// have, or every warp its lanes' and every thread the warps'.
KERNEL(bad_gated_steps)(float const* __restrict__ in, float* out, unsigned steps) {
    __shared__ float squares[256];
    __shared__ float norm;
    float state = 0;
    for (unsigned t = 0; t < steps; ++t) {
        state = 0.8f * state + in[(std::size_t{blockIdx.x} * steps + t) * 256 + threadIdx.x];
        squares[threadIdx.x] = state * state;
        __syncthreads();
        if (threadIdx.x == 0) {
            float sum = 0;
            for (unsigned i = 0; i < 256; ++i) sum += squares[i];
            norm = rsqrtf(sum);
        }
        __syncthreads();
        state *= norm;
    }
    out[global_thread()] = state;
}
KERNEL(mended_gated_steps)(float const* __restrict__ in, float* out, unsigned steps) {
    __shared__ float of_warps[2][8];
    float state = 0;
    for (unsigned t = 0; t < steps; ++t) {
        state = 0.8f * state + in[(std::size_t{blockIdx.x} * steps + t) * 256 + threadIdx.x];
        float const of_warp = sum_of_warp(state * state);
        if (threadIdx.x % 32 == 0) of_warps[t % 2][threadIdx.x / 32] = of_warp;
        __syncthreads();
        float sum = 0;
        for (unsigned w = 0; w < 8; ++w) sum += of_warps[t % 2][w];
        state *= rsqrtf(sum);
    }
    out[global_thread()] = state;
}
OUTSIDE_PAIR(gated_steps, barrier_waits) {
    unsigned const grid = memory.pick(sms * 6u, 4u);
    unsigned const steps = memory.pick(100u, 4u);
    float const* const in = memory.input<float>(std::size_t{grid} * steps * 256);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_gated_steps<<<grid, 256>>>(in, out.bad, steps); },
            [=] { mended_gated_steps<<<grid, 256>>>(in, out.mended, steps); }};
}

// The heart: cells of four kinds with an equation each, as they lie in the tissue or sorted by kind.
namespace {

__device__ float excited(unsigned kind, float v, unsigned steps) {
    switch (kind) {
        case 0:
            for (unsigned t = 0; t < steps; ++t) v += 0.05f * v * (1 - v) * (v - 0.1f);
            break;
        case 1:
            for (unsigned t = 0; t < steps; ++t) v = fmaf(0.02f, __sinf(v), v * 0.99f);
            break;
        case 2:
            for (unsigned t = 0; t < steps; ++t) v += 0.03f * (rsqrtf(1 + v * v) - 0.5f * v);
            break;
        default:
            for (unsigned t = 0; t < steps; ++t) v = 0.97f * v + 0.05f * __expf(-v);
    }
    return v;
}
__device__ void excite(std::uint8_t const* kinds, float const* in, float* out, unsigned n, unsigned steps) {
    unsigned const i = global_thread();
    if (i < n) out[i] = excited(kinds[i], in[i], steps);
}

} // namespace

KERNEL(bad_tissue_cells)
(std::uint8_t const* __restrict__ kinds, float const* __restrict__ in, float* out, unsigned n, unsigned steps) {
    excite(kinds, in, out, n, steps);
}
KERNEL(mended_tissue_cells)
(std::uint8_t const* __restrict__ kinds, float const* __restrict__ in, float* out, unsigned n, unsigned steps) {
    excite(kinds, in, out, n, steps);
}
OUTSIDE_PAIR(tissue_cells, thread_divergence) {
    unsigned const n = memory.pick(700'000u, 2000u);
    std::vector<std::uint8_t> kinds;
    for (unsigned const value : workspace::values<unsigned>(n)) kinds.push_back(value >> 13 & 3);
    std::vector<float> const states = workspace::values<float>(n);
    auto const order = std::make_shared<std::vector<unsigned>>(n);
    std::iota(order->begin(), order->end(), 0u);
    std::stable_sort(order->begin(), order->end(), [&](unsigned a, unsigned b) { return kinds[a] < kinds[b]; });
    std::vector<std::uint8_t> sorted_kinds;
    std::vector<float> sorted_states;
    for (unsigned const i : *order) sorted_kinds.push_back(kinds[i]), sorted_states.push_back(states[i]);
    std::uint8_t const* const bad_kinds = memory.upload(kinds);
    std::uint8_t const* const mended_kinds = memory.upload(sorted_kinds);
    float const* const bad_in = memory.upload(states);
    float const* const mended_in = memory.upload(sorted_states);
    results<float> const out =
        memory.output<float>(n, 1e-4, n, [=](std::size_t i) { return std::size_t{(*order)[i]}; });
    unsigned const steps = memory.pick(200u, 10u);
    unsigned const grid = blocks_for(n, 256);
    return {[=] { bad_tissue_cells<<<grid, 256>>>(bad_kinds, bad_in, out.bad, n, steps); },
            [=] { mended_tissue_cells<<<grid, 256>>>(mended_kinds, mended_in, out.mended, n, steps); }};
}

// Proteins: scores of 20 amino acids by column of an alignment, a thread an acid. Blocks of 100 threads, or of 160.
namespace {

__device__ void smooth_profile(float const* counts, float const* chances, float* out, unsigned columns) {
    unsigned const column = global_thread() / 20;
    unsigned const acid = global_thread() % 20;
    if (column >= columns) return;
    float expected = 0.5f;
    for (unsigned other = 0; other < 20; ++other)
        expected = fmaf(counts[column * 20 + other], chances[other * 20 + acid], expected);
    out[column * 20 + acid] = __logf(expected);
}

} // namespace

KERNEL(bad_acid_profile)
(float const* __restrict__ counts, float const* __restrict__ chances, float* out, unsigned columns) {
    smooth_profile(counts, chances, out, columns);
}
KERNEL(mended_acid_profile)
(float const* __restrict__ counts, float const* __restrict__ chances, float* out, unsigned columns) {
    smooth_profile(counts, chances, out, columns);
}
OUTSIDE_PAIR(acid_profile, partial_warps) {
    unsigned const columns = memory.pick(400'000u, 400u);
    float const* const counts = memory.input<float>(std::size_t{columns} * 20);
    float const* const chances = memory.input<float>(400);
    results<float> const out = memory.output<float>(std::size_t{columns} * 20);
    unsigned const bad_grid = blocks_for(columns, 5);
    unsigned const grid = blocks_for(columns, 8);
    return {[=] { bad_acid_profile<<<bad_grid, 100>>>(counts, chances, out.bad, columns); },
            [=] { mended_acid_profile<<<grid, 160>>>(counts, chances, out.mended, columns); }};
}

// Sparse algebra: a sparse matrix of 12 values a row by a dense one of 96 columns. A thread keeps the sums of all the columns of
// its row in registers, or of 16 of them.
namespace {

template <unsigned Columns>
__device__ void sparse_by_dense(unsigned const* columns_of, float const* values, float4 const* dense, float4* out,
                                unsigned rows) {
    unsigned const row = global_thread();
    if (row >= rows) return;
    float4 sums[Columns / 4] = {};
    unsigned const first = blockIdx.y * (Columns / 4);
#pragma unroll 1
    for (unsigned k = 0; k < 12; ++k) {
        float const value = values[k * rows + row];
        float4 const* const from = dense + std::size_t{columns_of[k * rows + row]} * 24 + first;
#pragma unroll
        for (unsigned c = 0; c < Columns / 4; ++c) {
            float4 const x = from[c];
            sums[c].x = fmaf(value, x.x, sums[c].x);
            sums[c].y = fmaf(value, x.y, sums[c].y);
            sums[c].z = fmaf(value, x.z, sums[c].z);
            sums[c].w = fmaf(value, x.w, sums[c].w);
        }
    }
#pragma unroll
    for (unsigned c = 0; c < Columns / 4; ++c) out[std::size_t{row} * 24 + first + c] = sums[c];
}

} // namespace

KERNEL(bad_sparse_by_dense)
(unsigned const* __restrict__ columns_of, float const* __restrict__ values, float4 const* __restrict__ dense,
 float4* out, unsigned rows) {
    sparse_by_dense<96>(columns_of, values, dense, out, rows);
}
KERNEL(mended_sparse_by_dense)
(unsigned const* __restrict__ columns_of, float const* __restrict__ values, float4 const* __restrict__ dense,
 float4* out, unsigned rows) {
    sparse_by_dense<16>(columns_of, values, dense, out, rows);
}
OUTSIDE_PAIR(sparse_by_dense, occupancy_limited_by_registers) {
    unsigned const rows = memory.pick(200'000u, 512u);
    std::vector<unsigned> columns_of = workspace::values<unsigned>(std::size_t{rows} * 12);
    for (unsigned& each : columns_of) each = (each >> 4) % rows;
    unsigned const* const columns = memory.upload(columns_of);
    float const* const values = memory.input<float>(std::size_t{rows} * 12);
    auto const* const dense = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{rows} * 96));
    results<float> const out = memory.output<float>(std::size_t{rows} * 96);
    unsigned const grid = blocks_for(rows, 256);
    return {
        [=] { bad_sparse_by_dense<<<grid, 256>>>(columns, values, dense, reinterpret_cast<float4*>(out.bad), rows); },
        [=] {
            mended_sparse_by_dense<<<dim3(grid, 6), 256>>>(columns, values, dense,
                                                           reinterpret_cast<float4*>(out.mended), rows);
        }};
}

// Text: lengths of all brackets of a document, a thread a document. Each thread has a stack in shared memory, of 128 levels or of
// the 12 that documents have at most.
namespace {

__device__ void bracket_lengths(std::uint8_t const* tokens, unsigned* out, unsigned documents, unsigned length) {
    extern __shared__ unsigned opened[];
    unsigned const document = global_thread();
    if (document >= documents) return;
    unsigned depth = 0;
    unsigned sum = 0;
    for (unsigned place = 0; place < length; ++place) {
        unsigned const token = tokens[std::size_t{place} * documents + document];
        if (token == 0) opened[depth++ * blockDim.x + threadIdx.x] = place;
        else if (token == 1) sum += place - opened[--depth * blockDim.x + threadIdx.x];
    }
    out[document] = sum;
}

} // namespace

KERNEL(bad_bracket_lengths)
(std::uint8_t const* __restrict__ tokens, unsigned* out, unsigned documents, unsigned length) {
    bracket_lengths(tokens, out, documents, length);
}
KERNEL(mended_bracket_lengths)
(std::uint8_t const* __restrict__ tokens, unsigned* out, unsigned documents, unsigned length) {
    bracket_lengths(tokens, out, documents, length);
}
OUTSIDE_PAIR(bracket_lengths, occupancy_limited_by_shared_memory) {
    unsigned const documents = memory.pick(threads_of_gpu, 512u);
    unsigned const length = memory.pick(240u, 32u);
    constexpr unsigned levels = 12;
    std::vector<std::uint8_t> tokens(std::size_t{documents} * length);
    std::vector<unsigned> depth(documents, 0);
    unsigned state = 7;
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        state = state * 1664525u + 1013904223u;
        unsigned& at = depth[i % documents];
        std::uint8_t token = static_cast<std::uint8_t>(state >> 29); // from 2 on, letters
        if ((token == 0 && at == levels) || (token == 1 && at == 0)) token = 2;
        at += token == 0 ? 1u : token == 1 ? ~0u : 0u;
        tokens[i] = token;
    }
    std::uint8_t const* const all = memory.upload(tokens);
    results<unsigned> const out = memory.output<unsigned>(documents, 0);
    constexpr unsigned bad_room = 128 * 128 * sizeof(unsigned);
    constexpr unsigned mended_room = levels * 128 * sizeof(unsigned);
    CHECK_CUDA(cudaFuncSetAttribute(bad_bracket_lengths, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(bad_room)));
    unsigned const grid = blocks_for(documents, 128);
    return {[=] { bad_bracket_lengths<<<grid, 128, bad_room>>>(all, out.bad, documents, length); },
            [=] { mended_bracket_lengths<<<grid, 128, mended_room>>>(all, out.mended, documents, length); }};
}

// Genomes: places of words of a genome in a hash table, eight a thread. Blocks of 32 threads, or of 256.
namespace {

__device__ void find_places(uint2 const* table, unsigned mask, unsigned const* words, unsigned* out, unsigned n) {
    unsigned const threads = gridDim.x * blockDim.x;
    for (unsigned i = global_thread(); i < n; i += threads) {
        unsigned const word = words[i];
        unsigned slot = mixed(word) & mask;
        uint2 entry = table[slot];
        while (entry.x != word && entry.x != 0) {
            slot = (slot + 1) & mask;
            entry = table[slot];
        }
        out[i] = entry.y;
    }
}

} // namespace

KERNEL(bad_genome_words)
(uint2 const* __restrict__ table, unsigned mask, unsigned const* __restrict__ words, unsigned* out, unsigned n) {
    find_places(table, mask, words, out, n);
}
KERNEL(mended_genome_words)
(uint2 const* __restrict__ table, unsigned mask, unsigned const* __restrict__ words, unsigned* out, unsigned n) {
    find_places(table, mask, words, out, n);
}
OUTSIDE_PAIR(genome_words, occupancy_limited_by_blocks) {
    unsigned const slots = memory.pick(1u << 21, 1u << 11); // 16 MB: L2 holds them
    unsigned const n = memory.pick(threads_of_gpu * 16, 4096u);
    std::vector<unsigned> words = workspace::values<unsigned>(slots / 2);
    std::vector<uint2> table(slots, make_uint2(0, 0));
    for (unsigned i = 0; i < words.size(); ++i) {
        words[i] |= 1u;
        unsigned slot = mixed(words[i]) & (slots - 1);
        while (table[slot].x != 0 && table[slot].x != words[i]) slot = (slot + 1) & (slots - 1);
        table[slot] = make_uint2(words[i], i + 1);
    }
    for (std::size_t i = 0; i < words.size(); i += 3) words[i] ^= 2; // most of these are not in the table
    uint2 const* const in = memory.upload(table);
    unsigned const* const asked = memory.repeated(words, n);
    results<unsigned> const out = memory.output<unsigned>(n, 0);
    unsigned const threads = n / 8;
    return {[=] { bad_genome_words<<<threads / 32, 32>>>(in, slots - 1, asked, out.bad, n); },
            [=] { mended_genome_words<<<threads / 256, 256>>>(in, slots - 1, asked, out.mended, n); }};
}

// Graphics: quaternions to unit length. A block of 32 threads has one each; or a full grid walks over all.
namespace {

__device__ float4 unit(float4 q) {
    float const scale = rsqrtf(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return make_float4(q.x * scale, q.y * scale, q.z * scale, q.w * scale);
}

} // namespace

KERNEL(bad_unit_turns)(float4 const* __restrict__ in, float4* out, unsigned n) {
    unsigned const i = global_thread();
    if (i < n) out[i] = unit(in[i]);
}
KERNEL(mended_unit_turns)(float4 const* __restrict__ in, float4* out, unsigned n) {
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) out[i] = unit(in[i]);
}
OUTSIDE_PAIR(unit_turns, tiny_blocks) {
    unsigned const n = memory.pick(10'000'000u, 9'000u);
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * 4));
    results<float> const out = memory.output<float>(std::size_t{n} * 4);
    unsigned const bad_grid = blocks_for(n, 32);
    unsigned const grid = memory.pick(full_grid, 8u);
    return {[=] { bad_unit_turns<<<bad_grid, 32>>>(in, reinterpret_cast<float4*>(out.bad), n); },
            [=] { mended_unit_turns<<<grid, 256>>>(in, reinterpret_cast<float4*>(out.mended), n); }};
}

// Finance: payoffs by simulated paths with changing volatility, in pieces of 256 paths. 1120 blocks have 16 pieces each, which is
// a little more than one wave of 1056; or the pieces go round over one wave.
namespace {

template <bool Fast>
__device__ float payoff(unsigned path, unsigned steps) {
    float price = 1;
    float variance = 0.04f;
    unsigned state = mixed(path + 77);
    for (unsigned t = 0; t < steps; ++t) {
        state = state * 1664525u + 1013904223u;
        float const a = share_of(state) - 0.5f;
        state = state * 1664525u + 1013904223u;
        float const b = share_of(state) - 0.5f;
        float const deviation = Fast ? variance * rsqrtf(variance) : __fsqrt_rn(variance);
        price += price * deviation * a * 0.3f;
        variance = fmaxf(1e-4f, variance + 0.02f * (0.04f - variance) + 0.05f * deviation * b);
    }
    return fmaxf(0.0f, price - 0.5f);
}

} // namespace

KERNEL(bad_path_payoffs)(float* out, unsigned of_block, unsigned steps) {
    for (unsigned k = 0; k < of_block; ++k) {
        unsigned const path = (blockIdx.x * of_block + k) * 256 + threadIdx.x;
        out[path] = payoff<false>(path, steps);
    }
}
KERNEL(mended_path_payoffs)(float* out, unsigned pieces, unsigned steps) {
    for (unsigned piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        unsigned const path = piece * 256 + threadIdx.x;
        out[path] = payoff<false>(path, steps);
    }
}
OUTSIDE_PAIR(path_payoffs, tail_effect) {
    unsigned const bad_grid = memory.pick(1120u, 20u);
    unsigned const grid = memory.pick(full_grid, 16u);
    unsigned const of_block = memory.pick(16u, 2u);
    unsigned const steps = memory.pick(250u, 8u);
    results<float> const out = memory.output<float>(bad_grid * of_block * 256);
    return {[=] { bad_path_payoffs<<<bad_grid, 256>>>(out.bad, of_block, steps); },
            [=] { mended_path_payoffs<<<grid, 256>>>(out.mended, bad_grid * of_block, steps); }};
}

// The paths of mended_path_payoffs, by roots to the last bit, or fast ones.
KERNEL(bad_path_payoffs_again)(float* out, unsigned pieces, unsigned steps) {
    for (unsigned piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        unsigned const path = piece * 256 + threadIdx.x;
        out[path] = payoff<false>(path, steps);
    }
}
KERNEL(mended_path_payoffs_again)(float* out, unsigned pieces, unsigned steps) {
    for (unsigned piece = blockIdx.x; piece < pieces; piece += gridDim.x) {
        unsigned const path = piece * 256 + threadIdx.x;
        out[path] = payoff<true>(path, steps);
    }
}
AGAIN_PAIR(path_payoffs_again, slow_functions) {
    unsigned const grid = memory.pick(full_grid, 16u), pieces = memory.pick(17920u, 40u);
    unsigned const steps = memory.pick(250u, 8u);
    results<float> const out = memory.output<float>(pieces * 256, 1e-3);
    return {[=] { bad_path_payoffs_again<<<grid, 256>>>(out.bad, pieces, steps); },
            [=] { mended_path_payoffs_again<<<grid, 256>>>(out.mended, pieces, steps); }};
}

// Particles: the weights of all points after each point. The block of the first points has the most to do; or a block has two
// groups of 128 points, one from either end, and two threads a point.
namespace {

// Of the points from `first` on, every `step`th.
__device__ float weight_of_later(float2 const* points, unsigned n, unsigned point, unsigned first, unsigned step) {
    float2 const own = points[point];
    float sum = 0;
    for (unsigned j = first; j < n; j += step) {
        float2 const other = points[j];
        float const x = own.x - other.x;
        float const y = own.y - other.y;
        sum += j > point ? __fdividef(1.0f, 0.01f + x * x + y * y) : 0.0f;
    }
    return sum;
}

} // namespace

KERNEL(bad_later_points)(float2 const* __restrict__ points, float* out, unsigned n) {
    out[global_thread()] = weight_of_later(points, n, global_thread(), blockIdx.x * 256, 1);
}
KERNEL(mended_later_points)(float2 const* __restrict__ points, float* out, unsigned n) {
    unsigned const groups = gridDim.x * 2;
    for (unsigned end = 0; end < 2; ++end) {
        unsigned const group = end == 0 ? blockIdx.x : groups - 1 - blockIdx.x;
        unsigned const point = group * 128 + threadIdx.x / 2;
        float const own = weight_of_later(points, n, point, group * 128 + threadIdx.x % 2, 2);
        float const sum = own + __shfl_xor_sync(~0u, own, 1);
        if (threadIdx.x % 2 == 0) out[point] = sum;
    }
}
OUTSIDE_PAIR(later_points, workload_imbalance) {
    unsigned const n = memory.pick(sms * 512u, 1024u);
    auto const* const points = reinterpret_cast<float2 const*>(memory.input<float>(std::size_t{n} * 2));
    results<float> const out = memory.output<float>(n, 1e-3);
    return {[=] { bad_later_points<<<n / 256, 256>>>(points, out.bad, n); },
            [=] { mended_later_points<<<n / 256, 256>>>(points, out.mended, n); }};
}

// Imaging: medians of 3 x 3 pixels of 40 pictures of 256 x 256. A block a picture, or 32 blocks a picture.
namespace {

__device__ void sort_two(int& a, int& b) {
    int const smaller = min(a, b);
    b = max(a, b);
    a = smaller;
}
__device__ int median_of_9(int (&v)[9]) {
    sort_two(v[1], v[2]), sort_two(v[4], v[5]), sort_two(v[7], v[8]);
    sort_two(v[0], v[1]), sort_two(v[3], v[4]), sort_two(v[6], v[7]);
    sort_two(v[1], v[2]), sort_two(v[4], v[5]), sort_two(v[7], v[8]);
    sort_two(v[0], v[3]), sort_two(v[5], v[8]), sort_two(v[4], v[7]);
    sort_two(v[3], v[6]), sort_two(v[1], v[4]), sort_two(v[2], v[5]);
    sort_two(v[4], v[7]), sort_two(v[4], v[2]), sort_two(v[6], v[4]);
    sort_two(v[4], v[2]);
    return v[4];
}
__device__ void medians(std::uint8_t const* in, std::uint8_t* out, int height, unsigned first_row, unsigned rows) {
    std::size_t const picture = std::size_t{blockIdx.y} * static_cast<unsigned>(height) * 256;
    int const x = static_cast<int>(threadIdx.x);
    for (int y = static_cast<int>(first_row); y < static_cast<int>(first_row + rows); ++y) {
        int around[9];
#pragma unroll
        for (int k = 0; k < 9; ++k) {
            int const row = min(height - 1, max(0, y + k / 3 - 1));
            int const column = min(255, max(0, x + k % 3 - 1));
            around[k] = in[picture + static_cast<unsigned>(row * 256 + column)];
        }
        out[picture + static_cast<unsigned>(y * 256 + x)] = static_cast<std::uint8_t>(median_of_9(around));
    }
}

} // namespace

KERNEL(bad_small_pictures)(std::uint8_t const* __restrict__ in, std::uint8_t* out, int height) {
    medians(in, out, height, 0, static_cast<unsigned>(height));
}
KERNEL(mended_small_pictures)(std::uint8_t const* __restrict__ in, std::uint8_t* out, int height) {
    medians(in, out, height, blockIdx.x * 8, 8);
}
OUTSIDE_PAIR(small_pictures, small_grid) {
    unsigned const height = memory.pick(256u, 16u);
    unsigned const pictures = memory.pick(40u, 2u);
    std::size_t const n = std::size_t{pictures} * height * 256;
    std::uint8_t const* const in = memory.input<std::uint8_t>(n);
    results<std::uint8_t> const out = memory.output<std::uint8_t>(n, 0);
    int const rows = static_cast<int>(height);
    return {[=] { bad_small_pictures<<<dim3(1, pictures), 256>>>(in, out.bad, rows); },
            [=] { mended_small_pictures<<<dim3(height / 8, pictures), 256>>>(in, out.mended, rows); }};
}

// Physics: a wave of 16 complex values a thread, turned into its spectrum, damped, and back. The compiler is held to 32
// registers, or free.
namespace {

__device__ void spectrum_of_16(float (&re)[16], float (&im)[16]) {
    constexpr float cosines[8] = {1, 0.92387953f,  0.70710678f,  0.38268343f,
                                  0, -0.38268343f, -0.70710678f, -0.92387953f};
    constexpr float sines[8] = {0, 0.38268343f, 0.70710678f, 0.92387953f, 1, 0.92387953f, 0.70710678f, 0.38268343f};
#pragma unroll
    for (unsigned half_size = 8; half_size > 0; half_size /= 2)
#pragma unroll
        for (unsigned pair_of = 0; pair_of < 8; ++pair_of) {
            unsigned const k = pair_of % half_size;
            unsigned const a = pair_of / half_size * half_size * 2 + k;
            unsigned const b = a + half_size;
            float const c = cosines[k * (8 / half_size)];
            float const s = sines[k * (8 / half_size)];
            float const x = re[a] - re[b];
            float const y = im[a] - im[b];
            re[a] += re[b];
            im[a] += im[b];
            re[b] = x * c + y * s;
            im[b] = y * c - x * s;
        }
}
__device__ void damped_wave(float const* in, float* out, unsigned n, unsigned turns) {
    unsigned const i = global_thread();
    float re[16], im[16];
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) {
        re[k] = in[k * n + i];
        im[k] = in[(16 + k) * n + i];
    }
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t) {
        spectrum_of_16(re, im);
#pragma unroll
        for (unsigned k = 0; k < 16; ++k) {
            float const x = re[k] * 0.25f;
            re[k] = im[k] * 0.25f;
            im[k] = x;
        }
    }
#pragma unroll
    for (unsigned k = 0; k < 16; ++k) out[k * n + i] = re[k] * re[k] + im[k] * im[k];
}

} // namespace

KERNEL(__launch_bounds__(256, 8) bad_damped_waves)
(float const* __restrict__ in, float* out, unsigned n, unsigned turns) { damped_wave(in, out, n, turns); }
KERNEL(__launch_bounds__(256) mended_damped_waves)
(float const* __restrict__ in, float* out, unsigned n, unsigned turns) { damped_wave(in, out, n, turns); }
OUTSIDE_PAIR(damped_waves, register_spills) {
    unsigned const n = memory.pick(threads_of_gpu, 1024u);
    unsigned const turns = memory.pick(40u, 4u);
    float const* const in = memory.input<float>(std::size_t{n} * 32);
    results<float> const out = memory.output<float>(std::size_t{n} * 16, 1e-3);
    return {[=] { bad_damped_waves<<<n / 256, 256>>>(in, out.bad, n, turns); },
            [=] { mended_damped_waves<<<n / 256, 256>>>(in, out.mended, n, turns); }};
}

// Finance: the mean of the last 16 prices at each time, by a ring of 16 values whose place is known at run time only, or when the
// loop is unrolled.
KERNEL(bad_rolling_means)(float const* __restrict__ prices, float* out, unsigned shares, unsigned times) {
    unsigned const share = global_thread();
    if (share >= shares) return;
    float ring[16] = {};
    float sum = 0;
    for (unsigned t = 0; t < times; ++t) {
        float const price = prices[std::size_t{t} * shares + share];
        sum += price - ring[t % 16];
        ring[t % 16] = price;
        out[std::size_t{t} * shares + share] = sum * 0.0625f;
    }
}
KERNEL(mended_rolling_means)(float const* __restrict__ prices, float* out, unsigned shares, unsigned times) {
    unsigned const share = global_thread();
    if (share >= shares) return;
    float ring[16] = {};
    float sum = 0;
#pragma unroll 1
    for (unsigned first = 0; first < times; first += 16)
#pragma unroll
        for (unsigned k = 0; k < 16; ++k) {
            float const price = prices[std::size_t{first + k} * shares + share];
            sum += price - ring[k];
            ring[k] = price;
            out[std::size_t{first + k} * shares + share] = sum * 0.0625f;
        }
}
OUTSIDE_PAIR(rolling_means, local_memory_arrays) {
    unsigned const shares = memory.pick(threads_of_gpu, 1000u);
    unsigned const times = memory.pick(128u, 32u);
    std::size_t const n = std::size_t{shares} * times;
    float const* const prices = memory.input<float>(n);
    results<float> const out = memory.output<float>(n);
    unsigned const grid = blocks_for(shares, 256);
    return {[=] { bad_rolling_means<<<grid, 256>>>(prices, out.bad, shares, times); },
            [=] { mended_rolling_means<<<grid, 256>>>(prices, out.mended, shares, times); }};
}

// Molecules: pulls of neighbours after Lennard and Jones, with literals of double precision or of single.
namespace {

struct places {
    float const* x;
    float const* y;
    float const* z;
};

} // namespace

KERNEL(bad_neighbour_pulls)
(places at, unsigned const* __restrict__ neighbours, float* out, unsigned n, unsigned of_one) {
    unsigned const i = global_thread();
    if (i >= n) return;
    float pull = 0;
    for (unsigned k = 0; k < of_one; ++k) {
        unsigned const j = neighbours[k * n + i];
        float const x = at.x[i] - at.x[j];
        float const y = at.y[i] - at.y[j];
        float const z = at.z[i] - at.z[j];
        float const square = x * x + y * y + z * z + 0.6;
        float const sixth = 1.0 / (square * square * square);
        pull += 24.0 * sixth * (2.0 * sixth - 1.0) / square;
    }
    out[i] = pull;
}
KERNEL(mended_neighbour_pulls)
(places at, unsigned const* __restrict__ neighbours, float* out, unsigned n, unsigned of_one) {
    unsigned const i = global_thread();
    if (i >= n) return;
    float pull = 0;
    for (unsigned k = 0; k < of_one; ++k) {
        unsigned const j = neighbours[k * n + i];
        float const x = at.x[i] - at.x[j];
        float const y = at.y[i] - at.y[j];
        float const z = at.z[i] - at.z[j];
        float const square = x * x + y * y + z * z + 0.6f;
        float const sixth = 1.0f / (square * square * square);
        pull += 24.0f * sixth * (2.0f * sixth - 1.0f) / square;
    }
    out[i] = pull;
}
OUTSIDE_PAIR(neighbour_pulls, accidental_fp64) {
    unsigned const n = memory.pick(400'000u, 1'000u);
    unsigned const of_one = memory.pick(48u, 8u);
    std::vector<unsigned> neighbours = workspace::values<unsigned>(std::size_t{n} * of_one);
    for (std::size_t i = 0; i < neighbours.size(); ++i)
        neighbours[i] = static_cast<unsigned>((i + (neighbours[i] >> 9) % 200) % n);
    unsigned const* const near = memory.upload(neighbours);
    places const at{memory.input<float>(n), memory.input<float>(n + 11) + 11, memory.input<float>(n + 23) + 23};
    results<float> const out = memory.output<float>(n, 2e-3);
    unsigned const grid = blocks_for(n, 128);
    return {[=] { bad_neighbour_pulls<<<grid, 128>>>(at, near, out.bad, n, of_one); },
            [=] { mended_neighbour_pulls<<<grid, 128>>>(at, near, out.mended, n, of_one); }};
}

// The pulls of mended_neighbour_pulls, of one neighbour at a time or of eight, whose places are under way together.
KERNEL(bad_neighbour_pulls_again)
(places at, unsigned const* __restrict__ neighbours, float* out, unsigned n, unsigned of_one) {
    unsigned const i = global_thread();
    if (i >= n) return;
    float pull = 0;
#pragma unroll 1
    for (unsigned k = 0; k < of_one; ++k) {
        unsigned const j = neighbours[k * n + i];
        float const x = at.x[i] - at.x[j];
        float const y = at.y[i] - at.y[j];
        float const z = at.z[i] - at.z[j];
        float const square = x * x + y * y + z * z + 0.6f;
        float const sixth = 1.0f / (square * square * square);
        pull += 24.0f * sixth * (2.0f * sixth - 1.0f) / square;
    }
    out[i] = pull;
}
KERNEL(mended_neighbour_pulls_again)
(places at, unsigned const* __restrict__ neighbours, float* out, unsigned n, unsigned of_one) {
    constexpr unsigned together = 8;
    unsigned const i = global_thread();
    if (i >= n) return;
    float const own_x = at.x[i], own_y = at.y[i], own_z = at.z[i];
    float pull = 0;
#pragma unroll 1
    for (unsigned first = 0; first < of_one; first += together) {
        unsigned j[together];
        float x[together], y[together], z[together];
#pragma unroll
        for (unsigned k = 0; k < together; ++k) j[k] = neighbours[(first + k) * n + i];
#pragma unroll
        for (unsigned k = 0; k < together; ++k) {
            x[k] = at.x[j[k]];
            y[k] = at.y[j[k]];
            z[k] = at.z[j[k]];
        }
#pragma unroll
        for (unsigned k = 0; k < together; ++k) {
            float const dx = own_x - x[k], dy = own_y - y[k], dz = own_z - z[k];
            float const square = dx * dx + dy * dy + dz * dz + 0.6f;
            float const sixth = 1.0f / (square * square * square);
            pull += 24.0f * sixth * (2.0f * sixth - 1.0f) / square;
        }
    }
    out[i] = pull;
}
AGAIN_PAIR(neighbour_pulls_again, dependent_loads) {
    unsigned const n = memory.pick(400'000u, 1'000u);
    unsigned const of_one = memory.pick(48u, 8u);
    std::vector<unsigned> neighbours = workspace::values<unsigned>(std::size_t{n} * of_one);
    for (std::size_t i = 0; i < neighbours.size(); ++i)
        neighbours[i] = static_cast<unsigned>((i + (neighbours[i] >> 9) % 200) % n);
    unsigned const* const near = memory.upload(neighbours);
    places const at{memory.input<float>(n), memory.input<float>(n + 11) + 11, memory.input<float>(n + 23) + 23};
    results<float> const out = memory.output<float>(n, 2e-3);
    unsigned const grid = blocks_for(n, 128);
    return {[=] { bad_neighbour_pulls_again<<<grid, 128>>>(at, near, out.bad, n, of_one); },
            [=] { mended_neighbour_pulls_again<<<grid, 128>>>(at, near, out.mended, n, of_one); }};
}

// Noise of a sensor by pairs of normal random numbers, by exact functions or by those of the hardware.
KERNEL(bad_sensor_noise)(float* out, unsigned turns) {
    unsigned state = mixed(global_thread() + 5);
    float sum = 0;
    for (unsigned k = 0; k < turns; ++k) {
        state = state * 1664525u + 1013904223u;
        float const length = sqrtf(-2.0f * logf(share_of(state)));
        state = state * 1664525u + 1013904223u;
        float const angle = 6.2831853f * (share_of(state) - 0.5f);
        sum += fabsf(length * cosf(angle)) + fabsf(length * sinf(angle));
    }
    out[global_thread()] = sum;
}
KERNEL(mended_sensor_noise)(float* out, unsigned turns) {
    unsigned state = mixed(global_thread() + 5);
    float sum = 0;
    for (unsigned k = 0; k < turns; ++k) {
        state = state * 1664525u + 1013904223u;
        float const square = -2.0f * __logf(share_of(state));
        float const length = square * rsqrtf(fmaxf(square, 1e-12f));
        state = state * 1664525u + 1013904223u;
        float const angle = 6.2831853f * (share_of(state) - 0.5f);
        sum += fabsf(length * __cosf(angle)) + fabsf(length * __sinf(angle));
    }
    out[global_thread()] = sum;
}
OUTSIDE_PAIR(sensor_noise, slow_functions) {
    unsigned const grid = memory.pick(sms * 16u, 8u);
    unsigned const turns = memory.pick(64u, 8u);
    results<float> const out = memory.output<float>(grid * 128, 2e-3);
    return {[=] { bad_sensor_noise<<<grid, 128>>>(out.bad, turns); },
            [=] { mended_sensor_noise<<<grid, 128>>>(out.mended, turns); }};
}

// Imaging: means of 2 x 2 pixels of a picture that lies in square bricks. The side of a brick, a power of two, divides; or its
// exponent shifts.
namespace {

struct brick_by_division {
    unsigned side;
    unsigned of_row;
    __device__ unsigned operator()(unsigned x, unsigned y) const {
        return ((y / side) * of_row + x / side) * side * side + y % side * side + x % side;
    }
};
struct brick_by_shift {
    unsigned exponent;
    unsigned of_row;
    __device__ unsigned operator()(unsigned x, unsigned y) const {
        unsigned const mask = (1u << exponent) - 1;
        return (((y >> exponent) * of_row + (x >> exponent)) << 2 * exponent) + ((y & mask) << exponent) + (x & mask);
    }
};
template <class Place>
__device__ void bricks(float const* in, float* out, Place place) {
    unsigned const x = blockIdx.x * 32 + threadIdx.x;
    unsigned const y = blockIdx.y * 8 + threadIdx.y;
    unsigned const width = gridDim.x * 32;
    unsigned const right = min(x + 1, width - 1);
    unsigned const below = min(y + 1, gridDim.y * 8 - 1);
    out[y * width + x] =
        0.25f * (in[place(x, y)] + in[place(right, y)] + in[place(x, below)] + in[place(right, below)]);
}

} // namespace

KERNEL(bad_bricks)(float const* __restrict__ in, float* out, brick_by_division place) { bricks(in, out, place); }
KERNEL(mended_bricks)(float const* __restrict__ in, float* out, brick_by_shift place) { bricks(in, out, place); }
OUTSIDE_PAIR(bricks, integer_division) {
    unsigned const width = memory.pick(6144u, 128u);
    unsigned const height = memory.pick(4096u, 32u);
    float const* const in = memory.input<float>(std::size_t{width} * height);
    results<float> const out = memory.output<float>(std::size_t{width} * height);
    dim3 const grid(width / 32, height / 8);
    return {[=] {
                bad_bricks<<<grid, dim3(32, 8)>>>(in, out.bad, brick_by_division{8, width / 8});
            },
            [=] {
                mended_bricks<<<grid, dim3(32, 8)>>>(in, out.mended, brick_by_shift{3, width / 8});
            }};
}

// Dynamics: orbits of a map that is a polynomial, four a thread, one after the other or side by side. 64 threads an SM.
namespace {

__device__ float next_of_orbit(float x) {
    constexpr float c[9] = {0.31f, -0.52f, 0.17f, 0.43f, -0.29f, 0.11f, -0.07f, 0.05f, 0.02f};
    float y = c[8];
#pragma unroll
    for (unsigned k = 8; k-- > 0;) y = fmaf(y, x, c[k]);
    return y;
}

} // namespace

KERNEL(bad_orbits)(float const* __restrict__ in, float* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 1
    for (unsigned k = 0; k < 4; ++k) {
        float x = in[k * threads + global_thread()];
#pragma unroll 1
        for (unsigned t = 0; t < turns; ++t) x = next_of_orbit(x);
        out[k * threads + global_thread()] = x;
    }
}
KERNEL(mended_orbits)(float const* __restrict__ in, float* out, unsigned turns) {
    unsigned const threads = gridDim.x * blockDim.x;
    float x[4];
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) x[k] = in[k * threads + global_thread()];
#pragma unroll 1
    for (unsigned t = 0; t < turns; ++t)
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) x[k] = next_of_orbit(x[k]);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) out[k * threads + global_thread()] = x[k];
}
OUTSIDE_PAIR(orbits, dependent_arithmetic) {
    unsigned const grid = memory.pick(sms, 4u);
    unsigned const turns = memory.pick(1000u, 20u);
    float const* const in = memory.input<float>(grid * 256);
    results<float> const out = memory.output<float>(grid * 256);
    return {[=] { bad_orbits<<<grid, 64>>>(in, out.bad, turns); },
            [=] { mended_orbits<<<grid, 64>>>(in, out.mended, turns); }};
}

// Inference: an activation in half precision, a polynomial that is applied several times, value by value or two at once.
namespace {

template <class T>
__device__ T polynomial_of_halves(T x, T const (&c)[4]) {
#pragma unroll
    for (unsigned turn = 0; turn < 8; ++turn) {
        T y = c[3];
#pragma unroll
        for (unsigned k = 3; k-- > 0;) y = __hfma(y, x, c[k]);
        x = y;
    }
    return x;
}
template <>
__device__ half2 polynomial_of_halves(half2 x, half2 const (&c)[4]) {
#pragma unroll
    for (unsigned turn = 0; turn < 8; ++turn) {
        half2 y = c[3];
#pragma unroll
        for (unsigned k = 3; k-- > 0;) y = __hfma2(y, x, c[k]);
        x = y;
    }
    return x;
}
union eight_halves {
    uint4 words;
    half single[8];
    half2 twice[4];
    __device__ explicit eight_halves(uint4 from) : words(from) {}
};

} // namespace

KERNEL(bad_half_activation)(uint4 const* __restrict__ in, float4 weights, uint4* out) {
    half const c[4] = {__float2half(weights.x), __float2half(weights.y), __float2half(weights.z),
                       __float2half(weights.w)};
    eight_halves all(in[global_thread()]);
#pragma unroll
    for (unsigned k = 0; k < 8; ++k) all.single[k] = polynomial_of_halves(all.single[k], c);
    out[global_thread()] = all.words;
}
KERNEL(mended_half_activation)(uint4 const* __restrict__ in, float4 weights, uint4* out) {
    half2 const c[4] = {__float2half2_rn(weights.x), __float2half2_rn(weights.y), __float2half2_rn(weights.z),
                        __float2half2_rn(weights.w)};
    eight_halves all(in[global_thread()]);
#pragma unroll
    for (unsigned k = 0; k < 4; ++k) all.twice[k] = polynomial_of_halves(all.twice[k], c);
    out[global_thread()] = all.words;
}
OUTSIDE_PAIR(half_activation, scalar_half) {
    unsigned const grid = memory.pick(sms * 128u, 8u);
    std::size_t const n = std::size_t{grid} * 256 * 8;
    auto const* const in = reinterpret_cast<uint4 const*>(memory.input<half>(n));
    results<half> const out = memory.output<half>(n, 1e-2);
    float4 const weights = make_float4(0.4f, 0.5f, -0.2f, 0.1f);
    return {[=] { bad_half_activation<<<grid, 256>>>(in, weights, reinterpret_cast<uint4*>(out.bad)); },
            [=] { mended_half_activation<<<grid, 256>>>(in, weights, reinterpret_cast<uint4*>(out.mended)); }};
}

// From here on, kernels without a flaw.

// Sequencing: how many of a stretch of bases are G or C, 16 bases a word of two bits each, a block a stretch.
KERNEL(clean_gc_content)(uint4 const* __restrict__ bases, unsigned* out, unsigned of_stretch) {
    __shared__ int of_warps[8];
    uint4 const* const own = bases + std::size_t{blockIdx.x} * of_stretch;
    int count = 0;
#pragma unroll 4
    for (unsigned i = threadIdx.x; i < of_stretch; i += 256) {
        uint4 const v = own[i];
        constexpr unsigned low = 0x55555555u; // 1 and 2 are C and G: their two bits differ
        count += __popc((v.x ^ (v.x >> 1)) & low) + __popc((v.y ^ (v.y >> 1)) & low) +
                 __popc((v.z ^ (v.z >> 1)) & low) + __popc((v.w ^ (v.w >> 1)) & low);
    }
    count = __reduce_add_sync(~0u, count);
    if (threadIdx.x % 32 == 0) of_warps[threadIdx.x / 32] = count;
    __syncthreads();
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int const each : of_warps) sum += each;
        out[blockIdx.x] = static_cast<unsigned>(sum);
    }
}
OUTSIDE_CLEAN(gc_content) {
    unsigned const grid = memory.pick(full_grid * 2, 6u);
    unsigned const of_stretch = memory.pick(256u * 16, 256u * 3);
    std::size_t const words = std::size_t{grid} * of_stretch * 4;
    auto const* const bases = reinterpret_cast<uint4 const*>(memory.input<unsigned>(words));
    auto const values = std::make_shared<std::vector<unsigned> const>(
        workspace::values<unsigned>(std::min<std::size_t>(words, workspace::period)));
    unsigned* const out = memory.clean_output<unsigned>(
        grid,
        [=](std::size_t block) {
            unsigned count = 0;
            for (std::size_t i = block * of_stretch * 4; i < (block + 1) * of_stretch * 4; ++i) {
                unsigned const v = (*values)[i % values->size()];
                for (unsigned b = 0; b < 32; b += 2) count += (v >> b ^ v >> (b + 1)) & 1;
            }
            return static_cast<double>(count);
        },
        0, 40);
    return {nullptr, [=] { clean_gc_content<<<grid, 256>>>(bases, out, of_stretch); }};
}

// Imaging: light and two colours of three planes, four pixels a thread.
KERNEL(clean_light_and_colours)(float4 const* __restrict__ in, float4* out, unsigned n) {
    unsigned const i = global_thread();
    if (i >= n) return;
    float4 const r = in[i], g = in[n + i], b = in[2 * n + i];
    auto const light = [](float x, float y, float z) { return 0.299f * x + 0.587f * y + 0.114f * z; };
    float4 const l =
        make_float4(light(r.x, g.x, b.x), light(r.y, g.y, b.y), light(r.z, g.z, b.z), light(r.w, g.w, b.w));
    out[i] = l;
    out[n + i] = make_float4((b.x - l.x) * 0.564f, (b.y - l.y) * 0.564f, (b.z - l.z) * 0.564f, (b.w - l.w) * 0.564f);
    out[2 * n + i] =
        make_float4((r.x - l.x) * 0.713f, (r.y - l.y) * 0.713f, (r.z - l.z) * 0.713f, (r.w - l.w) * 0.713f);
}
OUTSIDE_CLEAN(light_and_colours) {
    unsigned const n = memory.pick(3'000'000u, 3'000u); // of four pixels
    std::size_t const pixels = std::size_t{n} * 4;
    auto const* const in = reinterpret_cast<float4 const*>(memory.input<float>(pixels * 3));
    pattern const values(pixels * 3);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(
        pixels * 3,
        [=](std::size_t i) {
            std::size_t const p = i % pixels;
            double const r = values[p], g = values[pixels + p], b = values[2 * pixels + p];
            double const l = 0.299 * r + 0.587 * g + 0.114 * b;
            return i < pixels ? l : i < 2 * pixels ? (b - l) * 0.564 : (r - l) * 0.713;
        },
        2e-3));
    return {nullptr, [=] { clean_light_and_colours<<<blocks_for(n, 256), 256>>>(in, out, n); }};
}

// Clustering: the nearest of 16 centres of points in four dimensions. The centres are in shared memory, the same for all lanes.
KERNEL(clean_nearest_of_16)
(float4 const* __restrict__ points, float4 const* __restrict__ centres, unsigned* out, unsigned n) {
    __shared__ float4 all[16];
    if (threadIdx.x < 16) all[threadIdx.x] = centres[threadIdx.x];
    __syncthreads();
    unsigned const i = global_thread();
    if (i >= n) return;
    float4 const p = points[i];
    float least = INFINITY;
    unsigned nearest = 0;
#pragma unroll
    for (unsigned c = 0; c < 16; ++c) {
        float4 const at = all[c];
        float const x = p.x - at.x, y = p.y - at.y, z = p.z - at.z, w = p.w - at.w;
        float const square = x * x + y * y + z * z + w * w;
        if (square < least) least = square, nearest = c;
    }
    out[i] = nearest + 1;
}
OUTSIDE_CLEAN(nearest_of_16) {
    unsigned const n = memory.pick(threads_of_gpu * 24, 4'000u);
    std::vector<float> centres(64);
    for (unsigned c = 0; c < 64; ++c)
        centres[c] = c / 4 % 2 == (c % 4 == 0) ? 0.7f : 1.3f - static_cast<float>(c) * 0.01f;
    auto const* const points = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * 4));
    auto const* const at = reinterpret_cast<float4 const*>(memory.upload(centres));
    pattern const values(std::size_t{n} * 4);
    unsigned* const out = memory.clean_output<unsigned>(
        n,
        [=](std::size_t i) {
            float least = INFINITY;
            unsigned nearest = 0;
            for (unsigned c = 0; c < 16; ++c) {
                float square = 0;
                for (unsigned d = 0; d < 4; ++d) {
                    float const apart = static_cast<float>(values[i * 4 + d]) - centres[c * 4 + d];
                    square = std::fma(apart, apart, square);
                }
                if (square < least) least = square, nearest = c;
            }
            return nearest + 1.0;
        },
        0);
    return {nullptr, [=] { clean_nearest_of_16<<<blocks_for(n, 256), 256>>>(points, at, out, n); }};
}

// Compression: values from their differences, 1024 a block, four a thread, by shuffles.
KERNEL(clean_delta_decode)(uint4 const* __restrict__ deltas, uint4* out) {
    __shared__ unsigned of_warps[8];
    uint4 v = deltas[global_thread()];
    v.y += v.x, v.z += v.y, v.w += v.z;
    unsigned before = v.w;
#pragma unroll
    for (unsigned apart = 1; apart < 32; apart *= 2) {
        unsigned const other = __shfl_up_sync(~0u, before, apart);
        if (threadIdx.x % 32 >= apart) before += other;
    }
    if (threadIdx.x % 32 == 31) of_warps[threadIdx.x / 32] = before;
    before -= v.w;
    __syncthreads();
#pragma unroll
    for (unsigned w = 0; w < 7; ++w) before += w < threadIdx.x / 32 ? of_warps[w] : 0;
    out[global_thread()] = make_uint4(v.x + before, v.y + before, v.z + before, v.w + before);
}
OUTSIDE_CLEAN(delta_decode) {
    unsigned const grid = memory.pick(full_grid * 24, 12u);
    std::size_t const n = std::size_t{grid} * 1024;
    auto const* const deltas = reinterpret_cast<uint4 const*>(memory.input<unsigned>(n));
    auto const values = std::make_shared<std::vector<unsigned> const>(
        workspace::values<unsigned>(std::min<std::size_t>(n, workspace::period)));
    auto* const out = reinterpret_cast<uint4*>(memory.clean_output<unsigned>(
        n,
        [=](std::size_t i) {
            unsigned sum = 0;
            for (std::size_t j = i / 1024 * 1024; j <= i; ++j) sum += (*values)[j % values->size()];
            return static_cast<double>(sum);
        },
        0));
    return {nullptr, [=] { clean_delta_decode<<<grid, 256>>>(deltas, out); }};
}

// Inference: a residual is added to a scaled layer in half precision, eight values a thread.
KERNEL(clean_half_residual)
(uint4 const* __restrict__ layer, uint4 const* __restrict__ residual, float scale, uint4* out, unsigned n) {
    half2 const factor = __float2half2_rn(scale);
    for (unsigned i = global_thread(); i < n; i += gridDim.x * blockDim.x) {
        eight_halves x(layer[i]);
        eight_halves const y(residual[i]);
#pragma unroll
        for (unsigned k = 0; k < 4; ++k) x.twice[k] = __hfma2(x.twice[k], factor, y.twice[k]);
        out[i] = x.words;
    }
}
OUTSIDE_CLEAN(half_residual) {
    unsigned const n = memory.pick(4'000'000u, 4'000u);
    std::size_t const halves = std::size_t{n} * 8;
    auto const* const layer = reinterpret_cast<uint4 const*>(memory.input<half>(halves));
    auto const* const residual = reinterpret_cast<uint4 const*>(memory.input<half>(halves + 64)) + 8;
    pattern const values(halves + 64);
    auto* const out = reinterpret_cast<uint4*>(memory.clean_output<half>(
        halves, [=](std::size_t i) { return 0.125 * values[i] + values[i + 64]; }, 5e-3));
    unsigned const grid = memory.pick(full_grid, 8u);
    return {nullptr, [=] { clean_half_residual<<<grid, 256>>>(layer, residual, 0.125f, out, n); }};
}

// Accounting: interest upon interest, which double precision needs, for it is exact to the cent.
KERNEL(clean_savings)(double const* __restrict__ in, double* out, unsigned n, unsigned months) {
    unsigned const i = global_thread();
    if (i >= n) return;
    double balance = in[i];
    for (unsigned m = 0; m < months; ++m) balance = fma(balance, 1.0 + 1.0 / 512, 0.25);
    out[i] = balance;
}
OUTSIDE_CLEAN(savings) {
    unsigned const n = memory.pick(threads_of_gpu * 4, 1'000u);
    unsigned const months = memory.pick(240u, 12u);
    double const* const in = memory.input<double>(n);
    auto const values = std::make_shared<std::vector<double> const>(
        workspace::values<double>(std::min<std::size_t>(n, workspace::period)));
    double* const out = memory.clean_output<double>(
        n,
        [=](std::size_t i) {
            double balance = (*values)[i % values->size()];
            for (unsigned m = 0; m < months; ++m) balance = std::fma(balance, 1.0 + 1.0 / 512, 0.25);
            return balance;
        },
        1e-14);
    return {nullptr, [=] { clean_savings<<<blocks_for(n, 256), 256>>>(in, out, n, months); }};
}

// A table of records of 32 bytes in another order: each record is a sector, two lanes fetch it.
KERNEL(clean_shuffled_records)
(float4 const* __restrict__ records, unsigned const* __restrict__ order, float4* out, unsigned n) {
    unsigned const threads = gridDim.x * blockDim.x;
#pragma unroll 4
    for (unsigned i = global_thread(); i < n * 2; i += threads) out[i] = records[std::size_t{order[i / 2]} * 2 + i % 2];
}
OUTSIDE_CLEAN(shuffled_records) {
    unsigned const n = memory.pick(4'000'000u, 4'000u);
    std::vector<unsigned> order = workspace::values<unsigned>(n);
    for (unsigned& each : order) each = (each >> 3) % n;
    auto const* const records = reinterpret_cast<float4 const*>(memory.input<float>(std::size_t{n} * 8));
    unsigned const* const at = memory.upload(order);
    pattern const values(std::size_t{n} * 8);
    auto* const out = reinterpret_cast<float4*>(memory.clean_output<float>(
        std::size_t{n} * 8, [=](std::size_t i) { return values[std::size_t{order[i / 8]} * 8 + i % 8]; }, 0));
    unsigned const grid = memory.pick(full_grid, 8u);
    return {nullptr, [=] { clean_shuffled_records<<<grid, 256>>>(records, at, out, n); }};
}
