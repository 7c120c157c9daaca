// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes the gangs of a module's kernels: collects the facts about each kernel, plans its versions, builds them, and
// enters them into the kernel's table.
#include "analysis/context_calls.hpp"
#include "analysis/waiting.hpp"
#include "gang/build/cleanup.hpp"
#include "gang/build/kernel_preparation.hpp"
#include "gang/build/masked_accesses.hpp"
#include "gang/build/report.hpp"
#include "gang/build/version_builder.hpp"
#include "gang/entries/block_entry.hpp"
#include "gang/entries/engine_entries.hpp"
#include "gang/facts/cost.hpp"
#include "gang/facts/kernel_sizes.hpp"
#include "gang/plan/source_budget.hpp"
#include "gang/target/function_target.hpp"
#include "loops/kernel_copy.hpp"
#include "loops/kernel_table.hpp"
#include "loops/thread_loop.hpp"
#include "lowering.hpp"

#include <map>

#include "llvm/IR/Module.h"

namespace cohort {
namespace {

// The code for blocks of other shapes, which the versions for all CPUs share: it is as large as the code for rows, and
// few blocks need it.
struct shared_code {
  other_blocks_code blocks;           // the blocks of a kernel whose gangs run one after another
  std::optional<engine_entry> entry;  // the entry of a kernel whose gangs wait; empty: a stack for each thread
  std::string how;                    // how_other_blocks_run()
};

// Why kernels of a large source have no gangs.
constexpr const char* spent = "the source is large, and other kernels gain more by gangs";

// A kernel's versions for one CPU.
struct kernel_gangs {
  version_set versions;
  std::string sentence;  // for --cohort-report: how the kernel runs, or why it has no gangs
  bool has_loops = false;
};

// True if `version` calls the engine: a wait that has no vector code, or a report that names a gang.
bool calls_engine(llvm::Function& version) {
  return any_call(version, [](llvm::CallBase& call) {
    return is_of_cohort(called_name(call)) && !read_by(call) &&
           (!call.getCalledFunction() || call.getCalledFunction()->isDeclaration());
  });
}

// True if the gangs of a block may run one after another, although single threads wait for each other: all collectives
// have become vector code. The engine runs the gangs of kernels with loops, and its reports name the threads in an
// endless loop. `any`: the version for all other blocks.
bool never_wait(const kernel_gangs& gangs, llvm::Function* any) {
  const std::vector<built_version>& rows = gangs.versions.rows;
  return !gangs.has_loops && !rows.empty() && any && !calls_engine(*rows.back().function) && !calls_engine(*any);
}

class gang_maker {
 public:
  gang_maker(llvm::Module& module, llvm::FunctionPassManager& simplify, llvm::FunctionAnalysisManager& functions,
             source_budget& budget)
      : module_(module), simplify_(simplify), functions_(functions), budget_(budget) {}

  // @param number of the kernel in the source
  void run(lowered_kernel& kernel, size_t number, const kernel_size& size) {
    if (!budget_.allows(number, size.instructions)) {
      kernel.no_gangs = std::string(": ") + spent;
      return;
    }
    number_ = number;
    budget_.spend(size.instructions);  // the cost of preparing the kernel
    const bool waits = size.waits;
    const auto known = shared_.find(kernel.thread_entry);
    const shared_code* shared = known == shared_.end() ? nullptr : &known->second;
    kernel_gangs gangs = make_versions(kernel, waits, shared);
    if (shared && waits && shared->blocks.any && !never_wait(gangs, shared->blocks.any)) {
      // The gangs wait for each other on this CPU and not on the first one, so the shared code does not fit.
      shared = nullptr;
      gangs = {};
      gangs = make_versions(kernel, waits, nullptr);
    }
    if (gangs.versions.rows.empty()) {
      kernel.no_gangs = gangs.sentence.empty() ? "" : ": " + gangs.sentence;
      return;
    }
    const shared_code code = waits && !never_wait(gangs, any_version(gangs, shared))
                                 ? run_by_engine(gangs, kernel, shared)
                                 : run_in_turn(gangs, kernel, waits, shared);
    if (!shared) {
      shared_.insert_or_assign(kernel.thread_entry, code);
    }
    remark(module_, kernel, gangs.sentence);
  }

 private:
  kernel_gangs make_versions(const lowered_kernel& kernel, bool waits, const shared_code* shared) {
    prepared_kernel prepared = prepare_kernel(kernel, waits, simplify_, functions_);
    if (!prepared.structured) {
      return {{}, std::move(prepared.refusal)};
    }
    const vector_target target = target_of(*prepared.structured);
    const plan_request request{facts().options.gang_width, budget_.has_all_versions(), shared != nullptr};
    if (needs_estimate(prepared.facts, request)) {
      prepared.facts.estimate = estimate(*prepared.structured, target.costs, functions_);
    }
    const gang_plan plan = plan_gangs(prepared.facts, target, request);
    if (plan.versions.empty()) {
      return {{}, std::string(plan.refusal)};
    }
    const uint64_t code = code_size(plan, prepared.structured->getInstructionCount(), target.registers);
    if (!budget_.allows(number_, code)) {
      return {{}, spent};
    }
    budget_.spend(code);
    const version_source source{*prepared.structured, prepared.without_assertions.get(), kernel.readable_name,
                                functions_};
    kernel_gangs gangs;
    gangs.has_loops = prepared.facts.has_loops;
    gangs.versions = build_versions(
        plan, source, [&] { return gang_function(make_thread_loop(kernel, simplify_, functions_), functions_); });
    gangs.sentence = gangs.versions.rows.empty()
                         ? gangs.versions.refusal
                         : sentence(plan, gangs.versions, shared ? shared->how : how_other_blocks_run(gangs.versions));
    return gangs;
  }

  static llvm::Function* any_version(const kernel_gangs& gangs, const shared_code* shared) {
    if (shared) {
      return shared->blocks.any;
    }
    const auto& others = gangs.versions.others;
    return others && others->plan.kind == version_kind::any_block ? others->function.get() : nullptr;
  }

  void finish(llvm::Function& function) {
    if (replace_masked_accesses(function)) {
      functions_.invalidate(function, llvm::PreservedAnalyses::none());
    }
    cleanup_.run(function, functions_);
    functions_.invalidate(function, llvm::PreservedAnalyses::none());
  }

  // The engine runs the gangs, which wait for each other.
  shared_code run_by_engine(kernel_gangs& gangs, const lowered_kernel& kernel, const shared_code* shared) {
    const llvm::StringRef name = kernel.readable_name;
    llvm::SmallVector<engine_entry, 4> entries;
    for (built_version& made : gangs.versions.rows) {
      entries.push_back(made.plan.kind == version_kind::half_warp
                            ? make_half_warp_entry(std::move(made.function), name)
                            : make_row_entry(std::move(made.function), made.plan.width, made.plan.row_lanes, name));
      finish(*entries.back().function);
    }
    shared_code code{{}, {}, how_other_blocks_run(gangs.versions)};
    if (shared) {
      code.entry = shared->entry;
    } else if (auto& others = gangs.versions.others) {
      code.entry = make_any_entry(std::move(others->function), others->plan.width, name);
      finish(*code.entry->function);
    }
    if (code.entry) {
      entries.push_back(*code.entry);
    }
    set_gang_versions(*kernel.table, *make_gang_table(entries, name), static_cast<uint32_t>(entries.size()));
    return code;
  }

  // One function runs the gangs of a block one after another.
  shared_code run_in_turn(kernel_gangs& gangs, lowered_kernel& kernel, bool waits, const shared_code* shared) {
    std::vector<built_version>& rows = gangs.versions.rows;
    if (waits) {
      rows.erase(rows.begin(), rows.end() - 1);
    } else {
      std::erase_if(rows, [](const built_version& made) { return made.plan.kind != version_kind::row; });
    }
    kernel.block_gang_width = rows.front().plan.width;
    shared_code code = shared ? *shared : take_others(gangs.versions);
    llvm::SmallVector<row_gangs, 2> versions;
    for (built_version& made : rows) {
      versions.push_back({std::move(made.function), made.plan.width});
    }
    llvm::Function* entry =
        make_block_entry(*kernel.thread_entry, std::move(versions), code.blocks, kernel.readable_name);
    set_block_entry(*kernel.table, *entry, block_way::gangs);
    if (code.blocks.any && !shared) {
      finish(*code.blocks.any);
    }
    finish(*entry);
    return code;
  }

  // The module keeps the version for all other blocks.
  static shared_code take_others(version_set& versions) {
    shared_code code{{}, {}, how_other_blocks_run(versions)};
    if (!versions.others) {
      return code;
    }
    if (versions.others->plan.kind == version_kind::thread_loop) {
      code.blocks.loop = versions.others->function.release();
    } else {
      code.blocks.any = versions.others->function.release();
      code.blocks.any_width = versions.others->plan.width;
    }
    return code;
  }

  llvm::Module& module_;
  llvm::FunctionPassManager& simplify_;
  llvm::FunctionAnalysisManager& functions_;
  source_budget& budget_;
  size_t number_ = 0;  // the current kernel's number
  llvm::FunctionPassManager cleanup_ = make_cleanup();
  std::map<const llvm::Function*, shared_code> shared_;  // indexed by the entry of one thread
};

}  // namespace

void make_gangs(llvm::Module& module, std::vector<lowered_kernel>& kernels, llvm::FunctionPassManager& simplify,
                llvm::ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
  wait_analysis waiting(functions);
  const std::vector<kernel_size> sizes = kernel_sizes(kernels, waiting, functions);
  source_budget budget(sizes, facts().options.all_widths || facts().options.gang_width != 0);
  gang_maker maker(module, simplify, functions, budget);
  const size_t cpus = 1 + facts().further_cpus.size();
  for (const size_t kernel : budget.order()) {
    // The runtime takes the last CPU's version where it can.
    for (size_t cpu = budget.has_all_versions() ? 0 : cpus - 1; cpu < cpus; ++cpu) {
      maker.run(kernels[kernel * cpus + cpu], kernel, sizes[kernel]);
    }
  }
}

}  // namespace cohort
