// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modern C++ around kernels: move-only buffers, exceptions from errors, variadic launch helpers, functors and
// constexpr functions shared by host and device, templates of templates, overloads of kernels, namespaces.
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace gpu {

class error : public std::runtime_error {
 public:
  error(cudaError_t code, const std::string& where)
      : std::runtime_error(where + ": " + cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

inline void check(cudaError_t code, const char* where) {
  if (code != cudaSuccess) {
    cudaGetLastError();
    throw error(code, where);
  }
}

template <class T>
class buffer {
 public:
  explicit buffer(std::size_t n) : size_(n) { check(cudaMalloc(&data_, n * sizeof(T)), "buffer"); }
  template <class It>
  buffer(It first, It last) : buffer(static_cast<std::size_t>(std::distance(first, last))) {
    std::vector<T> staged(first, last);
    check(cudaMemcpy(data_, staged.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), "buffer");
  }
  buffer(buffer&& other) noexcept : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  buffer& operator=(buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~buffer() { cudaFree(data_); }
  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::vector<T> host() const {
    std::vector<T> v(size_);
    check(cudaMemcpy(v.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), "host");
    return v;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

template <class... Parameters, class... Arguments>
void launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, Arguments&&... arguments) {
  std::tuple<Parameters...> values(std::forward<Arguments>(arguments)...);
  void* pointers[sizeof...(Parameters)];
  std::apply(
      [&](auto&... v) {
        int i = 0;
        ((pointers[i++] = const_cast<void*>(static_cast<const void*>(&v))), ...);
      },
      values);
  check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, pointers, 0, nullptr), "launch");
  check(cudaDeviceSynchronize(), "launch");
}

}  // namespace gpu

struct multiply {
  template <class A, class B>
  __host__ __device__ constexpr auto operator()(A a, B b) const {
    return a * b;
  }
};

template <int Power>
struct power_sum {
  __host__ __device__ long long operator()(long long a, long long b) const {
    long long r = 1;
    for (int i = 0; i < Power; ++i) r *= a + b;
    return r;
  }
};

namespace detail {
template <class T, class F>
__global__ void zip_reduce(const T* a, const T* b, std::size_t n, F f, T* partial) {
  extern __shared__ unsigned char raw[];
  T* shared = reinterpret_cast<T*>(raw);
  T sum{};
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += f(a[i], b[i]);
  shared[threadIdx.x] = sum;
  for (unsigned s = blockDim.x / 2; s > 0; s /= 2) {
    __syncthreads();
    if (threadIdx.x < s) shared[threadIdx.x] += shared[threadIdx.x + s];
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = shared[0];
}
}  // namespace detail

template <class T, class F>
T dot(const std::vector<T>& a, const std::vector<T>& b, F f) {
  gpu::buffer<T> da(a.begin(), a.end()), db(b.begin(), b.end()), partial(7);
  detail::zip_reduce<<<7, 64, 64 * sizeof(T)>>>(da.data(), db.data(), a.size(), f, partial.data());
  gpu::check(cudaGetLastError(), "dot");
  const std::vector<T> sums = partial.host();
  return std::accumulate(sums.begin(), sums.end(), T{});
}

// Overloads of one kernel name, and a struct by value.
struct affine {
  float c[3];
  char tag;
  double bias;
};
__global__ void apply(int* v, int n, int add) {
  const int i = threadIdx.x;
  if (i < n) v[i] += add;
}
__global__ void apply(float* v, int n, affine f) {
  const int i = threadIdx.x;
  if (i < n)
    v[i] = f.c[0] + f.c[1] * v[i] + f.c[2] * v[i] * v[i] + static_cast<float>(f.bias) + (f.tag == 'x' ? 1.0f : 0.0f);
}

int main() try {
  bool ok = true;
  std::vector<int> a(1000), b(1000);
  std::iota(a.begin(), a.end(), -300);
  std::iota(b.begin(), b.end(), 5);
  ok = ok && dot(a, b, multiply{}) == std::inner_product(a.begin(), a.end(), b.begin(), 0);
  std::vector<long long> c(a.begin(), a.end()), d(b.begin(), b.end());
  long long cubes = 0;
  for (std::size_t i = 0; i < c.size(); ++i) cubes += (c[i] + d[i]) * (c[i] + d[i]) * (c[i] + d[i]);
  ok = ok && dot(c, d, power_sum<3>{}) == cubes;
  std::vector<double> e(100, 0.5), f(100, 4.0);
  ok = ok && dot(e, f, multiply{}) == 200.0;

  gpu::buffer<int> moved(a.begin(), a.begin() + 10);
  gpu::buffer<int> ints = std::move(moved);
  gpu::launch(static_cast<void (*)(int*, int, int)>(apply), 1, 32, ints.data(), 10, 1000);
  for (int i = 0; i < 10; ++i) ok = ok && ints.host()[i] == -300 + i + 1000;
  gpu::buffer<float> floats(f.begin(), f.begin() + 8);
  const affine fn{{1.0f, 2.0f, 3.0f}, 'x', 0.5};
  apply<<<1, 8>>>(floats.data(), 8, fn);
  for (float v : floats.host()) ok = ok && v == 1.0f + 8.0f + 48.0f + 0.5f + 1.0f;

  bool thrown = false;
  try {
    gpu::launch(static_cast<void (*)(int*, int, int)>(apply), 1, 4096, ints.data(), 10, 1);
  } catch (const gpu::error& failure) {
    thrown = failure.code() != cudaSuccess;
    std::printf("as expected: %s\n", failure.what());
  }
  ok = ok && thrown;
  std::puts(ok ? "PASSED" : "FAILED");
  return ok ? 0 : 1;
} catch (const std::exception& e) {
  std::printf("unexpected: %s\n", e.what());
  return 1;
}
