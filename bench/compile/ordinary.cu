// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An ordinary file: three kernels and their launches.
__global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] += a * x[i];
  }
}

__global__ void heat(const float* from, float* to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) {
    const int i = y * width + x;
    to[i] = from[i] + 0.1f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width] - 4 * from[i]);
  }
}

__global__ void sums_of_blocks(const float* x, float* sums, int n) {
  __shared__ float partial[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  partial[threadIdx.x] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      partial[threadIdx.x] += partial[threadIdx.x + width];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = partial[0];
  }
}

void run_ordinary(float* x, float* y, float* sums, int n) {
  saxpy<<<n / 256, 256>>>(2.0f, x, y, n);
  heat<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(x, y, n, n);
  sums_of_blocks<<<n / 256, 256>>>(y, sums, n);
}
