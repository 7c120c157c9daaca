// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/texture/reference_table.hpp"

#include <utility>

#include <cohort/machine/cpu/port/module.hpp>

#include "runtime/error/error.hpp"
#include "runtime/schedule/scheduler.hpp"
#include "runtime/state/device_state.hpp"
#include "runtime/texture/texture_content.hpp"

namespace cohort::runtime {

namespace {

// The word of a device's copy that holds the object; 0: not bound. A reset of the device makes it 0.
unsigned long long* word_of(const variable& copy) {
  const size_t offset = copy.flags & cohort_variable_texture ? offsetof(textureReference, cohort_object)
                                                             : offsetof(surfaceReference, cohort_object);
  return reinterpret_cast<unsigned long long*>(static_cast<char*>(copy.address) + offset);
}

bool find(const void* shadow, uint32_t kind, variable* copy) {
  const cudaError_t error = symbol_table::instance().find_variable(shadow, current_device().index, copy);
  return error == cudaSuccess && copy->flags & kind;
}

// Waits for the device, and returns the error of its earlier work.
cudaError_t wait_for(device_state& device) {
  scheduler::instance().wait_for_device(device);
  return take_failure(device);
}

}  // namespace

reference_table& reference_table::instance() {
  static reference_table* const table = new reference_table;
  return *table;
}

cudaError_t reference_table::find_texture(const void* shadow, variable* copy) {
  return find(shadow, cohort_variable_texture, copy) ? cudaSuccess : cudaErrorInvalidTexture;
}

cudaError_t reference_table::find_surface(const void* shadow, variable* copy) {
  return find(shadow, cohort_variable_surface, copy) ? cudaSuccess : cudaErrorInvalidSurface;
}

template <class Content>
cudaError_t reference_table::bind(const variable& copy, const Content& content, const object_description& described,
                                  size_t offset) {
  cudaError_t error = unbind(copy);
  unsigned long long* const word = word_of(copy);
  if (error == cudaSuccess) error = object_table::instance().add(content, described, word);
  if (error != cudaSuccess) return error;
  const std::lock_guard lock(mutex_);
  bindings_[word] = {*word, offset};
  return cudaSuccess;
}

cudaError_t reference_table::bind_texture(const variable& copy, const cudaResourceDesc& resource,
                                          const cudaTextureDesc& sampler, size_t offset) {
  cohort_texture content;
  const cudaError_t error = describe_texture(resource, sampler, nullptr, &content);
  return error != cudaSuccess ? error : bind(copy, content, {resource, sampler, {}}, offset);
}

cudaError_t reference_table::bind_surface(const variable& copy, const cudaResourceDesc& resource) {
  cohort_surface content;
  const cudaError_t error = describe_surface(resource, &content);
  return error != cudaSuccess ? error : bind(copy, content, {resource, {}, {}}, 0);
}

cudaError_t reference_table::unbind(const variable& copy) {
  const cudaError_t error = wait_for(device_at(copy.device));
  if (error != cudaSuccess) return error;
  const unsigned long long object = std::exchange(*word_of(copy), 0);
  if (object) object_table::instance().remove(object, (copy.flags & cohort_variable_texture) != 0);
  return cudaSuccess;
}

std::optional<size_t> reference_table::offset_of(const variable& copy) {
  const std::lock_guard lock(mutex_);
  const auto at = bindings_.find(word_of(copy));
  const bool is_bound = at != bindings_.end() && at->second.object == *word_of(copy);
  return is_bound ? std::optional(at->second.offset) : std::nullopt;
}

}  // namespace cohort::runtime
