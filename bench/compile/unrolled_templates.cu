// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Deeply unrolled templates: each thread computes a tile of a matrix product in registers, for many shapes of tiles.
namespace {

template <typename T, int rows, int columns, int depth>
__global__ void product(const T* a, const T* b, T* c, int m, int n, int k) {
  constexpr int threads = 16;
  __shared__ T part_of_a[depth][threads * rows];
  __shared__ T part_of_b[depth][threads * columns];
  const int x = threadIdx.x % threads, y = threadIdx.x / threads;
  const int first_row = blockIdx.y * threads * rows, first_column = blockIdx.x * threads * columns;
  T sums[rows][columns] = {};
  for (int start = 0; start < k; start += depth) {
#pragma unroll
    for (int i = 0; i < rows * depth / threads; ++i) {
      const int place = i * threads * threads + threadIdx.x;
      part_of_a[place % depth][place / depth] = a[(first_row + place / depth) * k + start + place % depth];
    }
#pragma unroll
    for (int i = 0; i < columns * depth / threads; ++i) {
      const int place = i * threads * threads + threadIdx.x;
      part_of_b[place / (threads * columns)][place % (threads * columns)] =
          b[(start + place / (threads * columns)) * n + first_column + place % (threads * columns)];
    }
    __syncthreads();
#pragma unroll
    for (int step = 0; step < depth; ++step) {
      T left[rows], right[columns];
#pragma unroll
      for (int i = 0; i < rows; ++i) {
        left[i] = part_of_a[step][y * rows + i];
      }
#pragma unroll
      for (int j = 0; j < columns; ++j) {
        right[j] = part_of_b[step][x + j * threads];
      }
#pragma unroll
      for (int i = 0; i < rows; ++i) {
#pragma unroll
        for (int j = 0; j < columns; ++j) {
          sums[i][j] += left[i] * right[j];
        }
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < rows; ++i) {
#pragma unroll
    for (int j = 0; j < columns; ++j) {
      c[(first_row + y * rows + i) * n + first_column + x + j * threads] = sums[i][j];
    }
  }
}

// Applies a matrix of constants to a vector in the registers of each thread.
template <int size, int rounds>
__global__ void rotate(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  float values[size];
#pragma unroll
  for (int k = 0; k < size; ++k) {
    values[k] = in[k * n + i];
  }
#pragma unroll
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int k = 0; k < size; ++k) {
      values[k] = values[k] * 0.75f + values[(k + round + 1) % size] * 0.25f + static_cast<float>(k);
    }
  }
#pragma unroll
  for (int k = 0; k < size; ++k) {
    out[k * n + i] = values[k];
  }
}

template <typename T, int rows, int columns>
void run_products(const T* a, const T* b, T* c, int m, int n, int k) {
  const dim3 blocks(n / (16 * columns), m / (16 * rows));
  product<T, rows, columns, 16><<<blocks, 256>>>(a, b, c, m, n, k);
}

template <typename T>
void run_all_products(const T* a, const T* b, T* c, int m, int n, int k) {
  run_products<T, 2, 2>(a, b, c, m, n, k);
  run_products<T, 2, 4>(a, b, c, m, n, k);
  run_products<T, 4, 4>(a, b, c, m, n, k);
  run_products<T, 4, 8>(a, b, c, m, n, k);
  run_products<T, 8, 8>(a, b, c, m, n, k);
}

}  // namespace

void run_unrolled_templates(const float* a, const float* b, float* c, int m, int n, int k) {
  run_all_products(a, b, c, m, n, k);
  run_all_products(reinterpret_cast<const double*>(a), reinterpret_cast<const double*>(b), reinterpret_cast<double*>(c),
                   m, n, k);
  run_all_products(reinterpret_cast<const int*>(a), reinterpret_cast<const int*>(b), reinterpret_cast<int*>(c), m, n,
                   k);
  rotate<16, 8><<<n / 256, 256>>>(a, c, n);
  rotate<32, 8><<<n / 256, 256>>>(a, c, n);
  rotate<64, 8><<<n / 256, 256>>>(a, c, n);
}
