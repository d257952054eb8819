# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# An unchanged training step of PyTorch, for application replay: gpuprof replay ... -- python3 replay_torch.py
# With CSV as argument it reads what gpuprof replay --csv CSV wrote instead, and says whether each kernel has all its counters:
# exit status 0 if there are kernels and no cell is empty.
import csv
import sys


def step():
    import torch

    torch.manual_seed(1)
    torch.backends.cudnn.benchmark = False
    model = torch.nn.Sequential(
        torch.nn.Linear(512, 2048), torch.nn.GELU(), torch.nn.LayerNorm(2048), torch.nn.Linear(2048, 512), torch.nn.Softmax(dim=1)
    ).cuda()
    optimizer = torch.optim.Adam(model.parameters())
    x = torch.randn(256, 512, device="cuda")
    loss = (model(x) - x).square().mean()
    loss.backward()
    optimizer.step()
    torch.cuda.synchronize()
    print(f"loss {loss.item():.6f}")


def read(path):
    with open(path, newline="") as file:
        rows = list(csv.reader(file))
    empty = sum(cell == "" for row in rows[1:] for cell in row)
    launches = sum(int(row[1]) for row in rows[1:])
    print(f"{len(rows) - 1} kernels, {launches} launches, {len(rows[0]) - 2} metrics, {empty} empty cells")
    return 0 if len(rows) > 1 and empty == 0 else 1


if __name__ == "__main__":
    sys.exit(read(sys.argv[1]) if len(sys.argv) > 1 else step())
