// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/module/symbol_table.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <tuple>
#include <utility>

#include <cohort/base/version.hpp>

#include "runtime/error/log.hpp"
#include "runtime/guard/memory_guard.hpp"
#include "runtime/module/module_version.hpp"
#include "runtime/state/device_state.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::runtime {
namespace {

thread_local const cohort_module* registered = nullptr;

std::string version_text(uint32_t number) {
  return std::to_string(number / 10000) + '.' + std::to_string(number / 100 % 100) + '.' + std::to_string(number % 100);
}

// Reports the managed variables to the listener: the host accesses them without a call.
void share_variables(const cohort_module& module) {
  if (!installed_operation_listener) return;
  for (uint32_t i = 0; i < module.variable_count; ++i) {
    const cohort_variable& v = module.variables[i];
    if (v.flags & cohort_variable_managed) installed_operation_listener->shares_variable(v.address, v.bytes);
  }
}

}  // namespace

symbol_table& symbol_table::instance() {
  static symbol_table* const table = new symbol_table;
  return *table;
}

host_module* symbol_table::add_host_module(const char* id, const void* image, const char* gpu_code) {
  std::lock_guard lock(mutex_);
  host_modules_.push_back(std::make_unique<host_module>(host_module{id, image, gpu_code}));
  return host_modules_.back().get();
}

// Keeps the first binding of a stub. The linker merges the stubs of one template instance from several translation
// units, and each binding is correct.
void symbol_table::add_function(host_module* module, const void* stub, const char* name) {
  std::lock_guard lock(mutex_);
  functions_.try_emplace(stub, host_symbol{module, name, 0, nullptr});
}

void symbol_table::add_variable(host_module* module, const void* shadow, const char* name, size_t bytes) {
  std::lock_guard lock(mutex_);
  variables_.try_emplace(shadow, host_symbol{module, name, bytes, nullptr});
}

void symbol_table::remove(host_module* module) {
  std::lock_guard lock(mutex_);
  const auto is_of_module = [module](const auto& entry) { return entry.second.module == module; };
  for (auto& entry : functions_) {
    if (!is_of_module(entry) || !entry.second.bound) continue;
    retire(std::move(entry.second.bound));
  }
  std::erase_if(functions_, is_of_module);
  std::erase_if(variables_, is_of_module);
  std::vector<const cohort_module*> units;
  std::copy_if(device_modules_.begin(), device_modules_.end(), std::back_inserter(units),
               [&](const cohort_module* m) { return module->id == m->id && !images_.count(m); });
  for (const cohort_module* unit : units) forget(unit);
  std::erase_if(host_modules_, [module](const auto& m) { return m.get() == module; });
}

void symbol_table::forget(const cohort_module* module) {
  for (uint32_t version = 0; version < module->version_count; ++version) {
    for (uint32_t i = 0; i < module->kernel_count; ++i) {
      const cohort_kernel* const kernel = module->versions[version].kernels[i];
      device_stubs_.erase(kernel->device_stub);
      for (auto& f : device_functions_) {
        if (f && f->kernel == kernel) retire(std::move(f));
      }
    }
  }
  std::erase_if(device_functions_, [](const auto& f) { return !f; });
  std::erase_if(sections_, [module](const auto& s) { return s->deltas() == module->deltas && !s->remove(*module); });
  managed_.remove(*module);
  std::erase(new_modules_, module);
  std::erase(device_modules_, module);
}

void symbol_table::retire(std::unique_ptr<function> f) {
  handles_.erase(f.get());
  f->unload();
  retired_.push_back(std::move(f));
}

void symbol_table::add_image(const cohort_module* module) {
  std::lock_guard lock(mutex_);
  images_.try_emplace(module);
}

void symbol_table::remove_image(const cohort_module* module) {
  std::lock_guard lock(mutex_);
  for (auto& f : images_[module]) retire(std::move(f));
  images_.erase(module);
  forget(module);
}

void symbol_table::add_device_module(const cohort_module* module) {
  if (module->abi != cohort_module_abi) {
    say(cudaLogLevelError,
        "module \"%s\" was compiled for version %u of the module layout, this library has version %u: "
        "compile it again with the cohortcc of this library",
        module->id ? module->id : "", module->abi, cohort_module_abi);
    return;
  }
  if (module->version != COHORT_VERSION) {
    say(cudaLogLevelError,
        "module \"%s\" was compiled by cohortcc %s, this library is of Cohort %s: compile it again with "
        "the cohortcc of this library",
        module->id, version_text(module->version).c_str(), version_text(COHORT_VERSION).c_str());
    return;
  }
  std::lock_guard lock(mutex_);
  device_modules_.push_back(module);
  new_modules_.push_back(module);
  registered = module;
}

const cohort_module* symbol_table::take_registered() { return std::exchange(registered, nullptr); }

// Makes the copies of device variables for all new modules. Not done at registration, because constructors must not
// read the engine's devices.
void symbol_table::prepare_sections() {
  while (!new_modules_.empty()) {
    const cohort_module& module = *new_modules_.back();
    managed_.add(module, chosen_guard());
    share_variables(module);
    if (!module.deltas) {
      new_modules_.pop_back();
      continue;
    }
    auto at = std::find_if(sections_.begin(), sections_.end(),
                           [&](const auto& section) { return section->deltas() == module.deltas; });
    if (at == sections_.end()) {
      std::vector<const cohort_module*> linked;
      std::copy_if(new_modules_.begin(), new_modules_.end(), std::back_inserter(linked),
                   [&](const cohort_module* other) { return other->deltas == module.deltas; });
      at = sections_.insert(at, std::make_unique<device_variable_copies>(linked, chosen_guard()));
    }
    (*at)->add(module);
    new_modules_.pop_back();
  }
}

const cohort_module* symbol_table::device_module(std::string_view id) const {
  for (const cohort_module* module : device_modules_) {
    if (id == module->id) return module;
  }
  return nullptr;
}

function::function(const cohort_kernel& described)
    : kernel(&described), settings_(std::make_unique<function_settings[]>(static_cast<size_t>(device_count()))) {
  for (int device = 0; device < device_count(); ++device) reset(device);
}

// Resets the attributes. Without the opt-in, the sum of static and dynamic shared memory is at most shared_per_block.
void function::reset(int device) {
  const size_t limit = cohort_device_get(device)->shared_per_block;
  function_settings& s = on(device);
  s.max_dynamic_shared = limit - std::min<size_t>(limit, kernel->static_shared_bytes);
  s.preferred_carveout = cudaSharedmemCarveoutDefault;
  for (auto& width : s.required_cluster) width = 0;
  s.non_portable_cluster = 0;
  s.cluster_scheduling = cudaClusterSchedulingPolicyDefault;
}

void function::unload() {
  unloaded_name_ = kernel->name;
  is_unloaded_.store(true, std::memory_order_release);
}

void symbol_table::reset(int device) {
  std::lock_guard lock(mutex_);
  prepare_sections();
  for (const auto& section : sections_) section->restore(device);
  for (auto& entry : functions_) {
    if (entry.second.bound) entry.second.bound->reset(device);
  }
  for (const auto& [module, kernels] : images_) {
    for (const auto& f : kernels) f->reset(device);
  }
  for (const auto& f : device_functions_) f->reset(device);
}

cudaError_t symbol_table::find_function(const void* stub, function** found) {
  std::lock_guard lock(mutex_);
  prepare_sections();
  const auto at = functions_.find(stub);
  if (at == functions_.end()) {
    if (const auto handle = handles_.find(stub); handle != handles_.end()) {
      *found = handle->second;
      return cudaSuccess;
    }
    report_orphans();
    return cudaErrorInvalidDeviceFunction;
  }
  host_symbol& symbol = at->second;
  if (!symbol.bound) {
    const cohort_module* module = device_module(symbol.module->id);
    uint32_t number = 0;
    while (module && number < module->kernel_count && symbol.name != module->versions->kernels[number]->name) ++number;
    if (!module || number == module->kernel_count) {
      report_missing("kernel", symbol, module != nullptr);
      return cudaErrorNoKernelImageForDevice;
    }
    module_choice choice = choose_version(*module);
    if (choice.version) choice.refusal = refusal_of_gpu(symbol.module->gpu_code);
    if (!choice.refusal.empty()) {
      say(cudaLogLevelError, "kernel %s %s", symbol.name.c_str(), choice.refusal.c_str());
      return cudaErrorNoKernelImageForDevice;
    }
    symbol.bound = std::make_unique<function>(*choice.version->kernels[number]);
    handles_.emplace(symbol.bound.get(), symbol.bound.get());
  }
  *found = symbol.bound.get();
  return cudaSuccess;
}

cudaError_t symbol_table::find_variable(const void* shadow, int device, variable* found) {
  std::lock_guard lock(mutex_);
  prepare_sections();
  const auto at = variables_.find(shadow);
  if (at == variables_.end()) return cudaErrorInvalidSymbol;
  const host_symbol& symbol = at->second;
  const cohort_module* module = device_module(symbol.module->id);
  if (module && find_in_table(*module, symbol.name, device, found)) return cudaSuccess;
  report_missing("variable", symbol, module != nullptr);
  return cudaErrorInvalidSymbol;
}

bool symbol_table::find_in_table(const cohort_module& module, std::string_view name, int device, variable* found) {
  for (uint32_t i = 0; i < module.variable_count; ++i) {
    const cohort_variable& v = module.variables[i];
    if (name != v.name) continue;
    const bool own = (v.flags & cohort_variable_own) && module.deltas;
    char* const address = static_cast<char*>(v.address) + (own ? module.deltas[device] : 0);
    *found = variable{address, static_cast<size_t>(v.bytes), v.flags, device};
    return true;
  }
  return false;
}

bool symbol_table::find_variable_in(const cohort_module& module, const char* name, int device, variable* found) {
  std::lock_guard lock(mutex_);
  prepare_sections();
  return find_in_table(module, name, device, found);
}

cudaError_t symbol_table::find_function_in(const cohort_module& module, const char* name, function** found) {
  const void* stub = nullptr;
  {
    std::lock_guard lock(mutex_);
    if (const auto image = images_.find(&module); image != images_.end()) {
      prepare_sections();
      for (const auto& f : image->second) {
        if (std::strcmp(f->kernel->name, name) == 0) return *found = f.get(), cudaSuccess;
      }
      const module_choice choice = choose_version(module);
      for (uint32_t i = 0; choice.version && i < module.kernel_count; ++i) {
        const cohort_kernel& kernel = *choice.version->kernels[i];
        if (std::strcmp(kernel.name, name) != 0) continue;
        *found = image->second.emplace_back(std::make_unique<function>(kernel)).get();
        handles_.emplace(*found, *found);
        return cudaSuccess;
      }
      return cudaErrorSymbolNotFound;
    }
    for (const auto& [address, symbol] : functions_) {
      if (symbol.module->id == module.id && symbol.name == name) stub = address;
    }
  }
  return stub ? find_function(stub, found) : cudaErrorSymbolNotFound;
}

// The kernel whose address in device code is `stub`, and its module.
std::pair<const cohort_module*, const cohort_kernel*> symbol_table::find_stub(const void* stub) const {
  for (const cohort_module* module : device_modules_) {
    const module_choice choice = choose_version(*module);
    for (uint32_t i = 0; choice.version && i < module->kernel_count; ++i) {
      if (choice.version->kernels[i]->device_stub == stub) return {module, choice.version->kernels[i]};
    }
  }
  return {};
}

cudaError_t symbol_table::find_device_function(const void* stub, function** found) {
  const cohort_module* module = nullptr;
  const cohort_kernel* kernel = nullptr;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = device_stubs_.find(stub); known != device_stubs_.end()) {
      *found = known->second;
      return cudaSuccess;
    }
    std::tie(module, kernel) = find_stub(stub);
    if (!kernel || !stub) return cudaErrorInvalidDeviceFunction;
  }
  // The kernel's attributes belong to its function, which host code may have bound.
  cudaError_t error = find_function_in(*module, kernel->name, found);
  const std::lock_guard lock(mutex_);
  if (error == cudaErrorSymbolNotFound) {
    device_functions_.push_back(std::make_unique<function>(*kernel));
    *found = device_functions_.back().get();
    handles_.emplace(*found, *found);
    error = cudaSuccess;
  }
  if (error == cudaSuccess) device_stubs_.emplace(stub, *found);
  return error;
}

bool symbol_table::is_module(const cohort_module* module) {
  std::lock_guard lock(mutex_);
  return std::find(device_modules_.begin(), device_modules_.end(), module) != device_modules_.end();
}

const cohort_module* symbol_table::module_of(const function& f) {
  std::lock_guard lock(mutex_);
  for (const cohort_module* module : device_modules_) {
    for (uint32_t i = 0; i < module->version_count; ++i) {
      const cohort_kernel* const* const kernels = module->versions[i].kernels;
      if (std::find(kernels, kernels + module->kernel_count, f.kernel) != kernels + module->kernel_count) return module;
    }
  }
  return nullptr;
}

bool symbol_table::find_variable_around(const void* address, variable* found) {
  std::lock_guard lock(mutex_);
  const char* at = static_cast<const char*>(address);
  int device = 0;
  for (const auto& section : sections_) {
    if (const char* const in_first = section->find(address, &device)) {
      at = in_first;
      break;
    }
  }
  const auto distance = static_cast<const char*>(address) - at;
  for (const cohort_module* module : device_modules_) {
    for (uint32_t i = 0; i < module->variable_count; ++i) {
      const cohort_variable& v = module->variables[i];
      const char* const first = static_cast<const char*>(v.address);
      if (at < first || at >= first + v.bytes) continue;
      // The linked variable is no copy of any device, unless it is device 0's (COHORT_GUARD=off).
      if ((v.flags & cohort_variable_own) && module->deltas && distance != module->deltas[device]) continue;
      *found = variable{static_cast<char*>(v.address) + distance, static_cast<size_t>(v.bytes), v.flags, device};
      return true;
    }
  }
  return false;
}

void symbol_table::name(char* linked, named_variable* variable) const {
  for (const cohort_module* module : device_modules_) {
    for (uint32_t i = 0; i < module->variable_count; ++i) {
      if (module->variables[i].address == linked) variable->name = module->variables[i].name;
    }
  }
}

bool symbol_table::find_damage(int device, const char** at, named_variable* beside) {
  std::lock_guard lock(mutex_);
  for (const auto& section : sections_) {
    *at = section->find_damage(device);
    cohort_own_variable nearest{};
    if (!*at || !section->find_nearest(*at, &nearest)) continue;
    *beside = {"", nearest.address, nearest.bytes};
    name(nearest.address - section->deltas()[device], beside);
    return true;
  }
  const cohort_variable* managed = nullptr;
  if (!managed_.find_damage(at, &managed)) return false;
  *beside = {managed->name, static_cast<char*>(managed->address), managed->bytes};
  return true;
}

bool symbol_table::find_nearest(const void* address, named_variable* found) {
  std::lock_guard lock(mutex_);
  for (const auto& section : sections_) {
    cohort_own_variable nearest{};
    if (!section->find_nearest(address, &nearest)) continue;
    *found = {"", nearest.address, nearest.bytes};
    int device = 0;
    if (const char* const linked = section->find(nearest.address, &device)) name(const_cast<char*>(linked), found);
    return true;
  }
  const cohort_variable* const managed = managed_.find_nearest(address);
  if (managed) *found = {managed->name, static_cast<char*>(managed->address), managed->bytes};
  return managed != nullptr;
}

void symbol_table::report_missing(const char* what, const host_symbol& symbol, bool module_is_there) const {
  if (module_is_there) {
    say(cudaLogLevelError,
        "the device object of module \"%s\" has no %s %s, but its host object has: they come from "
        "different compilations; compile the source again",
        symbol.module->id.c_str(), what, symbol.name.c_str());
  } else {
    say(cudaLogLevelError,
        "%s %s has a host object but no device object (module \"%s\"): link the whole object file that "
        "cohortcc wrote",
        what, symbol.name.c_str(), symbol.module->id.c_str());
  }
}

// Reports device objects without a host object: a stub that is not found may belong to one.
void symbol_table::report_orphans() const {
  for (const cohort_module* module : device_modules_) {
    const bool has_host = std::any_of(host_modules_.begin(), host_modules_.end(),
                                      [module](const auto& host) { return host->id == module->id; });
    if (has_host || images_.count(module)) continue;
    say(cudaLogLevelError,
        "module \"%s\" has a device object but no host object, so its kernels cannot be launched: link "
        "the whole object file that cohortcc wrote",
        module->id);
  }
}

}  // namespace cohort::runtime
