// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by a group. From global to shared memory they are asynchronous, in chunks of 16, 8 or 4 bytes (PTX ISA,
// cp.async, sm_80); other copies are plain loads and stores.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct copy {
  /// Starts the share of thread `rank` of `count` in a copy of `bytes` bytes.
  /// @param alignment both addresses are multiples of this power of two
  COHORT_FN static void copy_share(void* to, const void* from, size_t bytes, size_t alignment, uint32_t rank,
                                   uint32_t count) {
    char* out = static_cast<char*>(to);
    const char* in = static_cast<const char*>(from);
    if (__isShared(to) && __isGlobal(from)) {  // shared memory is counted in 32 bits
      copy_chunks<true, uint32_t>(out, in, static_cast<uint32_t>(bytes), alignment, rank, count);
    } else {
      copy_chunks<false, size_t>(out, in, bytes, alignment, rank, count);
    }
  }

  /// Ends a stage: the shares that the caller has started since the last one.
  COHORT_FN static void copy_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  }

  /// Waits until all but the caller's latest `Stages` stages are complete.
  template <unsigned Stages>
  COHORT_FN static void copy_wait_prior() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Stages) : "memory");
#endif
  }

 private:
  static constexpr uint32_t largest_chunk = 16;

  template <uint32_t Bytes>
  struct alignas(Bytes) chunk {
    unsigned char bytes[Bytes];
  };

  COHORT_FN static uint32_t low_word(const void* address) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address));
  }

  /// Copies single bytes up to the first aligned chunk, then chunks, then the remaining bytes. The chunk size follows
  /// from the addresses, not from `alignment`: it is the largest power of two that divides their distance.
  template <bool Async, class Index>
  COHORT_FN static void copy_chunks(char* out, const char* in, Index bytes, size_t alignment, uint32_t rank,
                                    uint32_t count) {
    uint32_t unit = largest_chunk;
    Index head = 0;
    if (alignment < largest_chunk && ((low_word(out) | low_word(in)) & (largest_chunk - 1u)) != 0) {
      const uint32_t distance = (low_word(out) ^ low_word(in)) | largest_chunk;
      unit = distance & (0u - distance);
      head = (0u - low_word(in)) & (unit - 1u);
      if (unit < 4 || head > bytes) head = bytes;
    }
    const Index body = (bytes - head) & ~static_cast<Index>(unit - 1u);
    if constexpr (Async) {
      start_chunks(static_cast<uint32_t>(__cvta_generic_to_shared(out + head)), in + head, body, unit, rank, count);
    } else if (unit == largest_chunk) {
      copy_chunks_plain<largest_chunk>(out + head, in + head, body, rank, count);
    } else {
      copy_chunks_plain<4>(out + head, in + head, body, rank, count);
    }
    const Index rest = bytes - body;
#pragma unroll 1
    for (Index i = rank; i < rest; i += count) {
      const Index position = i < head ? i : i + body;
      out[position] = in[position];
    }
  }

  /// Starts the asynchronous chunks of thread `rank`. Chunks of 16 bytes start four at a time while enough remain:
  /// their addresses are then computed together.
  COHORT_FN static void start_chunks(uint32_t out, const char* in, uint32_t bytes, uint32_t unit, uint32_t rank,
                                     uint32_t count) {
    const uint32_t step = count * unit;
    uint32_t position = rank * unit;
    if (unit == largest_chunk) {
#pragma unroll 1
      for (; position + 3 * step < bytes; position += 4 * step) {
#pragma unroll
        for (uint32_t i = 0; i < 4; ++i) start<largest_chunk>(out + position + i * step, in + position + i * step);
      }
    }
#pragma unroll 1
    for (; position < bytes; position += step) start_one(out + position, in + position, unit);
  }

  /// Starts one chunk of 16, 8 or 4 bytes without a branch.
  COHORT_FN static void start_one(uint32_t out, const char* in, uint32_t unit) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile(
        "{\n\t.reg .pred of_16, of_8, of_4;\n\t"
        "setp.eq.u32 of_16, %2, 16;\n\t"
        "setp.eq.u32 of_8, %2, 8;\n\t"
        "setp.eq.u32 of_4, %2, 4;\n\t"
        "@of_16 cp.async.ca.shared.global [%0], [%1], 16;\n\t"
        "@of_8 cp.async.ca.shared.global [%0], [%1], 8;\n\t"
        "@of_4 cp.async.ca.shared.global [%0], [%1], 4;\n\t}" ::"r"(out),
        "l"(__cvta_generic_to_global(in)), "r"(unit)
        : "memory");
#else
    switch (unit) {
      case 16:
        return start<16>(out, in);
      case 8:
        return start<8>(out, in);
      default:
        return start<4>(out, in);
    }
#endif
  }

  template <uint32_t Bytes>
  COHORT_FN static void copy_chunks_plain(char* out, const char* in, size_t bytes, uint32_t rank, uint32_t count) {
#pragma unroll 1
    for (size_t i = rank; i < bytes / Bytes; i += count) {
      reinterpret_cast<chunk<Bytes>*>(out)[i] = reinterpret_cast<const chunk<Bytes>*>(in)[i];
    }
  }

  /// Starts the copy of a chunk of `Bytes` bytes. `.ca` caches it in L1, which a copy of 16 bytes could bypass (`.cg`).
  /// A miss takes as long with both; with `.ca` other blocks of the multiprocessor that copy the same data hit.
  template <uint32_t Bytes>
  COHORT_FN static void start(uint32_t out, const char* in) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(out), "l"(__cvta_generic_to_global(in)), "n"(Bytes)
                 : "memory");
#else
    *static_cast<chunk<Bytes>*>(__cvta_shared_to_generic(out)) = *reinterpret_cast<const chunk<Bytes>*>(in);
#endif
  }
};

}  // namespace ptx
}  // namespace cohort
