// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `asm volatile` keeps the compiler from merging rounds.
#include "hand_written.hpp"

namespace bench::hand_written {

namespace {
constexpr int warp = 32;
inline void end_of_round() { asm volatile("" ::: "memory"); }
}  // namespace

void exchange(uint32_t* values, int threads, int rounds) {
  uint32_t shared[1024 + 1];
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < threads; ++i) shared[i] = values[i];
    shared[threads] = shared[0];
    end_of_round();
    for (int i = 0; i < threads; ++i) values[i] += shared[i + 1];
    end_of_round();
  }
}

void sum_rounds(float* values, int count, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    const float each = sum(values, static_cast<size_t>(count)) / static_cast<float>(count);
    for (int i = 0; i < count; ++i) values[i] = each;
    end_of_round();
  }
}

void shuffle_rounds(int32_t* values, int rounds) {
  int32_t from[warp];
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < warp; ++i) from[i] = values[i];
    for (int i = 0; i < warp; ++i) values[i] = from[(values[i] + 1) & (warp - 1)];
    end_of_round();
  }
}

void ballot_rounds(uint32_t* values, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    uint32_t mask = 0;
    for (int i = 0; i < warp; ++i) mask |= (values[i] >> 4 & 1) << i;
    for (int i = 0; i < warp; ++i) values[i] += mask;
    end_of_round();
  }
}

void sum_rows(const float* values, int rows, int passes, float* sums) {
  for (int pass = 0; pass < passes; ++pass) {
    for (int r = 0; r < rows; ++r) sums[r] = sum(values + r * warp, warp);
    end_of_round();
  }
}

void count_words(const uint32_t* words, int rows, int passes, uint32_t* counts) {
  uint32_t count = 0;
  for (int pass = 0; pass < passes; ++pass) {
    for (int i = 0; i < warp * rows; ++i) count += words[i] >> 4 & 1;
    end_of_round();
  }
  for (int i = 0; i < warp; ++i) counts[i] = count;
}

void scan_rounds(uint32_t* values, int rounds) {
  for (int r = 0; r < rounds; ++r) {
    uint32_t sum = 0;
    for (int i = 0; i < warp; ++i) {
      sum += values[i];
      values[i] = sum;
    }
    end_of_round();
  }
}

// Has no branch on the elements, which are random: its prediction would often be wrong.
size_t filter(const int32_t* in, int32_t* out, size_t elements, int32_t limit) {
  size_t count = 0;
  for (size_t i = 0; i < elements; ++i) {
    out[count] = in[i];
    count += in[i] > limit;
  }
  return count;
}

}  // namespace bench::hand_written
