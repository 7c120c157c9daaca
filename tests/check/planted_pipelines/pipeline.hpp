// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of pipelines, as device functions.
#pragma once

#include <cstdint>

__device__ inline uint32_t shared_address(const void* at) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(at));
}

__device__ inline void init(uint64_t* bar, uint32_t count) {
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(bar)), "r"(count) : "memory");
}
__device__ inline void arrive(uint64_t* bar) {
  asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(bar)) : "memory");
}
__device__ inline void arrive_expecting(uint64_t* bar, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(bar)), "r"(bytes) : "memory");
}
__device__ inline void wait(uint64_t* bar, uint32_t parity) {
  asm volatile("{ .reg .pred p; AGAIN: mbarrier.try_wait.parity.shared.b64 p, [%0], %1; @!p bra AGAIN; }" ::"r"(
                   shared_address(bar)),
               "r"(parity)
               : "memory");
}
// The address of a variable in the shared memory of block `rank` of the cluster.
__device__ inline uint32_t in_block(const void* at, uint32_t rank) {
  uint32_t mapped;
  asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(shared_address(at)), "r"(rank));
  return mapped;
}
__device__ inline void arrive_in_block(uint64_t* bar, uint32_t rank) {
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(in_block(bar, rank)) : "memory");
}
__device__ inline uint32_t rank_in_cluster() {
  uint32_t rank;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  return rank;
}
__device__ inline void sync_cluster() { asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory"); }
__device__ inline void fence_proxy() { asm volatile("fence.proxy.async;" ::: "memory"); }

// Macros, not functions, so a report names the line in the kernel.
#define LOAD(to, from, bytes, bar)                                                                              \
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"( \
                   shared_address(to)),                                                                         \
               "l"(from), "r"(bytes), "r"(shared_address(bar))                                                  \
               : "memory")
#define LOAD_FOR_BLOCKS(to, from, bytes, bar, mask)                                                                 \
  asm volatile(                                                                                                     \
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], " \
      "%4;" ::"r"(shared_address(to)),                                                                              \
      "l"(from), "r"(bytes), "r"(shared_address(bar)), "h"(static_cast<uint16_t>(mask))                             \
      : "memory")
#define STORE(to, from, bytes)                                                                                     \
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(shared_address(from)), \
               "r"(bytes)                                                                                          \
               : "memory")
__device__ inline void commit_stores() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
__device__ inline void wait_for_stores() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ inline void wait_for_reads() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }

// A descriptor without a swizzle: core matrices are adjacent in k and 256 bytes apart in the other dimension.
__device__ inline uint64_t matrix_at(const void* memory) {
  return (shared_address(memory) & 0x3ffff) >> 4 | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;
}
#define MULTIPLY(d, a, b)                                                                           \
  asm volatile(                                                                                     \
      "{.reg .pred p; setp.ne.b32 p, 1, 0;\n"                                                       \
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, p, 1, 1, 0, 0;}" \
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                              \
      : "l"(matrix_at(a)), "l"(matrix_at(b)))
__device__ inline void fence_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void commit_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int left>
__device__ inline void wait_for_products() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(left) : "memory");
}
