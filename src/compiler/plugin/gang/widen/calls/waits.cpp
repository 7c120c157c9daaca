// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/calls/waits.hpp"

#include "analysis/source_place.hpp"
#include "gang/widen/calls/lane_presence.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

constexpr unsigned vote_predicate = parameter_of(port_call::cohort_wait_block_count, "predicate");
enum team_operand : unsigned {
  team_size = parameter_of(port_call::cohort_wait_team, "size"),
  team_resolve = parameter_of(port_call::cohort_wait_team, "resolve"),
  team_value = parameter_of(port_call::cohort_wait_team, "operand"),
  team_op_name = parameter_of(port_call::cohort_wait_team, "op_name")
};

// A resolve function has loops over the values of all threads: each version of a kernel calls one for its own CPU.
llvm::Value* for_cpu_of(const llvm::Function& kernel, llvm::Value* resolve) {
  auto* function = llvm::dyn_cast<llvm::Function>(resolve);
  const llvm::StringRef cpu = kernel.getFnAttribute("target-cpu").getValueAsString();
  if (!function || function->isDeclaration() || cpu == function->getFnAttribute("target-cpu").getValueAsString()) {
    return resolve;
  }
  const std::string name = (function->getName() + "." + cpu).str();
  if (llvm::Function* const known = kernel.getParent()->getFunction(name)) {
    return known;
  }
  llvm::ValueToValueMapTy map;
  llvm::Function* const made = llvm::CloneFunction(function, map);
  made->setName(name);
  made->setLinkage(llvm::GlobalValue::InternalLinkage);
  made->setComdat(nullptr);
  for (const char* attribute :
       {"target-cpu", "tune-cpu", "target-features", "min-legal-vector-width", "prefer-vector-width"}) {
    if (kernel.hasFnAttribute(attribute)) {
      made->addFnAttr(kernel.getFnAttribute(attribute));
    }
  }
  return made;
}

// True if the function has barriers. In a kernel without barriers the engine has no record of the gangs, so their
// asynchronous copies are executed at once.
bool has_barriers(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && is_gang_wait(port_call_of(*call));
  });
}

}  // namespace

// The address of a mask as words of 32 bits, one bit for each lane, or of the elements of a vector. No code writes to
// that memory, so a vector is stored where it is made: outside of the loop, if it is made there.
llvm::Value* wait_widener::in_memory(value* lanes) {
  llvm::IRBuilder<> entry(&state_.function.getEntryBlock(), state_.function.getEntryBlock().begin());
  auto* memory = entry.CreateAlloca(lanes->getType());
  const bool is_vector = lanes->getType()->isVectorTy();
  const llvm::Align alignment(is_vector ? 64 : alignof(uint32_t));
  memory->setAlignment(alignment);
  auto* made = llvm::dyn_cast<llvm::Instruction>(lanes);
  if (is_vector && made && !llvm::isa<llvm::PHINode>(made)) {
    llvm::IRBuilder<> b(made->getNextNode());
    b.SetCurrentDebugLocation(made->getDebugLoc());
    b.CreateAlignedStore(lanes, memory, alignment);
  } else {
    b_.CreateAlignedStore(lanes, memory, alignment);
  }
  return memory;
}

// The operands of a vote or of a collective of a team, as the function for all lanes takes them.
bool wait_widener::append_operands(llvm::CallInst& call, value* mask, arguments& result) {
  const call_kind kind = kind_of(port_call_of(call));
  if (kind == call_kind::vote) {
    value* vote = vector_of(call.getArgOperand(vote_predicate));
    vote = b_.CreateICmpNE(vote, llvm::Constant::getNullValue(vote->getType()));
    result.push_back(in_memory(masks_.bits(masks_.both(mask, vote))));
  } else if (kind == call_kind::team) {
    value* size = call.getArgOperand(team_size);
    value* resolve = call.getArgOperand(team_resolve);
    value* operand = call.getArgOperand(team_value);
    if (!shapes_.is_uniform(size) || !llvm::isa<llvm::Constant>(resolve)) {
      return state_.refuse("a collective has a computed resolve function", &call);
    }
    result = {size, for_cpu_of(state_.function, resolve),
              llvm::isa<llvm::Constant>(operand) ? operand : in_memory(vector_of(operand))};
  }
  return true;
}

bool wait_widener::widen_wait(llvm::CallInst& call, value* mask) {
  lane_presence here = presence_at(state_, call.getParent());
  if (here == lane_presence::some && state_.function.hasFnAttribute(failed_lanes_alone_miss_barriers)) {
    here = lane_presence::all_but_returned;
  }
  if (here == lane_presence::some) {
    return state_.refuse("some lanes may not reach a barrier", &call);
  }
  arguments arguments;
  if (!append_operands(call, mask, arguments)) {
    return false;
  }
  arguments.push_back(here == lane_presence::all ? llvm::ConstantPointerNull::get(b_.getPtrTy())
                                                 : in_memory(masks_.bits(mask)));
  const port_call wait = port_call_of(call);
  if (kind_of(wait) == call_kind::team) {
    arguments.push_back(call.getArgOperand(team_op_name));
  }
  auto joint = declare(*state_.function.getParent(), gang_form_of(wait), entry_of(call));
  llvm::cast<llvm::Function>(joint.getCallee())->setCallingConv(call.getCallingConv());
  auto* made = b_.CreateCall(joint, arguments);
  made->setCallingConv(call.getCallingConv());
  made->addFnAttr(llvm::Attribute::NoMerge);  // a report names the line of the wait
  call.replaceAllUsesWith(made);
  values_.erase_at_end(call);
  return true;
}

bool wait_widener::widen_copies(llvm::CallInst& call, value* mask) {
  arguments arguments;
  for (llvm::Use& argument : call.args()) {
    if (!argument->getType()->isPointerTy() && !shapes_.is_uniform(argument.get())) {
      return serial_.serialize(call, mask);
    }
    arguments.push_back(argument.get());
  }
  if (!has_barriers(state_.function)) {
    return serial_.serialize(call, mask);
  }
  for (value*& argument : arguments) {
    if (argument->getType()->isPointerTy()) {
      argument = in_memory(vector_of(argument));
    }
  }
  arguments.push_back(in_memory(masks_.bits(mask)));
  b_.CreateCall(declare(*state_.function.getParent(), gang_form_of(port_call_of(call))), arguments);
  values_.erase_at_end(call);
  return true;
}

bool wait_widener::widen_yield(llvm::CallInst& call, value* mask) {
  if (!others_stand_still(state_, call.getParent())) {
    const llvm::Loop* loop = state_.loops.getLoopFor(call.getParent());
    return state_.refuse("a loop may wait for other threads" + source_place(loop->getStartLoc()));
  }
  value* lanes = mask ? in_memory(masks_.bits(mask)) : llvm::ConstantPointerNull::get(b_.getPtrTy());
  b_.CreateCall(declare(*state_.function.getParent(), gang_form_of(port_call_of(call))), {lanes})
      ->addFnAttr(llvm::Attribute::NoMerge);
  values_.erase_at_end(call);
  return true;
}

}  // namespace cohort
