// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver API: modules, functions, launches, occupancy. Included by cuda.h only.
#pragma once

// The module of a kernel of this program is its translation unit. It has kernels and variables by their mangled names,
// static ones also by nvcc's (`static __constant__ int table` is "table"); CUDA_ERROR_NOT_FOUND for others. A variable
// is that of the current context's device.
CUresult cuFuncGetModule(CUmodule* hmod, CUfunction hfunc);
CUresult cuModuleGetFunction(CUfunction* hfunc, CUmodule hmod, const char* name);
CUresult cuModuleGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUmodule hmod, const char* name);
// An image is a file from `cohortcc -fatbin`, `-cubin` or `-ptx`. PTX and the cubins of nvcc are GPU code: they return
// CUDA_ERROR_INVALID_IMAGE, with a sentence on stderr. Each load makes a module with its own variables. Modules of this
// program cannot be unloaded (CUDA_ERROR_NOT_PERMITTED). Of the options of cuModuleLoadDataEx only the log buffers have
// an effect: the error log has the sentence.
CUresult cuModuleLoad(CUmodule* module, const char* fname);
CUresult cuModuleLoadData(CUmodule* module, const void* image);
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int numOptions, CUjit_option* options,
                            void** optionValues);
CUresult cuModuleLoadFatBinary(CUmodule* module, const void* fatCubin);
CUresult cuModuleUnload(CUmodule hmod);
// Writes CU_MODULE_EAGER_LOADING: images are loaded as a whole.
CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode);
CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule mod);
// Writes up to `numFunctions` functions.
CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int numFunctions, CUmodule mod);

CUresult cuFuncGetAttribute(int* pi, CUfunction_attribute attrib, CUfunction hfunc);
CUresult cuFuncSetAttribute(CUfunction hfunc, CUfunction_attribute attrib, int value);
// A CPU's caches and shared memory cannot be configured: valid values have no effect.
CUresult cuFuncSetCacheConfig(CUfunction hfunc, CUfunc_cache config);
CUresult cuFuncSetSharedMemConfig(CUfunction hfunc, CUsharedconfig config);
// A module is loaded as a whole, so its functions always are.
CUresult cuFuncIsLoaded(CUfunctionLoadingState* state, CUfunction function);
CUresult cuFuncLoad(CUfunction function);
CUresult cuFuncGetName(const char** name, CUfunction hfunc);
CUresult cuFuncGetParamInfo(CUfunction func, size_t paramIndex, size_t* paramOffset, size_t* paramSize);
CUresult cuFuncGetParamCount(CUfunction func, size_t* paramCount);

// `kernelParams` has one pointer for each parameter. Or `extra` names one buffer with all of them
// (CU_LAUNCH_PARAM_BUFFER_POINTER, _SIZE, _END), each at the offset that cuFuncGetParamInfo returns. The stream must
// belong to the current context's device. The rules and numbers are those of cudaLaunchKernel, with
// CUDA_ERROR_INVALID_VALUE for a bad grid or block and CUDA_ERROR_INVALID_HANDLE for a bad function.
CUresult cuLaunchKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                        unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                        unsigned int sharedMemBytes, CUstream hStream, void** kernelParams, void** extra);
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction f, void** kernelParams, void** extra);
CUresult cuLaunchCooperativeKernel(CUfunction f, unsigned int gridDimX, unsigned int gridDimY, unsigned int gridDimZ,
                                   unsigned int blockDimX, unsigned int blockDimY, unsigned int blockDimZ,
                                   unsigned int sharedMemBytes, CUstream hStream, void** kernelParams);
// Launches as before CUDA 4, which CUDA deprecates: a function keeps its block shape, its dynamic shared memory and the
// bytes of its parameters for its next launches.
CUresult cuFuncSetBlockShape(CUfunction hfunc, int x, int y, int z);
CUresult cuFuncSetSharedSize(CUfunction hfunc, unsigned int bytes);
CUresult cuParamSetSize(CUfunction hfunc, unsigned int numbytes);
CUresult cuParamSeti(CUfunction hfunc, int offset, unsigned int value);
CUresult cuParamSetf(CUfunction hfunc, int offset, float value);
CUresult cuParamSetv(CUfunction hfunc, int offset, void* ptr, unsigned int numbytes);
// Only checks its arguments: a kernel reads through the references of its module without this call.
CUresult cuParamSetTexRef(CUfunction hfunc, int texunit, CUtexref hTexRef);
CUresult cuLaunch(CUfunction f);
CUresult cuLaunchGrid(CUfunction f, int grid_width, int grid_height);
CUresult cuLaunchGridAsync(CUfunction f, int grid_width, int grid_height, CUstream hStream);
// See cudaLaunchCooperativeKernelMultiDevice.
CUresult cuLaunchCooperativeKernelMultiDevice(CUDA_LAUNCH_PARAMS* launchParamsList, unsigned int numDevices,
                                              unsigned int flags);
CUresult cuLaunchHostFunc(CUstream hStream, CUhostFn fn, void* userData);
CUresult cuLaunchHostFunc_v2(CUstream hStream, CUhostFn fn, void* userData, unsigned int syncMode);

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* numBlocks, CUfunction func, int blockSize,
                                                     size_t dynamicSMemSize);
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* numBlocks, CUfunction func, int blockSize,
                                                              size_t dynamicSMemSize, unsigned int flags);
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t* dynamicSmemSize, CUfunction func, int numBlocks,
                                                 int blockSize);
// The block size with which an SM holds the most threads. If `blockSizeToDynamicSMemSize` is null, every block has
// `dynamicSMemSize`. `blockSizeLimit` 0 means no limit.
CUresult cuOccupancyMaxPotentialBlockSize(int* minGridSize, int* blockSize, CUfunction func,
                                          CUoccupancyB2DSize blockSizeToDynamicSMemSize, size_t dynamicSMemSize,
                                          int blockSizeLimit);
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* minGridSize, int* blockSize, CUfunction func,
                                                   CUoccupancyB2DSize blockSizeToDynamicSMemSize,
                                                   size_t dynamicSMemSize, int blockSizeLimit, unsigned int flags);
CUresult cuOccupancyMaxActiveClusters(int* numClusters, CUfunction func, const CUlaunchConfig* config);
CUresult cuOccupancyMaxPotentialClusterSize(int* clusterSize, CUfunction func, const CUlaunchConfig* config);

#define cuModuleGetGlobal_v2 cuModuleGetGlobal
