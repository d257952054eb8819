# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of Triton, each compared with numpy: a line for each, and the number of those that are right.

    triton_kernels.py [NAME...]
"""
import sys

import numpy
import triton
import triton.language as tl
from triton.language.extra import libdevice

import cases
from cases import case, close, not_for, random
from device_array import Bfloat16, DeviceArray

@triton.jit
def add_kernel(x, y, to, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < count
    tl.store(to + at, tl.load(x + at, inside) + tl.load(y + at, inside), inside)


@case
def vector_add():
    compared = 0
    for type in (numpy.float32, numpy.float16, numpy.float64, numpy.int32, numpy.int8):
        x, y = (100 * random(2, 1000)).astype(type)
        to = DeviceArray(numpy.zeros(1000, type))
        add_kernel[(4,)](DeviceArray(x), DeviceArray(y), to, 1000, BLOCK=256)
        compared += close(to.numpy(), x + y, 0)
    return compared


@triton.jit
def softmax_kernel(x, to, rows, columns, BLOCK: tl.constexpr):
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0)):
        at = tl.arange(0, BLOCK)
        values = tl.load(x + row * columns + at, at < columns, -float("inf"))
        powers = tl.exp(values - tl.max(values, 0))
        tl.store(to + row * columns + at, powers / tl.sum(powers, 0), at < columns)


@case
def softmax():
    x = random(37, 300)
    to = DeviceArray(numpy.zeros_like(x))
    softmax_kernel[(8,)](DeviceArray(x), to, 37, 300, BLOCK=512)
    powers = numpy.exp(x - x.max(1, keepdims=True))
    return close(to.numpy(), powers / powers.sum(1, keepdims=True), 1e-6)


@triton.jit
def matmul_kernel(a, b, to, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr, GROUP: tl.constexpr,
                  LEAKY: tl.constexpr):
    # Programs of a group of rows share columns of b in L2.
    program, across = tl.program_id(0), tl.cdiv(n, BN)
    first = program // (GROUP * across) * GROUP
    rows = min(tl.cdiv(m, BM) - first, GROUP)
    row = first + program % (GROUP * across) % rows
    column = program % (GROUP * across) // rows
    at_m = (row * BM + tl.arange(0, BM)) % m
    at_n = (column * BN + tl.arange(0, BN)) % n
    at_k = tl.arange(0, BK)
    from_a = a + at_m[:, None] * k + at_k[None, :]
    from_b = b + at_k[:, None] * n + at_n[None, :]
    sums = tl.zeros((BM, BN), tl.float32)
    for i in range(0, tl.cdiv(k, BK)):
        part_a = tl.load(from_a, at_k[None, :] < k - i * BK, 0.0)
        part_b = tl.load(from_b, at_k[:, None] < k - i * BK, 0.0)
        sums = tl.dot(part_a, part_b, sums)
        from_a += BK
        from_b += BK * n
    if LEAKY:
        sums = tl.where(sums >= 0, sums, 0.01 * sums)
    at_m = row * BM + tl.arange(0, BM)
    at_n = column * BN + tl.arange(0, BN)
    inside = (at_m[:, None] < m) & (at_n[None, :] < n)
    tl.store(to + at_m[:, None] * n + at_n[None, :], sums.to(to.dtype.element_ty), inside)


def matmul(m, n, k, blocks, type=numpy.float16, warps=4, stages=3, tolerance=2e-3, leaky=False, kernel=matmul_kernel):
    a, b = random(m, k, type=type), random(k, n, type=type)
    to = DeviceArray(numpy.zeros((m, n), type))
    bm, bn, bk = blocks
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn),)
    kernel[grid](DeviceArray(a), DeviceArray(b), to, m, n, k, bm, bn, bk, 4, leaky, num_warps=warps, num_stages=stages)
    expected = a.astype(numpy.float64) @ b.astype(numpy.float64)
    return close(to.numpy(), numpy.where(expected < 0, 0.01 * expected, expected) if leaky else expected, tolerance)


@case
def matmul_f16_one_warpgroup():
    return matmul(128, 128, 128, (64, 64, 32))


@case
def matmul_f16_two_warpgroups():
    return matmul(256, 256, 192, (128, 128, 64), warps=8, leaky=True)


@case
def matmul_f16_odd_sizes():
    return matmul(100, 72, 90, (64, 32, 32))


@case
def matmul_f16_small_block():
    return matmul(64, 64, 64, (16, 16, 16), warps=1)


@case
def matmul_f16_four_stages():
    return matmul(128, 128, 512, (64, 64, 64), stages=4)


@case
def matmul_tf32():
    return matmul(128, 128, 64, (64, 64, 32), type=numpy.float32)


@case
def matmul_int8():
    a = numpy.random.default_rng(1).integers(-128, 128, (128, 128), numpy.int8)
    b = numpy.random.default_rng(2).integers(-128, 128, (128, 128), numpy.int8)
    to = DeviceArray(numpy.zeros((128, 128), numpy.int32))

    matmul_int8_kernel[(2, 2)](DeviceArray(a), DeviceArray(b), to, 128, 128, 64, 64, 64)
    return close(to.numpy(), a.astype(numpy.int64) @ b.astype(numpy.int64), 0)


@triton.jit
def matmul_int8_kernel(a, b, to, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    at_m = tl.program_id(0) * BM + tl.arange(0, BM)
    at_n = tl.program_id(1) * BN + tl.arange(0, BN)
    at_k = tl.arange(0, BK)
    sums = tl.zeros((BM, BN), tl.int32)
    for i in range(0, k, BK):
        part_a = tl.load(a + at_m[:, None] * k + (i + at_k)[None, :])
        part_b = tl.load(b + (i + at_k)[:, None] * n + at_n[None, :])
        sums = tl.dot(part_a, part_b, sums, out_dtype=tl.int32)
    tl.store(to + at_m[:, None] * n + at_n[None, :], sums)


@triton.jit
def dot_kernel(a, b, to, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, PRECISION: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, K)
    left = tl.load(a + m[:, None] * K + k[None, :])
    right = tl.load(b + k[:, None] * N + n[None, :])
    product = tl.dot(left, right, input_precision=PRECISION)
    tl.store(to + m[:, None] * N + n[None, :], product.to(to.dtype.element_ty))


def dot(type, precision, tolerance, size=64):
    a, b = random(size, size, type=type), random(size, size, type=type)
    to = DeviceArray(numpy.zeros((size, size), type))
    dot_kernel[(1,)](DeviceArray(a), DeviceArray(b), to, size, size, size, precision)
    return close(to.numpy(), a.astype(numpy.float64) @ b.astype(numpy.float64), tolerance)


@case
def dot_ieee():
    return dot(numpy.float32, "ieee", 1e-6)


@case
def dot_tf32x3():
    return dot(numpy.float32, "tf32x3", 1e-5)


@case
def dot_f64():
    return dot(numpy.float64, "ieee", 1e-14, 32)


# As Triton compiles for: TRITON_OVERRIDE_ARCH=sm80 chooses another capability.
IS_AMPERE = triton.knobs.runtime.override_arch == "sm80"


def to_bf16(values):
    bits = values.astype(numpy.float32).view(numpy.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(numpy.uint16)


def from_bf16(bits):
    return (bits.astype(numpy.uint32) << 16).view(numpy.float32)


@case
def dot_bf16():
    a, b = to_bf16(random(64, 64)), to_bf16(random(64, 65)[:, :64])
    to = DeviceArray(numpy.zeros((64, 64), numpy.float32))
    dot_kernel[(1,)](DeviceArray(a, Bfloat16()), DeviceArray(b, Bfloat16()), to, 64, 64, 64, "ieee")
    return close(to.numpy(), from_bf16(a).astype(numpy.float64) @ from_bf16(b), 1e-6)


@triton.jit
def dot_fp8_kernel(a, b, to, S: tl.constexpr, TYPE: tl.constexpr):
    i, k = tl.arange(0, S)[:, None], tl.arange(0, S)[None, :]
    left = tl.load(a + i * S + k).to(TYPE)
    right = tl.load(b + i * S + k).to(TYPE)
    tl.store(to + i * S + k, tl.dot(left, right))


def dot_fp8(type, values):
    generator = numpy.random.default_rng(3)
    a = generator.choice(numpy.array(values, numpy.float32), (64, 64))
    b = generator.choice(numpy.array(values, numpy.float32), (64, 64))
    to = DeviceArray(numpy.zeros((64, 64), numpy.float32))
    dot_fp8_kernel[(1,)](DeviceArray(a), DeviceArray(b), to, 64, type)
    return close(to.numpy(), a @ b, 1e-6)


@not_for(IS_AMPERE, "Triton has the type from capability 8.9 on")
@case
def dot_fp8e4():
    return dot_fp8(tl.float8e4nv, [-3, -0.5, 0, 1, 1.5, 13])


@case
def dot_fp8e5():
    return dot_fp8(tl.float8e5, [-3, -0.5, 0, 1, 1.5, 14])


@triton.jit
def layer_norm_kernel(x, to, weight, bias, means, inverses, columns, small, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    sums = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        sums += tl.load(x + row * columns + at, at < columns, 0.0).to(tl.float32)
    mean = tl.sum(sums, 0) / columns
    squares = tl.zeros([BLOCK], tl.float32)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        off = tl.load(x + row * columns + at, at < columns, 0.0).to(tl.float32) - mean
        squares += tl.where(at < columns, off * off, 0.0)
    inverse = 1 / tl.sqrt(tl.sum(squares, 0) / columns + small)
    tl.store(means + row, mean)
    tl.store(inverses + row, inverse)
    for start in range(0, columns, BLOCK):
        at = start + tl.arange(0, BLOCK)
        inside = at < columns
        value = (tl.load(x + row * columns + at, inside, 0.0).to(tl.float32) - mean) * inverse
        tl.store(to + row * columns + at, value * tl.load(weight + at, inside) + tl.load(bias + at, inside), inside)


@triton.jit
def layer_norm_backward_kernel(x, slope, weight, means, inverses, to_x, to_weight, to_bias, locks, columns,
                               GROUPS: tl.constexpr, BLOCK: tl.constexpr):
    # Rows of a group add up their slopes of weight and bias under a lock.
    row, at = tl.program_id(0), tl.arange(0, BLOCK)
    inside = at < columns
    mean, inverse = tl.load(means + row), tl.load(inverses + row)
    normal = tl.where(inside, (tl.load(x + row * columns + at, inside, 0.0) - mean) * inverse, 0.0)
    given = tl.load(slope + row * columns + at, inside, 0.0)
    weighted = tl.where(inside, given * tl.load(weight + at, inside, 0.0), 0.0)
    first, second = tl.sum(normal * weighted, 0) / columns, tl.sum(weighted, 0) / columns
    tl.store(to_x + row * columns + at, (weighted - (normal * first + second)) * inverse, inside)
    group = row % GROUPS
    while tl.atomic_cas(locks + group, 0, 1) == 1:
        pass
    is_later = tl.load(locks + GROUPS + group)
    own_weight, own_bias = given * normal, given
    if is_later == 0:
        tl.atomic_xchg(locks + GROUPS + group, 1)
    else:
        own_weight += tl.load(to_weight + group * columns + at, inside)
        own_bias += tl.load(to_bias + group * columns + at, inside)
    tl.store(to_weight + group * columns + at, own_weight, inside)
    tl.store(to_bias + group * columns + at, own_bias, inside)
    tl.debug_barrier()
    tl.atomic_xchg(locks + group, 0)


@case
def layer_norm():
    rows, columns, groups = 24, 200, 4
    x, slope, weight, bias = random(rows, columns), random(rows, columns + 1)[:, 1:], random(columns), random(columns + 1)[1:]
    to, means, inverses = (DeviceArray(numpy.zeros(shape, numpy.float32)) for shape in ((rows, columns), rows, rows))
    on_device = DeviceArray(x), DeviceArray(weight)
    layer_norm_kernel[(rows,)](on_device[0], to, on_device[1], DeviceArray(bias), means, inverses, columns, 1e-5, BLOCK=128)
    mean, inverse = x.mean(1, keepdims=True), 1 / numpy.sqrt(x.var(1, keepdims=True) + 1e-5)
    compared = close(to.numpy(), (x - mean) * inverse * weight + bias, 1e-5)
    to_x = DeviceArray(numpy.zeros_like(x))
    to_weight, to_bias = (DeviceArray(numpy.zeros((groups, columns), numpy.float32)) for _ in range(2))
    layer_norm_backward_kernel[(rows,)](on_device[0], DeviceArray(slope), on_device[1], means, inverses, to_x, to_weight,
                                        to_bias, DeviceArray(numpy.zeros(2 * groups, numpy.int32)), columns, groups, BLOCK=256)
    normal, weighted = (x - mean) * inverse, slope * weight
    expected = (weighted - (normal * (normal * weighted).mean(1, keepdims=True) + weighted.mean(1, keepdims=True))) * inverse
    compared += close(to_x.numpy(), expected, 1e-5)
    compared += close(to_weight.numpy().sum(0), (slope * normal).sum(0), 1e-5)
    return compared + close(to_bias.numpy().sum(0), slope.sum(0), 1e-5)


@triton.jit
def attention_kernel(q, k, v, to, scale, length, CAUSAL: tl.constexpr, D: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    head = tl.program_id(1) * length * D
    at_m, at_n, at_d = tl.program_id(0) * BM + tl.arange(0, BM), tl.arange(0, BN), tl.arange(0, D)
    queries = tl.load(q + head + at_m[:, None] * D + at_d[None, :])
    most = tl.full([BM], -float("inf"), tl.float32)
    total = tl.zeros([BM], tl.float32)
    sums = tl.zeros([BM, D], tl.float32)
    scale *= 1.44269504
    end = (tl.program_id(0) + 1) * BM if CAUSAL else length
    for start in range(0, end, BN):
        keys = tl.load(k + head + (start + at_n)[None, :] * D + at_d[:, None])
        scores = tl.dot(queries, keys) * scale
        if CAUSAL:
            scores = tl.where(at_m[:, None] >= (start + at_n)[None, :], scores, -float("inf"))
        higher = tl.maximum(most, tl.max(scores, 1))
        powers = tl.exp2(scores - higher[:, None])
        shrink = tl.exp2(most - higher)
        total = total * shrink + tl.sum(powers, 1)
        values = tl.load(v + head + (start + at_n)[:, None] * D + at_d[None, :])
        sums = tl.dot(powers.to(values.dtype), values, sums * shrink[:, None])
        most = higher
    tl.store(to + head + at_m[:, None] * D + at_d[None, :], (sums / total[:, None]).to(to.dtype.element_ty))


def attention(causal, warps, blocks=(64, 64), depth=64):
    heads, length = 2, 256
    q, k, v = (random(heads, length + i, depth, type=numpy.float16)[:, i:] for i in range(3))
    to = DeviceArray(numpy.zeros((heads, length, depth), numpy.float16))
    attention_kernel[(length // blocks[0], heads)](DeviceArray(q), DeviceArray(k), DeviceArray(v), to, depth**-0.5, length,
                                                   causal, depth, *blocks, num_warps=warps)
    scores = q.astype(numpy.float64) @ k.astype(numpy.float64).swapaxes(1, 2) * depth**-0.5
    if causal:
        scores = numpy.where(numpy.tri(length, dtype=bool), scores, -numpy.inf)
    powers = numpy.exp(scores - scores.max(2, keepdims=True))
    return close(to.numpy(), powers / powers.sum(2, keepdims=True) @ v.astype(numpy.float64), 3e-3)


@case
def fused_attention():
    return attention(False, 4)


@case
def fused_attention_causal():
    return attention(True, 8, (128, 64))


@case
def fused_attention_small_block():
    return attention(True, 4, (32, 32), 32)


@triton.jit
def dropout_kernel(x, to, count, chance, seed, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    keep = tl.rand(seed, at) > chance
    tl.store(to + at, tl.where(keep, tl.load(x + at, at < count) / (1 - chance), 0.0), at < count)


@case
def dropout():
    # The numbers are Philox 4x32 with ten rounds: key (seed, 0), counter (place, 0, 0, 0).
    x, seed, chance = random(1000), 123, 0.5
    to = DeviceArray(numpy.zeros_like(x))
    dropout_kernel[(4,)](DeviceArray(x), to, 1000, chance, seed, BLOCK=256)
    low = numpy.uint64(0xFFFFFFFF)
    c = [numpy.arange(1000, dtype=numpy.uint64)] + [numpy.zeros(1000, numpy.uint64) for _ in range(3)]
    key = [seed, 0]
    for _ in range(10):
        first, second = c[0] * numpy.uint64(0xD2511F53), c[2] * numpy.uint64(0xCD9E8D57)
        c = [(second >> numpy.uint64(32)) ^ c[1] ^ numpy.uint64(key[0]), second & low,
             (first >> numpy.uint64(32)) ^ c[3] ^ numpy.uint64(key[1]), first & low]
        key = [(key[0] + 0x9E3779B9) & 0xFFFFFFFF, (key[1] + 0xBB67AE85) & 0xFFFFFFFF]
    number = c[0].astype(numpy.uint32).view(numpy.int32).astype(numpy.int64)
    uniform = numpy.where(number < 0, -number - 1, number).astype(numpy.float32) * numpy.float32(4.6566127342e-10)
    return close(to.numpy(), numpy.where(uniform > chance, x / (1 - chance), 0), 1e-6)


@triton.jit
def device_functions_kernel(x, to, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + at, at < count)
    tl.store(to + at, libdevice.asin(value), at < count)
    tl.store(to + count + at, tl.sin(value), at < count)
    tl.store(to + 2 * count + at, tl.erf(value), at < count)
    tl.store(to + 3 * count + at, tl.log(value + 2), at < count)
    tl.store(to + 4 * count + at, libdevice.tanh(value), at < count)
    tl.store(to + 5 * count + at, libdevice.pow(value + 2, value), at < count)
    tl.store(to + 6 * count + at, tl.rsqrt(value + 2), at < count)
    tl.store(to + 7 * count + at, tl.floor(value * 8), at < count)


@case
def device_functions():
    from math import erf
    x = numpy.random.default_rng(5).uniform(-1, 1, 500).astype(numpy.float32)
    to = DeviceArray(numpy.zeros((8, 500), numpy.float32))
    device_functions_kernel[(2,)](DeviceArray(x), to, 500, BLOCK=256)
    y = x.astype(numpy.float64)
    expected = [numpy.arcsin(y), numpy.sin(y), [erf(v) for v in y], numpy.log(y + 2), numpy.tanh(y), (y + 2)**y,
                1 / numpy.sqrt(y + 2), numpy.floor(y * 8)]
    return close(to.numpy(), expected, 1e-6)


@triton.jit
def collectives_kernel(x, to, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    row, column = tl.arange(0, ROWS)[:, None], tl.arange(0, COLUMNS)[None, :]
    at = row * COLUMNS + column
    values = tl.load(x + at)
    size = ROWS * COLUMNS
    tl.store(to + at, tl.cumsum(values, 1))
    tl.store(to + size + at, tl.sort(values, 1))
    tl.store(to + 2 * size + at, tl.broadcast_to(tl.argmax(values, 1)[:, None], [ROWS, COLUMNS]))
    tl.store(to + 3 * size + at, tl.flip(values, 1))
    tl.store(to + 4 * size + column * ROWS + row, values)
    tl.store(to + 5 * size + at, tl.associative_scan(values, 0, larger))
    tl.store(to + 6 * size + at, tl.broadcast_to(tl.xor_sum(values, 0)[None, :], [ROWS, COLUMNS]))
    tl.store(to + 7 * size + at, tl.gather(values, (values & (COLUMNS - 1)), 1))


@triton.jit
def larger(a, b):
    return tl.maximum(a, b)


@case
def collectives():
    x = numpy.random.default_rng(6).permutation(16 * 64).astype(numpy.int32).reshape(16, 64)
    to = DeviceArray(numpy.zeros((8, 16, 64), numpy.int32))
    collectives_kernel[(1,)](DeviceArray(x), to, 16, 64)
    wide = lambda values: numpy.broadcast_to(values, (16, 64))
    expected = [x.cumsum(1), numpy.sort(x, 1), wide(x.argmax(1)[:, None]), x[:, ::-1], x.T.reshape(16, 64),
                numpy.maximum.accumulate(x, 0), wide(numpy.bitwise_xor.reduce(x, 0)), numpy.take_along_axis(x, x & 63, 1)]
    return close(to.numpy(), expected, 0)


@triton.jit
def atomics_kernel(x, to, counts, BLOCK: tl.constexpr, BINS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at)
    tl.atomic_add(counts + tl.arange(0, BINS), tl.histogram(values, BINS))
    tl.atomic_add(to + values, 1)
    tl.atomic_max(to + BINS + values, at.to(tl.int32))
    tl.atomic_min(to + 2 * BINS + values, -at.to(tl.int32))
    tl.atomic_or(to + 3 * BINS + values, (1 << (at % 31)).to(tl.int32))


@case
def atomics():
    x = numpy.random.default_rng(7).integers(0, 16, 1024).astype(numpy.int32)
    to, counts = DeviceArray(numpy.zeros((4, 16), numpy.int32)), DeviceArray(numpy.zeros(16, numpy.int32))
    atomics_kernel[(4,)](DeviceArray(x), to, counts, 256, 16)
    places = [numpy.flatnonzero(x == bin) for bin in range(16)]
    expected = [[len(p) for p in places], [p.max() for p in places], [-p.max() for p in places],
                [numpy.bitwise_or.reduce(1 << p % 31) for p in places]]
    return close(to.numpy(), expected, 0) + close(counts.numpy(), expected[0], 0)


@triton.jit
def atomic_floats_kernel(x, to, halves, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(to + at % 32, tl.load(x + at))
    tl.atomic_add(halves + tl.arange(0, BLOCK), tl.load(x + at).to(tl.float16))


@case
def atomic_floats():
    x = numpy.random.default_rng(8).integers(0, 8, 1024).astype(numpy.float32)
    to, halves = DeviceArray(numpy.zeros(32, numpy.float32)), DeviceArray(numpy.zeros(256, numpy.float16))
    atomic_floats_kernel[(4,)](DeviceArray(x), to, halves, 256)
    return close(to.numpy(), x.reshape(-1, 32).sum(0), 0) + close(halves.numpy(), x.reshape(-1, 256).sum(0), 0)


@triton.jit
def grouped_matmul_kernel(table, sizes, groups, BLOCK: tl.constexpr, PROGRAMS: tl.constexpr):
    tile, before = tl.program_id(0), 0
    for group in range(groups):
        m, n, k = tl.load(sizes + 3 * group), tl.load(sizes + 3 * group + 1), tl.load(sizes + 3 * group + 2)
        across = tl.cdiv(n, BLOCK)
        tiles = tl.cdiv(m, BLOCK) * across
        while tile >= before and tile < before + tiles:
            a = tl.load(table + 3 * group).to(tl.pointer_type(tl.float16))
            b = tl.load(table + 3 * group + 1).to(tl.pointer_type(tl.float16))
            to = tl.load(table + 3 * group + 2).to(tl.pointer_type(tl.float16))
            at_m = (tile - before) // across * BLOCK + tl.arange(0, BLOCK)
            at_n = (tile - before) % across * BLOCK + tl.arange(0, BLOCK)
            at_k = tl.arange(0, BLOCK)
            sums = tl.zeros((BLOCK, BLOCK), tl.float32)
            for i in range(0, tl.cdiv(k, BLOCK)):
                left = tl.load(a + at_m[:, None] * k + (i * BLOCK + at_k)[None, :])
                right = tl.load(b + (i * BLOCK + at_k)[:, None] * n + at_n[None, :])
                sums += tl.dot(left, right)
            tl.store(to + at_m[:, None] * n + at_n[None, :], sums.to(tl.float16))
            tile += PROGRAMS
        before += tiles


@case
def grouped_matmul():
    shapes = [(64, 32, 64), (32, 96, 32), (96, 64, 128)]
    arrays = [[random(m, k, type=numpy.float16), random(k, n, type=numpy.float16)] for m, n, k in shapes]
    on_device = [[DeviceArray(a), DeviceArray(b), DeviceArray(numpy.zeros((len(a), b.shape[1]), numpy.float16))]
                 for a, b in arrays]
    table = DeviceArray(numpy.array([[each.data_ptr() for each in group] for group in on_device], numpy.int64))
    grouped_matmul_kernel[(4,)](table, DeviceArray(numpy.array(shapes, numpy.int32)), len(shapes), BLOCK=32, PROGRAMS=4)
    return sum(close(group[2].numpy(), a.astype(numpy.float64) @ b.astype(numpy.float64), 2e-3)
               for group, (a, b) in zip(on_device, arrays))


@triton.jit
def persistent_matmul_kernel(a, b, to, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr,
                             SPECIALISED: tl.constexpr):
    across = tl.cdiv(n, BN)
    for tile in tl.range(tl.program_id(0), tl.cdiv(m, BM) * across, tl.num_programs(0), flatten=not SPECIALISED):
        row, column = tile // across * BM, tile % across * BN
        sums = tl.zeros((BM, BN), tl.float32)
        for i in tl.range(0, tl.cdiv(k, BK), warp_specialize=SPECIALISED):
            sums = tl.dot(a.load([row, i * BK]), b.load([column, i * BK]).T, sums)
        to.store([row, column], sums.to(tl.float16))


def descriptor_matmul(kernel, m, n, k, blocks, **options):
    from triton.tools.tensor_descriptor import TensorDescriptor
    bm, bn, bk = blocks
    a, b = random(m, k, type=numpy.float16), random(n, k, type=numpy.float16)
    to = DeviceArray(numpy.zeros((m, n), numpy.float16))
    describe = lambda array, block: TensorDescriptor(array, list(array.shape), list(array.stride()), list(block))
    kernel[(2,)](describe(DeviceArray(a), (bm, bk)), describe(DeviceArray(b), (bn, bk)), describe(to, (bm, bn)), m, n, k,
                 bm, bn, bk, **options)
    return close(to.numpy(), a.astype(numpy.float64) @ b.astype(numpy.float64).T, 2e-3)


@case
def persistent_matmul_of_descriptors():
    return descriptor_matmul(persistent_matmul_kernel, 256, 128, 256, (128, 64, 64), SPECIALISED=False, num_warps=4)


@case
def warp_specialised_matmul():
    return descriptor_matmul(persistent_matmul_kernel, 256, 128, 256, (128, 64, 64), SPECIALISED=True, num_warps=8)


@triton.jit
def device_descriptor_kernel(x, to, rows, columns, BM: tl.constexpr, BN: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, columns], [columns, 1], [BM, BN])
    target = tl.make_tensor_descriptor(to, [rows, columns], [columns, 1], [BM, BN])
    at = [tl.program_id(0) * BM, tl.program_id(1) * BN]
    target.store(at, source.load(at) * 2)


@case
def descriptors_made_on_the_device():
    triton.set_allocator(lambda size, alignment, stream: DeviceArray(numpy.zeros(size, numpy.int8)))
    x = random(96, 80)
    to = DeviceArray(numpy.zeros_like(x))
    device_descriptor_kernel[(3, 3)](DeviceArray(x), to, 96, 80, 32, 32)
    return close(to.numpy(), 2 * x, 0)


@triton.jit
def descriptor_of_fp8_kernel(a, b, to, S: tl.constexpr, D: tl.constexpr):
    product = tl.dot(a.load([0, 0]), b.load([0, 0]).T)
    tl.store(to + tl.arange(0, S)[:, None] * S + tl.arange(0, S)[None, :], product)


@not_for(IS_AMPERE, "Triton has the type from capability 8.9 on")
@case
def dot_of_descriptors_of_fp8():
    from triton.tools.tensor_descriptor import TensorDescriptor
    class Fp8:  # e4m3: 0x38 is 1, 0x40 is 2, 0xb8 is -1
        itemsize = 1
        __str__ = lambda self: "float8_e4m3fn"

    bits = numpy.array([0x00, 0x38, 0x40, 0xB8], numpy.uint8)
    values = numpy.array([0, 1, 2, -1], numpy.float64)
    a, b = numpy.random.default_rng(10).integers(0, 4, (2, 64, 128))
    arrays = [DeviceArray(bits[each], Fp8()) for each in (a, b)]
    to = DeviceArray(numpy.zeros((64, 64), numpy.float32))
    descriptor_of_fp8_kernel[(1,)](*(TensorDescriptor(each, [64, 128], [128, 1], [64, 128]) for each in arrays), to, 64, 128)
    return close(to.numpy(), values[a] @ values[b].T, 0)


@triton.jit
def scaled_dot_kernel(a, scales_a, b, scales_b, to, S: tl.constexpr, K: tl.constexpr):
    i, n, k = tl.arange(0, S)[:, None], tl.arange(0, S)[None, :], tl.arange(0, K)
    part = tl.arange(0, K // 32)[None, :]
    left = tl.load(a + i * K + k[None, :])
    right = tl.load(b + k[:, None] * S + n)
    of_left = tl.load(scales_a + i * (K // 32) + part)
    of_right = tl.load(scales_b + tl.arange(0, S)[:, None] * (K // 32) + part)
    tl.store(to + i * S + n, tl.dot_scaled(left, of_left, "e5m2", right, of_right, "e5m2"))


@case
def scaled_dot():
    # e5m2: 0x3c is 1, 0x40 is 2, 0xbc is -1; scales are powers of two, 127 is 1.
    bits, values = numpy.array([0, 0x3C, 0x40, 0xBC], numpy.uint8), numpy.array([0, 1, 2, -1], numpy.float64)
    generator = numpy.random.default_rng(11)
    a, b = generator.integers(0, 4, (64, 64)), generator.integers(0, 4, (64, 64))
    scales_a, scales_b = generator.integers(125, 130, (2, 64, 2)).astype(numpy.uint8)
    to = DeviceArray(numpy.zeros((64, 64), numpy.float32))
    scaled_dot_kernel[(1,)](DeviceArray(bits[a]), DeviceArray(scales_a), DeviceArray(bits[b]), DeviceArray(scales_b), to, 64, 64)
    power = lambda scales: numpy.repeat(2.0**(scales.astype(numpy.float64) - 127), 32, 1)
    return close(to.numpy(), (values[a] * power(scales_a)) @ (values[b] * power(scales_b).T), 1e-6)


@triton.jit
def inline_assembly_kernel(x, to, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    value = tl.inline_asm_elementwise("lop3.b32 $0, $1, 0x0f0f0f0f, 0xff000000, 0x6a;", "=r,r", [tl.load(x + at)],
                                      dtype=tl.int32, is_pure=True, pack=1)
    tl.store(to + at, value)


@case
def inline_assembly():
    x = numpy.random.default_rng(12).integers(-2**31, 2**31, 256).astype(numpy.int32)
    to = DeviceArray(numpy.zeros_like(x))
    inline_assembly_kernel[(1,)](DeviceArray(x), to, 256)
    # 0x6a is (a & b) ^ c of a = 0xf0, b = 0xcc, c = 0xaa.
    return close(to.numpy(), ((x & 0x0F0F0F0F) ^ numpy.int64(0xFF000000)).astype(numpy.int32), 0)


@triton.jit
def conversions_kernel(x, to, count: tl.constexpr):
    at = tl.arange(0, count)
    value = tl.load(x + at)
    tl.store(to + at, value.to(tl.float8e5).to(tl.float32))
    tl.store(to + count + at, value.to(tl.bfloat16).to(tl.float32))
    tl.store(to + 2 * count + at, value.to(tl.float16).to(tl.float32))
    tl.store(to + 3 * count + at, value.to(tl.int8).to(tl.float32))
    tl.store(to + 4 * count + at, value.to(tl.int64).to(tl.float32))
    tl.store(to + 5 * count + at, (value > 0).to(tl.float32))


@case
def conversions():
    x = numpy.random.default_rng(13).uniform(-100, 100, 512).astype(numpy.float32)
    to = DeviceArray(numpy.zeros((6, 512), numpy.float32))
    conversions_kernel[(1,)](DeviceArray(x), to, 512)
    half = x.astype(numpy.float16)
    bits = x.view(numpy.uint32)  # e5m2 is rounded to even at bit 21 of a float, far from its ends here
    e5m2 = ((bits + 0xFFFFF + ((bits >> 21) & 1)) & ~numpy.uint32(0x1FFFFF)).view(numpy.float32)
    small = numpy.abs(x) < 2.0**-14
    found = to.numpy()
    return close(found[0][~small], e5m2[~small], 0) + close(
        found[1:], [from_bf16(to_bf16(x)), half, x.astype(numpy.int64), x.astype(numpy.int64), x > 0], 0)


@triton.jit
def gather_rows_kernel(table, places, to, N: tl.constexpr, D: tl.constexpr):
    at = tl.load(places + tl.arange(0, N))
    columns = tl.arange(0, D)
    tl.store(to + tl.arange(0, N)[:, None] * D + columns[None, :], tl.load(table + at[:, None] * D + columns[None, :]))


@case
def gather_rows():
    table = random(50, 64, type=numpy.float16)
    places = numpy.random.default_rng(9).integers(0, 50, 32).astype(numpy.int64)
    to = DeviceArray(numpy.zeros((32, 64), numpy.float16))
    gather_rows_kernel[(1,)](DeviceArray(table), DeviceArray(places), to, 32, 64)
    return close(to.numpy(), table[places], 0)


@triton.jit
def convolution_kernel(x, filter, to, H: tl.constexpr, W: tl.constexpr, C: tl.constexpr, F: tl.constexpr, BLOCK: tl.constexpr):
    # Nine products of matrices, one for each place of the filter; rows are pixels.
    pixel = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    y, column, c, f = pixel // W, pixel % W, tl.arange(0, C), tl.arange(0, F)
    sums = tl.zeros([BLOCK, F], tl.float32)
    for place in range(9):
        from_y, from_x = y + place // 3 - 1, column + place % 3 - 1
        inside = (from_y >= 0) & (from_y < H) & (from_x >= 0) & (from_x < W)
        values = tl.load(x + (from_y * W + from_x)[:, None] * C + c[None, :], inside[:, None], 0.0)
        sums += tl.dot(values, tl.load(filter + place * C * F + c[:, None] * F + f[None, :]))
    tl.store(to + pixel[:, None] * F + f[None, :], sums)


@case
def convolution():
    x, filter = random(16, 16, 32, type=numpy.float16), random(9, 32, 32, type=numpy.float16)
    to = DeviceArray(numpy.zeros((16, 16, 32), numpy.float32))
    convolution_kernel[(4,)](DeviceArray(x), DeviceArray(filter), to, 16, 16, 32, 32, BLOCK=64)
    padded = numpy.pad(x.astype(numpy.float64), ((1, 1), (1, 1), (0, 0)))
    expected = sum(padded[i // 3:i // 3 + 16, i % 3:i % 3 + 16] @ filter[i].astype(numpy.float64) for i in range(9))
    return close(to.numpy(), expected, 1e-5)


@triton.jit
def cluster_kernel(a, b, to, S: tl.constexpr):
    i, k = tl.arange(0, S)[:, None], tl.arange(0, S)[None, :]
    product = tl.dot(tl.load(a + i * S + k), tl.load(b + i * S + k))
    tl.store(to + i * S + k, product / tl.sum(product, 1)[:, None])


@not_for(IS_AMPERE, "Triton has clusters from capability 9.0 on")
@case
def dot_in_a_cluster():
    a, b = numpy.abs(random(128, 128, type=numpy.float16)), numpy.abs(random(128, 129, type=numpy.float16)[:, :128])
    to = DeviceArray(numpy.zeros((128, 128), numpy.float32))
    cluster_kernel[(1,)](DeviceArray(a), DeviceArray(b), to, 128, num_ctas=2)
    product = a.astype(numpy.float64) @ b.astype(numpy.float64)
    return close(to.numpy(), product / product.sum(1, keepdims=True), 1e-5)


@triton.jit
def dependent_kernel(x, to, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.extra.cuda.gdc_wait()
    value = tl.load(x + at)
    tl.extra.cuda.gdc_launch_dependents()
    tl.store(to + at, value + 1)


@case
def dependent_launches():
    arrays = [DeviceArray(numpy.zeros(512, numpy.float32)) for _ in range(3)]
    for source, to in zip(arrays, arrays[1:]):
        dependent_kernel[(2,)](source, to, BLOCK=256, launch_pdl=True)
    return close(arrays[2].numpy(), numpy.full(512, 2), 0)


@triton.jit
def print_kernel(x, to):
    value = tl.load(x)
    tl.device_print("value", value)
    tl.device_assert(value > 0, "a positive value")
    tl.store(to, value)


@case
def print_and_assert():
    to = DeviceArray(numpy.zeros(1, numpy.int32))
    print_kernel[(1,)](DeviceArray(numpy.array([42], numpy.int32)), to, debug=True)
    return close(to.numpy(), [42], 0)


if __name__ == "__main__":
    sys.exit(cases.main(f"Triton {triton.__version__}, for {triton.knobs.runtime.override_arch or 'the GPU that is there'}"))
