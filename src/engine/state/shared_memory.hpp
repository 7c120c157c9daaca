// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared memory of a block: one arena for the kernel's variables, and storage by tag for plain C++ kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

struct cohort_kernel;

namespace cohort::engine {

struct block;

// Releases memory of operator new[], or mapped pages.
struct release_arena {
  size_t mapped_bytes = 0;
  void operator()(char* memory) const;
};

class shared_memory {
 public:
  // Provides memory for a new block: the kernel's static bytes, then `dynamic_bytes`. Drops the storage of all tags.
  // The memory of a block in a cluster comes from take_cluster_arena().
  void provide(const cohort_kernel& kernel, size_t dynamic_bytes, bool is_in_cluster);
  // Overwrites the variables of a block that has ended, so that a later read does not find the right values by luck.
  void overwrite();
  char* static_start() const { return start_; }
  char* dynamic_start() const { return start_ + static_room_; }

  bool holds(const void* address) const { return lies_in_arena(address) || tagged_around(address); }
  // Zero-filled storage that belongs to `tag`; made at the first call. Null: more than `limit` bytes would be in use.
  void* tagged(const void* tag, size_t bytes, size_t alignment, size_t limit);
  // The address in this memory that corresponds to `address` in `from`. Null: more than `limit` bytes would be in use.
  void* counterpart(const shared_memory& from, const void* address, size_t limit);
  size_t bytes_in_use() const;

 private:
  struct tagged_storage {
    const void* tag;
    std::unique_ptr<char[]> memory;
    char* start;
    size_t bytes;
    size_t alignment;
  };
  // The values that determine the red zones of the arena.
  struct red_zones {
    const char* start = nullptr;
    size_t static_bytes = 0, dynamic_bytes = 0;
    const uint32_t* gaps = nullptr;
    bool operator==(const red_zones&) const = default;
  };
  void mark_red_zones(const red_zones& wanted);
  bool lies_in_arena(const void* address) const;
  const tagged_storage* tagged_around(const void* address) const;

  std::unique_ptr<char[], release_arena> arena_;
  size_t arena_bytes_ = 0;
  char* start_ = nullptr;
  size_t static_bytes_ = 0;
  size_t static_room_ = 0;  // static_bytes_, rounded up
  size_t dynamic_bytes_ = 0;
  std::vector<tagged_storage> tagged_;
  red_zones marked_;  // the arena's red zones
};

// The block of the cluster of `b` whose shared memory holds `address`, or null.
block* owner_of_shared(block& b, const void* address);

// The functions of port.hpp that map shared memory, for the current lane. `place`: source place, for reports.
void* tagged_shared(const void* tag, size_t bytes, size_t alignment, const void* place);
void* map_cluster_shared(const void* address, uint32_t rank, const void* place);
uint32_t owner_of_cluster_shared(const void* address, const void* place);
void* scratch_of_cluster(uint32_t rank, const void* place);

}  // namespace cohort::engine
