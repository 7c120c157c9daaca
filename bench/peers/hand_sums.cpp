// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cores.hpp"
#include "hand_written.hpp"

namespace bench::hand_written {

// Adds partial sums in vectors of 16 floats; four vectors hide the latency of an addition.
float sum(const float* in, size_t elements) {
  typedef float lanes __attribute__((vector_size(64), aligned(4)));
  lanes sums[4] = {};
  size_t i = 0;
  for (; i + 64 <= elements; i += 64) {
    for (size_t k = 0; k < 4; ++k) sums[k] += *reinterpret_cast<const lanes*>(in + i + k * 16);
  }
  const lanes all = (sums[0] + sums[1]) + (sums[2] + sums[3]);
  float total = 0;
  for (size_t k = 0; k < 16; ++k) total += all[k];
  for (; i < elements; ++i) total += in[i];
  return total;
}

// The lambda captures by value: a captured reference could alias `to`, which prevents vectorisation.
void write_ids(int32_t* out, uint32_t blocks, uint32_t threads, uint32_t slots) {
  for_each_range(blocks, even_share, [=](size_t first, size_t last) {
    const uint32_t count = threads;
    for (auto b = static_cast<uint32_t>(first); b < last; ++b) {
      int32_t* const to = out + size_t{b % slots} * count;
      for (uint32_t t = 0; t < count; ++t) to[t] = static_cast<int32_t>(b * count + t);
    }
  });
}

void batched_sum(const float* in, float* out, size_t batches, size_t elements) {
  for_each_range(batches, even_share, [=](size_t first, size_t last) {
    for (size_t b = first; b < last; ++b) out[b] = sum(in + b * elements, elements);
  });
}

}  // namespace bench::hand_written
