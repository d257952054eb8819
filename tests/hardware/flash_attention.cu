// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FlashAttention-3's forward kernels beside attention in double precision on the host. cutlass.py builds it, with the sources of
// github.com/Dao-AILab/flash-attention (hopper/), unchanged, and CUTLASS.
//
//   flash_attention CASE...    of half64, causal64, cluster128, bfloat128, bytes128
//
// Prints the largest error of each case. Exit status 1 if one is beyond what the types of the inputs and of the sums allow.
#include "flash_fwd_launch_template.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

// Only sequences of several lengths need it, which no case has.
void prepare_varlen_num_blocks(Flash_fwd_params&, cudaStream_t, bool, int, int, bool) {}

namespace {

constexpr int batches = 2, heads = 4, groups = 2; // two heads of queries share one of keys

template <class Element>
struct tensor {
    std::vector<Element> host;
    Element* device = nullptr;

    explicit tensor(std::size_t size) : host(size) {
        cudaMalloc(&device, size * sizeof(Element));
        cudaMemset(device, 0, size * sizeof(Element));
    }
    ~tensor() { cudaFree(device); }
    void to_device() { cudaMemcpy(device, host.data(), host.size() * sizeof(Element), cudaMemcpyDefault); }
    cudaError_t to_host() { return cudaMemcpy(host.data(), device, host.size() * sizeof(Element), cudaMemcpyDefault); }
};

template <class Element>
void fill(tensor<Element>& values, unsigned seed) {
    std::mt19937 generator(seed);
    for (auto& each : values.host) each = Element(static_cast<float>(generator() % 2001) / 1000.0f - 1.0f);
    values.to_device();
}

// One row of attention: the sums of the values, weighted by the exponentials of products of a query with the keys.
template <class Element>
std::vector<double> row(const Element* query, const Element* keys, const Element* values, int length, int depth,
                        int step) {
    std::vector<double> scores(length), sum(depth);
    double total = 0;
    for (int key = 0; key < length; ++key) {
        double score = 0;
        for (int at = 0; at < depth; ++at) score += double(float(query[at])) * double(float(keys[key * step + at]));
        scores[key] = std::exp(score / std::sqrt(double(depth)));
        total += scores[key];
    }
    for (int key = 0; key < length; ++key)
        for (int at = 0; at < depth; ++at) sum[at] += scores[key] / total * double(float(values[key * step + at]));
    return sum;
}

// As [batch][position][head][depth]. `tolerance` is absolute: results are averages of values between -1 and 1.
template <class Element, class Output, int Depth, bool Causal, int Cluster>
bool attends(const char* name, int length, double tolerance) {
    const int keys_heads = heads / groups, step = keys_heads * Depth;
    tensor<Element> queries(std::size_t(batches) * length * heads * Depth), keys(queries.host.size() / groups),
        values(queries.host.size() / groups);
    tensor<Output> output(queries.host.size());
    tensor<float> sums(std::size_t(batches) * heads * length);
    tensor<int> semaphore(1);
    fill(queries, 1);
    fill(keys, 2);
    fill(values, 3);

    Flash_fwd_params params;
    std::memset(&params, 0, sizeof params);
    params.q_ptr = queries.device, params.k_ptr = keys.device, params.v_ptr = values.device,
    params.o_ptr = output.device;
    params.q_row_stride = params.o_row_stride = heads * Depth, params.k_row_stride = params.v_row_stride = step;
    params.q_head_stride = params.k_head_stride = params.v_head_stride = params.o_head_stride = Depth;
    params.q_batch_stride = params.o_batch_stride = std::int64_t(length) * heads * Depth;
    params.k_batch_stride = params.v_batch_stride = std::int64_t(length) * step;
    params.v_dim_stride = 1;
    params.h = heads, params.h_k = keys_heads, params.b = params.b_k = batches;
    params.seqlen_q = params.seqlen_k = length, params.d = params.dv = params.d_rounded = params.dv_rounded = Depth;
    params.softmax_lse_ptr = sums.device;
    params.scale_softmax = 1.0f / std::sqrt(float(Depth));
    params.is_causal = Causal;
    params.window_size_left = length - 1, params.window_size_right = Causal ? 0 : length - 1;
    params.num_splits = 1;
    params.tile_count_semaphore = semaphore.device;
    params.arch = 90;
    cudaDeviceGetAttribute(&params.num_sm, cudaDevAttrMultiProcessorCount, 0);
    run_flash_fwd<90, Depth, Depth, Cluster, Element, Output, Causal, false, false, false, false, false, false, false,
                  false, false>(params, nullptr);
    const cudaError_t status = output.to_host();
    if (status != cudaSuccess) {
        std::printf("%s: %s\n", name, cudaGetErrorString(status));
        return false;
    }

    double worst = 0;
    for (int batch = 0; batch < batches; ++batch)
        for (int head = 0; head < heads; ++head)
            for (int at = 0; at < length; ++at) {
                const std::size_t place = (std::size_t(batch) * length + at) * heads * Depth + head * Depth;
                const std::size_t shared = std::size_t(batch) * length * step + head / groups * Depth;
                const auto expected = row(&queries.host[place], &keys.host[shared], &values.host[shared],
                                          Causal ? at + 1 : length, Depth, step);
                for (int part = 0; part < Depth; ++part) {
                    const double error = std::fabs(double(float(output.host[place + part])) - expected[part]);
                    worst = error <= worst ? worst : error; // not a number is the worst
                }
            }
    const bool good = worst <= tolerance;
    std::printf("%s: %zu values, largest error %.5f of %.5f: %s\n", name, output.host.size(), worst, tolerance,
                good ? "passed" : "FAILED");
    return good;
}

} // namespace

int main(int count, char** words) {
    bool good = count > 1;
    for (int at = 1; at < count; ++at) {
        const std::string_view name = words[at];
        using half = cutlass::half_t;
        using bfloat16 = cutlass::bfloat16_t;
        if (name == "half64") good &= attends<half, half, 64, false, 1>("half64", 400, 0.001);
        else if (name == "causal64") good &= attends<half, half, 64, true, 1>("causal64", 400, 0.001);
        else if (name == "cluster128") good &= attends<half, half, 128, false, 2>("cluster128", 256, 0.001);
        else if (name == "bfloat128") good &= attends<bfloat16, bfloat16, 128, true, 1>("bfloat128", 300, 0.008);
        else if (name == "bytes128")
            good &= attends<cutlass::float_e4m3_t, bfloat16, 128, false, 1>("bytes128", 300, 0.05);
        else good = false;
    }
    return good ? 0 : 1;
}
