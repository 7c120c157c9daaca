// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes shapes as the least fixed point over structured control flow. LLVM's UniformityInfo is not used: in LLVM 19
// it calls some phis of a divergent join uniform (llvm-project issue 137277).
#include "gang/shape/shapes.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/lane_calls.hpp"
#include "analysis/waiting.hpp"
#include "gang/shape/lane_zero_facts.hpp"
#include "gang/shape/questions.hpp"

#include "llvm/ADT/APInt.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace cohort {

shape_analysis::shape_analysis(llvm::Function& function, unsigned width, bool rows, llvm::LoopInfo& loops,
                               llvm::DominatorTree& dominators)
    : function_(function), width_(width), rows_(rows), loops_(loops), dominators_(dominators) {
  solve();
  conditional_ = find_conditional_strides(function, *this);
}

void shape_analysis::solve() {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  for (bool changed = true; changed;) {
    changed = false;
    for (llvm::BasicBlock* block : order) {
      for (llvm::Instruction& instruction : *block) {
        if (instruction.getType()->isVoidTy()) {
          continue;
        }
        shape& known = shapes_[&instruction];
        const shape now = join(known, transfer(instruction));
        if (!(now == shapes_[&instruction])) {
          shapes_[&instruction] = now;
          changed = true;
        }
      }
      auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator());
      if (branch && branch->isConditional() && shape_of(branch->getCondition()).what == shape::varying) {
        changed = divergent_.insert(block).second || changed;
      }
    }
  }
}

std::optional<int64_t> shape_analysis::stride(const llvm::Value* value) const {
  const shape here = shape_of(value);
  return here.what == shape::linear ? std::optional(here.stride) : std::nullopt;
}

std::optional<conditional_stride> shape_analysis::linear_unless_wrapped(const llvm::Value* value) const {
  return known_stride(value, *this, conditional_);
}

bool shape_analysis::span_fits(int64_t stride, const llvm::Type* type) const {
  return llvm::APInt(64, span(stride)).getActiveBits() < type->getIntegerBitWidth();
}

uint64_t shape_analysis::object_bytes(const llvm::AllocaInst& variable) const {
  return llvm::alignTo(layout().getTypeAllocSize(variable.getAllocatedType()).getFixedValue(), variable.getAlign());
}

shape_analysis::shape shape_analysis::shape_of(const llvm::Value* value) const {
  return llvm::isa<llvm::Instruction>(value) ? shapes_.lookup(value) : uniform_shape;
}

shape_analysis::shape shape_analysis::join(shape a, shape b) const {
  if (a.what == shape::unknown || a == b) {
    return b;
  }
  return b.what == shape::unknown ? a : varying_shape;
}

shape_analysis::shape shape_analysis::all_uniform(const llvm::User& user) const {
  shape result = uniform_shape;
  for (const llvm::Value* operand : user.operands()) {
    const shape part = shape_of(operand);
    if (part.what == shape::unknown) {
      result = part;
    } else if (!(part == uniform_shape)) {
      return varying_shape;
    }
  }
  return result;
}

shape_analysis::shape shape_analysis::transfer(const llvm::Instruction& instruction) const {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::PHI:
      return phi_shape(llvm::cast<llvm::PHINode>(instruction));
    case llvm::Instruction::Call:
      return call_shape(llvm::cast<llvm::CallBase>(instruction));
    case llvm::Instruction::Alloca:
      return {shape::linear, static_cast<int64_t>(object_bytes(llvm::cast<llvm::AllocaInst>(instruction)))};
    case llvm::Instruction::Load: {
      auto& load = llvm::cast<llvm::LoadInst>(instruction);
      return load.isSimple() ? all_uniform(load) : varying_shape;
    }
    case llvm::Instruction::AtomicRMW:
    case llvm::Instruction::AtomicCmpXchg:
      return varying_shape;
    case llvm::Instruction::GetElementPtr:
      return address_shape(llvm::cast<llvm::GetElementPtrInst>(instruction));
    case llvm::Instruction::ZExt:
    case llvm::Instruction::SExt:
      return extension_shape(llvm::cast<llvm::CastInst>(instruction));
    case llvm::Instruction::Trunc:
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::IntToPtr:
    case llvm::Instruction::Freeze:
      return conversion_shape(instruction);
    case llvm::Instruction::ICmp:
      return compare_shape(llvm::cast<llvm::CmpInst>(instruction));
    case llvm::Instruction::Select: {
      const shape condition = shape_of(instruction.getOperand(0));
      const shape either = join(shape_of(instruction.getOperand(1)), shape_of(instruction.getOperand(2)));
      return condition == uniform_shape || condition.what == shape::unknown ? either : varying_shape;
    }
    default:
      if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
        return binary_shape(*operation);
      }
      return all_uniform(instruction);
  }
}

// Lanes that meet at a join of a divergent branch bring different values, and lanes that leave a loop one by one bring
// the values of different iterations. Structured control flow has no other way for lanes to meet.
shape_analysis::shape shape_analysis::phi_shape(const llvm::PHINode& phi) const {
  const llvm::BasicBlock* block = phi.getParent();
  const llvm::Loop* loop = loops_.getLoopFor(block);
  shape all;
  const llvm::Value* only = nullptr;
  bool several = false;
  for (const llvm::Value* incoming : phi.incoming_values()) {
    if (llvm::isa<llvm::UndefValue>(incoming)) {
      continue;
    }
    several = several || (only && only != incoming);
    only = incoming;
    const shape part = shape_of(incoming);
    all = part.what == shape::unknown ? all : join(all, part);
  }
  if (loop && loop->getHeader() == block) {
    return all;
  }
  if (const llvm::BasicBlock* before = block->getSinglePredecessor()) {
    const llvm::Loop* left = loops_.getLoopFor(before);
    if (left && !left->contains(block) && diverges(before)) {
      auto* value = llvm::dyn_cast<llvm::Instruction>(phi.getIncomingValue(0));
      return value && left->contains(value) ? varying_shape : all;
    }
    return all;
  }
  if (!only) {
    return uniform_shape;
  }
  return several && diverges(dominators_.getNode(block)->getIDom()->getBlock()) ? varying_shape : all;
}

shape_analysis::shape shape_analysis::call_shape(const llvm::CallBase& call) const {
  if (const auto value = read_by(call)) {
    if (*value != context_value::thread_index) {
      return all_uniform(call);
    }
    if (!rows_) {
      return varying_shape;
    }
    // The axis is a constant: split_axes() has split the others.
    return {shape::linear, llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->isZero() ? 1 : 0};
  }
  if (asked_by(call) != gang_question::none) {
    return uniform_shape;
  }
  if (is_gang_wait(port_call_of(call))) {
    return uniform_shape;  // the result of a wait, such as a count of votes, is the same for all lanes of a block
  }
  if (const auto known = lane_call_of(call)) {
    return lane_call_shape(call, *known);
  }
  if (port_call_of(call) == port_call::cohort_wait_converged) {
    return width_ == lanes_of_warp ? uniform_shape : varying_shape;
  }
  if (call.doesNotAccessMemory() && call.willReturn() && !call.isConvergent()) {
    return all_uniform(call);
  }
  return varying_shape;
}

// A collective has one result for all lanes if they share the mask, and the source where there is one.
shape_analysis::shape shape_analysis::lane_call_shape(const llvm::CallBase& call, lane_call what) const {
  auto uniform_if = [&](std::initializer_list<unsigned> arguments) {
    shape result = width_ == lanes_of_warp ? uniform_shape : varying_shape;
    for (const unsigned i : arguments) {
      const shape part = shape_of(call.getArgOperand(i));
      result = part.what == shape::unknown || result.what == shape::unknown ? shape{}
               : part == uniform_shape                                      ? result
                                                                            : varying_shape;
    }
    return result;
  };
  switch (what) {
    case lane_call::tile_lanes: {
      auto* size = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
      return size && size->equalsInt(lanes_of_warp) ? uniform_if({}) : varying_shape;
    }
    case lane_call::here:
      return uniform_if({});
    case lane_call::first:
      return uniform_shape;
    case lane_call::permute:
      return uniform_if({1});
    case lane_call::ballot:
    case lane_call::product:
      return uniform_if({0});
    case lane_call::shuffle:
      return uniform_if({0, 2});
    case lane_call::match:
    case lane_call::put:
    case lane_call::get:
      return varying_shape;
  }
  return varying_shape;
}

shape_analysis::shape shape_analysis::binary_shape(const llvm::BinaryOperator& operation) const {
  const shape a = shape_of(operation.getOperand(0));
  const shape b = shape_of(operation.getOperand(1));
  if (a.what == shape::unknown || b.what == shape::unknown) {
    return {};
  }
  if (a == uniform_shape && b == uniform_shape) {
    return uniform_shape;
  }
  if (!operation.getType()->isIntegerTy() || operation.getType()->getIntegerBitWidth() > 64 ||
      operation.getType()->isIntegerTy(1) || a.what == shape::varying || b.what == shape::varying) {
    return varying_shape;
  }
  constexpr int64_t largest = int64_t{1} << 40;  // keeps the product of strides and widths inside 64 bits
  auto linear = [&](std::optional<int64_t> stride) {
    return stride && *stride > -largest && *stride < largest ? shape{shape::linear, *stride} : varying_shape;
  };
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
      return linear(a.stride + b.stride);
    case llvm::Instruction::Sub:
      return linear(a.stride - b.stride);
    case llvm::Instruction::Mul: {
      if (!constant || constant->getValue().getSignificantBits() > 20) {
        return varying_shape;
      }
      return linear(a.stride < (1 << 20) && a.stride > -(1 << 20) ? std::optional(a.stride * constant->getSExtValue())
                                                                  : std::nullopt);
    }
    case llvm::Instruction::Shl:
      if (!constant || constant->getValue().uge(20) || a.stride >= (1 << 20) || a.stride <= -(1 << 20)) {
        return varying_shape;
      }
      return linear(a.stride * (int64_t{1} << constant->getZExtValue()));
    case llvm::Instruction::And:
    case llvm::Instruction::LShr:
    case llvm::Instruction::AShr:
      return constant ? low_bits_shape(operation) : varying_shape;
    default:
      return varying_shape;
  }
}

// `rank / 32` and `rank & -32` have one value in a gang whose ranks differ in the five low bits only; `rank & 31` is
// linear there.
shape_analysis::shape shape_analysis::low_bits_shape(const llvm::BinaryOperator& operation) const {
  const llvm::Value* value = operation.getOperand(0);
  const llvm::APInt& constant = llvm::cast<llvm::ConstantInt>(operation.getOperand(1))->getValue();
  if (operation.getOpcode() != llvm::Instruction::And) {
    return constant.ult(constant.getBitWidth()) &&
                   lane_zero_facts(*this).stays_in_low_bits(value, static_cast<unsigned>(constant.getZExtValue()))
               ? uniform_shape
               : varying_shape;
  }
  if (lane_zero_facts(*this).stays_in_low_bits(value, constant.countr_zero())) {
    return uniform_shape;
  }
  return lane_zero_facts(*this).stays_in_low_bits(value, constant.countr_one()) ? shape_of(value) : varying_shape;
}

shape_analysis::shape shape_analysis::address_shape(const llvm::GetElementPtrInst& address) const {
  const shape base = shape_of(address.getPointerOperand());
  if (base.what != shape::linear || address.getType()->isVectorTy()) {
    return base.what == shape::unknown ? base : varying_shape;
  }
  int64_t stride = base.stride;
  for (auto step = llvm::gep_type_begin(address); step != llvm::gep_type_end(address); ++step) {
    const llvm::Value* index = step.getOperand();
    const shape part = shape_of(index);
    if (part.what == shape::unknown) {
      return part;
    }
    if (part == uniform_shape) {
      continue;
    }
    // A narrower index is extended as a signed number.
    if (part.what == shape::varying ||
        (index->getType()->getIntegerBitWidth() < 64 && !lane_zero_facts(*this).cannot_wrap(index, true)) ||
        index->getType()->getIntegerBitWidth() > 64) {
      return varying_shape;
    }
    const auto bytes = static_cast<int64_t>(step.getSequentialElementStride(layout()).getFixedValue());
    constexpr int64_t limit = int64_t{1} << 20;
    if (bytes > limit || part.stride > limit || part.stride < -limit) {
      return varying_shape;
    }
    stride += part.stride * bytes;
  }
  return {shape::linear, stride};
}

shape_analysis::shape shape_analysis::extension_shape(const llvm::CastInst& extension) const {
  const shape source = shape_of(extension.getOperand(0));
  if (source.what != shape::linear || source.stride == 0) {
    return source;
  }
  return extension.getType()->getIntegerBitWidth() <= 64 &&
                 lane_zero_facts(*this).cannot_wrap(extension.getOperand(0), llvm::isa<llvm::SExtInst>(extension))
             ? source
             : varying_shape;
}

shape_analysis::shape shape_analysis::conversion_shape(const llvm::Instruction& conversion) const {
  const llvm::Value* value = conversion.getOperand(0);
  const shape source = shape_of(value);
  if (source.what != shape::linear || source.stride == 0) {
    return source;
  }
  const auto bits = [&](const llvm::Type* type) { return layout().getTypeSizeInBits(const_cast<llvm::Type*>(type)); };
  // The low bits of a linear value are linear. A wider result would need a proof as an extension does.
  const bool narrows = bits(conversion.getType()) <= bits(value->getType());
  return narrows && !conversion.getType()->isIntegerTy(1) ? source : varying_shape;
}

// `threadIdx.x < 64`: no gang has lanes on both sides of a bound whose low bits are zero, if only these bits differ
// between its lanes.
bool shape_analysis::separates_gangs(const llvm::CmpInst& compare) const {
  auto* bound = llvm::dyn_cast<llvm::ConstantInt>(compare.getOperand(1));
  const shape here = shape_of(compare.getOperand(0));
  if (!bound || here.what != shape::linear) {
    return false;
  }
  llvm::APInt first = bound->getValue();  // the lowest value of the upper side
  switch (compare.getPredicate()) {
    case llvm::CmpInst::ICMP_ULT:
    case llvm::CmpInst::ICMP_SLT:
    case llvm::CmpInst::ICMP_UGE:
    case llvm::CmpInst::ICMP_SGE:
      break;
    case llvm::CmpInst::ICMP_UGT:
    case llvm::CmpInst::ICMP_SGT:
    case llvm::CmpInst::ICMP_ULE:
    case llvm::CmpInst::ICMP_SLE:
      ++first;
      break;
    default:
      return false;
  }
  return !first.isZero() &&
         lane_zero_facts(*this).stays_in_low_bits(compare.getOperand(0), std::min(first.countr_zero(), 63u));
}

// Two values with one stride are equal in all lanes or in none.
shape_analysis::shape shape_analysis::compare_shape(const llvm::CmpInst& compare) const {
  const shape a = shape_of(compare.getOperand(0));
  const shape b = shape_of(compare.getOperand(1));
  if (a.what == shape::linear && b.what == shape::linear && (a.stride == 0 || compare.isEquality()) && a == b) {
    return uniform_shape;
  }
  if (separates_gangs(compare)) {
    return uniform_shape;
  }
  return a.what == shape::unknown || b.what == shape::unknown ? shape{} : varying_shape;
}

}  // namespace cohort
