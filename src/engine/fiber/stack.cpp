// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/fiber/stack.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>

#include <cohort/base/round_up.hpp>

namespace cohort::engine {

namespace {

constexpr size_t stacks_per_slab = 64;
// First frames start at different cache lines of a page. With one offset they would share a few cache sets, and a
// switch would take more than twice the time (measured).
constexpr size_t colours = 64;
constexpr size_t colour_step = 64;
constexpr size_t colour_bytes = colours * colour_step;  // the first frame may start this far down

size_t whole_pages(size_t bytes) { return detail::round_up(bytes, static_cast<size_t>(sysconf(_SC_PAGESIZE))); }

}  // namespace

stack_pool::~stack_pool() { release(); }

void stack_pool::release() {
  for (slab& s : slabs_) {
#if defined(COHORT_TSAN)
    for (size_t i = 0; i < s.count; ++i) {
      if (s.stacks[i].sanitizer.tsan) __tsan_destroy_fiber(s.stacks[i].sanitizer.tsan);
    }
#endif
    munmap(s.memory, s.bytes);
    forget_guards(s.guards, s.count);
  }
  slabs_.clear();
  free_ = nullptr;
  made_ = 0;
}

bool stack_pool::holds(const void* address) const {
  const auto* const at = static_cast<const char*>(address);
  return std::any_of(slabs_.begin(), slabs_.end(),
                     [at](const slab& s) { return at >= s.memory && at < s.memory + s.bytes; });
}

void stack_pool::abandon() {
  for (slab& s : slabs_) s.stacks.release();
  slabs_.clear();
  free_ = nullptr;
  made_ = 0;
}

void stack_pool::set_bytes(size_t bytes) {
  bytes = whole_pages(bytes);
  if (bytes == bytes_) return;
  release();
  bytes_ = bytes;
}

size_t stack_pool::distance(size_t bytes) {
  // An odd number of pages: an even one maps the top pages of a warp's stacks to a few sets of the TLB.
  return (whole_pages(bytes) + colour_bytes + guard_bytes) | 4096;
}

bool stack_pool::grow() {
  for (size_t count = stacks_per_slab; count > 0; count /= 2) {
    if (add_slab(count)) return true;  // a smaller slab may fit into a limited address space
  }
  return false;
}

bool stack_pool::add_slab(size_t count) {
  const size_t pitch = distance(bytes_);
  const size_t total = pitch * count;
  void* memory =
      mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return false;
  // A huge page under a stack would make 2 MiB resident where 8 KiB are used.
  madvise(memory, total, MADV_NOHUGEPAGE);
  char* const start = static_cast<char*>(memory);
  slab made{start, total, std::make_unique<stack[]>(count), count, make_guards(start, pitch, count)};
  for (size_t i = 0; i < count; ++i) {
    stack& s = made.stacks[i];
    const size_t usable = bytes_ + colour_bytes;
    s.low = start + i * pitch + guard_bytes;
    s.end = s.low + usable;
    s.guard = has_guard(made.guards, i) ? guard_bytes : 0;
    s.top = s.low + usable - ((made_ + i) % colours) * colour_step;
#if defined(COHORT_ASAN)
    s.sanitizer.bottom = s.low;
    s.sanitizer.bytes = usable;
#endif
  }
  for (size_t i = count; i-- > 0;) give(&made.stacks[i]);
  slabs_.push_back(std::move(made));
  made_ += count;
  return true;
}

bool stack_pool::reserve(size_t count) {
  size_t available = 0;
  for (stack* s = free_; s && available < count; s = s->next) ++available;
  while (available < count) {
    const size_t before = made_;
    if (!grow()) return false;
    available += made_ - before;
  }
  return true;
}

}  // namespace cohort::engine
