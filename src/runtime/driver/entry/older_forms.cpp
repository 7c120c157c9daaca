// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/entry/older_forms.hpp"

#include <cstdint>

#include "runtime/driver/call.hpp"

using namespace cohort::runtime;

namespace {

// The parameters of a kernel's node in the newest form.
class newer {
 public:
  explicit newer(const CUDA_KERNEL_NODE_PARAMS_v1* p) : is_given_(p != nullptr) {
    if (!p) return;
    made_ = {p->func,      p->gridDimX,       p->gridDimY,     p->gridDimZ, p->blockDimX, p->blockDimY,
             p->blockDimZ, p->sharedMemBytes, p->kernelParams, p->extra,    nullptr,      nullptr};
  }
  const CUDA_KERNEL_NODE_PARAMS* address() const { return is_given_ ? &made_ : nullptr; }

 private:
  bool is_given_;
  CUDA_KERNEL_NODE_PARAMS made_{};
};

CUresult read_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* read) {
  CUDA_KERNEL_NODE_PARAMS p;
  const CUresult error = cuGraphKernelNodeGetParams_v2(node, read ? &p : nullptr);
  if (error == CUDA_SUCCESS && read) {
    *read = {p.func,      p.gridDimX,  p.gridDimY,       p.gridDimZ,     p.blockDimX,
             p.blockDimY, p.blockDimZ, p.sharedMemBytes, p.kernelParams, p.extra};
  }
  return error;
}

// Leaves the log empty: the returned error is the reason.
CUresult instantiate(CUgraphExec* made, CUgraph graph, CUgraphNode* node, char* log, size_t bytes) {
  if (node) *node = nullptr;
  if (log && bytes > 0) *log = '\0';
  return cuGraphInstantiateWithFlags(made, graph, 0);
}

CUresult update(CUgraphExec graph, CUgraph from, CUgraphNode* node, CUgraphExecUpdateResult* result) {
  CUgraphExecUpdateResultInfo info{};
  const CUresult error = cuGraphExecUpdate_v2(graph, from, &info);
  if (node) *node = info.errorFromNode;
  if (result) *result = info.result;
  return error;
}

CUmemLocation location_of(CUdevice device) {
  if (device == CU_DEVICE_CPU) return {CU_MEM_LOCATION_TYPE_HOST, 0};
  return {CU_MEM_LOCATION_TYPE_DEVICE, device};
}

// The failed index is always SIZE_MAX: a refused batch makes no copy, whichever of its copies is wrong.
CUresult with_index(size_t* failed, CUresult error) {
  if (failed && error != CUDA_SUCCESS) *failed = SIZE_MAX;
  return error;
}

}  // namespace

// The header maps these names to the newest forms.
#undef cuGraphAddDependencies
#undef cuGraphAddKernelNode
#undef cuGraphAddNode
#undef cuGraphExecKernelNodeSetParams
#undef cuGraphExecUpdate
#undef cuGraphGetEdges
#undef cuGraphInstantiate
#undef cuGraphKernelNodeGetParams
#undef cuGraphKernelNodeSetParams
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphRemoveDependencies
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuMemcpy3DBatchAsync
#undef cuMemcpyBatchAsync
#undef cuStreamBeginCapture
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies

#define COHORT_CU_OLDER_FORM(name, symbol, version, parameters, newer) \
  extern "C" CUresult symbol parameters { return newer; }
#define COHORT_CU_OLDER_THREAD_FORM COHORT_CU_OLDER_FORM
#include "runtime/driver/entry/older_forms.inc"

namespace cohort::runtime {

namespace {

template <class Function>
void* address_of_form(Function* function) {
  return reinterpret_cast<void*>(function);
}

#define COHORT_CU_OLDER_FORM(name, symbol, version, parameters, newer) {#name, version, address_of_form(symbol)},
#define COHORT_CU_OLDER_THREAD_FORM(name, symbol, version, parameters, newer)
const entry_point forms[] = {

#include "runtime/driver/entry/older_forms.inc"

};

#define COHORT_CU_OLDER_FORM(name, symbol, version, parameters, newer)
#define COHORT_CU_OLDER_THREAD_FORM(name, symbol, version, parameters, newer) {#name, version, address_of_form(symbol)},
const entry_point thread_forms[] = {

#include "runtime/driver/entry/older_forms.inc"

};

}  // namespace

std::span<const entry_point> older_forms(bool of_thread) {
  return of_thread ? std::span<const entry_point>(thread_forms) : forms;
}

}  // namespace cohort::runtime
