// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes each converging site (cohort_path in machine/cpu/port.hpp): its position in the order of the function, and
// the iterations of the loops around it. A site that calls a function pushes its description on the thread's path, so a
// point is a whole chain of calls. Lanes form a group only at equal points, and the engine releases the first point.
#include "analysis/port_calls.hpp"
#include "analysis/port_records.hpp"
#include "analysis/waiting.hpp"
#include "convergence/block_order.hpp"
#include "convergence/sites.hpp"
#include "lower/context_reads.hpp"
#include "lowering.hpp"

#include <cohort/machine/cpu/port/contexts.hpp>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

using llvm::IRBuilder;
using llvm::Loop;

// Counts the iterations of each loop of a function, from 0.
class iteration_counters {
 public:
  llvm::Value* of(Loop& loop) {
    llvm::Value*& known = counters_[&loop];
    if (!known) {
      llvm::BasicBlock* header = loop.getHeader();
      IRBuilder<> builder(header, header->begin());
      auto* number = builder.getInt32Ty();
      auto* count = builder.CreatePHI(number, 2, "iteration");
      llvm::DenseMap<llvm::BasicBlock*, llvm::Value*> next;  // a block may be a predecessor more than once
      for (llvm::BasicBlock* before : llvm::predecessors(header)) {
        llvm::Value*& value = next[before];
        if (!value) {
          value = loop.contains(before)
                      ? IRBuilder<>(before->getTerminator()).CreateAdd(count, llvm::ConstantInt::get(number, 1))
                      : llvm::ConstantInt::get(number, 0);
        }
        count->addIncoming(value, before);
      }
      known = count;
    }
    return known;
  }

 private:
  llvm::DenseMap<Loop*, llvm::Value*> counters_;
};

// Numbers of one module. The high half of a position distinguishes modules of a linked program.
class module_numbers {
 public:
  explicit module_numbers(llvm::Module& module) : module_(module) {
    uint64_t id = 0;
    llvm::to_integer(llvm::StringRef(facts().options.id).take_front(8), id, 16);
    next_position_ = id << 32;
  }

  // A constant cohort_site.
  llvm::Constant* describe(llvm::ArrayRef<Loop*> loops, bool may_spin) {
    llvm::LLVMContext& context = module_.getContext();
    auto* pointer = llvm::PointerType::getUnqual(context);
    llvm::SmallVector<uint32_t, 8> numbers;
    for (Loop* loop : loops) {
      numbers.push_back(loops_.try_emplace(loop->getHeader(), static_cast<uint32_t>(loops_.size())).first->second);
    }
    llvm::Constant* list = llvm::ConstantPointerNull::get(pointer);
    if (!numbers.empty()) {
      list = constant(llvm::ConstantDataArray::get(context, numbers), "cohort.loops");
    }
    using field = field_of<cohort_site>;
    return constant(record<cohort_site>(context)
                        .set(field::position, next_position_++)
                        .set(field::loops, list)
                        .set(field::loop_count, numbers.size())
                        .set(field::may_spin, may_spin)
                        .constant(),
                    "cohort.site");
  }

  llvm::Constant* constant(llvm::Constant* value, const char* name) {
    auto* variable =
        new llvm::GlobalVariable(module_, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, name);
    variable->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
    return variable;
  }

 private:
  llvm::Module& module_;
  uint64_t next_position_ = 0;
  llvm::DenseMap<llvm::BasicBlock*, uint32_t> loops_;  // numbers of loops, by their headers
};

// The address of the current thread's path, computed in front of `where`.
llvm::Value* address_of_path(llvm::Instruction* where) {
  IRBuilder<> builder(where);
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), context_reader(builder).thread(),
                                            offsetof(cohort_thread_context, path));
}

// Replaces the sites of one function.
class function_sites {
 public:
  // Replaces the sites of `function`. `is_kernel`: only entries call the function, so each path starts here.
  function_sites(llvm::Function& function, module_numbers& numbers, llvm::LoopInfo& loops, bool is_kernel)
      : function_(function),
        numbers_(numbers),
        loops_(loops),
        pointer_(llvm::PointerType::getUnqual(function.getContext())),
        type_(ir_struct<cohort_path>(function.getContext())),
        caller_(llvm::ConstantPointerNull::get(pointer_)) {
    if (!is_kernel) {
      auto* path = llvm::cast<llvm::Instruction>(context_path());
      caller_ = IRBuilder<>(path->getNextNode()).CreateLoad(pointer_, path);
    }
  }

  void replace(llvm::CallBase& call, const llvm::SmallPtrSetImpl<Loop*>& spinning) {
    llvm::SmallVector<Loop*, 4> around;
    bool may_spin = false;
    for (Loop* loop = loops_.getLoopFor(call.getParent()); loop; loop = loop->getParentLoop()) {
      around.insert(around.begin(), loop);
      may_spin = may_spin || spinning.contains(loop);
    }
    IRBuilder<> builder(&call);
    llvm::Value* path = make_path(builder, around, numbers_.describe(around, may_spin));
    if (port_call_of(call) == port_call::cohort_wait_converged) {
      wait_at(builder, call, path);
    } else {
      push_around(builder, call, path);
    }
  }

 private:
  llvm::Value* context_path() {
    if (!context_path_) {
      context_path_ = address_of_path(&*function_.getEntryBlock().begin());
    }
    return context_path_;
  }

  // A constant if neither callers nor loops matter, else a variable of the function, which all of its sites share.
  llvm::Value* make_path(IRBuilder<>& builder, llvm::ArrayRef<Loop*> around, llvm::Constant* site) {
    auto* null = llvm::ConstantPointerNull::get(builder.getPtrTy());
    if (around.empty() && caller_ == null) {
      return numbers_.constant(
          record<cohort_path>(builder.getContext()).set(field_of<cohort_path>::site, site).constant(), "cohort.path");
    }
    if (!path_) {
      path_ = IRBuilder<>(&*function_.getEntryBlock().begin()).CreateAlloca(type_, nullptr, "path");
    }
    llvm::Value* iterations = null;
    if (!around.empty()) {
      auto* list = llvm::ArrayType::get(builder.getInt32Ty(), around.size());
      llvm::AllocaInst*& known = iterations_[around.size()];
      if (!known) {
        known = IRBuilder<>(&*function_.getEntryBlock().begin()).CreateAlloca(list, nullptr, "iterations");
      }
      iterations = known;
      for (unsigned i = 0; i < around.size(); ++i) {
        builder.CreateStore(counters_.of(*around[i]), builder.CreateConstInBoundsGEP2_64(list, iterations, 0, i));
      }
    }
    builder.CreateStore(caller_, builder.CreateStructGEP(type_, path_, field_of<cohort_path>::caller));
    builder.CreateStore(site, builder.CreateStructGEP(type_, path_, field_of<cohort_path>::site));
    builder.CreateStore(iterations, builder.CreateStructGEP(type_, path_, field_of<cohort_path>::iterations));
    return path_;
  }

  void wait_at(IRBuilder<>& builder, llvm::CallBase& call, llvm::Value* path) {
    auto* numbered = builder.CreateCall(declare(*function_.getParent(), port_call::cohort_wait_converged_at), {path});
    numbered->addFnAttr(llvm::Attribute::NoMerge);
    numbered->addFnAttr(llvm::Attribute::Convergent);
    call.replaceAllUsesWith(numbered);
    call.eraseFromParent();
  }

  void push_around(IRBuilder<>& builder, llvm::CallBase& call, llvm::Value* path) {
    llvm::Value* address = context_path();
    builder.CreateStore(path, address);
    llvm::Instruction* after = nullptr;
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&call)) {
      after = &*invoke->getNormalDest()->getFirstInsertionPt();
    } else {
      llvm::cast<llvm::CallInst>(call).setTailCallKind(
          llvm::CallInst::TCK_NoTail);  // the path is the caller's variable
      after = call.getNextNode();
    }
    IRBuilder<>(after).CreateStore(caller_, address);
  }

  llvm::Function& function_;
  module_numbers& numbers_;
  llvm::LoopInfo& loops_;
  llvm::PointerType* pointer_;
  llvm::StructType* type_;
  llvm::Value* caller_;
  llvm::Value* context_path_ = nullptr;
  llvm::AllocaInst* path_ = nullptr;
  llvm::DenseMap<unsigned, llvm::AllocaInst*>
      iterations_;  // indexed by nesting depth; all sites of that depth share one array of counts
  iteration_counters counters_;
};

using function_set = llvm::SmallPtrSet<llvm::Function*, 16>;

bool is_called_by_entries_only(const llvm::Function& function, const function_set& entries) {
  return llvm::all_of(function.users(), [&](const llvm::User* user) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    return call && call->getCalledFunction() == &function &&
           entries.contains(const_cast<llvm::Function*>(call->getFunction()));
  });
}

// Clears the path in the entry of a kernel that device code calls too, because the kernel reads its caller's path.
void clear_path(llvm::Function& entry, const converging_sites& sites, const function_set& entries) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(entry))) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (call && sites.is_site(*call) && !is_called_by_entries_only(*call->getCalledFunction(), entries)) {
      llvm::Value* path = address_of_path(call);
      IRBuilder<>(call).CreateStore(llvm::ConstantPointerNull::get(IRBuilder<>(call).getPtrTy()), path);
    }
  }
}

}  // namespace

void number_converging_sites(llvm::Module& module, const std::vector<lowered_kernel>& kernels,
                             llvm::FunctionAnalysisManager& analyses) {
  function_set entries;
  for (const lowered_kernel& kernel : kernels) {
    entries.insert(kernel.thread_entry);
  }
  const converging_sites sites(module, entries);
  for (llvm::Function* entry : entries) {
    clear_path(*entry, sites, entries);
  }
  module_numbers numbers(module);
  wait_analysis waiting(analyses);
  for (llvm::Function& function : module) {
    if (function.isDeclaration() || !sites.contains(function)) {
      continue;
    }
    auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
    const auto spinning_list = waiting.spinning_loops(function);
    const llvm::SmallPtrSet<Loop*, 4> spinning(spinning_list.begin(), spinning_list.end());
    std::vector<llvm::CallBase*> found;
    for (llvm::BasicBlock* block : converging_order(function, loops)) {
      for (llvm::Instruction& instruction : *block) {
        auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call && sites.is_site(*call) && !call->isMustTailCall()) {
          found.push_back(call);
        }
      }
    }
    function_sites replacer(function, numbers, loops, is_called_by_entries_only(function, entries));
    for (llvm::CallBase* call : found) {
      replacer.replace(*call, spinning);
    }
  }
}

}  // namespace cohort
