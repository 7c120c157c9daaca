// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/memory/likely_places.hpp"

#include "gang/shape/questions.hpp"
#include "gang/widen/state/lane_order.hpp"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"

namespace cohort {
namespace {

constexpr unsigned widest_compare =
    64;  // lanes: most wider gangs, as large as a block, have an edge between their lanes

}  // namespace

std::optional<likely_places::index> likely_places::index_of(const llvm::GetElementPtrInst& address) const {
  value* only = nullptr;
  for (value* each : address.indices()) {
    if (!shapes_.is_uniform(each)) {
      if (only) {
        return std::nullopt;
      }
      only = each;
    }
  }
  if (!only || !shapes_.is_uniform(address.getPointerOperand()) || !only->getType()->isIntegerTy(64)) {
    return std::nullopt;
  }
  if (llvm::isa<llvm::SExtInst, llvm::ZExtInst>(only)) {
    auto* extension = llvm::cast<llvm::CastInst>(only);
    return index{extension->getOperand(0), extension};
  }
  return index{only, nullptr};
}

// The value of lane 0 if it is a likely one: where an edge clamps lane 0, that of the operand that is not clamped.
llvm::Value* likely_places::first_of(value* likely) {
  if (shapes_.linear_unless_wrapped(likely)) {
    return likely;
  }
  auto* instruction = llvm::cast<llvm::Instruction>(likely);
  if (value* operand = strides_.operand_of(*instruction)) {
    return first_of(operand);
  }
  if (llvm::isa<llvm::SExtInst, llvm::ZExtInst, llvm::TruncInst>(likely)) {
    auto* conversion = llvm::cast<llvm::CastInst>(likely);
    return b_.CreateCast(conversion->getOpcode(), first_of(conversion->getOperand(0)), conversion->getType());
  }
  if (instruction->getOpcode() == llvm::Instruction::Add || instruction->getOpcode() == llvm::Instruction::Sub) {
    value* a = first_of(instruction->getOperand(0));
    return b_.CreateBinOp(llvm::cast<llvm::BinaryOperator>(likely)->getOpcode(), a,
                          first_of(instruction->getOperand(1)));
  }
  // Lane 0 may be inactive, and then its value may be poison.
  return b_.CreateFreeze(b_.CreateExtractElement(vector_of(likely), uint64_t{0}));
}

llvm::Value* likely_places::compare(value* index, value* first, int64_t stride, value* mask) {
  value* expected = b_.CreateAdd(b_.CreateVectorSplat(width_, first), lane_steps(index->getType(), stride, width_));
  value* differs = masks_.both(mask, b_.CreateICmpNE(vector_of(index), expected));
  return b_.CreateNot(masks_.any(differs));
}

// `address` for lane 0's index.
llvm::Value* likely_places::address_at(value* address, const index& at, value* first) {
  auto* element = llvm::cast<llvm::GetElementPtrInst>(address);
  llvm::SmallVector<value*, 4> indices(element->indices());
  if (!shapes_.is_uniform(element->getPointerOperand())) {
    return b_.CreateGEP(element->getSourceElementType(), address_at(element->getPointerOperand(), at, first), indices);
  }
  for (value*& each : indices) {
    if (!shapes_.is_uniform(each)) {
      each = at.extension ? b_.CreateCast(at.extension->getOpcode(), first, each->getType()) : first;
    }
  }
  return b_.CreateGEP(element->getSourceElementType(), element->getPointerOperand(), indices);
}

// The index of the first part of an address whose indices vary.
std::optional<likely_places::index> likely_places::find_index(value* address) const {
  auto* element = llvm::dyn_cast<llvm::GetElementPtrInst>(address);
  while (element && llvm::all_of(element->indices(), [&](value* each) { return shapes_.is_uniform(each); })) {
    element = llvm::dyn_cast<llvm::GetElementPtrInst>(element->getPointerOperand());
  }
  return element ? index_of(*element) : std::nullopt;
}

std::optional<likely_places::place> likely_places::find(llvm::Instruction& access, value* mask) {
  if (width_ > widest_compare) {
    return std::nullopt;
  }
  value* address = llvm::getLoadStorePointerOperand(&access);
  const auto bytes =
      static_cast<int64_t>(state_.layout.getTypeStoreSize(llvm::getLoadStoreType(&access)).getFixedValue());
  const auto stride = strides_.of(address);
  const bool is_uniform = stride == 0 && llvm::isa<llvm::LoadInst>(access) && !access.isVolatile();
  if (!is_uniform && stride != bytes) {
    return std::nullopt;
  }
  const auto at = find_index(address);
  const auto step = at ? strides_.of(at->narrow) : std::nullopt;
  if (!step || !shapes_.span_fits(*step, at->narrow->getType())) {
    return std::nullopt;
  }
  value* first = first_of(at->narrow);
  value* holds = compare(at->narrow, first, *step, mask);
  if (at->extension && *step != 0) {
    holds = b_.CreateAnd(holds, has_lane_order(b_, shapes_, first, *step, llvm::isa<llvm::SExtInst>(at->extension)));
  }
  // Rows that run together take one branch.
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(holds)) {
    made->setMetadata(answer_mark, llvm::MDNode::get(state_.context, {}));
  }
  return place{holds, address_at(address, *at, first), is_uniform};
}

// True at run time if the indices of each group's active lanes follow that of its first lane, and no extended one of
// them wraps around.
llvm::Value* likely_places::compare_groups(value* lanes, const llvm::CastInst* extension, int64_t stride, value* mask) {
  llvm::Type* type = lanes->getType()->getScalarType();
  llvm::SmallVector<int, 64> of_group;
  llvm::SmallVector<llvm::Constant*, 64> steps;
  for (unsigned lane = 0; lane < width_; ++lane) {
    of_group.push_back(static_cast<int>(lane / group * group));
    steps.push_back(llvm::ConstantInt::get(type, lane % group * stride));
  }
  value* firsts = b_.CreateShuffleVector(lanes, of_group);
  value* differs = b_.CreateICmpNE(lanes, b_.CreateAdd(firsts, llvm::ConstantVector::get(steps)));
  if (extension) {
    const bool is_signed = llvm::isa<llvm::SExtInst>(extension);
    const unsigned bits = type->getIntegerBitWidth();
    llvm::APInt last = is_signed ? llvm::APInt::getSignedMaxValue(bits) : llvm::APInt::getMaxValue(bits);
    last -= (group - 1) * stride;
    value* wraps = b_.CreateICmp(is_signed ? llvm::CmpInst::ICMP_SGT : llvm::CmpInst::ICMP_UGT, firsts,
                                 llvm::ConstantInt::get(firsts->getType(), last));
    differs = b_.CreateOr(differs, wraps);
  }
  return b_.CreateNot(masks_.any(masks_.both(mask, differs)));
}

std::optional<likely_places::place> likely_places::find_groups(llvm::Instruction& access, value* mask) {
  value* address = llvm::getLoadStorePointerOperand(&access);
  llvm::Type* type = llvm::getLoadStoreType(&access);
  const auto bytes = static_cast<int64_t>(state_.layout.getTypeStoreSize(type).getFixedValue());
  const auto at = bytes == 4 && width_ % group == 0 && width_ > group && strides_of_groups_.of(address) == bytes
                      ? find_index(address)
                      : std::nullopt;
  const auto step = at ? strides_of_groups_.of(at->narrow) : std::nullopt;
  constexpr int64_t longest_step = 64;
  if (!step || *step <= 0 || *step > longest_step || at->narrow->getType()->getIntegerBitWidth() < 16) {
    return std::nullopt;
  }
  value* lanes = b_.CreateFreeze(vector_of(at->narrow));  // the first lane of a group may be inactive
  value* holds = compare_groups(lanes, at->extension, *step, mask);
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(holds)) {
    made->setMetadata(answer_mark, llvm::MDNode::get(state_.context, {}));
  }
  place found{holds, nullptr, false};
  for (unsigned first = 0; first < width_; first += group) {
    found.groups.push_back(address_at(address, *at, b_.CreateExtractElement(lanes, uint64_t{first})));
  }
  found.address = found.groups.front();
  return found;
}

}  // namespace cohort
