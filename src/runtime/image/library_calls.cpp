// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries of kernels. The handle of a library is its module.
#include "runtime/image/library_calls.hpp"

#include <string>

#include "runtime/image/image.hpp"
#include "runtime/module/named_symbols.hpp"
#include "runtime/schedule/api_call.hpp"

namespace cohort::runtime {

namespace {

const cohort_module* module_of(cudaLibrary_t handle) { return reinterpret_cast<const cohort_module*>(handle); }

cudaError_t check(const library_load_options& options) {
  if (!are_jit_options(options.jit, options.jit_values, options.jit_count)) return cudaErrorInvalidValue;
  if (options.library_count > 0 && !options.library) return cudaErrorInvalidValue;
  for (unsigned i = 0; i < options.library_count; ++i) {
    switch (options.library[i]) {
      case cudaLibraryHostUniversalFunctionAndDataTable:
        return cudaErrorNotSupported;
      case cudaLibraryBinaryIsPreserved:
        break;
      default:
        return cudaErrorInvalidValue;
    }
  }
  return cudaSuccess;
}

cudaError_t load(const char* call, cudaLibrary_t* made, const void* code, const library_load_options& options) {
  jit_log log(options.jit, options.jit_values, options.jit_count);
  const cohort_module* loaded = nullptr;
  const cudaError_t error = load_image_for(call, code, image_owner::library, &log, &loaded);
  if (error == cudaSuccess) *made = reinterpret_cast<cudaLibrary_t>(const_cast<cohort_module*>(loaded));
  return error;
}

// Calls `body(const cohort_module&)` for a library. cudaErrorInvalidResourceHandle for an unknown handle.
template <class Body>
cudaError_t with_library(cudaLibrary_t handle, Body&& body) {
  return host_call([&] {
    return symbol_table::instance().is_module(module_of(handle)) ? body(*module_of(handle))
                                                                 : cudaErrorInvalidResourceHandle;
  });
}

cudaError_t write_variable(const cohort_module& module, const char* name, uint32_t needed_flags, void** address,
                           size_t* bytes) {
  variable v;
  if (!name) return cudaErrorInvalidValue;
  const bool found = find_named_variable(module, name, current_device().index, &v);
  if (!found || (v.flags & needed_flags) != needed_flags) return cudaErrorSymbolNotFound;
  if (address) *address = v.address;
  if (bytes) *bytes = v.bytes;
  return cudaSuccess;
}

}  // namespace

cudaError_t load_library(const char* call, cudaLibrary_t* made, const void* code, const library_load_options& options) {
  return host_call([&] {
    const cudaError_t error = made && code ? check(options) : cudaErrorInvalidValue;
    return error != cudaSuccess ? error : load(call, made, code, options);
  });
}

cudaError_t load_library_file(const char* call, cudaLibrary_t* made, const char* path,
                              const library_load_options& options) {
  return host_call([&] {
    const cudaError_t error = made && path ? check(options) : cudaErrorInvalidValue;
    if (error != cudaSuccess) return error;
    std::string bytes;
    if (!read_image_file(path, &bytes)) return cudaErrorFileNotFound;
    return load(call, made, bytes.c_str(), options);
  });
}

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

cudaError_t cudaLibraryLoadData(cudaLibrary_t* made, const void* code, cudaJitOption* jit, void** jit_values,
                                unsigned int jit_count, cudaLibraryOption* library, void** library_values,
                                unsigned int library_count) {
  return load_library("cudaLibraryLoadData", made, code,
                      {jit, jit_values, jit_count, library, library_values, library_count});
}

cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* made, const char* path, cudaJitOption* jit, void** jit_values,
                                    unsigned int jit_count, cudaLibraryOption* library, void** library_values,
                                    unsigned int library_count) {
  return load_library_file("cudaLibraryLoadFromFile", made, path,
                           {jit, jit_values, jit_count, library, library_values, library_count});
}

cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return host_call([&] { return unload_image(module_of(library), image_owner::library); });
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t* found, cudaLibrary_t library, const char* name) {
  return with_library(library, [&](const cohort_module& module) {
    if (!found || !name) return cudaErrorInvalidValue;
    function* f = nullptr;
    const cudaError_t error = find_named_kernel(module, name, &f);
    if (error == cudaSuccess) *found = reinterpret_cast<cudaKernel_t>(f);
    return error;
  });
}

cudaError_t cudaLibraryGetKernelCount(unsigned int* count, cudaLibrary_t library) {
  return with_library(library, [&](const cohort_module& module) {
    if (!count) return cudaErrorInvalidValue;
    *count = static_cast<unsigned>(kernels_of(module).size());
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* kernels, unsigned int most, cudaLibrary_t library) {
  return with_library(library, [&](const cohort_module& module) {
    if (!kernels && most > 0) return cudaErrorInvalidValue;
    write_handles(kernels_of(module), kernels, most);
    return cudaSuccess;
  });
}

cudaError_t cudaLibraryGetGlobal(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return device_call([&] {
    return with_library(library,
                        [&](const cohort_module& module) { return write_variable(module, name, 0, address, bytes); });
  });
}

cudaError_t cudaLibraryGetManaged(void** address, size_t* bytes, cudaLibrary_t library, const char* name) {
  return with_library(library, [&](const cohort_module& module) {
    return write_variable(module, name, cohort_variable_managed, address, bytes);
  });
}

cudaError_t cudaLibraryGetUnifiedFunction(void** function, cudaLibrary_t library, const char* name) {
  return with_library(library, [&](const cohort_module&) {
    return function && name ? cudaErrorSymbolNotFound : cudaErrorInvalidValue;
  });
}

}  // extern "C"
