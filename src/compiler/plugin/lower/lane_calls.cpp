// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions about the lanes of a gang (machine/cpu/port.hpp). Code outside of gangs gets the answers for a single
// thread, so the library's vector code disappears there.
#include "analysis/lane_calls.hpp"
#include "analysis/port_calls.hpp"

#include "lowering.hpp"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

namespace cohort {
namespace {

llvm::Value* read_position(llvm::IRBuilder<>& b, port_call position, unsigned axis) {
  return b.CreateCall(declare(*b.GetInsertBlock()->getModule(), position), {b.getInt32(axis)});
}

// Computes the value as cohort_tile_lanes of machine/cpu/port.hpp does for plain C++.
llvm::Value* tile_lanes(llvm::IRBuilder<>& b, llvm::Value* size) {
  auto index = [&](unsigned axis) { return read_position(b, port_call::cohort_thread_index, axis); };
  auto dim = [&](unsigned axis) { return read_position(b, port_call::cohort_block_dim, axis); };
  llvm::Value* columns = dim(0);
  llvm::Value* rows = dim(1);
  llvm::Value* row = b.CreateAdd(b.CreateMul(index(2), rows), index(1));
  llvm::Value* rank = b.CreateAdd(b.CreateMul(row, columns), index(0));
  llvm::Value* first = b.CreateAnd(rank, b.CreateNeg(size));
  llvm::Value* left = b.CreateSub(b.CreateMul(b.CreateMul(columns, rows), dim(2)), first);
  llvm::Value* count = b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, size);
  // A tile has at least one thread.
  llvm::Value* bits = b.CreateLShr(b.getInt32(0xffffffff), b.CreateSub(b.getInt32(32), count));
  return b.CreateShl(bits, b.CreateAnd(first, 31));
}

llvm::Value* answer(llvm::CallBase& call, lane_call what) {
  llvm::IRBuilder<> b(&call);
  switch (what) {
    case lane_call::tile_lanes:
      return tile_lanes(b, call.getArgOperand(0));
    case lane_call::here:
      return b.getInt32(0);
    default:
      return call.getArgOperand(0);
  }
}

}  // namespace

void prepare_lane_calls(llvm::Module& module) {
  for (const lane_function& known : lane_functions) {
    llvm::Function* function = known.in_library ? module.getFunction(known.name) : nullptr;
    if (!function) {
      continue;
    }
    function->setAttributes({});
    function->setDoesNotThrow();
    function->setWillReturn();
    function->addFnAttr(llvm::Attribute::NoCallback);
    if (known.what == lane_call::tile_lanes) {
      function->setDoesNotAccessMemory();
      function->addFnAttr(llvm::Attribute::Speculatable);
      for (llvm::User* user : function->users()) {
        if (auto* call = llvm::dyn_cast<llvm::CallBase>(user)) {
          call->setAttributes({});  // clang marks the calls convergent, which forbids merging
        }
      }
    } else {
      // The answer depends on the lanes at this point: no call moves or merges with another one.
      function->setOnlyAccessesInaccessibleMemory();
      function->addFnAttr(llvm::Attribute::Convergent);
    }
  }
}

void lower_lane_calls(llvm::Module& module, llvm::FunctionAnalysisManager& analyses) {
  llvm::SmallPtrSet<llvm::Function*, 8> changed;
  for (const lane_function& known : lane_functions) {
    llvm::Function* function = module.getFunction(known.name);
    if (!function) {
      continue;
    }
    for (const llvm::WeakVH& user : llvm::SmallVector<llvm::WeakVH, 16>(function->users())) {
      auto* call = llvm::dyn_cast_or_null<llvm::CallBase>(user);
      if (!call || call->getCalledOperand() != function) {
        continue;
      }
      changed.insert(call->getFunction());
      llvm::replaceAndRecursivelySimplify(call, answer(*call, known.what));  // erases calls without effects
      if (user) {
        call->eraseFromParent();
      }
    }
    if (function->use_empty()) {
      function->eraseFromParent();
    }
  }
  for (llvm::Function* function : changed) {
    for (llvm::BasicBlock& block : *function) {
      llvm::ConstantFoldTerminator(&block, true);
    }
    llvm::removeUnreachableBlocks(*function);
    analyses.invalidate(*function, llvm::PreservedAnalyses::none());
  }
}

}  // namespace cohort
