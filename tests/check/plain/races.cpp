// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Plain C++ kernels with and without races, compiled with -fsanitize=thread and linked with cohort::check. The comments
// and marks are those of ../races.cu; each `static void` is a kernel.
#include <atomic>
#include <cohort/cohort.hpp>
#include <cohort/launch.hpp>
#include <cohort/shared.hpp>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

struct values_tag;
int* values() { return cohort::shared<int[256], values_tag>(); }
unsigned int me() { return static_cast<unsigned int>(cohort::this_grid().thread_rank()); }
unsigned int rank() { return cohort::this_thread_block().thread_rank(); }

struct memory {
  int numbers[512];
  long long wide;
  std::atomic<int> flag, lock, ticket, turn;
  std::atomic<unsigned char> small;
  std::atomic<long long> large;
  int guarded;
};

}  // namespace

// race: a b 32
static void lanes(memory* m) {
  values()[rank()] = 1;                            // [a]
  m->numbers[me()] = values()[(rank() + 1) % 32];  // [b]
}
static void lanes_in_order(memory* m) {
  values()[rank()] = 1;
  cohort::this_thread_block().sync();
  m->numbers[me()] = values()[(rank() + 1) % 32];
}
static void tiles_in_order(memory* m) {
  const auto tile = cohort::tiled_partition<16>(cohort::this_thread_block());
  values()[rank()] = 1;
  tile.sync();
  m->numbers[me()] = values()[tile.meta_group_rank() * 16 + (tile.thread_rank() + 1) % 16];
}
// race: a b 32
static void beyond_the_tile(memory* m) {
  const auto tile = cohort::tiled_partition<16>(cohort::this_thread_block());
  values()[rank()] = 1;  // [a]
  tile.sync();
  m->numbers[me()] = values()[(rank() + 16) % 32];  // [b]
}
// race: a a 2+
static void blocks(memory* m) {
  if (rank() == 5) m->numbers[1] = static_cast<int>(me());  // [a]
}
// Reused memory of the heap has no earlier accesses: threads may get memory that others have freed.
static void heap(memory* m) {
  std::vector<int> own(3, static_cast<int>(rank()));
  int* const more = static_cast<int*>(std::malloc(40));
  if (more == nullptr) return;
  more[rank() % 10] = own[2];
  m->numbers[me()] = more[rank() % 10];
  std::free(more);
}
static void blocks_of_a_grid(memory* m) {
  if (me() == 0) m->numbers[0] = 1;
  cohort::this_grid().sync();
  if (me() == 40) m->numbers[0] += 1;
}
static void collectives(memory* m) {
  const auto block = cohort::this_thread_block();
  m->numbers[me()] = cohort::reduce(block, static_cast<int>(rank()), cohort::plus<int>());
  m->numbers[me()] += cohort::inclusive_scan(block, static_cast<int>(rank()), cohort::plus<int>());
}

static void message(memory* m) {
  if (me() == 0) {
    m->guarded = 1;
    m->flag.store(1, std::memory_order_release);
  } else if (me() == 32) {
    while (m->flag.load(std::memory_order_acquire) == 0) {
    }
    m->guarded = m->guarded + 1;
  }
}
static void message_with_fences(memory* m) {
  if (me() == 0) {
    m->guarded = 1;
    std::atomic_thread_fence(std::memory_order_release);
    m->flag.store(1, std::memory_order_relaxed);
  } else if (me() == 32) {
    while (m->flag.load(std::memory_order_relaxed) == 0) {
    }
    std::atomic_thread_fence(std::memory_order_acquire);
    m->guarded = 2;
  }
}
// race: a b 1
static void message_without_order(memory* m) {
  if (me() == 0) {
    m->guarded = 1;  // [a]
    m->flag.store(1, std::memory_order_relaxed);
  } else if (me() == 32) {
    while (m->flag.load(std::memory_order_relaxed) == 0) {
    }
    m->guarded = 2;  // [b]
  }
}
// race: a b 1
static void message_taken_without_order(memory* m) {
  if (me() == 0) {
    m->guarded = 1;  // [a]
    m->flag.store(1, std::memory_order_release);
  } else if (me() == 32) {
    while (m->flag.exchange(0, std::memory_order_relaxed) == 0) {
    }
    m->guarded = 2;  // [b]
  }
}
static void message_taken_in_order(memory* m) {
  if (me() == 0) {
    m->guarded = 1;
    m->flag.fetch_add(1, std::memory_order_release);
  } else if (me() == 32) {
    while (m->flag.exchange(0, std::memory_order_acquire) == 0) {
    }
    m->guarded = 2;
  }
}
static void spin_lock(memory* m) {
  int open = 0;
  while (!m->lock.compare_exchange_weak(open, 1, std::memory_order_acquire)) open = 0;
  m->guarded = m->guarded + 1;
  m->lock.store(0, std::memory_order_release);
}
// race: a a 63+
static void spin_lock_without_order(memory* m) {
  int open = 0;
  while (!m->lock.compare_exchange_strong(open, 1, std::memory_order_relaxed)) open = 0;
  m->guarded = 3;  // [a]
  m->lock.store(0, std::memory_order_relaxed);
}
static void ticket_lock(memory* m) {
  const int mine = m->ticket.fetch_add(1);
  while (m->turn.load() != mine) {
  }
  m->guarded = m->guarded + 1;
  m->turn.store(mine + 1);
}
static void counters(memory* m) {
  m->flag += 2;
  m->flag.fetch_sub(1, std::memory_order_relaxed);
  m->large.fetch_or(static_cast<long long>(me()));
  m->large ^= 5;
  m->large.fetch_and(-1);
  m->small.exchange(3);
  m->small++;
}
// race: a b 1
static void counter_as_a_number(memory* m) {
  if (me() == 0) m->large.fetch_add(1);                                               // [a]
  if (me() == 33) m->wide = *static_cast<long long*>(static_cast<void*>(&m->large));  // [b]
}
// A launch is ordered after the previous one.
static void first_launch(memory* m) { m->numbers[me()] = 1; }
static void second_launch(memory* m) { m->numbers[127 - me()] = 2; }

int main() {
  static memory m;
  int failures = 0;
  const auto run = [&](unsigned int grid, unsigned int block, void (*kernel)(memory*)) {
    std::memset(static_cast<void*>(&m), 0, sizeof m);
    const cohort::error e = cohort::launch_cooperative({cohort::dim3(grid), cohort::dim3(block)}, kernel, &m);
    if (e.number() != 0) std::printf("%s\n", cohort::message(e));
    failures += e.number() != 0;
  };
  run(1, 32, lanes);
  run(2, 32, lanes_in_order);
  run(1, 32, tiles_in_order);
  run(1, 32, beyond_the_tile);
  run(3, 32, blocks);
  run(3, 64, heap);
  run(2, 32, blocks_of_a_grid);
  run(2, 100, collectives);
  run(2, 32, message);
  run(2, 32, message_with_fences);
  run(2, 32, message_without_order);
  run(2, 32, message_taken_without_order);
  run(2, 32, message_taken_in_order);
  run(2, 32, spin_lock);
  run(2, 32, spin_lock_without_order);
  run(2, 32, ticket_lock);
  run(2, 64, counters);
  run(2, 32, counter_as_a_number);
  run(2, 64, first_launch);
  run(2, 64, second_launch);
  if (failures == 0) std::puts("no error");
  return failures;
}
