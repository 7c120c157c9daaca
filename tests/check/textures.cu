// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The checker treats accesses through texture and surface objects as accesses of their arrays or memory. The comments
// and marks are those of races.cu, and test_races.py compares.
#include <cstdio>

constexpr int width = 64, height = 4;

// race: a b 64
__global__ void surface_race(cudaSurfaceObject_t surface, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  surf2Dwrite(1.0f, surface, i * 4, 1);                  // [a]
  out[i] = surf2Dread<float>(surface, (i ^ 32) * 4, 1);  // [b]
}
__global__ void surface_in_order(cudaSurfaceObject_t surface, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  surf2Dwrite(1.0f, surface, i * 4, 1);
  __syncthreads();
  out[i] = surf2Dread<float>(surface, (i ^ 32) * 4, 1);
}

// The kernel writes the memory that its texture reads.
// race: a b 32
__global__ void fetch_of_written(cudaTextureObject_t texture, float* memory, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  if (i < 32) memory[i] = 2.0f;                              // [a]
  if (i >= 32) out[i] = tex1Dfetch<float>(texture, i - 32);  // [b]
}
__global__ void fetch(cudaTextureObject_t line, cudaTextureObject_t plane, float* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = tex1Dfetch<float>(line, i + 4) + tex2D<float>(plane, static_cast<float>(i) + 0.5f, 2.5f);
}

int main() {
  float *out = nullptr, *memory = nullptr;
  if (cudaMalloc(&out, width * sizeof(float)) || cudaMalloc(&memory, width * sizeof(float))) return 2;
  cudaMemset(memory, 0, width * sizeof(float));
  const cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
  cudaResourceDesc of_array{}, linear{};
  of_array.resType = cudaResourceTypeArray;
  if (cudaMallocArray(&of_array.res.array.array, &desc, width, height, cudaArraySurfaceLoadStore)) return 2;
  static float zeros[width * height];
  cudaMemcpy2DToArray(of_array.res.array.array, 0, 0, zeros, sizeof zeros / height, sizeof zeros / height, height,
                      cudaMemcpyHostToDevice);
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear = {memory, desc, width * sizeof(float)};
  cudaTextureDesc sampler{};
  cudaTextureObject_t line = 0, plane = 0;
  cudaSurfaceObject_t surface = 0;
  if (cudaCreateTextureObject(&line, &linear, &sampler, nullptr) || cudaCreateSurfaceObject(&surface, &of_array))
    return 2;
  sampler.filterMode = cudaFilterModeLinear;
  if (cudaCreateTextureObject(&plane, &of_array, &sampler, nullptr)) return 2;
  surface_race<<<1, width>>>(surface, out);
  surface_in_order<<<1, width>>>(surface, out);
  fetch_of_written<<<1, width>>>(line, memory, out);
  fetch<<<1, width - 4>>>(line, plane, out);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
