// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that the compiler cannot resolve: a table of device functions, a pointer copied out by symbol, virtual
// functions of objects made in a kernel, recursion, a callee with a barrier inside.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstring>

typedef float (*unary)(float);

__device__ float twice(float x) { return 2.0f * x; }
__device__ float negate(float x) { return -x; }
__device__ float plus_one(float x) { return x + 1.0f; }

__device__ unary table[3] = {twice, negate, plus_one};
__device__ unary chosen = plus_one;

__global__ void by_table(float* out) { out[threadIdx.x] = table[threadIdx.x % 3]((float)threadIdx.x); }

__global__ void by_argument(unary f, float* out) { out[threadIdx.x] = f((float)threadIdx.x); }

class Shape {
 public:
  __device__ virtual float area() const = 0;
  __device__ virtual ~Shape() {}
};
class Square : public Shape {
  float side_;

 public:
  __device__ explicit Square(float side) : side_(side) {}
  __device__ float area() const override { return side_ * side_; }
};
class Box : public Shape {
  float w_, h_;

 public:
  __device__ Box(float w, float h) : w_(w), h_(h) {}
  __device__ float area() const override { return w_ * h_; }
};

__global__ void make_shapes(Shape** shapes, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  if (i % 2) {
    shapes[i] = new Square((float)i);
  } else {
    shapes[i] = new Box((float)i, 3.0f);
  }
}
__global__ void measure(Shape** shapes, float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = shapes[threadIdx.x]->area();
}
__global__ void drop_shapes(Shape** shapes, int n) {
  if (threadIdx.x < n) delete shapes[threadIdx.x];
}

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__global__ void recurse(int* out) { out[threadIdx.x] = fibonacci((int)threadIdx.x); }

typedef int (*block_function)(int*, int);
__device__ __noinline__ int neighbour(int* shared, int value) {
  shared[threadIdx.x] = value;
  __syncthreads();
  const int result = shared[(threadIdx.x + 1) % blockDim.x];
  __syncthreads();
  return result;
}
__device__ __noinline__ int block_max(int* shared, int value) {
  shared[threadIdx.x] = value;
  __syncthreads();
  int best = shared[0];
  for (unsigned i = 1; i < blockDim.x; ++i) best = max(best, shared[i]);
  __syncthreads();
  return best;
}
__device__ block_function steps[2] = {neighbour, block_max};
__global__ void waits_behind_pointers(int* out) {
  __shared__ int shared[64];
  int value = (int)(threadIdx.x * 17 % 64);
  for (int s = 0; s < 2; ++s) {
    value = steps[s](shared, value);
    out[s * blockDim.x + threadIdx.x] = value;
  }
}

int main() {
  float *d_out, out[32];
  int *d_ints, ints[128];
  cudaMalloc(&d_out, sizeof(out));
  cudaMalloc(&d_ints, sizeof(ints));
  bool ok = true;
  by_table<<<1, 32>>>(d_out);
  cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) ok = ok && out[i] == (i % 3 == 0 ? 2.0f * i : i % 3 == 1 ? -1.0f * i : i + 1.0f);
  std::printf("table: %s\n", ok ? "ok" : "WRONG");

  unary f = nullptr;
  ok = ok && cudaMemcpyFromSymbol(&f, chosen, sizeof(f)) == cudaSuccess;
  by_argument<<<1, 32>>>(f, d_out);
  cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) ok = ok && out[i] == i + 1.0f;
  std::printf("argument: %s\n", ok ? "ok" : "WRONG");

  Shape** shapes;
  cudaMalloc(&shapes, 20 * sizeof(Shape*));
  make_shapes<<<1, 32>>>(shapes, 20);
  measure<<<1, 32>>>(shapes, d_out, 20);
  drop_shapes<<<1, 32>>>(shapes, 20);
  ok = ok && cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < 20; ++i) ok = ok && out[i] == (i % 2 ? (float)i * i : 3.0f * i);
  std::printf("virtual: %s\n", ok ? "ok" : "WRONG");

  recurse<<<1, 16>>>(d_ints);
  cudaMemcpy(ints, d_ints, sizeof(ints), cudaMemcpyDeviceToHost);
  for (int i = 0, a = 0, b = 1; i < 16; ++i) {
    ok = ok && ints[i] == a;
    const int next = a + b;
    a = b, b = next;
  }
  std::printf("recursion: %s\n", ok ? "ok" : "WRONG");

  waits_behind_pointers<<<1, 64>>>(d_ints);
  ok = ok && cudaMemcpy(ints, d_ints, sizeof(ints), cudaMemcpyDeviceToHost) == cudaSuccess;
  for (int i = 0; i < 64; ++i) ok = ok && ints[i] == (i + 1) % 64 * 17 % 64 && ints[64 + i] == 63;
  std::printf("barriers behind pointers: %s\n", ok ? "ok" : "WRONG");
  cudaFree(d_out), cudaFree(d_ints), cudaFree(shapes);
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
}
