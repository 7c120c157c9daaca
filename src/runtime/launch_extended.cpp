// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cudaLaunchKernelExC: a launch with attributes.
#include <cstdio>

#include "error.hpp"
#include "launch.hpp"

namespace cohort::runtime {

namespace {

cudaError_t refuse(const char* attribute) {
  std::fprintf(stderr, "cohort: cudaLaunchKernelEx: the launch attribute %s is not supported\n", attribute);
  return cudaErrorNotSupported;
}

cudaError_t check_cluster(const char* attribute, unsigned x, unsigned y, unsigned z) {
  if (x == 0 || y == 0 || z == 0) return cudaErrorInvalidClusterSize;
  if (x == 1 && y == 1 && z == 1) return cudaSuccess;
  std::fprintf(
      stderr,
      "cohort: cudaLaunchKernelEx: %s is (%u, %u, %u), but this device has no thread block clusters of more than "
      "one block (cudaDevAttrClusterLaunch is 0)\n",
      attribute, x, y, z);
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
      return check_cluster("cudaLaunchAttributeClusterDimension", value.clusterDim.x, value.clusterDim.y,
                           value.clusterDim.z);
    case cudaLaunchAttributePreferredClusterDimension:
      return check_cluster("cudaLaunchAttributePreferredClusterDimension", value.preferredClusterDim.x,
                           value.preferredClusterDim.y, value.preferredClusterDim.z);
    // Hints: a kernel that starts only after its predecessor has ended keeps every promise that they make.
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

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t* config, const void* function, void** arguments) {
  return device_call([&] {
    if (!config || (config->numAttrs > 0 && !config->attrs)) return cudaErrorInvalidValue;
    launch_request request{function, config->gridDim, config->blockDim, arguments, config->dynamicSmemBytes,
                           config->stream};
    for (unsigned i = 0; i < config->numAttrs; ++i) {
      if (const cudaError_t error = apply(config->attrs[i], &request); error != cudaSuccess) return error;
    }
    return launch(request);
  });
}
