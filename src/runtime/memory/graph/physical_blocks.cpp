// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/graph/physical_blocks.hpp"

#include <algorithm>

#include "runtime/guard/device_heap.hpp"
#include "runtime/guard/pages.hpp"
#include "runtime/memory/allocation_table.hpp"

namespace cohort::runtime {

namespace {

// A block is used for memory of at least its size divided by this. Smaller memory gets a block of its own.
constexpr size_t most_waste = 2;

struct device_blocks {
  std::vector<physical_block_ref> blocks;
  physical_use use;
};

// The blocks of a device. Never destroyed.
device_blocks& blocks_of(int device) {
  static auto* const all = new std::map<int, device_blocks>;
  return (*all)[device];
}

void change_reserved(int device, size_t added, size_t removed) {
  physical_use& use = blocks_of(device).use;
  use.reserved += added - removed;
  use.reserved_high = std::max(use.reserved_high, use.reserved);
}

physical_block_ref make_block(int device, size_t bytes) {
  if (!allocation_table::instance().charge(device, bytes)) return nullptr;
  auto made = std::make_shared<physical_block>(device, bytes);
  blocks_of(device).blocks.push_back(made);
  change_reserved(device, bytes, 0);
  return made;
}

void drop_block(const physical_block_ref& block) {
  std::erase(blocks_of(block->device).blocks, block);
  allocation_table::instance().discharge(block->device, block->bytes);
  change_reserved(block->device, 0, block->bytes);
  block->holder.reset();
}

}  // namespace

physical_block_ref block_of(const graph_memory& memory) {
  const physical_block_ref block = memory.block.lock();
  return block && block->holder.lock().get() == &memory ? block : nullptr;
}

bool launch_blocks::is_usable(const physical_block_ref& block, const std::function<bool(size_t)>& follows) const {
  if (const auto here = used_.find(block); here != used_.end()) {
    const std::optional<size_t>& freed = here->second;
    return freed && follows(*freed);
  }
  return !block->is_bound && (block->stream == stream_ || block->is_idle());
}

void launch_blocks::hold(const physical_block_ref& block, const graph_memory_ref& memory, bool is_new) {
  changes_.push_back({block, block->holder.lock(), is_new});
  block->holder = memory;
  memory->block = block;
  used_[block] = std::nullopt;
}

cudaError_t launch_blocks::take(const graph_memory_ref& memory, const std::function<bool(size_t)>& follows,
                                graph_memory_ref* former) {
  *former = nullptr;
  const size_t bytes = whole_pages(memory->range.bytes);
  // The launch waits for the memory's own latest use.
  const physical_block_ref own = block_of(*memory);
  if (own && (!used_.contains(own) || is_usable(own, follows))) {
    used_[own] = std::nullopt;
    return cudaSuccess;
  }
  physical_block_ref best;
  for (const physical_block_ref& block : blocks_of(memory->device).blocks) {
    const bool fits = block->bytes >= bytes && block->bytes / most_waste <= bytes;
    if (fits && (!best || block->bytes < best->bytes) && is_usable(block, follows)) best = block;
  }
  if (best) {
    *former = best->holder.lock();
    hold(best, memory, false);
    return cudaSuccess;
  }
  physical_block_ref fresh = make_block(memory->device, bytes);
  if (!fresh) {
    trim_physical_memory(memory->device, [this](const physical_block_ref& block) { return used_.contains(block); });
    fresh = make_block(memory->device, bytes);
  }
  if (!fresh) return cudaErrorMemoryAllocation;
  hold(fresh, memory, true);
  return cudaSuccess;
}

void launch_blocks::give(const graph_memory& memory, size_t step) {
  if (const physical_block_ref block = block_of(memory)) used_[block] = step;
}

void launch_blocks::undo() {
  while (!changes_.empty()) {
    const change last = std::move(changes_.back());
    changes_.pop_back();
    last.block->holder = last.before;
    if (last.is_new) drop_block(last.block);
  }
  used_.clear();
}

std::vector<physical_block_ref> launch_blocks::commit(const operation_ref& end) {
  std::vector<physical_block_ref> all;
  for (const auto& [block, freed] : used_) {
    block->release(end, stream_);
    block->is_bound = !freed;
    all.push_back(block);
  }
  // The launch drops the pages of blocks' former holders, which counts as a use of their memory.
  for (const change& each : changes_) {
    if (each.before) each.before->last_use = end;
  }
  return all;
}

physical_use& use_of(int device) { return blocks_of(device).use; }

void count_use(int device) {
  device_blocks& all = blocks_of(device);
  all.use.used = 0;
  for (const physical_block_ref& block : all.blocks) {
    // Executable graphs hold the other references.
    if (block->is_bound || block.use_count() > 1) all.use.used += block->bytes;
  }
  all.use.used_high = std::max(all.use.used_high, all.use.used);
}

void trim_physical_memory(int device, const std::function<bool(const physical_block_ref&)>& kept) {
  const std::vector<physical_block_ref> all = blocks_of(device).blocks;
  for (const physical_block_ref& block : all) {
    if (!block->is_idle() || kept(block)) continue;
    if (const graph_memory_ref holder = block->holder.lock()) process_heap().discard(holder->range);
    drop_block(block);
  }
}

void forget_physical_memory(int device) {
  const std::vector<physical_block_ref> all = blocks_of(device).blocks;
  for (const physical_block_ref& block : all) drop_block(block);
  blocks_of(device).use = {};
}

}  // namespace cohort::runtime
