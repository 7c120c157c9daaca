// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface objects: what kernels read, in memory of its own, and the descriptions that the program gave.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

#include <cohort/machine/cpu/port/texture.hpp>

#include "cuda_runtime_api.h"

namespace cohort::runtime {

struct object_description {
  cudaResourceDesc resource;
  std::optional<cudaTextureDesc> texture;  // none: a surface
  std::optional<cudaResourceViewDesc> view;
};

class object_table {
 public:
  // The only table. Made at the first use, never destroyed.
  static object_table& instance();

  // Copies the content to memory that kernels read; its address is the object.
  template <class Content>
  cudaError_t add(const Content& content, const object_description& described, unsigned long long* object) {
    return add(&content, sizeof content, described, object);
  }
  // Writes the description; false for anything but a live object.
  bool find(unsigned long long object, object_description* described);
  // The device of a live object, which may not be the current one; none for anything else.
  static std::optional<int> device_of(unsigned long long object);
  // Frees an object. False: there is none.
  bool remove(unsigned long long object, bool is_texture);

 private:
  cudaError_t add(const void* content, size_t bytes, const object_description& described, unsigned long long* object);

  std::mutex mutex_;
  std::map<unsigned long long, object_description> objects_;
};

}  // namespace cohort::runtime
