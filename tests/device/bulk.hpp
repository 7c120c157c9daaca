// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The instructions of bulk copies and their mbarriers as functions.
#pragma once

#include <cstdint>

namespace bulk {

__device__ inline uint32_t address(const void* shared) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared));
}

__device__ inline void init(uint64_t* mbarrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address(mbarrier)), "r"(arrivals) : "memory");
}
__device__ inline void arrive_and_expect(uint64_t* mbarrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(address(mbarrier)), "r"(bytes)
               : "memory");
}
__device__ inline void wait(uint64_t* mbarrier, uint32_t parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "AGAIN: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra AGAIN; }" ::"r"(address(mbarrier)),
      "r"(parity)
      : "memory");
}
// Waits in a loop of test_wait, which never suspends the thread.
__device__ inline void poll(uint64_t* mbarrier, uint32_t parity) {
  uint32_t done = 0;
  while (!done) {
    asm volatile(
        "{ .reg .pred done;\n"
        "mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 done, [%1], %2;\n"
        "selp.u32 %0, 1, 0, done; }"
        : "=r"(done)
        : "r"(address(mbarrier)), "r"(parity)
        : "memory");
  }
}
__device__ inline void fence() { asm volatile("fence.proxy.async;" ::: "memory"); }

__device__ inline void load(void* to, const void* from, uint32_t bytes, uint64_t* mbarrier) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(address(to)),
      "l"(from), "r"(bytes), "r"(address(mbarrier))
      : "memory");
}
__device__ inline void load_for(void* to, const void* from, uint32_t bytes, uint64_t* mbarrier, uint16_t blocks) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], "
      "%4;" ::"r"(address(to)),
      "l"(from), "r"(bytes), "r"(address(mbarrier)), "h"(blocks)
      : "memory");
}
// `to` and `mbarrier` are addresses in a block of the cluster, as mapa returns them.
__device__ inline void send(uint32_t to, const void* from, uint32_t bytes, uint32_t mbarrier) {
  asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
               "r"(address(from)), "r"(bytes), "r"(mbarrier)
               : "memory");
}
__device__ inline uint32_t map(const void* shared, uint32_t rank) {
  uint32_t mapped;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(mapped) : "r"(address(shared)), "r"(rank));
  return mapped;
}
__device__ inline void store(void* to, const void* from, uint32_t bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(address(from)), "r"(bytes)
               : "memory");
}
__device__ inline void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int Left>
__device__ void wait_groups() {
  asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Left) : "memory");
}
template <int Left>
__device__ void wait_reads() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Left) : "memory");
}

}  // namespace bulk
