// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "facts/module_facts.hpp"

#include "facts/option_words.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ErrorHandling.h"

namespace cohort {
namespace {

using passing = parameter_fact::passing;

constexpr std::pair<llvm::StringLiteral, passing> ways[] = {
    {"values", passing::values}, {"copy", passing::copy}, {"reference", passing::reference}};

constexpr std::pair<llvm::StringLiteral, std::set<std::string> source_facts::*> symbol_sets[] = {
    {"cohort.dynamic_shared", &source_facts::dynamic_shared},
    {"cohort.undefined_device", &source_facts::undefined_device},
    {"cohort.undefined_kernels", &source_facts::undefined_kernels},
    {"cohort.local_functions", &source_facts::local_functions},
    {"cohort.host_users", &source_facts::host_users},
    {"cohort.host_symbols", &source_facts::host_symbols}};

constexpr std::pair<llvm::StringLiteral, bool variable_fact::*> variable_words[] = {
    {"constant", &variable_fact::constant},
    {"visible", &variable_fact::externally_visible},
    {"texture", &variable_fact::texture},
    {"surface", &variable_fact::surface}};

constexpr llvm::StringLiteral host_word = "host";

class writer {
 public:
  explicit writer(llvm::Module& module) : module_(module), context_(module.getContext()) {}

  using list = llvm::SmallVector<llvm::Metadata*, 8>;

  llvm::Metadata* text(llvm::StringRef value) { return llvm::MDString::get(context_, value); }
  llvm::Metadata* number(unsigned bits, uint64_t value) {
    return llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(llvm::IntegerType::get(context_, bits), value));
  }
  llvm::MDNode* node(llvm::ArrayRef<llvm::Metadata*> members) { return llvm::MDNode::get(context_, members); }

  // Replaces the named metadata, or removes it if the list is empty.
  void put(llvm::StringRef name, llvm::ArrayRef<llvm::MDNode*> nodes) {
    if (llvm::NamedMDNode* known = module_.getNamedMetadata(name)) {
      known->eraseFromParent();
    }
    if (!nodes.empty()) {
      llvm::NamedMDNode* named = module_.getOrInsertNamedMetadata(name);
      for (llvm::MDNode* each : nodes) {
        named->addOperand(each);
      }
    }
  }

  template <class Texts>
  llvm::MDNode* texts(const Texts& all) {
    list members;
    for (const std::string& each : all) {
      members.push_back(text(each));
    }
    return node(members);
  }

  llvm::MDNode* parameter(const parameter_fact& fact) {
    list members;
    for (const auto& [word, way] : ways) {
      if (way == fact.how) {
        members.push_back(text(word));
      }
    }
    members.append({number(64, fact.bytes), number(64, fact.alignment)});
    for (const uint64_t offset : fact.offsets) {
      members.push_back(number(64, offset));
    }
    return node(members);
  }

  llvm::MDNode* kernel(llvm::StringRef symbol, const kernel_fact& fact) {
    list parameters;
    for (const parameter_fact& each : fact.parameters) {
      parameters.push_back(parameter(each));
    }
    list members = {text(symbol), text(fact.readable_name), node(parameters), number(32, fact.max_threads)};
    for (const uint32_t blocks : fact.cluster) {
      members.push_back(number(32, blocks));
    }
    return node(members);
  }

 private:
  llvm::Module& module_;
  llvm::LLVMContext& context_;
};

// A node of the metadata, and the name under which the module has it.
class reader {
 public:
  reader(llvm::StringRef name, const llvm::MDNode& node) : name_(name), node_(node) {}

  unsigned size() const { return node_.getNumOperands(); }

  std::string text(unsigned i) const {
    const auto* string = i < size() ? llvm::dyn_cast_or_null<llvm::MDString>(node_.getOperand(i)) : nullptr;
    if (!string) {
      refuse(i, "text");
    }
    return string->getString().str();
  }

  uint64_t number(unsigned i) const {
    const auto* value =
        i < size() ? llvm::mdconst::dyn_extract_or_null<llvm::ConstantInt>(node_.getOperand(i)) : nullptr;
    if (!value) {
      refuse(i, "number");
    }
    return value->getZExtValue();
  }

  reader child(unsigned i) const {
    const auto* child = i < size() ? llvm::dyn_cast_or_null<llvm::MDNode>(node_.getOperand(i)) : nullptr;
    if (!child) {
      refuse(i, "node");
    }
    return {name_, *child};
  }

  [[noreturn]] void refuse(unsigned i, const char* expected) const {
    llvm::report_fatal_error("!" + llvm::Twine(name_) + ": operand " + llvm::Twine(i) + " is no " + expected, false);
  }

 private:
  llvm::StringRef name_;
  const llvm::MDNode& node_;
};

std::vector<reader> nodes(const llvm::Module& module, llvm::StringRef name) {
  std::vector<reader> result;
  if (const llvm::NamedMDNode* named = module.getNamedMetadata(name)) {
    for (const llvm::MDNode* each : named->operands()) {
      result.emplace_back(name, *each);
    }
  }
  return result;
}

parameter_fact read_parameter(const reader& node) {
  parameter_fact fact;
  const std::string word = node.text(0);
  const auto* way =
      std::find_if(std::begin(ways), std::end(ways), [&](const auto& each) { return each.first == word; });
  if (way == std::end(ways)) {
    node.refuse(0, "way to pass a parameter");
  }
  fact.how = way->second;
  fact.bytes = node.number(1);
  fact.alignment = node.number(2);
  for (unsigned i = 3; i < node.size(); ++i) {
    fact.offsets.push_back(node.number(i));
  }
  return fact;
}

kernel_fact read_kernel(const reader& node) {
  kernel_fact fact;
  fact.readable_name = node.text(1);
  const reader parameters = node.child(2);
  for (unsigned i = 0; i < parameters.size(); ++i) {
    fact.parameters.push_back(read_parameter(parameters.child(i)));
  }
  if (node.size() > 3) {
    fact.max_threads = static_cast<uint32_t>(node.number(3));
  }
  for (unsigned axis = 0; axis < 3 && node.size() > 4; ++axis) {
    fact.cluster[axis] = static_cast<uint32_t>(node.number(4 + axis));
  }
  return fact;
}

}  // namespace

void write_facts(llvm::Module& module, const source_facts& facts) {
  writer out(module);
  std::vector<std::string> words = words_of(facts.options);
  if (!facts.options.device) {
    words.push_back(host_word.str());
  }
  std::vector<llvm::MDNode*> cpus, kernels, variables;
  for (const cpu_version& cpu : facts.further_cpus) {
    cpus.push_back(out.node({out.text(cpu.name), out.text(cpu.features)}));
  }
  for (const auto& [symbol, fact] : facts.kernels) {
    kernels.push_back(out.kernel(symbol, fact));
  }
  for (const auto& [symbol, fact] : facts.variables) {
    writer::list members = {out.text(symbol)};
    for (const auto& [word, is_true] : variable_words) {
      if (fact.*is_true) {
        members.push_back(out.text(word));
      }
    }
    variables.push_back(out.node(members));
  }
  out.put("cohort.options", {out.texts(words)});
  out.put("cohort.cpus", cpus);
  out.put("cohort.kernels", kernels);
  out.put("cohort.variables", variables);
  for (const auto& [name, set] : symbol_sets) {
    std::vector<llvm::MDNode*> symbols;
    if (!(facts.*set).empty()) {
      symbols.push_back(out.texts(facts.*set));
    }
    out.put(name, symbols);
  }
}

source_facts read_facts(const llvm::Module& module) {
  source_facts result;
  result.options.active = true;
  result.options.device = true;
  for (const reader& node : nodes(module, "cohort.options")) {
    for (unsigned i = 0; i < node.size(); ++i) {
      const std::string word = node.text(i);
      if (word == host_word) {
        result.options.device = false;
      } else if (!read_word(result.options, word)) {
        node.refuse(i, "option of the plugin");
      }
    }
  }
  for (const reader& node : nodes(module, "cohort.cpus")) {
    result.further_cpus.push_back({node.text(0), node.text(1)});
  }
  for (const reader& node : nodes(module, "cohort.kernels")) {
    result.kernels[node.text(0)] = read_kernel(node);
  }
  for (const reader& node : nodes(module, "cohort.variables")) {
    variable_fact& fact = result.variables[node.text(0)];
    for (unsigned i = 1; i < node.size(); ++i) {
      for (const auto& [word, is_true] : variable_words) {
        fact.*is_true |= node.text(i) == word;
      }
    }
  }
  for (const auto& [name, set] : symbol_sets) {
    for (const reader& node : nodes(module, name)) {
      for (unsigned i = 0; i < node.size(); ++i) {
        (result.*set).insert(node.text(i));
      }
    }
  }
  return result;
}

}  // namespace cohort
