// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that run in gangs: control flow that lanes leave one by one, types, memory accesses at the edge of an
// allocation. The host's model of each kernel is a plain loop over the threads.
#include "../check.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#define BOTH __host__ __device__ __forceinline__

// GANG control
BOTH unsigned control(unsigned t, unsigned n) {
  unsigned a = t * 2654435761u, sum = 0;
  for (unsigned i = 0; i < (t & 7) + 1; ++i) {
    if ((a >> i & 3) == 1) continue;
    for (unsigned k = 0;; ++k) {
      if (k * k > t % 50 + i) break;
      if (sum > 4000 + t) return sum;  // leaves both loops
      sum += a >> (k & 15) & 31;
    }
    switch ((a >> 3 ^ i) % 5) {
      case 0:
        sum += 7;
      case 1:
        sum ^= 3;
        break;
      case 2:
        a += n;
        break;
      case 4:
        a = a * 5 + 1;
      default:
        sum -= 1;
    }
    do a = a / (i + 1) + 1;
    while (a % 3 == 2 && --n > 2);
  }
  return sum * 3 + a % 1000;
}

// GANG wide: 64 bits, half the width, double and conversions
BOTH double wide(unsigned t, const double* table) {
  int64_t a = static_cast<int64_t>(t) * 0x100000001 - 77;
  double sum = 0;
  for (unsigned i = 0; i < t % 9; ++i) {
    a = a * 6364136223846793005 + static_cast<int64_t>(i);
    sum += table[static_cast<uint64_t>(a) % 64] * static_cast<double>(static_cast<int16_t>(a >> 20));
    sum = sqrt(fabs(sum)) - static_cast<float>(sum) * 0.25f;
  }
  return sum + static_cast<double>(a % 1000003 / (static_cast<int64_t>(t) - 20 ? static_cast<int64_t>(t) - 20 : 1));
}

struct point {
  int x, y;
  unsigned char tag;
};

// GANG records: private arrays with computed indices, structs of several types, bytes
BOTH int records(unsigned t, const point* points, const unsigned char* bytes) {
  int own[9];
  point last = {1, 2, 3};
  for (int i = 0; i < 9; ++i) own[i] = i * static_cast<int>(t);
  for (unsigned i = 0; i < 5 + t % 4; ++i) {
    const point p = points[(t * 3 + i) % 40];
    own[(p.x + i) % 9] += p.y;
    if (p.tag & 1) last = p;
    own[last.tag % 9] ^= bytes[(t + i) % 100];
  }
  int sum = last.x + last.tag;
  for (int value : own) sum = sum * 5 + value;
  return sum;
}

// GANG steps: indices that wrap around between two lanes, in loops that lanes leave one by one
BOTH unsigned steps(unsigned t, const unsigned char* bytes) {
  unsigned sum = bytes[static_cast<unsigned char>(t + 200)];
  for (unsigned i = t + 0xffffffd0u; i < 0xf0000000u; i += 0x8000005u) sum = sum * 3 + (i >> 7);
  for (unsigned i = 40u - t; i > 0x10000000u; i -= 0x8000005u) sum = sum * 5 + bytes[static_cast<unsigned char>(i)];
  for (unsigned i = t; i < 200; i += 64) sum = sum * 7 + bytes[i];
  return sum;
}

// GANG divisions: by a variable, at every width
BOTH uint64_t divisions(unsigned t, unsigned n) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < n + t % 3; ++i) {
    const unsigned a = (t + i) * 2654435761u, b = a >> (t + i) % 32 | 1;
    const int c = static_cast<int>(a), d = static_cast<int>(b ^ (t & 1 ? ~0u : 0)) | 2;
    const uint64_t e = a * 0x100000001ull, f = e >> (t + i) % 64 | 1;
    sum = sum * 31 + a / b + a % b + f % b + e / f + static_cast<uint16_t>(a) / static_cast<uint16_t>(b);
    sum = sum * 31 + static_cast<unsigned>(c / d) + static_cast<unsigned>(c % d) +
          static_cast<unsigned>(static_cast<int8_t>(a) / static_cast<int8_t>(b | 1)) +
          static_cast<uint64_t>(static_cast<int64_t>(e) % (static_cast<int64_t>(f) | 2));
  }
  return sum;
}

__device__ unsigned rank_in_grid() {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  return block * blockDim.x * blockDim.y * blockDim.z + (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x +
         threadIdx.x;
}

__global__ void control_kernel(unsigned* out, unsigned n) { out[rank_in_grid()] = control(rank_in_grid(), n); }
__global__ void wide_kernel(double* out, const double* table) { out[rank_in_grid()] = wide(rank_in_grid(), table); }
__global__ void records_kernel(int* out, const point* points, const unsigned char* bytes) {
  out[rank_in_grid()] = records(rank_in_grid(), points, bytes);
}

__global__ void steps_kernel(unsigned* out, const unsigned char* bytes) {
  out[rank_in_grid()] = steps(rank_in_grid(), bytes);
}
__global__ void divisions_kernel(uint64_t* out, unsigned n) { out[rank_in_grid()] = divisions(rank_in_grid(), n); }

// Reads and writes exactly the elements below n, forwards and with a distance, in loops.
template <class T>
__global__ void edge(T* out, const T* in, int n, int stride) {
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) * stride; i < n; i += gridDim.x * blockDim.x * stride) {
    T sum = in[i];
    for (int k = 0; k < i % 3; ++k) sum += in[i - k];
    out[i] = sum;
  }
}

// An element for each thread, without a loop: rows of full gangs, rows of 16 and other blocks run in three ways.
template <class T>
__global__ void element(T* out, const T* in, int n) {
  const int i = static_cast<int>(rank_in_grid());
  if (i >= n) return;
  T value = in[i];
  if (i % 5 == 1) value += in[n - 1 - i];
  out[i] = value;
}

// Atomics whose results are used, and index axes that are selected by number.
__global__ void tickets(unsigned* next, unsigned* owner, unsigned* indices, int axis) {
  for (unsigned i = 0; i < threadIdx.x % 3; ++i) owner[atomicAdd(next, 1u)] = threadIdx.x + 1;
  const unsigned index[] = {threadIdx.x, threadIdx.y, threadIdx.z};
  unsigned sum = 0;
  for (int i = 0; i < axis; ++i) sum = sum * 100 + index[i];
  indices[rank_in_grid()] = sum;
}

// Stores of several lanes to one address: one of the lanes' values remains.
__global__ void same_address(unsigned* out, unsigned n) {
  for (unsigned i = 0; i < n; ++i)
    if (threadIdx.x % 4 == i) out[i] = threadIdx.x;
}

template <class T>
T* managed(size_t count) {
  T* result = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&result, count * sizeof(T)));
  return result;
}

static void shapes() {
  unsigned* words = managed<unsigned>(30000);
  double* doubles = managed<double>(30000 + 64);
  double* table = doubles + 30000;
  point* points = managed<point>(40);
  unsigned char* bytes = managed<unsigned char>(256);
  for (int i = 0; i < 64; ++i) table[i] = i * 0.37 - 9;
  for (int i = 0; i < 40; ++i) points[i] = {i * 7 % 11, i * 5 - 30, static_cast<unsigned char>(i * 13)};
  for (int i = 0; i < 256; ++i) bytes[i] = static_cast<unsigned char>(i * 77);
  for (const dim3 block : {dim3(1), dim3(32), dim3(33), dim3(100), dim3(256), dim3(16, 16), dim3(7, 5, 3), dim3(64, 3),
                           dim3(32, 4, 2), dim3(1, 70), dim3(1024), dim3(48, 3), dim3(16, 3, 2), dim3(80)}) {
    const unsigned threads = block.x * block.y * block.z, all = 4 * threads;
    control_kernel<<<dim3(2, 2), block>>>(words, 9);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned i = 0; i < all; ++i) expect_equal(words[i], control(i, 9), "control", i);
    wide_kernel<<<dim3(2, 2), block>>>(doubles, table);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned i = 0; i < all; ++i) {
      const double wanted = wide(i, table);
      expect_equal(doubles[i] == wanted || std::fabs(doubles[i] - wanted) < 1e-9 * std::fabs(wanted), true, "wide", i);
    }
    records_kernel<<<dim3(2, 2), block>>>(reinterpret_cast<int*>(words), points, bytes);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned i = 0; i < all; ++i) {
      expect_equal(static_cast<int>(words[i]), records(i, points, bytes), "records", i);
    }
    steps_kernel<<<dim3(2, 2), block>>>(words, bytes);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned i = 0; i < all; ++i) expect_equal(words[i], steps(i, bytes), "steps", i);
    auto* quotients = reinterpret_cast<uint64_t*>(words);
    divisions_kernel<<<dim3(2, 2), block>>>(quotients, 2);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned i = 0; i < all; ++i) expect_equal(quotients[i], divisions(i, 2), "divisions", i);
    unsigned* next = words + 29999;
    for (int axis = 0; axis < 4; ++axis) {
      *next = 0;
      std::memset(words, 0, 8192 * sizeof(unsigned));
      tickets<<<1, block>>>(next, words, words + 8192, axis);
      EXPECT_SUCCESS(cudaDeviceSynchronize());
      std::vector<unsigned> taken(block.x + 1);
      for (unsigned i = 0; i < *next; ++i) ++taken[words[i]];
      for (unsigned x = 0; x < block.x; ++x) {
        expect_equal(taken[x + 1], x % 3 * block.y * block.z, "tickets", x);
      }
      for (unsigned i = 0; i < threads; ++i) {
        const unsigned index[] = {i % block.x, i / block.x % block.y, i / block.x / block.y};
        unsigned sum = 0;
        for (int k = 0; k < axis && k < 3; ++k) sum = sum * 100 + index[k];
        if (axis < 4 && axis <= 3) expect_equal(words[8192 + i], sum, "axes", i);
      }
    }
  }
  same_address<<<1, 100>>>(words, 4);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 4; ++i) expect_equal(words[i] % 4, i, "same address", i);
}

// A walk of the grid over an array. Gangs prefetch in such a loop, and the array ends at an inaccessible page.
template <class T>
__global__ void walk(T* out, const T* in, long n) {
  T sum = T();
  for (long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    sum = static_cast<T>(sum * 3 + in[i]);
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <class T>
static void walks(const char* name) {
  constexpr int blocks = 2, threads = 128, all = blocks * threads;
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)), bytes = 16 * page;
  char* memory =
      static_cast<char*>(mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(memory + bytes, page, PROT_NONE);
  T* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, all * sizeof(T)));
  for (const long n : {0L, 1L, 255L, 257L, 1000L, 5001L, static_cast<long>(bytes / sizeof(T))}) {
    T* in = reinterpret_cast<T*>(memory + bytes) - n;
    for (long i = 0; i < n; ++i) in[i] = static_cast<T>(i % 11);
    walk<<<blocks, threads>>>(out, in, n);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (int t = 0; t < all; ++t) {
      T wanted = T();
      for (long i = t; i < n; i += all) wanted = static_cast<T>(wanted * 3 + in[i]);
      expect_equal(out[t], wanted, name, t);
    }
  }
  EXPECT_SUCCESS(cudaFree(out));
  munmap(memory, bytes + page);
}

// Arrays that end before an inaccessible page, and arrays that begin after one.
template <class T>
static void edges(const char* name) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  char* memory =
      static_cast<char*>(mmap(nullptr, 6 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  for (size_t guard : {0, 2, 5}) mprotect(memory + guard * page, page, PROT_NONE);
  for (const int n : {1, 31, 33, 100, 509}) {
    for (const int stride : {1, 2, 3}) {
      for (const bool at_end : {false, true}) {
        T* in = reinterpret_cast<T*>(at_end ? memory + 2 * page - n * sizeof(T) : memory + page);
        T* out = reinterpret_cast<T*>(at_end ? memory + 5 * page - n * sizeof(T) : memory + 3 * page);
        for (int i = 0; i < n; ++i) {
          in[i] = static_cast<T>(i * 3 + 1);
          out[i] = T();
        }
        edge<<<2, 96>>>(out, in, n, stride);
        EXPECT_SUCCESS(cudaDeviceSynchronize());
        for (int i = 0; i < n; ++i) {
          T wanted = T();
          if (i % stride == 0) {
            wanted = in[i];
            for (int k = 0; k < i % 3; ++k) wanted = static_cast<T>(wanted + in[i - k]);
          }
          expect_equal(out[i], wanted, name, i);
        }
        for (const dim3 block : {dim3(64), dim3(64, 3), dim3(16, 16), dim3(48, 2), dim3(33), dim3(4, 4, 4)}) {
          for (int i = 0; i < n; ++i) out[i] = T();
          const int threads = static_cast<int>(block.x * block.y * block.z);
          element<<<(n + threads - 1) / threads, block>>>(out, in, n);
          EXPECT_SUCCESS(cudaDeviceSynchronize());
          for (int i = 0; i < n; ++i) {
            expect_equal(out[i], i % 5 == 1 ? static_cast<T>(in[i] + in[n - 1 - i]) : in[i], name, i);
          }
        }
      }
    }
  }
  munmap(memory, 6 * page);
}

// Indices of 8 bytes in both directions, with steps, on all sides of a bound.
template <class T>
__host__ __device__ unsigned sides(unsigned thread, T bound, int turns) {
  unsigned bits = 0;
  for (int turn = 0; turn < turns; ++turn) {
    const T i = static_cast<T>(thread), up = i * 3 + 5, down = 100 - i;
    bits = bits * 5 + (i < bound ? 1 : 0) + (bound <= i ? 2 : 0);
    bits = bits * 5 + (i == bound ? 1 : 0) + (up >= bound ? 2 : 0);
    bits = bits * 5 + (bound != up ? 1 : 0) + (down > bound ? 2 : 0);
    bound = static_cast<T>(static_cast<uint64_t>(bound) + 1);
  }
  return bits;
}

template <class T>
__global__ void sides_kernel(unsigned* out, T bound, int turns) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  out[thread] = sides<T>(thread, bound, turns);
}

template <class T>
void bounds(const char* name) {
  constexpr unsigned threads = 192;
  unsigned* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, threads * sizeof(unsigned)));
  const uint64_t all[] = {0,
                          1,
                          31,
                          63,
                          64,
                          100,
                          191,
                          192,
                          577,
                          0u - 1ull,
                          0u - 40ull,
                          1ull << 31,
                          1ull << 32,
                          (1ull << 32) + 7,
                          1ull << 62,
                          1ull << 63,
                          (1ull << 63) - 9};
  for (const uint64_t bound : all) {
    for (const unsigned block : {64u, 32u, 24u}) {
      sides_kernel<T><<<threads / block, block>>>(out, static_cast<T>(bound), 4);
      EXPECT_SUCCESS(cudaDeviceSynchronize());
      for (unsigned i = 0; i < threads; ++i) expect_equal(out[i], sides<T>(i, static_cast<T>(bound), 4), name, i);
    }
  }
  EXPECT_SUCCESS(cudaFree(out));
}

int main() {
  shapes();
  bounds<int64_t>("signed bounds");
  bounds<uint64_t>("unsigned bounds");
  edges<int>("edge of ints");
  edges<double>("edge of doubles");
  edges<unsigned char>("edge of bytes");
  edges<short>("edge of shorts");
  walks<unsigned>("walk over words");
  walks<uint64_t>("walk over long words");
  walks<unsigned char>("walk over bytes");
  return result();
}
