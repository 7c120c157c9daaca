// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's groups: a list of threads by rank. Every collective is a rendezvous of the list, followed by a plain
// loop.
#pragma once

#include <functional>

#include "warps.hpp"

namespace cg {

template <class T>
struct plus {
  T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
template <class T>
struct less {
  T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T>
struct greater {
  T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T>
struct bit_xor {
  T operator()(T a, T b) const { return static_cast<T>(a ^ b); }
};
template <class T>
struct bit_or {
  T operator()(T a, T b) const { return static_cast<T>(a | b); }
};

// The values of those members that had not returned.
template <class T>
struct model_list {
  std::vector<bool> has;
  std::vector<T> of;
  T at(u32 rank) const { return rank < of.size() && has[rank] ? of[rank] : T(); }
};

struct model_group {
  std::vector<u32> members;  // the threads of the group that exist
  u32 width = 0;             // number of members, with those that a partial tile lacks
  u32 meta_rank = 0, meta_size = 1;

  u32 thread_rank() const {
    u32 rank = 0;
    while (members[rank] != model_now) ++rank;
    return rank;
  }
  u32 size() const { return width; }
  u32 num_threads() const { return width; }
  u32 meta_group_rank() const { return meta_rank; }
  u32 meta_group_size() const { return meta_size; }

  template <class T>
  model_list<T> all_of(const T& value) const {
    const model_token all = model_meet(members, &value, sizeof value);
    model_list<T> result;
    for (u32 i = 0; i < members.size(); ++i) {
      result.has.push_back(all->arrived[i]);
      result.of.push_back(T());
      std::memcpy(static_cast<void*>(&result.of[i]), all->values[i].data(), sizeof(T));
    }
    return result;
  }

  void sync() const { all_of(u8()); }
  model_token barrier_arrive() const { return model_arrive(members); }
  void barrier_wait(model_token&& token) const { model_wait_for(token); }

  template <class T>
  T shfl(T value, u32 source) const {
    return all_of(value).at(source);
  }
  template <class T>
  T shfl_up(T value, u32 by) const {
    const u32 rank = thread_rank();
    const T got = all_of(value).at(rank - by);
    return rank < by ? value : got;
  }
  template <class T>
  T shfl_down(T value, u32 by) const {
    const u32 rank = thread_rank();
    const T got = all_of(value).at(rank + by);
    return rank + by >= width ? value : got;
  }
  template <class T>
  T shfl_xor(T value, u32 bits) const {
    const u32 rank = thread_rank();
    const T got = all_of(value).at(rank ^ bits);
    return (rank ^ bits) >= width ? value : got;
  }
  u32 ballot(bool chosen) const {
    const auto all = all_of(u8(chosen));
    u32 result = 0;
    for (u32 i = 0; i < all.of.size(); ++i) result |= static_cast<u32>(all.at(i) != 0) << i;
    return result;
  }
  int any(bool chosen) const {
    const auto all = all_of(u8(chosen));
    for (u32 i = 0; i < all.of.size(); ++i) {
      if (all.at(i)) return 1;
    }
    return 0;
  }
  int all(bool chosen) const { return !any(!chosen); }
  template <class T>
  u32 match_any(T value) const {
    const auto all = all_of(value);
    u32 result = 0;
    for (u32 i = 0; i < all.of.size(); ++i) result |= static_cast<u32>(all.has[i] && all.of[i] == value) << i;
    return result;
  }
};

struct thread_block : model_group {};
struct cluster_group : model_group {
  u32 block_rank() const { return blockIdx.x % num_blocks(); }
  u32 num_blocks() const { return static_cast<u32>(members.size()) / model_block_size(); }
  template <class T>
  T* map_shared_rank(T* of_own_block, u32 rank) const {
    const u32 block = model_now / model_block_size(), other = block - block_rank() + rank;
    char* const address = reinterpret_cast<char*>(of_own_block) - model_shared[block].get() + model_shared[other].get();
    return reinterpret_cast<T*>(address);
  }
};
struct grid_group : model_group {};
struct coalesced_group : model_group {};
template <unsigned N, class Parent = void>
struct thread_block_tile : model_group {
  thread_block_tile() = default;
  template <class Other>
  thread_block_tile(const thread_block_tile<N, Other>& other) : model_group(other) {}
};

template <class Group>
Group model_made(std::vector<u32> members) {
  Group made;
  made.width = static_cast<u32>(members.size());
  made.members = std::move(members);
  return made;
}
inline thread_block this_thread_block() { return model_made<thread_block>(model_block()); }
inline grid_group this_grid() { return model_made<grid_group>(model_range(0, gridDim.x * model_block_size())); }
inline cluster_group this_cluster() {
  const u32 size = model_block_size() * model_cluster_blocks;
  return model_made<cluster_group>(model_range(model_now / size * size, size));
}

// The tile of `width` members that contains `rank`, as far as the parent has them.
template <class Group>
Group model_part(const model_group& parent, u32 width) {
  const u32 part = parent.thread_rank() / width;
  Group made;
  for (u32 i = part * width; i < (part + 1) * width && i < parent.members.size(); ++i)
    made.members.push_back(parent.members[i]);
  made.width = width;
  made.meta_rank = part;
  made.meta_size = (parent.width + width - 1) / width;
  return made;
}
template <unsigned N, class Parent>
thread_block_tile<N, Parent> tiled_partition(const Parent& parent) {
  return model_part<thread_block_tile<N, Parent>>(parent, N);
}
inline coalesced_group tiled_partition(const coalesced_group& parent, u32 width) {
  auto made = model_part<coalesced_group>(parent, width);
  made.width = static_cast<u32>(made.members.size());
  return made;
}

// Groups by label, in the order of their first members.
template <class Label>
coalesced_group labeled_partition(const model_group& parent, Label label) {
  const auto all = parent.all_of(label);
  coalesced_group made;
  std::vector<Label> labels;
  for (u32 i = 0; i < all.of.size(); ++i) {
    if (!all.has[i]) continue;
    if (all.of[i] == label) made.members.push_back(parent.members[i]);
    u32 known = 0;
    while (known < labels.size() && labels[known] != all.of[i]) ++known;
    if (known == labels.size()) labels.push_back(all.of[i]);
  }
  while (labels[made.meta_rank] != label) ++made.meta_rank;
  made.width = static_cast<u32>(made.members.size());
  made.meta_size = static_cast<u32>(labels.size());
  return made;
}
inline coalesced_group binary_partition(const model_group& parent, bool chosen) {
  return labeled_partition(parent, static_cast<u8>(chosen));
}

template <class Group, class T, class Op>
T reduce(const Group& group, T value, Op op) {
  const auto all = group.all_of(value);
  T result = value;
  bool any = false;
  for (u32 i = 0; i < all.of.size(); ++i) {
    if (!all.has[i]) continue;
    result = any ? op(result, all.of[i]) : all.of[i];
    any = true;
  }
  return result;
}
template <class Group, class T, class Op>
T inclusive_scan(const Group& group, T value, Op op) {
  const u32 rank = group.thread_rank();
  const auto all = group.all_of(value);
  T result = value;
  bool any = false;
  for (u32 i = 0; i <= rank; ++i) {
    if (!all.has[i]) continue;
    result = any ? op(result, all.of[i]) : all.of[i];
    any = true;
  }
  return result;
}
template <class Group, class T>
T exclusive_scan(const Group& group, T value) {
  const u32 rank = group.thread_rank();
  const auto all = group.all_of(value);
  T result = T();
  for (u32 i = 0; i < rank; ++i) result = static_cast<T>(result + all.at(i));
  return result;
}

// model_copies: each thread's asynchronous copies that were not made yet, in the order of their stages.
struct model_copy {
  void* to;
  const void* from;
  u64 bytes;
};
inline std::map<u32, std::vector<model_copy>> model_copies;
inline void model_make_copies(u64 left) {
  std::vector<model_copy>& mine = model_copies[model_now];
  for (u64 i = 0; i + left < mine.size(); ++i) std::memcpy(mine[i].to, mine[i].from, mine[i].bytes);
  mine.erase(mine.begin(), mine.size() > left ? mine.end() - static_cast<std::ptrdiff_t>(left) : mine.begin());
}

template <class Group>
void memcpy_async(const Group& group, void* to, const void* from, u64 bytes) {
  model_copies[model_now].push_back({to, from, group.thread_rank() == 0 ? bytes : 0});
}
template <class Group>
void wait(const Group& group) {
  model_make_copies(0);
  group.sync();
}
template <u32 Left, class Group>
void wait_prior(const Group& group) {
  model_make_copies(Left);
  group.sync();
}

}  // namespace cg

// Returns the group of the mask's lanes; all of them call the function.
inline cg::coalesced_group converged_group(u32 mask) {
  std::vector<u32> members;
  for (u32 lane = 0, lanes = model_exchange(mask, u8()).lanes; lane < 32; ++lane) {
    if ((lanes >> lane & 1u) != 0) members.push_back(model_now - model_lane() + lane);
  }
  return cg::model_made<cg::coalesced_group>(members);
}
