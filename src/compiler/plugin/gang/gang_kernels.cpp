// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selects the kernels that run in gangs and the width of a gang; makes the function that runs the gangs of a block.
#include "analysis/context_calls.hpp"
#include "analysis/lane_calls.hpp"
#include "analysis/source_place.hpp"
#include "analysis/waiting.hpp"
#include "gang/assertions.hpp"
#include "gang/choice/why_no_gangs.hpp"
#include "gang/choice/width.hpp"
#include "gang/cleanup.hpp"
#include "gang/entries/block_entry.hpp"
#include "gang/entries/engine_entries.hpp"
#include "gang/frame.hpp"
#include "gang/jam/warp_jam.hpp"
#include "gang/structure.hpp"
#include "gang/version.hpp"
#include "gang/widen/direct_calls.hpp"
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
  std::string other_blocks;                     // part of it: how blocks of other shapes than rows run, if not in gangs
  bool has_loops = false;
};

// The code for other shapes than rows of whole gangs, which the versions for all CPUs share: it is as large as that for
// rows, and few blocks need it.
struct shared_code {
  other_shapes shapes;                // of a kernel whose gangs run one after another
  std::optional<engine_entry> entry;  // of any other kernel, unless such blocks have a stack for each thread
  std::string other_blocks;           // of gang_functions
};

// The facts beside its code that decide the versions of a kernel.
struct version_choice {
  bool waits = false;
  bool several_warps = false;           // a gang may have several warps if the kernel waits
  const shared_code* shared = nullptr;  // the first CPU's code; null: this is the first CPU, or that has no gangs
};

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

bool has_warp_collectives(llvm::Function& function) {
  return any_call(function, [](llvm::CallBase& call) {
    return is_warp_collective(call) || port_call_of(call) == port_call::cohort_wait_converged;
  });
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

// True if `version` calls the engine: a wait that has no vector code, or a report that names a gang.
bool calls_engine(llvm::Function& version) {
  return any_call(version, [](llvm::CallBase& call) {
    return is_of_cohort(called_name(call)) && !read_by(call) &&
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

// Erases what make_versions() made with the code of another CPU.
void forget(gang_functions& gangs, llvm::FunctionAnalysisManager& functions) {
  if (!gangs.versions.empty()) {
    gangs.versions.back().others.any = gangs.versions.back().others.loop = nullptr;
    erase_versions(gangs.versions, functions);
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

gang_functions make_versions(llvm::Function& thread_entry, const lowered_kernel& kernel, const version_choice& choice,
                             llvm::FunctionPassManager& simplify, llvm::FunctionAnalysisManager& functions) {
  const auto& [waits, several_warps, shared] = choice;
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
    result = {};
    result.sentence = why;
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
  auto widths = forced                        ? llvm::SmallVector<unsigned, 3>{options.gang_width}
                : has_warp_collectives(*base) ? llvm::SmallVector<unsigned, 3>{lanes_of_warp}
                                              : select_widths(*base, waits, functions);
  if (widths.empty()) {
    return give_up("gangs would gain nothing");
  }
  const bool one_warp = waits && !several_warps && !forced;
  if (one_warp) {
    widths.assign({widths.back()});
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
    if (several || (!forced && !one_warp && has_warp_collectives(*base))) {
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
  // Short code for blocks of one dimension does without: few of these are no rows of whole gangs.
  const bool needs_narrow = result.has_loops || has_rows_of_threads(*base);
  if (!forced && !waits && last.width > narrow_width && needs_narrow) {
    last.others.narrow = make_row_version(*base, narrow_width, name, functions).function;
    if (last.others.narrow) {
      functions.clear(*last.others.narrow, last.others.narrow->getName());
    }
  }
  if (shared) {
    last.others.any = shared->shapes.any;
    last.others.any_width = shared->shapes.any_width;
    last.others.loop = shared->shapes.loop;
    result.other_blocks = shared->other_blocks;
  } else if (loop_serves && (last.others.loop = make_thread_loop(thread_entry, kernel, simplify, functions))) {
    result.other_blocks = "run as a loop over their threads";
  } else {
    const gang_version any = make_any_version(*base, widths.back(), name, functions, without_assertions);
    if (!any.function && !waits) {
      return give_up(any.refusal);
    }
    if (!any.function) {
      result.other_blocks = "have a stack for each thread: " + any.refusal;
    }
    last.others.any = any.function;
    last.others.any_width = widths.back();
  }
  if (one_warp) {
    result.sentence += "; the source is too large for gangs of several warps";
  }
  if (!result.other_blocks.empty()) {
    result.sentence += "; blocks of other shapes than rows of " +
                       std::to_string(last.others.narrow ? narrow_width : last.width) + " threads " +
                       result.other_blocks;
  }
  return finish();
}

}  // namespace

void make_gangs(llvm::Module& module, std::vector<lowered_kernel>& kernels, llvm::FunctionPassManager& simplify,
                llvm::ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  wait_analysis waiting(functions);
  const bool several_warps = has_room_for_several_warps(kernels, waiting);
  llvm::FunctionPassManager cleanup = make_cleanup();
  std::map<const llvm::Function*, shared_code> shared_codes;  // by the entry of one thread
  for (lowered_kernel& kernel : kernels) {
    auto* thread_entry = llvm::dyn_cast_or_null<llvm::Function>(kernel.thread_entry);
    auto* table = llvm::dyn_cast_or_null<llvm::GlobalVariable>(kernel.table);
    if (!thread_entry || !table) {
      continue;
    }
    const bool waits = waiting.why_it_may_wait(*thread_entry).has_value();
    const llvm::StringRef name = kernel.readable_name;
    auto known = shared_codes.find(thread_entry);
    bool shares = known != shared_codes.end();
    version_choice choice{waits, several_warps, shares ? &known->second : nullptr};
    gang_functions gangs = make_versions(*thread_entry, kernel, choice, simplify, functions);
    if (shares && waits && known->second.shapes.any && !gangs_never_wait(gangs)) {
      // On this CPU the gangs wait for each other, on the first one they do not.
      forget(gangs, functions);
      shares = false;
      choice.shared = nullptr;
      gangs = make_versions(*thread_entry, kernel, choice, simplify, functions);
    }
    if (gangs.versions.empty()) {
      kernel.no_gangs = gangs.sentence.empty() ? "" : ": " + gangs.sentence;
      continue;
    }
    auto finish = [&](llvm::Function& function) {
      cleanup.run(function, functions);
      functions.invalidate(function, llvm::PreservedAnalyses::none());
    };
    shared_code code{{}, {}, gangs.other_blocks};
    if (waits && !gangs_never_wait(gangs)) {
      llvm::SmallVector<engine_entry, 4> entries;
      for (const version_pair& made : gangs.versions) {
        entries.push_back(make_row_entry(*made.rows, made.width, made.row_lanes, name));
        finish(*entries.back().function);
      }
      if (shares) {
        code.entry = known->second.entry;
      } else if (const other_shapes& others = gangs.versions.back().others; others.any) {
        code.entry = make_any_entry(*others.any, others.any_width, name);
        finish(*code.entry->function);
      }
      if (code.entry) {
        entries.push_back(*code.entry);
      }
      set_gang_versions(*table, *make_gang_table(entries, name), static_cast<uint32_t>(entries.size()));
    } else {
      const version_pair& made = gangs.versions.back();
      erase_versions(llvm::ArrayRef(gangs.versions).drop_back(), functions);
      llvm::Function* block_entry = make_block_entry(*thread_entry, *made.rows, made.others, made.width, name);
      set_block_entry(*table, *block_entry, block_way::gangs);
      kernel.block_gang_width = made.width;
      code.shapes = made.others;
      if (made.others.any && !shares) {
        finish(*made.others.any);
      }
      finish(*block_entry);
    }
    if (!shares) {
      shared_codes.insert_or_assign(thread_entry, code);
    }
    remark(module, kernel, gangs.sentence);
  }
}

}  // namespace cohort
