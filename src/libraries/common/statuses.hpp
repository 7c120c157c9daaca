// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Statuses of a library: their texts, the statuses of errors, and those of calls that create, destroy, read or change
// the object behind a handle.
#pragma once

#include <driver_types.h>

#include <cstddef>
#include <type_traits>
#include <utility>

#include "libraries/common/handle_table.hpp"

namespace cohort::libraries {

template <class Status>
struct status_text {
  Status status;
  const char* name;
  const char* sentence;
};

// Finds the row of a status. The last row stands for all statuses that the table lacks.
template <class Status, size_t count>
const status_text<Status>& find_text(const status_text<Status> (&texts)[count], Status status) {
  size_t i = 0;
  while (i + 1 < count && texts[i].status != status) ++i;
  return texts[i];
}

// The statuses of one library.
template <class Status>
struct status_set {
  Status success, not_initialized, alloc_failed, invalid_value, execution_failed;

  constexpr Status of(cudaError_t error) const {
    switch (error) {
      case cudaSuccess:
        return success;
      case cudaErrorMemoryAllocation:
        return alloc_failed;
      default:
        return execution_failed;
    }
  }

  // Makes the object behind a handle. `values` initialize it.
  template <class Object, class... Values>
  Status create(Object** handle, Values&&... values) const {
    if (!handle) return invalid_value;
    *handle = handle_table<std::remove_cv_t<Object>>::instance().create(std::forward<Values>(values)...);
    return *handle ? success : alloc_failed;
  }
  // Destroys the object behind a handle. `unknown`: the status for a handle that does not exist.
  template <class Object>
  Status destroy(Object* handle, Status unknown) const {
    using objects = handle_table<std::remove_cv_t<Object>>;
    return objects::instance().take(handle) ? success : unknown;
  }

  // Reads or writes a member of the object behind a handle.
  template <class Object, class Member>
  Status get(const Object* handle, Member Object::* member, Member* value) const {
    if (!handle) return not_initialized;
    if (!value) return invalid_value;
    *value = handle->*member;
    return success;
  }
  template <class Object, class Member>
  Status set(Object* handle, Member Object::* member, Member value, bool is_valid = true) const {
    if (!handle) return not_initialized;
    if (!is_valid) return invalid_value;
    handle->*member = value;
    return success;
  }
};

}  // namespace cohort::libraries
