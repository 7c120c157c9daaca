// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/graph/model/user_object.hpp"

#include <thread>
#include <unordered_set>

namespace cohort::runtime {

namespace {

// All objects by their address. Never destroyed.
std::unordered_set<const void*>& known_objects() {
  static auto* const all = new std::unordered_set<const void*>;
  return *all;
}

}  // namespace

user_object* user_object::make(void* data, cudaHostFn_t destroy, unsigned count) {
  auto* const made = new user_object(data, destroy, count);
  known_objects().insert(made);
  return made;
}

user_object* user_object::find(cudaUserObject_t handle) {
  return known_objects().contains(handle) ? reinterpret_cast<user_object*>(handle) : nullptr;
}

// The program's function must not run under the scheduler's lock.
void user_object::release(unsigned long count) {
  count_ -= count;
  if (count_ > 0) return;
  known_objects().erase(this);
  std::thread(destroy_, data_).detach();
  delete this;
}

bool user_objects::remove(user_object& object, unsigned count) {
  const auto at = counts_.find(&object);
  if (at == counts_.end() || at->second < count) return false;
  at->second -= count;
  if (at->second == 0) counts_.erase(at);
  object.release(count);
  return true;
}

}  // namespace cohort::runtime
