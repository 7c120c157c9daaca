// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/reference_handles.hpp"

#include <algorithm>

#include "runtime/module/named_symbols.hpp"
#include "runtime/texture/reference_table.hpp"
#include "runtime/texture/texture_content.hpp"

namespace cohort::runtime {

namespace {

bool find_copy(const reference_handle& handle, variable* copy) {
  return symbol_table::instance().is_module(handle.module) &&
         find_named_variable(*handle.module, handle.name.c_str(), handle.device, copy);
}

// Checks a resource only: the texture settings passed with it are always valid.
cudaError_t check_resource(const reference_handle& handle, const cudaResourceDesc& resource) {
  if (handle.kind == cohort_variable_surface) {
    cohort_surface content;
    return describe_surface(resource, &content);
  }
  cudaTextureDesc plain{};
  plain.normalizedCoords = 1;
  cohort_texture content;
  return describe_texture(resource, plain, nullptr, &content);
}

}  // namespace

reference_handles& reference_handles::instance() {
  static reference_handles* const table = new reference_handles;
  return *table;
}

reference_handle* reference_handles::find(const void* handle) const {
  const auto at = std::find_if(all_.begin(), all_.end(), [&](const auto& known) { return known.get() == handle; });
  return at == all_.end() ? nullptr : at->get();
}

reference_handle* reference_handles::of_module(const cohort_module& module, const char* name, uint32_t kind) {
  const int device = current_device().index;
  variable copy;
  if (!find_named_variable(module, name, device, &copy) || !(copy.flags & kind)) return nullptr;
  const std::lock_guard lock(mutex_);
  for (const auto& known : all_) {
    if (known->module == &module && known->name == name && known->device == device) return known.get();
  }
  all_.push_back(std::make_unique<reference_handle>(reference_handle{&module, name, device, kind}));
  all_.back()->sampler.readMode = cudaReadModeNormalizedFloat;
  return all_.back().get();
}

reference_handle* reference_handles::create() {
  const std::lock_guard lock(mutex_);
  all_.push_back(std::make_unique<reference_handle>(
      reference_handle{nullptr, {}, current_device().index, cohort_variable_texture}));
  all_.back()->sampler.readMode = cudaReadModeNormalizedFloat;
  return all_.back().get();
}

bool reference_handles::destroy(const reference_handle* handle) {
  const std::lock_guard lock(mutex_);
  return std::erase_if(all_, [&](const auto& known) { return known.get() == handle && !known->module; }) > 0;
}

void reference_handles::drop(const cohort_module* module) {
  const std::lock_guard lock(mutex_);
  for (const auto& known : all_) {
    if (known->module == module && known->is_bound) unbind_reference(*known);
  }
  std::erase_if(all_, [&](const auto& known) { return known->module == module; });
}

CUresult bind_reference(reference_handle& handle, const cudaResourceDesc& resource, size_t offset) {
  const device_scope on(handle.device);
  if (const cudaError_t error = check_resource(handle, resource); error != cudaSuccess) return to_result(error);
  handle.resource = resource;
  handle.offset = offset;
  handle.is_bound = true;
  return rebind_reference(handle);
}

CUresult rebind_reference(reference_handle& handle) {
  if (!handle.is_bound || !handle.module) return CUDA_SUCCESS;
  const device_scope on(handle.device);
  variable copy;
  if (!find_copy(handle, &copy)) return CUDA_ERROR_INVALID_HANDLE;
  reference_table& table = reference_table::instance();
  if (handle.kind == cohort_variable_surface) return to_result(table.bind_surface(copy, handle.resource));
  cohort_texture content;
  const bool is_texture = describe_texture(handle.resource, handle.sampler, nullptr, &content) == cudaSuccess;
  return to_result(is_texture ? table.bind_texture(copy, handle.resource, handle.sampler, handle.offset)
                              : table.unbind(copy));
}

CUresult unbind_reference(reference_handle& handle) {
  variable copy;
  handle.is_bound = false;
  return !handle.module || !find_copy(handle, &copy) ? CUDA_SUCCESS
                                                     : to_result(reference_table::instance().unbind(copy));
}

void drop_references(const cohort_module* module, image_owner owner) {
  if (is_image(module, owner)) reference_handles::instance().drop(module);
}

}  // namespace cohort::runtime
