// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A translation unit made by hand with the compiler's layout: it tests the runtime without the compiler.
#pragma once

#include <cohort/base/limits.hpp>
#include <cohort/base/version.hpp>
#include <cohort/machine/cpu/port.hpp>
#include <cohort/machine/cpu/port/module.hpp>

#include <deque>
#include <string>
#include <vector>

#include "cuda_runtime.h"

extern "C" {
void** __cudaRegisterFatBinary(void* wrapper);
void __cudaRegisterFatBinaryEnd(void** handle);
void __cudaUnregisterFatBinary(void** handle);
int __cudaRegisterFunction(void** handle, const char* host, char* device, const char* name, int limit, uint3*, uint3*,
                           dim3*, dim3*, int*);
void __cudaRegisterVar(void** handle, char* host, char* device, const char* name, int ext, size_t bytes, int constant,
                       int global);
}

namespace test {

using thread_entry = void (*)(void** arguments);

struct fat_binary {
  int magic = 0x466243b1;
  int version = 1;
  const char* data = nullptr;
  void* unused = nullptr;
};

// A module, never destroyed, as those of the compiler.
class module {
 public:
  explicit module(std::string id) : id_(std::move(id)) {}
  module(const module&) = delete;

  cohort_kernel* add_kernel(const char* name, thread_entry entry, std::vector<uint32_t> parameter_bytes,
                            uint32_t static_shared = 0, uint32_t max_threads = 1024) {
    sizes_.push_back(std::move(parameter_bytes));
    cohort_kernel k{};
    k.name = name;
    k.thread_entry = entry;
    k.static_shared_bytes = static_shared;
    k.max_threads_per_block = max_threads;
    k.parameter_count = static_cast<uint32_t>(sizes_.back().size());
    k.parameter_bytes = sizes_.back().data();
    kernels_.push_back(k);
    return &kernels_.back();
  }
  void add_variable(const char* name, void* address, size_t bytes, uint32_t flags = 0) {
    variables_.push_back({name, address, bytes, flags});
  }

  // Sets the section of variables that have a copy for each device, and the words in it that hold addresses.
  void set_section(char* begin, char* end, std::vector<char*> places) {
    own_begin_ = begin;
    own_end_ = end;
    places_ = std::move(places);
  }

  // Adds a zero variable with a copy for each device, outside the section.
  void add_zero(char* address, uint64_t bytes) { zeros_.push_back({address, bytes}); }

  // The CPU's features that the kernels may use, by LLVM's names.
  void set_cpu_features(const char* features) { cpu_features_ = features; }

  void register_device() {
    for (const cohort_kernel& k : kernels_) pointers_.push_back(&k);
    version_ = {"", cpu_features_, pointers_.data()};
    described_ = {cohort_module_abi,
                  static_cast<uint32_t>(pointers_.size()),
                  static_cast<uint32_t>(variables_.size()),
                  COHORT_VERSION,
                  id_.c_str(),
                  1,
                  0,
                  &version_,
                  variables_.data(),
                  own_begin_,
                  own_end_,
                  own_begin_ ? deltas_ : nullptr,
                  places_.size(),
                  places_.data(),
                  zeros_.size(),
                  zeros_.data(),
                  filled_.size(),
                  filled_.data()};
    cohort_register_module(&described_);
  }
  void register_host() {
    binary_.data = id_.c_str();
    handle_ = __cudaRegisterFatBinary(&binary_);
    __cudaRegisterFatBinaryEnd(handle_);
  }
  void register_stub(const void* stub, const char* name) {
    __cudaRegisterFunction(handle_, static_cast<const char*>(stub), const_cast<char*>(name), name, -1, nullptr, nullptr,
                           nullptr, nullptr, nullptr);
  }
  void register_shadow(void* shadow, const char* name, size_t bytes) {
    __cudaRegisterVar(handle_, static_cast<char*>(shadow), const_cast<char*>(name), name, 0, bytes, 0, 0);
  }
  void** handle() const { return handle_; }

 private:
  std::string id_;
  const char* cpu_features_ = "";
  std::deque<std::vector<uint32_t>> sizes_;
  std::deque<cohort_kernel> kernels_;
  std::vector<const cohort_kernel*> pointers_;
  std::vector<cohort_variable> variables_;
  char* own_begin_ = nullptr;
  char* own_end_ = nullptr;
  std::vector<cohort_own_variable> zeros_;
  std::vector<cohort_own_variable> filled_;
  std::vector<char*> places_;
  int64_t deltas_[cohort::max_devices] = {};
  cohort_module_version version_{};
  cohort_module described_{};
  fat_binary binary_;
  void** handle_ = nullptr;
};

// One kernel in a module of its own; host code launches it by the address of `stub`.
struct kernel {
  kernel(const char* name, thread_entry entry, std::vector<uint32_t> parameter_bytes, uint32_t static_shared = 0,
         uint32_t max_threads = 1024)
      : unit(*new module(std::string("test-") + name)) {
    unit.add_kernel(name, entry, std::move(parameter_bytes), static_shared, max_threads);
    unit.register_device();
    unit.register_host();
    unit.register_stub(stub(), name);
  }
  const void* stub() const { return &unit; }
  module& unit;
};

template <class T>
T argument(void** arguments, int index) {
  return *static_cast<T*>(arguments[index]);
}

inline uint32_t global_index() { return cohort_block_index(0) * cohort_block_dim(0) + cohort_thread_index(0); }

// Launches with the types of the arguments, without conversion.
template <class... Arguments>
cudaError_t launch(const kernel& k, dim3 grid, dim3 block, size_t shared, cudaStream_t stream, Arguments... values) {
  void* pointers[] = {&values..., nullptr};
  return cudaLaunchKernel(k.stub(), grid, block, pointers, shared, stream);
}

}  // namespace test
