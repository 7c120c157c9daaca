// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls. An intrinsic with a vector form gives each lane the scalar's bits. Everything else (atomics, the C
// library's functions, printf, reports) runs once for each active lane, in lane order.
#include "gang/widen/instruction_widener.hpp"

#include "analysis/context_calls.hpp"
#include "analysis/lane_calls.hpp"
#include "analysis/waiting.hpp"
#include "gang/shape/questions.hpp"
#include "lower/context_reads.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// Intrinsics whose vector form is exact, and is code for vectors rather than calls for each element.
bool has_vector_form(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::abs:
    case llvm::Intrinsic::bitreverse:
    case llvm::Intrinsic::bswap:
    case llvm::Intrinsic::canonicalize:
    case llvm::Intrinsic::ceil:
    case llvm::Intrinsic::copysign:
    case llvm::Intrinsic::ctlz:
    case llvm::Intrinsic::ctpop:
    case llvm::Intrinsic::cttz:
    case llvm::Intrinsic::fabs:
    case llvm::Intrinsic::floor:
    case llvm::Intrinsic::fma:
    case llvm::Intrinsic::fmuladd:
    case llvm::Intrinsic::fshl:
    case llvm::Intrinsic::fshr:
    case llvm::Intrinsic::is_fpclass:
    case llvm::Intrinsic::maxnum:
    case llvm::Intrinsic::minnum:
    case llvm::Intrinsic::maximum:
    case llvm::Intrinsic::minimum:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::rint:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
    case llvm::Intrinsic::sadd_sat:
    case llvm::Intrinsic::sadd_with_overflow:
    case llvm::Intrinsic::smax:
    case llvm::Intrinsic::smin:
    case llvm::Intrinsic::smul_with_overflow:
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::ssub_sat:
    case llvm::Intrinsic::ssub_with_overflow:
    case llvm::Intrinsic::trunc:
    case llvm::Intrinsic::uadd_sat:
    case llvm::Intrinsic::uadd_with_overflow:
    case llvm::Intrinsic::umax:
    case llvm::Intrinsic::umin:
    case llvm::Intrinsic::umul_with_overflow:
    case llvm::Intrinsic::usub_sat:
    case llvm::Intrinsic::usub_with_overflow:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool instruction_widener::widen_call(llvm::CallInst& call, value* mask) {
  if (const auto read = read_by(call)) {
    if (*read == context_value::thread_index && shapes_.is_varying(&call)) {
      values_.replace(call, state_.lanes.index[llvm::cast<llvm::ConstantInt>(call.getArgOperand(0))->getZExtValue()]);
    }
    return true;
  }
  if (const gang_question question = asked_by(call); question != gang_question::none) {
    answer(call, question == gang_question::is_full ? is_full(call, mask) : all_stay(call));
    return true;
  }
  if (call.isInlineAsm()) {
    return state_.refuse("it has inline assembly", &call);
  }
  if (const auto known = lane_call_of(call)) {
    return widen_lane_call(call, *known, mask);
  }
  if (is_warp_collective(call)) {
    return widen_rendezvous(call, mask);
  }
  const port_call called = port_call_of(call);
  if (called == port_call::cohort_wait_converged) {
    values_.replace_uniform(call, masks_.bits(mask));
    return width_ == lanes_of_warp || refuse_warp_call(call);
  }
  if (is_gang_wait(called)) {
    return widen_wait(call, mask);
  }
  if (copies_later(called)) {
    return widen_copies(call, mask);
  }
  if (may_suspend(called)) {
    return state_.refuse("it calls " + called_name(call), &call);
  }
  switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::lifetime_start:  // a lane's object is a part of the variable
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
      values_.erase_at_end(call);
      return true;
    case llvm::Intrinsic::trap:
    case llvm::Intrinsic::debugtrap:
    case llvm::Intrinsic::donothing:
    case llvm::Intrinsic::sideeffect:
    case llvm::Intrinsic::dbg_assign:
    case llvm::Intrinsic::dbg_declare:
    case llvm::Intrinsic::dbg_label:
    case llvm::Intrinsic::dbg_value:
      return true;
    default:
      break;
  }
  if (!call.getType()->isVoidTy() && !shapes_.is_varying(&call)) {
    return true;
  }
  if (auto* memory = llvm::dyn_cast<llvm::AnyMemIntrinsic>(&call)) {
    bool uniform = true;
    for (const llvm::Use& argument : memory->args()) {
      uniform = uniform && shapes_.is_uniform(argument.get());
    }
    const auto* plain = llvm::dyn_cast<llvm::MemIntrinsic>(memory);
    if (uniform && plain && !plain->isVolatile()) {
      return true;
    }
  }
  if (has_vector_form(call.getIntrinsicID())) {
    return widen_intrinsic(call, mask);
  }
  return widen_math(call) || each_lane(call, mask);
}

bool instruction_widener::refuse_warp_call(const llvm::CallInst& call) {
  return state_.refuse("warp collectives run in gangs of 32 lanes", &call);
}

bool instruction_widener::widen_intrinsic(llvm::CallInst& call, value* mask) {
  if (!types_.has_lanes(call.getType())) {
    return state_.refuse_type(&call);
  }
  llvm::SmallVector<value*, 4> arguments;
  for (unsigned i = 0; i < call.arg_size(); ++i) {
    value* argument = call.getArgOperand(i);
    if (!types_.has_lanes(argument->getType())) {
      return state_.refuse_type(&call);
    }
    arguments.push_back(call.paramHasAttr(i, llvm::Attribute::ImmArg) ? argument : vector_of(argument));
  }
  // All of these are overloaded on the type of their first argument alone.
  auto* result = b_.CreateIntrinsic(call.getIntrinsicID(), {arguments[0]->getType()}, arguments);
  if (llvm::isa<llvm::FPMathOperator>(result)) {
    result->copyFastMathFlags(&call);
  }
  values_.replace(call, result);
  (void)mask;
  return true;
}

// An operand of an instruction that runs for each lane.
instruction_widener::lane_operand instruction_widener::operand_of_lanes(value* operand) {
  const auto stride = shapes_.stride(operand);
  if (!stride || *stride == 0 || values_.has_vector(operand)) {
    return {shapes_.is_uniform(operand) ? operand : vector_of(operand), 0};
  }
  const auto constant = shapes_.lane_zero_constant(operand);
  return {
      constant && operand->getType()->isIntegerTy() ? llvm::ConstantInt::get(operand->getType(), *constant) : operand,
      *stride};
}

llvm::SmallVector<llvm::Value*, 8> instruction_widener::arguments_of(llvm::ArrayRef<lane_operand> operands,
                                                                     value* mask) {
  llvm::SmallVector<value*, 8> arguments{masks_.bits(mask)};
  for (const lane_operand& operand : operands) {
    arguments.push_back(operand.all);
  }
  return arguments;
}

llvm::SmallVector<llvm::Value*, 8> instruction_widener::elements_of(llvm::ArrayRef<lane_operand> operands,
                                                                    lane_loop& loop, llvm::Function& part) {
  llvm::SmallVector<value*, 8> elements;
  unsigned argument = 1;  // after the mask
  for (const lane_operand& operand : operands) {
    value* all = part.getArg(argument++);
    elements.push_back(operand.stride == 0 ? loop.element(all) : loop.linear(all, operand.stride));
  }
  return elements;
}

// Emits a call of a function that executes a copy of `instruction` for each active lane.
bool instruction_widener::each_lane(llvm::Instruction& instruction, value* mask) {
  llvm::Type* result_type = instruction.getType();
  const bool has_result = !result_type->isVoidTy();
  if (has_result && !types_.has_lanes(result_type)) {
    return state_.refuse_type(&instruction);
  }
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  const bool reports = call && reports_thread(port_call_of(*call));
  if (call && !llvm::isa<llvm::IntrinsicInst>(call) && port_call_of(*call) != port_call::cohort_gang_fail_assert) {
    state_.notes.calls.insert({called_name(*call), call->getDebugLoc()});
  }

  llvm::SmallVector<lane_operand, 8> operands;  // those that are not constants
  llvm::SmallVector<unsigned, 8> places;
  for (unsigned i = 0; i < instruction.getNumOperands(); ++i) {
    value* operand = instruction.getOperand(i);
    if (llvm::isa<llvm::Constant, llvm::MetadataAsValue>(operand)) {
      continue;
    }
    if (!types_.has_lanes(operand->getType()) && !shapes_.is_uniform(operand)) {
      return state_.refuse_type(&instruction);
    }
    places.push_back(i);
    operands.push_back(operand_of_lanes(operand));
  }
  if (reports) {
    operands.push_back({state_.lanes.thread, 0});
    for (value* index : state_.lanes.index) {
      operands.push_back({index, 0});
    }
    operands.push_back({state_.lanes.rank, 0});
  }
  if (llvm::any_of(operands, [](const lane_operand& operand) { return operand.all->getType()->isStructTy(); })) {
    return state_.refuse_type(&instruction);
  }
  const llvm::SmallVector<value*, 8> arguments = arguments_of(operands, mask);
  llvm::Function& part =
      state_.outlined.make(has_result ? wide(result_type) : result_type, arguments, "cohort.each.lane");
  lane_loop loop(part, width_, types_.has_mask_registers());
  const llvm::SmallVector<value*, 8> elements = elements_of(operands, loop, part);
  llvm::Instruction* copy = instruction.clone();
  copy->dropUnknownNonDebugMetadata();
  copy->setDebugLoc(llvm::DebugLoc());
  for (size_t i = 0; i < places.size(); ++i) {
    copy->setOperand(places[i], elements[i]);
  }
  if (reports) {
    const size_t first = places.size();
    write_thread_index(loop.body(), elements[first], {elements[first + 1], elements[first + 2], elements[first + 3]},
                       elements[first + 4]);
  }
  loop.body().Insert(copy);
  if (has_result) {
    loop.keep(copy);
  }
  loop.finish();

  auto* made = state_.outlined.call(part, arguments);
  if (has_result) {
    values_.set_vector(&instruction, made);
  }
  values_.erase_at_end(instruction);
  return true;
}

}  // namespace cohort
