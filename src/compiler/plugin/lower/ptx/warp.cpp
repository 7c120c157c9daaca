// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives of a warp: shfl.sync, vote.sync, match.sync, redux.sync, elect.sync, bar.warp.sync. Each calls the device
// library's function for it (device/ptx/collectives.h), which ends in the collective of __shfl_sync() and its
// companions.
#include "lower/ptx/ptx_lowering.hpp"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

namespace cohort {

// shfl.sync.mode.b32 d|p, a, b, c, mask. Bits 0 to 4 of c bound the source lane, bits 8 to 12 divide the warp into
// segments. p is false where the source lane is out of range; the lane then reads itself.
bool ptx_lowering::lower_shuffle(const ptx_statement& statement) {
  llvm::StringRef mode = statement.opcode;
  const auto& operands = statement.operands;
  if (!mode.consume_front("shfl.sync.") || !mode.consume_back(".b32") || operands.size() != 5) {
    return false;
  }
  auto& b = builder_;
  llvm::Value* value = source(operands[1], 32, false);
  llvm::Value* argument = source(operands[2], 32, false);
  llvm::Value* bounds = source(operands[3], 32, false);
  llvm::Value* mask = source(operands[4], 32, false);
  if (!value || !argument || !bounds || !mask) {
    return false;
  }
  argument = b.CreateAnd(argument, 31);
  llvm::Value* clamp = b.CreateAnd(bounds, 31);
  llvm::Value* segment = b.CreateAnd(b.CreateLShr(bounds, 8), 31);
  llvm::Value* inside = b.CreateXor(segment, 31);
  llvm::Value* lane = b.CreateAnd(block_thread_rank(), 31);
  llvm::Value* first = b.CreateAnd(lane, segment);
  llvm::Value* last = b.CreateOr(first, b.CreateAnd(clamp, inside));
  llvm::Value* from = nullptr;
  if (mode == "up") {
    from = b.CreateSub(lane, argument);
  } else if (mode == "down") {
    from = b.CreateAdd(lane, argument);
  } else if (mode == "bfly") {
    from = b.CreateXor(lane, argument);
  } else if (mode == "idx") {
    from = b.CreateOr(first, b.CreateAnd(argument, inside));
  } else {
    return false;
  }
  llvm::Value* in_range = mode == "up" ? b.CreateICmpSGE(from, last) : b.CreateICmpSLE(from, last);
  from = b.CreateAnd(b.CreateSelect(in_range, from, lane), 31);
  llvm::Value* name = b.CreateGlobalString(("shfl.sync." + mode).str());
  llvm::Value* result = call("cohort_ptx_shuffle", b.getInt32Ty(), {mask, value, from, name});
  return write_both(operands[0], result, in_range);
}

// vote.sync.{any,all,uni}.pred p, a, mask and vote.sync.ballot.b32 d, a, mask. `vote.any.sync.pred` is an older order.
bool ptx_lowering::lower_vote(const ptx_statement& statement) {
  llvm::StringRef mode = statement.opcode;
  const auto& operands = statement.operands;
  if (!mode.consume_front("vote.") || operands.size() != 3) {
    return false;
  }
  if (!mode.consume_front("sync.")) {
    const auto [old_mode, rest] = mode.split('.');
    if (rest != "sync.pred" && rest != "sync.b32") {
      return false;
    }
    mode = old_mode;
  } else {
    mode = mode.split('.').first;
  }
  llvm::Value* vote = predicate(operands[1]);
  llvm::Value* mask = source(operands[2], 32, false);
  const bool is_known = mode == "any" || mode == "all" || mode == "uni" || mode == "ballot";
  if (!vote || !mask || !is_known || llvm::StringRef(statement.opcode).ends_with("b32") != (mode == "ballot")) {
    return false;
  }
  auto* word = builder_.getInt32Ty();
  llvm::Value* name = builder_.CreateGlobalString(("vote.sync." + mode).str());
  llvm::Value* result = call(("cohort_ptx_vote_" + mode).str(), word, {mask, builder_.CreateZExt(vote, word), name});
  return write(operands[0], mode == "ballot" ? result : builder_.CreateICmpNE(result, builder_.getInt32(0)), false);
}

// match.any.sync.type d, a, mask and match.all.sync.type d|p, a, mask.
bool ptx_lowering::lower_match(const ptx_statement& statement) {
  llvm::StringRef mode = statement.opcode;
  const auto& operands = statement.operands;
  if (!mode.consume_front("match.") || operands.size() != 3) {
    return false;
  }
  const unsigned bits = mode.consume_back(".sync.b32") ? 32 : mode.consume_back(".sync.b64") ? 64 : 0;
  llvm::Value* value = bits ? source(operands[1], bits, false) : nullptr;
  llvm::Value* mask = source(operands[2], 32, false);
  if (!value || !mask || (mode != "any" && mode != "all")) {
    return false;
  }
  llvm::Value* name = builder_.CreateGlobalString(("match." + mode + ".sync").str());
  llvm::Value* lanes = call(("cohort_ptx_match_" + mode + llvm::Twine(bits)).str(), builder_.getInt32Ty(),
                            {mask, builder_.CreateZExt(value, builder_.getInt64Ty()), name});
  if (mode == "any") {
    return write(operands[0], lanes, false);
  }
  return write_both(operands[0], lanes, builder_.CreateICmpNE(lanes, builder_.getInt32(0)));
}

// redux.sync.{add,min,max}.{u32,s32} and redux.sync.{and,or,xor}.b32.
bool ptx_lowering::lower_reduction(const ptx_statement& statement) {
  llvm::StringRef rest = statement.opcode;
  const auto& operands = statement.operands;
  if (!rest.consume_front("redux.sync.") || operands.size() != 3) {
    return false;
  }
  const auto [op, type] = rest.split('.');
  const bool is_logic = op == "and" || op == "or" || op == "xor";
  const bool is_order = op == "min" || op == "max";
  if (is_logic ? type != "b32" : (op != "add" && !is_order) || (type != "u32" && type != "s32")) {
    return false;
  }
  llvm::Value* value = source(operands[1], 32, false);
  llvm::Value* mask = source(operands[2], 32, false);
  if (!value || !mask) {
    return false;
  }
  const std::string suffix = is_order ? ("_" + type).str() : "";
  llvm::Value* name = builder_.CreateGlobalString(("redux.sync." + op).str());
  return write(operands[0],
               call(("cohort_ptx_reduce_" + op).str() + suffix, builder_.getInt32Ty(), {mask, value, name}), false);
}

bool ptx_lowering::lower_warp(const ptx_statement& statement) {
  const llvm::StringRef opcode = statement.opcode;
  const auto& operands = statement.operands;
  if (opcode == "bar.warp.sync" && operands.size() == 1) {
    llvm::Value* mask = source(operands[0], 32, false);
    if (mask) {
      call("cohort_ptx_sync_lanes", builder_.getVoidTy(), {mask, builder_.CreateGlobalString("bar.warp.sync")});
    }
    return mask != nullptr;
  }
  if (opcode == "elect.sync" && operands.size() == 2) {  // the lowest lane of the mask is elected
    llvm::Value* mask = source(operands[1], 32, false);
    if (!mask) {
      return false;
    }
    llvm::Value* leader =
        call("cohort_ptx_elect", builder_.getInt32Ty(), {mask, builder_.CreateGlobalString("elect.sync")});
    return write_both(operands[0], leader, builder_.CreateICmpEQ(leader, builder_.CreateAnd(block_thread_rank(), 31)));
  }
  return lower_shuffle(statement) || lower_vote(statement) || lower_match(statement) || lower_reduction(statement);
}

}  // namespace cohort
