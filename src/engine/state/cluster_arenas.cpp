// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/state/cluster_arenas.hpp"

#include <sys/mman.h>

#include <mutex>
#include <new>
#include <vector>

namespace cohort::engine {
namespace {

constexpr size_t slot_bytes = size_t{256} << 10;  // more than the shared memory of a block
// Distances within the reserved range have 31 bits. A virtual H100 has 4224 resident blocks.
constexpr size_t reserved_bytes = size_t{2} << 30;

void* map_pages(size_t bytes, int access, int flags) {
  return mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | flags, -1, 0);
}

// Address space that is divided into slots.
class slots {
 public:
  // The only one. Never destroyed, because threads of the engine outlive main().
  static slots& all() {
    static slots& made = *new slots;
    return made;
  }

  // Returns a slot's memory; null if no slot is free, `bytes` exceeds a slot, or the system has no memory.
  char* take(size_t bytes) {
    const std::lock_guard lock(mutex_);
    if (!is_reserved_) reserve();
    if (bytes > slot_bytes || free_.empty()) return nullptr;
    char* const slot = free_.back();
    if (mprotect(slot, bytes, PROT_READ | PROT_WRITE) != 0) return nullptr;
    free_.pop_back();
    return slot;
  }

  // Returns false if the memory is no slot.
  bool give(char* memory) {
    const std::lock_guard lock(mutex_);
    if (!start_ || memory < start_ || memory >= start_ + reserved_bytes) return false;
    madvise(memory, slot_bytes, MADV_DONTNEED);
    mprotect(memory, slot_bytes, PROT_NONE);
    free_.push_back(memory);
    return true;
  }

 private:
  void reserve() {
    is_reserved_ = true;
    void* const space = map_pages(reserved_bytes, PROT_NONE, MAP_NORESERVE);
    if (space == MAP_FAILED) return;
    start_ = static_cast<char*>(space);
    for (size_t at = reserved_bytes; at > 0; at -= slot_bytes) free_.push_back(start_ + at - slot_bytes);
  }

  std::mutex mutex_;
  bool is_reserved_ = false;
  char* start_ = nullptr;
  std::vector<char*> free_;
};

}  // namespace

char* take_cluster_arena(size_t bytes) {
  if (char* const slot = slots::all().take(bytes)) return slot;
  void* const pages = map_pages(bytes, PROT_READ | PROT_WRITE, 0);
  if (pages == MAP_FAILED) throw std::bad_alloc();
  return static_cast<char*>(pages);
}

void give_cluster_arena(char* memory, size_t bytes) {
  if (!slots::all().give(memory)) munmap(memory, bytes);
}

}  // namespace cohort::engine
