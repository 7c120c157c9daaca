// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/fiber/stack_guard.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstdio>

namespace cohort::engine {

namespace {

constexpr int madv_guard_install = 102;  // MADV_GUARD_INSTALL, which older headers lack

// A mapped guard takes 0.9 us, a marked one 4.6 us (x86-64, Linux 6.18), because it needs a page table at once. The
// first stacks of a process, all that most programs need, have mapped guards.
constexpr size_t most_mapped_first = 4096;

std::atomic<bool> can_mark{true};
std::atomic<size_t> mapped_guards{0};

// A third of the system's limit of mappings. Each guard takes two, so guards take two thirds. The program's allocations
// and libraries need the rest.
size_t most_mapped_guards() {
  static const size_t most = [] {
    size_t mappings = 65530;
    if (std::FILE* file = std::fopen("/proc/sys/vm/max_map_count", "r")) {
      if (std::fscanf(file, "%zu", &mappings) != 1) mappings = 65530;
      std::fclose(file);
    }
    return mappings / 3;
  }();
  return most;
}

bool mark_all(char* memory, size_t pitch, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    if (madvise(memory + i * pitch, guard_bytes, madv_guard_install) != 0) return false;
  }
  return true;
}

// Makes guards by mprotect(), all of them or none. None if the process would then have more than `most` mapped guards.
bool map_all(char* memory, size_t pitch, size_t count, size_t most) {
  const size_t before = mapped_guards.fetch_add(count, std::memory_order_relaxed);
  bool made = before + count <= most;
  size_t i = 0;
  for (; made && i < count; ++i) made = mprotect(memory + i * pitch, guard_bytes, PROT_NONE) == 0;
  if (made) return true;
  mapped_guards.fetch_sub(count, std::memory_order_relaxed);
  for (size_t j = 0; j < i; ++j) mprotect(memory + j * pitch, guard_bytes, PROT_READ | PROT_WRITE);
  return false;
}

}  // namespace

slab_guards make_guards(char* memory, size_t pitch, size_t count) {
  if (map_all(memory, pitch, count, most_mapped_first)) return slab_guards::mapped;
  if (can_mark.load(std::memory_order_relaxed)) {
    if (mark_all(memory, pitch, count)) return slab_guards::marked;
    can_mark.store(false, std::memory_order_relaxed);
  }
  // An eighth of the mappings stays free for slabs with a single guard at their end: an overflow there damages only
  // stacks of its own slab.
  const size_t most = most_mapped_guards();
  if (map_all(memory, pitch, count, most / 8 * 7)) return slab_guards::mapped;
  return map_all(memory, pitch, 1, most) ? slab_guards::mapped_at_end : slab_guards::none;
}

void forget_guards(slab_guards made, size_t count) {
  const size_t mapped = made == slab_guards::mapped ? count : made == slab_guards::mapped_at_end ? 1 : 0;
  mapped_guards.fetch_sub(mapped, std::memory_order_relaxed);
}

void do_not_mark_guards() { can_mark.store(false, std::memory_order_relaxed); }

}  // namespace cohort::engine
