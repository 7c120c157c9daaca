// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Entry of the LLVM half of the plugin: adds the steps of lowering.hpp to clang's pipeline.
#include "check/keep_accesses.hpp"
#include "check/sync/instrument_sync.hpp"
#include "gang/widen/memory/separate_loads.hpp"
#include "loops/kernel_notes.hpp"
#include "lowering.hpp"

#include <memory>

#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"

namespace cohort {
namespace {

// The kernels of the module, kept between the first and the second pass.
std::vector<lowered_kernel>& kernels() {
  static std::vector<lowered_kernel> the_kernels;
  return the_kernels;
}

struct lower_start : llvm::PassInfoMixin<lower_start> {
  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager&) {
    if (!facts().options.device) {
      lower_host_variables(module);
      register_stubs_first(module);
      if (facts().options.coverage) {
        leave_stubs_uncounted(module);
      }
      if (facts().options.check) {
        keep_accesses(module);
      }
      return llvm::PreservedAnalyses::none();
    }
    refuse_host_references(module);
    if (facts().options.check) {
      mark_atomic_functions(module);
      mark_group_copies(module);
    }
    define_system_calls(module);
    allow_undefined_values(module);
    limit_access_alignments(module);
    lower_inline_ptx(module);
    lower_device_arithmetic(module);
    lower_device_math(module);
    const shared_needs shared = lower_shared_variables(module);
    lower_managed_variables(module);
    const device_variables variables = lower_device_variables(module);
    prepare_context_reads(module);
    prepare_lane_calls(module);
    keep_converged_sites(module);
    kernels() = make_module_tables(module, shared, variables);
    rename_symbols(module);
    if (facts().options.check) {
      keep_accesses(module);
      keep_equal_waits(module);
    }
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

struct lower_simplified : llvm::PassInfoMixin<lower_simplified> {
  lower_simplified(bool optimizes, llvm::FunctionPassManager simplify)
      : optimizes_(optimizes), simplify_(std::make_shared<llvm::FunctionPassManager>(std::move(simplify))) {}

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    auto& functions = analyses.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module).getManager();
    if (!facts().options.device) {
      if (!facts().options.check) {
        return llvm::PreservedAnalyses::all();
      }
      instrument_accesses(module, functions);
      return llvm::PreservedAnalyses::none();
    }
    lower_exits(module, functions);
    complete_device_math(module, functions);
    fix_relaxed_arithmetic(module, optimizes_);
    // The checker needs each thread on its own, and each access as it is in the source.
    const bool checks = facts().options.check;
    if (!checks) {
      mark_block_atomics(module);
    }
    if (optimizes_ && !checks && facts().options.gangs) {
      make_gangs(module, kernels(), *simplify_, analyses);
    }
    lower_lane_calls(module, functions);
    if (optimizes_ && !checks) {
      make_thread_loops(module, kernels(), *simplify_, analyses);
    } else {
      report_no_loops(module, kernels());
    }
    yield_in_spin_loops(module, functions);
    if (checks) {
      instrument_accesses(module, functions);
      instrument_pointers(module);
      instrument_waits(module);
      instrument_calls(module);
    }
    number_converging_sites(module, kernels(), functions);
    lower_block_atomics(module);
    lower_context_reads(module);
    if (optimizes_) {
      offer_wide_math(module, functions);
    }
    describe_frames(kernels());
    note_kernels(module, kernels());
    return llvm::PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }

 private:
  bool optimizes_;
  std::shared_ptr<llvm::FunctionPassManager> simplify_;
};

struct lower_optimized : llvm::PassInfoMixin<lower_optimized> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
    return separate_loads(function) ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
  }
  static bool isRequired() { return true; }
};

void add_passes(llvm::PassBuilder& builder) {
  if (!facts().options.active) {
    return;
  }
  builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager& passes, llvm::OptimizationLevel) { passes.addPass(lower_start()); });
  builder.registerOptimizerEarlyEPCallback([&builder](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    const bool optimizes = level != llvm::OptimizationLevel::O0;
    llvm::FunctionPassManager simplify;
    if (optimizes) {
      simplify = builder.buildFunctionSimplificationPipeline(level, llvm::ThinOrFullLTOPhase::None);
    }
    passes.addPass(lower_simplified(optimizes, std::move(simplify)));
  });
  builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager& passes, llvm::OptimizationLevel level) {
    if (facts().options.device && facts().options.gangs && level != llvm::OptimizationLevel::O0) {
      passes.addPass(llvm::createModuleToFunctionPassAdaptor(lower_optimized()));
    }
  });
}

}  // namespace
}  // namespace cohort

extern "C" LLVM_ATTRIBUTE_WEAK llvm::PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "cohort", "1", cohort::add_passes};
}
