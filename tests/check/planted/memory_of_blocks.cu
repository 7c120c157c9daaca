// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planted defects of shared, local, __device__ and __constant__ memory, and of the kernel's heap.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include "planted.hpp"

namespace cg = cooperative_groups;

namespace {

template <class T>
T* zeroed(std::size_t count) {
  T* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));
  cudaMemset(memory, 0, count * sizeof(T));
  return memory;
}

__global__ void shift_in_shared(float* out, int shift) {
  __shared__ float values[33];
  values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  values[threadIdx.x + shift] = 1;  // here: shared_array_behind
  __syncthreads();
  out[threadIdx.x] = values[threadIdx.x];
}

PLANTED(shared_array_behind, "0 bytes behind the end of 132 bytes of the shared variable values") {
  float* out = zeroed<float>(33);
  shift_in_shared<<<1, 33>>>(out, defect ? 1 : 0);
  cudaDeviceSynchronize();
  cudaFree(out);
}

__global__ void reverse_dynamic(int* data, int count) {
  extern __shared__ int staged[];
  staged[threadIdx.x] = data[threadIdx.x];  // here: dynamic_shared_one_byte_short
  __syncthreads();
  data[threadIdx.x] = staged[count - 1 - threadIdx.x];  // here: dynamic_shared_one_byte_short
}

PLANTED(dynamic_shared_one_byte_short, "beyond the end of 127 bytes, from byte 124 of dynamic shared memory") {
  int* data = zeroed<int>(32);
  reverse_dynamic<<<1, 32, 32 * sizeof(int) - (defect ? 1 : 0)>>>(data, 32);
  cudaDeviceSynchronize();
  cudaFree(data);
}

template <int rows_read>
__global__ void column_sums(int* out) {
  __shared__ int tile[8][9];
  for (int y = 0; y < 8; ++y) tile[y][threadIdx.x] = y;
  __syncthreads();
  int sum = 0;
  for (int y = 0; y < rows_read; ++y) sum += tile[y][threadIdx.x];  // here: shared_2d_row_too_many
  out[threadIdx.x] = sum;
}

PLANTED(shared_2d_row_too_many, "0 bytes behind the end of 288 bytes of the shared variable tile") {
  int* out = zeroed<int>(9);
  if (defect) {
    column_sums<9><<<1, 9>>>(out);
  } else {
    column_sums<8><<<1, 9>>>(out);
  }
  cudaDeviceSynchronize();
  cudaFree(out);
}

struct record {
  char name[5];
  char flags[6];
};

__global__ void set_flags(char* out, int shift) {
  __shared__ record shared;
  if (threadIdx.x < 5) shared.name[threadIdx.x] = 'a';
  shared.flags[threadIdx.x + shift] = 1;  // here: array_in_shared_struct
  __syncthreads();
  if (threadIdx.x > 0) out[threadIdx.x] = shared.flags[threadIdx.x];
}

PLANTED(array_in_shared_struct, "0 bytes behind the end of 11 bytes of the shared variable") {
  char* out = zeroed<char>(6);
  set_flags<<<1, 6>>>(out, defect ? 1 : 0);
  cudaDeviceSynchronize();
  cudaFree(out);
}

__device__ int table[17];

__global__ void read_table(int* out, int shift) {
  out[threadIdx.x] = table[threadIdx.x + shift];  // here: device_array_behind
}

PLANTED(device_array_behind, "0 bytes behind the end of 68 bytes of the variable") {
  int* out = zeroed<int>(17);
  read_table<<<1, 17>>>(out, defect ? 1 : 0);
  cudaDeviceSynchronize();
  cudaFree(out);
}

__constant__ float coefficients[5] = {1, 4, 6, 4, 1};

__global__ void polynomial(float* out, int terms) {
  float sum = 0;
  for (int i = 0; i < terms; ++i) sum = sum * 2 + coefficients[i];  // here: constant_array_behind
  *out = sum;
}

PLANTED(constant_array_behind, "0 bytes behind the end of 20 bytes of the variable") {
  float* out = zeroed<float>(1);
  polynomial<<<1, 1>>>(out, defect ? 6 : 5);
  cudaDeviceSynchronize();
  cudaFree(out);
}

__device__ short counters[6];

__global__ void count_digits(int lowest) {
  counters[static_cast<int>(threadIdx.x) + lowest] = 1;  // here: device_array_before
}

PLANTED(device_array_before, "2 bytes before the start of 12 bytes of the variable") {
  count_digits<<<1, 6>>>(defect ? -1 : 0);
}

__device__ int first_half[4] = {1, 2, 3, 4};
__device__ int second_half[4] = {5, 6, 7, 8};

__global__ void copy_halves(int* out, int count) {
  const int i = threadIdx.x;
  if (i < count) out[i] = first_half[i];  // here: device_array_into_next
  if (i < 4) out[i] += second_half[i];
}

PLANTED(device_array_into_next, "0 bytes behind the end of 16 bytes of the variable") {
  int* out = zeroed<int>(8);
  copy_halves<<<1, 8>>>(out, defect ? 8 : 4);
  cudaDeviceSynchronize();
  cudaFree(out);
}

__global__ void permute_locally(const int* order, int* out) {
  int local[8];
  for (int i = 0; i < 8; ++i) local[order[i] & 7] = i;
  out[threadIdx.x] = local[order[8]];  // here: local_array_behind
}

PLANTED(local_array_behind, "0 bytes behind the end of 32 bytes of a local variable") {
  const int host[9] = {3, 1, 4, 0, 5, 2, 6, 7, defect ? 8 : 7};
  int *order = zeroed<int>(9), *out = zeroed<int>(32);
  cudaMemcpy(order, host, sizeof(host), cudaMemcpyHostToDevice);
  permute_locally<<<1, 32>>>(order, out);
  cudaDeviceSynchronize();
  cudaFree(order);
  cudaFree(out);
}

__global__ void stack_machine(const char* program, int length, int* out) {
  int stack[4];
  int depth = 0;
  for (int i = 0; i < length; ++i) {
    if (program[i] == '+') {
      --depth;
      stack[depth - 1] += stack[depth];
    } else if (program[i] == '.') {
      stack[--depth] = 0;  // here: local_array_before
    } else {
      stack[depth++] = program[i] - '0';
    }
  }
  out[threadIdx.x] = stack[0];
}

PLANTED(local_array_before, "4 bytes before the start of 16 bytes of a local variable") {
  const char text[] = "12+.";
  const char bad[] = "12+..";
  const int length = defect ? 5 : 4;
  char* program = zeroed<char>(5);
  int* out = zeroed<int>(3);
  cudaMemcpy(program, defect ? bad : text, length, cudaMemcpyHostToDevice);
  stack_machine<<<1, 3>>>(program, length, out);
  cudaDeviceSynchronize();
  cudaFree(program);
  cudaFree(out);
}

__global__ void shared_histogram(const int* values, int count, int* out) {
  __shared__ int bins[64];
  bins[threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    atomicAdd(&bins[values[i]], 1);  // here: shared_atomic_behind
  }
  __syncthreads();
  out[threadIdx.x] = bins[threadIdx.x];
}

PLANTED(shared_atomic_behind, "0 bytes behind the end of 256 bytes of the shared variable bins") {
  int host[100];
  for (int i = 0; i < 100; ++i) host[i] = i == 77 && defect ? 64 : i % 64;
  int *values = zeroed<int>(100), *out = zeroed<int>(64);
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  shared_histogram<<<1, 64>>>(values, 100, out);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(out);
}

__global__ void stage_async(const char* from, int bytes, int* out) {
  __shared__ alignas(16) char staged[160];
  auto block = cg::this_thread_block();
  cg::memcpy_async(block, staged, from, bytes);  // here: async_source_behind async_destination_behind
  cg::wait(block);
  out[threadIdx.x] = staged[threadIdx.x];
}

PLANTED(async_source_behind, "beyond the end of 100 bytes, from byte 64") {
  char* from = zeroed<char>(100);
  int* out = zeroed<int>(32);
  stage_async<<<1, 32>>>(from, defect ? 101 : 100, out);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(out);
}

PLANTED(async_destination_behind, "beyond the end of 160 bytes, from byte 128 of the shared variable staged") {
  char* from = zeroed<char>(200);
  int* out = zeroed<int>(32);
  stage_async<<<1, 32>>>(from, defect ? 176 : 160, out);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(out);
}

__global__ void read_half_written(int* out, int written) {
  __shared__ int values[32];
  if (threadIdx.x < written) values[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[31 - threadIdx.x];  // here: shared_written_in_part
}

PLANTED(shared_written_in_part, "in byte 124 of the shared variable values") {
  int* out = zeroed<int>(32);
  read_half_written<<<1, 32>>>(out, defect ? 31 : 32);
  cudaDeviceSynchronize();
  cudaFree(out);
}

__global__ void tree_sum(const int* in, int* out, int count) {
  __shared__ int partial[64];
  const int lane = threadIdx.x;
  partial[lane] = in[lane];
  __syncthreads();
  for (int width = 32; width > 0; width /= 2) {
    if (lane < width && lane + width < count) partial[lane] += partial[lane + width];  // here: tree_of_ragged_block
    __syncthreads();
  }
  if (lane == 0) *out = partial[0];
}

PLANTED(tree_of_ragged_block, "of the shared variable partial") {
  int *in = zeroed<int>(48), *out = zeroed<int>(1);
  tree_sum<<<1, 48>>>(in, out, defect ? 64 : 48);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

__global__ void first_block_initialises(int* out, bool each_block) {
  __shared__ int value;
  if (threadIdx.x == 0 && (each_block || blockIdx.x == 0)) value = 42;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = value;  // here: shared_of_an_earlier_block
}

PLANTED(shared_of_an_earlier_block, "in byte 0 of the shared variable value") {
  int* out = zeroed<int>(128);
  first_block_initialises<<<4, 32>>>(out, !defect);
  cudaDeviceSynchronize();
  cudaFree(out);
}

__global__ void two_shared_arrays(int* out, int count) {
  __shared__ int first[16];
  __shared__ int second[16];
  first[threadIdx.x] = 1;
  second[threadIdx.x] = 2;
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += first[i];  // here: shared_into_next
  out[threadIdx.x] = sum + second[threadIdx.x];
}

PLANTED(shared_into_next, "0 bytes behind the end of 64 bytes of the shared variable first") {
  int* out = zeroed<int>(16);
  two_shared_arrays<<<1, 16>>>(out, defect ? 17 : 16);
  cudaDeviceSynchronize();
  cudaFree(out);
}

template <int halo>
__global__ void stencil(const float* in, float* out) {
  constexpr int width = 32;
  __shared__ float tile[width + 2];
  const int i = threadIdx.x;
  tile[i + 1] = in[i + 1];
  if (i == 0) tile[0] = in[0];
  if (i == width - 1) tile[i + 1 + halo] = in[width + 1];  // here: halo_off_by_one
  __syncthreads();
  out[i] = tile[i] + tile[i + 1] + (i + 1 < width ? tile[i + 2] : 0);
}

PLANTED(halo_off_by_one, "0 bytes behind the end of 136 bytes of the shared variable tile") {
  float *in = zeroed<float>(34), *out = zeroed<float>(32);
  if (defect) {
    stencil<2><<<1, 32>>>(in, out);
  } else {
    stencil<1><<<1, 32>>>(in, out);
  }
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

__global__ void heap_block(int* out, int bytes, int index) {
  auto* text = static_cast<char*>(malloc(bytes));
  for (int i = 0; i < index; ++i) text[i] = 1;  // here: heap_block_behind
  out[threadIdx.x] = text[threadIdx.x];
  free(text);
}

PLANTED(heap_block_behind, " the end of 24 bytes") {
  int* out = zeroed<int>(2);
  heap_block<<<1, 2>>>(out, 24, defect ? 25 : 24);
  cudaDeviceSynchronize();
  cudaFree(out);
}

struct node {
  int value;
  node* next;
};

__global__ void free_list(int* out, bool read_before) {
  node* head = nullptr;
  for (int i = 0; i < 4; ++i) {
    node* added = new node;
    added->value = i;
    added->next = head;
    head = added;
  }
  int sum = 0;
  while (head != nullptr) {
    node* const last = head;
    if (read_before) head = head->next;
    sum += last->value;
    delete last;
    if (!read_before) head = last->next;  // here: heap_block_after_free
  }
  *out = sum;
}

PLANTED(heap_block_after_free, "byte 8 of 16 bytes of malloc or new in a kernel, which were freed") {
  int* out = zeroed<int>(1);
  free_list<<<1, 1>>>(out, !defect);
  cudaDeviceSynchronize();
  cudaFree(out);
}

struct parameters {
  int values[6];
};

__global__ void read_parameters(parameters p, int* out, int shift) {
  out[threadIdx.x] = p.values[threadIdx.x + shift];  // here: parameter_array_behind
}

PLANTED(parameter_array_behind, "0 bytes behind the end of 24 bytes of a local variable or parameter") {
  int* out = zeroed<int>(6);
  read_parameters<<<1, 6>>>(parameters{{1, 2, 3, 4, 5, 6}}, out, defect ? 1 : 0);
  cudaDeviceSynchronize();
  cudaFree(out);
}

}  // namespace

int main(int argc, char** argv) { return planted::test_case::main(argc, argv); }
