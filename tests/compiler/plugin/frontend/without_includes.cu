// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names that a source has without an include of its own, functions that nvcc, unlike clang, treats as constexpr, and
// declarations of NVIDIA's headers beside the built-in variables.
#include "../check.hpp"

#ifndef __CUDA_ARCH__
extern const dim3 blockDim;
extern const uint3 threadIdx;
#endif

__NV_SILENCE_DEPRECATION_BEGIN
__device__ constexpr float inverse_of_log() { return 1.0f / ::log(10.0f); }
__host__ __device__ constexpr double root_of_two() { return ::sqrt(2.0); }
__NV_SILENCE_DEPRECATION_END

__host__ __device__ float sum_of_sine_and_cosine(float x) {
  float sine, cosine;
  sincos(x, &sine, &cosine);
  return sine + cosine;
}

constexpr unsigned values = 5;  // values of each thread

__host__ __device__ unsigned thread_of_block() {
#ifdef __CUDA_ARCH__
  return threadIdx.x + blockDim.x * threadIdx.y;
#else
  return 0;
#endif
}

template <class A, class B>
__device__ bool is_same_float(A a, B b) {
  return sizeof(A) == sizeof(float) && sizeof(B) == sizeof(float) && a == b;
}

// C has these names for double only.
__device__ bool has_float_forms(float x) {
  return is_same_float(exp10(x), exp10f(x)) && is_same_float(j0(x), j0f(x)) && is_same_float(j1(x), j1f(x)) &&
         is_same_float(jn(3, x), jnf(3, x)) && is_same_float(y0(x), y0f(x)) && is_same_float(y1(x), y1f(x)) &&
         is_same_float(yn(3, x), ynf(3, x)) && sizeof(j0(1.0)) == sizeof(double);
}

__global__ void fill(float* out) {
  const dim3 shape = blockDim;
  const uint3 place = threadIdx;
  float* own = out + values * thread_of_block();
  own[0] = inverse_of_log();
  own[1] = static_cast<float>(root_of_two());
  own[2] = sum_of_sine_and_cosine(0.25f);
  own[3] = static_cast<float>(place.x + shape.x * place.y);
  own[4] = has_float_forms(0.5f + own[3]);
}

int main() {
  constexpr unsigned width = 7, height = 3;
  float* out = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&out, values * width * height * sizeof(float)));
  fill<<<1, dim3(width, height)>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < width * height; ++i) {
    const float* own = out + values * i;
    expect_equal(std::abs(own[0] - 0.4342945f) < 1e-6f, true, "1 / log(10)", i);
    expect_equal(std::abs(own[1] - 1.4142135f) < 1e-6f, true, "sqrt(2)", i);
    expect_equal(std::abs(own[2] - 1.2163163f) < 1e-6f, true, "sin + cos on the device", i);
    expect_equal(own[3], float(i), "thread of its block", i);
    expect_equal(own[4], 1.0f, "functions of float", i);
  }
  expect_equal(std::abs(sum_of_sine_and_cosine(0.25f) - 1.2163163f) < 1e-6f, true, "sin + cos on the host");
  expect_equal(std::max(3, 4) + std::min(3, 4), 7, "std::max and std::min");
  expect_equal(std::numeric_limits<int>::max(), 2147483647, "std::numeric_limits");
  return result();
}
