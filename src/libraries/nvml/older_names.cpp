// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The older forms of functions, which programs that open the library by name still ask for. <nvml.h> makes their names
// those of the newest forms.
#include "libraries/nvml/nvml.hpp"

#undef nvmlInit
#undef nvmlDeviceGetCount
#undef nvmlDeviceGetHandleByIndex
#undef nvmlDeviceGetHandleByPciBusId
#undef nvmlDeviceGetPciInfo
#undef nvmlDeviceGetComputeRunningProcesses
#undef nvmlDeviceGetGraphicsRunningProcesses
#undef nvmlDeviceGetMPSComputeRunningProcesses

extern "C" {

nvmlReturn_t nvmlInit() { return nvmlInit_v2(); }
nvmlReturn_t nvmlDeviceGetCount(unsigned int* count) { return nvmlDeviceGetCount_v2(count); }
nvmlReturn_t nvmlDeviceGetHandleByIndex(unsigned int index, nvmlDevice_t* device) {
  return nvmlDeviceGetHandleByIndex_v2(index, device);
}
nvmlReturn_t nvmlDeviceGetHandleByPciBusId(const char* bus_id, nvmlDevice_t* device) {
  return nvmlDeviceGetHandleByPciBusId_v2(bus_id, device);
}

// The second form has the layout of the third one.
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v2(nvmlDevice_t device, unsigned int* count,
                                                     nvmlProcessInfo_t* processes) {
  return nvmlDeviceGetComputeRunningProcesses_v3(device, count, processes);
}
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v2(nvmlDevice_t device, unsigned int* count,
                                                      nvmlProcessInfo_t* processes) {
  return nvmlDeviceGetGraphicsRunningProcesses_v3(device, count, processes);
}

// A process of the first form has two fields.
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses(nvmlDevice_t device, unsigned int* count,
                                                  nvmlProcessInfo_v1_t* processes) {
  nvmlProcessInfo_t found;
  const nvmlReturn_t result = nvmlDeviceGetComputeRunningProcesses_v3(device, count, processes ? &found : nullptr);
  if (result == NVML_SUCCESS && *count != 0) *processes = {found.pid, found.usedGpuMemory};
  return result;
}
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses(nvmlDevice_t device, unsigned int* count, nvmlProcessInfo_v1_t*) {
  return nvmlDeviceGetGraphicsRunningProcesses_v3(device, count, nullptr);
}

}  // extern "C"
