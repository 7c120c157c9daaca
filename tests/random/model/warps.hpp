// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's warp functions with a mask. Each is a rendezvous of the mask's lanes.
#pragma once

#include "small_floats.hpp"
#include "threads.hpp"

inline u32 model_lane() { return (model_now - model_block_first()) % 32; }

// The threads of the mask's lanes that the block has.
inline std::vector<u32> model_lanes(u32 mask) {
  const u32 first = model_now - model_lane(), end = model_block_first() + model_block_size();
  std::vector<u32> members;
  for (u32 lane = 0; lane < 32; ++lane) {
    if ((mask >> lane & 1u) != 0 && first + lane < end) members.push_back(first + lane);
  }
  return members;
}

// The values of the lanes that arrived.
template <class T>
struct model_values {
  u32 lanes = 0;
  T of[32] = {};
};
template <class T>
model_values<T> model_exchange(u32 mask, const T& value) {
  const model_token all = model_meet(model_lanes(mask), &value, sizeof value);
  model_values<T> result;
  for (u32 i = 0; i < all->members.size(); ++i) {
    const u32 lane = (all->members[i] - model_block_first()) % 32;
    if (!all->arrived[i]) continue;
    result.lanes |= 1u << lane;
    std::memcpy(static_cast<void*>(&result.of[lane]), all->values[i].data(), sizeof(T));
  }
  return result;
}

inline void __syncwarp(u32 mask = 0xffffffffu) { model_exchange(mask, u8()); }

// Shuffles within segments of `width` lanes: the lane's own value where the source is in another segment.
template <class T>
T model_shuffle(u32 mask, T value, i32 source, u32 width) {
  const u32 first = model_lane() & ~(width - 1);
  const model_values<T> all = model_exchange(mask, value);
  if (source < static_cast<i32>(first) || source >= static_cast<i32>(first + width)) return value;
  return (all.lanes >> source & 1u) != 0 ? all.of[source] : T();
}
template <class T>
T __shfl_sync(u32 mask, T value, u32 lane, u32 width = 32) {
  return model_shuffle(mask, value, static_cast<i32>((model_lane() & ~(width - 1)) + (lane & (width - 1))), width);
}
template <class T>
T __shfl_up_sync(u32 mask, T value, u32 by, u32 width = 32) {
  return model_shuffle(mask, value, static_cast<i32>(model_lane()) - static_cast<i32>(by), width);
}
template <class T>
T __shfl_down_sync(u32 mask, T value, u32 by, u32 width = 32) {
  return model_shuffle(mask, value, static_cast<i32>(model_lane() + by), width);
}
template <class T>
T __shfl_xor_sync(u32 mask, T value, u32 bits, u32 width = 32) {
  return model_shuffle(mask, value, static_cast<i32>(model_lane() ^ bits), width);
}

inline u32 __ballot_sync(u32 mask, bool chosen) {
  const model_values<u8> all = model_exchange(mask, u8(chosen));
  u32 result = 0;
  for (u32 lane = 0; lane < 32; ++lane) result |= static_cast<u32>(all.of[lane] != 0) << lane;
  return result;
}
inline int __any_sync(u32 mask, bool chosen) { return __ballot_sync(mask, chosen) != 0; }
inline int __all_sync(u32 mask, bool chosen) { return __ballot_sync(mask, !chosen) == 0; }

template <class T>
u32 __match_any_sync(u32 mask, T value) {
  const model_values<T> all = model_exchange(mask, value);
  u32 result = 0;
  for (u32 lane = 0; lane < 32; ++lane) {
    if ((all.lanes >> lane & 1u) != 0 && all.of[lane] == value) result |= 1u << lane;
  }
  return result;
}
template <class T>
u32 __match_all_sync(u32 mask, T value, int* equal) {
  const model_values<T> all = model_exchange(mask, value);
  u32 same = 0;
  for (u32 lane = 0; lane < 32; ++lane) {
    if ((all.lanes >> lane & 1u) != 0 && all.of[lane] == value) same |= 1u << lane;
  }
  *equal = same == all.lanes;
  return *equal ? same : 0;
}

template <class T, class Op>
T model_reduce(u32 mask, T value, Op op) {
  const model_values<T> all = model_exchange(mask, value);
  bool any = false;
  T result = T();
  for (u32 lane = 0; lane < 32; ++lane) {
    if ((all.lanes >> lane & 1u) == 0) continue;
    result = any ? op(result, all.of[lane]) : all.of[lane];
    any = true;
  }
  return result;
}
inline u32 __reduce_add_sync(u32 mask, u32 x) {
  return model_reduce(mask, x, [](u32 a, u32 b) { return a + b; });
}
inline u32 __reduce_min_sync(u32 mask, u32 x) {
  return model_reduce(mask, x, [](u32 a, u32 b) { return a < b ? a : b; });
}
inline u32 __reduce_max_sync(u32 mask, u32 x) {
  return model_reduce(mask, x, [](u32 a, u32 b) { return a > b ? a : b; });
}
inline u32 __reduce_and_sync(u32 mask, u32 x) {
  return model_reduce(mask, x, [](u32 a, u32 b) { return a & b; });
}
inline u32 __reduce_or_sync(u32 mask, u32 x) {
  return model_reduce(mask, x, [](u32 a, u32 b) { return a | b; });
}
inline u32 __reduce_xor_sync(u32 mask, u32 x) {
  return model_reduce(mask, x, [](u32 a, u32 b) { return a ^ b; });
}

// The counter of the block's named barrier `number`.
inline model_count& model_named_barrier(u32 number, u32 threads) {
  model_count& one = model_named[{model_block_first(), number}];
  one.expected = threads;
  return one;
}
inline void named_arrive(u32 number, u32 threads) { model_named_barrier(number, threads).arrive(); }
inline void named_sync(u32 number, u32 threads) {
  model_count& one = model_named_barrier(number, threads);
  const u32 phase = one.phase;
  one.arrive();
  model_wait_phase(one, phase);
}
