// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels in the common styles of CUDA programs.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "launch.cuh"
#include "samples.hpp"

namespace cg = cooperative_groups;

namespace bench {

namespace {

constexpr unsigned block_threads = 256;
constexpr unsigned warps = block_threads / 32;

__global__ void saxpy_kernel(float a, const float* x, float* y, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

// Points of the border keep their values.
__global__ void average_kernel(const float* in, float* out, unsigned width, unsigned height) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || x + 1 >= width || y == 0 || y + 1 >= height) return;
  const unsigned i = y * width + x;
  out[i] = (in[i] + in[i - 1] + in[i + 1] + in[i - width] + in[i + width]) * 0.2f;
}

// Each block loads its elements and a border into shared memory.
__global__ void stencil_kernel(const float* in, float* out, unsigned n) {
  __shared__ float tile[block_threads + 2 * stencil_radius];
  const unsigned i = blockIdx.x * block_threads + threadIdx.x;
  const unsigned t = threadIdx.x + stencil_radius;
  tile[t] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < stencil_radius) {
    tile[threadIdx.x] = i >= stencil_radius ? in[i - stencil_radius] : 0.0f;
    tile[t + block_threads] = i + block_threads < n ? in[i + block_threads] : 0.0f;
  }
  __syncthreads();
  if (i >= n) return;
  float sum = 0.0f;
  for (int d = -stencil_radius; d <= stencil_radius; ++d) sum += tile[static_cast<int>(t) + d];
  out[i] = sum;
}

__global__ void bitonic_kernel(int32_t* keys) {
  __shared__ int32_t shared[bitonic_size];
  const unsigned i = threadIdx.x;
  shared[i] = keys[blockIdx.x * bitonic_size + i];
  __syncthreads();
  for (unsigned size = 2; size <= bitonic_size; size *= 2) {
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned other = i ^ stride;
      if (other > i) {
        const bool up = (i & size) == 0;
        const int32_t a = shared[i];
        const int32_t b = shared[other];
        if ((a > b) == up) {
          shared[i] = b;
          shared[other] = a;
        }
      }
      __syncthreads();
    }
  }
  keys[blockIdx.x * bitonic_size + i] = shared[i];
}

__global__ void histogram_kernel(const uint8_t* in, unsigned n, uint32_t* counts) {
  __shared__ uint32_t of_block[256];
  of_block[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = blockIdx.x * block_threads + threadIdx.x; i < n; i += gridDim.x * block_threads) {
    atomicAdd(&of_block[in[i]], 1u);
  }
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], of_block[threadIdx.x]);
}

__global__ void bodies_kernel(const float4* bodies, float4* accelerations, unsigned n) {
  __shared__ float4 tile[block_threads];
  const float4 mine = bodies[blockIdx.x * block_threads + threadIdx.x];
  float x = 0.0f, y = 0.0f, z = 0.0f;
  for (unsigned first = 0; first < n; first += block_threads) {
    tile[threadIdx.x] = bodies[first + threadIdx.x];
    __syncthreads();
    for (unsigned k = 0; k < block_threads; ++k) {
      const float dx = tile[k].x - mine.x, dy = tile[k].y - mine.y, dz = tile[k].z - mine.z;
      const float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + bodies_softening);
      const float pull = tile[k].w * inverse * inverse * inverse;
      x += dx * pull;
      y += dy * pull;
      z += dz * pull;
    }
    __syncthreads();
  }
  accelerations[blockIdx.x * block_threads + threadIdx.x] = make_float4(x, y, z, 0.0f);
}

template <class Op>
__device__ float reduce_block(float value, float* of_warp, Op op) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  value = cg::reduce(warp, value, op);
  if (warp.thread_rank() == 0) of_warp[threadIdx.x / 32] = value;
  block.sync();
  float all = of_warp[0];
  for (unsigned w = 1; w < warps; ++w) all = op(all, of_warp[w]);
  block.sync();
  return all;
}

// One block for each row of softmax_columns numbers.
__global__ void softmax_kernel(const float* in, float* out) {
  __shared__ float of_warp[warps];
  const float* row = in + blockIdx.x * softmax_columns;
  float largest = row[threadIdx.x];
  for (unsigned i = threadIdx.x; i < softmax_columns; i += block_threads) largest = fmaxf(largest, row[i]);
  largest = reduce_block(largest, of_warp, cg::greater<float>());
  float sum = 0.0f;
  for (unsigned i = threadIdx.x; i < softmax_columns; i += block_threads) sum += expf(row[i] - largest);
  sum = reduce_block(sum, of_warp, cg::plus<float>());
  for (unsigned i = threadIdx.x; i < softmax_columns; i += block_threads) {
    out[blockIdx.x * softmax_columns + i] = expf(row[i] - largest) / sum;
  }
}

// One warp for each row.
__global__ void matrix_vector_kernel(const float* matrix, const float* vector, float* out, unsigned n) {
  const unsigned row = (blockIdx.x * block_threads + threadIdx.x) / 32;
  const unsigned lane = threadIdx.x % 32;
  float sum = 0.0f;
  for (unsigned k = lane; k < n; k += 32) sum += matrix[size_t{row} * n + k] * vector[k];
  for (unsigned distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (lane == 0) out[row] = sum;
}

}  // namespace

void saxpy(float a, const float* x, float* y, unsigned n) {
  launch("saxpy", (n + block_threads - 1) / block_threads, block_threads, saxpy_kernel, a, x, y, n);
}
void average(const float* in, float* out, unsigned width, unsigned height) {
  const dim3 threads(32, 8);
  launch("average", dim3((width + 31) / 32, (height + 7) / 8), threads, average_kernel, in, out, width, height);
}
void stencil(const float* in, float* out, unsigned n) {
  launch("stencil", (n + block_threads - 1) / block_threads, block_threads, stencil_kernel, in, out, n);
}
void bitonic_sort(int32_t* keys, unsigned blocks) {
  launch("bitonic sort", blocks, bitonic_size, bitonic_kernel, keys);
}
void histogram(const uint8_t* in, unsigned n, uint32_t* counts) {
  launch("histogram", 64, block_threads, histogram_kernel, in, n, counts);
}
void attract_bodies(const float* bodies, float* accelerations, unsigned n) {
  launch("bodies", n / block_threads, block_threads, bodies_kernel, reinterpret_cast<const float4*>(bodies),
         reinterpret_cast<float4*>(accelerations), n);
}
void softmax(const float* in, float* out, unsigned rows) {
  launch("softmax", rows, block_threads, softmax_kernel, in, out);
}
void matrix_vector(const float* matrix, const float* vector, float* out, unsigned n) {
  launch("matrix by vector", n / warps, block_threads, matrix_vector_kernel, matrix, vector, out, n);
}

}  // namespace bench
