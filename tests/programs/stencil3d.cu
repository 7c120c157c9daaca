// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A 3D heat stencil: 3D blocks over a 3D grid, and a second version that marches along z with a queue of registers
// and a shared plane. Early return of the outside threads, pitched 3D indices, double buffering.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

template <class T>
using device_ptr = std::unique_ptr<T[], cudaError_t (*)(void*)>;

template <class T>
device_ptr<T> make_device(size_t n) {
  T* p = nullptr;
  if (cudaMalloc(&p, n * sizeof(T)) != cudaSuccess) std::abort();
  return device_ptr<T>(p, [](void* q) { return cudaFree(q); });
}

struct grid_size {
  int nx, ny, nz;
  __host__ __device__ int at(int x, int y, int z) const { return (z * ny + y) * nx + x; }
  __host__ __device__ bool inside(int x, int y, int z) const {
    return x > 0 && y > 0 && z > 0 && x < nx - 1 && y < ny - 1 && z < nz - 1;
  }
};

__global__ void heat_simple(const float* __restrict__ in, float* __restrict__ out, grid_size g) {
  const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y,
            z = threadIdx.z + blockIdx.z * blockDim.z;
  if (x >= g.nx || y >= g.ny || z >= g.nz) return;
  const int c = g.at(x, y, z);
  out[c] = g.inside(x, y, z) ? 0.25f * in[c] + 0.125f * (in[c - 1] + in[c + 1] + in[c - g.nx] + in[c + g.nx] +
                                                         in[c - g.nx * g.ny] + in[c + g.nx * g.ny])
                             : in[c];
}

template <int BX, int BY>
__global__ __launch_bounds__(BX* BY) void heat_marching(const float* __restrict__ in, float* __restrict__ out,
                                                        grid_size g) {
  __shared__ float plane[BY + 2][BX + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * BX + threadIdx.x, y = blockIdx.y * BY + threadIdx.y;
  const bool live = x < g.nx && y < g.ny;
  auto load = [&](int px, int py, int pz) {
    return px >= 0 && py >= 0 && px < g.nx && py < g.ny && pz < g.nz ? in[g.at(px, py, pz)] : 0.0f;
  };
  float below = 0.0f, here = load(x, y, 0), above = load(x, y, 1);
  for (int z = 0; z < g.nz; ++z) {
    plane[ty][tx] = here;
    if (threadIdx.x == 0) plane[ty][0] = load(x - 1, y, z);
    if (threadIdx.x == BX - 1) plane[ty][BX + 1] = load(x + 1, y, z);
    if (threadIdx.y == 0) plane[0][tx] = load(x, y - 1, z);
    if (threadIdx.y == BY - 1) plane[BY + 1][tx] = load(x, y + 1, z);
    __syncthreads();
    if (live) {
      const int c = g.at(x, y, z);
      out[c] = g.inside(x, y, z) ? 0.25f * here + 0.125f * (plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] +
                                                            plane[ty + 1][tx] + below + above)
                                 : here;
    }
    __syncthreads();
    below = here;
    here = above;
    above = load(x, y, z + 2);
  }
}

int main() {
  const grid_size g{45, 37, 21};
  const int n = g.nx * g.ny * g.nz, steps = 3;
  std::vector<float> start(n), host, next, result(n);
  for (int i = 0; i < n; ++i) start[i] = static_cast<float>((i * 31) % 64);
  host = start;
  next = start;
  for (int s = 0; s < steps; ++s) {
    for (int z = 0; z < g.nz; ++z)
      for (int y = 0; y < g.ny; ++y)
        for (int x = 0; x < g.nx; ++x) {
          const int c = g.at(x, y, z), p = g.nx * g.ny;
          next[c] = g.inside(x, y, z) ? 0.25f * host[c] + 0.125f * (host[c - 1] + host[c + 1] + host[c - g.nx] +
                                                                    host[c + g.nx] + host[c - p] + host[c + p])
                                      : host[c];
        }
    host.swap(next);
  }
  auto a = make_device<float>(n), b = make_device<float>(n);
  bool ok = true;
  for (int version = 0; version < 2; ++version) {
    cudaMemcpy(a.get(), start.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    for (int s = 0; s < steps; ++s) {
      if (version == 0) {
        const dim3 block(8, 4, 4), grid((g.nx + 7) / 8, (g.ny + 3) / 4, (g.nz + 3) / 4);
        heat_simple<<<grid, block>>>(a.get(), b.get(), g);
      } else {
        heat_marching<16, 8><<<dim3((g.nx + 15) / 16, (g.ny + 7) / 8), dim3(16, 8)>>>(a.get(), b.get(), g);
      }
      std::swap(a, b);
    }
    if (cudaMemcpy(result.data(), a.get(), n * sizeof(float), cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
    float worst = 0;
    for (int i = 0; i < n; ++i) worst = std::fmax(worst, std::fabs(result[i] - host[i]));
    std::printf("version %d: worst difference %g\n", version, worst);
    ok = ok && worst < 1e-4f;
  }
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
