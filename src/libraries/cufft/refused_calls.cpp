// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that need several devices, or a program's function inside of a transform.
#include <cufftXt.h>

#include "libraries/cufft/plan.hpp"

namespace cohort::cufft {
namespace {

cufftResult refuse_several_devices(const char* name, cufftHandle handle) {
  if (!find_plan(handle)) return CUFFT_INVALID_PLAN;
  return refuse(name, "a transform runs on one device; give each device a plan of its own");
}

cufftResult refuse_callback(const char* name) {
  return refuse(name, "transforms have no callbacks; launch a kernel before or after the transform");
}

}  // namespace
}  // namespace cohort::cufft

using namespace cohort::cufft;

extern "C" {

cufftResult cufftXtSetGPUs(cufftHandle plan, int, int* devices) {
  return devices ? refuse_several_devices("cufftXtSetGPUs", plan) : CUFFT_INVALID_VALUE;
}
cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc**, cufftXtSubFormat) {
  return refuse_several_devices("cufftXtMalloc", plan);
}
cufftResult cufftXtMemcpy(cufftHandle plan, void*, void*, cufftXtCopyType) {
  return refuse_several_devices("cufftXtMemcpy", plan);
}
// No descriptor exists that could be freed.
cufftResult cufftXtFree(cudaLibXtDesc* descriptor) { return descriptor ? CUFFT_INVALID_VALUE : CUFFT_SUCCESS; }
cufftResult cufftXtQueryPlan(cufftHandle plan, void*, cufftXtQueryType) {
  return refuse_several_devices("cufftXtQueryPlan", plan);
}
cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return refuse_several_devices("cufftXtExecDescriptor", plan);
}
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return refuse_several_devices("cufftXtExecDescriptorC2C", plan);
}
cufftResult cufftXtExecDescriptorR2C(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*) {
  return refuse_several_devices("cufftXtExecDescriptorR2C", plan);
}
cufftResult cufftXtExecDescriptorC2R(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*) {
  return refuse_several_devices("cufftXtExecDescriptorC2R", plan);
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*, int) {
  return refuse_several_devices("cufftXtExecDescriptorZ2Z", plan);
}
cufftResult cufftXtExecDescriptorD2Z(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*) {
  return refuse_several_devices("cufftXtExecDescriptorD2Z", plan);
}
cufftResult cufftXtExecDescriptorZ2D(cufftHandle plan, cudaLibXtDesc*, cudaLibXtDesc*) {
  return refuse_several_devices("cufftXtExecDescriptorZ2D", plan);
}

// As in NVIDIA's shared library, no handle is needed for this status.
cufftResult cufftXtSetCallback(cufftHandle, void**, cufftXtCallbackType, void**) {
  return refuse_callback("cufftXtSetCallback");
}
cufftResult cufftXtClearCallback(cufftHandle, cufftXtCallbackType) { return refuse_callback("cufftXtClearCallback"); }
cufftResult cufftXtSetCallbackSharedSize(cufftHandle plan, cufftXtCallbackType, size_t) {
  return find_plan(plan) ? refuse_callback("cufftXtSetCallbackSharedSize") : CUFFT_INVALID_PLAN;
}
cufftResult cufftXtSetJITCallback(cufftHandle plan, const char*, const void*, size_t, cufftXtCallbackType, void**) {
  return find_plan(plan) ? refuse_callback("cufftXtSetJITCallback") : CUFFT_INVALID_PLAN;
}

}  // extern "C"
