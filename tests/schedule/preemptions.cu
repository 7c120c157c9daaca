// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Order bugs that only a preemption between two atomics of a thread reveals. Each access is an atomic, so none of them
// is a data race.
#include "order_bugs.hpp"

namespace {

__device__ int load(int* p) { return atomicAdd(p, 0); }
__device__ void store(int* p, int value) { atomicExch(p, value); }
__device__ void wait_for(int* p, int value) {
  while (load(p) != value) {
  }
}
__device__ void take(int* lock) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
}
__device__ void release(int* lock) { store(lock, 0); }

// The consumer announces its sleep after it has looked for an item. An item that arrives in between wakes no thread.
__global__ void lost_wakeup(int* m) {
  int *items = &m[1], *sleeps = &m[2], *woken = &m[3];
  if (blockIdx.x == 0) {
    if (load(items) == 0) {
      store(sleeps, 1);
      wait_for(woken, 1);
    }
    store(&m[0], load(items));
  } else {
    atomicAdd(items, 1);
    if (load(sleeps)) store(woken, 1);
  }
}

// The holder serves the next ticket before its last store, as a missing fence permits on a GPU.
__global__ void ticket_lock_serves_early(int* m) {
  int *next = &m[1], *serving = &m[2];
  const int ticket = atomicAdd(next, 1);
  wait_for(serving, ticket);
  const int seen = load(&m[0]);
  atomicAdd(serving, 1);
  store(&m[0], seen + 1);
}

// The first thread sets the flag before the value: others see the flag and read a missing value.
__global__ void double_checked_flag(int* m) {
  int *made = &m[1], *value = &m[2];
  if (load(made) == 0 && atomicCAS(made, 0, 1) == 0) store(value, 7);
  atomicAdd(&m[0], load(value));
}

// A stack of nodes 1 to 3, linked by next[node]. A pop compares only the top: it may have been popped and pushed again.
__global__ void aba_in_a_stack(int* m) {
  int *top = &m[1], *next = &m[16], *owners = &m[32];
  const auto pop = [&] {
    for (;;) {
      const int node = load(top);
      if (node == 0) return 0;
      const int after = load(&next[node]);
      if (atomicCAS(top, node, after) == node) return node;
    }
  };
  const auto push = [&](int node) {
    int before = load(top);
    for (;;) {
      store(&next[node], before);
      const int seen = atomicCAS(top, before, node);
      if (seen == before) return;
      before = seen;
    }
  };
  if (blockIdx.x == 0) {
    const int node = pop();
    if (node) atomicAdd(&owners[node], 1);
  } else {
    const int first = pop(), second = pop();
    if (second) atomicAdd(&owners[second], 1);
    if (first) push(first);
  }
  // Each node must have at most one owner.
  if (atomicAdd(&m[2], 1) == 1) {
    for (int node = pop(); node; node = pop()) atomicAdd(&owners[node], 1);
    int right = 0;
    for (int node = 1; node <= 3; ++node) right += load(&owners[node]) == 1;
    store(&m[0], right);
  }
}

// A thread tests the limit before it raises the counter, and others do so in between.
__global__ void limit_is_tested_first(int* m) {
  if (load(&m[0]) < 3) atomicAdd(&m[0], 1);
}

// An update by a load and a store: another thread's update in between is lost.
__global__ void update_in_two_halves(int* m) {
  const int seen = load(&m[0]);
  store(&m[0], seen + 1);
}

// Two blocks take two locks in opposite orders.
__global__ void locks_in_opposite_orders(int* m) {
  int *first = &m[1 + blockIdx.x], *second = &m[2 - blockIdx.x];
  take(first);
  take(second);
  atomicAdd(&m[0], 1);
  release(second);
  release(first);
}

// The producer raises the flag before it stores the value.
__global__ void flag_before_the_value(int* m) {
  int *flag = &m[1], *value = &m[2];
  if (blockIdx.x == 0) {
    store(flag, 1);
    store(value, 9);
  } else {
    wait_for(flag, 1);
    store(&m[0], load(value));
  }
}

// The reader of a pair compares the version before it reads, but not afterwards.
__global__ void torn_pair(int* m) {
  int *version = &m[1], *left = &m[2], *right = &m[3];
  if (blockIdx.x == 0) {
    for (int turn = 1; turn <= 2; ++turn) {
      atomicAdd(version, 1);
      store(left, turn);
      store(right, turn);
      atomicAdd(version, 1);
    }
  } else {
    while (load(version) % 2) {
    }
    const int seen = load(left);
    store(&m[0], load(right) == seen);
  }
}

// A thread releases its reference before its last use of the object. The last release clears the object.
__global__ void use_after_the_last_reference(int* m) {
  int *references = &m[1], *object = &m[2];
  if (threadIdx.x == 0) {
    store(references, 4);
    store(object, 1);
  }
  __syncthreads();
  const bool last = atomicSub(references, 1) == 1;
  atomicAdd(&m[0], load(object));
  if (last) store(object, 0);
}

__global__ void fill_stack(int* m) {
  m[1] = 1;
  for (int node = 1; node <= 3; ++node) m[16 + node] = node < 3 ? node + 1 : 0;
}

}  // namespace

int main(int argc, char** argv) {
  return run_order_bug(
      {
          {"lost_wakeup", {[](int* m) { lost_wakeup<<<2, 1>>>(m); }, 1}},
          {"ticket_lock_serves_early", {[](int* m) { ticket_lock_serves_early<<<4, 1>>>(m); }, 4}},
          {"double_checked_flag", {[](int* m) { double_checked_flag<<<1, 8>>>(m); }, 56}},
          {"aba_in_a_stack",
           {[](int* m) {
              fill_stack<<<1, 1>>>(m);
              aba_in_a_stack<<<2, 1>>>(m);
            },
            3}},
          {"limit_is_tested_first", {[](int* m) { limit_is_tested_first<<<1, 8>>>(m); }, 3}},
          {"update_in_two_halves", {[](int* m) { update_in_two_halves<<<1, 8>>>(m); }, 8}},
          {"locks_in_opposite_orders", {[](int* m) { locks_in_opposite_orders<<<2, 1>>>(m); }, 2}},
          {"flag_before_the_value", {[](int* m) { flag_before_the_value<<<2, 1>>>(m); }, 9}},
          {"torn_pair", {[](int* m) { torn_pair<<<2, 1>>>(m); }, 1}},
          {"use_after_the_last_reference", {[](int* m) { use_after_the_last_reference<<<1, 4>>>(m); }, 4}},
      },
      argc, argv);
}
