// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ldmatrix, stmatrix and movmatrix as inline PTX: each element against its place in the PTX ISA's pictures, for one,
// two and four matrices, transposed or not, with generic and 32-bit addresses, rows in any order, several warps and a
// 2D block.
#include <cstdint>
#include <vector>

#include "../check.hpp"

constexpr unsigned threads = 96, rows = 32, row_bytes = 48;  // rows are not adjacent
constexpr unsigned words = 4;

__device__ unsigned row_order(unsigned row) { return row * 13 % rows; }  // position of row `row` of the matrices

struct arguments {
  const uint16_t* in;
  uint32_t* loaded;  // 4 registers for each thread
  uint16_t* stored;  // rows of 8 elements for each warp
};

template <int Count, bool Transposed, bool IsShort>
__global__ void load(arguments of) {
  __shared__ alignas(16) unsigned char memory[3][rows * row_bytes];
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32, warp = thread / 32;
  for (unsigned i = lane; i < rows * 8; i += 32) {
    *reinterpret_cast<uint16_t*>(memory[warp] + row_order(i / 8) * row_bytes + i % 8 * 2) = of.in[warp * rows * 8 + i];
  }
  __syncwarp();
  const unsigned char* mine = memory[warp] + row_order(lane % (8 * Count)) * row_bytes;
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(mine));
  uint32_t r[4] = {1, 2, 3, 4};
#define LOAD(count, trans, targets)                                                         \
  if (IsShort) {                                                                            \
    asm volatile("ldmatrix.sync.aligned.m8n8." count trans ".shared.b16 " targets ", [%4];" \
                 : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])                           \
                 : "r"(address));                                                           \
  } else {                                                                                  \
    asm volatile("ldmatrix.sync.aligned.m8n8." count trans ".b16 " targets ", [%4];"        \
                 : "+r"(r[0]), "+r"(r[1]), "+r"(r[2]), "+r"(r[3])                           \
                 : "l"(mine));                                                              \
  }
  if (Count == 1 && !Transposed) LOAD("x1", "", "{%0}")
  if (Count == 2 && !Transposed) LOAD("x2", "", "{%0, %1}")
  if (Count == 4 && !Transposed) LOAD("x4", "", "{%0, %1, %2, %3}")
  if (Count == 1 && Transposed) LOAD("x1", ".trans", "{%0}")
  if (Count == 2 && Transposed) LOAD("x2", ".trans", "{%0, %1}")
  if (Count == 4 && Transposed) LOAD("x4", ".trans", "{%0, %1, %2, %3}")
  for (unsigned i = 0; i < words; ++i) of.loaded[thread * words + i] = r[i];
}

template <int Count, bool Transposed>
__global__ void store(arguments of) {
  __shared__ alignas(16) unsigned char memory[3][rows * row_bytes];
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x, lane = thread % 32, warp = thread / 32;
  for (unsigned i = lane; i < rows * row_bytes / 2; i += 32) reinterpret_cast<uint16_t*>(memory[warp])[i] = 7;
  __syncwarp();
  unsigned char* mine = memory[warp] + row_order(lane % (8 * Count)) * row_bytes;
  const uint32_t* r = of.loaded + thread * words;
#define STORE(count, trans, sources)                                                                              \
  asm volatile("stmatrix.sync.aligned.m8n8." count trans ".shared.b16 [%4], " sources ";" ::"r"(r[0]), "r"(r[1]), \
               "r"(r[2]), "r"(r[3]), "r"(static_cast<uint32_t>(__cvta_generic_to_shared(mine))))
  if (Count == 1 && !Transposed) STORE("x1", "", "{%0}");
  if (Count == 2 && !Transposed) STORE("x2", "", "{%0, %1}");
  if (Count == 4 && !Transposed) STORE("x4", "", "{%0, %1, %2, %3}");
  if (Count == 1 && Transposed) STORE("x1", ".trans", "{%0}");
  if (Count == 2 && Transposed) STORE("x2", ".trans", "{%0, %1}");
  if (Count == 4 && Transposed) STORE("x4", ".trans", "{%0, %1, %2, %3}");
  __syncwarp();
  for (unsigned i = lane; i < rows * 8; i += 32) {
    of.stored[warp * rows * 8 + i] =
        *reinterpret_cast<uint16_t*>(memory[warp] + row_order(i / 8) * row_bytes + i % 8 * 2);
  }
}

__global__ void transpose(const uint32_t* in, uint32_t* out) {
  const unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out[thread]) : "r"(in[thread]));
}

// The position in the matrix of element `half` of a lane's register `matrix`.
struct place {
  unsigned row, column;
};
place place_of(unsigned lane, unsigned half, bool transposed) {
  const place straight = {lane / 4, lane % 4 * 2 + half};
  return transposed ? place{straight.column, straight.row} : straight;
}

uint16_t in_of(unsigned warp, unsigned row, unsigned column) {
  return static_cast<uint16_t>(warp * 5000 + row * 97 + column * 3 + 11);
}

template <int Count, bool Transposed>
void check(arguments of, dim3 block) {
  std::vector<uint32_t> loaded(threads * words);
  for (const bool is_short : {false, true}) {
    is_short ? load<Count, Transposed, true><<<1, block>>>(of) : load<Count, Transposed, false><<<1, block>>>(of);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned thread = 0; thread < threads; ++thread) {
      for (unsigned i = 0; i < words; ++i) {
        uint32_t wanted = i + 1;
        if (i < Count) {
          const place low = place_of(thread % 32, 0, Transposed), high = place_of(thread % 32, 1, Transposed);
          wanted = in_of(thread / 32, 8 * i + low.row, low.column) |
                   static_cast<uint32_t>(in_of(thread / 32, 8 * i + high.row, high.column)) << 16;
        }
        expect_equal(of.loaded[thread * words + i], wanted, "ldmatrix", thread * words + i);
      }
    }
  }
  store<Count, Transposed><<<1, block>>>(of);  // a store puts loaded elements back
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned i = 0; i < 3 * rows * 8; ++i) {
    const unsigned row = i / 8 % rows;
    expect_equal(of.stored[i], row < 8 * Count ? in_of(i / 8 / rows, row, i % 8) : 7, "stmatrix", i);
  }
}

int main() {
  arguments of = {};
  uint16_t* in = nullptr;
  uint32_t *source = nullptr, *result_words = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&in, 3 * rows * 8 * sizeof *in));
  EXPECT_SUCCESS(cudaMallocManaged(&of.loaded, threads * words * sizeof *of.loaded));
  EXPECT_SUCCESS(cudaMallocManaged(&of.stored, 3 * rows * 8 * sizeof *of.stored));
  EXPECT_SUCCESS(cudaMallocManaged(&source, threads * sizeof *source));
  EXPECT_SUCCESS(cudaMallocManaged(&result_words, threads * sizeof *result_words));
  of.in = in;
  for (unsigned i = 0; i < 3 * rows * 8; ++i) in[i] = in_of(i / 8 / rows, i / 8 % rows, i % 8);
  for (const dim3 block : {dim3(threads), dim3(16, 6)}) {
    check<1, false>(of, block);
    check<2, false>(of, block);
    check<4, false>(of, block);
    check<1, true>(of, block);
    check<2, true>(of, block);
    check<4, true>(of, block);
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned lane = i % 32;
      source[i] = in_of(i / 32, lane / 4, lane % 4 * 2) |
                  static_cast<uint32_t>(in_of(i / 32, lane / 4, lane % 4 * 2 + 1)) << 16;
    }
    transpose<<<1, block>>>(source, result_words);
    EXPECT_SUCCESS(cudaDeviceSynchronize());
    for (unsigned i = 0; i < threads; ++i) {
      const unsigned lane = i % 32;
      const uint32_t wanted = in_of(i / 32, lane % 4 * 2, lane / 4) |
                              static_cast<uint32_t>(in_of(i / 32, lane % 4 * 2 + 1, lane / 4)) << 16;
      expect_equal(result_words[i], wanted, "movmatrix", i);
    }
  }
  return result();
}
