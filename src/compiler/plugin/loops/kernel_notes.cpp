// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "loops/kernel_notes.hpp"

#include "analysis/port_records.hpp"
#include "loops/kernel_table.hpp"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cohort {
namespace {

constexpr const char* owner = "Cohort";  // owner of the note; 7 bytes, padded to 8
constexpr uint32_t kernels_type = 1;
constexpr uint64_t note_alignment = 4;

// The kernel's name with its parameters, which distinguish instances of a template.
std::string name_of(const llvm::ConstantStruct& table) {
  const auto* mangled =
      llvm::cast<llvm::GlobalVariable>(table.getOperand(field_of<cohort_kernel>::name)->stripPointerCasts());
  return llvm::demangle(llvm::cast<llvm::ConstantDataArray>(mangled->getInitializer())->getAsCString());
}

// Words for the ways to run a kernel, each once: "thread", "loop", the width of a gang version, or its rows and their
// lanes as "4x32".
std::string versions_of(const llvm::GlobalVariable& table, unsigned block_gang_width) {
  std::string text = "thread";
  if (has_block_entry(table)) {
    text += block_gang_width ? " " + std::to_string(block_gang_width) : " loop";
  }
  const llvm::GlobalVariable* versions = gang_versions(table);
  if (!versions || !versions->hasInitializer()) {
    return text;
  }
  std::string last;
  const auto field = [](const llvm::Constant& version, unsigned number) -> uint64_t {
    const auto* value = llvm::dyn_cast_or_null<llvm::ConstantInt>(version.getAggregateElement(number));
    return value ? value->getZExtValue() : 0;
  };
  const llvm::Constant* list = versions->getInitializer();
  for (unsigned i = 0; const llvm::Constant* version = list->getAggregateElement(i); ++i) {
    const uint64_t width = field(*version, field_of<cohort_gang_version>::width),
                   row = field(*version, field_of<cohort_gang_version>::row_lanes);
    const bool is_row = field(*version, field_of<cohort_gang_version>::conditions) & cohort_gang_half_warp;
    const std::string form = is_row ? std::to_string(row)
                             : row  ? std::to_string(width / row) + "x" + std::to_string(row)
                                    : std::to_string(width);
    text += form == last ? "" : " " + form;
    last = form;
  }
  return text;
}

llvm::Constant* padded_bytes(llvm::LLVMContext& context, std::string text) {
  text.resize(llvm::alignTo(text.size(), note_alignment));
  return llvm::ConstantDataArray::getString(context, text, false);
}

}  // namespace

void note_kernels(llvm::Module& module, const std::vector<lowered_kernel>& kernels) {
  std::string text, baseline;
  for (const lowered_kernel& kernel : kernels) {
    const std::string versions = versions_of(*kernel.table, kernel.block_gang_width);
    if (!kernel.cpu) {
      text += (text.empty() ? "" : "\n") + name_of(*llvm::cast<llvm::ConstantStruct>(kernel.table->getInitializer())) +
              "\t" + versions;
      baseline = versions;
    } else if (versions != baseline) {
      text += "\t" + kernel.cpu->name + " " + versions;
    }
  }
  if (text.empty()) {
    return;
  }
  text += "\n";
  llvm::LLVMContext& context = module.getContext();
  const auto word = [&](uint64_t value) { return llvm::ConstantInt::get(llvm::Type::getInt32Ty(context), value); };
  const std::string name(owner, std::char_traits<char>::length(owner) + 1);
  auto* note = llvm::ConstantStruct::getAnon({word(name.size()), word(text.size()), word(kernels_type),
                                              padded_bytes(context, name), padded_bytes(context, text)});
  auto* variable = new llvm::GlobalVariable(module, note->getType(), true, llvm::GlobalValue::PrivateLinkage, note,
                                            "cohort.kernel.note");
  variable->setSection(".note.cohort");
  variable->setAlignment(llvm::Align(note_alignment));
  llvm::appendToCompilerUsed(module, {variable});
}

}  // namespace cohort
