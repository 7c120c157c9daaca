// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/jam/adjacent_gathers.hpp"

#include <optional>
#include <utility>
#include <vector>

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace cohort {
namespace {

constexpr unsigned rows = 4;    // rows that are joined at once: as many as a quarter of a register has words
constexpr unsigned lanes = 16;  // lanes of a register
constexpr uint64_t word_bytes = 4;

// Lane l reads the word at `first` + offsets[l] bytes.
struct gather {
  llvm::CallInst* call;
  llvm::Value* first;
  llvm::Constant* offsets;
};

std::optional<gather> as_gather(llvm::Instruction& instruction) {
  using namespace llvm::PatternMatch;
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (!call || call->getIntrinsicID() != llvm::Intrinsic::masked_gather ||
      !match(call->getArgOperand(2), m_AllOnes())) {
    return std::nullopt;
  }
  auto* type = llvm::cast<llvm::FixedVectorType>(call->getType());
  auto* addresses = llvm::dyn_cast<llvm::GetElementPtrInst>(call->getArgOperand(0));
  if (type->getScalarSizeInBits() != 8 * word_bytes || type->getNumElements() % lanes != 0 || !addresses ||
      addresses->getNumIndices() != 1 || !addresses->getSourceElementType()->isIntegerTy(8)) {
    return std::nullopt;
  }
  auto* offsets = llvm::dyn_cast<llvm::Constant>(addresses->getOperand(1));
  llvm::Value* first = llvm::getSplatValue(addresses->getPointerOperand());
  return first && offsets && offsets->getType()->isVectorTy() ? std::optional(gather{call, first, offsets})
                                                              : std::nullopt;
}

// A value in the form extension(root) + distance.
struct sum {
  const llvm::Value* root;
  unsigned extension;  // the opcode; 0: none
  uint64_t distance;
};

sum as_sum(const llvm::Value* value) {
  using namespace llvm::PatternMatch;
  sum result{value, 0, 0};
  if (match(value, m_ZExt(m_Value(result.root)))) {
    result.extension = llvm::Instruction::ZExt;
  } else if (match(value, m_SExt(m_Value(result.root)))) {
    result.extension = llvm::Instruction::SExt;
  } else {
    result.root = value;
  }
  const llvm::Value *start = result.root, *rest;
  const llvm::APInt* constant;
  bool may_wrap = false;
  while (match(start, m_Add(m_Value(rest), m_APInt(constant)))) {
    auto* added = llvm::cast<llvm::OverflowingBinaryOperator>(start);
    may_wrap = may_wrap || !(result.extension == llvm::Instruction::SExt   ? added->hasNoSignedWrap()
                             : result.extension == llvm::Instruction::ZExt ? added->hasNoUnsignedWrap()
                                                                           : true);
    result.distance += constant->getSExtValue();
    start = rest;
  }
  // A parameter of an integer type is an index of a thread, which is too small to wrap around here.
  constexpr uint64_t largest = 1 << 20;
  if (!may_wrap || (llvm::isa<llvm::Argument>(start) && result.distance < largest)) {
    result.root = start;
    return result;
  }
  return {result.root, result.extension, 0};
}

// The address without constant offsets, and their sum.
std::pair<const llvm::Value*, uint64_t> split(const llvm::Value* address, const llvm::DataLayout& layout) {
  llvm::APInt offset(layout.getIndexTypeSizeInBits(address->getType()), 0);
  const llvm::Value* base = address->stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
  return {base, offset.getZExtValue()};
}

// True if `next` is the address `bytes` after `first`: an offset or their last index differs by a constant.
bool lies_behind(const llvm::Value* next, const llvm::Value* first, uint64_t bytes, const llvm::DataLayout& layout) {
  const auto [base_of_first, from_base] = split(first, layout);
  if (const auto [base, offset] = split(next, layout); base == base_of_first) {
    return offset - from_base == bytes;
  }
  auto* a = llvm::dyn_cast<llvm::GetElementPtrInst>(first);
  auto* b = llvm::dyn_cast<llvm::GetElementPtrInst>(next);
  if (!a || !b || a->getSourceElementType() != b->getSourceElementType() ||
      a->getNumOperands() != b->getNumOperands()) {
    return false;
  }
  const unsigned last = a->getNumOperands() - 1;
  for (unsigned i = 0; i < last; ++i) {
    if (a->getOperand(i) != b->getOperand(i)) {
      return false;
    }
  }
  const sum from = as_sum(a->getOperand(last)), to = as_sum(b->getOperand(last));
  return from.root == to.root && from.extension == to.extension && !a->getResultElementType()->isStructTy() &&
         (to.distance - from.distance) * layout.getTypeAllocSize(a->getResultElementType()).getFixedValue() == bytes;
}

// True if the words of `next` follow those of `before` in memory, lane by lane.
bool follows(const gather& next, const std::vector<gather>& before) {
  const gather& first = before.front();
  return next.offsets == first.offsets && next.call->getType() == first.call->getType() &&
         lies_behind(next.first, first.first, before.size() * word_bytes, next.call->getDataLayout());
}

// In each quarter of the registers: word j of register i becomes word i of register j.
void transpose_quarters(llvm::IRBuilder<>& b, llvm::Value* (&of_lanes)[rows]) {
  const auto shuffle = [&](llvm::Value* x, llvm::Value* y, const int(&pattern)[rows]) {
    llvm::SmallVector<int, lanes> mask;
    for (int quarter = 0; quarter < static_cast<int>(lanes / rows); ++quarter) {
      for (const int word : pattern) {
        const int of_second = word < static_cast<int>(rows) ? 0 : static_cast<int>(lanes - rows);
        mask.push_back(quarter * static_cast<int>(rows) + word + of_second);
      }
    }
    return b.CreateShuffleVector(x, y, mask);
  };
  constexpr int low_words[] = {0, 4, 1, 5}, high_words[] = {2, 6, 3, 7};
  constexpr int low_pairs[] = {0, 1, 4, 5}, high_pairs[] = {2, 3, 6, 7};
  llvm::Value* low01 = shuffle(of_lanes[0], of_lanes[1], low_words);
  llvm::Value* high01 = shuffle(of_lanes[0], of_lanes[1], high_words);
  llvm::Value* low23 = shuffle(of_lanes[2], of_lanes[3], low_words);
  llvm::Value* high23 = shuffle(of_lanes[2], of_lanes[3], high_words);
  of_lanes[0] = shuffle(low01, low23, low_pairs);
  of_lanes[1] = shuffle(low01, low23, high_pairs);
  of_lanes[2] = shuffle(high01, high23, low_pairs);
  of_lanes[3] = shuffle(high01, high23, high_pairs);
}

void join(const std::vector<gather>& together) {
  llvm::CallInst& place = *together.front().call;
  llvm::IRBuilder<> b(&place);
  auto* type = llvm::cast<llvm::FixedVectorType>(place.getType());
  auto* part = llvm::FixedVectorType::get(type->getElementType(), rows);
  llvm::SmallVector<llvm::Value*, 4> results[rows];
  for (unsigned begin = 0; begin < type->getNumElements(); begin += lanes) {
    // Quarter k of register q holds the words of lane 4 k + q.
    llvm::Value* of_lanes[rows];
    for (unsigned q = 0; q < rows; ++q) {
      llvm::SmallVector<llvm::Value*, 4> quarters;
      for (unsigned k = 0; k < lanes / rows; ++k) {
        llvm::Constant* offset = together.front().offsets->getAggregateElement(begin + k * rows + q);
        llvm::Value* address = b.CreateGEP(b.getInt8Ty(), together.front().first, offset);
        quarters.push_back(b.CreateAlignedLoad(part, address, llvm::Align(word_bytes)));
      }
      of_lanes[q] = llvm::concatenateVectors(b, quarters);
    }
    transpose_quarters(b, of_lanes);
    for (unsigned row = 0; row < rows; ++row) {
      results[row].push_back(of_lanes[row]);
    }
  }
  for (unsigned row = 0; row < rows; ++row) {
    llvm::Value* all = results[row].size() == 1 ? results[row][0] : llvm::concatenateVectors(b, results[row]);
    together[row].call->replaceAllUsesWith(all);
  }
}

void visit(llvm::BasicBlock& block) {
  std::vector<gather> together;  // no store lies between them
  std::vector<llvm::CallInst*> joined;
  for (llvm::Instruction& instruction : block) {
    const auto found = as_gather(instruction);
    if (found && !together.empty() && !follows(*found, together)) {
      together.clear();
    }
    if (found) {
      together.push_back(*found);
    } else if (instruction.mayWriteToMemory()) {
      together.clear();
    }
    if (together.size() == rows) {
      join(together);
      for (const gather& one : together) {
        joined.push_back(one.call);
      }
      together.clear();
    }
  }
  for (llvm::CallInst* call : joined) {
    call->eraseFromParent();
  }
}

}  // namespace

void join_adjacent_gathers(llvm::Function& function) {
  for (llvm::BasicBlock& block : function) {
    visit(block);
  }
}

}  // namespace cohort
