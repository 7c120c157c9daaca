// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device code rounds to nearest, keeps subnormal numbers and raises no signal, whatever the host has chosen for its own
// thread. The host's choice is the same after the launch.
#include <cfenv>
#include <cstdio>
#include <vector>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

__global__ void divide(float* out, float x, float y) { out[blockIdx.x * blockDim.x + threadIdx.x] = x / y; }
__global__ void divide_together(float* out, float x, float y) {
  __shared__ float values[64];
  values[threadIdx.x] = x / y;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[63 - threadIdx.x];
}

constexpr unsigned blocks = 37, threads = 64;
static int failures = 0;

static void expect(float x, float y, float wanted, const char* what) {
  static float* out = nullptr;
  if (!out) cudaMallocManaged(&out, blocks * threads * sizeof(float));
  for (void (*const kernel)(float*, float, float) : {divide, divide_together}) {
    kernel<<<blocks, threads>>>(out, x, y);
    const cudaError_t error = cudaDeviceSynchronize();
    unsigned wrong = 0;
    for (unsigned i = 0; i < blocks * threads; ++i) wrong += __builtin_memcmp(&out[i], &wanted, sizeof wanted) != 0;
    if (error == cudaSuccess && wrong == 0) continue;
    ++failures;
    std::printf("%s: %s, %u of %u threads differ\n", what, cudaGetErrorString(error), wrong, blocks * threads);
  }
}

int main() {
  const volatile float one = 1, ten = 10, zero = 0, small = 1e-40f, two = 2;
  const float tenth = one / ten, subnormal = small / two;
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    std::fesetround(mode);
    expect(one, ten, tenth, "a rounding mode of the host");
    const int kept = std::fegetround();
    std::fesetround(FE_TONEAREST);
    if (kept != mode) std::printf("the launch changed the host's rounding mode\n"), ++failures;
  }
#if defined(__x86_64__)
  const unsigned at_start = _mm_getcsr();
  _mm_setcsr(at_start | 0x8040);  // subnormal results and operands become zero
  expect(small, two, subnormal, "the host flushes to zero");
  _mm_setcsr(at_start);
#endif
  std::feclearexcept(FE_ALL_EXCEPT);
  feenableexcept(FE_DIVBYZERO | FE_INEXACT);
  expect(one, zero, __builtin_inff(), "the host traps exceptions");
  expect(one, ten, tenth, "the host traps exceptions");
  if (fedisableexcept(FE_ALL_EXCEPT) == 0) std::printf("the launch changed the host's exceptions\n"), ++failures;
  std::printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
