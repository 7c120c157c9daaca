// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The steps that turn the device pass of a translation unit into code that the engine runs. entry/plugin.cpp makes a
// pass of each; its lists are the pipeline. The steps before optimization come first, those after inlining last.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "facts/source_facts.hpp"

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Function;
class GlobalValue;
class GlobalVariable;
class Module;
}  // namespace llvm

namespace cohort {

// A kernel of the module, once for each CPU that it has a version for.
struct lowered_kernel {
  std::string readable_name;
  const cpu_version* cpu;                  // null: the CPU that the whole module is compiled for
  llvm::Function* thread_entry = nullptr;  // function for one thread, the same for all CPUs
  llvm::GlobalVariable* table = nullptr;   // the kernel's cohort_kernel
  unsigned block_gang_width = 0;           // lanes of the gangs in block_entry; 0: it has none
  std::string no_gangs = {};               // why the kernel does not run in gangs, for --cohort-report
};

// The kernels in the module's tables; none before make_module_tables().
std::vector<lowered_kernel> lowered_kernels(const llvm::Module& module);
// Stores the results of make_gangs(), which lowered_kernels() returns to later steps.
void keep_gang_results(const std::vector<lowered_kernel>& kernels);

// Host pass: managed variables become one symbol per program. With -rdc=true, shadows of visible variables do too.
void lower_host_variables(llvm::Module& module);
// Host pass: the constructor that registers the kernels runs before those of static objects, which may launch them.
void register_stubs_first(llvm::Module& module);
// In the host pass of a coverage build: the stub of a kernel has the kernel's line, and must not count it as run.
void leave_stubs_uncounted(llvm::Module& module);

// Device pass, before optimization.
void refuse_host_references(llvm::Module& module);
void lower_kernel_launches(llvm::Module& module);
void define_system_calls(llvm::Module& module);
void allow_undefined_values(llvm::Module& module);
void limit_access_alignments(llvm::Module& module);
void lower_inline_ptx(llvm::Module& module);
void prepare_exits(llvm::Module& module);
void lower_device_arithmetic(llvm::Module& module);
void lower_device_math(llvm::Module& module);
void lower_managed_variables(llvm::Module& module);
void lower_shared_variables(llvm::Module& module);
void mark_atomic_functions(llvm::Module& module);
void prepare_context_reads(llvm::Module& module);
void prepare_lane_calls(llvm::Module& module);
void keep_converged_sites(llvm::Module& module);
void lower_device_variables(llvm::Module& module);
void make_module_tables(llvm::Module& module);
void rename_symbols(llvm::Module& module);

// Device pass, after simplification and inlining, before vectorization.
void lower_exits(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);
void complete_device_math(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);
void fix_relaxed_arithmetic(llvm::Module& module, bool optimizes);
void mark_block_atomics(llvm::Module& module);
void make_gangs(llvm::Module& module, std::vector<lowered_kernel>& kernels, llvm::FunctionPassManager& simplify,
                llvm::ModuleAnalysisManager& analyses);
void lower_lane_calls(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);
void make_thread_loops(llvm::Module& module, const std::vector<lowered_kernel>& kernels,
                       llvm::FunctionPassManager& simplify, llvm::ModuleAnalysisManager& analyses);
// Writes the size of each kernel's frame to its table.
void describe_frames(const std::vector<lowered_kernel>& kernels);
void report_no_loops(const llvm::Module& module, const std::vector<lowered_kernel>& kernels);
void yield_in_spin_loops(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);
void instrument_accesses(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);
void number_converging_sites(llvm::Module& module, const std::vector<lowered_kernel>& kernels,
                             llvm::FunctionAnalysisManager& analyses);
void lower_block_atomics(llvm::Module& module);
void lower_context_reads(llvm::Module& module);
void offer_wide_math(llvm::Module& module, llvm::FunctionAnalysisManager& analyses);

// The table of the linked program that holds, for each device, the distance of its variables from device 0's. The
// runtime fills it.
llvm::GlobalVariable* variable_deltas(llvm::Module& module);

// The function for which the kernel's address stands in device code; null if no device code refers to the kernel.
llvm::Function* find_device_stub(const llvm::Module& module, llvm::StringRef kernel);

// The symbol of the managed variable `name`.
std::string managed_symbol(llvm::StringRef name);

// The definition of the managed variable `name` in the device pass; `symbol` is null if this module has none.
struct managed_variable_definition {
  llvm::GlobalValue* symbol = nullptr;
  uint64_t bytes = 0;      // size of the variable without padding
  bool is_padded = false;  // pages of padding lie on both sides
};
managed_variable_definition find_managed_variable(llvm::Module& module, llvm::StringRef name);

}  // namespace cohort
