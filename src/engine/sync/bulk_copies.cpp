// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/sync/bulk_copies.hpp"

#include <atomic>
#include <cohort/base/cuda_error.hpp>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/state/bulk_copies.hpp"
#include "engine/state/cluster.hpp"
#include "engine/state/failure.hpp"
#include "engine/state/running.hpp"
#include "engine/state/shared_memory.hpp"
#include "engine/sync/event.hpp"
#include "engine/sync/mbarrier.hpp"

namespace cohort::engine {

namespace {

constexpr uintptr_t copy_alignment = 16, box_alignment = 128;

bulk_table& bulk_table_of(block& b) {
  if (!b.bulk.is_used()) {
    bulk_table& table = b.bulk.use();
    table.counted.clear();
    table.groups.resize(b.threads_total);
    for (bulk_groups& of_thread : table.groups) of_thread.forget();
  }
  return *b.bulk;
}

bool is_aligned(const void* address, uintptr_t alignment) {
  return reinterpret_cast<uintptr_t>(address) % alignment == 0;
}

void check_address(const cohort_bulk_copy& c, const char* role, const void* address, uintptr_t alignment,
                   const void* place) {
  if (is_aligned(address, alignment)) return;
  fail_at(place, error_misaligned_address, "%s: the %s %p is not a multiple of %u", c.name, role, address,
          static_cast<unsigned>(alignment));
}

// False for a map that tensormap.replace has made in part.
bool is_complete(const cohort_tensor_map& m) {
  const unsigned extents = m.mode == cohort_tensor_im2col ? 2 : m.rank;
  for (unsigned i = 0; i < m.rank; ++i) {
    if (m.steps[i] == 0 || (i < extents && m.box[i] == 0)) return false;
  }
  return m.rank != 0;
}

void check_map(const cohort_bulk_copy& c, const void* place) {
  const cohort_tensor_map& m = *c.map;
  if (m.mark != COHORT_TENSOR_MAP_MARK) {
    fail_at(place, error_illegal_instruction, "%s: there is no tensor map at %p; cuTensorMapEncodeTiled() makes one",
            c.name, static_cast<const void*>(c.map));
  }
  if (m.interleave != 0) {
    fail_at(place, error_illegal_instruction,
            "%s: the tensor map interleaves, which does not run on a CPU; encode it with CU_TENSOR_MAP_INTERLEAVE_NONE",
            c.name);
  }
  if (!is_complete(m)) {
    fail_at(place, error_illegal_instruction, "%s: the tensor map at %p lacks sizes of its box or of its steps", c.name,
            static_cast<const void*>(c.map));
  }
  if (m.rank != c.rank) {
    fail_at(place, error_illegal_instruction, "%s: the tensor map has %u dimensions, the instruction has %u", c.name,
            m.rank, c.rank);
  }
  if (m.mode != c.mode) {
    const bool is_tile = m.mode == cohort_tensor_tile;
    fail_at(place, error_illegal_instruction, "%s: the tensor map is %s, the instruction is %s", c.name,
            is_tile ? "tiled" : "im2col", is_tile ? "im2col" : "tiled");
  }
  const auto reduction = static_cast<cohort_bulk_reduction>(c.reduction);
  if (reduction != cohort_bulk_copies && !can_reduce(reduction, static_cast<cohort_tensor_type>(m.type))) {
    fail_at(place, error_illegal_instruction, "%s: the type of the tensor map's elements has no such reduction",
            c.name);
  }
}

// Rules of the hardware for coordinates, which PTX does not state.
void check_coordinates(const cohort_bulk_copy& c, const void* place) {
  const int64_t bytes = int64_t{c.coordinates[0]} * tensor_type_bytes[c.map->type];
  if (bytes % static_cast<int64_t>(copy_alignment) != 0) {
    fail_at(place, error_illegal_instruction,
            "%s: the first coordinate is %d, which is %lld bytes; it must be a multiple of 16 bytes", c.name,
            c.coordinates[0], static_cast<long long>(bytes));
  }
  for (unsigned i = 0; c.direction == cohort_bulk_store && c.mode == cohort_tensor_tile && i < c.rank; ++i) {
    if (c.coordinates[i] >= 0) continue;
    fail_at(place, error_illegal_instruction, "%s: coordinate %u is %d; a store takes no negative coordinate", c.name,
            i, c.coordinates[i]);
  }
}

void check_copy(const cohort_bulk_copy& c, const void* place) {
  const bool stores = c.direction == cohort_bulk_store;
  if (c.map) {
    check_map(c, place);
    check_coordinates(c, place);
    check_address(c, "address in shared memory", stores ? c.from : c.to, box_alignment, place);
  } else {
    check_address(c, "destination", c.to, copy_alignment, place);
    check_address(c, "source", c.from, copy_alignment, place);
    if (c.bytes % copy_alignment != 0) {
      fail_at(place, error_misaligned_address, "%s: the size of %u bytes is not a multiple of 16", c.name, c.bytes);
    }
  }
}

// Shared memory that a copy counted by an mbarrier writes, and the mbarrier, lie in one block.
block& find_target(block& b, const cohort_bulk_copy& c, const void* place) {
  block* const target = owner_of_shared(b, c.to);
  if (!target) {
    fail_at(place, error_illegal_address,
            "%s: the destination %p does not lie in the shared memory of a block of the cluster", c.name, c.to);
  }
  if (owner_of_shared(b, c.mbarrier) != target) {
    fail_at(place, error_illegal_address,
            "%s: the mbarrier %p does not lie in the shared memory of the destination's block", c.name,
            static_cast<void*>(c.mbarrier));
  }
  return *target;
}

// Raises the event `Step` of the copy, if a listener exists.
template <class Step>
void tell(const placed_copy& of) {
  if (!has_listener()) return;
  std::vector<bulk_bytes> runs;
  of.copy.for_each_piece([&](void* to, const void* from, size_t bytes) {
    runs.push_back({to, of.copy.is_pattern(from) ? nullptr : from, bytes});
  });
  tell_listeners(Step{{of.number, of.by, of.thread, runs.data(), runs.size(), of.place, of.copy.mbarrier(),
                       of.copy.reduces(), of.copy.was_read()}});
}

placed_copy placed(const cohort_bulk_copy& c, const block& b, const void* place) {
  static std::atomic<uint64_t> last{0};
  return {last.fetch_add(1, std::memory_order_relaxed) + 1, bulk_copy(c), place, &b,
          cohort_current_thread->thread_rank};
}

// Starts a copy whose bytes an mbarrier of `target` counts.
void start_counted(block& target, placed_copy started) {
  tell<bulk_started>(started);
  bulk_table_of(target).counted.push_back(std::move(started));
}

// The copy as block `rank` of the cluster receives it: at the same places of its shared memory.
void start_for_block(block& b, cohort_bulk_copy c, uint32_t rank, const void* place) {
  block* const target = block_of_cluster(b, rank);
  if (!target) fail_at(place, error_illegal_instruction, "%s: the cluster has no block with rank %u", c.name, rank);
  c.to = map_cluster_shared(c.to, rank, place);
  c.mbarrier = static_cast<uint64_t*>(map_cluster_shared(c.mbarrier, rank, place));
  start_counted(*target, placed(c, b, place));
}

bool is_awaited(const block& b, const uint64_t* mbarrier) {
  for (uint32_t i = 0; i < b.warp_count; ++i) {
    for (uint32_t left = b.mbarriers->waiting[i]; left; left &= left - 1) {
      if (b.mbarriers->waits[i * lanes_per_warp + lowest(left)].word == mbarrier) return true;
    }
  }
  return false;
}

// Executes the due copies among the block's counted ones. All due copies are selected first, because executing one may
// end the wait by which another is due. No lane runs meanwhile, so no copy starts.
template <class IsDue>
void make_counted(block& b, IsDue is_due) {
  std::vector<placed_copy>& waiting = b.bulk->counted;
  std::vector<placed_copy> due;
  auto kept = waiting.begin();
  for (auto c = waiting.begin(); c != waiting.end(); ++c) {
    if (is_due(*c)) {
      due.push_back(std::move(*c));
    } else {
      if (kept != c) *kept = std::move(*c);
      ++kept;
    }
  }
  waiting.erase(kept, waiting.end());
  for (placed_copy& c : due) {
    c.copy.make();
    tell<bulk_executed>(c);
    if (complete_bytes(c.copy.mbarrier(), c.copy.bytes(), c.copy.name(), c.place)) {
      raise_event(bulk_completed_phase{c.by, c.thread, c.copy.mbarrier()});
    }
  }
}

// Reads the source of a copy of a bulk group.
void read_of_group(placed_copy& started) {
  if (started.copy.was_read()) return;
  tell<bulk_source_read>(started);
  started.copy.read();
}

// Executes a copy of a bulk group. The thread that started the copy calls this.
void make_of_group(placed_copy& started) {
  started.copy.make();
  tell<bulk_executed>(started);
}

}  // namespace

void start_bulk_copy(const cohort_bulk_copy& copy, const void* place) {
  check_copy(copy, place);
  block& b = current_block();
  if (!copy.mbarrier) {
    placed_copy started = placed(copy, b, place);
    tell<bulk_started>(started);
    return bulk_table_of(b).groups[started.thread].add(std::move(started));
  }
  block& target = find_target(b, copy, place);
  if (copy.blocks == 0) return start_counted(target, placed(copy, b, place));
  for (uint32_t left = copy.blocks & ~COHORT_BULK_MULTICAST; left; left &= left - 1) {
    start_for_block(b, copy, lowest(left), place);
  }
}

void make_awaited_copies(block& b) {
  if (!b.bulk.is_used() || !b.mbarriers.is_used()) return;
  make_counted(b, [&](const placed_copy& c) { return is_awaited(b, c.copy.mbarrier()); });
}

void make_polled_copies(block& b) {
  if (!b.bulk.is_used()) return;
  make_counted(b, [](const placed_copy&) { return true; });
}

void commit_bulk_group() {
  block& b = current_block();
  if (b.bulk.is_used()) b.bulk->groups[current_lane()->thread_rank].commit();
}

void wait_bulk_groups(uint32_t left, bool read) {
  block& b = current_block();
  if (!b.bulk.is_used()) return;
  bulk_groups& groups = b.bulk->groups[current_lane()->thread_rank];
  if (read) {
    groups.for_all_but(left, read_of_group);
  } else {
    groups.make_all_but(left, make_of_group);
  }
}

void end_bulk_groups(block& b, uint32_t thread_rank) {
  if (b.bulk.is_used()) b.bulk->groups[thread_rank].make_all(make_of_group);
}

}  // namespace cohort::engine
