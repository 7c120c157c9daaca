// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary of random kernels with groups: types of odd sizes, functions to call, and the operations that CUDA and
// the model spell differently.
#pragma once

#include "kernel_support.hpp"

#if defined(RANDOM_MODEL)
#include "model/phases.hpp"
#else
#include <cooperative_groups/memcpy_async.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <cuda/barrier>
#include <cuda/pipeline>

#if !defined(__clang__)
#pragma nv_diag_suppress static_var_with_dynamic_init
#endif

// Returns the group of the mask's lanes; all of them call the function.
#if defined(__clang__)
__device__ __forceinline__ cg::coalesced_group converged_group(u32 mask) {
  __syncwarp(mask);
  return cg::coalesced_threads();
}
#else
// CUDA does not promise that coalesced_threads() returns all lanes that __syncwarp() has released. The call is repeated
// until the group has all of them.
__device__ __forceinline__ cg::coalesced_group converged_group(u32 mask) {
  const u32 here = __ballot_sync(mask, true);
  for (;;) {
    __syncwarp(here);
    const cg::coalesced_group group = cg::coalesced_threads();
    if (__all_sync(here, static_cast<u32>(group.size()) == static_cast<u32>(__popc(here)))) return group;
  }
}
#endif

// Barriers with a number, for `threads` arrivals.
__device__ __forceinline__ void named_sync(u32 number, u32 threads) {
  asm volatile("barrier.sync %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
__device__ __forceinline__ void named_arrive(u32 number, u32 threads) {
  asm volatile("barrier.arrive %0, %1;" ::"r"(number), "r"(threads) : "memory");
}
#endif

#define RANDOM_CALLED __device__ __noinline__ static

struct __attribute__((packed)) packed7 {
  u8 a;
  u16 b;
  u32 c;
};
struct __attribute__((packed)) packed20 {
  u8 a;
  u64 b;
  u16 c;
  u64 d;
  u8 e;
};
static_assert(sizeof(packed7) == 7 && sizeof(packed20) == 20, "packed");

template <class T>
RANDOM_FUNCTION T made_of(u32 x) {
  return static_cast<T>(x);
}
template <>
RANDOM_FUNCTION packed7 made_of<packed7>(u32 x) {
  return {static_cast<u8>(x), static_cast<u16>(x >> 3), x * 3u};
}
template <>
RANDOM_FUNCTION packed20 made_of<packed20>(u32 x) {
  return {static_cast<u8>(x), x * 0x100000001ull, static_cast<u16>(x >> 5), ~(x * 5ull << 20), static_cast<u8>(x >> 7)};
}
// Small whole numbers, so sums and products of a few of them are exact.
template <>
RANDOM_FUNCTION __half made_of<__half>(u32 x) {
  return __float2half(static_cast<f32>(x & 15u));
}
template <>
RANDOM_FUNCTION __nv_bfloat16 made_of<__nv_bfloat16>(u32 x) {
  return __float2bfloat16(static_cast<f32>(x & 7u));
}
template <>
RANDOM_FUNCTION f32 made_of<f32>(u32 x) {
  return static_cast<f32>(x & 0xffffu) * 0.25f;
}
template <>
RANDOM_FUNCTION f64 made_of<f64>(u32 x) {
  return static_cast<f64>(x) * 0.125;
}

template <class T>
RANDOM_FUNCTION u32 folded(T x) {
  return static_cast<u32>(static_cast<u64>(x) ^ static_cast<u64>(x) >> 32);
}
template <>
RANDOM_FUNCTION u32 folded<packed7>(packed7 x) {
  return x.a + x.b * 7u + x.c * 5u;
}
template <>
RANDOM_FUNCTION u32 folded<packed20>(packed20 x) {
  return x.a + folded<u64>(x.b) * 3u + x.c * 7u + folded<u64>(x.d) + x.e * 11u;
}
template <>
RANDOM_FUNCTION u32 folded<__half>(__half x) {
  return __half_as_ushort(x);
}
template <>
RANDOM_FUNCTION u32 folded<__nv_bfloat16>(__nv_bfloat16 x) {
  return __bfloat16_as_ushort(x);
}
template <>
RANDOM_FUNCTION u32 folded<f32>(f32 x) {
  return folded<u64>(word(x));
}
template <>
RANDOM_FUNCTION u32 folded<f64>(f64 x) {
  return folded<u64>(word(x));
}

// Roundings of 16-bit floats: values of 0 to 127.97 in steps of 2^-9. No product is added, because compilers may
// contract that into one operation.
RANDOM_FUNCTION u32 rounded_half(u32 x, u32 y) {
  const __half a = __float2half(static_cast<f32>(x & 0xffffu) * 0.001953125f);
  const __half b = __float2half(static_cast<f32>(y & 0xffffu) * -0.001953125f);
  return __half_as_ushort(a + b) + (__half_as_ushort(a * b) << 16);
}
RANDOM_FUNCTION u32 rounded_bfloat16(u32 x, u32 y) {
  const __nv_bfloat16 a = __float2bfloat16(static_cast<f32>(x & 0xffffu) * 0.001953125f);
  const __nv_bfloat16 b = __float2bfloat16(static_cast<f32>(y & 0xffffu) * -0.001953125f);
  return __bfloat16_as_ushort(a + b) + (__bfloat16_as_ushort(a * b) << 16);
}

constexpr u32 most_threads = 512, stage_words = 256;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
struct shared_memory {
  u32 words[most_threads];
  packed20 twenties[most_threads];
  packed7 sevens[most_threads];
  bool flags[most_threads];
  alignas(16) u32 stages[4][stage_words];
  u32 of_threads[4][most_threads];  // own_pipeline: each word belongs to a thread
  u32 of_warps[most_threads];       // copy_of_warp: each 32 words belong to a warp
  block_barrier bars[2];
  cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe2;
  cuda::pipeline_shared_state<cuda::thread_scope_block, 3> pipe3;
  cuda::pipeline_shared_state<cuda::thread_scope_block, 4> pipe4;
};

RANDOM_FUNCTION void clear(shared_memory& sh, u32 rank) {
  sh.words[rank] = 0;
  sh.twenties[rank] = made_of<packed20>(0);
  sh.sevens[rank] = made_of<packed7>(0);
  sh.flags[rank] = false;
}

// The lane of a mask's bit `k`, counted from the lowest and taken modulo their number.
RANDOM_FUNCTION u32 pick_lane(u32 mask, u32 k) {
  for (k %= static_cast<u32>(__popc(mask)); k > 0; --k) mask &= mask - 1;
  return static_cast<u32>(__ffs(static_cast<i32>(mask)) - 1);
}

// Adds x by the first of the lanes that run together: the sum does not depend on which lanes these are.
#if defined(RANDOM_MODEL)
inline void add_together(u32* sum, u32 x) { atomicAdd(sum, x); }
#else
__device__ __noinline__ static void add_together(u32* sum, u32 x) {
  const cg::coalesced_group group = cg::coalesced_threads();
  const u32 all = cg::reduce(group, x, cg::plus<u32>());
  if (group.thread_rank() == 0) atomicAdd(sum, all);
}
#endif

RANDOM_CALLED u32 descend_by_value(cg::coalesced_group group, u32 x, u32 depth) {
  x += group.ballot((x >> depth & 1u) != 0);
  if (depth == 0) return x ^ group.shfl(x, group.size() / 2);
  return descend_by_value(group, x * 5u + depth, depth - 1) + group.thread_rank();
}
RANDOM_CALLED u32 descend_by_reference(const cg::coalesced_group& group, u32 x, u32 depth) {
  const u32 all = cg::reduce(group, x, cg::bit_xor<u32>());
  if (depth == 0) return all;
  const u32 below = descend_by_reference(group, x + all, depth - 1);
  group.sync();
  return below ^ group.shfl(below + x, depth % group.size());
}
// Each level divides its group in two; the halves run separately and converge again.
RANDOM_CALLED u32 divide_and_meet(const cg::coalesced_group& group, u32 x, u32 depth) {
  if (depth == 0 || group.size() == 1) return x + group.size();
  const cg::coalesced_group part = cg::binary_partition(group, (x & 1u) != 0);
  u32 result;
  if ((x & 1u) != 0) {
    result = divide_and_meet(part, x >> 1, depth - 1) * 3u;
  } else {
    result = part.shfl(x, 0) + divide_and_meet(part, x >> 1, depth - 1);
  }
  group.sync();
  return result ^ group.shfl(result, group.size() - 1);
}
template <unsigned N, class Parent>
RANDOM_FUNCTION u32 rank_in_tile(const cg::thread_block_tile<N, Parent>& tile, u32 x) {
  return static_cast<u32>(tile.thread_rank()) + static_cast<u32>(tile.meta_group_rank()) * x +
         static_cast<u32>(tile.meta_group_size());
}

class number_of_thread {
 public:
  __device__ explicit number_of_thread(u32 x) : x_(x) {}
  __device__ virtual u32 next(u32 y) const { return x_ + y; }
  __device__ virtual u32 twice(u32 y) const { return next(next(y)); }

 protected:
  u32 x_;
};
class product_of_thread : public number_of_thread {
 public:
  __device__ product_of_thread(u32 x, u32 factor) : number_of_thread(x), factor_(factor) {}
  __device__ u32 next(u32 y) const override { return (x_ ^ y) * factor_; }

 private:
  u32 factor_;
};
class counter_of_thread : public product_of_thread {
 public:
  __device__ counter_of_thread(u32 x, u32 factor) : product_of_thread(x, factor) {}
  __device__ u32 next(u32 y) const override {
    u32 result = product_of_thread::next(y);
    for (u32 i = 0; i < (x_ & 3u); ++i) result += y >> i;
    return result;
  }
};
RANDOM_CALLED u32 call_twice(const number_of_thread& object, u32 y) { return object.twice(y) + object.next(y); }

RANDOM_CALLED u32 called_sum(u32 x, u32 y) { return x + y; }
RANDOM_CALLED u32 called_mix(u32 x, u32 y) { return scramble(x ^ y); }
RANDOM_CALLED u32 called_loop(u32 x, u32 y) {
  for (u32 i = 0; i < (y & 7u); ++i) x = x * 33u + i;
  return x;
}
RANDOM_CALLED u32 called_recursion(u32 x, u32 y) {
  return (y & 3u) == 0 ? x : called_recursion(x * 7u + y, y - 1u) + 1u;
}
using called_function = u32 (*)(u32, u32);

union parts {
  u64 whole;
  u32 halves[2];
  u8 bytes[8];
  struct {
    u16 low;
    i16 next;
    i32 high;
  } fields;
};
struct bits {
  u32 a : 5;
  i32 b : 11;
  u32 c : 16;
  u64 d : 37;
  i64 e : 20;
  bool f : 1;
};
RANDOM_FUNCTION u32 folded_bits(const bits& x) {
  return x.a + static_cast<u32>(x.b) * 3u + x.c * 5u + folded<u64>(x.d) + static_cast<u32>(static_cast<i64>(x.e)) +
         (x.f ? 7u : 0u);
}
using u128 = unsigned __int128;
using i128 = __int128;
RANDOM_FUNCTION u128 wide_of(u64 high, u64 low) { return static_cast<u128>(high) << 64 | low; }
RANDOM_FUNCTION u64 folded_wide(u128 x) { return static_cast<u64>(x) ^ static_cast<u64>(x >> 64) * 3u; }
