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
    control_.answer(call, question, mask);
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
  return widen_math(call) || serial_.serialize(call, mask);
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

}  // namespace cohort
