// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gang/widen/collectives/direct_calls.hpp"

#include "analysis/lane_calls.hpp"

#include <cohort/machine/cpu/port/contexts.hpp>

#include <vector>

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// A resolve function, the call that stands for its rendezvous, and the layout of its operand.
struct known_resolve {
  const char* resolve;
  const char* direct;
  unsigned bits;      // of the value or word, at offset 0
  int source_offset;  // of the source lane; -1: none
  unsigned result_bits;
  unsigned result_offset;
};
constexpr known_resolve known_resolves[] = {
#define COHORT_BALLOT(joint, resolve) {#resolve, #joint, 32, -1, 32, 0},
#define COHORT_SHUFFLE(joint, resolve, operand) \
  {#resolve,                                    \
   #joint,                                      \
   8 * sizeof(operand::value),                  \
   offsetof(operand, source),                   \
   8 * sizeof(operand::result),                 \
   offsetof(operand, result)},
#define COHORT_MATCH(joint, resolve, operand) \
  {#resolve, #joint, 8 * sizeof(operand::word), -1, 8 * sizeof(operand::result), offsetof(operand, result)},

#include <cohort/machine/cpu/port/collectives.inc>

};

const known_resolve* find(const llvm::Value* resolve) {
  llvm::StringRef name = resolve->stripPointerCasts()->getName();
  name.consume_back(".device");
  for (const known_resolve& known : known_resolves) {
    if (name == known.resolve) {
      return &known;
    }
  }
  return nullptr;
}

void replace(llvm::CallBase& call, const known_resolve& known) {
  llvm::IRBuilder<> b(&call);
  llvm::Module& module = *call.getModule();
  llvm::Value* operand = call.getArgOperand(2);
  auto field = [&](unsigned offset) { return b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), operand, offset); };
  llvm::SmallVector<llvm::Value*, 4> arguments{call.getArgOperand(0), b.CreateLoad(b.getIntNTy(known.bits), operand)};
  if (lane_call_named(known.direct) == lane_call::ballot) {
    arguments[1] = b.CreateIsNotNull(arguments[1]);  // the program's own condition, once simplified
  }
  if (known.source_offset >= 0) {
    arguments.push_back(b.CreateLoad(b.getInt32Ty(), field(static_cast<unsigned>(known.source_offset))));
  }
  // The op_name, for reports.
  arguments.push_back(call.getArgOperand(3));
  llvm::SmallVector<llvm::Type*, 4> types;
  for (llvm::Value* argument : arguments) {
    types.push_back(argument->getType());
  }
  auto* type = llvm::FunctionType::get(b.getIntNTy(known.result_bits), types, false);
  auto* function = llvm::cast<llvm::Function>(module.getOrInsertFunction(known.direct, type).getCallee());
  function->setOnlyAccessesInaccessibleMemory();
  function->setDoesNotThrow();
  function->setWillReturn();
  function->addFnAttr(llvm::Attribute::Convergent);
  function->addFnAttr(llvm::Attribute::NoCallback);
  auto* result = b.CreateCall(function, arguments);
  result->addFnAttr(llvm::Attribute::NoMerge);
  b.CreateStore(result, field(known.result_offset));
  call.eraseFromParent();
}

// Makes one call for each size of a tile, so that the masks of a tile are one value.
void share_tile_lanes(llvm::Function& kernel) {
  llvm::DenseMap<llvm::Value*, llvm::Instruction*> made;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(kernel))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (!call || lane_call_of(*call) != lane_call::tile_lanes || !llvm::isa<llvm::Constant>(call->getArgOperand(0))) {
      continue;
    }
    if (llvm::Instruction* first = made.lookup(call->getArgOperand(0))) {
      call->replaceAllUsesWith(first);
      call->eraseFromParent();
    } else {
      call->moveBefore(&*kernel.getEntryBlock().getFirstInsertionPt());
      made[call->getArgOperand(0)] = call;
    }
  }
}

}  // namespace

void make_direct_calls(llvm::Function& kernel) {
  std::vector<std::pair<llvm::CallBase*, const known_resolve*>> found;
  for (llvm::Instruction& instruction : llvm::instructions(kernel)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && is_warp_collective(*call) && !lane_call_of(*call)) {
      if (const known_resolve* known = find(call->getArgOperand(1))) {
        found.emplace_back(call, known);
      }
    }
  }
  for (auto [call, known] : found) {
    replace(*call, *known);
  }
  share_tile_lanes(kernel);
}

}  // namespace cohort
