// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that take the kernel's type. Included by cuda_runtime.h only.
#pragma once

#include <stdlib.h>

#include <utility>

template <class T>
inline cudaError_t cudaLaunchKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0,
                                    cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(func), gridDim, blockDim, args, sharedMem, stream);
}

template <class T>
inline cudaError_t cudaLaunchCooperativeKernel(T* func, dim3 gridDim, dim3 blockDim, void** args, size_t sharedMem = 0,
                                               cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(func), gridDim, blockDim, args, sharedMem, stream);
}

// Converts the arguments to the kernel's parameters before it copies them.
template <class... Parameters, class... Arguments>
inline cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                                      Arguments&&... args) {
  return [&](Parameters... converted) {
    void* pointers[] = {const_cast<void*>(static_cast<const volatile void*>(__builtin_addressof(converted)))...,
                        nullptr};
    return ::cudaLaunchKernelExC(config, reinterpret_cast<const void*>(kernel), pointers);
  }(std::forward<Arguments>(args)...);
}

template <class T>
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attr, T* entry) {
  return ::cudaFuncGetAttributes(attr, reinterpret_cast<const void*>(entry));
}

template <class T>
inline cudaError_t cudaFuncSetAttribute(T* func, cudaFuncAttribute attr, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(func), attr, value);
}

template <class T>
inline cudaError_t cudaFuncSetCacheConfig(T* func, cudaFuncCache cacheConfig) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(func), cacheConfig);
}

template <class T>
inline cudaError_t cudaFuncSetSharedMemConfig(T* func, cudaSharedMemConfig config) {
  return ::cudaFuncSetSharedMemConfig(reinterpret_cast<const void*>(func), config);
}

template <class T>
inline cudaError_t cudaGetFuncBySymbol(cudaFunction_t* functionPtr, T* symbol) {
  return ::cudaGetFuncBySymbol(functionPtr, reinterpret_cast<const void*>(symbol));
}

template <class T>
inline cudaError_t cudaGetKernel(cudaKernel_t* kernelPtr, T* entryFuncAddr) {
  return ::cudaGetKernel(kernelPtr, reinterpret_cast<const void*>(entryFuncAddr));
}

template <class T>
inline cudaError_t cudaLibraryGetGlobal(T** dptr, size_t* bytes, cudaLibrary_t library, const char* name) {
  return ::cudaLibraryGetGlobal(reinterpret_cast<void**>(dptr), bytes, library, name);
}

template <class T>
inline cudaError_t cudaLibraryGetManaged(T** dptr, size_t* bytes, cudaLibrary_t library, const char* name) {
  return ::cudaLibraryGetManaged(reinterpret_cast<void**>(dptr), bytes, library, name);
}

template <class T>
inline cudaError_t cudaLibraryGetUnifiedFunction(T** fptr, cudaLibrary_t library, const char* symbol) {
  return ::cudaLibraryGetUnifiedFunction(reinterpret_cast<void**>(fptr), library, symbol);
}

template <class T>
inline cudaError_t cudaFuncGetName(const char** name, T* func) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void*>(func));
}

// The function that `kernel<<<...>>>(...)` compiles to in host code, beside cudaLaunchKernel. Not for users.
// device/launches.h has the one of device code.
#if !defined(__CUDA_ARCH__)
extern "C" unsigned int __cudaPushCallConfiguration(dim3 gridDim, dim3 blockDim = 1, size_t sharedMem = 0,
                                                    struct CUstream_st* stream = 0);
#endif
extern "C" cudaError_t __cudaPopCallConfiguration(dim3* gridDim, dim3* blockDim, size_t* sharedMem, void* stream);
