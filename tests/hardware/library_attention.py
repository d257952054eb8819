# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Attention of PyTorch, for library_kernels.sh: 8 x 16 heads, 2048 tokens, 64 wide, in half precision.
import torch

torch.manual_seed(1)
q, k, v = (torch.randn(8, 16, 2048, 64, device="cuda", dtype=torch.float16) for _ in range(3))
o = torch.nn.functional.scaled_dot_product_attention(q, k, v)
torch.cuda.synchronize()
print("PASSED", tuple(o.shape))
