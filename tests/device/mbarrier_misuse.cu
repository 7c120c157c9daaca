// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses of mbarriers that PTX leaves undefined, and waits that can never end:  mbarrier_misuse CASE
#include <cuda/barrier>

#include <cstdint>
#include <cstring>
#include <utility>

#include "check.hpp"

__device__ unsigned in_shared(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }
__device__ void init(uint64_t* bar, unsigned count) {
  asm volatile("mbarrier.init.b64 [%0], %1;" ::"l"(bar), "r"(count) : "memory");
}
__device__ uint64_t arrive(uint64_t* bar, unsigned count) {
  uint64_t state;
  asm volatile("mbarrier.arrive.b64 %0, [%1], %2;" : "=l"(state) : "l"(bar), "r"(count) : "memory");
  return state;
}
__device__ void arrive_expecting(uint64_t* bar, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.b64 _, [%0], %1;" ::"l"(bar), "r"(bytes) : "memory");
}
__device__ void wait(uint64_t* bar, unsigned parity) {
  asm volatile(
      "{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(in_shared(bar)),
      "r"(parity)
      : "memory");
}
__device__ bool test(uint64_t* bar, uint64_t state) {
  unsigned done;
  asm volatile("{ .reg .pred p; mbarrier.test_wait.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
               : "=r"(done)
               : "l"(bar), "l"(state)
               : "memory");
  return done != 0;
}

#define MISUSES(X)     \
  X(before_init)       \
  X(in_global)         \
  X(misaligned)        \
  X(no_arrivals)       \
  X(too_many_arrivals) \
  X(arrives_as_none)   \
  X(crowded)           \
  X(completes)         \
  X(most_bytes)        \
  X(old_state)         \
  X(after_inval)       \
  X(missing_arrival)   \
  X(missing_bytes)     \
  X(wrong_parity)      \
  X(in_dynamic)
#define ENUMERATOR(name) name,
#define NAME(name) #name,
enum misuse : int { MISUSES(ENUMERATOR) misuses };
constexpr const char* names[misuses] = {MISUSES(NAME)};
__device__ uint64_t global_word;

__global__ void misused(misuse which) {
  __shared__ uint64_t unused, bar;
  extern __shared__ uint64_t dynamic[];
  const unsigned i = threadIdx.x;
  if (i == 0) {
    unused = bar = 0;
    if (which != before_init) init(&bar, 40);
    if (which == in_dynamic) init(&dynamic[2], 40);
  }
  __syncthreads();
  if (i == 33) {
    if (which == before_init) arrive(&bar, 1);
    if (which == in_global) init(&global_word, 1);
    if (which == misaligned) init(reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(&unused) + 4), 1);
    if (which == no_arrivals) init(&bar, 0);
    if (which == too_many_arrivals) init(&bar, 1048576);
    if (which == arrives_as_none) arrive(&bar, 0);
    if (which == crowded) arrive(&bar, 41);
    if (which == completes) {
      asm volatile("mbarrier.arrive.noComplete.b64 _, [%0], 40;" ::"l"(&bar) : "memory");
    }
    if (which == most_bytes) {
      arrive_expecting(&bar, 1048575);
      asm volatile("mbarrier.expect_tx.b64 [%0], 1;" ::"l"(&bar) : "memory");
    }
    if (which == old_state) {
      const uint64_t state = arrive(&bar, 40);
      arrive(&bar, 40);
      test(&bar, state);
    }
    if (which == after_inval) {
      asm volatile("mbarrier.inval.b64 [%0];" ::"l"(&bar) : "memory");
      arrive(&bar, 1);
    }
  }
  if (which == missing_arrival && i != 7) {
    arrive(&bar, 1);
    wait(&bar, 0);
  }
  if (which == missing_bytes) {
    if (i == 0) arrive_expecting(&bar, 64);
    if (i != 0) arrive(&bar, 1);
    wait(&bar, 0);
  }
  if (which == wrong_parity) {
    arrive(&bar, 1);
    __syncthreads();
    wait(&bar, 1);
  }
  if (which == in_dynamic && i != 7) {
    arrive(&dynamic[2], 1);
    wait(&dynamic[2], 0);
  }
}

__global__ void __cluster_dims__(2, 1, 1) waits_at_other_block() {
  __shared__ uint64_t bar;
  unsigned rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  if (threadIdx.x == 0) init(&bar, 1);
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  uint64_t mapped;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(&bar), "r"(rank ^ 1));
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.b64 p, [%0], 0; @!p bra AGAIN; }" ::"l"(mapped)
               : "memory");
}
// Block 1 waits for an arrival of block 0, and block 0 for an arrival of block 1.
__global__ void __cluster_dims__(2, 1, 1) stuck_cluster() {
  __shared__ uint64_t bar;
  if (threadIdx.x == 0) init(&bar, 1);
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  wait(&bar, 0);
}

int main(int argc, char** argv) {
  if (argc != 2) return 1;
  if (!std::strcmp(argv[1], "other_block")) waits_at_other_block<<<2, 32>>>();
  if (!std::strcmp(argv[1], "cluster")) stuck_cluster<<<4, 33>>>();
  for (int which = 0; which < misuses; ++which) {
    if (!std::strcmp(argv[1], names[which])) misused<<<2, 40, 64>>>(static_cast<misuse>(which));
  }
  check::synchronize();
  return check::finish();
}
