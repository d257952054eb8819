#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Instructions of today on a GPU of capability 9.0, or with the embedded one's libraries in LD_LIBRARY_PATH there: sparse
# products, video instructions and tensor maps.
#
#   instructions.sh BUILD OUT     BUILD: sparse_products, video and tensor_maps, built from the .cu files of these names by
#                                 nvcc -cudart shared -std=c++17 -arch=sm_90a
#
# Writes OUT/last_sparse_products.txt, last_video.txt and last_tensor_maps.txt, which are to be the same on both, all bytes
# of the latter two beside them, and, where there is ncu, counters of sparse products.
build=$1 out=$2
mkdir -p "$out/tensor_maps" || exit 2
timeout 120 "$build/sparse_products" --maps > "$out/last_sparse_products.txt" 2>&1
tail -n 1 "$out/last_sparse_products.txt"
timeout 60 "$build/video" "$out/video.bin" > "$out/last_video.txt" 2>&1
tail -n 1 "$out/last_video.txt"
: > "$out/last_tensor_maps.txt"
for name in $("$build/tensor_maps" list); do # each may end its context
    timeout 10 "$build/tensor_maps" "$name" "$out/tensor_maps" >> "$out/last_tensor_maps.txt" 2>&1 || echo "$name: exit $?" >> "$out/last_tensor_maps.txt"
done
wc -l "$out/last_tensor_maps.txt"
ncu=$(command -v ncu || ls /usr/local/cuda/bin/ncu 2> /dev/null)
test -n "$ncu" || exit 0
metrics=smsp__inst_executed.sum,smsp__inst_executed_pipe_tensor.sum,sm__inst_executed_pipe_tensor.sum
metrics=$metrics,sm__inst_executed_pipe_tensor_op_gmma.sum,sm__inst_executed_pipe_tensor_op_hmma.sum,sm__inst_executed_pipe_tensor_op_imma.sum
metrics=$metrics,l1tex__data_pipe_lsu_wavefronts_mem_shared.sum,sm__pipe_tensor_cycles_active.sum,sm__pipe_tensor_op_hmma_cycles_active.sum
metrics=$metrics,sm__pipe_tensor_op_imma_cycles_active.sum
for op in hgmma_src_fp16 hgmma_src_bf16_dst_fp32 hgmma_src_tf32_dst_fp32 igmma_src_int8 hmma_src_fp16_dst_fp32 \
    hmma_src_fp16_dst_fp16 hmma_src_bf16_dst_fp32 hmma_src_tf32_dst_fp32 imma_src_int8; do
    for way in "" _sparsity_on _sparsity_off; do metrics=$metrics,sm__ops_path_tensor_op_$op$way.sum; done
done
metrics=$metrics,sm__ops_path_tensor_src_fp8.sum,sm__ops_path_tensor_src_fp8_sparsity_on.sum,sm__ops_path_tensor_src_fp8_sparsity_off.sum
timeout 150 "$ncu" --metrics $metrics --csv --page raw --print-units base "$build/sparse_products" --counted > "$out/counters.csv" 2> "$out/ncu.txt"
tail -n 2 "$out/counters.csv" | cut -c 1-200
