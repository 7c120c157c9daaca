// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// With -use_fast_math, divisions and square roots have equal bits in a loop over threads and with a stack for each
// thread, and an error of a few units in the last place.
#include <cmath>
#include <cstring>

#include "../check.hpp"

constexpr int forms = 5;

// No launch here reaches the barrier, but it gives each thread a stack.
template <bool Waits>
__global__ void compute(const float* in, int n, float* out) {
  if (Waits && n < 0) __syncthreads();
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const float a = in[2 * i], b = in[2 * i + 1];
  float* const mine = out + forms * i;
  mine[0] = a / b;
  mine[1] = (a + 1) / b;
  mine[2] = a / static_cast<float>(n);  // all threads have this divisor
  mine[3] = 1 / sqrtf(a);
  mine[4] = sqrtf(b);
}

int main() {
  constexpr int n = 1000;
  float *in = nullptr, *in_loop = nullptr, *on_stacks = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&in, 2 * n * sizeof(float)));
  EXPECT_SUCCESS(cudaMallocManaged(&in_loop, forms * n * sizeof(float)));
  EXPECT_SUCCESS(cudaMallocManaged(&on_stacks, forms * n * sizeof(float)));
  unsigned state = 1;
  for (int i = 0; i < 2 * n; ++i) {
    state = state * 1664525u + 1013904223u;
    in[i] = static_cast<float>(state) / 3e9f + 0.125f;
  }
  compute<false><<<4, 256>>>(in, n, in_loop);
  compute<true><<<4, 256>>>(in, n, on_stacks);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const double a = in[2 * i], b = in[2 * i + 1];
    const double exact[forms] = {a / b, (in[2 * i] + 1.0f) / b, a / n, 1 / std::sqrt(a), std::sqrt(b)};
    for (int form = 0; form < forms; ++form) {
      const int at = forms * i + form;
      expect_equal(std::fabs(in_loop[at] - exact[form]) <= exact[form] * 4e-7, true, "exactness of form", form);
      expect_equal(std::memcmp(in_loop + at, on_stacks + at, sizeof(float)), 0, "bytes of loop and stacks, form", form);
    }
  }
  return result();
}
