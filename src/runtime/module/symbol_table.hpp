// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which kernel a host stub means, and which device variable a host shadow means.
//
// A translation unit comes as two objects. The host object registers (module id, stub address, name), the device
// object registers (module id, name, kernel). They are put together at the first use, because the constructors of the
// two objects run in any order; the id keeps kernels of one name in different translation units apart.
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "cuda_runtime_api.h"
#include "device_variable_copies.hpp"
#include "module.hpp"

namespace cohort::runtime {

// What the host may set on a kernel, for one device (cudaFuncSetAttribute).
struct function_settings {
  std::atomic<size_t> max_dynamic_shared{0};  // the opt-in to more than 48 KiB
  std::atomic<int> preferred_carveout{cudaSharedmemCarveoutDefault};
  std::atomic<uint32_t> required_cluster[3] = {};  // zero: not set
  std::atomic<int> non_portable_cluster{0};
  std::atomic<int> cluster_scheduling{cudaClusterSchedulingPolicyDefault};
};

// A kernel. Lives as long as the process, and its address is its handle (cudaFunction_t).
struct function {
  explicit function(const cohort_kernel& described);
  const cohort_kernel* const kernel;
  function_settings& on(int device) { return settings_[device]; }
  void reset(int device);

 private:
  std::unique_ptr<function_settings[]> settings_;  // by device
};

// A variable of the device, as it lies on one device.
struct variable {
  void* address;
  size_t bytes;
  uint32_t flags;
  int device;
};

// The host's half of one translation unit: the handle of __cudaRegisterFatBinary.
struct host_module {
  std::string id;
};

class symbol_table {
 public:
  // Made at the first use and never destroyed: constructors and destructors of the program call it.
  static symbol_table& instance();

  host_module* add_host_module(const char* id);
  void add_function(host_module* module, const void* stub, const char* name);
  void add_variable(host_module* module, const void* shadow, const char* name, size_t bytes);
  // Forgets both halves of the module: its code is about to be unloaded.
  void remove(host_module* module);
  void add_device_module(const cohort_module* module);

  // Forgets what the host set on kernels for one device, and gives the device's variables their compiled values.
  void reset(int device);

  // `stub` is the kernel's host name or its handle. cudaErrorInvalidDeviceFunction for an address that is neither; what
  // else is wrong is also a sentence on stderr.
  cudaError_t find_function(const void* stub, function** found);
  cudaError_t find_variable(const void* shadow, int device, variable* found);
  // By name in one module of the program; the first is cudaErrorSymbolNotFound for a name that no host object has.
  cudaError_t find_function_in(const cohort_module& module, const char* name, function** found);
  bool find_variable_in(const cohort_module& module, const char* name, int device, variable* found);
  bool is_module(const cohort_module* module);
  const cohort_module* module_of(const function& f);
  // The variable that `address` lies in, if any.
  bool find_variable_around(const void* address, variable* found);

 private:
  struct host_symbol {
    host_module* module;
    std::string name;
    size_t bytes = 0;                 // of a variable, as the host sees it
    std::unique_ptr<function> bound;  // of a function, after its first use
  };
  const cohort_module* device_module(std::string_view id) const;
  static bool find_in_table(const cohort_module& module, std::string_view name, int device, variable* found);
  void prepare_sections();
  void report_missing(const char* what, const host_symbol& symbol, bool module_is_there) const;
  void report_orphans() const;

  std::mutex mutex_;
  std::vector<std::unique_ptr<host_module>> host_modules_;
  std::vector<const cohort_module*> device_modules_;
  std::vector<const cohort_module*> new_modules_;  // whose variables have no copies yet
  std::vector<std::unique_ptr<device_variable_copies>> sections_;
  std::unordered_map<const void*, host_symbol> functions_;
  std::unordered_map<const void*, host_symbol> variables_;
  std::unordered_map<const void*, function*> handles_;
  std::vector<std::unique_ptr<function>> retired_;  // of unloaded modules: a launch may still hold one
};

}  // namespace cohort::runtime
