// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The vocabulary of random kernels, defined twice: for CUDA, and with RANDOM_MODEL in plain C++, where one loop runs
// the threads. There each operator that C++ leaves undefined has the result of docs/device-functions.md.
#pragma once

#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <type_traits>

using i8 = signed char;
using u8 = unsigned char;
using i16 = short;
using u16 = unsigned short;
using i32 = int;
using u32 = unsigned;
using i64 = long long;
using u64 = unsigned long long;
using f32 = float;
using f64 = double;

constexpr u32 words_per_thread = 24;

struct arguments {
  const u32* in;     // 70000 words
  const u8* wide;    // 2^32 bytes
  const u8* middle;  // byte 2^31 of `wide`
  u32* out;          // words_per_thread for each thread
  u32* cells;        // 16 words for atomics
  u64* cells64;      // 16 words for atomics
  u32 n, wrap;
  u32 never;         // 0, unknown to the compiler
  const u32* zeros;  // 64 words
  u32* board;        // a word for each thread of the launch
};

struct record {
  u8 b;
  i16 c;
  u64 d;
};

#if defined(RANDOM_MODEL)
#define __global__ static
#define __device__
#define __noinline__
#define __cluster_dims__(...)
#define __launch_bounds__(...)
#define RANDOM_SHARED(type, name) type& name = *static_cast<type*>(model_shared_memory())
#else
#define RANDOM_SHARED(type, name) __shared__ type name
#endif
using shared_words = u32[1024];

// 64-bit quotients and remainders by zero, as optimized code computes them; without optimization nvcc sets all bits.
template <class T>
__device__ T by_zero(T dividend) {
  return static_cast<T>(sizeof(T) == 8 && static_cast<u64>(dividend) <= 0xffffffffu ? 0xffffffffll : -1ll);
}

#if defined(RANDOM_MODEL)

struct model_index {
  u32 x, y, z;
};
inline model_index threadIdx, blockIdx, blockDim, gridDim;
#define RANDOM_FUNCTION inline
#define RANDOM_EXACT
#define RANDOM_START(rank, size, t) (void)(size);

template <class T>
using promoted = decltype(T() + T());
template <class T>
using unsigned_of = std::make_unsigned_t<promoted<T>>;

template <class T>
T divide(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else {
    const promoted<T> x = a, y = b;
    if (y == 0) return by_zero<T>(static_cast<T>(x));
    if (std::is_signed_v<promoted<T>> && y == static_cast<promoted<T>>(-1))
      return static_cast<T>(0 - static_cast<unsigned_of<T>>(x));
    return static_cast<T>(x / y);
  }
}

template <class T>
T remainder_of(T a, T b) {
  const promoted<T> x = a, y = b;
  if (y == 0) return by_zero<T>(static_cast<T>(x));
  if (std::is_signed_v<promoted<T>> && y == static_cast<promoted<T>>(-1)) return 0;
  return static_cast<T>(x % y);
}

template <class T>
T shift_left(T a, u32 by) {
  constexpr u32 width = 8 * sizeof(promoted<T>);
  return by < width ? static_cast<T>(static_cast<unsigned_of<T>>(a) << by) : T(0);
}

template <class T>
T shift_right(T a, u32 by) {
  constexpr u32 width = 8 * sizeof(promoted<T>);
  if (std::is_signed_v<promoted<T>>)
    return static_cast<T>(static_cast<promoted<T>>(a) >> (by < width ? by : width - 1));
  return by < width ? static_cast<T>(static_cast<promoted<T>>(a) >> by) : T(0);
}

// Conversions to 8 and 16 bits give the low bits of the conversion to 32 bits.
template <class T, class From>
T convert(From value) {
  if constexpr (std::is_integral_v<T> && std::is_floating_point_v<From>) {
    using wide = std::conditional_t<sizeof(T) == 8, T, std::conditional_t<std::is_signed_v<T>, i32, u32>>;
    constexpr int bits = 8 * sizeof(wide);
    if (value != value) {
      const bool top_bit = bits == 64 || sizeof(From) == 8;
      return static_cast<T>(top_bit ? static_cast<wide>(1ull << (bits - 1)) : wide(0));
    }
    const From lowest = std::is_signed_v<wide> ? -std::ldexp(From(1), bits - 1) : From(0);
    const From bound = std::ldexp(From(1), std::is_signed_v<wide> ? bits - 1 : bits);
    if (value < lowest) return static_cast<T>(static_cast<wide>(lowest));
    if (value >= bound)
      return static_cast<T>(static_cast<wide>((std::is_signed_v<wide> ? 1ull << (bits - 1) : 0ull) - 1));
    return static_cast<T>(static_cast<wide>(value));
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
T least(T a, T b) {
  if (a != a || b != b) return a != a ? b : a;
  return a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
template <class T>
T most(T a, T b) {
  if (a != a || b != b) return a != a ? b : a;
  return a == b ? (std::signbit(a) ? b : a) : a > b ? a : b;
}

inline int __popc(u32 x) { return __builtin_popcount(x); }
inline int __clz(u32 x) { return x ? __builtin_clz(x) : 32; }
inline int __ffs(u32 x) { return __builtin_ffs(static_cast<int>(x)); }
inline u32 __brev(u32 x) {
  u32 result = 0;
  for (int i = 0; i < 32; ++i) result |= (x >> i & 1u) << (31 - i);
  return result;
}

inline u32 atomicAdd(u32* p, u32 x) { return *p += x; }
inline u64 atomicAdd(u64* p, u64 x) { return *p += x; }
inline u32 atomicMax(u32* p, u32 x) { return *p = *p > x ? *p : x; }
inline u32 atomicMin(u32* p, u32 x) { return *p = *p < x ? *p : x; }
inline u32 atomicOr(u32* p, u32 x) { return *p |= x; }
inline u32 atomicAnd(u32* p, u32 x) { return *p &= x; }
inline u32 atomicXor(u32* p, u32 x) { return *p ^= x; }
inline void add_by_retry(u32* p, u32 x) { *p += x; }

void* model_shared_memory();
// Suspends the thread until all threads of its block that have not returned call the function; returns how many passed
// `chosen` true. See model/threads.hpp.
u32 wait_for_block(bool chosen, u32* waiting);
inline void __syncthreads() { wait_for_block(false, nullptr); }
inline void sync_group() { __syncthreads(); }
inline int __syncthreads_count(int chosen) { return static_cast<int>(wait_for_block(chosen != 0, nullptr)); }
inline int __syncthreads_or(int chosen) { return wait_for_block(chosen != 0, nullptr) != 0; }
inline int __syncthreads_and(int chosen) {
  u32 waiting = 0;
  return wait_for_block(chosen != 0, &waiting) == waiting;
}

#else

#if defined(RANDOM_GROUPS)
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
namespace cg = cooperative_groups;
#endif
#if defined(__clang__)
#define RANDOM_FUNCTION __device__ inline
#else
// nvcc returns packed structs wrong without optimization (st.param is misaligned), so functions are inlined.
#define RANDOM_FUNCTION __device__ __forceinline__
#endif
#if defined(__clang__)
#define RANDOM_EXACT _Pragma("clang fp contract(off)")
#else
#define RANDOM_EXACT  // nvcc gets the option -fmad=false instead
#endif
// With RANDOM_STACKS a barrier that no launch reaches gives each thread a stack.
#if defined(RANDOM_STACKS)
#define RANDOM_START(rank, size, t) \
  if (a.n == 0) __syncthreads();
#else
#define RANDOM_START(rank, size, t)
#endif

template <class T>
__device__ T divide(T a, T b) {
#if !defined(__clang__)
  if (std::is_integral_v<T> && sizeof(T) == 8 && b == 0) return by_zero(a);
#endif
  return static_cast<T>(a / b);
}
template <class T>
__device__ T remainder_of(T a, T b) {
#if !defined(__clang__)
  if (std::is_integral_v<T> && sizeof(T) == 8 && b == 0) return by_zero(a);
#endif
  return static_cast<T>(a % b);
}
template <class T>
__device__ T shift_left(T a, u32 by) {
  return static_cast<T>(a << by);
}
template <class T>
__device__ T shift_right(T a, u32 by) {
#if defined(RANDOM_PLANTED_FAULT)
  if (by == 3) return 0;
#endif
  return static_cast<T>(a >> by);
}
template <class T, class From>
__device__ T convert(From value) {
  return static_cast<T>(value);
}
RANDOM_FUNCTION f32 least(f32 a, f32 b) { return fminf(a, b); }
RANDOM_FUNCTION f64 least(f64 a, f64 b) { return fmin(a, b); }
RANDOM_FUNCTION f32 most(f32 a, f32 b) { return fmaxf(a, b); }
RANDOM_FUNCTION f64 most(f64 a, f64 b) { return fmax(a, b); }

#if defined(RANDOM_GROUPS)
// Never inlined: lanes that call the function at one place form a group in it.
__device__ __noinline__ static u32 size_of_group(u32 x) {
  u32 result = 0;
  for (u32 i = 0; i < (x & 3u); ++i) result += cg::coalesced_threads().size() << 8 * i;
  return result;
}
RANDOM_FUNCTION void sync_group() { cg::this_thread_block().sync(); }
#endif

RANDOM_FUNCTION void add_by_retry(u32* p, u32 x) {
  u32 before = *p, assumed;
  do {
    assumed = before;
    before = atomicCAS(p, assumed, assumed + x);
  } while (before != assumed);
}

#endif

RANDOM_FUNCTION f32 root(f32 x) { return sqrtf(x < 0 ? -x : x); }
RANDOM_FUNCTION f64 root(f64 x) { return sqrt(x < 0 ? -x : x); }
RANDOM_FUNCTION f32 fraction(u32 x) { return static_cast<f32>(x >> 8) / 16777216.0f; }

RANDOM_FUNCTION f32 from_bits(u32 x) {
  if ((x & 0x7f800000u) == 0x7f800000u) x |= 0x400000u;  // makes a signalling NaN quiet
  f32 result;
  memcpy(&result, &x, sizeof result);
  return result;
}

// The value as a word. The bits of a NaN are unspecified, so all NaNs become one.
template <class T>
RANDOM_FUNCTION u64 word(T x) {
  if (x != x) return 0x7ff8000000000000u;
  u64 result = 0;
  memcpy(&result, &x, sizeof x);
  return result;
}

template <class T>
RANDOM_FUNCTION void put(u32* out, u32 slot, T x) {
  const u64 bits = word(x);
  out[2 * slot] = static_cast<u32>(bits);
  out[2 * slot + 1] = static_cast<u32>(bits >> 32);
}

__device__ __noinline__ static u32 scramble(u32 x) {
  for (u32 i = 0; i < (x & 3u); ++i) x = x * 1664525u + 1013904223u;
  return x ^ x >> 15;
}
