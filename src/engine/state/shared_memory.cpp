// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/state/shared_memory.hpp"

#include <unistd.h>

#include <cstring>

#include <cohort/base/red_zone.hpp>
#include <cohort/base/round_up.hpp>
#include <cohort/machine/cpu/port.hpp>

#include "engine/state/cluster.hpp"
#include "engine/state/cluster_arenas.hpp"
#include "engine/state/failure.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/running.hpp"
#include "engine/state/storage.hpp"

namespace cohort::engine {

namespace {

constexpr size_t arena_alignment = cohort_shared_alignment;
constexpr size_t arena_margin = cohort_shared_margin;
constexpr size_t least_red_zone = 16;
constexpr int ended_byte = 0xfb;  // a float of such bytes is -2.6e36, an int -67372037

bool lies_in(const void* address, const char* start, size_t bytes) {
  const char* at = static_cast<const char*>(address);
  return at >= start && at < start + bytes;
}

size_t shared_limit(const block& b) { return b.grid->device->shared_per_block_optin; }

using arena = std::unique_ptr<char[], release_arena>;

arena map_arena(size_t bytes) {
  bytes = detail::round_up(bytes, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  return arena(take_cluster_arena(bytes), release_arena{bytes});
}

}  // namespace

void release_arena::operator()(char* memory) const {
  if (mapped_bytes) {
    detail::end_red_zone(memory, memory + mapped_bytes);
    give_cluster_arena(memory, mapped_bytes);
  } else {
    delete[] memory;
  }
}

void shared_memory::provide(const cohort_kernel& kernel, size_t dynamic_bytes, bool is_in_cluster) {
  const size_t red_zone = detail::has_red_zones() ? least_red_zone : 0;
  static_bytes_ = kernel.static_shared_bytes;
  static_room_ = detail::round_up(static_bytes_ + (static_bytes_ != 0 ? red_zone : 0), arena_alignment);
  dynamic_bytes_ = dynamic_bytes;
  const size_t needed = static_room_ + dynamic_bytes + red_zone + arena_alignment + 2 * arena_margin;
  if (needed > arena_bytes_ || (is_in_cluster && !arena_.get_deleter().mapped_bytes)) {
    arena_ = is_in_cluster ? map_arena(needed) : arena(new char[needed]);
    arena_bytes_ = needed;
    start_ = align_up(arena_.get() + arena_margin, arena_alignment);
    marked_ = {};
  }
  tagged_.clear();
  if (red_zone != 0) mark_red_zones({start_, static_bytes_, dynamic_bytes_, kernel.shared_gaps});
}

// Makes all of the arena except the variables a red zone.
void shared_memory::mark_red_zones(const red_zones& wanted) {
  if (marked_ == wanted) return;
  marked_ = wanted;
  const uint32_t* gaps = wanted.gaps;
  const char* const end = arena_.get() + arena_bytes_;
  const char* const dynamic_end = dynamic_start() + dynamic_bytes_;
  detail::end_red_zone(arena_.get(), end);
  detail::make_red_zone(arena_.get(), start_);
  for (; gaps && gaps[1] != 0; gaps += 2) detail::make_red_zone(start_ + gaps[0], start_ + gaps[1]);
  detail::make_red_zone(start_ + static_bytes_, dynamic_start());
  detail::make_red_zone(dynamic_end, end);
}

void shared_memory::overwrite() {
  detail::end_red_zone(arena_.get(), arena_.get() + arena_bytes_);
  marked_ = {};
  std::memset(start_, ended_byte, static_room_ + dynamic_bytes_);
  for (const tagged_storage& s : tagged_) std::memset(s.start, ended_byte, s.bytes);
}

bool shared_memory::lies_in_arena(const void* address) const {
  return lies_in(address, start_, static_room_ + dynamic_bytes_);
}

const shared_memory::tagged_storage* shared_memory::tagged_around(const void* address) const {
  for (const tagged_storage& s : tagged_) {
    if (lies_in(address, s.start, s.bytes)) return &s;
  }
  return nullptr;
}

size_t shared_memory::bytes_in_use() const {
  size_t used = static_bytes_ + dynamic_bytes_;
  for (const tagged_storage& s : tagged_) used += s.bytes;
  return used;
}

void* shared_memory::tagged(const void* tag, size_t bytes, size_t alignment, size_t limit) {
  for (const tagged_storage& s : tagged_) {
    if (s.tag == tag) return s.start;
  }
  if (bytes > limit || bytes_in_use() + bytes > limit) return nullptr;
  const size_t needed = bytes + alignment + 2 * arena_margin;
  tagged_storage s{tag, std::unique_ptr<char[]>(new char[needed]()), nullptr, bytes, alignment};
  s.start = align_up(s.memory.get() + arena_margin, alignment);
  detail::make_red_zone(s.memory.get(), s.start);
  detail::make_red_zone(s.start + bytes, s.memory.get() + needed);
  tagged_.push_back(std::move(s));
  return tagged_.back().start;
}

void* shared_memory::counterpart(const shared_memory& from, const void* address, size_t limit) {
  const char* at = static_cast<const char*>(address);
  if (const tagged_storage* s = from.tagged_around(address)) {
    char* start = static_cast<char*>(tagged(s->tag, s->bytes, s->alignment, limit));
    return start ? start + (at - s->start) : nullptr;
  }
  return start_ + (at - from.start_);
}

block* owner_of_shared(block& b, const void* address) {
  if (b.shared.holds(address)) return &b;
  if (!b.cluster) return nullptr;
  for (block* other : b.cluster->blocks) {
    if (other->shared.holds(address)) return other;
  }
  return nullptr;
}

void* tagged_shared(const void* tag, size_t bytes, size_t alignment, const void* place) {
  block& b = current_block();
  if (void* storage = b.shared.tagged(tag, bytes, alignment, shared_limit(b))) return storage;
  fail_at(
      place, error_launch_out_of_resources,
      "cohort::shared: %zu bytes more do not fit into the block's shared memory, of which %zu of %zu bytes are used",
      bytes, b.shared.bytes_in_use(), shared_limit(b));
}

void* map_cluster_shared(const void* address, uint32_t rank, const void* place) {
  block& b = current_block();
  const block* owner = owner_of_shared(b, address);
  if (!owner) {
    fail_at(place, error_launch_failure,
            "cluster_group.map_shared_rank: the address %p does not lie in the shared memory of a block of the cluster",
            address);
  }
  block* target = block_of_cluster(b, rank);
  if (!target) {
    fail_at(place, error_launch_failure,
            "cluster_group.map_shared_rank: the cluster has no block with rank %u; it has %u blocks", rank,
            b.cluster_dim[0] * b.cluster_dim[1] * b.cluster_dim[2]);
  }
  // cppcheck-suppress nullPointerRedundantCheck; fail_at does not return
  if (void* mapped = target->shared.counterpart(owner->shared, address, shared_limit(b))) return mapped;
  fail_at(place, error_launch_out_of_resources,
          "cluster_group.map_shared_rank: the shared memory of block %u of the cluster is used up", rank);
}

uint32_t owner_of_cluster_shared(const void* address, const void* place) {
  if (const block* owner = owner_of_shared(current_block(), address)) return rank_in_cluster(*owner);
  fail_at(place, error_launch_failure,
          "cluster_group.query_shared_rank: the address %p does not lie in the shared memory of a block of the cluster",
          address);
}

void* scratch_of_cluster(uint32_t rank, const void* place) {
  block* target = block_of_cluster(current_block(), rank);
  if (!target) fail_at(place, error_launch_failure, "the cluster has no block with rank %u", rank);
  // cppcheck-suppress nullPointerRedundantCheck; fail_at does not return
  if (!target->scratch.is_used()) target->scratch.use() = {};
  return target->scratch->bytes;
}

}  // namespace cohort::engine
