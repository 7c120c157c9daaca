// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stores to shared memory by some lanes of a gang: elements of the other lanes, which may belong to other variables and
// rows, keep their values. The element of the first lane may lie before the shared memory, that of the last lane after
// it.
#include <cuda_runtime.h>

#include <vector>

#include "../check.hpp"

constexpr int rounds = 7, narrow = 5;

__host__ __device__ inline int word_of(int i) { return static_cast<int>((i * 2654435761u) >> 9); }
__host__ __device__ inline size_t marks_at(size_t bytes) { return (bytes + 7) / 8 * 8; }

// A round in which a thread changes its two elements of different types: a compiler may assume that a store to one
// leaves the other unchanged.
template <class T>
__host__ __device__ inline void change(T& value, float& mark, int i, int round) {
  const int word = word_of(i) + round;
  if (word % 3) value = T(value * 3 + round);
  if (word % 2) mark += 1;
  if (word % 5 == 0) value = T(value + T(mark));
}

template <class T>
__global__ void shifted(T* values_out, float* marks_out, int n, int shift) {
  extern __shared__ double memory[];
  T* values = reinterpret_cast<T*>(memory);
  float* marks = reinterpret_cast<float*>(reinterpret_cast<char*>(memory) + marks_at(n * sizeof(T)));
  const int i = static_cast<int>(threadIdx.x) - shift;
  const bool mine = i >= 0 && i < n;
  if (mine) {
    values[i] = T(i);
    marks[i] = 1;
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (mine) change(values[i], marks[i], i, round);
    __syncthreads();
  }
  if (mine) {
    values_out[i] = values[i];
    marks_out[i] = marks[i];
  }
}

template <class T>
void test_shifted(const char* what) {
  for (const int threads : {16, 31, 64, 96, 256, 512}) {
    for (const int shift : {0, 5, 17}) {
      const int n = threads - shift - 3;
      if (n < 1) continue;
      std::vector<T> values(n), wanted(n);
      std::vector<float> marks(n), wanted_marks(n, 1);
      for (int i = 0; i < n; ++i) wanted[i] = T(i);
      for (int round = 0; round < rounds; ++round) {
        for (int i = 0; i < n; ++i) change(wanted[i], wanted_marks[i], i, round);
      }
      T* values_out = copy_of(values);
      float* marks_out = copy_of(marks);
      shifted<T><<<3, threads, marks_at(n * sizeof(T)) + n * sizeof(float)>>>(values_out, marks_out, n, shift);
      EXPECT_SUCCESS(cudaMemcpy(values.data(), values_out, n * sizeof(T), cudaMemcpyDeviceToHost));
      EXPECT_SUCCESS(cudaMemcpy(marks.data(), marks_out, n * sizeof(float), cudaMemcpyDeviceToHost));
      for (int i = 0; i < n; ++i) {
        expect_equal(values[i], wanted[i], what, i);
        expect_equal(marks[i], wanted_marks[i], "marks", i);
      }
      EXPECT_SUCCESS(cudaFree(values_out));
      EXPECT_SUCCESS(cudaFree(marks_out));
    }
  }
}

// Rows that are narrower than the gangs' rows: inactive lanes of a row cover active lanes of the next row. Then a line
// of elements, each written by the row that a table names.
template <class T>
__global__ void rows(const int* owners, T* tile_out, T* line_out) {
  __shared__ T tile[32 * narrow], line[64];
  const int x = threadIdx.x, y = threadIdx.y, last = blockDim.y - 1;
  if (x < narrow) tile[y * narrow + x] = T(0);
  if (owners[x + y] == y) line[x + y] = T(0);
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (x < narrow) tile[y * narrow + x] = T(tile[y * narrow + x] * 3 + x + 2 * y + round);
    if (owners[x + y] == y) line[x + y] = T(line[x + y] + x + 3 * y + round);
    __syncthreads();
    if (x < narrow) tile[(last - y) * narrow + x] += T(y);
    __syncthreads();
  }
  if (x < narrow) tile_out[y * narrow + x] = tile[y * narrow + x];
  if (owners[x + y] == y) line_out[x + y] = line[x + y];
}

template <class T>
void test_rows(const char* what) {
  for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(16, 4), dim3(32, 3), dim3(64, 2), dim3(7, 9)}) {
    const int width = static_cast<int>(block.x), height = static_cast<int>(block.y);
    std::vector<int> owners(width + height);
    for (int i = 0; i < width + height; ++i) owners[i] = word_of(i) % height;
    std::vector<T> tile(height * narrow), line(width + height), wanted(height * narrow), wanted_line(width + height);
    for (int round = 0; round < rounds; ++round) {
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < narrow; ++x) {
          T& element = wanted[y * narrow + x];
          element = T(T(element * 3 + x + 2 * y + round) + T(height - 1 - y));
        }
      }
      for (int i = 0; i < width + height; ++i) {
        const int y = owners[i], x = i - y;
        if (x >= 0 && x < width) wanted_line[i] = T(wanted_line[i] + x + 3 * y + round);
      }
    }
    int* table = copy_of(owners);
    T *tile_out = copy_of(tile), *line_out = copy_of(line);
    rows<T><<<2, block>>>(table, tile_out, line_out);
    EXPECT_SUCCESS(cudaMemcpy(tile.data(), tile_out, tile.size() * sizeof(T), cudaMemcpyDeviceToHost));
    EXPECT_SUCCESS(cudaMemcpy(line.data(), line_out, line.size() * sizeof(T), cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < tile.size(); ++i) expect_equal(tile[i], wanted[i], what, static_cast<long long>(i));
    for (size_t i = 0; i < line.size(); ++i) expect_equal(line[i], wanted_line[i], "line", static_cast<long long>(i));
    EXPECT_SUCCESS(cudaFree(table));
    EXPECT_SUCCESS(cudaFree(tile_out));
    EXPECT_SUCCESS(cudaFree(line_out));
  }
}

int main() {
  test_shifted<unsigned char>("byte");
  test_shifted<unsigned short>("short");
  test_shifted<unsigned>("int");
  test_shifted<double>("double");
  test_rows<unsigned char>("rows of bytes");
  test_rows<unsigned>("rows of ints");
  test_rows<unsigned long long>("rows of wide ints");
  return result();
}
