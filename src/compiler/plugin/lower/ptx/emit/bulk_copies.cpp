// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bulk copies and bulk reductions: calls of the device library, which describes each copy to the engine.
#include "lower/ptx/emit/emission.hpp"
#include "lower/ptx/emit/reductions.hpp"

#include <cohort/machine/cpu/port/bulk_copy.hpp>

namespace cohort::ptx {
namespace {

cohort_bulk_direction direction_of(const instruction& op) {
  return op.has("bulk_group") ? cohort_bulk_store : op.has("global") ? cohort_bulk_load : cohort_bulk_between_shared;
}

// The values of the optional operands in their order: an mbarrier, offsets, a mask of blocks.
struct rest_of_operands {
  llvm::Value* mbarrier;
  llvm::Value* offsets[3];
  llvm::Value* blocks;
};

rest_of_operands read_rest(emission& e, size_t next) {
  llvm::Value* const none = e.b.getInt16(0);
  rest_of_operands rest = {llvm::ConstantPointerNull::get(e.b.getPtrTy()), {none, none, none}, number(e, 0)};
  if (!e.op.has("bulk_group")) {
    rest.mbarrier = e.in[next++];
  }
  for (unsigned i = 0; e.op.has("im2col") && i + 2 < e.op.dimensions(); ++i) {
    rest.offsets[i] = e.in[next++];
  }
  if (e.op.has("multicast::cluster")) {
    rest.blocks = e.b.CreateOr(e.b.CreateZExt(e.in[next], e.b.getInt32Ty()), COHORT_BULK_MULTICAST);
  }
  return rest;
}

results call_tensor(emission& e, llvm::Value* shared, size_t map, size_t next) {
  const rest_of_operands rest = read_rest(e, next);
  llvm::SmallVector<llvm::Value*, 20> arguments = {
      number(e, direction_of(e.op)), number(e, operation_of(e.op)), shared, e.in[map], rest.mbarrier, rest.blocks};
  const bool is_im2col = e.op.has("im2col") || e.op.has("im2col_no_offs");
  arguments.push_back(number(e, e.op.dimensions()));
  arguments.push_back(number(e, is_im2col ? cohort_tensor_im2col : cohort_tensor_tile));
  for (unsigned i = 0; i < COHORT_TENSOR_RANKS; ++i) {
    arguments.push_back(i < e.op.dimensions() ? e.in[map + 1 + i] : number(e, 0));
  }
  arguments.append({rest.offsets[0], rest.offsets[1], rest.offsets[2]});
  const bool reduces = operation_of(e.op) != cohort_bulk_copies;
  arguments.push_back(e.b.CreateGlobalString(reduces ? "cp.reduce.async.bulk.tensor" : "cp.async.bulk.tensor"));
  call(e.b, ptx_call::cohort_ptx_bulk_tensor, arguments);
  return {};
}

}  // namespace

results copy_bulk(emission& e) {
  const cohort_bulk_reduction reduction = operation_of(e.op);
  const rest_of_operands rest = read_rest(e, 3);
  const bool reduces = reduction != cohort_bulk_copies;
  call(e.b, ptx_call::cohort_ptx_bulk_copy,
       {number(e, direction_of(e.op)), number(e, reduction), number(e, reduces ? number_type(e.of()) : 0), e.in[0],
        e.in[1], e.in[2], rest.mbarrier, rest.blocks,
        e.b.CreateGlobalString(reduces ? "cp.reduce.async.bulk" : "cp.async.bulk")});
  return {};
}

results load_tensor(emission& e) { return call_tensor(e, e.in[0], 1, 2 + e.op.dimensions()); }

results store_tensor(emission& e) {
  const size_t shared = 1 + e.op.dimensions();
  return call_tensor(e, e.in[shared], 0, shared + 1);
}

results commit_bulk_group(emission& e) {
  call(e.b, port_call::cohort_wait_bulk_commit);
  return {};
}

results wait_for_bulk_groups(emission& e) {
  call(e.b, port_call::cohort_wait_bulk_groups, {e.in[0], number(e, e.op.has("read") ? 1 : 0)});
  return {};
}

results replace_in_map(emission& e) {
  static constexpr struct {
    std::string_view word;
    cohort_tensor_field field;
  } fields[] = {{"global_address", cohort_tensor_address},
                {"rank", cohort_tensor_rank},
                {"box_dim", cohort_tensor_box},
                {"global_dim", cohort_tensor_size},
                {"global_stride", cohort_tensor_stride},
                {"element_stride", cohort_tensor_step},
                {"elemtype", cohort_tensor_element},
                {"interleave_layout", cohort_tensor_interleave},
                {"swizzle_mode", cohort_tensor_swizzle},
                {"fill_mode", cohort_tensor_fill}};
  unsigned field = 0;
  for (const auto& each : fields) {
    if (e.op.has(each.word)) {
      field = each.field;
    }
  }
  llvm::Value* const dimension = e.in.size() > 2 ? e.in[1] : number(e, 0);
  call(e.b, ptx_call::cohort_ptx_replace_in_map,
       {e.in[0], number(e, field), dimension, e.b.CreateZExt(e.in.back(), e.b.getInt64Ty())});
  return {};
}

results copy_map(emission& e) {
  call(e.b, ptx_call::cohort_ptx_copy_map, {e.in[0], e.in[1]});
  return {};
}

}  // namespace cohort::ptx
