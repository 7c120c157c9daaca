// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that each lane ends by a counter or a condition: counters of several types, steps, directions and first values,
// with values of the last round used after the loop. The host runs the same functions.
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "../check.hpp"

struct ends {
  int escaped, counted_down, stepped, from_lane, in_order, nested, unguarded;
  unsigned halves;
  long long wide;
  float last, behind;
};

__host__ __device__ inline unsigned next_word(unsigned x) { return x * 1664525u + 1013904223u; }

__host__ __device__ ends run(unsigned lane, int limit, int first) {
  ends e = {};
  unsigned word = lane * 2654435761u;
  // Values after the loop: the counter, a value of the last round, and a value that only full rounds change.
  float x = static_cast<float>(lane % 7) * 0.25f, last = 0, behind = 1;
  int n = 0;
  for (; n < limit && x < 40.0f; ++n) {
    last = x;
    x = x * 1.25f + 0.5f;
    behind += static_cast<float>(n);
  }
  e.escaped = n;
  e.last = last;
  e.behind = behind;
  for (n = limit; n > 0 && word % 11 != 0; --n) word = next_word(word);
  e.counted_down = n;
  for (n = first; n != first + 3 * limit && word % 13 != 0; n += 3) word = next_word(word);
  e.stepped = n;
  for (n = static_cast<int>(lane % 5); n < limit && word % 17 != 0; ++n) word = next_word(word);
  e.from_lane = n;
  // The loop tests its condition after work, and at two places.
  n = 0;
  while (n < limit) {
    word = next_word(word);
    if (word % 19 == 0) break;
    if (word % 23 == 0) {
      word += 5;
      break;
    }
    ++n;
  }
  e.in_order = n + static_cast<int>(word % 3);
  for (int outer = 0; outer < 3; ++outer) {
    int inner = 0;
    for (; inner < limit && word % 7 != 0; ++inner) word = next_word(word);
    e.nested += inner;
    word = next_word(word);
  }
  unsigned half = 0;
  for (; half < static_cast<unsigned>(limit) && word % 29 != 0; ++half) word = next_word(word);
  e.halves = half;
  long long wide = -limit;
  for (; wide < limit && word % 31 != 0; ++wide) word = next_word(word);
  e.wide = wide;
  // At least one round, also for a limit of 0.
  n = 0;
  do {
    word = next_word(word);
    if (word % 37 == 0) break;
    ++n;
  } while (n < limit);
  e.unguarded = n;
  return e;
}

__global__ void end_loops(ends* out, int limit, int first) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = run(i, limit, first);
}

static void compare(const ends& got, const ends& wanted, int i) {
  expect_equal(got.escaped, wanted.escaped, "escaped", i);
  expect_equal(got.last, wanted.last, "last", i);
  expect_equal(got.behind, wanted.behind, "behind", i);
  expect_equal(got.counted_down, wanted.counted_down, "counted_down", i);
  expect_equal(got.stepped, wanted.stepped, "stepped", i);
  expect_equal(got.from_lane, wanted.from_lane, "from_lane", i);
  expect_equal(got.in_order, wanted.in_order, "in_order", i);
  expect_equal(got.nested, wanted.nested, "nested", i);
  expect_equal(got.halves, wanted.halves, "halves", i);
  expect_equal(got.wide, wanted.wide, "wide", i);
  expect_equal(got.unguarded, wanted.unguarded, "unguarded", i);
}

int main() {
  constexpr unsigned blocks = 3, threads = 133, all = blocks * threads;
  ends* out;
  EXPECT_SUCCESS(cudaMallocManaged(&out, all * sizeof *out));
  for (const int limit : {0, 1, 2, 7, 40, 100}) {
    for (const int first : {0, -4, 1000}) {
      end_loops<<<blocks, threads>>>(out, limit, first);
      EXPECT_SUCCESS(cudaDeviceSynchronize());
      for (unsigned i = 0; i < all; ++i) compare(out[i], run(i, limit, first), static_cast<int>(i));
    }
  }
  EXPECT_SUCCESS(cudaFree(out));
  return result();
}
