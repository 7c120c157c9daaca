// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: the translation units of this program, and images that the program loads.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "runtime/driver/call.hpp"
#include "runtime/image/image.hpp"
#include "runtime/module/nvcc_name.hpp"
#include "runtime/module/symbol_table.hpp"

namespace cohort::runtime {

namespace {

const cohort_module* module_of(CUmodule handle) { return reinterpret_cast<const cohort_module*>(handle); }
CUmodule handle_of(const cohort_module* module) {
  return reinterpret_cast<CUmodule>(const_cast<cohort_module*>(module));
}

CUresult load(const char* call, CUmodule* module, const void* image) {
  const cohort_module* loaded = nullptr;
  std::string why;
  const cudaError_t error = load_image(image, &loaded, &why);
  if (error != cudaSuccess) {
    std::fprintf(stderr, "cohort: %s: the image cannot be loaded: %s\n", call, why.c_str());
    return to_result(error);
  }
  *module = handle_of(loaded);
  return CUDA_SUCCESS;
}

CUresult load_data(const char* call, CUmodule* module, const void* image) {
  return context_call([&] { return module && image ? load(call, module, image) : CUDA_ERROR_INVALID_VALUE; });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return context_call([&] {
    if (!module || !path) return CUDA_ERROR_INVALID_VALUE;
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    return file ? load("cuModuleLoad", module, bytes.c_str()) : CUDA_ERROR_FILE_NOT_FOUND;
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) { return load_data("cuModuleLoadData", module, image); }

// Ignores the options: they direct the translation of PTX, and an image is machine code already.
CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int, CUjit_option*, void**) {
  return load_data("cuModuleLoadDataEx", module, image);
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load_data("cuModuleLoadFatBinary", module, image);
}

CUresult cuModuleUnload(CUmodule module) {
  return context_call([&] {
    if (unload_image(module_of(module))) return CUDA_SUCCESS;
    return symbol_table::instance().is_module(module_of(module)) ? CUDA_ERROR_NOT_PERMITTED : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction handle) {
  return context_call([&] {
    function* f = nullptr;
    if (!module) return CUDA_ERROR_INVALID_VALUE;
    const cudaError_t error = symbol_table::instance().find_function(handle, &f);
    if (error != cudaSuccess) return to_result(error);
    *module = handle_of(symbol_table::instance().module_of(*f));
    return *module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

CUresult cuModuleGetFunction(CUfunction* found, CUmodule module, const char* name) {
  return context_call([&] {
    if (!found || !name) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(module_of(module))) return CUDA_ERROR_INVALID_HANDLE;
    function* f = nullptr;
    const cohort_module& m = *module_of(module);
    cudaError_t error = symbol_table::instance().find_function_in(m, name, &f);
    if (error == cudaErrorSymbolNotFound) {
      error = symbol_table::instance().find_function_in(m, own_name_of_kernel(m, name).c_str(), &f);
    }
    if (error == cudaSuccess) *found = reinterpret_cast<CUfunction>(f);
    return error == cudaErrorSymbolNotFound ? CUDA_ERROR_NOT_FOUND : to_result(error);
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return context_call([&] {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(module_of(module))) return CUDA_ERROR_INVALID_HANDLE;
    variable v;
    const int device = current_device().index;
    const cohort_module& m = *module_of(module);
    if (!symbol_table::instance().find_variable_in(m, name, device, &v) &&
        !symbol_table::instance().find_variable_in(m, own_name_of_variable(m, name).c_str(), device, &v)) {
      return CUDA_ERROR_NOT_FOUND;
    }
    if (address) *address = address_of(v.address);
    if (bytes) *bytes = v.bytes;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
