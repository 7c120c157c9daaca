// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules: the translation units of this program, and images that the program loads.
#include <string>

#include "runtime/driver/function_handle.hpp"
#include "runtime/driver/reference_handles.hpp"
#include "runtime/image/image.hpp"
#include "runtime/module/named_symbols.hpp"

namespace cohort::runtime {

namespace {

const cohort_module* module_of(CUmodule handle) { return reinterpret_cast<const cohort_module*>(handle); }
CUmodule handle_of(const cohort_module* module) {
  return reinterpret_cast<CUmodule>(const_cast<cohort_module*>(module));
}

struct jit_options {
  unsigned count = 0;
  CUjit_option* list = nullptr;
  void** values = nullptr;
};

CUresult load(const char* call, CUmodule* module, const void* image, const jit_options& options = {}) {
  return context_call([&] {
    if (!module || !image || !are_jit_options(options.list, options.values, options.count)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
    jit_log log(options.list, options.values, options.count);
    const cohort_module* loaded = nullptr;
    const cudaError_t error = load_image_for(call, image, image_owner::module, &log, &loaded);
    if (error == cudaSuccess) *module = handle_of(loaded);
    return to_result(error);
  });
}

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuModuleLoad(CUmodule* module, const char* path) {
  return context_call([&] {
    std::string bytes;
    if (!module || !path) return CUDA_ERROR_INVALID_VALUE;
    return read_image_file(path, &bytes) ? load("cuModuleLoad", module, bytes.c_str()) : CUDA_ERROR_FILE_NOT_FOUND;
  });
}

CUresult cuModuleLoadData(CUmodule* module, const void* image) { return load("cuModuleLoadData", module, image); }

CUresult cuModuleLoadDataEx(CUmodule* module, const void* image, unsigned int count, CUjit_option* options,
                            void** values) {
  return load("cuModuleLoadDataEx", module, image, {count, options, values});
}

CUresult cuModuleLoadFatBinary(CUmodule* module, const void* image) {
  return load("cuModuleLoadFatBinary", module, image);
}

CUresult cuModuleUnload(CUmodule module) {
  return runtime_call([&] {
    drop_references(module_of(module), image_owner::module);
    return unload_image(module_of(module), image_owner::module);
  });
}

CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode* mode) {
  return ready_call([&] {
    if (!mode) return CUDA_ERROR_INVALID_VALUE;
    *mode = CU_MODULE_EAGER_LOADING;
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunctionCount(unsigned int* count, CUmodule module) {
  return context_call([&] {
    if (!count) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(module_of(module))) return CUDA_ERROR_INVALID_HANDLE;
    *count = static_cast<unsigned>(kernels_of(*module_of(module)).size());
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleEnumerateFunctions(CUfunction* functions, unsigned int most, CUmodule module) {
  return context_call([&] {
    if (!functions && most > 0) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(module_of(module))) return CUDA_ERROR_INVALID_HANDLE;
    write_handles(kernels_of(*module_of(module)), functions, most);
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetModule(CUmodule* module, CUfunction handle) {
  return context_call([&] {
    if (!module) return CUDA_ERROR_INVALID_VALUE;
    return with_function(handle, [&](function& f) {
      *module = handle_of(symbol_table::instance().module_of(f));
      return *module ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
    });
  });
}

CUresult cuModuleGetFunction(CUfunction* found, CUmodule module, const char* name) {
  return context_call([&] {
    if (!found || !name) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(module_of(module))) return CUDA_ERROR_INVALID_HANDLE;
    function* f = nullptr;
    const cudaError_t error = find_named_kernel(*module_of(module), name, &f);
    if (error == cudaSuccess) *found = reinterpret_cast<CUfunction>(f);
    return to_result(error);
  });
}

CUresult cuModuleGetGlobal(CUdeviceptr* address, size_t* bytes, CUmodule module, const char* name) {
  return context_call([&] {
    if (!name) return CUDA_ERROR_INVALID_VALUE;
    if (!symbol_table::instance().is_module(module_of(module))) return CUDA_ERROR_INVALID_HANDLE;
    variable v;
    if (!find_named_variable(*module_of(module), name, current_device().index, &v)) return CUDA_ERROR_NOT_FOUND;
    if (address) *address = address_of(v.address);
    if (bytes) *bytes = v.bytes;
    return CUDA_SUCCESS;
  });
}

}  // extern "C"
