// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tables through which the engine and the runtime see a translation unit: for each kernel an entry that takes
// CUDA's array of argument addresses, a table of kernels and variables, and a constructor that registers them. The
// layouts are those of machine/cpu/port/kernel.inc and module.inc.
#include "analysis/port_calls.hpp"
#include "analysis/port_records.hpp"
#include "lower/report_error.hpp"
#include "lower/step_results.hpp"
#include "lowering.hpp"
#include "names.hpp"

#include <cohort/base/version.hpp>

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace cohort {
namespace {

constexpr uint64_t argument_alignment = 16;  // guaranteed by the launch for a parameter's bytes

llvm::MDNode* nothing(llvm::Module& module) { return llvm::MDNode::get(module.getContext(), {}); }

// Loads from the launch's arguments, which are constant while the kernel runs.
llvm::LoadInst* load_argument(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* address, uint64_t alignment) {
  auto* load = builder.CreateAlignedLoad(type, address, llvm::MaybeAlign(alignment));
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, nothing(*builder.GetInsertBlock()->getModule()));
  return load;
}

class entry_builder {
 public:
  entry_builder(llvm::Module& module, llvm::Function& kernel, const kernel_fact& fact)
      : module_(module), kernel_(kernel), fact_(fact), builder_(module.getContext()) {}

  // Makes `void(void** arguments)`, which runs one thread. Null if the kernel's arguments differ from clang's calling
  // convention as source_facts recorded it.
  llvm::Function* make() {
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
    auto* entry =
        llvm::Function::Create(type, llvm::GlobalValue::InternalLinkage, "cohort.thread." + kernel_.getName(), module_);
    for (const char* kept : {"target-cpu", "target-features", "tune-cpu", "frame-pointer", "probe-stack"}) {
      if (kernel_.hasFnAttribute(kept)) {
        entry->addFnAttr(kernel_.getFnAttribute(kept));
      }
    }
    // A kernel is inlined into its entry, and sanitizers and the optimizer read the attributes of the function that
    // remains.
    for (const auto kept :
         {llvm::Attribute::SanitizeAddress, llvm::Attribute::SanitizeHWAddress, llvm::Attribute::NullPointerIsValid}) {
      if (kernel_.hasFnAttribute(kept)) {
        entry->addFnAttr(kept);
      }
    }
    entry->addFnAttr(llvm::Attribute::NoUnwind);
    entry->setUWTableKind(kernel_.getUWTableKind());
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", entry));
    std::vector<llvm::Value*> arguments;
    for (unsigned i = 0; i < fact_.parameters.size(); ++i) {
      auto* slot = builder_.CreateConstInBoundsGEP1_64(builder_.getPtrTy(), entry->getArg(0), i);
      unpack(fact_.parameters[i], load_argument(builder_, builder_.getPtrTy(), slot, 8), arguments);
    }
    if (arguments.size() != kernel_.arg_size()) {
      entry->eraseFromParent();
      return nullptr;
    }
    auto* call = builder_.CreateCall(&kernel_, arguments);
    call->setAttributes(kernel_.getAttributes());
    call->setCallingConv(kernel_.getCallingConv());
    call->setIsNoInline();  // a debugger shows the kernel's own frame
    builder_.CreateRetVoid();
    return entry;
  }

 private:
  void unpack(const parameter_fact& parameter, llvm::Value* address, std::vector<llvm::Value*>& arguments) {
    const uint64_t alignment = std::min(parameter.alignment, argument_alignment);
    switch (parameter.how) {
      case parameter_fact::passing::values:
        for (uint64_t offset : parameter.offsets) {
          arguments.push_back(load_value(parameter, address, offset, alignment, arguments.size()));
        }
        break;
      case parameter_fact::passing::copy:
        arguments.push_back(parameter.alignment <= argument_alignment ? address : copy(parameter, address, alignment));
        break;
      case parameter_fact::passing::reference:
        arguments.push_back(copy(parameter, address, alignment));
        break;
    }
  }

  llvm::Value* load_value(const parameter_fact& parameter, llvm::Value* address, uint64_t offset, uint64_t alignment,
                          size_t index) {
    if (index >= kernel_.arg_size()) {
      return llvm::PoisonValue::get(builder_.getInt32Ty());  // make() checks the count
    }
    llvm::Type* type = kernel_.getArg(index)->getType();
    const uint64_t here = llvm::MinAlign(alignment, offset);
    auto* source = builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), address, offset);
    if (type->isIntegerTy(1)) {
      return builder_.CreateTrunc(load_argument(builder_, builder_.getInt8Ty(), source, here), type);
    }
    const uint64_t bytes = module_.getDataLayout().getTypeStoreSize(type);
    if (offset + bytes <= parameter.bytes) {
      return load_argument(builder_, type, source, here);
    }
    auto* padded = builder_.CreateAlloca(type);  // the last register of a class whose size is not a multiple of 8
    builder_.CreateMemCpy(padded, padded->getAlign(), source, llvm::MaybeAlign(here), parameter.bytes - offset);
    return builder_.CreateLoad(type, padded);
  }

  llvm::Value* copy(const parameter_fact& parameter, llvm::Value* address, uint64_t alignment) {
    auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), parameter.bytes);
    auto* memory = builder_.CreateAlloca(type);
    memory->setAlignment(llvm::Align(parameter.alignment));
    builder_.CreateMemCpy(memory, memory->getAlign(), address, llvm::MaybeAlign(alignment), parameter.bytes);
    return memory;
  }

  llvm::Module& module_;
  llvm::Function& kernel_;
  const kernel_fact& fact_;
  llvm::IRBuilder<> builder_;
};

class table_builder {
 public:
  explicit table_builder(llvm::Module& module)
      : module_(module),
        builder_(module.getContext()),
        pointer_(builder_.getPtrTy()),
        word_(builder_.getInt32Ty()),
        kernels_(1 + facts().further_cpus.size()) {}

  llvm::GlobalVariable* data(llvm::Constant* value, bool constant, const llvm::Twine& name) {
    return new llvm::GlobalVariable(module_, value->getType(), constant, llvm::GlobalValue::PrivateLinkage, value,
                                    name);
  }

  llvm::Constant* text(llvm::StringRef value) {
    return data(llvm::ConstantDataArray::getString(module_.getContext(), value), true, "cohort.text");
  }

  template <class Struct>
  llvm::GlobalVariable* array(const std::vector<llvm::Constant*>& entries, const char* name) {
    auto* type = llvm::ArrayType::get(ir_struct<Struct>(module_.getContext()), entries.size());
    return data(llvm::ConstantArray::get(type, entries), true, name);
  }

  // Pairs of offsets that end with 0, 0; null if there are none.
  llvm::Constant* ranges(const std::vector<std::pair<uint64_t, uint64_t>>& all) {
    if (all.empty()) {
      return llvm::ConstantPointerNull::get(pointer_);
    }
    std::vector<uint32_t> words;
    for (const auto& [begin, end] : all) {
      words.push_back(static_cast<uint32_t>(begin));
      words.push_back(static_cast<uint32_t>(end));
    }
    words.insert(words.end(), {0, 0});
    return data(llvm::ConstantDataArray::get(module_.getContext(), words), true, "cohort.gaps");
  }

  // @param version 0: for the CPU that the whole module is compiled for; else for a further one
  void kernel(llvm::Function& entry, llvm::StringRef name, const kernel_fact& fact, const shared_need& need,
              size_t version) {
    std::vector<uint32_t> bytes;
    bytes.reserve(fact.parameters.size());
    for (const auto& parameter : fact.parameters) {
      bytes.push_back(static_cast<uint32_t>(parameter.bytes));
    }
    auto* sizes = data(llvm::ConstantDataArray::get(module_.getContext(), bytes), true, "cohort.parameters");
    auto* cluster = llvm::ConstantDataArray::get(module_.getContext(), llvm::ArrayRef<uint32_t>(fact.cluster));
    auto* gaps = ranges(need.gaps);
    llvm::Constant* stub = find_device_stub(module_, name);
    using field = field_of<cohort_kernel>;
    auto* value = record<cohort_kernel>(module_.getContext())
                      .set(field::name, text(name))
                      .set(field::thread_entry, &entry)
                      .set(field::static_shared_bytes, need.bytes)
                      .set(field::max_threads_per_block, fact.max_threads)
                      .set(field::parameter_count, bytes.size())
                      .set(field::parameter_bytes, sizes)
                      .set(field::cluster_dim, cluster)
                      .set(field::architecture, facts().options.architecture)
                      .set(field::shared_gaps, gaps)
                      .set(field::device_stub, stub ? stub : llvm::ConstantPointerNull::get(pointer_))
                      .constant();
    auto* table = data(value, false, "cohort.kernel." + name);
    if (need.linked) {
      linked_.push_back(table);
    }
    kernels_[version].push_back(table);
  }

  void variable(llvm::GlobalValue& symbol, llvm::StringRef name, uint64_t bytes, uint32_t flags) {
    using field = field_of<cohort_variable>;
    variables_.push_back(record<cohort_variable>(module_.getContext())
                             .set(field::name, text(name))
                             .set(field::address, &symbol)
                             .set(field::bytes, bytes)
                             .set(field::flags, flags)
                             .constant());
  }

  // The value of an attribute that all functions of the module share, such as "target-cpu".
  llvm::Constant* target(llvm::StringRef name) {
    for (const llvm::Function& f : module_) {
      if (!f.isDeclaration() && f.hasFnAttribute(name)) {
        return text(f.getFnAttribute(name).getValueAsString());
      }
    }
    return text("");
  }

  // The kernels of each CPU that the module has versions for.
  std::vector<llvm::Constant*> make_versions(size_t kernel_count) {
    std::vector<llvm::Constant*> versions;
    for (size_t i = 0; i < kernels_.size(); ++i) {
      auto* kernels = data(llvm::ConstantArray::get(llvm::ArrayType::get(pointer_, kernel_count), kernels_[i]), true,
                           "cohort.kernels");
      const cpu_version* further = i == 0 ? nullptr : &facts().further_cpus[i - 1];
      using version = field_of<cohort_module_version>;
      versions.push_back(record<cohort_module_version>(module_.getContext())
                             .set(version::cpu, further ? text(further->name) : target("target-cpu"))
                             .set(version::features, further ? text(further->features) : target("target-features"))
                             .set(version::kernels, kernels)
                             .constant());
    }
    return versions;
  }

  void register_all(const device_variables& device) {
    const size_t kernel_count = kernels_.front().size();
    if (kernel_count == 0 && variables_.empty() && device.own.empty()) {
      return;
    }
    const std::vector<llvm::Constant*> versions = make_versions(kernel_count);
    auto* all_versions = array<cohort_module_version>(versions, "cohort.versions");
    auto* variables = array<cohort_variable>(variables_, "cohort.variables");
    auto* places = data(llvm::ConstantArray::get(llvm::ArrayType::get(pointer_, device.places.size()), device.places),
                        true, "cohort.places");
    std::vector<llvm::Constant*> zeros, filled;
    for (const auto& [variable, bytes] : device.own) {
      using own = field_of<cohort_own_variable>;
      (device.zeros.contains(variable) ? zeros : filled)
          .push_back(record<cohort_own_variable>(module_.getContext())
                         .set(own::address, variable)
                         .set(own::bytes, bytes)
                         .constant());
    }
    auto* all_filled = array<cohort_own_variable>(filled, "cohort.filled");
    auto* all_zeros = array<cohort_own_variable>(zeros, "cohort.zeros");
    auto or_null = [&](llvm::Constant* value) { return value ? value : llvm::ConstantPointerNull::get(pointer_); };
    using field = field_of<cohort_module>;
    auto* described = record<cohort_module>(module_.getContext())
                          .set(field::abi, cohort_module_abi)
                          .set(field::kernel_count, kernel_count)
                          .set(field::variable_count, variables_.size())
                          .set(field::version, COHORT_VERSION)
                          .set(field::id, text(facts().options.id))
                          .set(field::version_count, versions.size())
                          .set(field::versions, all_versions)
                          .set(field::variables, variables)
                          .set(field::own_begin, or_null(device.begin))
                          .set(field::own_end, or_null(device.end))
                          .set(field::deltas, or_null(device.deltas))
                          .set(field::place_count, device.places.size())
                          .set(field::places, places)
                          .set(field::zero_count, zeros.size())
                          .set(field::zeros, all_zeros)
                          .set(field::filled_count, filled.size())
                          .set(field::filled, all_filled)
                          .constant();
    auto* table = data(described, true, "cohort.module");
    auto* type = llvm::FunctionType::get(builder_.getVoidTy(), false);
    auto* constructor = llvm::Function::Create(type, llvm::GlobalValue::PrivateLinkage, "cohort.register", module_);
    builder_.SetInsertPoint(llvm::BasicBlock::Create(module_.getContext(), "entry", constructor));
    add_linked_sizes();
    builder_.CreateCall(declare(module_, port_call::cohort_register_module), {table});
    builder_.CreateRetVoid();
    llvm::appendToGlobalCtors(module_, constructor, 0);  // priority 0: before constructors that launch kernels
  }

 private:
  // Makes the constructor store the bytes of all linked shared memory as the need of each kernel that may use it. Only
  // the linker has the number.
  void add_linked_sizes() {
    if (linked_.empty()) {
      return;
    }
    auto edge = [&](const llvm::Twine& name) {
      auto* symbol = llvm::cast<llvm::GlobalVariable>(module_.getOrInsertGlobal(name.str(), builder_.getInt8Ty()));
      // If no file of the program defines a linked variable, the symbol stays undefined and is null. In an executable,
      // linkers allow that only for a symbol that is weak and not hidden.
      if (symbol->use_empty()) {
        symbol->setLinkage(llvm::GlobalValue::ExternalWeakLinkage);
      }
      return builder_.CreatePtrToInt(symbol, builder_.getInt64Ty());
    };
    llvm::Value* const end = edge(names::end_of_section + names::shared_section);
    llvm::Value* const start = edge(names::start_of_section + names::shared_section);
    auto* bytes = builder_.CreateTrunc(builder_.CreateSub(end, start), word_);
    for (auto* table : linked_) {
      builder_.CreateStore(bytes, builder_.CreateStructGEP(ir_struct<cohort_kernel>(module_.getContext()), table,
                                                           field_of<cohort_kernel>::static_shared_bytes));
    }
  }

  llvm::Module& module_;
  llvm::IRBuilder<> builder_;
  llvm::PointerType* pointer_;
  llvm::IntegerType* word_;
  std::vector<std::vector<llvm::Constant*>> kernels_;  // kernels of each version
  std::vector<llvm::Constant*> variables_;
  std::vector<llvm::GlobalVariable*> linked_;
};

}  // namespace

void make_module_tables(llvm::Module& module) {
  const device_variables variables = take_device_variables(module);
  table_builder tables(module);
  for (const auto& [function, need] : take_shared_needs(module)) {
    const kernel_fact& fact = facts().kernels.at(function->getName().str());
    auto* entry = entry_builder(module, *function, fact).make();
    if (!entry) {
      report_error(module, "the parameters of kernel '" + fact.readable_name + "' are passed in an unknown way");
      continue;
    }
    for (size_t version = 0; version <= facts().further_cpus.size(); ++version) {
      tables.kernel(*entry, function->getName(), fact, need, version);
    }
  }
  for (const auto& [name, fact] : facts().variables) {
    const uint32_t constness = fact.constant ? uint32_t{cohort_variable_constant} : 0;
    if (const managed_variable_definition managed = find_managed_variable(module, name); managed.symbol) {
      tables.variable(*managed.symbol, name, managed.bytes,
                      constness | cohort_variable_managed | (managed.is_padded ? uint32_t{cohort_variable_padded} : 0));
      continue;
    }
    auto* symbol = module.getGlobalVariable(name, true);
    if (!symbol || symbol->isDeclaration()) {
      continue;
    }
    const auto own = variables.own.find(symbol);
    const bool is_own = own != variables.own.end();
    const uint64_t bytes = is_own ? own->second : module.getDataLayout().getTypeAllocSize(symbol->getValueType());
    const uint32_t reference = fact.texture   ? uint32_t{cohort_variable_texture}
                               : fact.surface ? uint32_t{cohort_variable_surface}
                                              : 0;
    tables.variable(*symbol, name, bytes, constness | reference | (is_own ? uint32_t{cohort_variable_own} : 0));
  }
  tables.register_all(variables);
}

}  // namespace cohort
