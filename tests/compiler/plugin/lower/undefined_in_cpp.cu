// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that C++ leaves undefined and nvcc compiles as written: accesses by another type, functions that end without a
// value, tests of the result of `new`, bytes of a bool other than 0 and 1.
#include "../check.hpp"

constexpr int threads = 64;

__global__ void halves_of_words(short* halves, int* words) {
  const int i = threadIdx.x;
  words[i] = 0x10001 * i;
  halves[2 * i + 1] = static_cast<short>(-i);
  words[i] += halves[2 * i];
}

__global__ void bits_of_floats(float* floats, int* words) {
  const int i = threadIdx.x;
  words[i] = i;
  floats[i] = 1.5f;
  words[i] += 1;
}

__global__ void sign_of_doubles(double* numbers, int* out) {
  const int i = threadIdx.x;
  numbers[i] = -1.5 * i;
  reinterpret_cast<int*>(numbers)[2 * i + 1] &= 0x7fffffff;
  out[i] = static_cast<int>(2 * numbers[i]);
}

__global__ void vectors_over_floats(const float* from, int* out) {
  __shared__ float tile[4 * threads];
  const int i = threadIdx.x;
  for (int j = 0; j < 4; ++j) tile[4 * i + j] = 0;
  *reinterpret_cast<int4*>(&tile[4 * i]) = *reinterpret_cast<const int4*>(&from[4 * i]);
  float sum = 0;
  for (int j = 0; j < 4; ++j) sum += tile[4 * i + j];
  out[i] = static_cast<int>(sum);
}

__device__ int mark(int* out, int x) {
  if (x > 0) {
    out[x] = 1;
    return 1;
  }
  out[threads - x] = 2;
}
__global__ void ends_without_a_value(int* out) { mark(out, static_cast<int>(threadIdx.x) - 20); }

__device__ int large_only(int x) {
  if (x > 3) return 1;
}
__global__ void unused_value(int* out) {
  const int x = threadIdx.x;
  int value = large_only(x);
  if (x <= 3) value = 7;
  out[x] = value;
}

__global__ void bytes_as_bools(const unsigned char* bytes, int* out) {
  const bool* const flags = reinterpret_cast<const bool*>(bytes);
  const int i = threadIdx.x;
  out[i] = flags[i] ? 1 : 0;
  out[i] += flags[i] + flags[i / 2];
  if (!flags[i]) out[i] -= 10;
}

__global__ void heap_is_exhausted(int* out, size_t count) {
  int* const numbers = new int[count];
  out[0] = numbers == nullptr ? 7 : 3;
  delete[] numbers;
}

static void run(void (*check)(int* out, void* other)) {
  static int* out = nullptr;
  static void* other = nullptr;
  if (!out) {
    EXPECT_SUCCESS(cudaMallocManaged(&out, 4 * threads * sizeof(int)));
    EXPECT_SUCCESS(cudaMallocManaged(&other, 4 * threads * sizeof(float)));
  }
  for (int i = 0; i < 4 * threads; ++i) out[i] = -1;
  check(out, other);
}

int main() {
  run([](int* out, void*) {
    halves_of_words<<<1, threads>>>(reinterpret_cast<short*>(out), out);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < threads; ++i) {
      expect_equal(out[i], static_cast<int>(static_cast<unsigned>(-i) << 16 | static_cast<unsigned>(i)) + i, "halves",
                   i);
    }
  });
  run([](int* out, void*) {
    bits_of_floats<<<1, threads>>>(reinterpret_cast<float*>(out), out);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < threads; ++i) expect_equal(out[i], 0x3fc00001, "bits", i);
  });
  run([](int* out, void* other) {
    sign_of_doubles<<<1, threads>>>(static_cast<double*>(other), out);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < threads; ++i) expect_equal(out[i], 3 * i, "sign", i);
  });
  run([](int* out, void* other) {
    auto* const floats = static_cast<float*>(other);
    for (int i = 0; i < 4 * threads; ++i) floats[i] = static_cast<float>(i);
    vectors_over_floats<<<1, threads>>>(floats, out);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < threads; ++i) expect_equal(out[i], 16 * i + 6, "vectors", i);
  });
  run([](int* out, void*) {
    ends_without_a_value<<<1, threads>>>(out);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < 2 * threads; ++i) {
      const int wanted = i > 0 && i < threads - 20 ? 1 : i >= threads && i <= threads + 20 ? 2 : -1;
      expect_equal(out[i], wanted, "no value", i);
    }
  });
  run([](int* out, void*) {
    unused_value<<<1, threads>>>(out);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < threads; ++i) expect_equal(out[i], i <= 3 ? 7 : 1, "unused value", i);
  });
  run([](int* out, void* other) {
    auto* const bytes = static_cast<unsigned char*>(other);
    for (int i = 0; i < threads; ++i) bytes[i] = static_cast<unsigned char>(i);
    bytes_as_bools<<<1, threads>>>(bytes, out);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < threads; ++i) expect_equal(out[i], 2 * (i != 0) + (i / 2 != 0) - (i == 0 ? 10 : 0), "bools", i);
  });
  run([](int* out, void*) {
    heap_is_exhausted<<<1, 1>>>(out, size_t{1} << 44);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    expect_equal(out[0], 7, "heap", 0);
  });
  return result();
}
