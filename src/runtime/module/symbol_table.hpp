// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table that maps host stubs to kernels, and host shadow variables to device variables.
//
// A translation unit has two objects. The host object registers (module id, stub address, name), the device object
// registers (module id, name, kernel). The table joins them at the first use, because constructors of the two objects
// run in any order. The id distinguishes kernels of one name in different translation units.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <cohort/machine/cpu/port/module.hpp>

#include "cuda_runtime_api.h"
#include "runtime/module/device_variable_copies.hpp"
#include "runtime/module/managed_guard.hpp"

namespace cohort::runtime {

// Attributes of a kernel on one device that cudaFuncSetAttribute sets.
struct function_settings {
  std::atomic<size_t> max_dynamic_shared{0};  // limit of dynamic shared memory; more than 48 KiB needs the attribute
  std::atomic<int> preferred_carveout{cudaSharedmemCarveoutDefault};
  std::atomic<uint32_t> required_cluster[3] = {};  // the required size; zero: none is set
  std::atomic<int> non_portable_cluster{0};
  std::atomic<int> cluster_scheduling{cudaClusterSchedulingPolicyDefault};
};

// A kernel. Never destroyed; its address is its handle (cudaFunction_t).
struct function {
  explicit function(const cohort_kernel& described);
  const cohort_kernel* const kernel;  // not read any more after the code is unloaded
  function_settings& on(int device) { return settings_[device]; }
  void reset(int device);
  // Records that the code of the kernel is about to be unloaded: nodes of graphs may still refer to the kernel.
  void unload();
  bool is_unloaded() const { return is_unloaded_.load(std::memory_order_acquire); }
  // The name of an unloaded kernel. pre: is_unloaded()
  const std::string& unloaded_name() const { return unloaded_name_; }

 private:
  std::unique_ptr<function_settings[]> settings_;  // index: device
  std::string unloaded_name_;
  std::atomic<bool> is_unloaded_{false};
};

// The copy of a device variable on one device.
struct variable {
  void* address;
  size_t bytes;
  uint32_t flags;
  int device;
};

// A variable for a report.
struct named_variable {
  std::string name;  // empty: a variable of the compiler
  char* address = nullptr;
  size_t bytes = 0;
};

// The host object of a translation unit. Its address is the handle that __cudaRegisterFatBinary returns.
struct host_module {
  std::string id;
  const void* image;     // an address in the program or library that contains the host object
  std::string gpu_code;  // what nvcc's fat binary would hold, as in "sm_90,compute_90"; empty: code for each GPU
};

class symbol_table {
 public:
  // The only table. Made at the first use and never destroyed, because constructors and destructors of the program use
  // it.
  static symbol_table& instance();

  host_module* add_host_module(const char* id, const void* image, const char* gpu_code = "");
  void add_function(host_module* module, const void* stub, const char* name);
  void add_variable(host_module* module, const void* shadow, const char* name, size_t bytes);
  // Removes both objects of a module whose code is about to be unloaded.
  void remove(host_module* module);
  void add_device_module(const cohort_module* module);
  // Returns the module that this thread added last, once; null after that, and for a module that was refused.
  static const cohort_module* take_registered();
  // Makes a registered module an image: it has no host object, and find_function_in() finds its kernels without stubs.
  void add_image(const cohort_module* module);
  // Removes a module without a host object, whose code is about to be unloaded.
  void remove_image(const cohort_module* module);

  // Resets the attributes of all kernels for one device, and the device's variables to their compiled values.
  void reset(int device);

  // Finds a kernel by its host stub or its handle. cudaErrorInvalidDeviceFunction for any other address; other errors
  // also print a sentence to stderr.
  cudaError_t find_function(const void* stub, function** found);
  // Finds a kernel by its address in device code. cudaErrorInvalidDeviceFunction for any other address.
  cudaError_t find_device_function(const void* stub, function** found);
  cudaError_t find_variable(const void* shadow, int device, variable* found);
  // Finds a kernel or a variable by its name in one module of the program, or in an image. cudaErrorSymbolNotFound if
  // no host object, or not the image, has a kernel of that name.
  cudaError_t find_function_in(const cohort_module& module, const char* name, function** found);
  bool find_variable_in(const cohort_module& module, const char* name, int device, variable* found);
  bool is_module(const cohort_module* module);
  const cohort_module* module_of(const function& f);
  // Finds filler bytes of device and managed variables that were overwritten (COHORT_GUARD=strict). Writes the first
  // one and the variable beside it; false if there is none. Restores the filler of managed variables.
  bool find_damage(int device, const char** at, named_variable* beside);
  // Writes the variable nearest to an address in a copy of device variables or in the inaccessible pages around one.
  bool find_nearest(const void* address, named_variable* found);
  // Writes the variable that contains `address`; false if there is none.
  bool find_variable_around(const void* address, variable* found);

 private:
  struct host_symbol {
    host_module* module;
    std::string name;
    size_t bytes = 0;                 // size of a variable in the host object
    std::unique_ptr<function> bound;  // the kernel of the stub; null before its first use
  };
  const cohort_module* device_module(std::string_view id) const;
  void forget(const cohort_module* module);
  void retire(std::unique_ptr<function> f);
  std::pair<const cohort_module*, const cohort_kernel*> find_stub(const void* stub) const;
  static bool find_in_table(const cohort_module& module, std::string_view name, int device, variable* found);
  void prepare_sections();
  void name(char* linked, named_variable* variable) const;
  void report_missing(const char* what, const host_symbol& symbol, bool module_is_there) const;
  void report_orphans() const;

  std::mutex mutex_;
  std::vector<std::unique_ptr<host_module>> host_modules_;
  std::vector<const cohort_module*> device_modules_;
  std::vector<const cohort_module*> new_modules_;  // modules whose variables have no copies yet
  // Images, with their kernels in use.
  std::unordered_map<const cohort_module*, std::vector<std::unique_ptr<function>>> images_;
  std::vector<std::unique_ptr<device_variable_copies>> sections_;
  managed_guard managed_;
  std::unordered_map<const void*, host_symbol> functions_;
  std::unordered_map<const void*, host_symbol> variables_;
  std::unordered_map<const void*, function*> handles_;
  std::vector<std::unique_ptr<function>> retired_;  // kernels of unloaded modules, which nodes of graphs may name
  // Kernels by their addresses in device code, and those of them that no host code refers to.
  std::unordered_map<const void*, function*> device_stubs_;
  std::vector<std::unique_ptr<function>> device_functions_;
};

}  // namespace cohort::runtime
