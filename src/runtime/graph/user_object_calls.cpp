// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls of user objects.
#include <climits>

#include "runtime/graph/model/graph_call.hpp"
#include "runtime/graph/model/user_object.hpp"

namespace cohort::runtime {

namespace {

bool is_count(unsigned count) { return count > 0 && count <= INT_MAX; }

// Calls `body(user_object&)` under the scheduler's lock. cudaErrorInvalidValue for an unknown handle.
template <class Body>
cudaError_t with_object(cudaUserObject_t handle, unsigned count, Body&& body) {
  return host_call([&] {
    auto held = scheduler::instance().lock();
    user_object* const found = user_object::find(handle);
    return found && is_count(count) ? body(*found) : cudaErrorInvalidValue;
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaUserObjectCreate(cudaUserObject_t* made, void* data, cudaHostFn_t destroy, unsigned int count,
                                 unsigned int flags) {
  return host_call([&] {
    if (!made || !destroy || !is_count(count) || flags != cudaUserObjectNoDestructorSync) return cudaErrorInvalidValue;
    auto held = scheduler::instance().lock();
    *made = user_object::make(data, destroy, count)->handle();
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t handle, unsigned int count) {
  return with_object(handle, count, [&](user_object& object) {
    object.retain(count);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t handle, unsigned int count) {
  return with_object(handle, count, [&](user_object& object) {
    if (count > object.count()) return cudaErrorInvalidValue;
    object.release(count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object_handle, unsigned int count,
                                      unsigned int flags) {
  return with_object(object_handle, count, [&](user_object& object) {
    graph* const g = find_graph(handle);
    if (!g || (flags & ~static_cast<unsigned>(cudaGraphUserObjectMove))) return cudaErrorInvalidValue;
    const bool moves = flags & cudaGraphUserObjectMove;
    if (moves && count > object.count()) return cudaErrorInvalidValue;
    if (!moves) object.retain(count);
    g->objects.add(object, count);
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object_handle, unsigned int count) {
  return with_object(object_handle, count, [&](user_object& object) {
    graph* const g = find_graph(handle);
    return g && g->objects.remove(object, count) ? cudaSuccess : cudaErrorInvalidValue;
  });
}

}  // extern "C"
