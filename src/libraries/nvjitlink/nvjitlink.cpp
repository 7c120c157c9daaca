// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvJitLink over the driver's linker.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <nvJitLink.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

struct nvJitLink {
  CUlinkState state = nullptr;
  std::array<char, 4096> errors{}, infos{};  // the driver writes its messages here
  std::vector<char> linked;                  // empty before nvJitLinkComplete()
};

namespace {

// Options of nvJitLink. An image is code for this CPU, so that they change nothing.
constexpr std::string_view flags[] = {"-g",        "-lineinfo", "-time", "-verbose", "-optimize-unused-variables",
                                      "-no-cache", "-lto"};
constexpr std::string_view settings[] = {"-arch=",
                                         "-maxrregcount=",
                                         "-ftz=",
                                         "-prec-div=",
                                         "-prec-sqrt=",
                                         "-fma=",
                                         "-kernels-used=",
                                         "-variables-used=",
                                         "-Xptxas=",
                                         "-split-compile=",
                                         "-split-compile-extended=",
                                         "-jump-table-density="};
constexpr std::string_view levels[] = {"-O0", "-O1", "-O2", "-O3"};

template <size_t Count>
bool contains(const std::string_view (&all)[Count], std::string_view option) {
  return std::find(std::begin(all), std::end(all), option) != std::end(all);
}

bool is_option(std::string_view option) {
  if (contains(flags, option) || contains(levels, option)) return true;
  return std::any_of(std::begin(settings), std::end(settings),
                     [&](std::string_view name) { return option.size() > name.size() && option.starts_with(name); });
}

nvJitLinkResult check_options(uint32_t count, const char* const* options) {
  bool has_arch = false;
  for (uint32_t i = 0; i < count; ++i) {
    if (!options[i]) return NVJITLINK_ERROR_NULL_INPUT;
    const std::string_view option = options[i];
    if (option == "-ptx") return NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS;
    if (!is_option(option)) return NVJITLINK_ERROR_UNRECOGNIZED_OPTION;
    if (!option.starts_with("-arch=")) continue;
    has_arch = true;
    if (!option.starts_with("-arch=sm_") && !option.starts_with("-arch=compute_")) {
      return NVJITLINK_ERROR_UNRECOGNIZED_ARCH;
    }
  }
  return has_arch ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_MISSING_ARCH;
}

nvJitLinkResult result_of(CUresult error) {
  switch (error) {
    case CUDA_SUCCESS:
      return NVJITLINK_SUCCESS;
    case CUDA_ERROR_INVALID_PTX:
      return NVJITLINK_ERROR_PTX_COMPILE;
    case CUDA_ERROR_INVALID_VALUE:
    case CUDA_ERROR_INVALID_IMAGE:
    case CUDA_ERROR_FILE_NOT_FOUND:
      return NVJITLINK_ERROR_INVALID_INPUT;
    case CUDA_ERROR_NOT_SUPPORTED:
      return NVJITLINK_ERROR_UNRECOGNIZED_INPUT;
    default:
      return NVJITLINK_ERROR_INTERNAL;
  }
}

// The driver's type of an input. False for a type that has none.
bool find_type(nvJitLinkInputType type, CUjitInputType* found) {
  switch (type) {
    case NVJITLINK_INPUT_CUBIN:
    case NVJITLINK_INPUT_ANY:
      *found = CU_JIT_INPUT_CUBIN;
      return true;
    case NVJITLINK_INPUT_PTX:
      *found = CU_JIT_INPUT_PTX;
      return true;
    case NVJITLINK_INPUT_LTOIR:
      *found = CU_JIT_INPUT_NVVM;
      return true;
    case NVJITLINK_INPUT_FATBIN:
      *found = CU_JIT_INPUT_FATBINARY;
      return true;
    case NVJITLINK_INPUT_OBJECT:
      *found = CU_JIT_INPUT_OBJECT;
      return true;
    case NVJITLINK_INPUT_LIBRARY:
      *found = CU_JIT_INPUT_LIBRARY;
      return true;
    default:
      return false;
  }
}

template <size_t Count>
nvJitLinkResult size_of_log(const std::array<char, Count>& log, size_t* size) {
  if (!size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = std::strlen(log.data()) + 1;
  return NVJITLINK_SUCCESS;
}
template <size_t Count>
nvJitLinkResult copy_log(const std::array<char, Count>& log, char* to) {
  if (!to) return NVJITLINK_ERROR_NULL_INPUT;
  std::memcpy(to, log.data(), std::strlen(log.data()) + 1);
  return NVJITLINK_SUCCESS;
}

}  // namespace

extern "C" {

nvJitLinkResult nvJitLinkVersion(unsigned int* major, unsigned int* minor) {
  if (!major || !minor) return NVJITLINK_ERROR_NULL_INPUT;
  *major = CUDA_VERSION / 1000;
  *minor = CUDA_VERSION % 1000 / 10;
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkCreate(nvJitLinkHandle* handle, uint32_t count, const char** options) {
  if (!handle || (count > 0 && !options)) return NVJITLINK_ERROR_NULL_INPUT;
  const nvJitLinkResult result = check_options(count, options);
  if (result != NVJITLINK_SUCCESS) return result;
  if (cudaFree(nullptr) != cudaSuccess) return NVJITLINK_ERROR_INTERNAL;  // makes a context for the driver's linker
  std::unique_ptr<nvJitLink> made(new (std::nothrow) nvJitLink);
  if (!made) return NVJITLINK_ERROR_INTERNAL;
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_INFO_LOG_BUFFER,
                          CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {made->errors.data(), reinterpret_cast<void*>(made->errors.size()), made->infos.data(),
                    reinterpret_cast<void*>(made->infos.size())};
  const CUresult error = cuLinkCreate(4, names, values, &made->state);
  if (error != CUDA_SUCCESS) return result_of(error);
  *handle = made.release();
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkDestroy(nvJitLinkHandle* handle) {
  if (!handle || !*handle) return NVJITLINK_ERROR_NULL_INPUT;
  const std::unique_ptr<nvJitLink> link(*handle);
  *handle = nullptr;
  return result_of(cuLinkDestroy(link->state));
}

nvJitLinkResult nvJitLinkAddData(nvJitLinkHandle handle, nvJitLinkInputType type, const void* data, size_t size,
                                 const char* name) {
  if (!handle || !data) return NVJITLINK_ERROR_NULL_INPUT;
  CUjitInputType found{};
  if (!find_type(type, &found)) return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
  return result_of(cuLinkAddData(handle->state, found, const_cast<void*>(data), size, name, 0, nullptr, nullptr));
}

nvJitLinkResult nvJitLinkAddFile(nvJitLinkHandle handle, nvJitLinkInputType type, const char* file_name) {
  if (!handle || !file_name) return NVJITLINK_ERROR_NULL_INPUT;
  CUjitInputType found{};
  if (!find_type(type, &found)) return NVJITLINK_ERROR_INCORRECT_INPUT_TYPE;
  return result_of(cuLinkAddFile(handle->state, found, file_name, 0, nullptr, nullptr));
}

nvJitLinkResult nvJitLinkComplete(nvJitLinkHandle handle) {
  if (!handle) return NVJITLINK_ERROR_NULL_INPUT;
  void* image = nullptr;
  size_t bytes = 0;
  const CUresult error = cuLinkComplete(handle->state, &image, &bytes);
  if (error != CUDA_SUCCESS) return result_of(error);
  handle->linked.assign(static_cast<const char*>(image), static_cast<const char*>(image) + bytes);
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedCubinSize(nvJitLinkHandle handle, size_t* size) {
  if (!handle || !size) return NVJITLINK_ERROR_NULL_INPUT;
  *size = handle->linked.size();
  return *size > 0 ? NVJITLINK_SUCCESS : NVJITLINK_ERROR_FINALIZE;
}
nvJitLinkResult nvJitLinkGetLinkedCubin(nvJitLinkHandle handle, void* cubin) {
  if (!handle || !cubin) return NVJITLINK_ERROR_NULL_INPUT;
  if (handle->linked.empty()) return NVJITLINK_ERROR_FINALIZE;
  std::memcpy(cubin, handle->linked.data(), handle->linked.size());
  return NVJITLINK_SUCCESS;
}

nvJitLinkResult nvJitLinkGetLinkedPtxSize(nvJitLinkHandle handle, size_t* size) {
  return handle && size ? NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS : NVJITLINK_ERROR_NULL_INPUT;
}
nvJitLinkResult nvJitLinkGetLinkedPtx(nvJitLinkHandle handle, char* ptx) {
  return handle && ptx ? NVJITLINK_ERROR_INCOMPATIBLE_OPTIONS : NVJITLINK_ERROR_NULL_INPUT;
}

nvJitLinkResult nvJitLinkGetErrorLogSize(nvJitLinkHandle handle, size_t* size) {
  return handle ? size_of_log(handle->errors, size) : NVJITLINK_ERROR_NULL_INPUT;
}
nvJitLinkResult nvJitLinkGetErrorLog(nvJitLinkHandle handle, char* log) {
  return handle ? copy_log(handle->errors, log) : NVJITLINK_ERROR_NULL_INPUT;
}
nvJitLinkResult nvJitLinkGetInfoLogSize(nvJitLinkHandle handle, size_t* size) {
  return handle ? size_of_log(handle->infos, size) : NVJITLINK_ERROR_NULL_INPUT;
}
nvJitLinkResult nvJitLinkGetInfoLog(nvJitLinkHandle handle, char* log) {
  return handle ? copy_log(handle->infos, log) : NVJITLINK_ERROR_NULL_INPUT;
}

}  // extern "C"

// The names that NVIDIA's header of CUDA 13.0 gives to the functions: programs compiled with it find them, too.
#define COHORT_VERSIONED(name) \
  extern "C" __attribute__((alias(#name), visibility("default"))) decltype(name) __##name##_13_0;
COHORT_VERSIONED(nvJitLinkCreate)
COHORT_VERSIONED(nvJitLinkDestroy)
COHORT_VERSIONED(nvJitLinkAddData)
COHORT_VERSIONED(nvJitLinkAddFile)
COHORT_VERSIONED(nvJitLinkComplete)
COHORT_VERSIONED(nvJitLinkGetLinkedCubinSize)
COHORT_VERSIONED(nvJitLinkGetLinkedCubin)
COHORT_VERSIONED(nvJitLinkGetLinkedPtxSize)
COHORT_VERSIONED(nvJitLinkGetLinkedPtx)
COHORT_VERSIONED(nvJitLinkGetErrorLogSize)
COHORT_VERSIONED(nvJitLinkGetErrorLog)
COHORT_VERSIONED(nvJitLinkGetInfoLogSize)
COHORT_VERSIONED(nvJitLinkGetInfoLog)
