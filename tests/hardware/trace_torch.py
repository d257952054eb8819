#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of a small network on a GPU, always the same kernels. Says how long a step takes (the median).

    trace_torch.py                  as it is, for a library that traces it
    trace_torch.py PROFILE.json     under torch.profiler, which writes its own trace there"""
import statistics
import sys
import time

import torch
from torch import nn

STEPS = 200


def train():
    torch.manual_seed(1)
    device = torch.device("cuda")
    model = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.ReLU(), nn.Conv2d(16, 16, 3, stride=2), nn.ReLU(),
                          nn.Flatten(), nn.Linear(16 * 15 * 15, 128), nn.ReLU(), nn.Linear(128, 10)).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
    loss_of = nn.CrossEntropyLoss()
    images = torch.randn(32, 3, 32, 32).to(device)
    labels = torch.randint(0, 10, (32,)).to(device)
    loss, times = None, []
    for _ in range(STEPS):
        begin = time.perf_counter()
        optimizer.zero_grad()
        loss = loss_of(model(images), labels)
        loss.backward()
        optimizer.step()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - begin)
    return loss.item(), 1e3 * statistics.median(times[STEPS // 5:])


def main(profile=None):
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = True
    if profile is None:
        loss, step = train()
    else:
        activities = [torch.profiler.ProfilerActivity.CPU, torch.profiler.ProfilerActivity.CUDA]
        with torch.profiler.profile(activities=activities) as profiler:
            loss, step = train()
        profiler.export_chrome_trace(profile)
    print(f"torch {torch.__version__}, loss {loss:.6f}, {step:.4f} ms a step, ends well")


if __name__ == "__main__":
    main(*sys.argv[1:])
