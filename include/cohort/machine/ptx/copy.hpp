// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies by a group: asynchronous from global into shared memory in pieces of 4, 8 or 16 bytes (PTX ISA, cp.async, from
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
    const bool fast = is_shared(to) && is_global(from);
    if (alignment >= 16) {
      pieces<16>(out, in, bytes, rank, count, fast);
    } else if (alignment >= 8) {
      pieces<8>(out, in, bytes, rank, count, fast);
    } else if (alignment >= 4) {
      pieces<4>(out, in, bytes, rank, count, fast);
    } else {
      for (size_t i = rank; i < bytes; i += count) out[i] = in[i];
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
  template <unsigned Bytes>
  struct alignas(Bytes) piece {
    unsigned char bytes[Bytes];
  };

  // Whole pieces first, then the bytes behind the last one.
  template <unsigned Bytes>
  COHORT_FN static void pieces(char* out, const char* in, size_t bytes, uint32_t rank, uint32_t count, bool fast) {
    const size_t whole = bytes / Bytes;
    for (size_t i = rank; i < whole; i += count) {
      if (fast) {
        start<Bytes>(out + i * Bytes, in + i * Bytes);
      } else {
        reinterpret_cast<piece<Bytes>*>(out)[i] = reinterpret_cast<const piece<Bytes>*>(in)[i];
      }
    }
    for (size_t i = whole * Bytes + rank; i < bytes; i += count) out[i] = in[i];
  }

  template <unsigned Bytes>
  COHORT_FN static void start(char* out, const char* in) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
    uint32_t shared;
    asm("{\n\t.reg .u64 a;\n\tcvta.to.shared.u64 a, %1;\n\tcvt.u32.u64 %0, a;\n\t}" : "=r"(shared) : "l"(out));
    if constexpr (Bytes == 16) {
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(global_address(in)) : "memory");
    } else {
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(global_address(in)), "n"(Bytes)
                   : "memory");
    }
#else
    *reinterpret_cast<piece<Bytes>*>(out) = *reinterpret_cast<const piece<Bytes>*>(in);
#endif
  }

  COHORT_FN static uint64_t global_address(const void* address) {
    uint64_t global;
    asm("cvta.to.global.u64 %0, %1;" : "=l"(global) : "l"(address));
    return global;
  }
  COHORT_FN static bool is_shared(const void* address) {
    uint32_t is;
    asm("{\n\t.reg .pred p;\n\tisspacep.shared p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(is) : "l"(address));
    return is != 0;
  }
  COHORT_FN static bool is_global(const void* address) {
    uint32_t is;
    asm("{\n\t.reg .pred p;\n\tisspacep.global p, %1;\n\tselp.u32 %0, 1, 0, p;\n\t}" : "=r"(is) : "l"(address));
    return is != 0;
  }
};

}  // namespace ptx
}  // namespace cohort
