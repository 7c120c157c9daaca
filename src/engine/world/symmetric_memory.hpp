// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cohort::engine {

// An allocation of symmetric memory. The memory of a process's ranks is one range, in the order of the ranks.
struct symmetric_segment {
  std::vector<char*> of_process;  // index: process; null if this one cannot access it; empty after the release
  size_t rank_bytes = 0;          // a multiple of 64
  void* handle = nullptr;         // the network's handle
};

// A location in symmetric memory, of any rank.
struct symmetric_place {
  size_t segment;
  size_t offset;  // offset in the memory of a rank
};

// The symmetric memory of a world. Host code changes it while no launch runs; kernels read it.
class symmetric_memory {
 public:
  symmetric_memory(uint32_t process, uint32_t local_ranks) : process_(process), local_ranks_(local_ranks) {}

  // Adds a segment and returns its number.
  size_t add(symmetric_segment segment);
  // The number of the segment that begins at `memory` in this process, or -1.
  std::ptrdiff_t find_begin(const void* memory) const;
  symmetric_segment& segment(size_t number) { return segments_[number]; }
  const std::vector<symmetric_segment>& segments() const { return segments_; }

  // Finds the location of an address in this process's own memory. False if it is no symmetric memory.
  bool find(const void* address, symmetric_place* found) const;
  // Address of the location in the memory of `rank`; null if this process cannot access it.
  char* address(const symmetric_place& place, uint32_t rank) const;
  // True if `bytes` bytes at the location lie in the memory of one rank.
  bool contains(const symmetric_place& place, size_t bytes) const;

 private:
  uint32_t process_, local_ranks_;
  std::vector<symmetric_segment> segments_;
};

}  // namespace cohort::engine
