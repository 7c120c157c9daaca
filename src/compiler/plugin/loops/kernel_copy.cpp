// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops/kernel_copy.hpp"

#include "analysis/source_place.hpp"

#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/DIBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

constexpr unsigned largest_body = 50000;  // instructions; a larger body costs more to compile twice than the loop saves

// A call to inline, and the inlined function that contains it.
struct pending_call {
  llvm::CallBase* call;
  int caller;  // index in the list of inlined functions; -1: the kernel's entry
};
struct inlined_function {
  const llvm::Function* function;
  int caller;
};

// Inlines all calls of functions that are defined here, also those that inlining adds. Returns false if one is
// recursive or variadic, or if the body grows too large.
bool inline_everything(llvm::Function& function) {
  std::vector<pending_call> calls;
  std::vector<inlined_function> inlined;
  auto collect = [&](llvm::Instruction& instruction, int caller) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration()) {
      calls.push_back({call, caller});
    }
  };
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    collect(instruction, -1);
  }
  unsigned size = function.getInstructionCount();
  while (!calls.empty()) {
    const auto [call, caller] = calls.back();
    calls.pop_back();
    const llvm::Function* callee = call->getCalledFunction();
    for (int outer = caller; outer >= 0; outer = inlined[static_cast<size_t>(outer)].caller) {
      if (inlined[static_cast<size_t>(outer)].function == callee) {
        return false;
      }
    }
    size += callee->getInstructionCount();
    if (size > largest_body) {
      size = function.getInstructionCount() + callee->getInstructionCount();  // inlining folds constants
    }
    llvm::InlineFunctionInfo info;
    if (size > largest_body || callee->isVarArg() || !llvm::InlineFunction(*call, info).isSuccess()) {
      return false;
    }
    inlined.push_back({callee, caller});
    for (llvm::CallBase* added : info.InlinedCallSites) {
      collect(*added, static_cast<int>(inlined.size()) - 1);
    }
  }
  return true;
}

}  // namespace

const llvm::Function* kernel_of(const llvm::Function& thread_entry) {
  for (const llvm::Instruction& instruction : llvm::instructions(thread_entry)) {
    const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call && call->getCalledFunction() && !call->getCalledFunction()->isDeclaration()) {
      return call->getCalledFunction();
    }
  }
  return nullptr;
}

void describe_block(llvm::Function& function, const llvm::Function& kernel, llvm::StringRef name) {
  auto* original = kernel.getSubprogram();
  if (!original) {
    return;
  }
  llvm::DIBuilder builder(*function.getParent(), false, original->getUnit());
  auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  auto* subprogram =
      builder.createFunction(original->getFile(), (name + " (block)").str(), "", original->getFile(),
                             original->getLine(), type, original->getLine(), llvm::DINode::FlagArtificial,
                             llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagLocalToUnit |
                                 llvm::DISubprogram::SPFlagOptimized);
  function.setSubprogram(subprogram);
  builder.finalizeSubprogram(subprogram);
  const llvm::DebugLoc location = start_of(function);
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    instruction.setDebugLoc(location);
  }
}

llvm::Function* copy_kernel(const lowered_kernel& kernel) {
  const std::string& name = kernel.readable_name;
  llvm::ValueToValueMapTy map;
  llvm::Function* entry = llvm::CloneFunction(kernel.thread_entry, map);
  entry->setName("cohort.block." + name);
  if (const llvm::Function* function = kernel_of(*entry)) {
    describe_block(*entry, *function, name);
  }
  if (!inline_everything(*entry)) {
    entry->eraseFromParent();
    return nullptr;
  }
  if (kernel.cpu) {
    entry->addFnAttr("target-cpu", kernel.cpu->name);
    entry->addFnAttr("tune-cpu", kernel.cpu->name);
    entry->addFnAttr("target-features", kernel.cpu->features);
  }
  return entry;
}

void remark(const llvm::Module& module, const lowered_kernel& kernel, const llvm::Twine& sentence) {
  const bool is_last = facts().further_cpus.empty() || kernel.cpu == &facts().further_cpus.back();
  if (facts().options.report && is_last) {
    llvm::errs() << module.getSourceFileName() << ": remark: kernel '" << kernel.readable_name << "' " << sentence
                 << "\n";
  }
}

}  // namespace cohort
