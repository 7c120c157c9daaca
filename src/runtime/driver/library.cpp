// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries, by the runtime API's calls, and kernels as handles that need no context. A CUlibrary is a CUmodule, and a
// CUkernel is a CUfunction.
#include "runtime/driver/function_attribute.hpp"
#include "runtime/driver/function_handle.hpp"
#include "runtime/driver/reference_handles.hpp"
#include "runtime/image/library_calls.hpp"
#include "runtime/launch/function_attributes.hpp"

namespace cohort::runtime {

namespace {

// Runs `body`, a call of the runtime API that needs no device.
template <class Body>
CUresult library_call(Body&& body) {
  return ready_call([&] { return to_result(body()); });
}

library_load_options options_of(CUjit_option* jit, void** jit_values, unsigned jit_count, CUlibraryOption* library,
                                void** library_values, unsigned library_count) {
  return {reinterpret_cast<cudaJitOption*>(jit),         jit_values,     jit_count,
          reinterpret_cast<cudaLibraryOption*>(library), library_values, library_count};
}

// Calls `body(function&)`. CUDA_ERROR_INVALID_HANDLE for an unknown kernel.
template <class Body>
CUresult kernel_call(CUkernel handle, Body&& body) {
  return ready_call([&] { return with_function(handle, body); });
}

// Calls `body(function&)` if the device exists.
template <class Body>
CUresult kernel_call(CUkernel handle, CUdevice device, Body&& body) {
  return kernel_call(handle, [&](function& f) { return is_device(device) ? body(f) : CUDA_ERROR_INVALID_DEVICE; });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuLibraryLoadData(CUlibrary* library, const void* code, CUjit_option* options, void** values,
                           unsigned int count, CUlibraryOption* library_options, void** library_values,
                           unsigned int library_count) {
  return library_call([&] {
    return load_library("cuLibraryLoadData", library, code,
                        options_of(options, values, count, library_options, library_values, library_count));
  });
}

CUresult cuLibraryLoadFromFile(CUlibrary* library, const char* path, CUjit_option* options, void** values,
                               unsigned int count, CUlibraryOption* library_options, void** library_values,
                               unsigned int library_count) {
  return library_call([&] {
    return load_library_file("cuLibraryLoadFromFile", library, path,
                             options_of(options, values, count, library_options, library_values, library_count));
  });
}

CUresult cuLibraryUnload(CUlibrary library) {
  return library_call([&] {
    drop_references(reinterpret_cast<const cohort_module*>(library), image_owner::library);
    return cudaLibraryUnload(library);
  });
}

CUresult cuLibraryGetKernel(CUkernel* kernel, CUlibrary library, const char* name) {
  return library_call([&] { return cudaLibraryGetKernel(kernel, library, name); });
}

CUresult cuLibraryGetKernelCount(unsigned int* count, CUlibrary library) {
  return library_call([&] { return cudaLibraryGetKernelCount(count, library); });
}

CUresult cuLibraryEnumerateKernels(CUkernel* kernels, unsigned int most, CUlibrary library) {
  return library_call([&] { return cudaLibraryEnumerateKernels(kernels, most, library); });
}

CUresult cuLibraryGetModule(CUmodule* module, CUlibrary library) {
  return context_call([&] {
    if (!module) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(reinterpret_cast<const cohort_module*>(library))) {
      return CUDA_ERROR_INVALID_HANDLE;
    }
    *module = reinterpret_cast<CUmodule>(library);
    return CUDA_SUCCESS;
  });
}

CUresult cuLibraryGetGlobal(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return runtime_call([&] {
    void* found = nullptr;
    const cudaError_t error = cudaLibraryGetGlobal(&found, bytes, library, name);
    if (error == cudaSuccess && address) *address = address_of(found);
    return error;
  });
}

CUresult cuLibraryGetManaged(CUdeviceptr* address, size_t* bytes, CUlibrary library, const char* name) {
  return library_call([&] {
    void* found = nullptr;
    const cudaError_t error = cudaLibraryGetManaged(&found, bytes, library, name);
    if (error == cudaSuccess && address) *address = address_of(found);
    return error;
  });
}

CUresult cuLibraryGetUnifiedFunction(void** function, CUlibrary library, const char* name) {
  return library_call([&] { return cudaLibraryGetUnifiedFunction(function, library, name); });
}

CUresult cuKernelGetFunction(CUfunction* function, CUkernel kernel) {
  return context_call([&] {
    if (!function) return CUDA_ERROR_INVALID_VALUE;
    return kernel_call(kernel, [&](auto& f) {
      *function = reinterpret_cast<CUfunction>(&f);
      return CUDA_SUCCESS;
    });
  });
}

CUresult cuKernelGetLibrary(CUlibrary* library, CUkernel kernel) {
  return kernel_call(kernel, [&](function& f) {
    if (!library) return CUDA_ERROR_INVALID_VALUE;
    *library = reinterpret_cast<CUlibrary>(const_cast<cohort_module*>(symbol_table::instance().module_of(f)));
    return *library ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuKernelGetName(const char** name, CUkernel kernel) {
  return kernel_call(kernel, [&](function& f) {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    *name = f.kernel->name;
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetParamInfo(CUkernel kernel, size_t index, size_t* offset, size_t* bytes) {
  return kernel_call(kernel, [&](function& f) { return to_result(find_parameter(f, index, offset, bytes)); });
}

CUresult cuKernelGetParamCount(CUkernel kernel, size_t* count) {
  return kernel_call(kernel, [&](const function& f) {
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    *count = f.kernel->parameter_count;
    return CUDA_SUCCESS;
  });
}

CUresult cuKernelGetAttribute(int* value, CUfunction_attribute attribute, CUkernel kernel, CUdevice device) {
  return kernel_call(kernel, device, [&](function& f) { return read_function_attribute(f, device, attribute, value); });
}

CUresult cuKernelSetAttribute(CUfunction_attribute attribute, int value, CUkernel kernel, CUdevice device) {
  return kernel_call(kernel, device, [&](function& f) {
    return to_result(set_function_attribute(f, device, static_cast<cudaFuncAttribute>(attribute), value));
  });
}

CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice device) {
  return kernel_call(kernel, device, [&](function&) {
    const bool known = config >= CU_FUNC_CACHE_PREFER_NONE && config <= CU_FUNC_CACHE_PREFER_EQUAL;
    return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
  });
}

}  // extern "C"
