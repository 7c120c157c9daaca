// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planted defects of pointers: kernels that access host memory, and host code that accesses device memory.
#include <memory>
#include <string>
#include <vector>

#include "planted.hpp"

namespace {

int global_of_host[16];

template <class T>
T* device_memory(std::size_t count) {
  T* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  cudaMemset(memory, 0, count * sizeof(T));
  return memory;
}
int* managed(std::size_t count) {
  int* memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof(int));
  for (std::size_t i = 0; i < count; ++i) memory[i] = 0;
  return memory;
}

__global__ void set(int* p, int v) {
  p[threadIdx.x] = v;  // here: stack_variable heap_vector host_variable
}
// Runs the kernel on host memory, or on its copy on the device.
void run_on(bool defect, int* host, int count) {
  int* const device = device_memory<int>(count);
  set<<<1, count>>>(defect ? host : device, 9);
  if (cudaDeviceSynchronize() == cudaSuccess) cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
}
PLANTED(stack_variable, "in the stack of the host at 0x") {
  int local[5] = {};
  run_on(defect, local, 5);
}
PLANTED(heap_vector, "which no call of CUDA has allocated or registered") {
  std::vector<int> values(33);
  run_on(defect, values.data(), 33);
}
PLANTED(host_variable, "in a variable of the host at 0x") { run_on(defect, global_of_host, 16); }

struct view {
  const int* data;
  int count;
};
__global__ void sum(view v, int* out) {
  int total = 0;
#pragma unroll 1
  for (int i = 0; i < v.count; ++i) total += v.data[i];  // here: large_array
  *out = total;
}
// The C library gives large arrays mappings of their own.
PLANTED(large_array, "in memory of the host at 0x") {
  constexpr int count = 1 << 18;
  const std::unique_ptr<int[]> values(new int[count]());
  int *const device = device_memory<int>(count), *const out = device_memory<int>(1);
  sum<<<1, 1>>>({(defect ? values.get() : device) + 70000, 99}, out);
  cudaDeviceSynchronize();
  cudaFree(device);
  cudaFree(out);
}

// An array of pointers to rows; the host has copied all rows but one to the device.
__global__ void add_rows(int** rows, int count) {
  for (int r = 0; r < count; ++r) atomicAdd(&rows[r][threadIdx.x], r);  // here: row_pointer
}
PLANTED(row_pointer, "which no call of CUDA has allocated or registered") {
  std::vector<int> row(7);
  int* const rows[3] = {device_memory<int>(7), defect ? row.data() : device_memory<int>(7), device_memory<int>(7)};
  int** const list = device_memory<int*>(3);
  cudaMemcpy(list, rows, sizeof rows, cudaMemcpyHostToDevice);
  add_rows<<<1, 7>>>(list, 3);
  cudaDeviceSynchronize();
}

PLANTED(device_written, "in byte 4 of 16 bytes of device memory") {
  int* const d = device_memory<int>(4);
  int* const m = managed(4);
  cudaDeviceSynchronize();
  int* const p = defect ? d : m;
  p[1] = 5;  // here: device_written
  cudaFree(d);
  cudaFree(m);
}
PLANTED(device_read, "in byte 0 of 400 bytes of device memory") {
  int* const d = device_memory<int>(100);
  int values[100] = {};
  cudaMemcpy(values, d, sizeof values, cudaMemcpyDeviceToHost);
  const int* const p = defect ? d : values;
  int total = 0;
  for (int i = 0; i < 100; ++i) total += p[i];  // here: device_read
  if (total != 0) std::printf("%d\n", total);
  cudaFree(d);
}
PLANTED(device_copied, "of 64 bytes of device memory") {
  char* const d = device_memory<char>(64);
  char text[64] = "text";
  if (defect) {
    std::memcpy(d, text, sizeof text);  // here: device_copied
  } else {
    cudaMemcpy(d, text, sizeof text, cudaMemcpyHostToDevice);
  }
  cudaFree(d);
}

// Accesses that kernels may make: large parameters, constants, pinned and registered memory, and their heap.
struct large {
  int values[40];
};
struct base {
  __device__ virtual int value() const { return 1; }
};
struct derived : base {
  __device__ int value() const override { return 2; }
};
__device__ __noinline__ int element(const large& l, int i) { return l.values[i]; }
__device__ const char* const names[] = {"zero", "one", "two"};
__device__ int counter;
__global__ void all_kinds(large l, int* pinned, int* registered, int* managed, int* out) {
  static int calls = 0;
  const int table[] = {3, 1, 4, 1, 5, 9, 2, 6};
  derived d;
  base* const heap = new derived;
  int sum = element(l, pinned[0] + threadIdx.x) + table[(pinned[1] + threadIdx.x) % 8] + names[threadIdx.x % 3][0];
  base* const both[] = {&d, heap};
  sum += both[registered[0] + threadIdx.x % 2]->value() + managed[threadIdx.x];
  atomicAdd(&counter, 1);
  atomicAdd(&calls, 1);  // a device variable, too
  out[threadIdx.x] = sum;
  delete heap;
}
__global__ void write_there(int* p) {
  *p = 1;  // here: unregistered
}
PLANTED(unregistered, "which no call of CUDA has allocated or registered") {
  std::vector<int> own(40000);
  int* pinned = nullptr;
  cudaMallocHost(&pinned, 40 * sizeof(int));
  for (int i = 0; i < 40; ++i) pinned[i] = 0;
  cudaHostRegister(own.data(), own.size() * sizeof(int), cudaHostRegisterDefault);
  int *const shared = managed(40), *const out = device_memory<int>(40);
  all_kinds<<<1, 8>>>(large{}, pinned, own.data(), shared, out);
  cudaDeviceSynchronize();
  int pageable = 0;
  cudaDeviceGetAttribute(&pageable, cudaDevAttrPageableMemoryAccess, 0);
  if (pageable != 0) std::printf("the device claims to access pageable memory\n");
  if (defect) cudaHostUnregister(own.data());
  write_there<<<1, 1>>>(own.data() + 100);
  cudaDeviceSynchronize();
  if (!defect) cudaHostUnregister(own.data());
  cudaFreeHost(pinned);
  cudaFree(shared);
  cudaFree(out);
}

}  // namespace

int main(int argc, char** argv) { return planted::test_case::main(argc, argv); }
