// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of kernels: cudaFuncGetAttributes, cudaFuncSetAttribute and related calls.
#include "runtime/launch/function_attributes.hpp"

#include <algorithm>
#include <cohort/base/round_up.hpp>

#include "runtime/launch/cluster.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

template <class Body>
cudaError_t function_call(const void* stub, Body&& body) {
  return device_call([&] {
    function* f = nullptr;
    const cudaError_t error = symbol_table::instance().find_function(stub, &f);
    return error != cudaSuccess ? error : body(*f);
  });
}

cudaError_t set_max_dynamic_shared(function& f, int device, int bytes) {
  const size_t most = cohort_device_get(device)->shared_per_block_optin;
  const size_t fixed = f.kernel->static_shared_bytes;
  if (bytes < 0 || fixed > most || static_cast<size_t>(bytes) > most - fixed) return cudaErrorInvalidValue;
  f.on(device).max_dynamic_shared = static_cast<size_t>(bytes);
  return cudaSuccess;
}

cudaError_t set_required_cluster(function& f, int device, int axis, int blocks) {
  const uint32_t* const compiled = f.kernel->cluster_dim;
  if (compiled[0] || compiled[1] || compiled[2]) return cudaErrorNotPermitted;  // __cluster_dims__ cannot be overridden
  if (blocks < 0) return cudaErrorInvalidValue;
  f.on(device).required_cluster[axis] = static_cast<uint32_t>(blocks);
  return cudaSuccess;
}

cudaError_t set_within(std::atomic<int>& setting, int value, int least, int most) {
  if (value < least || value > most) return cudaErrorInvalidValue;
  setting = value;
  return cudaSuccess;
}

void describe_cluster(function& f, int device, cudaFuncAttributes* attributes) {
  const extent required = required_cluster(f, device);
  const uint32_t* const compiled = f.kernel->cluster_dim;
  attributes->clusterDimMustBeSet = compiled[0] || compiled[1] || compiled[2];
  attributes->requiredClusterWidth = static_cast<int>(required.x);
  attributes->requiredClusterHeight = static_cast<int>(required.y);
  attributes->requiredClusterDepth = static_cast<int>(required.z);
  attributes->clusterSchedulingPolicyPreference = f.on(device).cluster_scheduling;
  attributes->nonPortableClusterSizeAllowed = f.on(device).non_portable_cluster;
}

}  // namespace

cudaFuncAttributes describe_function(function& f, int device) {
  const cohort_device& described = *cohort_device_get(device);
  const int version = f.kernel->architecture ? static_cast<int>(f.kernel->architecture)
                                             : described.compute_major * 10 + described.compute_minor;
  cudaFuncAttributes attributes{};
  attributes.sharedSizeBytes = f.kernel->static_shared_bytes;
  attributes.localSizeBytes = f.kernel->local_bytes;
  attributes.maxThreadsPerBlock =
      static_cast<int>(f.kernel->max_threads_per_block ? f.kernel->max_threads_per_block
                                                       : static_cast<uint32_t>(described.max_threads_per_block));
  // A CPU has no register file to divide. Programs divide by this number, which never limits the occupancy: a warp
  // takes registers in units of 8 for each of its lanes.
  constexpr int unit = 8;
  attributes.numRegs = described.registers_per_block / described.max_threads_per_sm / unit * unit;
  attributes.ptxVersion = version;
  attributes.binaryVersion = version;
  const function_settings& settings = f.on(device);
  attributes.maxDynamicSharedSizeBytes = static_cast<int>(settings.max_dynamic_shared);
  attributes.preferredShmemCarveout = settings.preferred_carveout;
  describe_cluster(f, device, &attributes);
  return attributes;
}

cudaError_t set_function_attribute(function& f, int device, cudaFuncAttribute attribute, int value) {
  function_settings& settings = f.on(device);
  switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
      return set_max_dynamic_shared(f, device, value);
    case cudaFuncAttributePreferredSharedMemoryCarveout:
      return set_within(settings.preferred_carveout, value, cudaSharedmemCarveoutDefault,
                        cudaSharedmemCarveoutMaxShared);
    case cudaFuncAttributeRequiredClusterWidth:
    case cudaFuncAttributeRequiredClusterHeight:
    case cudaFuncAttributeRequiredClusterDepth:
      return set_required_cluster(f, device, attribute - cudaFuncAttributeRequiredClusterWidth, value);
    case cudaFuncAttributeNonPortableClusterSizeAllowed:
      return set_within(settings.non_portable_cluster, value, 0, 1);
    // No effect: all blocks of a cluster are resident together under every policy.
    case cudaFuncAttributeClusterSchedulingPolicyPreference:
      return set_within(settings.cluster_scheduling, value, cudaClusterSchedulingPolicyDefault,
                        cudaClusterSchedulingPolicyLoadBalancing);
    case cudaFuncAttributeClusterDimMustBeSet:  // programs cannot set this attribute
    case cudaFuncAttributeMax:
      break;
  }
  return cudaErrorInvalidValue;
}

cudaError_t find_parameter(const function& f, size_t index, size_t* offset, size_t* bytes) {
  if (!offset || index >= f.kernel->parameter_count) return cudaErrorInvalidValue;
  // As in CUDA's parameter buffer, each parameter lies at a multiple of its alignment. The lowest set bit of the size
  // replaces the alignment.
  size_t at = 0;
  for (size_t i = 0; i <= index; ++i) {
    const size_t length = f.kernel->parameter_bytes[i];
    const size_t alignment = std::max<size_t>(1, std::min<size_t>(length & (~length + 1), 16));
    at = cohort::detail::round_up(at, alignment);
    if (i < index) at += length;
  }
  *offset = at;
  if (bytes) *bytes = f.kernel->parameter_bytes[index];
  return cudaSuccess;
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* stub) {
  return function_call(stub, [&](function& f) {
    if (!attributes) return cudaErrorInvalidValue;
    *attributes = describe_function(f, current_device().index);
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(const void* stub, cudaFuncAttribute attribute, int value) {
  return function_call(
      stub, [&](function& f) { return set_function_attribute(f, current_device().index, attribute, value); });
}

cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute attribute, int value, int device) {
  return function_call(kernel, [&](function& f) {
    return is_device(device) ? set_function_attribute(f, device, attribute, value) : cudaErrorInvalidDevice;
  });
}

// A CPU's caches cannot be configured: valid values are accepted and have no effect.
cudaError_t cudaFuncSetCacheConfig(const void* stub, cudaFuncCache config) {
  return function_call(stub, [&](function&) {
    return config < cudaFuncCachePreferNone || config > cudaFuncCachePreferEqual ? cudaErrorInvalidValue : cudaSuccess;
  });
}

cudaError_t cudaFuncSetSharedMemConfig(const void* stub, cudaSharedMemConfig config) {
  return function_call(stub, [&](function&) {
    const bool known = config >= cudaSharedMemBankSizeDefault && config <= cudaSharedMemBankSizeEightByte;
    return known ? cudaSuccess : cudaErrorInvalidValue;
  });
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t* handle, const void* stub) {
  return function_call(stub, [&](function& f) {
    if (!handle) return cudaErrorInvalidValue;
    *handle = reinterpret_cast<cudaFunction_t>(&f);
    return cudaSuccess;
  });
}

cudaError_t cudaGetKernel(cudaKernel_t* handle, const void* stub) {
  return cudaGetFuncBySymbol(reinterpret_cast<cudaFunction_t*>(handle), stub);
}

cudaError_t cudaFuncGetName(const char** name, const void* stub) {
  return function_call(stub, [&](function& f) {
    if (!name) return cudaErrorInvalidValue;
    *name = f.kernel->name;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncGetParamInfo(const void* stub, size_t index, size_t* offset, size_t* bytes) {
  return function_call(stub, [&](function& f) { return find_parameter(f, index, offset, bytes); });
}

cudaError_t cudaFuncGetParamCount(const void* stub, size_t* count) {
  return function_call(stub, [&](const function& f) {
    if (!count) return cudaErrorInvalidValue;
    *count = f.kernel->parameter_count;
    return cudaSuccess;
  });
}

}  // extern "C"
