// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "stack.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace cohort::engine {

namespace {

constexpr size_t stacks_per_slab = 64;
// A frame without stack probes cannot step over a guard of this size. It costs address space only.
constexpr size_t guard_bytes = 64 * 1024;
// Linux allows 65530 mappings by default, and a guarded stack takes two. Above this number of stacks in the process, a
// slab has one guard at its low end and none between its stacks.
constexpr size_t most_guarded_stacks = 24 * 1024;
// First frames start at different cache lines of a page. With one offset for all stacks they share a few cache sets,
// and a switch takes more than twice the time (measured).
constexpr size_t colours = 64;
constexpr size_t colour_step = 64;

std::atomic<size_t> guarded_stacks{0};

}  // namespace

stack_pool::~stack_pool() { release(); }

void stack_pool::release() {
  for (slab& s : slabs_) {
#if defined(COHORT_TSAN)
    for (size_t i = 0; i < s.count; ++i) {
      if (s.stacks[i].sanitizer.tsan) __tsan_destroy_fiber(s.stacks[i].sanitizer.tsan);
    }
#endif
    if (s.guarded) guarded_stacks.fetch_sub(s.count, std::memory_order_relaxed);
    munmap(s.memory, s.bytes);
  }
  slabs_.clear();
  free_ = nullptr;
  made_ = 0;
}

void stack_pool::set_bytes(size_t bytes) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  bytes = (bytes + page - 1) / page * page;
  if (bytes == bytes_) return;
  release();
  bytes_ = bytes;
}

bool stack_pool::grow() {
  // The colours take their 4 KiB from an additional page.
  const size_t usable = bytes_ + 4096;
  // An odd number of pages: an even one maps the top pages of a warp's stacks to a few sets of the TLB.
  const size_t pitch = (usable + guard_bytes) | 4096;
  const size_t total = pitch * stacks_per_slab;
  void* memory =
      mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return false;
  // A huge page under a stack would make 2 MiB resident where 8 KiB are used.
  madvise(memory, total, MADV_NOHUGEPAGE);
  const bool guarded = guarded_stacks.load(std::memory_order_relaxed) + stacks_per_slab <= most_guarded_stacks;
  slab made{static_cast<char*>(memory), total, std::make_unique<stack[]>(stacks_per_slab), stacks_per_slab, guarded};
  for (size_t i = 0; i < stacks_per_slab; ++i) {
    char* base = made.memory + i * pitch;
    stack& s = made.stacks[i];
    s.low = base + guard_bytes;
    s.guard = guarded || i == 0 ? guard_bytes : 0;
    if (s.guard && mprotect(base, guard_bytes, PROT_NONE) != 0) {
      munmap(memory, total);
      return false;
    }
    s.top = s.low + usable - ((made_ + i) % colours) * colour_step;
#if defined(COHORT_ASAN)
    s.sanitizer.bottom = s.low;
    s.sanitizer.bytes = usable;
#endif
  }
  if (guarded) guarded_stacks.fetch_add(stacks_per_slab, std::memory_order_relaxed);
  for (size_t i = stacks_per_slab; i-- > 0;) give(&made.stacks[i]);
  slabs_.push_back(std::move(made));
  made_ += stacks_per_slab;
  return true;
}

bool stack_pool::reserve(size_t count) {
  size_t available = 0;
  for (stack* s = free_; s && available < count; s = s->next) ++available;
  while (available < count) {
    if (!grow()) return false;
    available += stacks_per_slab;
  }
  return true;
}

}  // namespace cohort::engine
