// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's interface for tools: operations and their order, and the allocations and variables of the runtime.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "cuda_runtime_api.h"
#include "runtime/guard/distance.hpp"
#include "runtime/state/of_thread.hpp"
#include "runtime/state/operation_listener.hpp"

namespace cohort::tools {

using runtime::distance_from;
using runtime::of_thread;
using runtime::operation;
using runtime::operation_listener;

// A listener's view of an operation.
class operation_view {
 public:
  operation_view(const operation& op) : operation_(op) {}

  // The listener's data about the operation; null at first.
  std::shared_ptr<void>& followed() const { return operation_.followed; }
  bool is_mark() const { return operation_.kind == runtime::operation_kind::mark; }
  bool is_kernel() const { return operation_.kind == runtime::operation_kind::kernel; }
  bool is_host_function() const { return operation_.kind == runtime::operation_kind::host_function; }
  bool is_copy() const;
  // The name of the library's function; null if the operation is no call of a library.
  const char* library_call() const;
  // Whether the operation's device has streams other than the default stream.
  bool has_other_streams() const;
  // Fails the device: the call that waited returns the error.
  void fail_device(cudaError_t error) const;

 private:
  const operation& operation_;
};

// Installs a listener. Called before the first call of the runtime. `keeps_freed_memory`: an allocation's own pages
// stay inaccessible after its end.
void follow_operations(operation_listener& listener, bool keeps_freed_memory);

// Memory that the runtime has allocated or registered.
struct allocation {
  const char* base = nullptr;
  size_t bytes = 0;
  bool is_own_device_memory = false;  // device memory that this process allocated
  bool is_opened = false;             // device memory of another process
  bool is_registered = false;         // memory that the program has allocated (cudaHostRegister)
  bool is_exported = false;           // other processes may read and write it

  bool contains(const void* address) const {
    const auto* const at = static_cast<const char*>(address);
    return at >= base && at < base + bytes;
  }
};
// Writes the allocation that contains `address`; false if there is none.
bool find_allocation(const void* address, allocation* found);
// The kind of the allocation that contains `address`, for example "managed memory". Empty: there is none.
std::string kind_name_at(const void* address);

// A device variable.
struct variable {
  const char* address = nullptr;
  size_t bytes = 0;
  bool is_constant = false;
};
// Writes the variable that contains `address`; false if there is none.
bool find_variable(const void* address, variable* found);

struct named_variable {
  std::string name;  // mangled; empty: a variable of the compiler
  const char* address = nullptr;
  size_t bytes = 0;
};
// Writes the variable nearest to an address in a copy of device variables or in the inaccessible pages around one.
bool find_nearest_variable(const void* address, named_variable* found);

// An address in the heap of malloc in kernels.
struct heap_place {
  bool is_in_heap = false;
  bool has_block = false;       // there is an allocation at the address or before it
  bool is_live = false;         // the allocation is not freed
  std::span<const char> block;  // the allocation
};
heap_place find_in_heap(const void* address);

}  // namespace cohort::tools
