// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the kernels that run in gangs and the width of a gang; makes the function that runs the gangs of a block.
#include "analysis/context_calls.hpp"
#include "analysis/gang_waits.hpp"
#include "analysis/lane_calls.hpp"
#include "analysis/source_place.hpp"
#include "analysis/waiting.hpp"
#include "gang/assertions.hpp"
#include "gang/entries/block_entry.hpp"
#include "gang/entries/engine_entries.hpp"
#include "gang/frame.hpp"
#include "gang/jam/warp_jam.hpp"
#include "gang/structure.hpp"
#include "gang/version.hpp"
#include "gang/widen/direct_calls.hpp"
#include "gang/width.hpp"
#include "loops/kernel_copy.hpp"
#include "loops/kernel_table.hpp"
#include "loops/thread_loop.hpp"
#include "lower/context_reads.hpp"
#include "lowering.hpp"
#include "math/wide_math.hpp"

#include <map>
#include <set>

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace cohort {
namespace {

struct version_pair {
  unsigned width = 0;
  llvm::Function* rows = nullptr;
  other_shapes others = {};  // none where a narrower version serves them; gangs that wait have `any` alone
  unsigned row_lanes = 0;    // where gangs are several whole rows of the block
};

struct gang_functions {
  llvm::SmallVector<version_pair, 3> versions;  // empty: the kernel is not run in gangs
  std::string sentence;                         // for --cohort-report: how the kernel runs, or why it does not
  bool has_loops = false;
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

// One read of each value, at the entry: a phi of two reads would not be seen to be uniform.
void unify_reads(llvm::Function& function) {
  std::map<std::pair<context_value, uint64_t>, llvm::CallInst*> known;
  llvm::BasicBlock& entry = function.getEntryBlock();
  for (llvm::CallInst* call : context_calls(function)) {
    const uint64_t axis =
        call->arg_size() == 0 ? 0 : llvm::cast<llvm::ConstantInt>(call->getArgOperand(0))->getZExtValue();
    const context_value value = *read_by(*call);  // NOLINT(bugprone-unchecked-optional-access): it is a context call
    llvm::CallInst*& first = known[{value, axis}];
    if (first) {
      call->replaceAllUsesWith(first);
      call->eraseFromParent();
    } else {
      first = call;
      call->moveBefore(entry, entry.getFirstNonPHIOrDbgOrAlloca());
    }
  }
}

bool any_call(llvm::Function& function, llvm::function_ref<bool(llvm::CallBase&)> is_one) {
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    return call && is_one(*call);
  });
}

bool has_warp_collectives(llvm::Function& function) {
  return any_call(function, [](llvm::CallBase& call) {
    return is_warp_collective(call) || called_name(call) == "cohort_wait_converged";
  });
}

bool has_lane_calls(llvm::Function& function) {
  return any_call(function, [](llvm::CallBase& call) { return lane_call_of(call) || is_warp_collective(call); });
}

// Why no kernel like this one runs in gangs, whatever its control flow is.
std::optional<std::string> why_excluded(llvm::Function& function) {
  if (facts().options.coverage) {
    return "coverage counts each thread";
  }
  for (const auto sanitizer :
       {llvm::Attribute::SanitizeAddress, llvm::Attribute::SanitizeThread, llvm::Attribute::SanitizeMemory}) {
    if (function.hasFnAttribute(sanitizer)) {
      return "sanitizers do not check masked accesses";
    }
  }
  // Lanes that meet a failed one in a collective wait for it for ever. A collective without a wait would leave it out.
  if (has_assertions(function) && has_lane_calls(function)) {
    return "it has assertions and collectives of a warp";
  }
  if (function.getInstructionCount() > largest_kernel) {
    return "it is too large";
  }
  return local_bytes(function) > largest_locals ? std::optional("its local variables are too large") : std::nullopt;
}

std::string sentence(unsigned width, const widening_notes& notes) {
  std::string text = "runs " + std::to_string(width) + " threads at once";
  auto list = [&](const char* what, const std::vector<llvm::DebugLoc>& places) {
    std::set<unsigned> lines;
    for (const llvm::DebugLoc& place : places) {
      const llvm::DILocation* known = place_in_source(place);
      if (known && known->getLine() != 0) {
        lines.insert(known->getLine());
      }
    }
    const char* separator = "";
    for (const unsigned line : lines) {
      text += *separator ? separator : std::string(", ") + what + " (";
      text += std::to_string(line);
      separator = ", ";
    }
    text += lines.empty() ? "" : ")";
  };
  list("loads gather in lines", notes.gathers);
  list("stores scatter in lines", notes.scatters);
  for (const auto& [callee, place] : notes.calls) {
    text += ", " + callee.str() + " is called for each thread";
  }
  return text;
}

// True if `function` reads the thread's index or names the thread in a report, also in callees.
bool depends_on_thread(llvm::Function& function, llvm::SmallPtrSetImpl<llvm::Function*>& seen) {
  if (!seen.insert(&function).second) {
    return false;
  }
  return llvm::any_of(llvm::instructions(function), [&](llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call) {
      return false;
    }
    const auto read = read_by(*call);
    return read == context_value::thread_index || reports_thread(called_name(*call)) ||
           (call->getCalledFunction() && depends_on_thread(*call->getCalledFunction(), seen));
  });
}

// The resolve function of a rendezvous holds the user's operator. A gang calls it as no thread in particular.
std::optional<std::string> why_resolve_may_wait(llvm::CallBase& rendezvous, wait_analysis& waiting) {
  auto* resolve = llvm::dyn_cast<llvm::Function>(rendezvous.getArgOperand(1)->stripPointerCasts());
  if (!resolve) {
    return std::nullopt;
  }
  if (waiting.why_it_may_wait(*resolve)) {
    return "the operator of a collective may wait" + source_place(rendezvous.getDebugLoc());
  }
  llvm::SmallPtrSet<llvm::Function*, 8> seen;
  return depends_on_thread(*resolve, seen) ? std::optional("the operator of a collective depends on its thread" +
                                                           source_place(rendezvous.getDebugLoc()))
                                           : std::nullopt;
}

// Why the waits of a kernel, or loops that spin, keep its lanes from running together. Checks what is left to call once
// everything is inlined.
std::optional<std::string> why_lanes_may_wait(llvm::Function& function, wait_analysis& waiting) {
  if (const auto loops = waiting.spinning_loops(function); !loops.empty()) {
    return "a loop may wait for other threads" + source_place(loops.front()->getStartLoc());
  }
  for (llvm::Instruction& instruction : llvm::instructions(function)) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
    if (!call || llvm::isa<llvm::IntrinsicInst>(call)) {
      continue;
    }
    llvm::StringRef name = called_name(*call);
    if ((is_warp_collective(*call) && !lane_call_of(*call)) || gang_wait_of(name) == gang_wait::team) {
      if (const auto why = why_resolve_may_wait(*call, waiting)) {
        return why;
      }
      continue;
    }
    const bool is_wait = name.starts_with("cohort_wait_") && name != "cohort_wait_converged" && !copies_later(name);
    if (name.empty() || name.ends_with(".device") || call->isInlineAsm() || (is_wait && !gang_wait_of(name))) {
      name.consume_back("_light");
      return "it calls " + (name.empty() ? "a function through a pointer" : name.str()) +
             source_place(call->getDebugLoc());
    }
  }
  return std::nullopt;
}

// True if `version` calls the engine: a wait that has no vector code, or a report that names a gang.
bool calls_engine(llvm::Function& version) {
  return any_call(version, [](llvm::CallBase& call) {
    return called_name(call).starts_with("cohort_") && !read_by(call) &&
           (!call.getCalledFunction() || call.getCalledFunction()->isDeclaration());
  });
}

// True if the gangs of a block may run one after another, although single threads wait for each other: all collectives
// have become vector code. Kernels with loops have gangs that the engine knows, which say who is in an endless loop.
bool gangs_never_wait(const gang_functions& gangs) {
  const version_pair& narrowest = gangs.versions.back();
  return !gangs.has_loops && narrowest.rows && narrowest.others.any && !calls_engine(*narrowest.rows) &&
         !calls_engine(*narrowest.others.any);
}

// Erases the functions of versions that are not used after all.
void erase_versions(llvm::ArrayRef<version_pair> versions, llvm::FunctionAnalysisManager& functions) {
  for (const version_pair& made : versions) {
    for (llvm::Function* function : {made.rows, made.others.any, made.others.loop, made.others.narrow}) {
      if (function) {
        functions.clear(*function, function->getName());
        function->eraseFromParent();
      }
    }
  }
}

// Blocks whose rows have 32 or 16 threads: gangs of several rows.
void add_whole_rows(const llvm::Function& base, const llvm::Function* without_assertions, llvm::StringRef name,
                    llvm::FunctionAnalysisManager& functions, gang_functions& result) {
  for (const unsigned lanes : {lanes_of_warp, lanes_of_warp / 2}) {
    const gang_version rows = make_row_version(base, lanes, name, functions, true, without_assertions);
    if (!rows.function) {
      continue;
    }
    for (const jammed_version& jammed : jam_rows(*rows.function, lanes)) {
      result.versions.push_back({jammed.width, jammed.function, {}, lanes});
      if (result.sentence.empty()) {
        result.sentence = sentence(jammed.width, rows.notes);
      }
    }
    functions.clear(*rows.function, rows.function->getName());
    rows.function->eraseFromParent();
  }
}

// True if gangs of any shape would gain little over a loop over the threads: they compute the indices of each lane, and
// gather what lies side by side.
bool serves_as_thread_loop(llvm::Function& base, llvm::FunctionAnalysisManager& functions) {
  return functions.getResult<llvm::LoopAnalysis>(base).empty() && !has_wide_math(base) &&
         !any_call(base, [](llvm::CallBase& call) { return lane_call_of(call).has_value(); });
}

gang_functions make_versions(llvm::Function& thread_entry, const lowered_kernel& kernel, bool waits,
                             llvm::FunctionPassManager& simplify, llvm::FunctionAnalysisManager& functions) {
  const plugin_options& options = facts().options;
  const llvm::StringRef name = kernel.readable_name;
  llvm::Function* base = copy_kernel(thread_entry, kernel);
  if (!base) {
    return {};
  }
  gang_functions result;
  llvm::Function* without_assertions = nullptr;
  auto finish = [&] {
    for (llvm::Function* function : {base, without_assertions}) {
      if (function) {
        functions.clear(*function, function->getName());
        function->eraseFromParent();
      }
    }
    return result;
  };
  auto give_up = [&](const std::string& why) {
    erase_versions(result.versions, functions);
    result = {{}, why};
    return finish();
  };
  const bool forced = options.gang_width != 0;
  bool loop_serves = !forced && !waits && serves_as_thread_loop(*base, functions);
  make_direct_calls(*base);
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
  unify_reads(*base);
  if (has_assertions(*base)) {
    loop_serves = false;  // a failed assertion ends a loop over threads
    if (waits) {
      without_assertions = &copy_without_assertions(*base, simplify, functions);
    }
    let_lanes_fail_alone(*base, waits, functions);
  }
  if (!structure(*base, functions) || (without_assertions && !structure(*without_assertions, functions))) {
    return give_up("its control flow has no form for lanes");
  }
  result.has_loops = !functions.getResult<llvm::LoopAnalysis>(*base).empty();
  const auto widths = forced                        ? llvm::SmallVector<unsigned, 3>{options.gang_width}
                      : has_warp_collectives(*base) ? llvm::SmallVector<unsigned, 3>{lanes_of_warp}
                                                    : select_widths(*base, waits, functions);
  if (widths.empty()) {
    return give_up("gangs would gain nothing");
  }
  if (!forced && waits && has_rows_of_threads(*base)) {
    add_whole_rows(*base, without_assertions, name, functions, result);
  }
  for (const unsigned width : widths) {
    gang_version rows = make_row_version(*base, width, name, functions, false, without_assertions);
    // A forced width that collectives of a warp forbid may still be that of several warps.
    const bool several = !rows.function && forced && waits && width > lanes_of_warp;
    if (several) {
      const std::string refusal = std::move(rows.refusal);
      rows = make_row_version(*base, lanes_of_warp, name, functions, false, without_assertions);
      rows.refusal = refusal;
    }
    if (!rows.function) {
      return give_up(rows.refusal);
    }
    if (several || (!forced && has_warp_collectives(*base))) {
      for (const jammed_version& jammed : jam_warps(*rows.function)) {
        result.versions.push_back({jammed.width, jammed.function});
        if (result.sentence.empty()) {
          result.sentence = sentence(jammed.width, rows.notes);
        }
      }
    }
    if (several) {
      functions.clear(*rows.function, rows.function->getName());
      rows.function->eraseFromParent();
      if (result.versions.empty()) {
        return give_up(rows.refusal);
      }
      continue;
    }
    functions.clear(*rows.function, rows.function->getName());
    result.versions.push_back({width, rows.function});
    if (result.sentence.empty()) {
      result.sentence = sentence(width, rows.notes);
    }
  }
  version_pair& last = result.versions.back();
  if (!forced && !waits && last.width > narrow_width) {
    last.others.narrow = make_row_version(*base, narrow_width, name, functions).function;
    if (last.others.narrow) {
      functions.clear(*last.others.narrow, last.others.narrow->getName());
    }
  }
  if (loop_serves) {
    last.others.loop = make_thread_loop(thread_entry, kernel, simplify, functions);
  }
  if (last.others.loop) {
    result.sentence += "; blocks of other shapes than rows of " +
                       std::to_string(last.others.narrow ? narrow_width : last.width) +
                       " threads run as a loop over their threads";
    return finish();
  }
  const gang_version any = make_any_version(*base, widths.back(), name, functions, without_assertions);
  if (!any.function && !waits) {
    return give_up(any.refusal);
  }
  if (!any.function) {
    result.sentence += "; blocks of other shapes than rows of " + std::to_string(widths.back()) +
                       " threads have a stack for each thread: " + any.refusal;
  }
  last.others.any = any.function;
  return finish();
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
    const llvm::StringRef name = kernel.readable_name;
    const gang_functions gangs = make_versions(*thread_entry, kernel, waits, simplify, functions);
    if (gangs.versions.empty()) {
      kernel.no_gangs = gangs.sentence.empty() ? "" : ": " + gangs.sentence;
      continue;
    }
    auto finish = [&](llvm::Function& function) {
      simplify.run(function, functions);
      functions.invalidate(function, llvm::PreservedAnalyses::none());
    };
    if (waits && !gangs_never_wait(gangs)) {
      llvm::SmallVector<engine_entry, 4> entries;
      for (const version_pair& made : gangs.versions) {
        entries.push_back(make_row_entry(*made.rows, made.width, made.row_lanes, name));
        if (made.others.any) {
          entries.push_back(make_any_entry(*made.others.any, made.width, name));
        }
      }
      for (const engine_entry& entry : entries) {
        finish(*entry.function);
      }
      set_gang_versions(*table, *make_gang_table(entries, name), static_cast<uint32_t>(entries.size()));
    } else {
      const version_pair& made = gangs.versions.back();
      erase_versions(llvm::ArrayRef(gangs.versions).drop_back(), functions);
      llvm::Function* block_entry = make_block_entry(*thread_entry, *made.rows, made.others, made.width, name);
      set_block_entry(*table, *block_entry, block_way::gangs);
      kernel.block_gang_width = made.width;
      if (made.others.any) {
        finish(*made.others.any);
      }
      finish(*block_entry);
    }
    remark(module, kernel, gangs.sentence);
  }
}

}  // namespace cohort
