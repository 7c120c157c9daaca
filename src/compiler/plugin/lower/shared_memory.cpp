// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shared__ variables become offsets in the block's own memory.
//
// Kernels share functions, so a variable has one offset. Two variables overlap unless one kernel can reach both; each
// kernel then needs room for its own variables only. With -rdc=true, a kernel may reach functions of other files.
// Variables that such a kernel or another file may reach go into one section, where the linker places them. Kernels
// that cannot leave the file keep a layout of their own.
#include <cohort/machine/cpu/port/contexts.hpp>

#include "analysis/call_graph.hpp"
#include "analysis/port_calls.hpp"
#include "analysis/port_records.hpp"
#include "lower/replace_uses.hpp"
#include "lower/report_error.hpp"
#include "lower/shared_constants.hpp"
#include "lower/step_results.hpp"
#include "lowering.hpp"
#include "names.hpp"

#include <algorithm>
#include <tuple>

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cohort {
namespace {

constexpr uint64_t least_gap = 16;
constexpr uint64_t most_static_bytes = 48 << 10;  // CUDA's limit

struct placed_variable {
  llvm::GlobalVariable* variable;
  uint64_t bytes;
  uint64_t alignment;
  uint64_t gap = 0;  // unused bytes after the variable
  uint64_t offset = 0;
  bool linked = false;
  std::vector<unsigned> kernels;
};

// Returns the global variables that carry `annotation`, and removes all annotations from the module.
std::vector<llvm::GlobalVariable*> take_annotated(llvm::Module& module, llvm::StringRef annotation) {
  std::vector<llvm::GlobalVariable*> result;
  auto* list = module.getGlobalVariable("llvm.global.annotations");
  if (!list) {
    return result;
  }
  for (const auto& entry : llvm::cast<llvm::ConstantArray>(list->getInitializer())->operands()) {
    auto* fields = llvm::cast<llvm::ConstantStruct>(entry);
    auto* text = llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(1)->stripPointerCasts());
    auto* string = text ? llvm::dyn_cast<llvm::ConstantDataSequential>(text->getInitializer()) : nullptr;
    auto* variable = llvm::dyn_cast<llvm::GlobalVariable>(fields->getOperand(0)->stripPointerCasts());
    if (variable && string && string->isCString() && string->getAsCString() == annotation) {
      result.push_back(variable);
    }
  }
  list->eraseFromParent();  // no later pass reads annotations
  return result;
}

bool has_address_sanitizer(const llvm::Module& module) {
  return llvm::any_of(module,
                      [](const llvm::Function& f) { return f.hasFnAttribute(llvm::Attribute::SanitizeAddress); });
}

llvm::Value* call_base(llvm::IRBuilder<>& builder, llvm::Module& module, port_call function) {
  return builder.CreateCall(declare(module, function));
}

void lower_dynamic(llvm::Module& module) {
  for (const std::string& name : facts().dynamic_shared) {
    auto* variable = module.getGlobalVariable(name, true);
    if (!variable || !variable->isDeclaration()) {
      continue;
    }
    make_constants_local(*variable);
    replace_uses(*variable, [&](llvm::IRBuilder<>& builder) {
      return call_base(builder, module, port_call::cohort_dynamic_shared);
    });
    if (variable->use_empty()) {
      variable->eraseFromParent();
    }
  }
}

void lower_local(llvm::Module& module, const placed_variable& placed) {
  replace_uses(*placed.variable, [&](llvm::IRBuilder<>& builder) {
    return builder.CreateConstInBoundsGEP1_64(
        builder.getInt8Ty(), call_base(builder, module, port_call::cohort_static_shared), placed.offset);
  });
}

llvm::Constant* linked_start(llvm::Module& module) {
  const std::string name = (names::start_of_section + names::shared_section).str();
  auto* start =
      llvm::cast<llvm::GlobalVariable>(module.getOrInsertGlobal(name, llvm::Type::getInt8Ty(module.getContext())));
  start->setVisibility(llvm::GlobalValue::HiddenVisibility);
  return start;
}

// Replaces uses of a variable whose offset the linker assigns. The variable stays, as a placeholder in a section; its
// distance from the section's start is the offset.
void lower_linked(llvm::Module& module, const placed_variable& placed) {
  auto* holder = placed.variable;
  llvm::Constant* start = linked_start(module);
  replace_uses(*holder, [&](llvm::IRBuilder<>& builder) {
    auto* offset = builder.CreateSub(builder.CreatePtrToInt(holder, builder.getInt64Ty()),
                                     builder.CreatePtrToInt(start, builder.getInt64Ty()));
    return builder.CreateInBoundsGEP(builder.getInt8Ty(), call_base(builder, module, port_call::cohort_static_shared),
                                     offset);
  });
  holder->setSection(names::shared_section);
  holder->setInitializer(llvm::Constant::getNullValue(holder->getValueType()));
  holder->setAlignment(llvm::Align(placed.alignment));
}

// Assigns offsets first fit; variables of one kernel must not overlap. Variables of many kernels come first: otherwise
// a large variable of one kernel would raise their offsets, and with them the other kernels' blocks.
void assign_offsets(std::vector<placed_variable>& variables) {
  std::vector<placed_variable*> order;
  for (auto& variable : variables) {
    if (!variable.linked) {
      order.push_back(&variable);
    }
  }
  std::sort(order.begin(), order.end(), [](auto* a, auto* b) {
    return std::tuple(b->kernels.size(), b->alignment, b->bytes, a->variable->getName()) <
           std::tuple(a->kernels.size(), a->alignment, a->bytes, b->variable->getName());
  });
  for (size_t i = 0; i < order.size(); ++i) {
    std::vector<const placed_variable*> neighbours;
    for (size_t j = 0; j < i; ++j) {
      std::vector<unsigned> common;
      std::set_intersection(order[i]->kernels.begin(), order[i]->kernels.end(), order[j]->kernels.begin(),
                            order[j]->kernels.end(), std::back_inserter(common));
      if (!common.empty()) {
        neighbours.push_back(order[j]);
      }
    }
    std::sort(neighbours.begin(), neighbours.end(), [](auto* a, auto* b) { return a->offset < b->offset; });
    uint64_t offset = 0;
    for (const auto* neighbour : neighbours) {
      if (offset + order[i]->bytes + order[i]->gap <= neighbour->offset) {
        break;
      }
      offset =
          std::max(offset, llvm::alignTo(neighbour->offset + neighbour->bytes + neighbour->gap, order[i]->alignment));
    }
    order[i]->offset = offset;
  }
}

// The kernels and shared variables of a module: which kernel reaches which variable, and the offset of each variable.
class shared_layout {
 public:
  explicit shared_layout(llvm::Module& module) : module_(module), calls_(module) {
    find_kernels();
    find_variables();
    if (facts().options.relocatable) {
      link_variables();
    }
    for (auto& variable : variables_) {
      for (unsigned k = 0; k < needs_.size(); ++k) {
        if (reaches(k, variable)) {
          variable.kernels.push_back(k);
        }
      }
    }
    const bool has_red_zones = has_address_sanitizer(module);
    if (facts().options.check || has_red_zones) {
      add_gaps();
    }
    warn_of_sizes();
    assign_offsets(variables_);
    for (const auto& variable : variables_) {
      for (unsigned k : variable.linked ? std::vector<unsigned>() : variable.kernels) {
        auto& need = needs_[k].second.bytes;
        // The engine puts a red zone after the last variable.
        need = std::max(need, variable.offset + variable.bytes + (has_red_zones ? 0 : variable.gap));
      }
    }
    for (unsigned k = 0; has_red_zones && k < needs_.size(); ++k) {
      find_gaps(k);
    }
  }

  const std::vector<placed_variable>& variables() const { return variables_; }
  const shared_needs& needs() const { return needs_; }

 private:
  // Adds gaps, so an access beyond the end of a variable lies in no other one. A module with too many variables for
  // gaps gets none.
  void add_gaps() {
    uint64_t sum = 0;
    for (const auto& variable : variables_) {
      sum += llvm::alignTo(variable.bytes + least_gap, variable.alignment);
    }
    for (auto& variable : variables_) {
      variable.gap = sum <= most_static_bytes ? least_gap : 0;
    }
  }

  // The gaps between the variables of a kernel. Variables that the linker places are not known here.
  void find_gaps(unsigned kernel) {
    std::vector<const placed_variable*> placed;
    for (const auto& variable : variables_) {
      if (!variable.linked && llvm::is_contained(variable.kernels, kernel)) {
        placed.push_back(&variable);
      }
    }
    llvm::sort(placed, [](auto* a, auto* b) { return a->offset < b->offset; });
    uint64_t end = 0;
    for (const auto* variable : placed) {
      if (variable->offset > end) {
        needs_[kernel].second.gaps.push_back({end, variable->offset});
      }
      end = variable->offset + variable->bytes;
    }
  }

  // Warns of kernels whose shared memory is too large. A warning only: nvcc adds up the variables that remain after
  // optimization, and a call through a pointer reaches variables that the kernel may not need.
  void warn_of_sizes() const {
    for (unsigned k = 0; k < needs_.size(); ++k) {
      uint64_t bytes = 0;
      for (const auto& variable : variables_) {
        bytes += reaches(k, variable) ? variable.bytes : 0;
      }
      if (bytes > most_static_bytes && !reachable_[k].open) {
        report_warning(*needs_[k].first, "nvcc refuses this: the static __shared__ variables of the kernel have " +
                                             llvm::Twine(bytes) + " bytes; the limit is " +
                                             llvm::Twine(most_static_bytes) + ", and more must be dynamic");
      }
    }
  }

  void find_kernels() {
    for (const auto& [name, fact] : facts().kernels) {
      if (auto* function = module_.getFunction(name); function && !function->isDeclaration()) {
        kernels_.push_back(function);
        needs_.push_back({function, {}});
        reachable_.push_back(calls_.reachable_from(*function));
      }
    }
  }

  void find_variables() {
    const auto& layout = module_.getDataLayout();
    for (auto* variable : take_annotated(module_, "cohort.shared")) {
      const uint64_t alignment = std::max<uint64_t>(layout.getPreferredAlign(variable).value(), 1);
      if (alignment > cohort_shared_alignment) {
        report_error(module_, "__shared__ variable '" + variable->getName() + "' needs an alignment of " +
                                  llvm::Twine(alignment) + " bytes; the limit is " +
                                  llvm::Twine(cohort_shared_alignment));
      }
      variables_.push_back({variable, layout.getTypeAllocSize(variable->getValueType()), alignment, 0, 0, false, {}});
    }
  }

  // Links the variables that other files may reach. A kernel that may use a linked variable is linked, and then so are
  // all its variables.
  void link_variables() {
    const reachable_set visible = calls_.reachable_from_other_files(kernels_);
    for (unsigned k = 0; k < needs_.size(); ++k) {
      needs_[k].second.linked = reachable_[k].open;
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (auto& variable : variables_) {
        bool linked = visible.globals.contains(variable.variable);
        for (unsigned k = 0; k < needs_.size(); ++k) {
          linked = linked || (needs_[k].second.linked && reaches(k, variable));
        }
        changed = changed || linked != variable.linked;
        variable.linked = linked;
        for (unsigned k = 0; linked && k < needs_.size(); ++k) {
          needs_[k].second.linked = needs_[k].second.linked || reaches(k, variable);
        }
      }
    }
  }

  bool reaches(unsigned kernel, const placed_variable& variable) const {
    return reachable_[kernel].globals.contains(variable.variable);
  }

  llvm::Module& module_;
  const call_graph calls_;
  std::vector<llvm::Function*> kernels_;
  std::vector<reachable_set> reachable_;  // symbols reachable from each kernel
  shared_needs needs_;                    // shared memory of each kernel
  std::vector<placed_variable> variables_;
};

}  // namespace

namespace {

llvm::Constant* string_constant(llvm::Module& module, llvm::StringRef text) {
  auto* value = llvm::ConstantDataArray::getString(module.getContext(), text);
  auto* made =
      new llvm::GlobalVariable(module, value->getType(), true, llvm::GlobalValue::PrivateLinkage, value, "cohort.name");
  made->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return made;
}

// For --check: lists the variables of each kernel.
void list_variables(llvm::Module& module, const shared_layout& layout) {
  using field = field_of<cohort_shared_variable>;
  for (const auto& variable : layout.variables()) {
    for (unsigned k : variable.linked ? std::vector<unsigned>() : variable.kernels) {
      llvm::Constant* entry = record<cohort_shared_variable>(module.getContext())
                                  .set(field::kernel, string_constant(module, layout.needs()[k].first->getName()))
                                  .set(field::name, string_constant(module, variable.variable->getName()))
                                  .set(field::offset, variable.offset)
                                  .set(field::bytes, variable.bytes)
                                  .constant();
      auto* listed = new llvm::GlobalVariable(module, entry->getType(), true, llvm::GlobalValue::PrivateLinkage, entry,
                                              "cohort.listed");
      listed->setSection(names::check_shared_section);
      listed->setAlignment(llvm::Align(8));
      llvm::appendToUsed(module, {listed});
    }
  }
}

}  // namespace

void lower_shared_variables(llvm::Module& module) {
  const shared_layout layout(module);
  if (facts().options.check) {
    list_variables(module, layout);
  }
  for (const auto& variable : layout.variables()) {
    make_constants_local(*variable.variable);
    if (variable.linked) {
      lower_linked(module, variable);
      continue;
    }
    lower_local(module, variable);
    if (variable.variable->use_empty()) {
      variable.variable->eraseFromParent();
    }
  }
  lower_dynamic(module);
  keep_shared_needs(layout.needs());
}

}  // namespace cohort
