// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/calls/calls.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

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

// Calls without a meaning for lanes: a lane's object is a part of the variable.
bool is_dropped(llvm::Intrinsic::ID id) {
  switch (id) {
    case llvm::Intrinsic::lifetime_start:
    case llvm::Intrinsic::lifetime_end:
    case llvm::Intrinsic::assume:
    case llvm::Intrinsic::experimental_noalias_scope_decl:
      return true;
    default:
      return false;
  }
}

// Calls that serve all lanes as they are.
bool is_kept(llvm::Intrinsic::ID id) {
  switch (id) {
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
      return false;
  }
}

}  // namespace

bool call_widener::widen(llvm::CallInst& call, value* mask) {
  const llvm::Intrinsic::ID id = call.getIntrinsicID();
  if (call.isInlineAsm()) {
    return state_.refuse("it has inline assembly", &call);
  }
  if (is_dropped(id)) {
    values_.erase_at_end(call);
    return true;
  }
  if (is_kept(id) || stays_scalar(call)) {
    return true;
  }
  if (has_vector_form(id)) {
    return widen_intrinsic(call);
  }
  return widen_math(call) || serial_.serialize(call, mask);
}

// True if one call, with lane 0's operands, serves all lanes.
bool call_widener::stays_scalar(const llvm::CallInst& call) const {
  if (!call.getType()->isVoidTy() && !shapes_.is_varying(&call)) {
    return true;
  }
  const auto* memory = llvm::dyn_cast<llvm::MemIntrinsic>(&call);
  return memory && !memory->isVolatile() &&
         llvm::all_of(memory->args(), [&](const llvm::Use& argument) { return shapes_.is_uniform(argument.get()); });
}

bool call_widener::widen_intrinsic(llvm::CallInst& call) {
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
  // The table has intrinsics that are overloaded only on the type of their first argument.
  auto* result = b_.CreateIntrinsic(call.getIntrinsicID(), {arguments[0]->getType()}, arguments);
  if (llvm::isa<llvm::FPMathOperator>(result)) {
    result->copyFastMathFlags(&call);
  }
  values_.replace(call, result);
  return true;
}

}  // namespace cohort
