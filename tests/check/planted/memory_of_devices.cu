// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Planted defects of device memory: allocations, their lifetimes, and what was never written.
#include "planted.hpp"

namespace {

template <class T>
T* zeroed(std::size_t count) {
  T* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(T));  // here: use_after_reset
  cudaMemset(memory, 0, count * sizeof(T));
  return memory;
}

__global__ void sum_bytes(const char* in, int count, int* out) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += in[i];  // here: read_one_byte_behind
  *out = sum;
}

PLANTED(read_one_byte_behind, "0 bytes behind the end of 100 bytes") {
  char* in = zeroed<char>(100);
  int* out = zeroed<int>(1);
  sum_bytes<<<1, 1>>>(in, defect ? 101 : 100, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

__global__ void shift_down(char* data, int by) {
  const char mine = data[threadIdx.x];
  __syncthreads();
  data[static_cast<int>(threadIdx.x) - by] = mine;  // here: write_one_byte_before
}

PLANTED(write_one_byte_before, "1 bytes before the start of 40 bytes") {
  char* data = zeroed<char>(40);
  shift_down<<<1, 40>>>(data, defect ? 1 : 0);
  cudaDeviceSynchronize();
  cudaFree(data);
}

__global__ void fill_managed(unsigned char* data, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] = static_cast<unsigned char>(i);  // here: managed_one_byte_behind
}

PLANTED(managed_one_byte_behind, "0 bytes behind the end of 37 bytes") {
  unsigned char* data = nullptr;
  cudaMallocManaged(&data, 37);
  fill_managed<<<2, 32>>>(data, defect ? 38 : 37);
  cudaDeviceSynchronize();
  cudaFree(data);
}

__global__ void sum_rows(const char* base, std::size_t pitch, int width, int height, int* out) {
  const int x = threadIdx.x;
  int sum = 0;
  for (int y = 0; y < height; ++y) {
    const auto* row = reinterpret_cast<const short*>(base + y * pitch);
    if (x < width) sum += row[x];  // here: pitched_row_too_many pitched_padding
  }
  out[x] = sum;
}

void run_pitched(int width, int height) {
  char* base = nullptr;
  std::size_t pitch = 0;
  cudaMallocPitch(&base, &pitch, 50 * sizeof(short), 7);
  cudaMemset2D(base, pitch, 0, 50 * sizeof(short), 7);
  int* out = zeroed<int>(64);
  sum_rows<<<1, 64>>>(base, pitch, width, height, out);
  cudaDeviceSynchronize();
  cudaFree(base);
  cudaFree(out);
}

PLANTED(pitched_row_too_many, "0 bytes behind the end of 3584 bytes") { run_pitched(50, defect ? 8 : 7); }

PLANTED(pitched_padding, "in byte 100 of 3584 bytes of device memory") { run_pitched(defect ? 51 : 50, 7); }

__global__ void store_pinned(int* data, int shift) {
  reinterpret_cast<char*>(data)[threadIdx.x + shift] = 1;  // here: pinned_one_byte_behind
}

PLANTED(pinned_one_byte_behind, "0 bytes behind the end of 40 bytes") {
  int* data = nullptr;
  cudaMallocHost(&data, 10 * sizeof(int));
  store_pinned<<<1, 40>>>(data, defect ? 1 : 0);
  cudaDeviceSynchronize();
  cudaFreeHost(data);
}

__global__ void scale_vectors(float4* data, int vectors) {
  const int i = threadIdx.x;
  if (i >= vectors) return;
  float4 v = data[i];  // here: vector_straddles_end
  v.x *= 2;
  v.w += 1;
  data[i] = v;  // here: vector_straddles_end
}

PLANTED(vector_straddles_end, " the end of 28 bytes") {
  const int count = 7;
  float* data = zeroed<float>(count);
  scale_vectors<<<1, 32>>>(reinterpret_cast<float4*>(data), defect ? (count + 3) / 4 : count / 4);
  cudaDeviceSynchronize();
  cudaFree(data);
}

__global__ void histogram(const unsigned* values, int count, unsigned* bins, unsigned clamp) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) {
    const unsigned bin = values[i] < clamp ? values[i] : clamp;
    atomicAdd(&bins[bin], 1u);  // here: atomic_behind
  }
}

PLANTED(atomic_behind, "0 bytes behind the end of 1024 bytes") {
  unsigned host[64];
  for (unsigned i = 0; i < 64; ++i) host[i] = i * 4 + 4;  // the last value is 256
  unsigned* values = zeroed<unsigned>(64);
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  unsigned* bins = zeroed<unsigned>(256);
  histogram<<<1, 32>>>(values, 64, bins, defect ? 1000 : 255);
  cudaDeviceSynchronize();
  cudaFree(values);
  cudaFree(bins);
}

PLANTED(memcpy_one_byte_too_much, "beyond the end of 99 bytes, from byte 0") {
  char* data = zeroed<char>(99);
  char host[128] = {};
  cudaMemcpy(host, data, defect ? 100 : 99, cudaMemcpyDeviceToHost);  // here: memcpy_one_byte_too_much
  cudaFree(data);
}

PLANTED(memset_one_byte_too_much, "beyond the end of 99 bytes, from byte 0") {
  char* data = zeroed<char>(99);
  cudaMemset(data, 1, defect ? 100 : 99);  // here: memset_one_byte_too_much
  cudaFree(data);
}

PLANTED(memcpy_2d_row_too_many, "beyond the end of 120 bytes") {
  char* data = zeroed<char>(6 * 20);
  char host[10 * 20] = {};
  cudaMemcpy2D(data, 20, host, 20, 20, defect ? 7 : 6, cudaMemcpyHostToDevice);  // here: memcpy_2d_row_too_many
  cudaFree(data);
}

__global__ void increment(int* data) {
  data[threadIdx.x] += 1;  // here: use_after_free use_after_free_async use_after_reset freed_block_reused
}

PLANTED(use_after_free, "byte 0 of 128 bytes") {
  int* data = zeroed<int>(32);
  if (defect) cudaFree(data);
  increment<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  if (!defect) cudaFree(data);
}

PLANTED(use_after_free_async, "byte 0 of 128 bytes") {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* data = nullptr;
  cudaMallocAsync(&data, 32 * sizeof(int), stream);
  cudaMemsetAsync(data, 0, 32 * sizeof(int), stream);
  if (defect) cudaFreeAsync(data, stream);
  increment<<<1, 32, 0, stream>>>(data);
  if (!defect) cudaFreeAsync(data, stream);
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

PLANTED(use_after_reset, "byte 0 of 128 bytes") {
  int* data = zeroed<int>(32);
  if (!defect) cudaFree(data);
  cudaDeviceReset();
  if (!defect) data = zeroed<int>(32);
  increment<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  if (!defect) cudaFree(data);
}

PLANTED(freed_block_reused, "byte 0 of 128 bytes") {
  int* old = zeroed<int>(32);
  cudaFree(old);
  int* next = zeroed<int>(32);
  increment<<<1, 32>>>(defect ? old : next);
  cudaDeviceSynchronize();
  cudaFree(next);
}

PLANTED(double_free, "byte 0 of 128 bytes") {
  int* data = zeroed<int>(32);
  cudaFree(data);
  if (defect) cudaFree(data);  // here: double_free
}

PLANTED(free_of_the_middle, "byte 4 of 128 bytes, which are freed at byte 0") {
  int* data = zeroed<int>(32);
  if (defect) cudaFree(data + 1);  // here: free_of_the_middle
  cudaFree(data);
}

PLANTED(double_free_in_a_stream, "byte 0 of 400 bytes") {
  int* data = nullptr;
  cudaMallocAsync(&data, 400, 0);
  cudaFreeAsync(data, 0);
  if (defect) cudaFreeAsync(data, 0);  // here: double_free_in_a_stream
}

PLANTED(copy_from_freed, "byte 0 of 40 bytes") {
  char host[40] = {};
  char* data = zeroed<char>(40);
  if (!defect) cudaMemcpy(host, data, 40, cudaMemcpyDeviceToHost);
  cudaFree(data);
  if (defect) cudaMemcpy(host, data, 40, cudaMemcpyDeviceToHost);  // here: copy_from_freed
}

__global__ void smooth(const float* in, float* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = (in[i] + in[i + 1]) / 2;  // here: unwritten_element
}

PLANTED(unwritten_element, "in byte 256 of 260 bytes") {
  float *in, *out = zeroed<float>(64);
  cudaMalloc(&in, 65 * sizeof(float));
  cudaMemset(in, 0, (defect ? 64 : 65) * sizeof(float));
  smooth<<<2, 32>>>(in, out, 64);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

__global__ void sum_words(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;  // here: word_written_in_part copy_of_unwritten
}

PLANTED(word_written_in_part, "in byte 60 of 64 bytes") {
  int *in, *out = zeroed<int>(16);
  cudaMalloc(&in, 16 * sizeof(int));
  cudaMemset(in, 0, 16 * sizeof(int) - (defect ? 1 : 0));
  sum_words<<<1, 16>>>(in, out);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

__global__ void count_letters(const char* text, int count, int* out) {
  int letters = 0;
  for (int i = 0; i < count; ++i) letters += text[i] >= 'a';  // here: byte_behind_a_fill
  *out = letters;
}

PLANTED(byte_behind_a_fill, "in byte 99 of 100 bytes") {
  char* text;
  cudaMalloc(&text, 100);
  cudaMemset(text, 'b', 99);
  int* out = zeroed<int>(1);
  count_letters<<<1, 1>>>(text, defect ? 100 : 99, out);
  cudaDeviceSynchronize();
  cudaFree(text);
  cudaFree(out);
}

PLANTED(copy_of_unwritten, "in byte 32 of 64 bytes") {
  int *source, *copy, *out = zeroed<int>(16);
  cudaMalloc(&source, 16 * sizeof(int));
  cudaMalloc(&copy, 16 * sizeof(int));
  cudaMemset(source, 0, (defect ? 8 : 16) * sizeof(int));
  cudaMemcpy(copy, source, 16 * sizeof(int), cudaMemcpyDeviceToDevice);
  sum_words<<<1, 16>>>(copy, out);
  cudaDeviceSynchronize();
  cudaFree(source);
  cudaFree(copy);
  cudaFree(out);
}

PLANTED(leak_at_reset, "12345") {
  int* data = nullptr;
  cudaMalloc(&data, 12345);  // here: leak_at_reset
  if (!defect) cudaFree(data);
  cudaDeviceReset();
}

__global__ void difference(const int* in, int* out, int count, int guard) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  out[i] = i < guard ? 0 : in[i] - in[i - 1];  // here: negative_index
}

PLANTED(negative_index, "4 bytes before the start of 256 bytes") {
  int *in = zeroed<int>(64), *out = zeroed<int>(64);
  difference<<<2, 32>>>(in, out, 64, defect ? 0 : 1);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

template <class Index>
__global__ void strided(const char* in, int stride, int* out) {
  const Index at = static_cast<Index>(threadIdx.x * stride);
  out[threadIdx.x] = in[at];  // here: overflowed_index
}

PLANTED(overflowed_index, "bytes before the start of 40000 bytes") {
  char* in = zeroed<char>(40000);
  int* out = zeroed<int>(40);
  if (defect) {
    strided<short><<<1, 40>>>(in, 1000, out);  // 33 * 1000 overflows a short
  } else {
    strided<int><<<1, 40>>>(in, 1000, out);
  }
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

template <class T>
__global__ void halve(T* data) {
  data[threadIdx.x] /= 2;  // here: wrong_element_type
}

PLANTED(wrong_element_type, "0 bytes behind the end of 128 bytes") {
  float* data = zeroed<float>(32);
  if (defect) {
    halve<<<1, 32>>>(reinterpret_cast<double*>(data));
  } else {
    halve<<<1, 32>>>(data);
  }
  cudaDeviceSynchronize();
  cudaFree(data);
}

struct particle {
  float position[3];
  float velocity[3];
  int id;
};

__global__ void move_particles(const particle* from, particle* to, int shift) {
  const int i = threadIdx.x;
  to[i] = from[i + shift];  // here: struct_copy_behind
}

PLANTED(struct_copy_behind, "0 bytes behind the end of 280 bytes") {
  particle *from = zeroed<particle>(10), *to = zeroed<particle>(10);
  move_particles<<<1, 10>>>(from, to, defect ? 1 : 0);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
}

__global__ void copy_text(const char* from, char* to) {
  int i = 0;
  while (from[i] != 0) {  // here: unterminated_text
    to[i] = from[i];
    ++i;
  }
  to[i] = 0;
}

PLANTED(unterminated_text, "0 bytes behind the end of 13 bytes") {
  const char text[] = "thirteen more";
  char* from = zeroed<char>(13);
  char* to = zeroed<char>(4096);
  cudaMemcpy(from, text, 13, cudaMemcpyHostToDevice);
  if (!defect) cudaMemset(from + 12, 0, 1);
  copy_text<<<1, 1>>>(from, to);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
}

__global__ void pooled(short* data, int shift) {
  data[threadIdx.x + shift] = 3;  // here: pool_allocation_behind
}

PLANTED(pool_allocation_behind, "0 bytes behind the end of 66 bytes") {
  short* data = nullptr;
  cudaMallocAsync(&data, 33 * sizeof(short), 0);
  pooled<<<1, 33>>>(data, defect ? 1 : 0);
  cudaFreeAsync(data, 0);
  cudaDeviceSynchronize();
}

__global__ void builtin_copy(char* to, const char* from, int bytes) {
  memcpy(to, from, bytes);  // here: builtin_memcpy_behind
}

PLANTED(builtin_memcpy_behind, "beyond the end of 50 bytes, from byte 0") {
  char *from = zeroed<char>(50), *to = zeroed<char>(64);
  builtin_copy<<<1, 1>>>(to, from, defect ? 51 : 50);
  cudaDeviceSynchronize();
  cudaFree(from);
  cudaFree(to);
}

__global__ void transpose(const float* in, float* out, int n, int limit) {
  __shared__ float tile[16][17];
  const int x = blockIdx.x * 16 + threadIdx.x;
  const int y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = x < limit && y < limit ? in[y * n + x] : 0;  // here: ragged_tile_edge
  __syncthreads();
  const int to_x = blockIdx.y * 16 + threadIdx.x, to_y = blockIdx.x * 16 + threadIdx.y;
  if (to_x < n && to_y < n) out[to_y * n + to_x] = tile[threadIdx.x][threadIdx.y];
}

PLANTED(ragged_tile_edge, "0 bytes behind the end of 3600 bytes") {
  const int n = 30;
  float *in = zeroed<float>(n * n), *out = zeroed<float>(n * n);
  transpose<<<dim3(2, 2), dim3(16, 16)>>>(in, out, n, defect ? 32 : n);
  cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
}

__device__ int limits[4];

PLANTED(symbol_one_word_too_much, "beyond the end of 16 bytes, from byte 0 of the variable") {
  const int host[5] = {1, 2, 3, 4, 5};
  cudaMemcpyToSymbol(limits, host, (defect ? 5 : 4) * sizeof(int));  // here: symbol_one_word_too_much
}

}  // namespace

int main(int argc, char** argv) { return planted::test_case::main(argc, argv); }
