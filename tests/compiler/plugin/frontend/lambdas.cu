// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lambdas that run on the device: as parameters of kernels, nested, generic, capturing.
#include "../check.hpp"

template <class F>
__global__ void apply(int* out, F f) {
  out[threadIdx.x] = f(static_cast<int>(threadIdx.x));
}

template <class F, class G>
__device__ int both(F f, G g, int x) {
  return f(g(x));
}

struct scaler {
  int factor;
  void run(int* out) const {
    const int by = factor;
    apply<<<1, 10>>>(out, [=] __device__(int x) { return x * by; });
  }
};

int main() {
  int* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, 16 * sizeof(int)));
  auto check = [&](const char* what, auto expected) {
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int i = 0; i < 10; ++i) expect_equal(out[i], expected(i), what, i);
  };
  apply<<<1, 10>>>(out, [] __device__(int x) { return x + 1; });
  check("no capture", [](int i) { return i + 1; });
  const int offset = 5;
  const double slope = 2.5;
  apply<<<1, 10>>>(out, [=] __device__(int x) { return static_cast<int>(x * slope) + offset; });
  check("captures", [](int i) { return static_cast<int>(i * 2.5) + 5; });
  apply<<<1, 10>>>(out, [=] __host__ __device__(int x) { return x - offset; });
  check("host and device", [](int i) { return i - 5; });
  scaler{7}.run(out);
  check("in a member function", [](int i) { return i * 7; });
  apply<<<1, 10>>>(out, [=] __device__(int x) {
    auto inner = [&](auto y) { return y * offset; };
    __shared__ int sum;  // shared by a block, also in a lambda
    if (threadIdx.x == 0) sum = 100;
    __syncthreads();
    return both(inner, [](int z) { return z + 2; }, x) + sum;
  });
  check("nested and generic", [](int i) { return (i + 2) * 5 + 100; });
  int* other = out + 10;
  auto writer = [=] __device__(int x) {
    other[x % 6] = x;
    return x;
  };
  apply<<<1, 10>>>(out, writer);
  apply<<<1, 3>>>(out, writer);
  check("used twice", [](int i) { return i; });
  return result();
}
