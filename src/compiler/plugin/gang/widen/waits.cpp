// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of the block and of larger groups. All lanes of a gang that have not returned stand at a barrier together,
// so one call serves them. Lanes are missing from its mask only if nothing but the end of the kernel is left to them.
// Asynchronous copies are one call, too, from which any lane may be missing.
#include "analysis/port_calls.hpp"
#include "gang/widen/instruction_widener.hpp"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

bool has_effects(const llvm::BasicBlock& block) {
  return llvm::any_of(block, [](const llvm::Instruction& instruction) {
    if (llvm::isa<llvm::DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd()) {
      return false;
    }
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
    return load ? !load->isSimple() : instruction.mayHaveSideEffects();
  });
}

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

// Kernels without barriers have gangs that the engine does not know. Their copies are made at once.
bool has_barriers(llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && is_gang_wait(port_call_of(*call));
  });
}

}  // namespace

// True if a lane that goes to `block` does nothing more, so it has returned already.
bool instruction_widener::only_returns(llvm::BasicBlock* block) const {
  llvm::SmallVector<llvm::BasicBlock*, 8> work{block};
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> seen{block};
  while (!work.empty()) {
    llvm::BasicBlock* here = work.pop_back_val();
    if (has_effects(*here) || state_.loops.getLoopFor(here)) {
      return false;
    }
    for (llvm::BasicBlock* next : llvm::successors(here)) {
      if (seen.insert(next).second) {
        work.push_back(next);
      }
    }
  }
  return true;
}

// Follows the masks of `block` to the kernel's entry, as make_mask() makes them.
instruction_widener::presence instruction_widener::presence_at(llvm::BasicBlock* block) const {
  presence result = presence::all;
  auto miss = [&](llvm::BasicBlock* elsewhere) {
    result = only_returns(elsewhere) && result != presence::some ? presence::all_but_returned : presence::some;
  };
  while (block != &state_.function.getEntryBlock()) {
    const llvm::Loop* loop = state_.loops.getLoopFor(block);
    if (loop && loop->getHeader() == block) {
      if (state_.branches.is_latch(loop->getLoopLatch())) {
        miss(loop->getUniqueExitBlock());
      }
      block = loop->getLoopPreheader();
      continue;
    }
    llvm::BasicBlock* before = block->getSinglePredecessor();
    if (!before) {
      block = state_.dominators.getNode(block)->getIDom()->getBlock();
      continue;
    }
    const llvm::Loop* left = state_.loops.getLoopFor(before);
    if (left && !left->contains(block)) {
      block = left->getLoopPreheader();
      continue;
    }
    if (shapes_.diverges(before) && state_.branches.skipped_side(before) == block) {
      const llvm::Instruction* branch = before->getTerminator();
      miss(branch->getSuccessor(branch->getSuccessor(0) == block ? 1 : 0));
    }
    block = before;
  }
  return result;
}

// The address of a mask as words of 32 bits, one bit for each lane, or of the elements of a vector. No code writes to
// that memory, so a vector is stored where it is made: outside of the loop, if it is made there.
llvm::Value* instruction_widener::in_memory(value* lanes) {
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

bool instruction_widener::widen_wait(llvm::CallInst& call, value* mask) {
  const port_call wait = port_call_of(call);
  presence here = presence_at(call.getParent());
  if (here == presence::some && state_.function.hasFnAttribute(failed_lanes_alone_miss_barriers)) {
    here = presence::all_but_returned;
  }
  if (here == presence::some) {
    return state_.refuse("some lanes may not reach a barrier", &call);
  }
  llvm::SmallVector<value*, 5> arguments;
  if (kind_of(wait) == call_kind::vote) {
    value* vote = vector_of(call.getArgOperand(0));
    vote = b_.CreateICmpNE(vote, llvm::Constant::getNullValue(vote->getType()));
    arguments.push_back(in_memory(masks_.bits(masks_.both(mask, vote))));
  } else if (kind_of(wait) == call_kind::team) {
    if (!shapes_.is_uniform(call.getArgOperand(0)) || !llvm::isa<llvm::Constant>(call.getArgOperand(1))) {
      return state_.refuse("a collective has a computed resolve function", &call);
    }
    auto* operand = call.getArgOperand(2);
    arguments = {call.getArgOperand(0), for_cpu_of(state_.function, call.getArgOperand(1)),
                 llvm::isa<llvm::Constant>(operand) ? operand : in_memory(vector_of(operand))};
  }
  arguments.push_back(here == presence::all ? llvm::ConstantPointerNull::get(b_.getPtrTy())
                                            : in_memory(masks_.bits(mask)));
  if (kind_of(wait) == call_kind::team) {
    arguments.push_back(call.getArgOperand(3));
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

bool instruction_widener::widen_copies(llvm::CallInst& call, value* mask) {
  llvm::SmallVector<value*, 4> arguments;
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

}  // namespace cohort
