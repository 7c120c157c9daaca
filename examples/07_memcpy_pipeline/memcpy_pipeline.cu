// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A two-stage pipeline: a block computes on one chunk in shared memory while memcpy_async copies the next one. The
// length is no multiple of the chunk size, so the last chunk is shorter.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <cstdio>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

namespace cg = cooperative_groups;

constexpr int chunk = 128;

// The computation on one element. It depends on the index too, so that swapped elements are detected.
__host__ __device__ inline int work(int value, int index) { return 3 * value + index; }

// Each block streams its own `count` ints through two chunks of shared memory.
__global__ void stream_through(const int* in, int count, int* out, int* chunks_done) {
  __shared__ __align__(16) int ring[2][chunk];
  const cg::thread_block block = cg::this_thread_block();
  const int capacity = chunk;  // a variable, because memcpy_async takes the lengths by reference
  in += static_cast<size_t>(blockIdx.x) * static_cast<size_t>(count);
  out += static_cast<size_t>(blockIdx.x) * static_cast<size_t>(count);

  int stage = 0, rounds = 0;
  int begin = 0;
  // This overload counts in elements. It copies the smaller of its two lengths.
  //! [memcpy_async]
  cg::memcpy_async(block, ring[stage], capacity, in, count);
  while (begin < count) {
    const int length = min(chunk, count - begin);
    const int next = begin + length;
    if (next < count) {
      cg::memcpy_async(block, ring[stage ^ 1], capacity, in + next, count - next);
      cg::wait_prior<1>(block);  // completes all copies but the newest
    } else {
      cg::wait(block);
    }
    for (int i = static_cast<int>(block.thread_rank()); i < length; i += static_cast<int>(block.size())) {
      out[begin + i] = work(ring[stage][i], begin + i);
    }
    block.sync();  // the next iteration overwrites this chunk
    begin = next;
    stage ^= 1;
    ++rounds;
  }
  //! [memcpy_async]
  if (block.thread_rank() == 0) chunks_done[blockIdx.x] = rounds;
}

int main(int argc, char** argv) {
  long long elements = 16 * 1024 + 64, blocks = 4, threads = 64;
  example::options("memcpy_pipeline", "a two-stage pipeline of asynchronous copies into shared memory")
      .number("--elements", elements, 1, 1 << 24, "ints of each block")
      .number("--blocks", blocks, 1, 65535, "blocks of the grid")
      .number("--threads", threads, 1, 1024, "threads of a block")
      .parse(argc, argv);

  std::vector<int> in(static_cast<size_t>(elements * blocks));
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i * 2654435761u % 1000003u);
  example::device_array<int> d_in(in), d_out(in.size()), d_chunks(static_cast<size_t>(blocks));
  stream_through<<<static_cast<unsigned>(blocks), static_cast<unsigned>(threads)>>>(
      d_in.get(), static_cast<int>(elements), d_out.get(), d_chunks.get());
  EXAMPLE_CHECK_LAUNCH();

  const std::vector<int> out = d_out.to_host(), chunks = d_chunks.to_host();
  const int expected_chunks = static_cast<int>((elements + chunk - 1) / chunk);
  bool right = true;
  for (int c : chunks) right = right && c == expected_chunks;
  for (size_t i = 0; i < in.size() && right; ++i) {
    const int expected = work(in[i], static_cast<int>(i % static_cast<size_t>(elements)));
    if (out[i] != expected) {
      std::printf("element %zu: %d, expected %d\n", i, out[i], expected);
      right = false;
    }
  }
  std::printf("%lld blocks streamed %lld ints each in %d chunks of at most %d\n", blocks, elements, chunks[0], chunk);
  return example::verdict(right, "every element was processed once, at its index");
}
