// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Small protocols of atomics with one step in the wrong order, and in the right order where `right` is true. Each
// access is an atomic, so none of them is a data race.
#include "order_bugs.hpp"

namespace {

__device__ int load(int* p) { return atomicAdd(p, 0); }
__device__ void store(int* p, int value) { atomicExch(p, value); }
__device__ void wait_for(int* p, int value) {
  while (load(p) != value) {
  }
}

// Peterson's lock must set its flag before it reads the other one; without a fence, a GPU may read first.
template <bool right>
__global__ void peterson_reads_before_its_flag(int* m) {
  int *turn = &m[1], *flag = &m[2];
  const int me = static_cast<int>(blockIdx.x), other = 1 - me;
  int busy = right ? 1 : load(&flag[other]);
  store(&flag[me], 1);
  store(turn, other);
  while (busy && load(turn) == other) busy = load(&flag[other]);
  const int seen = load(&m[0]);
  store(&m[0], seen + 1);
  store(&flag[me], 0);
}

// A reader must announce itself before it looks for a writer.
template <bool right>
__global__ void reader_announces_itself_late(int* m) {
  int *readers = &m[1], *writer = &m[2], *low = &m[3], *high = &m[4];
  if (blockIdx.x == 0) {
    store(writer, 1);
    wait_for(readers, 0);
    store(low, 5);
    store(high, 5);
    store(writer, 0);
    return;
  }
  if (right) {
    for (atomicAdd(readers, 1); load(writer); atomicAdd(readers, 1)) {
      atomicSub(readers, 1);
      wait_for(writer, 0);
    }
  } else {
    wait_for(writer, 0);
    atomicAdd(readers, 1);
  }
  const int seen = load(low);
  atomicAdd(&m[0], seen == load(high));
  atomicSub(readers, 1);
}

// A node must have its link before it becomes the top of the stack.
template <bool right>
__global__ void node_is_linked_after_its_push(int* m) {
  int *top = &m[1], *next = &m[16];
  const auto take_all = [&] {
    for (int node = atomicExch(top, 0); node; node = load(&next[node])) atomicAdd(&m[0], 1);
  };
  const int node = static_cast<int>(blockIdx.x) + 1;
  if (node == 3) {
    take_all();
  } else if (right) {
    int before = load(top);
    for (;;) {
      store(&next[node], before);
      const int seen = atomicCAS(top, before, node);
      if (seen == before) break;
      before = seen;
    }
  } else {
    const int before = atomicExch(top, node);
    store(&next[node], before);
  }
  if (atomicAdd(&m[2], 1) == 2) take_all();
}

// The last arrival must reset the counter before it releases the others, which may arrive for the next turn at once.
template <bool right>
__global__ void barrier_resets_after_the_release(int* m) {
  int *arrived = &m[1], *released = &m[2];
  const int blocks = static_cast<int>(gridDim.x);
  for (int turn = 1; turn <= 2; ++turn) {
    atomicAdd(&m[0], 1);
    if (atomicAdd(arrived, 1) == blocks - 1) {
      if (right) store(arrived, 0);
      store(released, turn);
      if (!right) store(arrived, 0);
    } else {
      wait_for(released, turn);
    }
  }
}

// Two buffers: the consumer must read a buffer before it returns it.
template <bool right>
__global__ void buffer_is_given_back_early(int* m) {
  int *filled = &m[1], *drained = &m[2], *buffer = &m[8];
  if (blockIdx.x == 0) {
    int sum = 0;
    for (int item = 0; item < 4; ++item) {
      while (load(filled) <= item) {
      }
      if (!right) store(drained, item + 1);
      sum += load(&buffer[item % 2]);
      if (right) store(drained, item + 1);
    }
    store(&m[0], sum);
  } else {
    for (int item = 0; item < 4; ++item) {
      while (load(drained) + 2 <= item) {
      }
      store(&buffer[item % 2], item + 1);
      store(filled, item + 1);
    }
  }
}

// The ring is empty where both positions are equal; the wrong consumer waits for one item too few.
template <bool right>
__global__ void ring_waits_one_item_short(int* m) {
  int *head = &m[1], *slots = &m[16];
  if (blockIdx.x == 0) {
    for (int item = 0; item < 4; ++item) {
      store(&slots[item], item + 1);
      store(head, item + 1);
    }
  } else {
    int sum = 0;
    for (int item = 0; item < 4; ++item) {
      while (load(head) < (right ? item + 1 : item)) {
      }
      sum += load(&slots[item]);
    }
    store(&m[0], sum);
  }
}

// An event count: the waiter must take its key before it tests the condition.
template <bool right>
__global__ void event_key_is_taken_late(int* m) {
  int *ready = &m[1], *epoch = &m[2];
  if (blockIdx.x == 1) {
    store(ready, 1);
    atomicAdd(epoch, 1);
    return;
  }
  for (;;) {
    int key = right ? load(epoch) : 0;
    if (load(ready)) break;
    if (!right) key = load(epoch);
    while (load(epoch) == key) {
    }
  }
  store(&m[0], 1);
}

// A maximum and its index are two words: the index of a smaller value may be stored last.
template <bool right>
__global__ void index_of_the_maximum(int* m) {
  const int t = static_cast<int>(threadIdx.x);
  const int value = (t * 5 + 3) % 8;
  if (right) {
    atomicMax(&m[1], value * 8 + t);
    __syncthreads();
    if (t == 0) store(&m[0], load(&m[1]) % 8);
  } else if (atomicMax(&m[1], value) < value) {
    store(&m[0], t);
  }
}

// A worker must count the tasks that its task makes before it counts its own as done. Tasks form a tree of seven.
template <bool right>
__global__ void task_is_counted_as_done_early(int* m) {
  int *pending = &m[1], *done = &m[2], *head = &m[3], *tail = &m[4], *slots = &m[16];
  const auto push = [&](int depth) { store(&slots[atomicAdd(tail, 1)], depth); };
  if (atomicExch(&m[5], 1) == 0) {
    push(3);
    store(pending, 1);
    store(&m[6], 1);
  }
  wait_for(&m[6], 1);
  while (load(pending) != 0) {
    const int first = load(head);
    const int depth = load(&slots[first]);
    if (depth == 0 || atomicCAS(head, first, first + 1) != first) continue;
    if (!right) atomicSub(pending, 1);
    atomicAdd(done, 1);
    if (depth > 1) {
      atomicAdd(pending, 2);
      push(depth - 1);
      push(depth - 1);
    }
    if (right) atomicSub(pending, 1);
  }
  if (atomicExch(&m[7], 1) == 0) store(&m[0], load(done));
}

// A flag of new data must be cleared before the data are copied.
template <bool right>
__global__ void mark_is_cleared_late(int* m) {
  int *data = &m[1], *is_new = &m[2], *copy = &m[3];
  if (blockIdx.x == 0) {
    for (int turn = 0; turn < 2; ++turn) {
      atomicAdd(data, 1);
      store(is_new, 1);
    }
  } else if (load(is_new)) {
    if (right) store(is_new, 0);
    store(copy, load(data));
    if (!right) store(is_new, 0);
  }
  if (atomicAdd(&m[4], 1) == 1) {
    if (load(is_new)) store(copy, load(data));
    store(&m[0], load(copy));
  }
}

// A block must store its sum before it takes the ticket; the block with the last ticket adds all sums.
template <bool right>
__global__ void ticket_before_the_sum(int* m) {
  int *tickets = &m[1], *sums = &m[16];
  const int block = static_cast<int>(blockIdx.x), blocks = static_cast<int>(gridDim.x);
  int ticket = right ? 0 : atomicAdd(tickets, 1);
  store(&sums[block], block + 1);
  if (right) ticket = atomicAdd(tickets, 1);
  if (ticket != blocks - 1) return;
  int sum = 0;
  for (int i = 0; i < blocks; ++i) sum += load(&sums[i]);
  store(&m[0], sum);
}

}  // namespace

#define BUG_AND_CORRECTION(name, blocks, threads, expected)                   \
  {#name, {[](int* m) { name<false><<<blocks, threads>>>(m); }, expected}}, { \
    #name "_corrected", {                                                     \
      [](int* m) { name<true><<<blocks, threads>>>(m); }, expected            \
    }                                                                         \
  }

int main(int argc, char** argv) {
  return run_order_bug(
      {
          BUG_AND_CORRECTION(peterson_reads_before_its_flag, 2, 1, 2),
          BUG_AND_CORRECTION(reader_announces_itself_late, 3, 1, 2),
          BUG_AND_CORRECTION(node_is_linked_after_its_push, 3, 1, 2),
          BUG_AND_CORRECTION(barrier_resets_after_the_release, 3, 1, 6),
          BUG_AND_CORRECTION(buffer_is_given_back_early, 2, 1, 10),
          BUG_AND_CORRECTION(ring_waits_one_item_short, 2, 1, 10),
          BUG_AND_CORRECTION(event_key_is_taken_late, 2, 1, 1),
          BUG_AND_CORRECTION(index_of_the_maximum, 1, 8, 4),
          BUG_AND_CORRECTION(task_is_counted_as_done_early, 2, 1, 7),
          BUG_AND_CORRECTION(mark_is_cleared_late, 2, 1, 2),
          BUG_AND_CORRECTION(ticket_before_the_sum, 4, 1, 10),
      },
      argc, argv);
}
