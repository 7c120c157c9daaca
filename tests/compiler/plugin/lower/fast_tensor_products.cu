// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// COHORT_TENSOR=fast: products of f16, bf16 and tf32 are chains of fused products in ascending k, with equal bits
// however the kernel runs. Blocks have three rows of warps; each warp multiplies two tiles by two.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../check.hpp"

struct f16 {
  static constexpr int k = 16, dropped_bits = 13;
  static __device__ void multiply(float (&d)[4], const uint32_t* a, const uint32_t* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
  static uint32_t bits(int sign, int exponent, uint32_t fraction) {
    return static_cast<uint32_t>(sign) << 15 | static_cast<uint32_t>(exponent + 15) << 10 | fraction >> 13;
  }
};
struct bf16 {
  static constexpr int k = 16, dropped_bits = 16;
  static __device__ void multiply(float (&d)[4], const uint32_t* a, const uint32_t* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, "
        "%2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
  static uint32_t bits(int sign, int exponent, uint32_t fraction) {
    return static_cast<uint32_t>(sign) << 15 | static_cast<uint32_t>(exponent + 127) << 7 | fraction >> 16;
  }
};
struct tf32 {
  static constexpr int k = 8, dropped_bits = 13;
  static __device__ void multiply(float (&d)[4], const uint32_t* a, const uint32_t* b) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, "
        "%3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
  static uint32_t bits(int sign, int exponent, uint32_t fraction) {
    return static_cast<uint32_t>(sign) << 31 | static_cast<uint32_t>(exponent + 127) << 23 | (fraction & ~0x1fffu);
  }
};

constexpr int steps = 5, tiles = 2, warps = 6;
constexpr int rows = 16 * tiles, columns = 8 * tiles;

// Each warp's A lies in rows, and B in columns, as words.
template <class Type>
__global__ void products(const uint32_t* a, const uint32_t* b, float* d) {
  const unsigned thread = threadIdx.x + blockDim.x * threadIdx.y;
  const unsigned warp = thread / 32, lane = thread % 32, words = 8 * steps;
  a += warp * rows * words;
  b += warp * columns * words;
  float sums[tiles][tiles][4];
#pragma unroll
  for (int i = 0; i < tiles * tiles * 4; ++i) sums[i / 4 / tiles][i / 4 % tiles][i % 4] = 0.25f * (i % 4);
  for (unsigned step = 0; step < steps; ++step) {
#pragma unroll
    for (int y = 0; y < tiles; ++y) {
      const uint32_t* row = a + (16 * y + lane / 4) * words + 8 * step + lane % 4;
      const uint32_t of_a[4] = {row[0], row[8 * words], row[4], row[8 * words + 4]};
#pragma unroll
      for (int x = 0; x < tiles; ++x) {
        const uint32_t* column = b + (8 * x + lane / 4) * words + 8 * step + lane % 4;
        const uint32_t of_b[2] = {column[0], column[4]};
        Type::multiply(sums[y][x], of_a, of_b);
      }
    }
  }
#pragma unroll
  for (int i = 0; i < tiles * tiles * 4; ++i) {
    const unsigned row = 16 * (i / 4 / tiles) + lane / 4 + i % 4 / 2 * 8;
    const unsigned column = 8 * (i / 4 % tiles) + lane % 4 * 2 + i % 2;
    d[(warp * rows + row) * columns + column] = sums[i / 4 / tiles][i / 4 % tiles][i % 4];
  }
}

struct matrix {
  std::vector<float> values;
  std::vector<uint32_t> words;
};

template <class Type>
matrix random_matrix(int lines, uint32_t state) {
  constexpr int k = steps * Type::k, per_word = Type::k / 8;
  matrix made = {std::vector<float>(lines * k), std::vector<uint32_t>(lines * k / per_word)};
  for (int i = 0; i < lines * k; ++i) {
    state = state * 1664525u + 1013904223u;
    const int exponent = static_cast<int>(state >> 8 & 15u) - 9;
    const uint32_t fraction = (state >> 3 & 0x7fffffu), bits = Type::bits(state >> 31, exponent, fraction);
    const uint32_t kept = fraction >> Type::dropped_bits << Type::dropped_bits;
    made.values[i] = std::ldexp(1 + static_cast<float>(kept) * 0x1p-23f, exponent) * (state >> 31 ? -1.0f : 1.0f);
    made.words[i / per_word] |= bits << (32 / per_word * (i % per_word) % 32);
  }
  return made;
}

template <class Type>
void check(const char* name) {
  constexpr int k = steps * Type::k;
  const matrix a = random_matrix<Type>(warps * rows, 1), b = random_matrix<Type>(warps * columns, 2);
  std::vector<float> got(warps * rows * columns);
  uint32_t *of_a = copy_of(a.words), *of_b = copy_of(b.words);
  float* d = copy_of(got);
  products<Type><<<1, dim3(64, 3)>>>(of_a, of_b, d);
  EXPECT_SUCCESS(cudaMemcpy(got.data(), d, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  bool is_fast = false;
#ifdef __x86_64__
  is_fast = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c");
#endif
  for (int i = 0; i < warps * rows * columns; ++i) {
    const int warp = i / columns / rows, row = i / columns % rows, column = i % columns;
    float sum = 0.25f * (row / 8 % 2 * 2 + column % 2), magnitude = sum;
    for (int at = 0; at < k; ++at) {
      const float left = a.values[(warp * rows + row) * k + at], right = b.values[(warp * columns + column) * k + at];
      sum = std::fma(left, right, sum);
      magnitude += std::fabs(left * right);
    }
    const float difference = std::fabs(got[i] - sum);
    expect_equal(is_fast ? difference == 0 : difference <= magnitude * 0x1p-18f, true, name, i);
  }
  cudaFree(of_a);
  cudaFree(of_b);
  cudaFree(d);
}

int main() {
  check<f16>("f16");
  check<bf16>("bf16");
  check<tf32>("tf32");
  return result();
}
