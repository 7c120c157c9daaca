# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's load_inline with a kernel, on tensors of the CPU. A PyTorch without CUDA lacks two libraries that load_inline
links; empty linker scripts take their place."""

import importlib.util
import os
import pathlib
import sys
import tempfile

import torch
from torch.utils.cpp_extension import CUDA_HOME, load_inline

KERNEL = """
__global__ void square_kernel(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * in[i];
}

torch::Tensor square(torch::Tensor in) {
  torch::Tensor out = torch::empty_like(in);
  const int n = static_cast<int>(in.numel());
  square_kernel<<<(n + 127) / 128, 128>>>(in.data_ptr<float>(), out.data_ptr<float>(), n);
  TORCH_CHECK(cudaDeviceSynchronize() == cudaSuccess, "the kernel failed");
  return out;
}
"""

# PyTorch's headers include Thrust: that of the package nvidia-cuda-cccl.
cccl = pathlib.Path(importlib.util.find_spec("nvidia").submodule_search_locations[0], "cu13", "include", "cccl")

with tempfile.TemporaryDirectory() as folder:
    for name in ("libc10_cuda.so", "libtorch_cuda.so"):
        pathlib.Path(folder, name).write_text("/* an empty linker script */\n")
    module = load_inline("square", cpp_sources="torch::Tensor square(torch::Tensor in);", cuda_sources=KERNEL,
                         functions=["square"], build_directory=folder, verbose=True,
                         extra_cuda_cflags=[f"--cccl={cccl}"],
                         extra_ldflags=[f"-L{folder}", f"-Wl,-rpath,{CUDA_HOME}/lib64"])
    x = torch.arange(1001, dtype=torch.float32).reshape(7, 143)
    y = module.square(x)
expected = [[float(143 * row + column) ** 2 for column in range(143)] for row in range(7)]
if y.tolist() != expected:
    sys.exit(f"FAILED: {y}")
print("squared by", os.environ["CUDA_HOME"])
