// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "count/gather/memory_spaces.hpp"

namespace cohort::count {

space memory_spaces::keep(const void* first, uint64_t bytes, space kind) {
  known_[next_++ % known_.size()] = {reinterpret_cast<uint64_t>(first), bytes, kind};
  return kind;
}

space memory_spaces::look_up(const tools::block_view& block, const void* address) {
  if (block.holds_private(address)) return space::unknown;
  if (block.has_cluster()) {
    for (const tools::block_view member : block.cluster()) {
      if (member.holds_shared(address)) return space::cluster;
    }
  }
  tools::allocation allocation;
  if (tools::find_allocation(address, &allocation)) return keep(allocation.base, allocation.bytes, space::global);
  tools::variable variable;
  if (tools::find_variable(address, &variable)) {
    return keep(variable.address, variable.bytes, variable.is_constant ? space::unknown : space::global);
  }
  const tools::heap_place heap = tools::find_in_heap(address);
  if (heap.has_block) return keep(heap.block.data(), heap.block.size(), space::global);
  return space::unknown;
}

}  // namespace cohort::count
