// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects behind a library's handles. A program may destroy a handle twice, or one that never existed.
#pragma once

#include <memory>
#include <mutex>
#include <new>
#include <unordered_map>
#include <utility>

namespace cohort::libraries {

template <class Object>
class handle_table {
 public:
  // The only table of the type. Never destroyed, because destructors of the program use it.
  static handle_table& instance() {
    static auto* const table = new handle_table;
    return *table;
  }

  // Returns the handle of a new object, which `values` initialize; null if there is no memory.
  template <class... Values>
  Object* create(Values&&... values) noexcept {
    try {
      std::unique_ptr<Object> made(new Object{std::forward<Values>(values)...});
      Object* const handle = made.get();
      const std::lock_guard lock(mutex_);
      objects_.emplace(handle, std::move(made));
      return handle;
    } catch (const std::bad_alloc&) {
      return nullptr;
    }
  }

  // Removes an object. Null for a handle that does not exist.
  std::unique_ptr<Object> take(const Object* handle) {
    const std::lock_guard lock(mutex_);
    const auto at = objects_.find(handle);
    if (at == objects_.end()) return nullptr;
    std::unique_ptr<Object> taken = std::move(at->second);
    objects_.erase(at);
    return taken;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<const Object*, std::unique_ptr<Object>> objects_;
};

}  // namespace cohort::libraries
