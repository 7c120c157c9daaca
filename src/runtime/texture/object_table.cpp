// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/texture/object_table.hpp"

#include <cstring>

#include "runtime/memory/allocation_table.hpp"
#include "runtime/state/device_state.hpp"

namespace cohort::runtime {

namespace {

bool is_object(const allocation& a) { return a.kind == memory_kind::object; }

void* memory_of(unsigned long long object) { return reinterpret_cast<void*>(static_cast<uintptr_t>(object)); }

}  // namespace

object_table& object_table::instance() {
  static object_table* const table = new object_table;
  return *table;
}

cudaError_t object_table::add(const void* content, size_t bytes, const object_description& described,
                              unsigned long long* object) {
  void* memory = nullptr;
  const cudaError_t error =
      allocation_table::instance().allocate(memory_kind::object, current_device().index, bytes, 0, nullptr, &memory);
  if (error != cudaSuccess) return error;
  std::memcpy(memory, content, bytes);
  *object = reinterpret_cast<uintptr_t>(memory);
  const std::lock_guard lock(mutex_);
  objects_[*object] = described;
  return cudaSuccess;
}

// Looks for the memory of the object, because a reset of its device frees that memory.
std::optional<int> object_table::device_of(unsigned long long object) {
  allocation known;
  const bool is_there = allocation_table::instance().find(memory_of(object), &known) && is_object(known);
  return is_there ? std::optional(known.device) : std::nullopt;
}

bool object_table::find(unsigned long long object, object_description* described) {
  const std::lock_guard lock(mutex_);
  const auto at = objects_.find(object);
  if (at == objects_.end() || !device_of(object)) return false;
  *described = at->second;
  return true;
}

bool object_table::remove(unsigned long long object, bool is_texture) {
  const std::lock_guard lock(mutex_);
  const auto at = objects_.find(object);
  if (at == objects_.end() || at->second.texture.has_value() != is_texture) return false;
  objects_.erase(at);
  allocation taken;
  if (!allocation_table::instance().take(memory_of(object), is_object, &taken)) return false;
  allocation_table::instance().release(taken);
  return true;
}

}  // namespace cohort::runtime
