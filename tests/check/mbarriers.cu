// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Races around mbarriers: an arrival releases, and a successful wait acquires what happened before the arrivals of its
// phase. Comments and marks as in races.cu; the instance with `in_order` is correct.
#include <cuda_pipeline_primitives.h>

#include <cstdint>
#include <cstdio>

__device__ unsigned shared_address(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }
__device__ void init(uint64_t* bar, unsigned count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count) : "memory");
}
__device__ uint64_t arrive(uint64_t* bar) {
  uint64_t state;
  asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(shared_address(bar)) : "memory");
  return state;
}
__device__ void arrive_relaxed(uint64_t* bar) {
  asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}
__device__ void wait(uint64_t* bar, unsigned parity) {
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(
                   shared_address(bar)),
               "r"(parity)
               : "memory");
}
__device__ void wait_relaxed(uint64_t* bar, unsigned parity) {
  asm volatile(
      "{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.relaxed.cta.shared::cta.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(
          shared_address(bar)),
      "r"(parity)
      : "memory");
}
__device__ bool test(uint64_t* bar, unsigned parity) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "r"(shared_address(bar)), "r"(parity)
               : "memory");
  return done != 0;
}
__device__ void expect(uint64_t* bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(bar)), "r"(bytes) : "memory");
}
__device__ unsigned in_other_block(const void* at) {
  unsigned mapped;
  asm("{ .reg .u32 rank; mov.u32 rank, %%cluster_ctarank; xor.b32 rank, rank, 1;"
      "mapa.shared::cluster.u32 %0, %1, rank; }"
      : "=r"(mapped)
      : "r"(shared_address(at)));
  return mapped;
}
__device__ void arrive_remote(uint64_t* bar) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(in_other_block(bar)) : "memory");
}
__device__ void sync_cluster() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }

// An arrival without a wait orders nothing for its thread.
// race: a b 64
template <bool in_order>
__global__ void no_wait(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 64);
  __syncthreads();
  values[i] = i;  // [a]
  arrive(&bar);
  if (in_order) wait(&bar, 0);
  out[i] = values[i ^ 32];  // [b]
}
// A wait for the other parity returns at once.
// race: a b 64
__global__ void wrong_parity(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 65);
  __syncthreads();
  values[i] = i;  // [a]
  arrive(&bar);
  wait(&bar, 1);
  out[i] = values[i ^ 32];  // [b]
}
// A relaxed wait acquires nothing without a fence.
// race: a b 64
template <bool in_order>
__global__ void relaxed_wait(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 64);
  __syncthreads();
  values[i] = i;  // [a]
  arrive(&bar);
  wait_relaxed(&bar, 0);
  if (in_order) asm volatile("fence.acq_rel.cta;" ::: "memory");
  out[i] = values[i ^ 32];  // [b]
}
// The relaxed arrivals of the lower half release nothing; the last arrival is one of the upper half.
// race: a b 32
__global__ void relaxed_arrival(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 64);
  __syncthreads();
  values[i] = i;  // [a]
  if (i < 32) {
    arrive_relaxed(&bar);
  } else {
    arrive(&bar);
  }
  wait(&bar, 0);
  out[i] = values[i ^ 32];  // [b]
}
// The last arrival is relaxed, and releases nothing of its own thread.
// race: a b 32
__global__ void relaxed_last_arrival(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 64);
  __syncthreads();
  values[i] = i;  // [a]
  if (i < 32) {
    arrive(&bar);
  } else {
    arrive_relaxed(&bar);
  }
  wait(&bar, 0);
  out[i] = values[i ^ 32];  // [b]
}
__global__ void fence_before_relaxed_arrival(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 64);
  __syncthreads();
  values[i] = i;
  asm volatile("fence.acq_rel.cta;" ::: "memory");
  arrive_relaxed(&bar);
  wait(&bar, 0);
  out[i] = values[i ^ 32];
}
// A failed test_wait orders nothing.
// race: a b 32
__global__ void ignored_test(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 65);
  __syncthreads();
  if (i < 32) {
    values[i] = i;  // [a]
    arrive(&bar);
  } else {
    while (clock() == 0) {
    }
    test(&bar, 0);
    out[i] = values[i - 32];  // [b]
  }
}
__global__ void tested(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 32);
  __syncthreads();
  if (i < 32) {
    values[i] = i;
    arrive(&bar);
  } else if (test(&bar, 0)) {
    out[i] = values[i - 32];
  }
}
__global__ void ring(int* out) {
  __shared__ uint64_t full[2], empty[2];
  __shared__ int values[2][32];
  const int i = static_cast<int>(threadIdx.x);
  if (i < 2) {
    init(&full[i], 32);
    init(&empty[i], 32);
  }
  __syncthreads();
  for (int round = 0; round < 6; ++round) {
    const int slot = round % 2, parity = round / 2 % 2;
    if (i < 32) {
      wait(&empty[slot], parity ^ 1);
      values[slot][i] = round;
      arrive(&full[slot]);
    } else {
      wait(&full[slot], parity);
      out[i] += values[slot][63 - i];
      arrive(&empty[slot]);
    }
  }
}
// The producers do not wait until a stage is empty.
// race: a b 32
__global__ void early_reuse(int* out) {
  __shared__ uint64_t full[2];
  __shared__ int values[2][32];
  const int i = static_cast<int>(threadIdx.x);
  if (i < 2) init(&full[i], 32);
  __syncthreads();
  for (int round = 0; round < 2; ++round) {
    if (i < 32) {
      values[0][i] = round;  // [a]
      arrive(&full[round]);
    } else {
      wait(&full[round], 0);
      out[i] += values[0][63 - i];  // [b]
    }
  }
}
// A stage is released before it is read.
// race: a b 32
template <bool in_order>
__global__ void early_release(int* out) {
  __shared__ uint64_t full, empty;
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) {
    init(&full, 32);
    init(&empty, 32);
  }
  __syncthreads();
  if (i < 32) {
    values[i] = 1;
    arrive(&full);
    wait(&empty, 0);
    values[i] = 2;  // [a]
  } else {
    wait(&full, 0);
    if (!in_order) arrive(&empty);
    out[i] = values[63 - i];  // [b]
    if (in_order) arrive(&empty);
  }
}
// The value of the second phase is read after a wait for the first one.
// race: a b 32
__global__ void one_phase_behind(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[2][32];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 33);
  __syncthreads();
  if (i < 32) {
    values[0][i] = 1;
    arrive(&bar);
    wait(&bar, 0);
    values[1][i] = 2;  // [a]
    arrive(&bar);
  } else if (i < 64) {
    if (i == 32) arrive(&bar);
  } else {
    wait(&bar, 0);
    out[i] = values[0][95 - i] + values[1][95 - i];  // [b]
  }
}
// The write comes after the arrival.
// race: a b 32
__global__ void write_after_arrival(int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[32];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 32);
  __syncthreads();
  if (i < 32) {
    arrive(&bar);
    values[i] = i;  // [a]
  } else {
    wait(&bar, 0);
    out[i] = values[63 - i];  // [b]
  }
}
// The threads do not wait for the initialisation of the mbarrier.
// race: a b 1+
__global__ void used_too_early(int* out) {
  __shared__ uint64_t bar;
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], 64;" ::"r"(shared_address(&bar)) : "memory");  // [a]
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(&bar)) : "memory");             // [b]
  out[i] = 1;
}
// The arrival does not wait for the copies of its thread.
// race: a b 64
template <bool in_order>
__global__ void arrival_before_copies(const int* in, int* out) {
  __shared__ uint64_t bar;
  __shared__ int values[64];
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) init(&bar, 64);
  __syncthreads();
  __pipeline_memcpy_async(&values[i], &in[i], sizeof(int));  // [a]
  if (in_order) {
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(shared_address(&bar)) : "memory");
  } else {
    arrive(&bar);
  }
  wait(&bar, 0);
  out[i] = values[i ^ 32];  // [b]
  __pipeline_commit();
  __pipeline_wait_prior(0);
}
// The remote arrival comes before the remote write.
// race: a b 126
template <bool in_order>
__global__ void __cluster_dims__(2, 1, 1) early_remote_arrival(int* out) {
  __shared__ uint64_t bar;
  __shared__ int value;
  if (threadIdx.x == 0) init(&bar, 1);
  sync_cluster();
  if (threadIdx.x == 0) {
    if (!in_order) arrive_remote(&bar);
    asm volatile("st.shared::cluster.u32 [%0], 7;" ::"r"(in_other_block(&value)) : "memory");  // [a]
    if (in_order) arrive_remote(&bar);
  } else {
    wait(&bar, 0);
    out[blockIdx.x * 64 + threadIdx.x] = value;  // [b]
  }
  sync_cluster();
}
// No thread waits for the bytes of the asynchronous store.
// race: a b 64
template <bool in_order>
__global__ void __cluster_dims__(2, 1, 1) remote_store_without_wait(int* out) {
  __shared__ uint64_t bar;
  __shared__ int value;
  if (threadIdx.x == 0) {
    init(&bar, 1);
    expect(&bar, 4);
  }
  sync_cluster();
  if (threadIdx.x == 0) {
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], 7, [%1];" ::"r"(  // [a]
                     in_other_block(&value)),
                 "r"(in_other_block(&bar))
                 : "memory");
  } else {
    if (in_order) wait(&bar, 0);
    out[blockIdx.x * 64 + threadIdx.x] = value;  // [b]
  }
  sync_cluster();
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 1 << 12);
  cudaMalloc(&out, 1 << 12);
  cudaMemset(in, 0, 1 << 12);
  cudaMemset(out, 0, 1 << 12);
  no_wait<true><<<1, 64>>>(out);
  no_wait<false><<<1, 64>>>(out);
  wrong_parity<<<1, 64>>>(out);
  relaxed_wait<true><<<1, 64>>>(out);
  relaxed_wait<false><<<1, 64>>>(out);
  relaxed_arrival<<<1, 64>>>(out);
  relaxed_last_arrival<<<1, 64>>>(out);
  fence_before_relaxed_arrival<<<1, 64>>>(out);
  ignored_test<<<1, 64>>>(out);
  tested<<<1, 64>>>(out);
  ring<<<1, 64>>>(out);
  early_reuse<<<1, 64>>>(out);
  early_release<true><<<1, 64>>>(out);
  early_release<false><<<1, 64>>>(out);
  one_phase_behind<<<1, 96>>>(out);
  write_after_arrival<<<1, 64>>>(out);
  used_too_early<<<1, 64>>>(out);
  arrival_before_copies<true><<<1, 64>>>(in, out);
  arrival_before_copies<false><<<1, 64>>>(in, out);
  early_remote_arrival<true><<<2, 64>>>(out);
  early_remote_arrival<false><<<2, 64>>>(out);
  remote_store_without_wait<true><<<2, 64>>>(out);
  remote_store_without_wait<false><<<2, 64>>>(out);
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
