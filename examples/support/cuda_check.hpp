// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Error checks, the number of devices and device memory for the CUDA examples.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace example {

inline void check(cudaError_t error, const char* call, const char* file, int line) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%d: %s: %s (%s)\n", file, line, call, cudaGetErrorString(error), cudaGetErrorName(error));
  std::exit(1);
}

// Returns how many devices a program uses: `wanted`, or all if that is 0. If the machine has fewer, the program ends
// with status 1.
inline int devices_to_use(const char* program, long long wanted) {
  int present = 0;
  check(cudaGetDeviceCount(&present), "cudaGetDeviceCount", __FILE__, __LINE__);
  if (wanted > present) {
    std::fprintf(stderr, "%s: this machine has %d devices, not %lld\n", program, present, wanted);
    std::exit(1);
  }
  return wanted != 0 ? static_cast<int>(wanted) : present;
}

// Owns device memory for `count` values.
template <class T>
class device_array {
 public:
  explicit device_array(size_t count) : count_(count) {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), bytes()), "cudaMalloc", __FILE__, __LINE__);
    check(cudaMemset(data_, 0, bytes()), "cudaMemset", __FILE__, __LINE__);
  }
  explicit device_array(const std::vector<T>& values) : device_array(values.size()) {
    check(cudaMemcpy(data_, values.data(), bytes(), cudaMemcpyHostToDevice), "cudaMemcpy", __FILE__, __LINE__);
  }
  ~device_array() { cudaFree(data_); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;

  T* get() const { return data_; }
  size_t bytes() const { return count_ * sizeof(T); }

  // Waits for preceding work of the default stream and copies all values to the host.
  std::vector<T> to_host() const {
    std::vector<T> values(count_);
    check(cudaMemcpy(values.data(), data_, bytes(), cudaMemcpyDeviceToHost), "cudaMemcpy", __FILE__, __LINE__);
    return values;
  }

 private:
  size_t count_;
  T* data_ = nullptr;
};

}  // namespace example

#define EXAMPLE_CHECK(call) ::example::check((call), #call, __FILE__, __LINE__)

// Follows a <<<>>> launch: reports a refused launch, then waits for the kernel and reports a failed one.
#define EXAMPLE_CHECK_LAUNCH()              \
  do {                                      \
    EXAMPLE_CHECK(cudaGetLastError());      \
    EXAMPLE_CHECK(cudaDeviceSynchronize()); \
  } while (0)
