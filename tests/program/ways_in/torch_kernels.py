# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions that torch.compile makes kernels of Triton from, each compared with PyTorch on the CPU.

    torch_kernels.py [NAME...]

Tensors are made on the CPU and copied: PyTorch's own kernels are machine code.
"""
import sys

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

import cases
from cases import case, close


torch._inductor.config.joint_graph_constant_folding = False  # else PyTorch's own kernels compute constants


def same(function, *tensors, tolerance=1e-5):
    expected = function(*tensors)
    found = torch.compile(function)(*(each.cuda() for each in tensors))
    return close(found.cpu().double().numpy(), expected.double().numpy(), tolerance)


@triton.jit
def add_kernel(x, y, to, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(to + at, tl.load(x + at, at < count) + tl.load(y + at, at < count), at < count)


@case
def kernel_of_triton():
    x, y = torch.rand(2, 1000)
    on_device = x.cuda(), y.cuda()
    to = torch.empty_like(on_device[0])
    add_kernel[(4,)](*on_device, to, 1000, BLOCK=256)
    return close(to.cpu().numpy(), (x + y).numpy(), 0)


@case
def pointwise():
    return same(lambda a, b: F.gelu(a * b + 1).sin(), torch.randn(64, 100), torch.randn(64, 100))


@case
def softmax():
    return same(lambda a: a.softmax(-1), torch.randn(64, 300))


@case
def layer_norm():
    return same(lambda a, w, b: F.layer_norm(a, (200,), w, b), torch.randn(32, 200), torch.randn(200), torch.randn(200))


@case
def rms_norm_bfloat16():
    return same(lambda a, w: F.rms_norm(a, (128,), w), torch.randn(32, 128).bfloat16(), torch.randn(128).bfloat16(),
                tolerance=1e-2)


@case
def embedding():
    return same(lambda places, table: F.embedding(places, table) * 2, torch.randint(0, 50, (40,)), torch.randn(50, 64))


@case
def cross_entropy():
    return same(F.cross_entropy, torch.randn(32, 100), torch.randint(0, 100, (32,)))


@case
def reductions():
    return same(lambda a: torch.stack([a.sum(), a.mean(), a.amax(), a.std(), a.argmax().float()]), torch.randn(3000))


@case
def cumulative_sum_and_sort():
    return same(lambda a: a.cumsum(1) + a.flip(1), torch.randn(16, 128))


@case
def max_pooling():
    return same(lambda a: F.max_pool2d(a, 3, 2, 1), torch.randn(2, 3, 17, 17))


@case
def rotary_embedding():
    def rotated(a, angle):
        left, right = a.chunk(2, -1)
        return torch.cat([left * angle.cos() - right * angle.sin(), right * angle.cos() + left * angle.sin()], -1)

    return same(rotated, torch.randn(2, 16, 64), torch.rand(16, 32))


@case
def gradients():
    def slopes(a, w, given):
        a, w = a.detach().requires_grad_(), w.detach().requires_grad_()
        result = torch.compile(lambda a, w: F.layer_norm(F.silu(a) * w, (64,)))(a, w)
        return torch.autograd.grad(result, (a, w), given)

    tensors = torch.randn(32, 64), torch.randn(32, 64), torch.randn(32, 64)
    found = slopes(*(each.cuda() for each in tensors))
    return sum(close(f.cpu().numpy(), e.numpy(), 1e-5) for f, e in zip(found, slopes(*tensors)))


if __name__ == "__main__":
    sys.exit(cases.main(f"PyTorch {torch.__version__}, Triton {triton.__version__}"))
