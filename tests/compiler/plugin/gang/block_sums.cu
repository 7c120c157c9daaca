// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions of a block with the library's operators, in blocks of all sizes: the bits are those of the written tree.
// All lanes get one result, so it may decide whether a gang executes the next collective.
#include <cohort/cohort.hpp>

#include <cstring>
#include <vector>

#include "../check.hpp"

constexpr unsigned most_threads = 1024;
constexpr unsigned most_turns = 40;

__host__ __device__ float float_of(unsigned i) { return (i % 5 == 2 ? -1.0f : 1.0f) / static_cast<float>(i % 97 + 3); }
__host__ __device__ double double_of(unsigned i) { return float_of(i) / 7.0; }
__host__ __device__ float zero_of(unsigned i) { return i * 2654435761u >> 31 ? 0.0f : -0.0f; }
__host__ __device__ unsigned word_of(unsigned i) { return i * 2654435761u; }
__host__ __device__ long long long_of(unsigned i) { return static_cast<long long>(word_of(i)) * word_of(i + 1); }

struct seen {
  float sum, smallest_zero;
  double real_sum, greatest;
  unsigned bits;
  int smallest;
  long long long_sum;
};

#pragma nv_exec_check_disable
template <class Combine>
__host__ __device__ seen all_of(Combine combine) {
  seen s;
  memset(&s, 0, sizeof s);
  s.sum = combine(float_of, cohort::plus<float>());
  s.smallest_zero = combine(zero_of, cohort::less<float>());
  s.real_sum = combine(double_of, cohort::plus<double>());
  s.greatest = combine(double_of, cohort::greater<double>());
  s.bits = combine(word_of, cohort::bit_xor<unsigned>());
  s.smallest = combine([](unsigned i) { return static_cast<int>(word_of(i)); }, cohort::less<int>());
  s.long_sum = combine(long_of, cohort::plus<long long>());
  return s;
}

__global__ void reductions(seen* out) {
  const auto block = cohort::this_thread_block();
  const unsigned rank = block.thread_rank();
  out[rank] = all_of([&](auto value, auto op) { return cohort::reduce(block, value(rank), op); });
}

// Threads `stay` and above have returned. The sum decides when a loop ends, after a different number of turns in each
// block.
__global__ void turns(const unsigned* in, unsigned stay, unsigned limit, unsigned* out) {
  const auto block = cohort::this_thread_block();
  const unsigned rank = block.thread_rank();
  if (rank >= stay) return;
  unsigned value = in[rank] % 16, turn = 0;
  for (; turn < most_turns; ++turn) {
    const unsigned sum = cohort::reduce(block, value, cohort::plus<unsigned>());
    if (sum > limit) break;
    value += sum % 3 + rank % 2 + 1;
    if (sum % 2 != 0) value += cohort::reduce(block, value, cohort::greater<unsigned>()) % 5;
  }
  out[rank] = value * most_turns + turn;
}

// The written tree of docs/collectives.md.
template <class T, class Op>
T in_tree(std::vector<T> values, Op op) {
  for (size_t step = 1; step < values.size(); step *= 2) {
    for (size_t i = 0; i + step < values.size(); i += 2 * step) values[i] = op(values[i], values[i + step]);
  }
  return values[0];
}

void check_reductions(dim3 block, seen* out) {
  const unsigned threads = block.x * block.y * block.z;
  reductions<<<1, block>>>(out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const seen wanted = all_of([&](auto value, auto op) {
    std::vector<decltype(value(0))> values;
    for (unsigned i = 0; i < threads; ++i) values.push_back(value(i));
    return in_tree(values, op);
  });
  for (unsigned i = 0; i < threads; ++i) {
    expect_equal(memcmp(&out[i].sum, &wanted.sum, sizeof(float)), 0, "sum of floats", i);
    expect_equal(memcmp(&out[i].smallest_zero, &wanted.smallest_zero, sizeof(float)), 0, "smallest zero", i);
    expect_equal(memcmp(&out[i].real_sum, &wanted.real_sum, sizeof(double)), 0, "sum of doubles", i);
    expect_equal(memcmp(&out[i].greatest, &wanted.greatest, sizeof(double)), 0, "greatest double", i);
    expect_equal(out[i].bits, wanted.bits, "exclusive or", i);
    expect_equal(out[i].smallest, wanted.smallest, "smallest int", i);
    expect_equal(out[i].long_sum, wanted.long_sum, "sum of long integers", i);
  }
}

void check_turns(dim3 block, const unsigned* in, unsigned stay, unsigned limit, unsigned* out) {
  const unsigned threads = block.x * block.y * block.z;
  for (unsigned i = 0; i < threads; ++i) out[i] = 0;
  turns<<<1, block>>>(in, stay, limit, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  std::vector<unsigned> values(in, in + stay);
  for (unsigned& value : values) value %= 16;
  unsigned turn = 0;
  for (; turn < most_turns; ++turn) {
    const unsigned sum = in_tree(values, cohort::plus<unsigned>());
    if (sum > limit) break;
    for (unsigned i = 0; i < stay; ++i) values[i] += sum % 3 + i % 2 + 1;
    const unsigned most = in_tree(values, cohort::greater<unsigned>());
    for (unsigned& value : values) value += sum % 2 != 0 ? most % 5 : 0;
  }
  for (unsigned i = 0; i < threads; ++i) {
    expect_equal(out[i], i < stay ? values[i] * most_turns + turn : 0, "turns", i);
  }
}

int main() {
  seen* results;
  unsigned *in, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&results, most_threads * sizeof(seen)));
  EXPECT_SUCCESS(cudaMallocManaged(&in, most_threads * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, most_threads * sizeof(unsigned)));
  for (unsigned i = 0; i < most_threads; ++i) in[i] = word_of(i) >> 9;
  for (const dim3 block :
       {dim3(1),    dim3(2),    dim3(31),   dim3(64),    dim3(96),    dim3(127),     dim3(128),      dim3(129),
        dim3(160),  dim3(255),  dim3(256),  dim3(257),   dim3(384),   dim3(511),     dim3(512),      dim3(640),
        dim3(1000), dim3(1023), dim3(1024), dim3(16, 6), dim3(32, 8), dim3(7, 5, 3), dim3(128, 2, 2)}) {
    const unsigned threads = block.x * block.y * block.z;
    check_reductions(block, results);
    for (const unsigned limit : {0u, 100 * threads, ~0u}) {
      check_turns(block, in, threads, limit, out);
      check_turns(block, in, threads - threads / 3, limit, out);
    }
  }
  return result();
}
