// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// <cuda/pipeline> and <cuda_pipeline.h>: a sum is computed batch by batch through the stages of each kind of pipeline.
// A copy of a thread's own pipeline is made at the wait for its stage.
#include <cooperative_groups.h>
#include <cuda_pipeline.h>
#include <cuda/pipeline>

#include <type_traits>
#include <utility>

#include "check.hpp"

namespace cg = cooperative_groups;

// Each thread has a pipeline that runs `depth` stages ahead. `early` counts values that arrived before the wait.
template <int depth>
__global__ void own_pipeline(const int* in, int* out, int* early, int batches) {
  __shared__ int stages[depth][96];
  const int i = static_cast<int>(threadIdx.x), n = static_cast<int>(blockDim.x);
  cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();
  for (int s = 0; s < depth; ++s) stages[s][i] = -1;
  int sum = 0, fetched = 0;
  for (int batch = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + depth; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(&stages[fetched % depth][i], &in[fetched * n + i], sizeof(int), pipe);
      pipe.producer_commit();
    }
    if (stages[batch % depth][i] != -1) ++early[i];
    pipe.consumer_wait();
    sum += stages[batch % depth][i];
    if (fetched > batch + 1 && stages[(batch + 1) % depth][i] != -1) ++early[i];
    stages[batch % depth][i] = -1;
    pipe.consumer_release();
  }
  out[i] = sum;
}

// One stage at a time. Threads 0 to 15 fill it, 0 to 7 never release it, 16 to 63 release it without a wait.
__global__ void without_release(const int* in, int* out, int batches) {
  __shared__ int tile[64];
  const int i = static_cast<int>(threadIdx.x);
  auto pipe = cuda::make_pipeline();
  int sum = 0;
  for (int batch = 0; batch < batches; ++batch) {
    if (i < 16) {
      pipe.producer_acquire();
      cuda::memcpy_async(tile + 4 * i, in + 64 * batch + 4 * i, 4 * sizeof(int), pipe);
      pipe.producer_commit();
      pipe.consumer_wait();
    }
    __syncthreads();
    sum += tile[63 - i];
    if (i >= 8) pipe.consumer_release();
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void wait_prior(const int* in, int* out) {
  __shared__ int4 tile[3][64];
  auto pipe = cuda::make_pipeline();
  auto group = cg::this_thread_block();
  const int i = static_cast<int>(threadIdx.x);
  const int4* source = reinterpret_cast<const int4*>(in);
  for (int s = 0; s < 3; ++s) {
    pipe.producer_acquire();
    cuda::memcpy_async(group, tile[s], source + 64 * s, cuda::aligned_size_t<16>(sizeof tile[s]), pipe);
    pipe.producer_commit();
  }
  cuda::pipeline_consumer_wait_prior<2>(pipe);
  group.sync();
  int sum = tile[0][63 - i].x;
  cuda::pipeline_consumer_wait_prior<0>(pipe);
  group.sync();
  sum += tile[1][63 - i].y + tile[2][63 - i].w;
  out[i] = sum;
}

// All threads produce and consume.
template <uint8_t stages>
__global__ void unified(const int* in, int* out, int batches) {
  extern __shared__ int tiles[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  const int i = static_cast<int>(block.thread_rank()), n = static_cast<int>(block.size());
  auto pipe = cuda::make_pipeline(block, &state);
  int sum = 0, fetched = 0;
  for (int batch = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + stages; ++fetched) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tiles + fetched % stages * n, in + fetched * n, sizeof(int) * n, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tiles[batch % stages * n + (i + 1) % n];
    pipe.consumer_release();
  }
  out[blockIdx.x * n + i] = sum;
}

// Some threads produce and the others consume, given by a count (form 0) or by a role (form 1, every other warp). Each
// consumer sums the whole batch.
template <int form>
__global__ void partitioned(const int* in, int* out, int batches, int producers) {
  constexpr int stages = 3, batch_size = 50;
  __shared__ int tiles[stages][batch_size];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  auto block = cg::this_thread_block();
  const int i = static_cast<int>(block.thread_rank());
  const bool produces = form == 0 ? i < producers : i / 32 % 2 == 1;
  const auto role = produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto make = [&] {
    if constexpr (form == 0) {
      return cuda::make_pipeline(block, &state, static_cast<size_t>(producers));
    } else {
      return cuda::make_pipeline(block, &state, role);
    }
  };
  cuda::pipeline<cuda::thread_scope_block> pipe = make();
  const int rank = form == 0 ? i : i / 64 * 32 + i % 32;  // rank among the producers
  int sum = 0;
  for (int batch = 0; batch < batches; ++batch) {
    int* tile = tiles[batch % stages];
    if (produces) {
      pipe.producer_acquire();
      for (int k = rank; k < batch_size; k += producers) {
        cuda::memcpy_async(tile + k, in + batch * batch_size + k, sizeof(int), pipe);
      }
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int k = 0; k < batch_size; ++k) sum += tile[k];
      pipe.consumer_release();
    }
  }
  out[i] = produces ? -1 : sum;
  if (pipe.quit()) out[blockDim.x] += 1;
}

__global__ void primitives(const int* in, int* out, int* early) {
  __shared__ int4 tile[64];
  __shared__ int small[64];
  const int i = static_cast<int>(threadIdx.x);
  tile[i] = make_int4(-1, -1, -1, -1);
  small[i] = -1;
  __pipeline_memcpy_async(&tile[i], reinterpret_cast<const int4*>(in) + i, sizeof(int4), 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&small[i], &in[i], sizeof(int));
  __pipeline_commit();
  if (tile[i].x != -1) early[i] = 1;
  __pipeline_wait_prior(1);
  if (small[i] != -1) early[i] = 2;
  const int4 mine = tile[i];
  __pipeline_wait_prior(0);
  out[i] = mine.x + mine.y + mine.z + 1000000 * mine.w + small[i];
}

int sum_of(const check::managed<int>& in, int from, int step, int count) {
  int sum = 0;
  for (int k = 0; k < count; ++k) sum += in.data[from + k * step];
  return sum;
}

int main() {
  static_assert(!std::is_copy_constructible_v<cuda::pipeline<cuda::thread_scope_block>>);
  static_assert(std::is_trivially_default_constructible_v<cuda::pipeline_shared_state<cuda::thread_scope_block, 2>>);
  check::managed<int> in(96 * 20);
  for (int i = 0; i < 96 * 20; ++i) in[i] = (i * 7919) % 1009;

  check::managed<int> out(2 * 96 + 1), early(96);
  auto check_own = [&](int batches) {
    check::synchronize();
    for (int i = 0; i < 96; ++i) {
      check::equal("own pipeline", out[i], sum_of(in, i, 96, batches), batches, i);
      check::equal("as late as allowed", early[i], 0, batches, i);
    }
  };
  own_pipeline<1><<<1, 96>>>(in.data, out.data, early.data, 20);
  check_own(20);
  own_pipeline<4><<<1, 96>>>(in.data, out.data, early.data, 13);
  check_own(13);

  without_release<<<1, 64>>>(in.data, out.data, 9);
  check::synchronize();
  for (int i = 0; i < 64; ++i) check::equal("without release", out[i], sum_of(in, 63 - i, 64, 9), i);

  wait_prior<<<1, 64>>>(in.data, out.data);
  check::synchronize();
  for (int i = 0; i < 64; ++i) {
    const int k = 4 * (63 - i);
    check::equal("wait_prior", out[i], in[k] + in[256 + k + 1] + in[512 + k + 3], i);
  }

  auto check_unified = [&](int threads, int batches) {
    check::synchronize();
    for (int i = 0; i < 2 * threads; ++i) {
      check::equal("unified", out[i], sum_of(in, (i % threads + 1) % threads, threads, batches), threads, batches, i);
    }
  };
  unified<1><<<2, 96, 96 * sizeof(int)>>>(in.data, out.data, 5);
  check_unified(96, 5);
  unified<2><<<2, 33, 2 * 33 * sizeof(int)>>>(in.data, out.data, 20);
  check_unified(33, 20);
  unified<4><<<2, 96, 4 * 96 * sizeof(int)>>>(in.data, out.data, 3);
  check_unified(96, 3);

  auto check_partitioned = [&](const char* what, int threads, int producers, bool by_role) {
    check::synchronize();
    for (int i = 0; i < threads; ++i) {
      const bool produces = by_role ? i / 32 % 2 == 1 : i < producers;
      check::equal(what, out[i], produces ? -1 : sum_of(in, 0, 1, 50 * 11), producers, i);
    }
    check::equal("quit", out[threads], 1, producers);
    out[threads] = 0;
  };
  out[96] = 0;
  partitioned<0><<<1, 96>>>(in.data, out.data, 11, 32);
  check_partitioned("by number", 96, 32, false);
  partitioned<0><<<1, 96>>>(in.data, out.data, 11, 1);
  check_partitioned("by number", 96, 1, false);
  out[128] = 0;
  partitioned<1><<<1, 128>>>(in.data, out.data, 11, 64);
  check_partitioned("by role", 128, 64, true);

  primitives<<<1, 64>>>(in.data, out.data, early.data);
  check::synchronize();
  for (int i = 0; i < 64; ++i) {
    check::equal("primitives", out[i], in[4 * i] + in[4 * i + 1] + in[4 * i + 2] + in[i], i);
    check::equal("primitives, early", early[i], 0, i);
  }
  return check::finish();
}
