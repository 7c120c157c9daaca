// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
static __device__ int base = 200;
static __global__ void work(int* out) { *out = base + 2; }
template <class T>
__global__ void shared_template(T* out) {
  *out += 1;
}

int run_other() {
  int* out = nullptr;
  if (cudaMallocManaged(&out, sizeof(int)) != cudaSuccess) return -1;
  work<<<1, 1>>>(out);
  shared_template<<<1, 1>>>(out);
  const cudaError_t error = cudaDeviceSynchronize();
  return error == cudaSuccess ? *out : -2;
}
