// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Indices that are nearly linear: neighbours clamped at an edge, rows and columns by `%` and `/`, tables of neighbours,
// and tables in any order. In some gangs the elements are adjacent, in some one and the same, in some neither; lane 0
// is often clamped or missing. Divisors are powers of two or not, signed, of 32 and 64 bits.
#include <cuda_runtime.h>

#include <algorithm>
#include <climits>
#include <utility>
#include <vector>

#include "../check.hpp"

constexpr int most = 1500;

__host__ __device__ inline unsigned word_of(unsigned i) { return (i * 2654435761u) >> 7; }

template <class T>
struct inputs {
  const T* values;
  const int *table, *mixed;
};

// Computes element `i` from its neighbours. Threads whose bit in `holes` is set take no part.
template <class T>
__host__ __device__ inline T around(const inputs<T>& in, int i, int n, int low, int high, unsigned holes) {
  if (i >= n || (word_of(i) & holes)) return T(77);
  const int left = i - 1 < low ? low : i - 1, right = i + 1 > high ? high : i + 1;
  T sum = in.values[left] * 3 + in.values[right] * 5;
  const int far = min(max(i + 40, low), high);
  sum = sum * 3 + in.values[far];
  sum = sum * 3 + in.values[in.table[i]];
  return sum * 3 + in.values[in.mixed[i]];
}

template <class T>
__global__ void arounds(inputs<T> in, T* out, int n, int low, int high, unsigned holes) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < most) out[i] = around(in, i, n, low, high, holes);
}

// Neighbours in a row of a matrix whose rows have any length.
template <class Index>
__host__ __device__ inline int of_matrix(const int* values, const int* table, Index i, Index columns) {
  const Index row = i / columns, column = i % columns;
  return values[row * columns + (column == 0 ? columns - 1 : column - 1)] + 3 * values[table[column]] + 5 * values[row];
}

template <class Index>
__global__ void of_matrices(const int* values, const int* table, int* out, int n, Index columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = of_matrix<Index>(values, table, i, columns);
}

// Scatters by a permutation that is the identity at most positions.
__global__ void places(const int* table, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[table[i]] = i;
}

template <class T>
__host__ __device__ inline T divided(T x, T divisor) {
  return T(x / divisor) * 7 + x % divisor;
}

template <class T>
__global__ void divisions(T* out, int n, T start, int sign, T divisor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = divided<T>(sign < 0 ? start - T(i) : start + T(i), divisor);
}

// A tree of sums as in older programs: every k-th thread adds.
__global__ void tree(const int* in, int* out, int size) {
  __shared__ int sums[1024];
  const int t = threadIdx.x;
  sums[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (int k = 2; k <= size; k *= 2) {
    if ((t + 1) % k == 0) sums[t] += sums[t - k / 2];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sums[t];
}

// Rows of 16 threads with a halo, whose clamped neighbours lie in shared memory.
__global__ void halo(const int* in, int* out, int low, int high, int rounds) {
  __shared__ int now[1024], next[1024];
  const int x = threadIdx.x, y = threadIdx.y, place = y * blockDim.x + x;
  const int left = max(x - 1, low), right = min(x + 1, high), up = max(y - 1, 0);
  now[place] = in[place];
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    const bool inside = x > round && y + round < blockDim.y;
    if (inside) next[place] = now[y * blockDim.x + left] * 3 + now[y * blockDim.x + right] + now[up * blockDim.x + x];
    __syncthreads();
    if (inside) now[place] = next[place];
    __syncthreads();
  }
  out[place] = now[place];
}

template <class T>
std::vector<T> back(T* device, int n) {
  std::vector<T> host(n);
  EXPECT_SUCCESS(cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

struct tables {
  std::vector<int> neighbours = std::vector<int>(most), mixed = neighbours, places = neighbours;
  tables() {
    for (int i = 0; i < most; ++i) {
      neighbours[i] = i % 211 == 100 ? i : i ? i - 1 : 0;
      mixed[i] = i / 96 % 3 == 0 ? i : i / 96 % 3 == 1 ? 5 : static_cast<int>(word_of(i) % most);
      places[i] = i;
    }
    for (int i = 130; i + 300 < most; i += 300) std::swap(places[i], places[i + 7]);
  }
};

struct edges {
  int n, low, high;
};

template <class T>
void test_arounds(const char* what, int threads) {
  const tables all;
  std::vector<T> values(most);
  for (int i = 0; i < most; ++i) values[i] = static_cast<T>(word_of(i) % 100);
  const inputs<T> host{values.data(), all.neighbours.data(), all.mixed.data()};
  const inputs<T> device{copy_of(values), copy_of(all.neighbours), copy_of(all.mixed)};
  T* out = copy_of(values);
  for (const auto& [n, low, high] : {edges{most, 0, most - 1}, {1301, 3, 1200}, {777, 300, 310}, {1, 0, 0}}) {
    for (const unsigned holes : {0u, 1u, 64u}) {
      arounds<<<(most + threads - 1) / threads, threads>>>(device, out, n, low, high, holes);
      const std::vector<T> got = back(out, most);
      for (int i = 0; i < most; ++i) expect_equal(got[i], around(host, i, n, low, high, holes), what, i);
    }
  }
}

template <class Index>
void test_matrices(const char* what, int threads) {
  const tables all;
  std::vector<int> values(2 * most);  // the last row may be partial
  for (int i = 0; i < 2 * most; ++i) values[i] = static_cast<int>(word_of(i) % 1000);
  int *in = copy_of(values), *table = copy_of(all.mixed), *out = copy_of(values);
  for (const int columns : {1, 7, 16, 33, 100, 128, 1499}) {
    of_matrices<Index><<<(most + threads - 1) / threads, threads>>>(in, table, out, most - 1, Index(columns));
    const std::vector<int> got = back(out, most);
    for (int i = 0; i < most - 1; ++i) {
      expect_equal(got[i], of_matrix<Index>(values.data(), all.mixed.data(), i, columns), what, i);
    }
  }
}

template <class T>
void test_divisions(const char* what, std::initializer_list<T> starts, std::initializer_list<T> divisors) {
  T* out = copy_of(std::vector<T>(most));
  for (const T start : starts) {
    for (const T divisor : divisors) {
      for (const int sign : {1, -1}) {
        divisions<T><<<6, 256>>>(out, most, start, sign, divisor);
        const std::vector<T> got = back(out, most);
        using wide = __int128;
        for (int i = 0; i < most; ++i) {
          const T x =
              static_cast<T>(static_cast<unsigned long long>(start) + static_cast<unsigned long long>(sign * i));
          const wide quotient = static_cast<wide>(x) / divisor, rest = static_cast<wide>(x) % divisor;
          const auto wanted =
              static_cast<T>(static_cast<unsigned long long>(quotient) * 7 + static_cast<unsigned long long>(rest));
          expect_equal(got[i], wanted, what, i);
        }
      }
    }
  }
}

void test_tree() {
  for (const int threads : {32, 64, 256, 512, 1024}) {
    std::vector<int> in(2 * threads);
    for (int i = 0; i < 2 * threads; ++i) in[i] = static_cast<int>(word_of(i) % 1000);
    int *device = copy_of(in), *out = copy_of(in);
    tree<<<2, threads>>>(device, out, threads);
    const std::vector<int> got = back(out, 2 * threads);
    for (int i = 0; i < 2 * threads; ++i) {
      const int t = i % threads;
      int size = 1, sum = 0;
      while (size < threads && (t + 1) % (2 * size) == 0) size *= 2;
      for (int k = 0; k < size; ++k) sum += in[i - k];
      expect_equal(got[i], sum, "tree", i);
    }
  }
}

void test_halo(dim3 block) {
  const int width = static_cast<int>(block.x), height = static_cast<int>(block.y), n = width * height;
  std::vector<int> in(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<int>(word_of(i) % 1000);
  int *device = copy_of(in), *out = copy_of(in);
  for (const auto& [low, high] : {std::pair{0, width - 1}, {1, width - 3}, {width / 2, width / 2}}) {
    halo<<<1, block>>>(device, out, low, high, 3);
    std::vector<int> now = in;
    for (int round = 0; round < 3; ++round) {
      const std::vector<int> before = now;
      for (int i = 0; i < n; ++i) {
        const int x = i % width, y = i / width;
        if (x <= round || y + round >= height) continue;
        now[i] = before[y * width + std::max(x - 1, low)] * 3 + before[y * width + std::min(x + 1, high)] +
                 before[std::max(y - 1, 0) * width + x];
      }
    }
    const std::vector<int> got = back(out, n);
    for (int i = 0; i < n; ++i) expect_equal(got[i], now[i], "halo", i);
  }
}

void test_places() {
  const tables all;
  int *table = copy_of(all.places), *out = copy_of(all.places);
  for (const int threads : {512, 96, 33}) {
    EXPECT_SUCCESS(cudaMemset(out, 0, most * sizeof(int)));
    places<<<(most + threads - 1) / threads, threads>>>(table, out, most - 3);
    const std::vector<int> got = back(out, most);
    for (int i = 0; i < most - 3; ++i) expect_equal(got[all.places[i]], i, "places", i);
  }
}

int main() {
  for (const int threads : {512, 96, 33}) {
    test_arounds<int>("int", threads);
    test_arounds<unsigned char>("byte", threads);
    test_arounds<double>("double", threads);
    test_matrices<int>("int index", threads);
    test_matrices<unsigned>("unsigned index", threads);
    test_matrices<unsigned long long>("wide index", threads);
  }
  test_places();
  test_divisions<int>("int", {0, 5, -700, INT_MAX - 9, INT_MIN + 9},
                      {1, 2, 64, 1 << 30, 3, 97, 5000, INT_MAX, -1, -8, -97});
  test_divisions<unsigned>("unsigned", {0u, 700u, UINT_MAX - 9}, {1u, 2u, 64u, 1u << 31, 3u, 97u, 5000u, UINT_MAX});
  test_divisions<long long>("wide", {0, 700, -700, LLONG_MAX - 9}, {1, 2, 1LL << 40, 97, 5000, -1, -8, -97});
  test_divisions<unsigned long long>("wide unsigned", {0, 700, ULLONG_MAX - 9}, {1, 2, 1ULL << 63, 97, ULLONG_MAX});
  test_tree();
  for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(16, 5), dim3(32, 2), dim3(7, 9)}) test_halo(block);
  return result();
}
