// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel that cannot wait runs as one call per block: a loop over the block's threads around the kernel's body. LLVM
// optimizes it, and vectorizes it across threads, as any other loop.
#include "loops/thread_loop.hpp"

#include "analysis/source_place.hpp"
#include "analysis/waiting.hpp"
#include "loops/kernel_copy.hpp"
#include "loops/kernel_table.hpp"
#include "lower/context_reads.hpp"
#include "lowering.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Triple.h"

namespace cohort {
namespace {

constexpr const char* loop_mark = "cohort.thread.loop";

class loop_builder {
 public:
  explicit loop_builder(llvm::Function& function)
      : function_(function), context_(function.getContext()), builder_(context_), reader_builder_(context_) {}

  // Turns a body that runs once, for the current thread, into one that runs for each thread of the current block.
  void wrap() {
    const auto returns = all_returns();
    llvm::BasicBlock* body = &function_.getEntryBlock();
    llvm::BasicBlock* entry = llvm::BasicBlock::Create(context_, "block", &function_, body);
    move_allocas(*body, *entry);
    reader_builder_.SetInsertPoint(entry);
    location_ = start_of(function_);
    reader_builder_.SetCurrentDebugLocation(location_);
    builder_.SetCurrentDebugLocation(location_);
    context_reader reader(reader_builder_);
    for (unsigned axis = 0; axis < 3; ++axis) {
      dim_[axis] = reader.read(context_value::block_dim, axis);
    }
    llvm::BasicBlock* done = nest(entry, body, returns);
    replace_context_calls(reader);
    name_thread_in_reports(reader);
    reader_builder_.CreateBr(outermost_);
    builder_.SetInsertPoint(done);
    builder_.CreateRetVoid();
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
        call->removeFnAttr(llvm::Attribute::Convergent);
      }
    }
    function_.removeFnAttr(llvm::Attribute::Convergent);
  }

 private:
  static void move_allocas(llvm::BasicBlock& from, llvm::BasicBlock& to) {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(from)) {
      auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
      if (alloca && llvm::isa<llvm::ConstantInt>(alloca->getArraySize())) {
        alloca->moveBefore(to, to.end());
      }
    }
  }

  std::vector<llvm::ReturnInst*> all_returns() {
    std::vector<llvm::ReturnInst*> result;
    for (llvm::BasicBlock& block : function_) {
      if (auto* done = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator())) {
        result.push_back(done);
      }
    }
    return result;
  }

  // Makes three counted loops, x the innermost, each a `do ... while (++i < dim)`: no dimension is 0. Returns the block
  // that follows the last thread.
  llvm::BasicBlock* nest(llvm::BasicBlock* entry, llvm::BasicBlock* body,
                         const std::vector<llvm::ReturnInst*>& returns) {
    llvm::BasicBlock* header[3];
    llvm::BasicBlock* latch[3];
    const char* names[] = {"x", "y", "z"};
    for (int axis = 2; axis >= 0; --axis) {
      header[axis] = llvm::BasicBlock::Create(context_, llvm::Twine(names[axis]) + ".loop", &function_, body);
      latch[axis] = llvm::BasicBlock::Create(context_, llvm::Twine(names[axis]) + ".next", &function_);
    }
    auto* done = llvm::BasicBlock::Create(context_, "done", &function_);
    for (int axis = 2; axis >= 0; --axis) {
      builder_.SetInsertPoint(header[axis]);
      auto* counter = builder_.CreatePHI(builder_.getInt32Ty(), 2, names[axis]);
      builder_.CreateBr(axis == 0 ? body : header[axis - 1]);
      builder_.SetInsertPoint(latch[axis]);
      auto* next = builder_.CreateAdd(counter, builder_.getInt32(1), "", true, true);
      auto* again = builder_.CreateCondBr(builder_.CreateICmpULT(next, dim_[axis]), header[axis],
                                          axis == 2 ? done : latch[axis + 1]);
      counter->addIncoming(builder_.getInt32(0), axis == 2 ? entry : header[axis + 1]);
      counter->addIncoming(next, latch[axis]);
      index_[axis] = counter;
      if (axis == 0) {
        again->setMetadata(llvm::LLVMContext::MD_loop, marked_loop());
      }
    }
    for (llvm::ReturnInst* exit : returns) {
      llvm::BranchInst::Create(latch[0], exit->getIterator())->setDebugLoc(exit->getDebugLoc());
      exit->eraseFromParent();
    }
    outermost_ = header[2];
    return done;
  }

  llvm::MDNode* marked_loop() {
    auto self = llvm::MDNode::getTemporary(context_, {});
    auto* mark = llvm::MDNode::get(context_, {llvm::MDString::get(context_, loop_mark)});
    auto* node = llvm::MDNode::getDistinct(context_, {self.get(), mark});
    node->replaceOperandWith(0, node);
    return node;
  }

  void replace_context_calls(context_reader& reader) {
    const auto calls = context_calls(function_);
    for (llvm::CallInst* call : calls) {
      replace_context_call(*call, [&](context_value value, unsigned axis) {
        return value == context_value::thread_index ? index_[axis] : reader.read(value, axis);
      });
    }
    for (llvm::CallInst* call : calls) {
      call->eraseFromParent();
    }
  }

  // Stores the thread's index before each report and each printf: in a loop the engine's current thread is the whole
  // block.
  void name_thread_in_reports(context_reader& reader) {
    std::vector<llvm::CallBase*> reports;
    for (llvm::Instruction& instruction : llvm::instructions(function_)) {
      auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (call && reports_thread(port_call_of(*call))) {
        reports.push_back(call);
      }
    }
    for (llvm::CallBase* call : reports) {
      llvm::IRBuilder<> builder(call);
      auto* plane = builder.CreateAdd(builder.CreateMul(index_[2], dim_[1]), index_[1]);
      auto* rank = builder.CreateAdd(builder.CreateMul(plane, dim_[0]), index_[0]);
      write_thread_index(builder, reader.thread(), index_, rank);
    }
  }

  llvm::Function& function_;
  llvm::LLVMContext& context_;
  llvm::IRBuilder<> builder_;         // inserts the loops
  llvm::IRBuilder<> reader_builder_;  // inserts into the entry block
  llvm::DebugLoc location_;
  llvm::BasicBlock* outermost_ = nullptr;
  llvm::Value* dim_[3] = {};
  llvm::Value* index_[3] = {};
};

// Threads of a block that do not wait for each other are independent: iterations of the loop over them may run in any
// order and in parallel. Memory of one thread (its locals) exists once per block here, so loops with such accesses are
// left to LLVM's own analysis.
void mark_parallel(llvm::Loop& loop) {
  llvm::LLVMContext& context = loop.getHeader()->getContext();
  std::vector<llvm::Instruction*> accesses;
  for (llvm::BasicBlock* block : loop.blocks()) {
    for (llvm::Instruction& instruction : *block) {
      if (!instruction.mayReadOrWriteMemory()) {
        continue;
      }
      const llvm::Value* pointer = llvm::getLoadStorePointerOperand(&instruction);
      if (!pointer || instruction.isAtomic() || instruction.isVolatile() ||
          llvm::isa<llvm::AllocaInst>(llvm::getUnderlyingObject(pointer, 0))) {
        return;
      }
      accesses.push_back(&instruction);
    }
  }
  auto* group = llvm::MDNode::getDistinct(context, {});
  for (llvm::Instruction* access : accesses) {
    access->setMetadata(llvm::LLVMContext::MD_access_group, group);
  }
  auto* parallel = llvm::MDNode::get(context, {llvm::MDString::get(context, "llvm.loop.parallel_accesses"), group});
  std::vector<llvm::Metadata*> operands{nullptr, parallel};
  auto* node = llvm::MDNode::getDistinct(context, operands);
  node->replaceOperandWith(0, node);
  loop.setLoopID(node);
}

void mark_parallel_loops(llvm::Function& function, llvm::FunctionAnalysisManager& analyses) {
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    if (llvm::findOptionMDForLoop(loop, loop_mark)) {
      mark_parallel(*loop);
    }
  }
}

// Keeps LLVM's vectorizer from gathers and scatters. An index that may wrap around counts as irregular, and a loop that
// gathers adjacent elements takes 4 ns a thread, plain loads 1 (Zen 5).
void avoid_gathers(llvm::Function& entry) {
  if (!llvm::Triple(entry.getParent()->getTargetTriple()).isX86()) {
    return;
  }
  const llvm::StringRef features = entry.getFnAttribute("target-features").getValueAsString();
  const llvm::StringRef separator = features.empty() ? "" : ",";
  entry.addFnAttr("target-features", (features + separator + "+prefer-no-gather,+prefer-no-scatter").str());
}

llvm::Function* make_block_entry(const lowered_kernel& kernel) {
  llvm::Function* entry = copy_kernel(kernel);
  if (!entry) {
    return nullptr;
  }
  avoid_gathers(*entry);
  loop_builder(*entry).wrap();
  entry->addFnAttr("cohort-thread-loop");
  return entry;
}

}  // namespace

llvm::Function* make_thread_loop(const lowered_kernel& kernel, llvm::FunctionPassManager& simplify,
                                 llvm::FunctionAnalysisManager& functions) {
  llvm::Function* entry = make_block_entry(kernel);
  if (entry) {
    simplify.run(*entry, functions);
    functions.invalidate(*entry, llvm::PreservedAnalyses::none());
    mark_parallel_loops(*entry, functions);
  }
  return entry;
}

void report_no_loops(const llvm::Module& module, const std::vector<lowered_kernel>& kernels) {
  for (const lowered_kernel& kernel : kernels) {
    remark(module, kernel, "has a stack for each thread: it is compiled without optimization");
  }
}

void make_thread_loops(llvm::Module& module, const std::vector<lowered_kernel>& kernels,
                       llvm::FunctionPassManager& simplify, llvm::ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  wait_analysis waiting(functions);
  for (const lowered_kernel& kernel : kernels) {
    if (has_block_entry(*kernel.table) || gang_versions(*kernel.table)) {
      continue;
    }
    if (const auto reason = waiting.why_it_may_wait(*kernel.thread_entry)) {
      const bool adds_reason = kernel.no_gangs != ": " + *reason;
      remark(module, kernel, "has a stack for each thread: " + *reason + (adds_reason ? kernel.no_gangs : ""));
      continue;
    }
    llvm::Function* entry = make_thread_loop(kernel, simplify, functions);
    if (!entry) {
      remark(module, kernel, "has a stack for each thread: it is too large to inline");
      continue;
    }
    set_block_entry(*kernel.table, *entry, block_way::loop);
    remark(module, kernel, "runs as a loop over the threads of a block" + kernel.no_gangs);
  }
}

}  // namespace cohort
