// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Collectives that are vector code in a gang of one warp: votes are mask registers, shuffles are permutations.
#include "gang/widen/instruction_widener.hpp"

#include "analysis/cpu_features.hpp"

#include <numeric>

#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"

namespace cohort {

bool instruction_widener::widen_lane_call(llvm::CallInst& call, lane_call what, value* mask) {
  if (width_ != lanes_of_warp && what != lane_call::first) {
    return refuse_warp_call(call);
  }
  participants all{};
  if (is_warp_collective(call)) {
    const auto found = find_participants(call, mask);
    if (!found) {
      return false;
    }
    all = *found;
  }
  value* result = nullptr;
  switch (what) {
    case lane_call::tile_lanes: {
      auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
      if (!size) {
        return state_.refuse("a tile has a computed size", &call);
      }
      result = tile_lanes(static_cast<unsigned>(size->getZExtValue()));
      break;
    }
    case lane_call::here:
      result = masks_.bits(mask);
      break;
    case lane_call::first: {
      value* lowest = b_.getInt32(0);
      if (mask) {
        lowest = b_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, masks_.bits(mask), b_.getTrue());
        lowest = b_.CreateZExtOrTrunc(lowest, b_.getInt32Ty());
      }
      result = lane_of(call.getArgOperand(0), lowest);
      break;
    }
    case lane_call::permute:
      result = shapes_.is_uniform(call.getArgOperand(1))
                   ? lane_of(call.getArgOperand(0), call.getArgOperand(1))
                   : permute(vector_of(call.getArgOperand(0)), vector_of(call.getArgOperand(1)));
      break;
    case lane_call::ballot:
      result = widen_ballot(call, all, mask);
      if (!shapes_.is_varying(&call) && shapes_.is_varying(call.getArgOperand(1))) {
        values_.set_vector(&call, splat_bits(masks_.both(mask, vector_of(call.getArgOperand(1)))));
      }
      break;
    case lane_call::shuffle:
      result = widen_shuffle(call, all);
      break;
    case lane_call::match:
      result = widen_match(call, all, mask);
      break;
  }
  if (!shapes_.is_varying(&call)) {
    values_.replace_uniform(call, result);
    return true;
  }
  values_.replace(call, result->getType()->isVectorTy() ? result : b_.CreateVectorSplat(width_, result));
  return true;
}

// The bits of a mask in each lane. From mask registers to a vector without a detour over a scalar register, which LLVM
// 19 makes of a splat, and which takes 1 to 2 ns more (Zen 5).
llvm::Value* instruction_widener::splat_bits(value* mask) {
  if (!has_feature(state_.function, "avx512cd")) {
    return b_.CreateVectorSplat(width_, masks_.bits(mask));
  }
  constexpr int lanes = 16;
  auto* words = llvm::FixedVectorType::get(b_.getInt32Ty(), lanes);
  auto* broadcast = llvm::InlineAsm::get(llvm::FunctionType::get(words, {b_.getInt16Ty()}, false),
                                         "vpbroadcastmw2d $1, $0", "=v,^Yk", false);
  value* parts[2];
  for (int half = 0; half < 2; ++half) {
    llvm::SmallVector<int, lanes> part(lanes);
    std::iota(part.begin(), part.end(), half * lanes);
    auto* made = b_.CreateCall(broadcast, {b_.CreateBitCast(b_.CreateShuffleVector(mask, part), b_.getInt16Ty())});
    made->setDoesNotAccessMemory();
    made->setDoesNotThrow();
    parts[half] = made;
  }
  llvm::SmallVector<int, 32> twice;  // not one element for all: LLVM would compute that one alone and splat it
  for (unsigned lane = 0; lane < width_; ++lane) {
    twice.push_back(static_cast<int>(lane) % lanes);
  }
  return b_.CreateShuffleVector(b_.CreateOr(parts[0], b_.CreateShl(parts[1], lanes)), twice);
}

// The value of one lane.
llvm::Value* instruction_widener::lane_of(value* scalar, value* lane) {
  return shapes_.is_uniform(scalar) ? scalar : b_.CreateExtractElement(vector_of(scalar), lane);
}

llvm::Value* instruction_widener::tile_lanes(unsigned size) {
  value* in_block = masks_.bits(state_.lanes.active);
  if (size == lanes_of_warp) {
    return in_block;
  }
  llvm::SmallVector<llvm::Constant*, 32> tiles;
  for (unsigned lane = 0; lane < width_; ++lane) {
    tiles.push_back(b_.getInt32(((1u << size) - 1) << (lane & ~(size - 1))));
  }
  return b_.CreateAnd(llvm::ConstantVector::get(tiles), b_.CreateVectorSplat(width_, in_block));
}

llvm::Value* instruction_widener::widen_ballot(llvm::CallInst& call, const participants& all, value* mask) {
  value* predicate = call.getArgOperand(1);
  value* votes = shapes_.is_uniform(predicate) ? b_.CreateSelect(predicate, all.lanes, b_.getInt32(0))
                                               : masks_.bits(masks_.both(mask, vector_of(predicate)));
  return all.each ? b_.CreateAnd(all.each, b_.CreateVectorSplat(width_, votes)) : votes;
}

// A source that does not take part gives zero.
llvm::Value* instruction_widener::widen_shuffle(llvm::CallInst& call, const participants& all) {
  value* source = call.getArgOperand(2);
  value* values = call.getArgOperand(1);
  const bool one = !all.each && shapes_.is_uniform(source);
  if (!one) {
    source = vector_of(source);
  }
  auto constant = [&](uint32_t word) { return llvm::ConstantInt::get(source->getType(), word); };
  value* exists = b_.CreateICmpULT(source, constant(lanes_of_warp));
  source = b_.CreateAnd(source, constant(lanes_of_warp - 1));
  value* lanes = one ? all.lanes : all.each ? all.each : b_.CreateVectorSplat(width_, all.lanes);
  value* takes_part = b_.CreateTrunc(b_.CreateLShr(lanes, source), exists->getType());
  auto* known = llvm::dyn_cast<llvm::Constant>(all.lanes);
  value* valid = known && known->isAllOnesValue() && !all.each ? exists : b_.CreateAnd(exists, takes_part);
  value* result = one ? lane_of(values, source) : permute(vector_of(values), source);
  return b_.CreateSelect(valid, result, llvm::Constant::getNullValue(result->getType()));
}

// A round for each distinct word, as in match.hpp.
llvm::Value* instruction_widener::widen_match(llvm::CallInst& call, const participants& all, value* mask) {
  value* words = vector_of(call.getArgOperand(1));
  if (mask) {
    words = b_.CreateSelect(mask, words, llvm::Constant::getNullValue(words->getType()));
  }
  llvm::SmallVector<value*, 3> arguments{all.lanes, words};
  if (all.each) {
    arguments.push_back(all.each);
  }
  auto* masks = wide(b_.getInt32Ty());
  llvm::Function* rounds = &state_.outlined.make(masks, arguments, "cohort.collective");
  auto* entry = llvm::BasicBlock::Create(state_.context, "match", rounds);
  auto* loop = llvm::BasicBlock::Create(state_.context, "word", rounds);
  auto* done = llvm::BasicBlock::Create(state_.context, "words.done", rounds);
  llvm::IRBuilder<> b(entry);
  auto store = [&](value* vector) {
    auto* memory = b.CreateAlloca(vector->getType());
    b.CreateStore(vector, memory);
    return memory;
  };
  value* of_lane = store(rounds->getArg(1));
  value* shared = all.each ? store(rounds->getArg(2)) : nullptr;
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto* rest = b.CreatePHI(b.getInt32Ty(), 2, "rest");
  auto* found = b.CreatePHI(masks, 2, "found");
  value* lowest = b.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest, b.getTrue());
  auto element = [&](value* memory, llvm::Type* type) {
    return b.CreateLoad(type, b.CreateInBoundsGEP(type, memory, lowest));
  };
  value* word = element(of_lane, words->getType()->getScalarType());
  value* equal = b.CreateBitCast(b.CreateICmpEQ(rounds->getArg(1), b.CreateVectorSplat(width_, word)), b.getInt32Ty());
  equal = b.CreateAnd(equal, rest);
  if (shared) {
    equal = b.CreateAnd(equal, element(shared, b.getInt32Ty()));
  }
  value* result =
      b.CreateSelect(b.CreateBitCast(equal, wide(b.getInt1Ty())), b.CreateVectorSplat(width_, equal), found);
  value* left = b.CreateAnd(rest, b.CreateNot(equal));
  rest->addIncoming(rounds->getArg(0), entry);
  rest->addIncoming(left, loop);
  found->addIncoming(llvm::Constant::getNullValue(masks), entry);
  found->addIncoming(result, loop);
  b.CreateCondBr(b.CreateICmpEQ(left, b.getInt32(0)), done, loop);
  b.SetInsertPoint(done);
  b.CreateRet(result);
  return state_.outlined.call(*rounds, arguments);
}

}  // namespace cohort
