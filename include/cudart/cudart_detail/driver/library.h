// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Driver API: libraries, their kernels, and the linker. Included by cuda.h only.
#pragma once

// See cudaLibraryLoadData and its neighbours. A CUkernel is a CUfunction too: launches and all calls of functions
// accept it. Needs no context, except for the module and the global variables of a library.
CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* jitOptions, void** jitOptionsValues,
                           unsigned int numJitOptions, CUlibraryOption* libraryOptions, void** libraryOptionValues,
                           unsigned int numLibraryOptions);
CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* fileName, CUjit_option* jitOptions,
                               void** jitOptionsValues, unsigned int numJitOptions, CUlibraryOption* libraryOptions,
                               void** libraryOptionValues, unsigned int numLibraryOptions);
CUresult cuLibraryUnload(CUlibrary library);
CUresult cuLibraryGetKernel(CUkernel* pKernel, CUlibrary library, const char* name);
CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary lib);
CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int numKernels, CUlibrary lib);
// cuModuleUnload of this module is CUDA_ERROR_NOT_PERMITTED.
CUresult cuLibraryGetModule(CUmodule* pMod, CUlibrary library);
CUresult cuLibraryGetGlobal(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name);
CUresult cuLibraryGetManaged(CUdeviceptr* dptr, size_t* bytes, CUlibrary library, const char* name);
CUresult cuLibraryGetUnifiedFunction(void** fptr, CUlibrary library, const char* symbol);

CUresult cuKernelGetFunction(CUfunction* pFunc, CUkernel kernel);
// The library of a kernel of this program is its translation unit, which cannot be unloaded.
CUresult cuKernelGetLibrary(CUlibrary* pLib, CUkernel kernel);
CUresult cuKernelGetName(const char** name, CUkernel hfunc);
CUresult cuKernelGetParamInfo(CUkernel kernel, size_t paramIndex, size_t* paramOffset, size_t* paramSize);
CUresult cuKernelGetParamCount(CUkernel kernel, size_t* paramCount);
CUresult cuKernelGetAttribute(int* pi, CUfunction_attribute attrib, CUkernel kernel, CUdevice dev);
CUresult cuKernelSetAttribute(CUfunction_attribute attrib, int val, CUkernel kernel, CUdevice dev);
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice dev);

// The linker takes one image, which is linked already, and cuLinkComplete returns its bytes until cuLinkDestroy. A
// second image and object files are CUDA_ERROR_NOT_SUPPORTED, PTX is CUDA_ERROR_INVALID_PTX, and other GPU code
// CUDA_ERROR_INVALID_IMAGE, each with a sentence in the error log and on stderr.
CUresult cuLinkCreate(unsigned int numOptions, CUjit_option* options, void** optionValues, CUlinkState* stateOut);
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, size_t size, const char* name,
                       unsigned int numOptions, CUjit_option* options, void** optionValues);
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned int numOptions,
                       CUjit_option* options, void** optionValues);
CUresult cuLinkComplete(CUlinkState state, void** cubinOut, size_t* sizeOut);
CUresult cuLinkDestroy(CUlinkState state);

#define cuLinkCreate_v2 cuLinkCreate
#define cuLinkAddData_v2 cuLinkAddData
#define cuLinkAddFile_v2 cuLinkAddFile
