// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/target/lane_code.hpp"
#include "gang/widen/collectives/collectives.hpp"

#include <cohort/machine/cpu/port/matrix.hpp>

#include <cstddef>

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/KnownBits.h"

namespace cohort {
namespace {

// A vote on each bit takes 6 instructions. Words with more bits have a round for each distinct word: often few are.
constexpr unsigned most_matched_bits = 8;

}  // namespace

bool collective_widener::widen_lane_call(llvm::CallInst& call, lane_call what, value* mask) {
  if (what != lane_call::first && !is_of_one_warp(call)) {
    return false;
  }
  if (what == lane_call::put) {
    return put(call);
  }
  participants all;
  if (is_warp_collective(call)) {
    const auto found = find_participants(call, call.getArgOperand(collective_mask), mask);
    if (!found) {
      return false;
    }
    all = *found;
  }
  value* result = lane_call_result(call, what, all, mask);
  if (!result) {
    return false;
  }
  if (!shapes_.is_varying(&call)) {
    values_.replace_uniform(call, result);
    return true;
  }
  values_.replace(call, result->getType()->isVectorTy() ? result : in_all_lanes(result));
  return true;
}

// The result of a lane call for all lanes. Null: the kernel is refused.
llvm::Value* collective_widener::lane_call_result(llvm::CallInst& call, lane_call what, const participants& all,
                                                  value* mask) {
  switch (what) {
    case lane_call::tile_lanes:
      return tile_lanes(call);
    case lane_call::here:
      return masks_.bits(mask);
    case lane_call::first:
      return first_lane(call, mask);
    case lane_call::permute:
      return permutation(call);
    case lane_call::ballot:
      return ballot(call, all, mask);
    case lane_call::shuffle:
      return shuffle(call, all);
    case lane_call::match:
      return match(call, all, mask);
    case lane_call::product:
      return product(call, all);
    case lane_call::get:
      return b_.CreateLoad(wide(call.getType()), register_at(call.getArgOperand(register_number)));
    case lane_call::put:
      break;
  }
  return nullptr;
}

// The memory of a register of all lanes, in a variable that the products of the gang share.
llvm::Value* collective_widener::register_at(value* number) {
  auto* word_of_lanes = llvm::cast<llvm::VectorType>(wide(b_.getInt32Ty()));
  if (!registers_) {
    llvm::IRBuilder<> entry(&state_.function.getEntryBlock(), state_.function.getEntryBlock().begin());
    registers_ = entry.CreateAlloca(word_of_lanes, entry.getInt32(1 + cohort_matrix_largest_registers), "registers");
  }
  return b_.CreateInBoundsGEP(word_of_lanes, registers_, number);
}

// A register that the program has not written is left as it is.
bool collective_widener::put(llvm::CallInst& call) {
  value* word = call.getArgOperand(register_word);
  if (!llvm::isa<llvm::UndefValue>(word)) {
    b_.CreateStore(vector_of(word), register_at(call.getArgOperand(register_number)));
  }
  values_.erase_at_end(call);
  return true;
}

llvm::Value* collective_widener::product(llvm::CallInst& call, const participants& all) {
  value* form = call.getArgOperand(product_form);
  if (!llvm::isa<llvm::ConstantInt>(form) || all.masks) {
    state_.refuse("a product of matrices has a computed form", &call);
    return nullptr;
  }
  static_assert(offsetof(cohort_matrix_registers, words) == sizeof(cohort_matrix_registers::metadata));
  llvm::SmallVector<value*, 3> arguments{all.lanes, register_at(b_.getInt32(0))};
  llvm::Function& code = state_.outlined.make(b_.getVoidTy(), arguments, "cohort.collective");
  auto* entry = llvm::BasicBlock::Create(state_.context, "product", &code);
  auto* full = llvm::BasicBlock::Create(state_.context, "full", &code);
  auto* done = llvm::BasicBlock::Create(state_.context, "done", &code);
  llvm::IRBuilder<> b(entry);
  b.CreateCondBr(b.CreateICmpEQ(code.getArg(0), b.getInt32(0xffffffff)), full, done);
  b.SetInsertPoint(full);
  b.CreateCall(declare(*state_.function.getParent(), port_call::cohort_multiply_registers), {form, code.getArg(1)});
  b.CreateBr(done);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  state_.outlined.call(code, arguments);
  return all.lanes;
}

// The bits of a mask in each lane.
llvm::Value* collective_widener::splat_bits(value* mask) {
  value* broadcast = broadcast_mask(b_, mask);
  return broadcast ? broadcast : in_all_lanes(masks_.bits(mask));
}

// The value of one lane.
llvm::Value* collective_widener::lane_of(value* scalar, value* lane) {
  return shapes_.is_uniform(scalar) ? scalar : b_.CreateExtractElement(vector_of(scalar), lane);
}

llvm::Value* collective_widener::first_lane(llvm::CallInst& call, value* mask) {
  value* lowest = b_.getInt32(0);
  if (mask) {
    lowest = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, masks_.bits(mask), b_.getTrue());
    lowest = b_.CreateZExtOrTrunc(lowest, b_.getInt32Ty());
  }
  return lane_of(call.getArgOperand(first_value), lowest);
}

llvm::Value* collective_widener::permutation(llvm::CallInst& call) {
  value* permuted = call.getArgOperand(permute_value);
  value* source = call.getArgOperand(permute_source);
  return shapes_.is_uniform(source) ? lane_of(permuted, source)
                                    : permute_lanes(b_, vector_of(permuted), vector_of(source));
}

llvm::Value* collective_widener::tile_lanes(llvm::CallInst& call) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(tile_lanes_size));
  if (!constant) {
    state_.refuse("a tile has a computed size", &call);
    return nullptr;
  }
  const auto size = static_cast<unsigned>(constant->getZExtValue());
  value* in_block = masks_.bits(state_.lanes.active);
  if (size == lanes_of_warp) {
    return in_block;
  }
  llvm::SmallVector<llvm::Constant*, 32> tiles;
  for (unsigned lane = 0; lane < width_; ++lane) {
    tiles.push_back(b_.getInt32(((1u << size) - 1) << (lane & ~(size - 1))));
  }
  return b_.CreateAnd(llvm::ConstantVector::get(tiles), in_all_lanes(in_block));
}

llvm::Value* collective_widener::ballot(llvm::CallInst& call, const participants& all, value* mask) {
  value* predicate = call.getArgOperand(collective_value);
  value* votes = shapes_.is_uniform(predicate) ? b_.CreateSelect(predicate, all.lanes, b_.getInt32(0))
                                               : masks_.bits(masks_.both(mask, vector_of(predicate)));
  value* result = all.masks ? b_.CreateAnd(all.masks, in_all_lanes(votes)) : votes;
  if (!shapes_.is_varying(&call) && shapes_.is_varying(predicate)) {
    values_.set_vector(&call, splat_bits(masks_.both(mask, vector_of(predicate))));
  }
  return result;
}

// A source that does not take part gives zero.
llvm::Value* collective_widener::shuffle(llvm::CallInst& call, const participants& all) {
  value* source = call.getArgOperand(collective_source);
  value* scalar = call.getArgOperand(collective_value);
  const bool one = !all.masks && shapes_.is_uniform(source);
  if (!one) {
    source = vector_of(source);
  }
  auto constant = [&](uint32_t word) { return llvm::ConstantInt::get(source->getType(), word); };
  value* exists = b_.CreateICmpULT(source, constant(lanes_of_warp));
  source = b_.CreateAnd(source, constant(lanes_of_warp - 1));
  value* lanes = one ? all.lanes : all.masks ? all.masks : in_all_lanes(all.lanes);
  value* takes_part = b_.CreateTrunc(b_.CreateLShr(lanes, source), exists->getType());
  auto* known = llvm::dyn_cast<llvm::Constant>(all.lanes);
  value* valid = known && known->isAllOnesValue() && !all.masks ? exists : b_.CreateAnd(exists, takes_part);
  value* result = one ? lane_of(scalar, source) : permute_lanes(b_, vector_of(scalar), source);
  return b_.CreateSelect(valid, result, llvm::Constant::getNullValue(result->getType()));
}

// Lanes have equal words if they have equal votes on each bit.
llvm::Value* collective_widener::match_bits(value* words, const llvm::APInt& bits, const participants& all) {
  value* same = all.masks ? all.masks : in_all_lanes(all.lanes);
  for (unsigned bit = 0; bit < bits.getBitWidth(); ++bit) {
    if (bits[bit]) {
      auto* one = llvm::ConstantInt::get(words->getType(), llvm::APInt::getOneBitSet(bits.getBitWidth(), bit));
      value* set = b_.CreateICmpNE(b_.CreateAnd(words, one), llvm::Constant::getNullValue(words->getType()));
      value* votes = in_all_lanes(masks_.bits(set));
      same = b_.CreateAnd(same, b_.CreateSelect(set, votes, b_.CreateNot(votes)));
    }
  }
  return same;
}

// A round for each distinct word, as in match.hpp.
llvm::Value* collective_widener::match(llvm::CallInst& call, const participants& all, value* mask) {
  value* words = vector_of(call.getArgOperand(collective_value));
  if (mask) {
    words = b_.CreateSelect(mask, words, llvm::Constant::getNullValue(words->getType()));
  }
  const llvm::KnownBits known = llvm::computeKnownBits(call.getArgOperand(collective_value), state_.layout);
  if (const llvm::APInt bits = ~(known.Zero | known.One); bits.popcount() <= most_matched_bits) {
    return match_bits(words, bits, all);
  }
  llvm::SmallVector<value*, 3> arguments{all.lanes, words};
  if (all.masks) {
    arguments.push_back(all.masks);
  }
  auto* masks = wide(b_.getInt32Ty());
  llvm::Function& rounds = state_.outlined.make(masks, arguments, "cohort.collective");
  auto* entry = llvm::BasicBlock::Create(state_.context, "match", &rounds);
  auto* loop = llvm::BasicBlock::Create(state_.context, "word", &rounds);
  auto* done = llvm::BasicBlock::Create(state_.context, "words.done", &rounds);
  llvm::IRBuilder<> b(entry);
  auto store = [&](value* vector) {
    auto* memory = b.CreateAlloca(vector->getType());
    b.CreateStore(vector, memory);
    return memory;
  };
  value* of_lane = store(rounds.getArg(1));
  value* shared = all.masks ? store(rounds.getArg(2)) : nullptr;
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto* rest = b.CreatePHI(b.getInt32Ty(), 2, "rest");
  auto* found = b.CreatePHI(masks, 2, "found");
  value* lowest = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b.getTrue());
  auto element = [&](value* memory, llvm::Type* type) {
    return b.CreateLoad(type, b.CreateInBoundsGEP(type, memory, lowest));
  };
  value* word = element(of_lane, words->getType()->getScalarType());
  value* equal = b.CreateBitCast(b.CreateICmpEQ(rounds.getArg(1), b.CreateVectorSplat(width_, word)), b.getInt32Ty());
  equal = b.CreateAnd(equal, rest);
  if (shared) {
    equal = b.CreateAnd(equal, element(shared, b.getInt32Ty()));
  }
  value* result =
      b.CreateSelect(b.CreateBitCast(equal, wide(b.getInt1Ty())), b.CreateVectorSplat(width_, equal), found);
  value* left = b.CreateAnd(rest, b.CreateNot(equal));
  rest->addIncoming(rounds.getArg(0), entry);
  rest->addIncoming(left, loop);
  found->addIncoming(llvm::Constant::getNullValue(masks), entry);
  found->addIncoming(result, loop);
  b.CreateCondBr(b.CreateICmpEQ(left, b.getInt32(0)), done, loop);
  b.SetInsertPoint(done);
  b.CreateRet(result);
  return state_.outlined.call(rounds, arguments);
}

}  // namespace cohort
