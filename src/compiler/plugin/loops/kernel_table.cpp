// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops/kernel_table.hpp"

#include <vector>

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"

namespace cohort {
namespace {

// Numbers of fields of cohort_kernel.
constexpr unsigned thread_entry_field = 1, block_entry_field = 2, flags_field = 6, local_bytes_field = 9,
                   gang_versions_field = 10, gang_version_count_field = 11, stack_bytes_field = 13;
constexpr uint64_t block_gangs_flag = 2;  // cohort_kernel_block_gangs
constexpr uint64_t no_locals_flag = 4;    // cohort_kernel_no_locals

const llvm::Constant& get_field(const llvm::GlobalVariable& table, unsigned number) {
  return *llvm::cast<llvm::Constant>(table.getInitializer()->getOperand(number));
}

void set_field(llvm::GlobalVariable& table, unsigned number, llvm::Constant& value) {
  auto* record = llvm::cast<llvm::ConstantStruct>(table.getInitializer());
  std::vector<llvm::Constant*> fields;
  for (const llvm::Use& field : record->operands()) {
    fields.push_back(llvm::cast<llvm::Constant>(field.get()));
  }
  fields[number] = &value;
  table.setInitializer(llvm::ConstantStruct::get(record->getType(), fields));
}

void set_flag(llvm::GlobalVariable& table, uint64_t flag, bool is_set) {
  const auto& flags = llvm::cast<llvm::ConstantInt>(get_field(table, flags_field));
  const uint64_t others = flags.getZExtValue() & ~flag;
  set_field(table, flags_field, *llvm::ConstantInt::get(flags.getType(), others | (is_set ? flag : 0)));
}

}  // namespace

bool has_block_entry(const llvm::GlobalVariable& table) { return !get_field(table, block_entry_field).isNullValue(); }

void set_block_entry(llvm::GlobalVariable& table, llvm::Function& entry, block_way way) {
  set_field(table, block_entry_field, entry);
  set_flag(table, block_gangs_flag, way == block_way::gangs);
}

void set_local_bytes(llvm::GlobalVariable& table, uint32_t bytes) {
  set_field(table, local_bytes_field, *llvm::ConstantInt::get(llvm::Type::getInt32Ty(table.getContext()), bytes));
}

std::vector<const llvm::Function*> kernel_entries(const llvm::GlobalVariable& table) {
  std::vector<const llvm::Function*> entries;
  const auto add = [&](const llvm::Constant& field) {
    if (const auto* entry = llvm::dyn_cast<llvm::Function>(field.stripPointerCasts())) {
      entries.push_back(entry);
    }
  };
  add(get_field(table, thread_entry_field));
  add(get_field(table, block_entry_field));
  if (const llvm::GlobalVariable* versions = gang_versions(table)) {
    for (const llvm::Use& version : versions->getInitializer()->operands()) {
      add(*llvm::cast<llvm::Constant>(llvm::cast<llvm::Constant>(version)->getOperand(0)));
    }
  }
  return entries;
}

void set_stack_need(llvm::GlobalVariable& table, uint32_t bytes, bool has_memory) {
  set_field(table, stack_bytes_field, *llvm::ConstantInt::get(llvm::Type::getInt32Ty(table.getContext()), bytes));
  set_flag(table, no_locals_flag, !has_memory);
}

const llvm::GlobalVariable* gang_versions(const llvm::GlobalVariable& table) {
  return llvm::dyn_cast<llvm::GlobalVariable>(get_field(table, gang_versions_field).stripPointerCasts());
}

void set_gang_versions(llvm::GlobalVariable& table, llvm::GlobalVariable& versions, uint32_t count) {
  set_field(table, gang_versions_field, versions);
  set_field(table, gang_version_count_field,
            *llvm::ConstantInt::get(llvm::Type::getInt32Ty(table.getContext()), count));
}

}  // namespace cohort
