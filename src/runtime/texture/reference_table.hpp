// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references. Each device has a copy of one, as of a __device__ variable, in which kernels read the
// object that it is bound to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include "cuda_runtime_api.h"
#include "runtime/module/symbol_table.hpp"
#include "runtime/texture/object_table.hpp"

namespace cohort::runtime {

class reference_table {
 public:
  // The only table. Made at the first use, never destroyed.
  static reference_table& instance();

  // Finds the current device's copy of the reference that the host has at `shadow`. cudaErrorInvalidTexture or
  // cudaErrorInvalidSurface for any other address.
  static cudaError_t find_texture(const void* shadow, variable* copy);
  static cudaError_t find_surface(const void* shadow, variable* copy);

  // Binds a copy to a texture of the current device, whose first texel is `offset` bytes before the program's memory.
  // Waits for the device: kernels that were launched before the call read the previous binding.
  cudaError_t bind_texture(const variable& copy, const cudaResourceDesc& resource, const cudaTextureDesc& sampler,
                           size_t offset);
  cudaError_t bind_surface(const variable& copy, const cudaResourceDesc& resource);
  cudaError_t unbind(const variable& copy);
  // The offset with which a copy was bound; none if the copy is not bound.
  std::optional<size_t> offset_of(const variable& copy);

 private:
  struct binding {
    unsigned long long object;
    size_t offset;
  };
  template <class Content>
  cudaError_t bind(const variable& copy, const Content& content, const object_description& described, size_t offset);

  std::mutex mutex_;
  std::map<const unsigned long long*, binding> bindings_;  // key: address of the object's word in a device's copy
};

}  // namespace cohort::runtime
