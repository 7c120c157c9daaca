// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the kernels that run in gangs and the width of a gang; makes the function that runs the gangs of a block.
#include "analysis/context_calls.hpp"
#include "analysis/source_place.hpp"
#include "analysis/waiting.hpp"
#include "gang/cost.hpp"
#include "gang/engine_entries.hpp"
#include "gang/structure.hpp"
#include "gang/version.hpp"
#include "loops/kernel_copy.hpp"
#include "loops/kernel_table.hpp"
#include "lower/context_reads.hpp"
#include "lowering.hpp"
#include "math/wide_math.hpp"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

// A kernel's versions. Both functions are null if the kernel is not run in gangs.
struct gang_functions {
  llvm::Function* rows = nullptr;
  llvm::Function* any = nullptr;
  unsigned width = 0;
  std::string sentence;  // for --cohort-report: how the kernel runs, or why it does not
};

constexpr unsigned largest_kernel = 5000;  // instructions after inlining
constexpr uint64_t largest_locals = 1024;  // bytes of one lane; 64 lanes take a quarter of the smallest stack

// Splits reads of an index by a computed axis, so that each read has one shape.
void split_axes(llvm::Function& function) {
  for (llvm::CallInst* call : context_calls(function)) {
    if (call->arg_size() == 0) {
      continue;
    }
    auto* axis = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(0));
    if (axis && axis->getValue().ult(3)) {
      continue;
    }
    llvm::IRBuilder<> builder(call);
    llvm::Function* callee = call->getCalledFunction();
    replace_context_call(
        *call, [&](context_value, unsigned number) { return builder.CreateCall(callee, {builder.getInt32(number)}); });
    call->eraseFromParent();
  }
}

// Why no kernel like this one runs in gangs, whatever its control flow is.
std::optional<std::string> why_excluded(llvm::Function& function) {
  for (const auto sanitizer :
       {llvm::Attribute::SanitizeAddress, llvm::Attribute::SanitizeThread, llvm::Attribute::SanitizeMemory}) {
    if (function.hasFnAttribute(sanitizer)) {
      return "sanitizers do not check masked accesses";
    }
  }
  uint64_t bytes = 0;
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      // Lanes that follow a failed one run on: the engine runs them as single threads.
      if (called_name(*call) == "cohort_fail_assert") {
        return "it has assertions";
      }
    }
    if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
      bytes += function.getDataLayout().getTypeAllocSize(variable->getAllocatedType()).getFixedValue();
    }
  }
  if (function.getInstructionCount() > largest_kernel) {
    return "it is too large";
  }
  return bytes > largest_locals ? std::optional("its local variables are too large") : std::nullopt;
}

// for (z ..) for (y ..) for (x = 0; x < Dx; x += width) rows(arguments, x, y, z), between two blocks.
llvm::BasicBlock* make_row_loops(llvm::Function& function, llvm::BasicBlock* done, llvm::Value* const (&dim)[3],
                                 llvm::Function& rows, unsigned width, const llvm::DebugLoc& place,
                                 llvm::CallInst*& call) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> b(context);
  b.SetCurrentDebugLocation(place);
  auto* start = llvm::BasicBlock::Create(context, "rows", &function, done);
  llvm::BasicBlock* head[3];
  llvm::BasicBlock* next[3];
  llvm::PHINode* index[3];
  for (int axis = 2; axis >= 0; --axis) {
    head[axis] = llvm::BasicBlock::Create(context, "gang", &function, done);
  }
  for (int axis = 0; axis < 3; ++axis) {
    next[axis] = llvm::BasicBlock::Create(context, "gang.next", &function, done);
  }
  b.SetInsertPoint(start);
  b.CreateBr(head[2]);
  for (int axis = 2; axis >= 0; --axis) {
    b.SetInsertPoint(head[axis]);
    index[axis] = b.CreatePHI(b.getInt32Ty(), 2);
    index[axis]->addIncoming(b.getInt32(0), axis == 2 ? start : head[axis + 1]);
    if (axis > 0) {
      b.CreateBr(head[axis - 1]);
    }
  }
  call = b.CreateCall(&rows, {function.getArg(0), index[0], index[1], index[2]});
  b.CreateBr(next[0]);
  for (int axis = 0; axis < 3; ++axis) {
    b.SetInsertPoint(next[axis]);
    auto* after = b.CreateAdd(index[axis], b.getInt32(axis == 0 ? width : 1), "", true, true);
    index[axis]->addIncoming(after, next[axis]);
    b.CreateCondBr(b.CreateICmpULT(after, dim[axis]), head[axis], axis == 2 ? done : next[axis + 1]);
  }
  return start;
}

llvm::BasicBlock* make_any_loop(llvm::Function& function, llvm::BasicBlock* done, llvm::Value* const (&dim)[3],
                                llvm::Function& any, unsigned width, const llvm::DebugLoc& place) {
  llvm::LLVMContext& context = function.getContext();
  llvm::IRBuilder<> b(context);
  b.SetCurrentDebugLocation(place);
  auto* start = llvm::BasicBlock::Create(context, "any", &function, done);
  auto* loop = llvm::BasicBlock::Create(context, "any.gang", &function, done);
  b.SetInsertPoint(start);
  llvm::Value* threads = b.CreateMul(b.CreateMul(dim[0], dim[1]), dim[2]);
  b.CreateBr(loop);
  b.SetInsertPoint(loop);
  auto* first = b.CreatePHI(b.getInt32Ty(), 2, "first");
  llvm::Value* left = b.CreateSub(threads, first);
  b.CreateCall(&any,
               {function.getArg(0), first, b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, b.getInt32(width))});
  llvm::Value* after = b.CreateAdd(first, b.getInt32(width), "", true, true);
  first->addIncoming(b.getInt32(0), start);
  first->addIncoming(after, loop);
  b.CreateCondBr(b.CreateICmpULT(after, threads), loop, done);
  return start;
}

// The launch's shape selects the version, once for each block.
llvm::Function* make_block_entry(const llvm::Function& thread_entry, llvm::Function& rows, llvm::Function& any,
                                 unsigned width, llvm::StringRef name) {
  llvm::LLVMContext& context = rows.getContext();
  auto* function = llvm::Function::Create(thread_entry.getFunctionType(), llvm::GlobalValue::InternalLinkage,
                                          "cohort.block." + name, rows.getParent());
  function->copyAttributesFrom(&rows);
  auto* entry = llvm::BasicBlock::Create(context, "block", function);
  auto* done = llvm::BasicBlock::Create(context, "done", function);
  describe_block(*function, rows, name);
  const llvm::DebugLoc place = start_of(*function);
  llvm::IRBuilder<> b(entry);
  b.SetCurrentDebugLocation(place);
  context_reader reader(b);
  llvm::Value* dim[3];
  for (unsigned axis = 0; axis < 3; ++axis) {
    dim[axis] = reader.read(context_value::block_dim, axis);
  }
  llvm::Value* aligned = b.CreateICmpEQ(b.CreateAnd(dim[0], b.getInt32(width - 1)), b.getInt32(0));
  llvm::Value* small = has_small_grid(b, reader.read(context_value::grid_dim, 0), dim[0]);
  llvm::CallInst* call = nullptr;
  llvm::BasicBlock* row_loops = make_row_loops(*function, done, dim, rows, width, place, call);
  llvm::BasicBlock* any_loop = make_any_loop(*function, done, dim, any, width, place);
  b.CreateCondBr(b.CreateAnd(aligned, small), row_loops, any_loop);
  b.SetInsertPoint(done);
  b.CreateRetVoid();
  llvm::InlineFunctionInfo info;
  llvm::InlineFunction(*call, info);
  rows.eraseFromParent();
  return function;
}

bool reads_axis(llvm::Function& function, unsigned axis) {
  return llvm::any_of(context_calls(function), [&](const llvm::CallInst* call) {
    return read_by(*call) == context_value::thread_index &&
           llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getValue() == axis;
  });
}

// The width for a kernel that gains by gangs. Wider gangs hide latency; the values that a loop keeps must stay in
// registers. Blocks of two dimensions often have rows of 32 or 16 threads.
std::optional<unsigned> select_width(const llvm::Function& structured, llvm::FunctionAnalysisManager& functions) {
  constexpr double least_gain = 1.5;
  const bool wide = structured.getFnAttribute("target-features").getValueAsString().contains("+avx512f");
  llvm::ValueToValueMapTy map;
  llvm::Function& rows = *llvm::CloneFunction(const_cast<llvm::Function*>(&structured), map);
  state_launch_condition(rows, 32);
  auto& loops = functions.getResult<llvm::LoopAnalysis>(rows);
  const shape_analysis shapes(rows, 32, true, loops, functions.getResult<llvm::DominatorTreeAnalysis>(rows));
  const gang_cost cost = estimate(rows, shapes, loops, functions.getResult<llvm::ScalarEvolutionAnalysis>(rows));
  const bool has_rows = reads_axis(rows, 1);
  functions.clear(rows, rows.getName());
  rows.eraseFromParent();
  if (cost.gang * least_gain * (wide ? 1 : 2) > cost.thread) {
    return std::nullopt;
  }
  const unsigned lanes = wide ? 16 : 8, registers = wide ? 24 : 12;
  unsigned width = wide && !has_rows ? 64 : 32;
  while (width > 16 && cost.live_vectors * (width / lanes) > registers) {
    width /= 2;
  }
  return width;
}

std::string sentence(unsigned width, const widening_notes& notes) {
  std::string text = "runs " + std::to_string(width) + " threads at once";
  auto list = [&](const char* what, const std::vector<llvm::DebugLoc>& places) {
    if (places.empty()) {
      return;
    }
    text += std::string(", ") + what + " (";
    const char* separator = "";
    std::string last;
    for (const llvm::DebugLoc& place : places) {
      const llvm::DILocation* source = place_in_source(place);
      const std::string line = source ? std::to_string(source->getLine()) : "?";
      if (line != last) {
        text += separator + line;
        separator = ", ";
      }
      last = line;
    }
    text += ")";
  };
  list("loads gather in lines", notes.gathers);
  list("stores scatter in lines", notes.scatters);
  for (const auto& [callee, place] : notes.calls) {
    text += ", " + callee.str() + " is called for each thread";
  }
  return text;
}

// Why the waits of a kernel, or loops that spin, keep its lanes from running together. Checks what is left to call once
// everything is inlined.
std::optional<std::string> why_lanes_may_wait(llvm::Function& function, wait_analysis& waiting) {
  if (!waiting.spinning_loops(function).empty()) {
    return "a loop may wait for other threads";
  }
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) {
      continue;
    }
    const llvm::StringRef name = called_name(*call);
    const bool is_wait = name.starts_with("cohort_wait_") || name.starts_with("cohort_copy_");
    if (name.empty() || name.ends_with(".device") || call->isInlineAsm() ||
        (is_wait && name != "cohort_wait_block" && name != "cohort_wait_block_light")) {
      return "it calls " + (name.empty() ? "a function through a pointer" : name.str());
    }
  }
  return std::nullopt;
}

gang_functions make_versions(llvm::Function& thread_entry, llvm::StringRef name, bool waits,
                             llvm::FunctionPassManager& simplify, llvm::FunctionAnalysisManager& functions) {
  const plugin_options& options = facts().options;
  llvm::Function* base = copy_kernel(thread_entry, name);
  if (!base) {
    return {};
  }
  auto finish = [&](const gang_functions& result) {
    functions.clear(*base, base->getName());
    base->eraseFromParent();
    return result;
  };
  auto give_up = [&](const std::string& why) { return finish({nullptr, nullptr, 0, why}); };
  const bool forced = options.gang_width != 0;
  if (!forced && functions.getResult<llvm::LoopAnalysis>(*base).empty() && !has_wide_math(*base)) {
    return give_up("it has no loop");
  }
  simplify.run(*base, functions);
  functions.invalidate(*base, llvm::PreservedAnalyses::none());
  if (const auto why = why_excluded(*base)) {
    return give_up(*why);
  }
  if (waits) {
    wait_analysis waiting(functions);
    if (const auto why = why_lanes_may_wait(*base, waiting)) {
      return give_up(*why);
    }
  }
  split_axes(*base);
  if (!structure(*base, functions)) {
    return give_up("its control flow has no form for lanes");
  }
  const auto selected = forced ? std::optional(options.gang_width) : select_width(*base, functions);
  if (!selected) {
    return give_up("gangs would gain nothing");
  }
  const unsigned width = *selected;
  const gang_version rows = make_row_version(*base, width, name, functions);
  if (!rows.function) {
    return give_up(rows.refusal);
  }
  const gang_version any = make_any_version(*base, width, name, functions);
  functions.clear(*rows.function, rows.function->getName());
  if (!any.function) {
    rows.function->eraseFromParent();
    return give_up(any.refusal);
  }
  return finish({rows.function, any.function, width, sentence(width, rows.notes)});
}

}  // namespace

void make_gangs(llvm::Module& module, std::vector<lowered_kernel>& kernels, llvm::FunctionPassManager& simplify,
                llvm::ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  wait_analysis waiting(functions);
  for (lowered_kernel& kernel : kernels) {
    auto* thread_entry = llvm::dyn_cast_or_null<llvm::Function>(kernel.thread_entry);
    auto* table = llvm::dyn_cast_or_null<llvm::GlobalVariable>(kernel.table);
    if (!thread_entry || !table) {
      continue;
    }
    const bool waits = waiting.why_it_may_wait(*thread_entry).has_value();
    if (waits && facts().options.gang_width == 0) {
      continue;
    }
    const llvm::StringRef name = kernel.readable_name;
    const gang_functions gangs = make_versions(*thread_entry, name, waits, simplify, functions);
    if (!gangs.rows) {
      kernel.no_gangs = gangs.sentence.empty() ? "" : ": " + gangs.sentence;
      continue;
    }
    std::vector<llvm::Function*> made{gangs.any};
    if (waits) {
      const gang_table versions = make_engine_entries(*gangs.rows, *gangs.any, gangs.width, name);
      set_gang_versions(*table, *versions.versions, versions.count);
      made.insert(made.end(), std::begin(versions.entries), std::end(versions.entries));
    } else {
      made.push_back(make_block_entry(*thread_entry, *gangs.rows, *gangs.any, gangs.width, name));
      set_block_entry(*table, *made.back());
    }
    for (llvm::Function* function : made) {
      simplify.run(*function, functions);
      functions.invalidate(*function, llvm::PreservedAnalyses::none());
    }
    remark(module, kernel, gangs.sentence);
  }
}

}  // namespace cohort
