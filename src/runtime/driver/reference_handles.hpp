// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of texture and surface references. A handle keeps the settings that the driver API's calls make one by one;
// the reference in the device's memory holds the object that they describe together.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "runtime/driver/call.hpp"
#include "runtime/image/image.hpp"
#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

struct reference_handle {
  const cohort_module* module;  // null: cuTexRefCreate made the handle, and no kernel reads through it
  std::string name;
  int device;
  uint32_t kind;  // cohort_variable_texture or cohort_variable_surface
  cudaTextureDesc sampler{};
  cudaChannelFormatDesc format{32, 0, 0, 0, cudaChannelFormatKindFloat};
  cudaResourceDesc resource{};
  bool is_bound = false;
  size_t offset = 0;  // bytes from the texture's first texel to the program's address
};

class reference_handles {
 public:
  // The only table. Made at the first use, never destroyed.
  static reference_handles& instance();

  // Finds or makes the handle of the current device's copy of a reference. Null: the module has no such reference.
  reference_handle* of_module(const cohort_module& module, const char* name, uint32_t kind);
  reference_handle* create();
  // Removes a handle that create() made; false for any other one.
  bool destroy(const reference_handle* handle);
  // Unbinds the references of a module that is about to be unloaded, and removes their handles.
  void drop(const cohort_module* module);

  // Calls `body(reference_handle&)`, which returns a CUresult, for a live handle of that kind under the table's lock.
  template <class Body>
  CUresult with(const void* handle, uint32_t kind, Body&& body) {
    const std::lock_guard lock(mutex_);
    reference_handle* const known = find(handle);
    return known && known->kind == kind ? body(*known) : CUDA_ERROR_INVALID_HANDLE;
  }

 private:
  reference_handle* find(const void* handle) const;

  std::mutex mutex_;
  std::vector<std::unique_ptr<reference_handle>> all_;
};

// Binds `handle` to a resource of its device, under its settings. Settings that no texture may have together leave the
// reference unbound: a program changes them one after another.
CUresult bind_reference(reference_handle& handle, const cudaResourceDesc& resource, size_t offset);
// Makes a changed setting effective. Waits for the device if the reference is bound.
CUresult rebind_reference(reference_handle& handle);
CUresult unbind_reference(reference_handle& handle);

// Ends the references of an image before it is unloaded for `owner`. No effect for any other module.
void drop_references(const cohort_module* module, image_owner owner);

}  // namespace cohort::runtime
