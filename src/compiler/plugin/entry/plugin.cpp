// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry of the LLVM half of the plugin: the steps of lowering.hpp as passes, in their order, for clang's pipeline and
// for opt.
#include "check/instrument_accesses.hpp"
#include "check/sync/instrument_sync.hpp"
#include "count/count_accesses.hpp"
#include "entry/step_pass.hpp"
#include "gang/widen/memory/cold_values.hpp"
#include "gang/widen/memory/separate_loads.hpp"
#include "loops/kernel_notes.hpp"
#include "lowering.hpp"

#include <memory>
#include <utility>

#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/Passes/OptimizationLevel.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

namespace cohort {
namespace {

bool checks(const plugin_options& options, const step_level&) { return options.check; }
bool covers(const plugin_options& options, const step_level&) { return options.coverage; }
bool counts(const plugin_options& options, const step_level&) { return options.count; }
// True if each access must stay as it is in the source.
bool watches(const plugin_options& options, const step_level&) { return options.check || options.count; }
// False under --check: the checker needs separate threads, and each access as it is in the source.
bool checks_nothing(const plugin_options& options, const step_level&) { return !options.check; }
bool optimizes(const plugin_options&, const step_level& level) { return level.optimizes; }
bool has_loops(const plugin_options& options, const step_level& level) { return level.optimizes && !options.check; }
bool has_no_loops(const plugin_options& options, const step_level& level) { return !has_loops(options, level); }
bool has_gangs(const plugin_options& options, const step_level& level) {
  return has_loops(options, level) && options.gangs && !options.count;
}

void record_facts(llvm::Module& module) { write_facts(module, facts()); }

// clang-format off: a step on each line
using host_start = step_list<
    step<"cohort-facts", record_facts>,
    step<"cohort-host-variables", lower_host_variables>,
    step<"cohort-stubs-first", register_stubs_first>,
    step<"cohort-stubs-uncounted", leave_stubs_uncounted, covers>,
    step<"cohort-keep-accesses", keep_accesses, checks>>;

using host_simplified = step_list<
    step<"cohort-instrument-accesses", instrument_accesses, checks>>;

// Run before optimization.
using device_start = step_list<
    step<"cohort-facts", record_facts>,
    step<"cohort-host-references", refuse_host_references>,
    step<"cohort-kernel-launches", lower_kernel_launches>,
    step<"cohort-atomic-functions", mark_atomic_functions, checks>,
    step<"cohort-group-copies", mark_group_copies, checks>,
    step<"cohort-system-calls", define_system_calls>,
    step<"cohort-undefined-values", allow_undefined_values>,
    step<"cohort-access-alignments", limit_access_alignments>,
    step<"cohort-inline-ptx", lower_inline_ptx>,
    step<"cohort-device-arithmetic", lower_device_arithmetic>,
    step<"cohort-device-math", lower_device_math>,
    step<"cohort-shared-variables", lower_shared_variables>,
    step<"cohort-managed-variables", lower_managed_variables>,
    step<"cohort-device-variables", lower_device_variables>,
    step<"cohort-pure-context-reads", prepare_context_reads>,
    step<"cohort-pure-lane-calls", prepare_lane_calls>,
    step<"cohort-keep-converged-sites", keep_converged_sites>,
    step<"cohort-module-tables", make_module_tables>,
    step<"cohort-rename-symbols", rename_symbols>,
    step<"cohort-keep-accesses", keep_accesses, watches>,
    step<"cohort-keep-kernels", keep_kernels, counts>,
    step<"cohort-keep-equal-waits", keep_equal_waits, checks>>;

// Run after simplification and inlining, before vectorization.
using device_simplified = step_list<
    step<"cohort-exits", lower_exits>,
    step<"cohort-full-range-math", complete_device_math>,
    step<"cohort-relaxed-arithmetic", fix_relaxed_arithmetic>,
    step<"cohort-count", count_accesses, counts>,
    step<"cohort-mark-block-atomics", mark_block_atomics, checks_nothing>,
    step<"cohort-gangs", make_gangs, has_gangs>,
    step<"cohort-lane-calls", lower_lane_calls>,
    step<"cohort-thread-loops", make_thread_loops, has_loops>,
    step<"cohort-report-no-loops", report_no_loops, has_no_loops>,
    step<"cohort-spin-loops", yield_in_spin_loops>,
    step<"cohort-instrument-accesses", instrument_accesses, checks>,
    step<"cohort-instrument-pointers", instrument_pointers, checks>,
    step<"cohort-instrument-waits", instrument_waits, checks>,
    step<"cohort-instrument-calls", instrument_calls, checks>,
    step<"cohort-converging-sites", number_converging_sites>,
    step<"cohort-block-atomics", lower_block_atomics>,
    step<"cohort-context-reads", lower_context_reads>,
    step<"cohort-wide-math", offer_wide_math, optimizes>,
    step<"cohort-kernel-frames", describe_frames>,
    step<"cohort-kernel-notes", note_kernels>>;
// clang-format on

// Run after vectorization, function by function.
template <pass_name Name, bool (*Change)(llvm::Function&)>
struct late_pass : llvm::PassInfoMixin<late_pass<Name, Change>> {
  static llvm::StringRef name() { return Name.text; }
  static bool isRequired() { return true; }
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return Change(function) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
};
using sink_pass = late_pass<"cohort-sink-cold-values", sink_cold_values>;
using separate_loads_pass = late_pass<"cohort-separate-loads", separate_loads>;

template <class Pass>
bool add_named(llvm::StringRef name, llvm::FunctionPassManager& passes) {
  const bool found = name == Pass::name();
  if (found) {
    passes.addPass(Pass());
  }
  return found;
}

std::shared_ptr<llvm::FunctionPassManager> simplifications(llvm::PassBuilder& builder, llvm::OptimizationLevel level) {
  return std::make_shared<llvm::FunctionPassManager>(
      builder.buildFunctionSimplificationPipeline(level, llvm::ThinOrFullLTOPhase::None));
}

void add_to_pipeline(llvm::PassBuilder& builder) {
  builder.registerPipelineStartEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    const step_level own = {level != llvm::OptimizationLevel::O0, nullptr};
    facts().options.device ? device_start::add(passes, own) : host_start::add(passes, own);
  });
  builder.registerOptimizerEarlyEPCallback([&builder](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    const bool optimizes = level != llvm::OptimizationLevel::O0;
    const step_level own = {optimizes, optimizes ? simplifications(builder, level) : nullptr};
    facts().options.device ? device_simplified::add(passes, own) : host_simplified::add(passes, own);
  });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    if (facts().options.device && facts().options.gangs && level != llvm::OptimizationLevel::O0) {
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(sink_pass()));
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(separate_loads_pass()));
    }
  });
}

// Registers the passes by name for opt: cohort-gangs, or cohort-relaxed-arithmetic<O0> without optimization.
void register_names(llvm::PassBuilder& builder) {
  using pipeline = llvm::ArrayRef<llvm::PassBuilder::PipelineElement>;
  builder.registerPipelineParsingCallback([&builder](llvm::StringRef name, llvm::ModulePassManager& passes, pipeline) {
    const bool plain = name.consume_back("<O0>");
    if (!name.starts_with("cohort-")) {
      return false;
    }
    const step_level level = {!plain, simplifications(builder, llvm::OptimizationLevel::O3)};
    return device_start::add_named(name, passes, level) || device_simplified::add_named(name, passes, level) ||
           host_start::add_named(name, passes, level);
  });
  builder.registerPipelineParsingCallback([](llvm::StringRef name, llvm::FunctionPassManager& passes, pipeline) {
    return add_named<sink_pass>(name, passes) || add_named<separate_loads_pass>(name, passes);
  });
  if (llvm::PassInstrumentationCallbacks* instrumentation = builder.getPassInstrumentationCallbacks()) {
    const auto add = [&](llvm::StringRef name) { instrumentation->addClassToPassName(name, name); };
    device_start::for_each_name(add);
    device_simplified::for_each_name(add);
    host_start::for_each_name(add);
    add(sink_pass::name());
    add(separate_loads_pass::name());
  }
}

void add_passes(llvm::PassBuilder& builder) {
  register_names(builder);
  if (facts().options.active) {
    add_to_pipeline(builder);
  }
}

}  // namespace
}  // namespace cohort

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cohort", "1", cohort::add_passes};
}
