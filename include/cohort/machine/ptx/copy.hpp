// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by a group: asynchronous from global into shared memory in pieces of 16, 8 or 4 bytes (PTX ISA, cp.async, from
// sm_80 on), ordinary ones elsewhere.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "../../base/config.hpp"

namespace cohort {
namespace ptx {

struct copy {
  COHORT_FN static void copy_share(void* to, const void* from, size_t bytes, size_t alignment, uint32_t rank,
                                   uint32_t count) {
    char* out = static_cast<char*>(to);
    const char* in = static_cast<const char*>(from);
    if (__isShared(to) && __isGlobal(from)) {  // what fits there can be counted in 32 bits
      copy_pieces<true, uint32_t>(out, in, static_cast<uint32_t>(bytes), alignment, rank, count);
    } else {
      copy_pieces<false, size_t>(out, in, bytes, alignment, rank, count);
    }
  }

  COHORT_FN static void copy_commit() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
  }

  template <unsigned Stages>
  COHORT_FN static void copy_wait_prior() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Stages) : "memory");
#endif
  }

 private:
  static constexpr uint32_t largest_piece = 16;

  template <uint32_t Bytes>
  struct alignas(Bytes) piece {
    unsigned char bytes[Bytes];
  };

  COHORT_FN static uint32_t low_bits(const void* address) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(address));
  }

  // The pieces are as large as the two addresses allow, whatever was promised: what decides is the distance between
  // them, for the bytes before the first whole piece are copied one by one, as are those behind the last.
  template <bool Async, class Index>
  COHORT_FN static void copy_pieces(char* out, const char* in, Index bytes, size_t alignment, uint32_t rank,
                                    uint32_t count) {
    uint32_t unit = largest_piece;
    Index head = 0;
    if (alignment < largest_piece && ((low_bits(out) | low_bits(in)) & (largest_piece - 1u)) != 0) {
      const uint32_t distance = (low_bits(out) ^ low_bits(in)) | largest_piece;
      unit = distance & (0u - distance);
      head = (0u - low_bits(in)) & (unit - 1u);
      if (unit < 4 || head > bytes) head = bytes;
    }
    const Index body = (bytes - head) & ~static_cast<Index>(unit - 1u);
    if constexpr (Async) {
      start_all(static_cast<uint32_t>(__cvta_generic_to_shared(out + head)), in + head, body, unit, rank, count);
    } else if (unit == largest_piece) {
      copy_plainly<largest_piece>(out + head, in + head, body, rank, count);
    } else {
      copy_plainly<4>(out + head, in + head, body, rank, count);
    }
    const Index rest = bytes - body;
#pragma unroll 1
    for (Index i = rank; i < rest; i += count) {
      const Index at = i < head ? i : i + body;
      out[at] = in[at];
    }
  }

  // Large pieces go four at a time where there are enough: their addresses are computed together.
  COHORT_FN static void start_all(uint32_t out, const char* in, uint32_t bytes, uint32_t unit, uint32_t rank,
                                  uint32_t count) {
    const uint32_t step = count * unit;
    uint32_t at = rank * unit;
    if (unit == largest_piece) {
#pragma unroll 1
      for (; at + 3 * step < bytes; at += 4 * step) {
#pragma unroll
        for (uint32_t i = 0; i < 4; ++i) start<largest_piece>(out + at + i * step, in + at + i * step);
      }
    }
#pragma unroll 1
    for (; at < bytes; at += step) start_one(out + at, in + at, unit);
  }

  // A piece of 16, 8 or 4 bytes, without a jump.
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
  COHORT_FN static void copy_plainly(char* out, const char* in, size_t bytes, uint32_t rank, uint32_t count) {
#pragma unroll 1
    for (size_t i = rank; i < bytes / Bytes; i += count) {
      reinterpret_cast<piece<Bytes>*>(out)[i] = reinterpret_cast<const piece<Bytes>*>(in)[i];
    }
  }

  // Through the first-level cache also where pieces of 16 bytes could go past it: from the second level it takes as
  // long, and what several blocks of a multiprocessor copy is there already.
  template <uint32_t Bytes>
  COHORT_FN static void start(uint32_t out, const char* in) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(out), "l"(__cvta_generic_to_global(in)), "n"(Bytes)
                 : "memory");
#else
    *static_cast<piece<Bytes>*>(__cvta_shared_to_generic(out)) = *reinterpret_cast<const piece<Bytes>*>(in);
#endif
  }
};

}  // namespace ptx
}  // namespace cohort
