// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes a pass of LLVM of each step of lowering.hpp: it has a name, so opt can run it separately and -time-passes lists
// it.
#pragma once

#include "facts/module_facts.hpp"
#include "lowering.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace cohort {

// The parts of a pass that depend on the level of optimization.
struct step_level {
  bool optimizes = true;
  std::shared_ptr<llvm::FunctionPassManager> simplify;  // LLVM's passes at this level; null if no step takes them
};

// Reads the facts from the module if the frontend half is not loaded, as in opt.
inline void need_facts(const llvm::Module& module) {
  if (!facts().options.active) {
    facts() = read_facts(module);
  }
}

// One run of a step, with an argument of each type that a step takes. A `bool` is true if the passes optimize.
class step_run {
 public:
  step_run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses, const step_level& level)
      : module_(module), analyses_(analyses), level_(level) {}

  template <class... Parameters, class Result>
  void call(Result (*step)(Parameters...)) {
    step(get(std::type_identity<Parameters>())...);
    if constexpr ((std::is_same_v<Parameters, std::vector<lowered_kernel>&> || ...)) {
      keep_gang_results(*kernels_);
    }
  }

 private:
  llvm::Module& get(std::type_identity<llvm::Module&>) { return module_; }
  const llvm::Module& get(std::type_identity<const llvm::Module&>) { return module_; }
  llvm::ModuleAnalysisManager& get(std::type_identity<llvm::ModuleAnalysisManager&>) { return analyses_; }
  llvm::FunctionAnalysisManager& get(std::type_identity<llvm::FunctionAnalysisManager&>) {
    return analyses_.getResult<llvm::FunctionAnalysisManagerModuleProxy>(module_).getManager();
  }
  llvm::FunctionPassManager& get(std::type_identity<llvm::FunctionPassManager&>) { return *level_.simplify; }
  bool get(std::type_identity<bool>) { return level_.optimizes; }
  std::vector<lowered_kernel>& get(std::type_identity<std::vector<lowered_kernel>&>) {
    return kernels_.emplace(lowered_kernels(module_));
  }
  const std::vector<lowered_kernel>& get(std::type_identity<const std::vector<lowered_kernel>&>) {
    return get(std::type_identity<std::vector<lowered_kernel>&>());
  }

  llvm::Module& module_;
  llvm::ModuleAnalysisManager& analyses_;
  const step_level& level_;
  std::optional<std::vector<lowered_kernel>> kernels_;
};

// A string as a template argument.
template <size_t size>
struct pass_name {
  consteval pass_name(const char (&name)[size]) { std::copy_n(name, size, text); }
  char text[size];
};

// True if the pipeline has a step under these options.
using step_condition = bool (*)(const plugin_options& options, const step_level& level);

constexpr bool always(const plugin_options&, const step_level&) { return true; }

template <pass_name pass, auto function, step_condition condition = always>
class step : public llvm::PassInfoMixin<step<pass, function, condition>> {
 public:
  explicit step(step_level level) : level_(std::move(level)) {}

  static llvm::StringRef name() { return pass.text; }
  static bool isRequired() { return true; }

  llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses) {
    need_facts(module);
    step_run(module, analyses, level_).call(function);
    return llvm::PreservedAnalyses::none();
  }

  static bool is_wanted(const plugin_options& options, const step_level& level) { return condition(options, level); }

 private:
  step_level level_;
};

// Steps in their order.
template <class... Steps>
struct step_list {
  // Adds the steps that the options require.
  static void add(llvm::ModulePassManager& passes, const step_level& level) {
    ((Steps::is_wanted(facts().options, level) ? passes.addPass(Steps(level)) : void()), ...);
  }

  // Adds the step of that name. Returns false if there is none.
  static bool add_named(llvm::StringRef name, llvm::ModulePassManager& passes, const step_level& level) {
    return ((Steps::name() == name && (passes.addPass(Steps(level)), true)) || ...);
  }

  template <class Use>
  static void for_each_name(Use use) {
    (use(Steps::name()), ...);
  }
};

}  // namespace cohort
