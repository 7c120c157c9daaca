// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a module, found in its tables (module_tables.cpp). Results of the step for gangs, other than code, are
// attributes of the kernel's table.
#include "analysis/port_records.hpp"
#include "lowering.hpp"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace cohort {
namespace {

constexpr llvm::StringLiteral width_mark = "cohort-block-gang-width", refusal_mark = "cohort-no-gangs";

// The variable whose address a field of a table has.
llvm::GlobalVariable* target_of(const llvm::Constant& record, unsigned field) {
  return llvm::cast<llvm::GlobalVariable>(record.getAggregateElement(field)->stripPointerCasts());
}

lowered_kernel read(llvm::GlobalVariable& table, const cpu_version* cpu) {
  const llvm::Constant& record = *table.getInitializer();
  const auto* text =
      llvm::cast<llvm::ConstantDataArray>(target_of(record, field_of<cohort_kernel>::name)->getInitializer());
  lowered_kernel kernel;
  kernel.readable_name = facts().kernels.at(text->getAsCString().str()).readable_name;
  kernel.cpu = cpu;
  kernel.thread_entry = llvm::cast<llvm::Function>(
      record.getAggregateElement(field_of<cohort_kernel>::thread_entry)->stripPointerCasts());
  kernel.table = &table;
  llvm::to_integer(table.getAttribute(width_mark).getValueAsString(), kernel.block_gang_width, 10);
  kernel.no_gangs = table.getAttribute(refusal_mark).getValueAsString().str();
  return kernel;
}

}  // namespace

std::vector<lowered_kernel> lowered_kernels(const llvm::Module& module) {
  std::vector<lowered_kernel> result;
  const llvm::GlobalVariable* tables = module.getGlobalVariable("cohort.module", true);
  if (!tables) {
    return result;
  }
  const llvm::Constant& versions =
      *target_of(*tables->getInitializer(), field_of<cohort_module>::versions)->getInitializer();
  const size_t kernel_count = llvm::cast<llvm::ConstantInt>(
                                  tables->getInitializer()->getAggregateElement(field_of<cohort_module>::kernel_count))
                                  ->getZExtValue();
  // A kernel's versions follow each other.
  for (unsigned i = 0; i < kernel_count; ++i) {
    for (unsigned version = 0; version <= facts().further_cpus.size(); ++version) {
      const llvm::GlobalVariable* kernels =
          target_of(*versions.getAggregateElement(version), field_of<cohort_module_version>::kernels);
      result.push_back(
          read(*target_of(*kernels->getInitializer(), i), version == 0 ? nullptr : &facts().further_cpus[version - 1]));
    }
  }
  return result;
}

void keep_gang_results(const std::vector<lowered_kernel>& kernels) {
  for (const lowered_kernel& kernel : kernels) {
    if (kernel.block_gang_width != 0) {
      kernel.table->addAttribute(width_mark, std::to_string(kernel.block_gang_width));
    }
    if (!kernel.no_gangs.empty()) {
      kernel.table->addAttribute(refusal_mark, kernel.no_gangs);
    }
  }
}

}  // namespace cohort
