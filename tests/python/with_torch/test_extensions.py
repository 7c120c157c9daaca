# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's load() and load_inline() with kernels, on tensors of the CPU."""

import pathlib
import sys
import tempfile

import cohortcc.torch  # noqa: F401  makes Cohort's toolkit the CUDA_HOME
import torch
from torch.utils.cpp_extension import load, load_inline

SQUARE = """
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

BLOCK_SUMS = """
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void sum_rows(const double* in, double* out, int columns) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  double sum = 0;
  for (int column = threadIdx.x; column < columns; column += 32) sum += in[blockIdx.x * columns + column];
  sum = cg::reduce(warp, sum, cg::plus<double>());
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
void launch_sum_rows(const double* in, double* out, int rows, int columns) {
  sum_rows<<<rows, 32>>>(in, out, columns);
  cudaDeviceSynchronize();
}
"""

MODULE = """
#include <torch/extension.h>
void launch_sum_rows(const double* in, double* out, int rows, int columns);
torch::Tensor row_sums(torch::Tensor in) {
  torch::Tensor out = torch::empty({in.size(0)}, in.options());
  launch_sum_rows(in.data_ptr<double>(), out.data_ptr<double>(), in.size(0), in.size(1));
  return out;
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("row_sums", &row_sums); }
"""


def check_load_inline(folder):
    module = load_inline("square", cpp_sources="torch::Tensor square(torch::Tensor in);", cuda_sources=SQUARE,
                         functions=["square"], build_directory=folder, verbose=True)
    x = torch.arange(1001, dtype=torch.float32).reshape(7, 143)
    expected = [[float(143 * row + column) ** 2 for column in range(143)] for row in range(7)]
    if module.square(x).tolist() != expected:
        sys.exit("FAILED: load_inline")


def check_load(folder):
    sources = {"module.cpp": MODULE, "sums.cu": BLOCK_SUMS}
    for name, text in sources.items():
        pathlib.Path(folder, name).write_text(text)
    module = load("sums", [str(pathlib.Path(folder, name)) for name in sources], build_directory=folder, verbose=True)
    x = torch.arange(13 * 77, dtype=torch.float64).reshape(13, 77)
    expected = [sum(range(77 * row, 77 * (row + 1))) for row in range(13)]
    if module.row_sums(x).tolist() != expected:
        sys.exit("FAILED: load")


for check in (check_load_inline, check_load):
    with tempfile.TemporaryDirectory() as place:
        check(place)
print("PyTorch's load and load_inline: the kernels' results are right")
