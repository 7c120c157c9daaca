// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cluster.hpp"

#include "block.hpp"
#include "grid.hpp"

namespace cohort::engine {

namespace {

bool lies_in(const void* address, const char* start, size_t bytes) {
  const char* place = static_cast<const char*>(address);
  return place >= start && place < start + bytes;
}

const tagged_storage* tagged_around(const block& b, const void* address) {
  for (const tagged_storage& s : b.tagged) {
    if (lies_in(address, s.start, s.bytes)) return &s;
  }
  return nullptr;
}

}  // namespace

uint32_t rank_in_cluster(const block& b) {
  const uint32_t* dim = b.cluster_dim;
  return (b.block_index[2] % dim[2] * dim[1] + b.block_index[1] % dim[1]) * dim[0] + b.block_index[0] % dim[0];
}

block* block_of_cluster(block& b, uint32_t rank) {
  if (!b.cluster) return rank == 0 ? &b : nullptr;
  return rank < b.cluster->blocks.size() ? b.cluster->blocks[rank] : nullptr;
}

block* owner_of_shared(block& b, const void* address) {
  const auto holds = [&](const block& c) {
    return lies_in(address, c.static_shared, c.shared_bytes) || tagged_around(c, address);
  };
  if (holds(b)) return &b;
  if (!b.cluster) return nullptr;
  for (block* other : b.cluster->blocks) {
    if (holds(*other)) return other;
  }
  return nullptr;
}

void* same_shared_place(block& from, block& to, const void* address) {
  const char* place = static_cast<const char*>(address);
  if (const tagged_storage* s = tagged_around(from, address)) {
    char* start = static_cast<char*>(tagged_shared(to, s->tag, s->bytes, s->alignment));
    return start ? start + (place - s->start) : nullptr;
  }
  return to.static_shared + (place - from.static_shared);
}

size_t shared_in_use(const block& b) {
  size_t used = b.grid->launch->kernel->static_shared_bytes + b.grid->launch->dynamic_shared_bytes;
  for (const tagged_storage& s : b.tagged) used += s.bytes;
  return used;
}

void* tagged_shared(block& b, const void* tag, size_t size, size_t alignment) {
  for (const tagged_storage& s : b.tagged) {
    if (s.tag == tag) return s.start;
  }
  const size_t limit = b.grid->device->shared_per_block_optin;
  if (size > limit || shared_in_use(b) + size > limit) return nullptr;
  tagged_storage s{tag, std::unique_ptr<char[]>(new char[size + alignment]()), nullptr, size, alignment};
  s.start = align_up(s.memory.get(), alignment);
  b.tagged.push_back(std::move(s));
  return b.tagged.back().start;
}

}  // namespace cohort::engine
