// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special registers. Each function takes the axis of .x, .y or .z; registers without axes ignore it.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/isa/table.hpp"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace cohort::ptx {
namespace {

llvm::Value* position(builder& b, port_call function, unsigned axis) { return call(b, function, {b.getInt32(axis)}); }

llvm::Value* thread_index(builder& b, unsigned axis) { return position(b, port_call::cohort_thread_index, axis); }
llvm::Value* block_size(builder& b, unsigned axis) { return position(b, port_call::cohort_block_dim, axis); }
llvm::Value* block_index(builder& b, unsigned axis) { return position(b, port_call::cohort_block_index, axis); }
llvm::Value* grid_size(builder& b, unsigned axis) { return position(b, port_call::cohort_grid_dim, axis); }
llvm::Value* cluster_size(builder& b, unsigned axis) { return position(b, port_call::cohort_cluster_dim, axis); }
llvm::Value* index_in_cluster(builder& b, unsigned axis) {
  return b.CreateURem(block_index(b, axis), cluster_size(b, axis));
}
llvm::Value* cluster_index(builder& b, unsigned axis) {
  return b.CreateUDiv(block_index(b, axis), cluster_size(b, axis));
}
llvm::Value* clusters_of_grid(builder& b, unsigned axis) {
  return b.CreateUDiv(grid_size(b, axis), cluster_size(b, axis));
}

using axis_function = llvm::function_ref<llvm::Value*(builder&, unsigned)>;

// The rank of a position in a box: (z * size of y + y) * size of x + x.
llvm::Value* linear_rank(builder& b, axis_function index, axis_function size) {
  auto* plane = b.CreateAdd(b.CreateMul(index(b, 2), size(b, 1)), index(b, 1));
  return b.CreateAdd(b.CreateMul(plane, size(b, 0)), index(b, 0));
}

llvm::Value* volume(builder& b, axis_function size) {
  return b.CreateMul(b.CreateMul(size(b, 0), size(b, 1)), size(b, 2));
}

llvm::Value* rank_in_cluster(builder& b, unsigned) { return linear_rank(b, index_in_cluster, cluster_size); }
llvm::Value* blocks_of_cluster(builder& b, unsigned) { return volume(b, cluster_size); }
llvm::Value* thread_rank(builder& b) { return linear_rank(b, thread_index, block_size); }
llvm::Value* warp_rank(builder& b, unsigned) { return b.CreateLShr(thread_rank(b), 5); }
llvm::Value* warps_of_block(builder& b, unsigned) {
  return b.CreateLShr(b.CreateAdd(volume(b, block_size), b.getInt32(31)), 5);
}

llvm::Value* this_lane(builder& b, unsigned) { return b.CreateShl(b.getInt32(1), lane_rank(b)); }
llvm::Value* lanes_below(builder& b, unsigned) { return b.CreateSub(this_lane(b, 0), b.getInt32(1)); }
llvm::Value* lanes_from_this(builder& b, unsigned) { return b.CreateNot(lanes_below(b, 0)); }
llvm::Value* lanes_to_this(builder& b, unsigned) {
  auto* one = this_lane(b, 0);
  return b.CreateOr(b.CreateSub(one, b.getInt32(1)), one);
}
llvm::Value* lanes_above(builder& b, unsigned) { return b.CreateNot(lanes_to_this(b, 0)); }

llvm::Value* clock_low(builder& b, unsigned) { return call(b, port_call::cohort_clock); }
llvm::Value* clock_high(builder& b, unsigned) { return b.CreateLShr(clock_low(b, 0), 32); }
llvm::Value* time_low(builder& b, unsigned) { return call(b, port_call::cohort_nanoseconds); }
llvm::Value* time_high(builder& b, unsigned) { return b.CreateLShr(time_low(b, 0), 32); }
llvm::Value* multiprocessor(builder& b, unsigned) { return b.getInt32(0); }
llvm::Value* multiprocessors(builder& b, unsigned) { return b.getInt32(1); }

llvm::Value* grid_number(builder& b, unsigned) { return call(b, port_call::cohort_grid_number); }
llvm::Value* explicit_cluster(builder& b, unsigned) {
  return b.CreateIsNotNull(call(b, port_call::cohort_cluster_is_explicit));
}
llvm::Value* shared_bytes(builder& b, uint32_t kind) {
  return call(b, port_call::cohort_shared_bytes, {b.getInt32(kind)});
}
llvm::Value* dynamic_shared(builder& b, unsigned) { return shared_bytes(b, 0); }
llvm::Value* total_shared(builder& b, unsigned) { return shared_bytes(b, 1); }
llvm::Value* aggregate_shared(builder& b, unsigned) { return shared_bytes(b, 2); }
llvm::Value* current_graph(builder& b, unsigned) { return call(b, port_call::cohort_runtime_current_graph); }

}  // namespace

llvm::Value* lane_rank(builder& b, unsigned) { return b.CreateAnd(thread_rank(b), 31); }

llvm::Value* special_register(builder& b, std::string_view name) {
  // A function for each row of special_registers(), in the order of the rows.
  static constexpr llvm::Value* (*functions[])(builder&, unsigned axis) = {
#define SECTION(title, note)
#define REGISTER(name, types, emit) emit,
#define ROW(pattern, types, operands, emit)
#include "lower/ptx/isa/instructions.def"
  };
  const special_register_form* const found = find_special_register(name);
  if (!found) {
    return nullptr;
  }
  const bool has_axis = name[name.size() - 2] == '.';
  return functions[found - special_registers().data()](b, has_axis ? static_cast<unsigned>(name.back() - 'x') : 0);
}

}  // namespace cohort::ptx
