// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries of kernels that a running program loads, and kernels as handles. Included by cuda_runtime_api.h only.
#pragma once

// A library is an image from `cohortcc -fatbin`, `-cubin` or `-ptx`; GPU code is cudaErrorInvalidKernelImage, with a
// sentence on stderr and in the error log. Each load has its own variables. Images need no translation: of the options
// only the log buffers have an effect. The library option HostUniversalFunctionAndDataTable is cudaErrorNotSupported.
// Loading needs no device.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* library, const void* code, enum cudaJitOption* jitOptions,
                                void** jitOptionsValues, unsigned int numJitOptions,
                                enum cudaLibraryOption* libraryOptions, void** libraryOptionValues,
                                unsigned int numLibraryOptions);
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* library, const char* fileName, enum cudaJitOption* jitOptions,
                                    void** jitOptionsValues, unsigned int numJitOptions,
                                    enum cudaLibraryOption* libraryOptions, void** libraryOptionValues,
                                    unsigned int numLibraryOptions);
// Waits for all work, then unloads the library. cudaErrorNotPermitted for a translation unit of this program.
cudaError_t cudaLibraryUnload(cudaLibrary_t library);

// A kernel or a variable by its mangled name, static ones also by nvcc's; cudaErrorSymbolNotFound for others. A global
// variable is that of the current device.
cudaError_t cudaLibraryGetKernel(cudaKernel_t* pKernel, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetGlobal(void** dptr, size_t* bytes, cudaLibrary_t library, const char* name);
cudaError_t cudaLibraryGetManaged(void** dptr, size_t* bytes, cudaLibrary_t library, const char* name);
// Always cudaErrorSymbolNotFound for valid arguments: host and device code have different addresses.
cudaError_t cudaLibraryGetUnifiedFunction(void** fptr, cudaLibrary_t library, const char* symbol);
cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t lib);
// Writes up to `numKernels` kernels.
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int numKernels, cudaLibrary_t lib);

// The handle of a kernel of this program. Every call that takes a kernel accepts it, as it does a cudaFunction_t.
cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, const void* entryFuncAddr);
// Does what cudaFuncSetAttribute does, for any device.
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, enum cudaFuncAttribute attr, int value, int device);
