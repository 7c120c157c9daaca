// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An operation for JAX's CPU platform: the inclusive sums of each row, one block for each row. JAX's buffers are memory
// of the host, which kernels on the CPU read and write.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <xla/ffi/api/ffi.h>

namespace cg = cooperative_groups;
namespace ffi = xla::ffi;

__global__ void cumulative_kernel(const float* in, float* out, int columns) {
  const auto block = cg::this_thread_block();
  const size_t row = blockIdx.x * size_t(columns);
  const int column = block.thread_rank();
  const float sum = cg::inclusive_scan(cg::tiled_partition<128>(block), column < columns ? in[row + column] : 0.0f);
  if (column < columns) out[row + column] = sum;
}

static ffi::Error cumulative(ffi::Buffer<ffi::F32> in, ffi::ResultBuffer<ffi::F32> out) {
  const auto shape = in.dimensions();
  if (shape.size() != 2 || shape[1] > 128)
    return ffi::Error::InvalidArgument("rows of up to 128 columns are supported");
  cumulative_kernel<<<static_cast<unsigned>(shape[0]), 128>>>(in.typed_data(), out->typed_data(),
                                                              static_cast<int>(shape[1]));
  const cudaError_t error = cudaDeviceSynchronize();
  return error == cudaSuccess ? ffi::Error::Success() : ffi::Error::Internal(cudaGetErrorString(error));
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(cumulative_handler, cumulative,
                              ffi::Ffi::Bind().Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());
