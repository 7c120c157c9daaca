// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The model's blocks: each thread has a stack, and they take turns. A turn ends at a barrier or with the thread.
#pragma once

#include <ucontext.h>

#include <memory>
#include <vector>

#include "kernel_support.hpp"

struct model_thread {
  ucontext_t state;
  std::unique_ptr<char[]> stack;
  bool returned;
};
struct model_phase {
  u32 waiting = 0, chosen = 0;  // threads at the barrier
};
inline ucontext_t model_home;
inline model_phase arrived, opened;
inline model_thread* model_current;
inline void (*model_kernel)(const arguments& a);
inline const arguments* model_arguments;

u32 wait_for_block(bool chosen, u32* waiting) {
  arrived.waiting += 1;
  arrived.chosen += chosen;
  swapcontext(&model_current->state, &model_home);
  if (waiting) *waiting = opened.waiting;
  return opened.chosen;
}

inline void run_model_thread() {
  model_kernel(*model_arguments);
  model_current->returned = true;
}

// Runs each thread to its next barrier, then opens the barrier, until all have returned.
inline void run_model_block(void (*kernel)(const arguments& a), const arguments& a) {
  constexpr u64 stack_bytes = 1 << 16;
  static std::vector<model_thread> threads(1024);
  const u32 count = blockDim.x * blockDim.y * blockDim.z;
  model_kernel = kernel;
  model_arguments = &a;
  for (u32 i = 0; i < count; ++i) {
    model_thread& made = threads[i];
    if (!made.stack) made.stack.reset(new char[stack_bytes]);
    getcontext(&made.state);
    made.state.uc_stack.ss_sp = made.stack.get();
    made.state.uc_stack.ss_size = stack_bytes;
    made.state.uc_link = &model_home;
    made.returned = false;
    makecontext(&made.state, run_model_thread, 0);
  }
  do {
    arrived = {};
    for (u32 i = 0; i < count; ++i) {
      if (threads[i].returned) continue;
      model_current = &threads[i];
      threadIdx = {i % blockDim.x, i / blockDim.x % blockDim.y, i / blockDim.x / blockDim.y};
      swapcontext(&model_home, &threads[i].state);
    }
    opened = arrived;
  } while (opened.waiting != 0);
}
