# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of Numba, each compared with numpy: a line for each, and the number of those that are right.

    numba_kernels.py [NAME...]
"""
import math
import sys
import warnings

import numpy
from numba import cuda, float32, float64, int32
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

import cases
from cases import case, close, random

warnings.filterwarnings("ignore", message=".*[Gg]rid size.*")


@cuda.jit
def add_kernel(x, y, to):
    i = cuda.grid(1)
    if i < to.size:
        to[i] = x[i] + y[i]


@case
def vector_add():
    compared = 0
    for type in (numpy.float32, numpy.float64, numpy.int32, numpy.int64, numpy.complex64):
        x, y = (100 * random(2, 1000)).astype(type)
        to = cuda.device_array_like(x)
        add_kernel[4, 256](cuda.to_device(x), cuda.to_device(y), to)
        compared += close(numpy.abs(to.copy_to_host() - (x + y)), numpy.zeros(1000), 0)
    return compared


@case
def arrays_of_the_host():
    # Numba copies them to the device, and back.
    x, y = random(2, 1000)
    to = numpy.zeros_like(x)
    add_kernel[4, 256](x, y, to)
    return close(to, x + y, 0)


@cuda.jit
def matmul_kernel(a, b, to):
    part_a = cuda.shared.array((16, 16), float32)
    part_b = cuda.shared.array((16, 16), float32)
    row, column = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for i in range((a.shape[1] + 15) // 16):
        k = i * 16
        part_a[x, y] = a[row, k + y] if row < a.shape[0] and k + y < a.shape[1] else 0
        part_b[x, y] = b[k + x, column] if k + x < b.shape[0] and column < b.shape[1] else 0
        cuda.syncthreads()
        for j in range(16):
            total += part_a[x, j] * part_b[j, y]
        cuda.syncthreads()
    if row < to.shape[0] and column < to.shape[1]:
        to[row, column] = total


@case
def matmul_in_shared_memory():
    a, b = random(50, 70), random(70, 40)
    to = numpy.zeros((50, 40), numpy.float32)
    matmul_kernel[(4, 3), (16, 16)](a, b, to)
    return close(to, a.astype(numpy.float64) @ b, 1e-5)


@cuda.jit
def sum_kernel(x, to):
    part = cuda.shared.array(256, float32)
    total = float32(0)
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        total += x[i]
    part[cuda.threadIdx.x] = total
    cuda.syncthreads()
    step = cuda.blockDim.x // 2
    while step > 0:
        if cuda.threadIdx.x < step:
            part[cuda.threadIdx.x] += part[cuda.threadIdx.x + step]
        cuda.syncthreads()
        step //= 2
    if cuda.threadIdx.x == 0:
        cuda.atomic.add(to, 0, part[0])


@case
def sum_by_atomics():
    x = random(10000)
    to = numpy.zeros(1, numpy.float32)
    sum_kernel[8, 256](x, to)
    return close(to, [x.astype(numpy.float64).sum()], 1e-4)


@cuda.jit
def atomics_kernel(x, counts, most, least, swapped):
    i = cuda.grid(1)
    if i < x.size:
        cuda.atomic.add(counts, x[i] % 16, 1)
        cuda.atomic.max(most, 0, x[i])
        cuda.atomic.min(least, 0, x[i])
        cuda.atomic.cas(swapped, x[i] % 16, -1, x[i] % 16)


@case
def atomics():
    x = numpy.random.default_rng(1).integers(0, 1000, 5000).astype(numpy.int32)
    counts, swapped = numpy.zeros(16, numpy.int32), numpy.full(16, -1, numpy.int32)
    most, least = numpy.full(1, -1, numpy.int32), numpy.full(1, 5000, numpy.int32)
    atomics_kernel[20, 256](x, counts, most, least, swapped)
    return (close(counts, numpy.bincount(x % 16), 0) + close(most, [x.max()], 0) + close(least, [x.min()], 0) +
            close(swapped, numpy.arange(16), 0))


@cuda.reduce
def add_up(a, b):
    return a + b


@case
def reduce_decorator():
    x = random(12345).astype(numpy.float64)
    return close([add_up(x)], [x.sum()], 1e-12)


@cuda.jit
def warp_kernel(x, to):
    i = cuda.grid(1)
    value = x[i]
    for step in (16, 8, 4, 2, 1):
        value += cuda.shfl_xor_sync(0xFFFFFFFF, value, step)
    to[i] = value
    cuda.syncwarp()
    if cuda.any_sync(0xFFFFFFFF, x[i] > 2):
        to[i] += cuda.popc(cuda.ballot_sync(0xFFFFFFFF, x[i] > 0))


@case
def warp_functions():
    x = numpy.random.default_rng(2).integers(-3, 4, 128).astype(numpy.int32)
    to = numpy.zeros_like(x)
    warp_kernel[2, 64](x, to)
    rows = x.reshape(4, 32)
    expected = rows.sum(1) + numpy.where((rows > 2).any(1), (rows > 0).sum(1), 0)
    return close(to.reshape(4, 32), numpy.repeat(expected[:, None], 32, 1), 0)


@cuda.jit(device=True)
def polynomial(x, factors):
    total = 0.0
    for factor in factors:
        total = total * x + factor
    return total


@cuda.jit
def functions_kernel(x, factors, to):
    i = cuda.grid(1)
    if i < x.size:
        to[0, i] = math.sin(x[i])
        to[1, i] = math.exp(x[i])
        to[2, i] = math.sqrt(x[i] + 2)
        to[3, i] = math.atan2(x[i], x[i] + 2)
        to[4, i] = polynomial(x[i], factors)
        to[5, i] = math.erf(x[i])
        to[6, i] = (x[i] + 2)**x[i]
        to[7, i] = x[i] // 0.25


@case
def functions():
    x = numpy.random.default_rng(3).uniform(-1, 1, 500)
    factors = numpy.array([0.5, -2, 1, 3])
    to = numpy.zeros((8, 500))
    functions_kernel[2, 256](x, factors, to)
    expected = [numpy.sin(x), numpy.exp(x), numpy.sqrt(x + 2), numpy.arctan2(x, x + 2), numpy.polyval(factors, x),
                [math.erf(v) for v in x], (x + 2)**x, x // 0.25]
    return close(to, expected, 1e-13)


@cuda.jit
def local_kernel(x, to):
    i = cuda.grid(1)
    if i < x.shape[0]:
        own = cuda.local.array(8, int32)
        for k in range(8):
            own[k] = x[i, k]
        for k in range(1, 8):  # an insertion sort
            value, j = own[k], k - 1
            while j >= 0 and own[j] > value:
                own[j + 1] = own[j]
                j -= 1
            own[j + 1] = value
        for k in range(8):
            to[i, k] = own[k]


@case
def sorts_in_local_memory():
    x = numpy.random.default_rng(4).integers(-100, 100, (100, 8)).astype(numpy.int32)
    to = numpy.zeros_like(x)
    local_kernel[2, 64](x, to)
    return close(to, numpy.sort(x, 1), 0)


TABLE = numpy.arange(64, dtype=numpy.float32)**2


@cuda.jit
def constant_kernel(to):
    table = cuda.const.array_like(TABLE)
    i = cuda.grid(1)
    if i < to.size:
        to[i] = table[i % 64]


@case
def constant_memory():
    to = numpy.zeros(200, numpy.float32)
    constant_kernel[2, 128](to)
    return close(to, TABLE[numpy.arange(200) % 64], 0)


@cuda.jit
def dynamic_kernel(x, to):
    part = cuda.shared.array(0, float64)
    i = cuda.threadIdx.x
    part[i] = x[i]
    cuda.syncthreads()
    to[i] = part[cuda.blockDim.x - 1 - i]


@case
def dynamic_shared_memory():
    x, to = random(256).astype(numpy.float64), numpy.zeros(256)
    dynamic_kernel[1, 256, 0, 256 * 8](x, to)
    return close(to, x[::-1], 0)


@case
def streams_and_events():
    stream, begin, end = cuda.stream(), cuda.event(), cuda.event()
    x, y = random(2, 1000)
    pinned = cuda.pinned_array(1000, numpy.float32)
    with stream.auto_synchronize():
        begin.record(stream)
        on_device = cuda.to_device(x, stream), cuda.to_device(y, stream)
        to = cuda.device_array_like(x, stream)
        add_kernel[4, 256, stream](*on_device, to)
        to.copy_to_host(pinned, stream)
        end.record(stream)
    assert cuda.event_elapsed_time(begin, end) > 0
    return close(pinned, x + y, 0)


@case
def mapped_and_managed_memory():
    x, y = random(2, 1000)
    mapped, managed = cuda.mapped_array(1000, numpy.float32), cuda.managed_array(1000, numpy.float32)
    mapped[:] = x
    add_kernel[4, 256](mapped, cuda.to_device(y), managed)
    cuda.synchronize()
    return close(managed, x + y, 0)


@cuda.jit
def random_kernel(states, to):
    i = cuda.grid(1)
    total = float32(0)
    for _ in range(100):
        total += xoroshiro128p_uniform_float32(states, i)
    to[i] = total / 100


@case
def random_numbers():
    states = create_xoroshiro128p_states(1024, seed=1)
    to = numpy.zeros(1024, numpy.float32)
    random_kernel[4, 256](states, to)
    assert len(numpy.unique(to)) > 900
    return close(to, numpy.full(1024, 0.5), 0.3) + close([to.mean()], [0.5], 0.01)


@cuda.jit
def print_kernel(x):
    i = cuda.grid(1)
    print("thread", i, "has", x[i])


@case
def print_in_a_kernel():
    print_kernel[1, 2](numpy.array([1.5, -2.0]))
    cuda.synchronize()
    return 2


@cuda.jit
def whole_grid_kernel(x, to):
    grid = cuda.cg.this_grid()
    i = cuda.grid(1)
    x[i] = i
    grid.sync()
    to[i] = x[x.size - 1 - i]


@case
def synchronised_grid():
    x, to = numpy.zeros(512, numpy.int32), numpy.zeros(512, numpy.int32)
    whole_grid_kernel[4, 128](x, to)
    return close(to, numpy.arange(512)[::-1], 0)


@cuda.jit(debug=True, opt=False)
def assert_kernel(x):
    i = cuda.grid(1)
    assert x[i] >= 0


@case
def assertion_becomes_an_exception():
    assert_kernel[1, 32](numpy.arange(32))
    try:
        assert_kernel[1, 32](numpy.arange(32) - 5)
        cuda.synchronize()
    except AssertionError:
        return 1
    raise RuntimeError("no exception of the kernel")


@cuda.vectorize(["float32(float32, float32)"])
def hypotenuse(x, y):
    return math.sqrt(x * x + y * y)


@case
def universal_function():
    x, y = random(2, 1000)
    return close(hypotenuse(x, y), numpy.hypot(x, y), 1e-6)


if __name__ == "__main__":
    import numba_cuda
    sys.exit(cases.main(f"Numba (numba-cuda {numba_cuda.__version__})"))
