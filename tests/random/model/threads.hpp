// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's threads: each has a stack, and they take turns. A turn ends where the thread waits or returns. All
// waiting is one operation, a rendezvous: its members arrive with a value each, and leave with the values of all.
#pragma once

#include <ucontext.h>

#include <array>
#include <map>
#include <memory>
#include <vector>

#include "../kernel_support.hpp"

struct model_thread {
  ucontext_t state;
  std::unique_ptr<char[]> stack;
  bool returned;
  model_index thread, block;
  bool (*ready)(const void* awaited);  // the wait's condition; null: the thread can run
  const void* awaited;
};

// A rendezvous of threads, which are numbered among the resident blocks. A member that returns from the kernel need not
// arrive.
struct model_meeting {
  std::vector<u32> members;
  std::vector<bool> arrived;  // by position in `members`
  std::vector<std::array<u8, 32>> values;
  bool complete = false;
};
// Waits that count arrivals without naming threads: cuda::barrier, the stages of a pipeline, named barriers.
struct model_count {
  u32 expected, arrived, phase;
  void arrive(u32 times = 1) {
    for (; times > 0; --times) {
      if (++arrived == expected) arrived = 0, ++phase;
    }
  }
};

inline ucontext_t model_home;
inline std::vector<model_thread> model_threads;
inline u32 model_cluster_blocks = 1;
inline u32 model_now;  // number of the current thread
inline std::vector<std::shared_ptr<model_meeting>> model_open;
inline std::vector<std::unique_ptr<char[]>> model_shared;  // shared memory by block
inline std::map<std::array<u32, 2>, model_count> model_named;
inline void (*model_kernel)(const arguments& a);
inline const arguments* model_arguments;

inline u32 model_block_size() { return blockDim.x * blockDim.y * blockDim.z; }

// Suspends the thread until `ready(awaited)`.
inline void model_wait(bool (*ready)(const void*), const void* awaited) {
  if (ready(awaited)) return;
  model_thread& self = model_threads[model_now];
  self.ready = ready;
  self.awaited = awaited;
  swapcontext(&self.state, &model_home);
}
inline void model_wait_phase(const model_count& count, u32 phase) {
  struct awaited {
    const model_count& count;
    u32 phase;
  } of{count, phase};
  model_wait(
      [](const void* p) { return static_cast<const awaited*>(p)->count.phase > static_cast<const awaited*>(p)->phase; },
      &of);
}

inline void model_close(model_meeting& one) {
  for (u32 i = 0; i < one.members.size(); ++i) {
    if (!one.arrived[i] && !model_threads[one.members[i]].returned) return;
  }
  one.complete = true;
}
inline void model_forget_complete() {
  for (u32 i = static_cast<u32>(model_open.size()); i-- > 0;) {
    if (model_open[i]->complete) model_open.erase(model_open.begin() + i);
  }
}

using model_token = std::shared_ptr<model_meeting>;

// Lets the thread arrive with a value, without a wait.
inline model_token model_arrive(const std::vector<u32>& members, const void* value = nullptr, u64 bytes = 0) {
  u32 position = 0;
  while (position < members.size() && members[position] != model_now) ++position;
  if (position == members.size() || bytes > 32) {
    std::puts("the model: a thread meets others of a group that it is not in");
    std::exit(3);
  }
  model_token found;
  for (const model_token& one : model_open) {
    if (one->members == members && !one->arrived[position]) found = one;
  }
  if (!found) {
    found = std::make_shared<model_meeting>();
    found->members = members;
    found->arrived.resize(members.size());
    found->values.resize(members.size());
    model_open.push_back(found);
  }
  found->arrived[position] = true;
  if (bytes) std::memcpy(found->values[position].data(), value, bytes);
  model_close(*found);
  if (found->complete) model_forget_complete();
  return found;
}
inline void model_wait_for(const model_token& meeting) {
  model_wait([](const void* one) { return static_cast<const model_meeting*>(one)->complete; }, meeting.get());
}
inline model_token model_meet(const std::vector<u32>& members, const void* value = nullptr, u64 bytes = 0) {
  model_token meeting = model_arrive(members, value, bytes);
  model_wait_for(meeting);
  return meeting;
}

// The numbers of threads `first` to `first + count - 1`.
inline std::vector<u32> model_range(u32 first, u32 count) {
  std::vector<u32> members(count);
  for (u32 i = 0; i < count; ++i) members[i] = first + i;
  return members;
}
inline u32 model_block_first() { return model_now / model_block_size() * model_block_size(); }
inline std::vector<u32> model_block() { return model_range(model_block_first(), model_block_size()); }

inline u32 wait_for_block(bool chosen, u32* waiting) {
  const u8 value = chosen;
  const model_token all = model_meet(model_block(), &value, 1);
  u32 result = 0, arrived = 0;
  for (u32 i = 0; i < all->members.size(); ++i) {
    arrived += all->arrived[i];
    result += all->arrived[i] && all->values[i][0];
  }
  if (waiting) *waiting = arrived;
  return result;
}

// The block's shared memory, a variable in each kernel. Its bytes are arbitrary at first.
inline void* model_shared_memory() { return model_shared[model_now / model_block_size()].get(); }

inline void run_model_thread() {
  model_kernel(*model_arguments);
  model_threads[model_now].returned = true;
}

// Runs blocks `first` to `first + count - 1` until all their threads have returned.
inline void run_model_blocks(void (*kernel)(const arguments& a), const arguments& a, u32 first, u32 count) {
  constexpr u64 stack_bytes = 1 << 17, shared_bytes = 49152;
  const u32 size = model_block_size();
  if (model_threads.size() < size * count) model_threads.resize(size * count);
  if (model_shared.size() < count) model_shared.resize(count);
  for (u32 b = 0; b < count; ++b) {
    if (!model_shared[b]) model_shared[b].reset(new char[shared_bytes]);
    std::memset(model_shared[b].get(), 0xa5, shared_bytes);
  }
  model_kernel = kernel;
  model_arguments = &a;
  model_open.clear();
  model_named.clear();
  for (u32 i = 0; i < size * count; ++i) {
    model_thread& made = model_threads[i];
    if (!made.stack) made.stack.reset(new char[stack_bytes]);
    getcontext(&made.state);
    made.state.uc_stack.ss_sp = made.stack.get();
    made.state.uc_stack.ss_size = stack_bytes;
    made.state.uc_link = &model_home;
    made.returned = false;
    made.ready = nullptr;
    const u32 rank = i % size;
    made.thread = {rank % blockDim.x, rank / blockDim.x % blockDim.y, rank / blockDim.x / blockDim.y};
    made.block = {first + i / size, 0, 0};
    makecontext(&made.state, run_model_thread, 0);
  }
  for (u32 left = size * count, ran = 1; left > 0;) {
    if (ran == 0) {
      std::puts("the model: the threads wait for ever");
      std::exit(3);
    }
    ran = 0;
    for (u32 i = 0; i < size * count; ++i) {
      model_thread& one = model_threads[i];
      if (one.returned || (one.ready && !one.ready(one.awaited))) continue;
      one.ready = nullptr;
      model_now = i;
      threadIdx = one.thread;
      blockIdx = one.block;
      ++ran;
      swapcontext(&model_home, &one.state);
      if (one.returned) {
        --left;
        for (const model_token& open : model_open) model_close(*open);
        model_forget_complete();
      }
    }
  }
}
