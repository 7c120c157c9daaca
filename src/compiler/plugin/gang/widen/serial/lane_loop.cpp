// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/serial/lane_loop.hpp"

#include <algorithm>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

constexpr uint64_t largest_in_registers = 1024;  // bits of a result in vector registers: at most two registers
constexpr unsigned word_bits = 64;

// Memory holds bits as bytes, and integers of an odd size as the next larger type.
llvm::Type* memory_type(llvm::Type* type) {
  if (!type->isIntegerTy()) {
    return type;
  }
  const uint64_t bits = std::max<uint64_t>(8, llvm::PowerOf2Ceil(type->getIntegerBitWidth()));
  return llvm::Type::getIntNTy(type->getContext(), static_cast<unsigned>(bits));
}

}  // namespace

lane_loop::lane_loop(llvm::Function& part, unsigned width, bool mask_registers, bool all_lanes)
    : part_(part),
      width_(width),
      mask_registers_(mask_registers),
      entry_(llvm::BasicBlock::Create(part.getContext(), "lanes", &part)),
      body_(llvm::BasicBlock::Create(part.getContext(), "lane", &part)),
      lane_(all_lanes ? count_lanes() : take_lowest_lane()) {}

llvm::Value* lane_loop::count_lanes() { return body_.CreatePHI(body_.getInt64Ty(), 2, "lane"); }

// A mask of more than 64 lanes is taken word by word: arithmetic on several words would be most of a short loop.
llvm::Value* lane_loop::take_lowest_lane() {
  const bool has_words = width_ > word_bits;
  rest_ = body_.CreatePHI(body_.getIntNTy(has_words ? word_bits : width_), 2, "rest");
  llvm::Value* lane = body_.CreateZExtOrTrunc(
      body_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, rest_, body_.getTrue()), body_.getInt64Ty());
  if (!has_words) {
    return lane;
  }
  auto* words = llvm::BasicBlock::Create(part_.getContext(), "word", &part_, body_.GetInsertBlock());
  word_ = llvm::IRBuilder<>(words).CreatePHI(body_.getInt64Ty(), 2, "word");
  return body_.CreateAdd(lane, body_.CreateMul(word_, body_.getInt64(word_bits)));
}

llvm::Type* lane_loop::wide(llvm::Type* type) const { return llvm::FixedVectorType::get(type, width_); }

llvm::Value* lane_loop::element(llvm::Value* argument) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(argument->getType());
  if (!vector) {
    return argument;
  }
  llvm::Type* type = vector->getElementType();
  llvm::Type* stored = memory_type(type);
  auto* memory = entry_.CreateAlloca(wide(stored));
  entry_.CreateStore(type == stored ? argument : entry_.CreateZExt(argument, wide(stored)), memory);
  llvm::Value* element = body_.CreateLoad(stored, body_.CreateInBoundsGEP(stored, memory, lane_));
  return type == stored ? element : body_.CreateTrunc(element, type);
}

llvm::Value* lane_loop::linear(llvm::Value* first, int64_t stride) {
  llvm::Value* offset = body_.CreateMul(lane_, body_.getInt64(static_cast<uint64_t>(stride)));
  if (first->getType()->isPointerTy()) {
    return body_.CreateGEP(body_.getInt8Ty(), first, offset);
  }
  return body_.CreateAdd(first, body_.CreateTrunc(offset, first->getType()));
}

void lane_loop::keep(llvm::Value* result) {
  auto* record = llvm::dyn_cast<llvm::StructType>(result->getType());
  if (!record) {
    return keep_value(result);
  }
  for (unsigned i = 0; i < record->getNumElements(); ++i) {
    keep_value(body_.CreateExtractValue(result, i));
  }
}

// With mask registers, results stay in vector registers: loading a vector waits for the stores of its elements. A
// result of more than largest_in_registers bits goes through memory: a selection would rewrite all its registers.
void lane_loop::keep_value(llvm::Value* result) {
  llvm::Type* type = result->getType();
  const uint64_t bits = part_.getDataLayout().getTypeSizeInBits(wide(type)).getFixedValue();
  if (mask_registers_ && !word_ && !type->isIntegerTy(1) && bits <= largest_in_registers) {
    auto* before = llvm::PHINode::Create(wide(type), 2, "results", body_.GetInsertBlock()->begin());
    llvm::Value* here = body_.CreateBitCast(body_.CreateAnd(rest_, body_.CreateNeg(rest_)), wide(body_.getInt1Ty()));
    llvm::Value* after = body_.CreateSelect(here, body_.CreateVectorSplat(width_, result), before);
    before->addIncoming(llvm::PoisonValue::get(wide(type)), entry_.GetInsertBlock());
    before->addIncoming(after, body_.GetInsertBlock());
    results_.push_back({before, after, type});
    return;
  }
  llvm::Type* stored = memory_type(type);
  auto* memory = entry_.CreateAlloca(wide(stored));
  body_.CreateStore(type == stored ? result : body_.CreateZExt(result, stored),
                    body_.CreateInBoundsGEP(stored, memory, lane_));
  results_.push_back({memory, nullptr, type});
}

// Continues with the next lane, or at `done`.
void lane_loop::close_body(llvm::BasicBlock& done) {
  auto* body = body_.GetInsertBlock();
  if (!rest_) {
    auto* lane = llvm::cast<llvm::PHINode>(lane_);
    llvm::Value* next = body_.CreateAdd(lane, body_.getInt64(1), "", true, true);
    lane->addIncoming(body_.getInt64(0), entry_.GetInsertBlock());
    lane->addIncoming(next, body);
    body_.CreateCondBr(body_.CreateICmpNE(next, body_.getInt64(width_)), lane->getParent(), &done);
    return;
  }
  llvm::Type* bits = rest_->getType();
  llvm::Value* left = body_.CreateAnd(rest_, body_.CreateSub(rest_, llvm::ConstantInt::get(bits, 1)));
  if (!word_) {
    rest_->addIncoming(part_.getArg(0), entry_.GetInsertBlock());
  }
  rest_->addIncoming(left, body);
  body_.CreateCondBr(body_.CreateICmpNE(left, llvm::ConstantInt::get(bits, 0)), rest_->getParent(), &done);
}

// Runs the body for each word that has a lane. The words end in `done`.
void lane_loop::close_words(llvm::BasicBlock& next, llvm::BasicBlock& done) {
  auto* memory = entry_.CreateAlloca(part_.getArg(0)->getType());
  entry_.CreateStore(part_.getArg(0), memory);
  llvm::IRBuilder<> b(word_->getParent());
  llvm::Value* bits = b.CreateLoad(rest_->getType(), b.CreateInBoundsGEP(rest_->getType(), memory, word_));
  rest_->addIncoming(bits, word_->getParent());
  b.CreateCondBr(b.CreateIsNotNull(bits), rest_->getParent(), &next);
  b.SetInsertPoint(&next);
  llvm::Value* number = b.CreateAdd(word_, b.getInt64(1), "", true, true);
  word_->addIncoming(b.getInt64(0), entry_.GetInsertBlock());
  word_->addIncoming(number, &next);
  b.CreateCondBr(b.CreateICmpNE(number, b.getInt64(width_ / word_bits)), word_->getParent(), &done);
}

void lane_loop::finish() {
  auto* done = llvm::BasicBlock::Create(part_.getContext(), "lanes.done", &part_);
  if (word_) {
    auto* next = llvm::BasicBlock::Create(part_.getContext(), "word.done", &part_, done);
    close_words(*next, *done);
    close_body(*next);
    entry_.CreateBr(word_->getParent());
  } else {
    close_body(*done);
    entry_.CreateBr(llvm::cast<llvm::Instruction>(rest_ ? rest_ : lane_)->getParent());
  }

  body_.SetInsertPoint(done);
  llvm::Type* type = part_.getReturnType();
  llvm::Value* all = type->isVoidTy() ? nullptr : llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < results_.size(); ++i) {
    auto [place, vector, element] = results_[i];
    if (!vector) {
      llvm::Type* stored = memory_type(element);
      vector = body_.CreateLoad(wide(stored), place);
      vector = element == stored ? vector : body_.CreateTrunc(vector, wide(element));
    }
    all = type->isStructTy() ? body_.CreateInsertValue(all, vector, i) : vector;
  }
  all ? body_.CreateRet(all) : body_.CreateRetVoid();
}

}  // namespace cohort
