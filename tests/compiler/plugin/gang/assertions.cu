// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assertions that fail in some lanes of a gang: each has its line and its lane stops, lanes that wait for it at a
// barrier never pass, and all others end. A model on the host computes the lines and all memory.
#include <cassert>
#include <set>
#include <string>
#include <vector>

#include <cohort/machine/cpu/port.hpp>

#include "../check.hpp"

struct input {
  int first, second, rounds;
};

__device__ int rank_in_block() { return threadIdx.x + blockDim.x * threadIdx.y; }
__device__ int size_of_block() { return blockDim.x * blockDim.y; }

// Lanes fail in different iterations.
__global__ void in_a_loop(const input* in, int* out) {
  const int i = blockIdx.x * size_of_block() + rank_in_block();
  int sum = 0;
  for (int k = 0; k < in[i].rounds; ++k) {
    sum += in[i].first * k;
    assert(sum % 17 != 5);
  }
  out[i] = sum;
}

// Lanes return, and lanes of both branches fail. Only blocks without a failure have lanes after the barrier.
__global__ void before_a_barrier(const input* in, int* out) {
  __shared__ int shared[1024];
  const int rank = rank_in_block(), i = blockIdx.x * size_of_block() + rank;
  shared[rank] = 0;
  __syncthreads();
  if (in[i].first % 11 == 0) return;
  shared[rank] = in[i].second;
  if (in[i].first % 2) {
    assert(in[i].second % 61 != 7);
    out[i] = 1;
  } else {
    out[i] = 2;
    assert(in[i].second % 53 != 9);
  }
  __syncthreads();
  out[i] += 10 + shared[size_of_block() - 1 - rank];
}

// A failure in one round: the block's vote for the next round never completes.
__global__ void in_rounds(const input* in, int* out) {
  const int i = blockIdx.x * size_of_block() + rank_in_block();
  for (int round = 0; __syncthreads_or(round < in[i].rounds); ++round) {
    if (round < in[i].rounds) {
      assert((in[i].first + round) % 97 != 3);
      out[i] += round + 1;
    }
  }
}

// Two branches and a case of a switch lead to failures; lanes exchange values in each round.
__global__ void in_a_switch(const input* in, int* out) {
  __shared__ int shared[1024];
  const int rank = rank_in_block(), i = blockIdx.x * size_of_block() + rank;
  shared[rank] = in[i].second;
  __syncthreads();
  int sum = 0;
  for (int round = 0; round < 5; ++round) {
    const int other = shared[(rank + round) % size_of_block()];
    switch (other % 5) {
      case 0:
        sum += other;
        break;
      case 1:
        sum ^= round;
        break;
      case 2:
        sum -= in[i].first;
        break;
      case 3:
        sum += rank;
        break;
      default:
        assert(in[i].first % 128 < 125 && other % 7 < 7 - round / 3);
        sum += 7;
    }
    __syncthreads();
    shared[rank] = sum & 0xffff;
    __syncthreads();
  }
  out[i] = sum;
}

// All threads fail, which the compiler can prove.
__global__ void in_all_threads(const input* in, int* out) {
  const int i = blockIdx.x * size_of_block() + rank_in_block();
  out[i] = in[i].rounds;
  assert(sizeof(input) == 1);
  out[i] = 0;
}

struct model {
  const input* in;  // input of the block
  int* out;
  int size;
  std::vector<bool> failed;

  bool assertion(int thread, bool holds) { return holds || (failed[thread] = true, false); }
  bool all_hold() const {
    for (bool one : failed) {
      if (one) return false;
    }
    return true;
  }
};

static void model_in_a_loop(model& block) {
  for (int t = 0; t < block.size; ++t) {
    int sum = 0, k = 0;
    for (; k < block.in[t].rounds; ++k) {
      sum += block.in[t].first * k;
      if (!block.assertion(t, sum % 17 != 5)) break;
    }
    if (k == block.in[t].rounds) block.out[t] = sum;
  }
}

static void model_before_a_barrier(model& block) {
  std::vector<int> shared(block.size);
  for (int t = 0; t < block.size; ++t) {
    const input& in = block.in[t];
    if (in.first % 11 == 0) continue;
    shared[t] = in.second;
    if (in.first % 2) {
      if (block.assertion(t, in.second % 61 != 7)) block.out[t] = 1;
    } else {
      block.out[t] = 2;
      block.assertion(t, in.second % 53 != 9);
    }
  }
  for (int t = 0; t < block.size && block.all_hold(); ++t) {
    if (block.in[t].first % 11 != 0) block.out[t] += 10 + shared[block.size - 1 - t];
  }
}

static void model_in_rounds(model& block) {
  for (int round = 0; round < 8 && block.all_hold(); ++round) {
    for (int t = 0; t < block.size; ++t) {
      if (round < block.in[t].rounds && block.assertion(t, (block.in[t].first + round) % 97 != 3)) {
        block.out[t] += round + 1;
      }
    }
  }
}

static void model_in_a_switch(model& block) {
  std::vector<int> shared(block.size), sum(block.size);
  for (int t = 0; t < block.size; ++t) shared[t] = block.in[t].second;
  for (int round = 0; round < 5 && block.all_hold(); ++round) {
    for (int t = 0; t < block.size; ++t) {
      const int other = shared[(t + round) % block.size], first = block.in[t].first;
      switch (other % 5) {
        case 0:
          sum[t] += other;
          break;
        case 1:
          sum[t] ^= round;
          break;
        case 2:
          sum[t] -= first;
          break;
        case 3:
          sum[t] += t;
          break;
        default:
          block.assertion(t, first % 128 < 125 && other % 7 < 7 - round / 3);
          sum[t] += 7;
      }
    }
    for (int t = 0; t < block.size; ++t) shared[t] = sum[t] & 0xffff;
  }
  for (int t = 0; t < block.size && block.all_hold(); ++t) block.out[t] = sum[t];
}

static void model_in_all_threads(model& block) {
  for (int t = 0; t < block.size; ++t) {
    block.out[t] = block.in[t].rounds;
    block.assertion(t, false);
  }
}

static std::set<std::string> reported_threads(int& lines) {
  std::string text(cohort_copy_last_report(nullptr, 0), '\0');
  cohort_copy_last_report(text.data(), text.size() + 1);
  std::set<std::string> threads;
  for (size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1) {
    const std::string line = text.substr(begin, text.find('\n', begin) - begin);
    const size_t at = line.find("block: ");
    if (at != std::string::npos) threads.insert(line.substr(at, line.find(" Assertion `") - at));
    ++lines;
  }
  return threads;
}

static void check(const char* name, void (*kernel)(const input*, int*), void (*expect)(model&), dim3 shape) {
  constexpr int blocks = 3;
  const int size = static_cast<int>(shape.x * shape.y), threads = blocks * size;
  input* in = nullptr;
  int* out = nullptr;
  EXPECT_SUCCESS(cudaMallocManaged(&in, threads * sizeof *in));
  EXPECT_SUCCESS(cudaMallocManaged(&out, threads * sizeof *out));
  unsigned state = static_cast<unsigned>(size) * 2654435761u + 1;
  auto next = [&] { return static_cast<int>((state = state * 1664525u + 1013904223u) >> 9); };
  for (int i = 0; i < threads; ++i) {
    // In the last block no assertion fails, except the one of in_all_threads.
    in[i] = i / size == blocks - 1 ? input{34 * (next() % 5), 0, next() % 8}
                                   : input{next() % 1000, next() % 1000, next() % 8};
    out[i] = 0;
  }
  std::vector<int> expected(threads);
  std::set<std::string> failed;
  for (int b = 0; b < blocks; ++b) {
    model block{in + b * size, expected.data() + b * size, size, std::vector<bool>(size)};
    expect(block);
    for (int t = 0; t < size; ++t) {
      if (!block.failed[t]) continue;
      failed.insert("block: [" + std::to_string(b) + ",0,0], thread: [" + std::to_string(t % shape.x) + "," +
                    std::to_string(t / shape.x) + ",0]");
    }
  }
  kernel<<<blocks, shape>>>(in, out);
  expect_equal(cudaDeviceSynchronize(), failed.empty() ? cudaSuccess : cudaErrorAssert, name, size);
  int lines = 0;
  if (!failed.empty()) {
    expect_equal(reported_threads(lines) == failed, true, name, size);
    expect_equal(static_cast<size_t>(lines), failed.size(), name, size);
  }
  for (int i = 0; i < threads; ++i) expect_equal(out[i], expected[i], name, i);
  cudaDeviceReset();
}

int main() {
  for (dim3 shape : {dim3(256), dim3(100), dim3(33, 3), dim3(16, 16), dim3(32, 8), dim3(1)}) {
    check("in a loop", in_a_loop, model_in_a_loop, shape);
    check("before a barrier", before_a_barrier, model_before_a_barrier, shape);
    check("in rounds", in_rounds, model_in_rounds, shape);
    check("in a switch", in_a_switch, model_in_a_switch, shape);
    check("in all threads", in_all_threads, model_in_all_threads, shape);
  }
  return result();
}
