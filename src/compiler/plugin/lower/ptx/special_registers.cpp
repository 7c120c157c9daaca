// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Special registers: %tid %ntid %ctaid %nctaid %cluster_ctaid %cluster_nctaid %clusterid %nclusterid (.x .y .z),
// %cluster_ctarank, %cluster_nctarank, %laneid, %warpid, %nwarpid, %lanemask_{eq,lt,le,gt,ge}, %clock, %clock64,
// %clock_hi, %globaltimer, %globaltimer_lo, %globaltimer_hi, %smid (0), %nsmid (1).
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/StringSwitch.h"

namespace cohort {

llvm::Value* ptx_lowering::position(const char* function, unsigned axis) {
  return call(function, builder_.getInt32Ty(), {builder_.getInt32(axis)});
}

// The rank of a position in a box: (z * size of y + y) * size of x + x.
llvm::Value* ptx_lowering::linear_rank(llvm::function_ref<llvm::Value*(unsigned)> index, const char* size_function) {
  auto* plane = builder_.CreateAdd(builder_.CreateMul(index(2), position(size_function, 1)), index(1));
  return builder_.CreateAdd(builder_.CreateMul(plane, position(size_function, 0)), index(0));
}

llvm::Value* ptx_lowering::volume(const char* size_function) {
  return builder_.CreateMul(builder_.CreateMul(position(size_function, 0), position(size_function, 1)),
                            position(size_function, 2));
}

llvm::Value* ptx_lowering::block_thread_rank() {
  return linear_rank([&](unsigned axis) { return position("cohort_thread_index", axis); }, "cohort_block_dim");
}

// Registers with .x, .y and .z: %tid, %ntid, %ctaid, %nctaid, %cluster_ctaid, %cluster_nctaid, %clusterid and
// %nclusterid. Null for any other name.
llvm::Value* ptx_lowering::axis_register(llvm::StringRef name, unsigned axis) {
  const char* function = llvm::StringSwitch<const char*>(name)
                             .Case("tid", "cohort_thread_index")
                             .Case("ntid", "cohort_block_dim")
                             .Case("ctaid", "cohort_block_index")
                             .Case("nctaid", "cohort_grid_dim")
                             .Default(nullptr);
  if (function) {
    return position(function, axis);
  }
  auto* blocks = position("cohort_cluster_dim", axis);
  if (name == "cluster_nctaid") {
    return blocks;
  }
  if (name == "cluster_ctaid") {
    return builder_.CreateURem(position("cohort_block_index", axis), blocks);
  }
  if (name == "clusterid") {
    return builder_.CreateUDiv(position("cohort_block_index", axis), blocks);
  }
  return name == "nclusterid" ? builder_.CreateUDiv(position("cohort_grid_dim", axis), blocks) : nullptr;
}

// %laneid, %warpid, %nwarpid, %lanemask_*; null for any other name.
llvm::Value* ptx_lowering::warp_register(llvm::StringRef name) {
  if (name == "laneid") {
    return builder_.CreateAnd(block_thread_rank(), 31);
  }
  if (name == "warpid") {
    return builder_.CreateLShr(block_thread_rank(), 5);
  }
  if (name == "nwarpid") {
    return builder_.CreateLShr(builder_.CreateAdd(volume("cohort_block_dim"), builder_.getInt32(31)), 5);
  }
  if (!name.consume_front("lanemask_")) {
    return nullptr;
  }
  auto* one = builder_.CreateShl(builder_.getInt32(1), builder_.CreateAnd(block_thread_rank(), 31));
  auto* below = builder_.CreateSub(one, builder_.getInt32(1));
  return llvm::StringSwitch<llvm::Value*>(name)
      .Case("eq", one)
      .Case("lt", below)
      .Case("le", builder_.CreateOr(below, one))
      .Case("gt", builder_.CreateNot(builder_.CreateOr(below, one)))
      .Case("ge", builder_.CreateNot(below))
      .Default(nullptr);
}

// The value of the register `name`, without the percent sign; null for an unknown register.
llvm::Value* ptx_lowering::special_register(llvm::StringRef name) {
  const auto [base, axis_name] = name.split('.');
  const size_t axis = axis_name.size() == 1 ? llvm::StringRef("xyz").find(axis_name[0]) : llvm::StringRef::npos;
  if (axis != llvm::StringRef::npos) {
    return axis_register(base, axis);
  }
  if (llvm::Value* value = warp_register(name)) {
    return value;
  }
  if (name == "cluster_ctarank") {
    return linear_rank([&](unsigned axis) { return axis_register("cluster_ctaid", axis); }, "cohort_cluster_dim");
  }
  if (name == "cluster_nctarank") {
    return volume("cohort_cluster_dim");
  }
  if (name == "clock" || name == "clock64" || name == "clock_hi") {
    llvm::Value* ticks = call("cohort_clock", builder_.getInt64Ty(), {});
    return name == "clock_hi" ? builder_.CreateLShr(ticks, 32) : ticks;
  }
  if (name == "globaltimer" || name == "globaltimer_lo" || name == "globaltimer_hi") {
    llvm::Value* time = call("cohort_nanoseconds", builder_.getInt64Ty(), {});
    return name == "globaltimer_hi" ? builder_.CreateLShr(time, 32) : time;
  }
  if (name == "smid" || name == "nsmid") {
    return builder_.getInt32(name == "nsmid");
  }
  return nullptr;
}

}  // namespace cohort
