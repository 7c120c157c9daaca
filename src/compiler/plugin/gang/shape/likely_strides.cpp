// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/shape/likely_strides.hpp"

#include "analysis/context_calls.hpp"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace cohort {
namespace {

constexpr unsigned deepest_guess = 16;  // recursion over operands
constexpr int64_t largest_guess = int64_t{1} << 20;

}  // namespace

likely_strides::guess likely_strides::of(const llvm::Value* value, unsigned depth) {
  if (const auto exact = shapes_.linear_unless_wrapped(value)) {
    return exact->stride;
  }
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  if (!instruction || depth > deepest_guess) {
    return std::nullopt;
  }
  if (const auto known = known_.find(value); known != known_.end()) {
    return known->second;
  }
  known_[value] = std::nullopt;  // the result for a value that depends on itself
  guess stride = of_instruction(*instruction, depth + 1);
  if (stride && (*stride < -largest_guess || *stride > largest_guess)) {
    stride = std::nullopt;
  }
  known_[value] = stride;
  return stride;
}

likely_strides::guess likely_strides::of_instruction(const llvm::Instruction& instruction, unsigned depth) {
  if (instruction.getType()->isIntegerTy(1)) {
    return 0;  // a condition is likely the same in all lanes: few gangs have lanes on both sides of an edge
  }
  switch (instruction.getOpcode()) {
    case llvm::Instruction::Load:
      return of_load(llvm::cast<llvm::LoadInst>(instruction), depth);
    case llvm::Instruction::GetElementPtr:
      return of_address(llvm::cast<llvm::GetElementPtrInst>(instruction), depth);
    case llvm::Instruction::Call:
      if (auto& call = llvm::cast<llvm::CallBase>(instruction); read_by(call) == context_value::thread_index) {
        return llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->isZero() ? 1 : 0;  // blocks of any shape
      }
      break;
    case llvm::Instruction::PHI:
      return of_phi(llvm::cast<llvm::PHINode>(instruction), depth);
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt:
    case llvm::Instruction::Trunc:
    case llvm::Instruction::Freeze:
      return of(instruction.getOperand(0), depth);
    default:
      break;
  }
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction)) {
    return operation->getType()->isIntegerTy() ? of_operation(*operation, depth) : std::nullopt;
  }
  const llvm::Value* likely = operand_of(instruction, depth);
  return likely ? of(likely, depth) : std::nullopt;
}

// Guesses that a table of indices holds those of neighbours, as most tables do.
likely_strides::guess likely_strides::of_load(const llvm::LoadInst& load, unsigned depth) {
  const auto bytes = static_cast<int64_t>(load.getDataLayout().getTypeStoreSize(load.getType()).getFixedValue());
  const guess stride = load.isSimple() && load.getType()->isIntegerTy() ? of(load.getPointerOperand(), depth) : guess();
  return stride == bytes ? guess(1) : stride == 0 ? stride : std::nullopt;
}

likely_strides::guess likely_strides::of_address(const llvm::GetElementPtrInst& address, unsigned depth) {
  guess sum = of(address.getPointerOperand(), depth);
  for (auto step = llvm::gep_type_begin(address); sum && step != llvm::gep_type_end(address); ++step) {
    if (shapes_.is_uniform(step.getOperand())) {
      continue;
    }
    const guess part = of(step.getOperand(), depth);
    const auto bytes = static_cast<int64_t>(step.getSequentialElementStride(address.getDataLayout()).getFixedValue());
    sum = part && bytes < largest_guess ? guess(*sum + *part * bytes) : std::nullopt;
  }
  return sum;
}

likely_strides::guess likely_strides::of_operation(const llvm::BinaryOperator& operation, unsigned depth) {
  const guess a = of(operation.getOperand(0), depth);
  const guess b = a ? of(operation.getOperand(1), depth) : std::nullopt;
  if (!a || !b) {
    return std::nullopt;
  }
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  switch (operation.getOpcode()) {
    case llvm::Instruction::Add:
      return *a + *b;
    case llvm::Instruction::Sub:
      return *a - *b;
    case llvm::Instruction::Mul:
      return constant && constant->getValue().getSignificantBits() <= 20 ? guess(*a * constant->getSExtValue())
             : *a == 0 && *b == 0                                        ? guess(0)
                                                                         : std::nullopt;
    case llvm::Instruction::Shl:
      return constant && constant->getValue().ult(20) ? guess(*a * (int64_t{1} << constant->getZExtValue()))
                                                      : std::nullopt;
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SDiv:
      return is_large(operation.getOperand(1), *a) ? guess(0) : std::nullopt;
    case llvm::Instruction::URem:
    case llvm::Instruction::SRem:
      return is_large(operation.getOperand(1), *a) ? a : std::nullopt;
    case llvm::Instruction::LShr:
      return *a == 0 && *b == 0 ? a
             : *a == 1 && constant && constant->getValue().ult(31) &&
                     is_multiple(llvm::APInt(32, 1) << constant->getZExtValue())
                 ? guess(0)
                 : std::nullopt;
    case llvm::Instruction::And:
      return *a == 0 && *b == 0 ? a : *a == 1 && constant && is_multiple(constant->getValue() + 1) ? a : std::nullopt;
    default:
      return std::nullopt;
  }
}

// True if a group of lanes lies between two multiples of `count`, of which group sizes are divisors.
bool likely_strides::is_multiple(const llvm::APInt& count) const { return count.isPowerOf2() && count.uge(lanes_); }

// True if few gangs have a multiple of `divisor` between their lanes' values.
bool likely_strides::is_large(const llvm::Value* divisor, int64_t stride) const {
  const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(divisor);
  return constant ? constant->getValue().abs().ugt(2 * shapes_.span(stride)) : shapes_.is_uniform(divisor);
}

// Guesses the stride of a phi after a divergent branch: that of its operands, if they agree. A counter keeps the stride
// of its start.
likely_strides::guess likely_strides::of_phi(const llvm::PHINode& phi, unsigned depth) {
  guess all;
  for (const llvm::Value* incoming : phi.incoming_values()) {
    using namespace llvm::PatternMatch;
    const llvm::Value* step;
    const bool counts = match(incoming, m_c_Add(m_Specific(&phi), m_Value(step))) && shapes_.is_uniform(step);
    if (counts || llvm::isa<llvm::UndefValue>(incoming)) {
      continue;
    }
    const guess part = of(incoming, depth);
    if (!part || (all && all != part)) {
      return std::nullopt;
    }
    all = part;
  }
  return all;
}

llvm::Value* likely_strides::operand_of(const llvm::Instruction& selection, unsigned depth) {
  const bool is_select = llvm::isa<llvm::SelectInst>(selection);
  if (!is_select && !llvm::isa<llvm::MinMaxIntrinsic>(selection)) {
    return nullptr;
  }
  llvm::Value* operands[2];
  for (unsigned i = 0; i < 2; ++i) {
    operands[i] = selection.getOperand(is_select ? i + 1 : i);
  }
  // The value at which an index is clamped, an edge, is usually uniform. So the other operand is likelier.
  const bool first = shapes_.is_uniform(operands[0]), second = shapes_.is_uniform(operands[1]);
  if (first != second) {
    return operands[first ? 1 : 0];
  }
  // Divisions have selections for divisors of 0 and -1: equality is the exception.
  if (auto* compare = is_select ? llvm::dyn_cast<llvm::ICmpInst>(selection.getOperand(0)) : nullptr;
      compare && compare->isEquality() && shapes_.is_uniform(compare)) {
    return operands[compare->getPredicate() == llvm::CmpInst::ICMP_EQ ? 1 : 0];
  }
  const guess a = first ? guess() : of(operands[0], depth);
  return a && a == of(operands[1], depth) ? operands[1] : nullptr;
}

}  // namespace cohort
