// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/serial/lane_serializer.hpp"

#include "analysis/port_calls.hpp"
#include "gang/shape/lane_zero_facts.hpp"
#include "lower/context_reads.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"

namespace cohort {

lane_serializer::operand lane_serializer::operand_of(value* scalar) {
  const auto stride = shapes_.stride(scalar);
  if (!stride) {
    if (const auto index = narrow_index_of(scalar)) {
      return *index;
    }
  }
  if (!stride || *stride == 0 || values_.has_vector(scalar)) {
    return {shapes_.is_uniform(scalar) ? scalar : vector_of(scalar), 0};
  }
  const auto constant = lane_zero_facts(shapes_).constant(scalar);
  return {constant && scalar->getType()->isIntegerTy() ? llvm::ConstantInt::get(scalar->getType(), *constant) : scalar,
          *stride};
}

// An address as an index of fewer bits than an address has: the loop extends it for less than a vector of addresses
// costs, which has eight bytes for each lane.
std::optional<lane_serializer::operand> lane_serializer::narrow_index_of(value* scalar) {
  auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(scalar);
  if (!address || !shapes_.is_uniform(address->getPointerOperand())) {
    return std::nullopt;
  }
  llvm::SmallVector<value*, 4> indices(address->indices());
  auto* extension = llvm::dyn_cast<llvm::CastInst>(indices.pop_back_val());
  if (!extension || !llvm::isa<llvm::SExtInst, llvm::ZExtInst>(extension) || !types_.is_plain(extension->getSrcTy()) ||
      extension->getSrcTy()->isIntegerTy(1) ||
      !llvm::all_of(indices, [&](value* index) { return shapes_.is_uniform(index); })) {
    return std::nullopt;
  }
  indices.push_back(llvm::ConstantInt::get(extension->getType(), 0));
  value* base = b_.CreateGEP(address->getSourceElementType(), address->getPointerOperand(), indices);
  return operand{vector_of(extension->getOperand(0)), 0, base, address->getResultElementType(), extension->getOpcode()};
}

llvm::SmallVector<llvm::Value*, 8> lane_serializer::arguments_of(llvm::ArrayRef<operand> operands, value* mask) {
  llvm::SmallVector<value*, 8> arguments{masks_.bits(mask)};
  for (const operand& each : operands) {
    arguments.push_back(each.all);
    if (each.base) {
      arguments.push_back(each.base);
    }
  }
  return arguments;
}

llvm::SmallVector<llvm::Value*, 8> lane_serializer::elements_of(llvm::ArrayRef<operand> operands, lane_loop& loop,
                                                                llvm::Function& code) {
  llvm::SmallVector<value*, 8> elements;
  unsigned argument = 1;  // argument 0 is the mask
  for (const operand& each : operands) {
    value* all = code.getArg(argument++);
    llvm::Value* element = each.stride == 0 ? loop.element(all) : loop.linear(all, each.stride);
    if (each.base) {
      element = loop.body().CreateCast(each.extension, element, loop.body().getInt64Ty());
      element = loop.body().CreateGEP(each.element, code.getArg(argument++), element);
    }
    elements.push_back(element);
  }
  return elements;
}

std::optional<llvm::SmallVector<unsigned, 8>> lane_serializer::find_operands(llvm::Instruction& instruction,
                                                                             operands& found) {
  llvm::SmallVector<unsigned, 8> numbers;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    value* scalar = instruction.getOperand(i);
    if (llvm::isa<llvm::Constant, llvm::MetadataAsValue>(scalar)) {
      continue;
    }
    if (!types_.has_lanes(scalar->getType()) && !shapes_.is_uniform(scalar)) {
      return std::nullopt;
    }
    numbers.push_back(i);
    found.push_back(operand_of(scalar));
  }
  return numbers;
}

// The arguments of write_thread_index(): a report names the lane's thread.
void lane_serializer::append_thread(operands& found) const {
  found.push_back({state_.lanes.thread, 0});
  for (value* index : state_.lanes.index) {
    found.push_back({index, 0});
  }
  found.push_back({state_.lanes.rank, 0});
}

void lane_serializer::note_call(const llvm::CallBase& call) {
  if (!llvm::isa<llvm::IntrinsicInst>(call) && port_call_of(call) != port_call::cohort_gang_fail_assert) {
    state_.notes.calls.insert({called_name(call), call.getDebugLoc()});
  }
}

bool lane_serializer::serialize(llvm::Instruction& instruction, value* mask) {
  llvm::Type* result_type = instruction.getType();
  // An unused result, as of an atomic operation, needs no vector.
  const bool has_result = !result_type->isVoidTy() && !instruction.use_empty();
  if (has_result && !types_.has_lanes(result_type)) {
    return state_.refuse_type(&instruction);
  }
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const bool reports = call && reports_thread(port_call_of(*call));
  if (call) {
    note_call(*call);
  }

  operands operands;
  const auto numbers = find_operands(instruction, operands);
  if (!numbers) {
    return state_.refuse_type(&instruction);
  }
  if (reports) {
    append_thread(operands);
  }
  if (llvm::any_of(operands, [](const operand& each) { return each.all->getType()->isStructTy(); })) {
    return state_.refuse_type(&instruction);
  }
  const llvm::SmallVector<value*, 8> arguments = arguments_of(operands, mask);
  llvm::Function& code = state_.outlined.make(
      has_result ? wide(result_type) : llvm::Type::getVoidTy(instruction.getContext()), arguments, "cohort.each.lane");
  lane_loop loop(code, width_, types_.has_mask_registers(), !mask && !has_result);
  const llvm::SmallVector<value*, 8> elements = elements_of(operands, loop, code);
  llvm::Instruction* copy = instruction.clone();
  copy->dropUnknownNonDebugMetadata();
  copy->setDebugLoc(llvm::DebugLoc());
  for (size_t i = 0; i < numbers->size(); ++i) {
    copy->setOperand((*numbers)[i], elements[i]);
  }
  if (reports) {
    const size_t first = numbers->size();
    write_thread_index(loop.body(), elements[first], {elements[first + 1], elements[first + 2], elements[first + 3]},
                       elements[first + 4]);
  }
  loop.body().Insert(copy);
  if (has_result) {
    loop.keep(copy);
  }
  loop.finish();

  auto* made = state_.outlined.call(code, arguments);
  if (has_result) {
    values_.set_vector(&instruction, made);
  }
  values_.erase_at_end(instruction);
  return true;
}

}  // namespace cohort
