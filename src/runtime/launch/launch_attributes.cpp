// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches with attributes: cudaLaunchKernelExC.

#include "runtime/error/log.hpp"
#include "runtime/launch/launch.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

cudaError_t refuse(const char* attribute) {
  say(cudaLogLevelError, "cudaLaunchKernelEx: the launch attribute %s is not supported: launch without it", attribute);
  return cudaErrorNotSupported;
}

cudaError_t apply(const cudaLaunchAttribute& attribute, launch_request* request) {
  const cudaLaunchAttributeValue& value = attribute.val;
  switch (attribute.id) {
    case cudaLaunchAttributeCooperative:
      request->cooperative = value.cooperative != 0;
      return cudaSuccess;
    case cudaLaunchAttributePriority:
      request->priority = value.priority;
      return cudaSuccess;
    case cudaLaunchAttributeClusterDimension:
      request->cluster.has_size = true;
      request->cluster.size = {value.clusterDim.x, value.clusterDim.y, value.clusterDim.z};
      return cudaSuccess;
    case cudaLaunchAttributePreferredClusterDimension:
      request->cluster.has_preferred = true;
      request->cluster.preferred = {value.preferredClusterDim.x, value.preferredClusterDim.y,
                                    value.preferredClusterDim.z};
      return cudaSuccess;
    // Hints. A kernel that starts after its predecessor has ended satisfies all of them.
    case cudaLaunchAttributeIgnore:
    case cudaLaunchAttributeAccessPolicyWindow:
    case cudaLaunchAttributeSynchronizationPolicy:
    case cudaLaunchAttributeClusterSchedulingPolicyPreference:
    case cudaLaunchAttributeProgrammaticStreamSerialization:
    case cudaLaunchAttributeMemSyncDomainMap:
    case cudaLaunchAttributeMemSyncDomain:
    case cudaLaunchAttributePreferredSharedMemoryCarveout:
    case cudaLaunchAttributeNvlinkUtilCentricScheduling:
      return cudaSuccess;
    case cudaLaunchAttributeProgrammaticEvent:
      return refuse("cudaLaunchAttributeProgrammaticEvent");
    case cudaLaunchAttributeLaunchCompletionEvent:
      return refuse("cudaLaunchAttributeLaunchCompletionEvent");
    case cudaLaunchAttributeDeviceUpdatableKernelNode:
      return refuse("cudaLaunchAttributeDeviceUpdatableKernelNode");
  }
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t apply_attributes(const cudaLaunchConfig_t& config, launch_request* request) {
  if (config.numAttrs > 0 && !config.attrs) return cudaErrorInvalidValue;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (const cudaError_t error = apply(config.attrs[i], request); error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return device_call([&] {
    if (!config) return cudaErrorInvalidValue;
    launch_request request{function,  config->gridDim,          config->blockDim,
                           arguments, config->dynamicSmemBytes, config->stream};
    const cudaError_t error = apply_attributes(*config, &request);
    return error != cudaSuccess ? error : launch(request);
  });
}
