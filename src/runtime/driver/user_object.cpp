// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// User objects of graphs, by the runtime API's calls.
#include "runtime/driver/call.hpp"

using namespace cohort::runtime;

extern "C" {

CUresult cuUserObjectCreate(CUuserObject* made, void* data, CUhostFn destroy, unsigned int count, unsigned int flags) {
  return ready_call([&] { return to_result(cudaUserObjectCreate(made, data, destroy, count, flags)); });
}

CUresult cuUserObjectRetain(CUuserObject object, unsigned int count) {
  return ready_call([&] { return to_result(cudaUserObjectRetain(object, count)); });
}

CUresult cuUserObjectRelease(CUuserObject object, unsigned int count) {
  return ready_call([&] { return to_result(cudaUserObjectRelease(object, count)); });
}

CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned int count, unsigned int flags) {
  return ready_call([&] { return to_result(cudaGraphRetainUserObject(graph, object, count, flags)); });
}

CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned int count) {
  return ready_call([&] { return to_result(cudaGraphReleaseUserObject(graph, object, count)); });
}

}  // extern "C"
