/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 * NVML on the CPU: what programs ask about a device besides CUDA. Devices are those of this process, so that
 * CUDA_VISIBLE_DEVICES selects them, which it does not for NVIDIA's library. What only hardware has, such as a
 * temperature, is NVML_ERROR_NOT_SUPPORTED. Functions may be called from any thread, between nvmlInit() and
 * nvmlShutdown(). */
#pragma once

#include <cohort/base/user_macros/off.hpp>

#define NVML_API_VERSION 13
#define NVML_API_VERSION_STR "13"

/* The names of CUDA 13's header are those of the newest forms. */
#define nvmlInit nvmlInit_v2
#define nvmlDeviceGetCount nvmlDeviceGetCount_v2
#define nvmlDeviceGetHandleByIndex nvmlDeviceGetHandleByIndex_v2
#define nvmlDeviceGetHandleByPciBusId nvmlDeviceGetHandleByPciBusId_v2
#define nvmlDeviceGetPciInfo nvmlDeviceGetPciInfo_v3
#define nvmlDeviceGetComputeRunningProcesses nvmlDeviceGetComputeRunningProcesses_v3
#define nvmlDeviceGetGraphicsRunningProcesses nvmlDeviceGetGraphicsRunningProcesses_v3
#define nvmlDeviceGetMPSComputeRunningProcesses nvmlDeviceGetMPSComputeRunningProcesses_v3

#include "cudart_detail/nvml/types.inc"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes the other functions usable. Calls are counted: as many of nvmlShutdown() end it. */
nvmlReturn_t nvmlInit_v2(void);
/* nvmlInit() with `flags`, NVML_INIT_FLAG_*, which change nothing here. */
nvmlReturn_t nvmlInitWithFlags(unsigned int flags);
nvmlReturn_t nvmlShutdown(void);
/* The text of a result, for unknown numbers too. Needs no nvmlInit(). */
const char* nvmlErrorString(nvmlReturn_t result);

/* Versions. Texts are written with their end; NVML_ERROR_INSUFFICIENT_SIZE if `length` is too small for that. */
nvmlReturn_t nvmlSystemGetDriverVersion(char* version, unsigned int length);
nvmlReturn_t nvmlSystemGetNVMLVersion(char* version, unsigned int length);
nvmlReturn_t nvmlSystemGetCudaDriverVersion(int* version);    /* 1000 * major + 10 * minor */
nvmlReturn_t nvmlSystemGetCudaDriverVersion_v2(int* version); /* the same */
/* The name of a process of this machine, cut to `length`; NVML_ERROR_NOT_FOUND if there is none. */
nvmlReturn_t nvmlSystemGetProcessName(unsigned int pid, char* name, unsigned int length);

/* Handles. They stay valid while the process runs. NVML_ERROR_NOT_FOUND if no device has the identifier. */
nvmlReturn_t nvmlDeviceGetCount_v2(unsigned int* count);
nvmlReturn_t nvmlDeviceGetHandleByIndex_v2(unsigned int index, nvmlDevice_t* device);
nvmlReturn_t nvmlDeviceGetHandleByUUID(const char* uuid, nvmlDevice_t* device);
nvmlReturn_t nvmlDeviceGetHandleByPciBusId_v2(const char* bus_id, nvmlDevice_t* device);

/* Properties of a device: the values of cudaGetDeviceProperties(). */
nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned int* index);
nvmlReturn_t nvmlDeviceGetMinorNumber(nvmlDevice_t device, unsigned int* number);
nvmlReturn_t nvmlDeviceGetName(nvmlDevice_t device, char* name, unsigned int length);
nvmlReturn_t nvmlDeviceGetUUID(nvmlDevice_t device, char* uuid, unsigned int length);
nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t* pci);
nvmlReturn_t nvmlDeviceGetBrand(nvmlDevice_t device, nvmlBrandType_t* brand); /* NVML_BRAND_UNKNOWN */
nvmlReturn_t nvmlDeviceGetArchitecture(nvmlDevice_t device, nvmlDeviceArchitecture_t* architecture);
nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int* major, int* minor);
nvmlReturn_t nvmlDeviceGetMultiGpuBoard(nvmlDevice_t device, unsigned int* is_multi_gpu); /* 0 */
nvmlReturn_t nvmlDeviceGetComputeMode(nvmlDevice_t device, nvmlComputeMode_t* mode);
nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, nvmlEnableState_t* mode); /* enabled */
/* Clocks in MHz, and the width of the memory's bus in bits. NVML_ERROR_NOT_SUPPORTED for NVML_CLOCK_VIDEO, and for what
 * the device's properties do not know. */
nvmlReturn_t nvmlDeviceGetClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* mhz);
nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, nvmlClockType_t type, unsigned int* mhz);
nvmlReturn_t nvmlDeviceGetMemoryBusWidth(nvmlDevice_t device, unsigned int* bits);

/* Memory in bytes, as cudaMemGetInfo() counts it. _v2 needs `memory->version` = nvmlMemory_v2. */
nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t* memory);
nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t* memory);
/* This process, where it holds memory of the device. `count`: in, the room of `processes`; out, the number of
 * processes. NVML_ERROR_INSUFFICIENT_SIZE if the room is too small. */
nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* count,
                                                     nvmlProcessInfo_t* processes);
/* No process. */
nvmlReturn_t nvmlDeviceGetGraphicsRunningProcesses_v3(nvmlDevice_t device, unsigned int* count,
                                                      nvmlProcessInfo_t* processes);
nvmlReturn_t nvmlDeviceGetMPSComputeRunningProcesses_v3(nvmlDevice_t device, unsigned int* count,
                                                        nvmlProcessInfo_t* processes);

/* Devices beside each other: all lie on one board and reach each other's memory. */
nvmlReturn_t nvmlDeviceGetTopologyCommonAncestor(nvmlDevice_t first, nvmlDevice_t second,
                                                 nvmlGpuTopologyLevel_t* level);
nvmlReturn_t nvmlDeviceGetP2PStatus(nvmlDevice_t first, nvmlDevice_t second, nvmlGpuP2PCapsIndex_t capability,
                                    nvmlGpuP2PStatus_t* status);
nvmlReturn_t nvmlDeviceOnSameBoard(nvmlDevice_t first, nvmlDevice_t second, int* is_same);
/* The processors that this process may use, a bit each, in `size` words. */
nvmlReturn_t nvmlDeviceGetCpuAffinity(nvmlDevice_t device, unsigned int size, unsigned long* processors);

/* Functions for what a virtual device does not have: NVML_ERROR_NOT_SUPPORTED, and nothing is written. */
#define COHORT_NVML_REFUSED(name, ...) nvmlReturn_t name(nvmlDevice_t, __VA_ARGS__);
#define COHORT_NVML_REFUSED_ALONE(name) nvmlReturn_t name(nvmlDevice_t);
#include "cudart_detail/nvml/refused_calls.inc"
#undef COHORT_NVML_REFUSED
#undef COHORT_NVML_REFUSED_ALONE

#ifdef __cplusplus
}
#endif

#include <cohort/base/user_macros/on.hpp>
