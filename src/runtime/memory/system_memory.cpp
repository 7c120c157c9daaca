// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "system_memory.hpp"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace cohort::runtime {

namespace {

// Allocations of at least 1 MiB are mapped separately, aligned to huge pages: with 4 KiB pages a sum over a large array
// spends much of its time on address translation.
constexpr size_t huge_page = size_t{2} << 20;
constexpr size_t least_mapped = size_t{1} << 20;
constexpr size_t most_bytes = SIZE_MAX / 4;

size_t round_up(size_t value, size_t multiple) { return (value + multiple - 1) / multiple * multiple; }

void* map_memory(size_t bytes) {
  const size_t length = round_up(bytes, huge_page);
  // Without MAP_NORESERVE the system refuses a size that it can never provide.
  void* const first = mmap(nullptr, length + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (first == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(first);
  const size_t before = round_up(reinterpret_cast<uintptr_t>(begin), huge_page) - reinterpret_cast<uintptr_t>(begin);
  if (before > 0) munmap(begin, before);
  if (before < huge_page) munmap(begin + before + length, huge_page - before);
  madvise(begin + before, length, MADV_HUGEPAGE);
  return begin + before;
}

}  // namespace

void* obtain_memory(size_t bytes) {
  if (bytes > most_bytes) return nullptr;
  if (bytes >= least_mapped) return map_memory(bytes);
  return std::aligned_alloc(memory_alignment, round_up(bytes, memory_alignment));
}

void release_memory(void* memory, size_t bytes) {
  if (bytes >= least_mapped) {
    munmap(memory, round_up(bytes, huge_page));
  } else {
    std::free(memory);
  }
}

}  // namespace cohort::runtime
