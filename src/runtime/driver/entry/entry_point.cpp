// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of the driver API by name: cuGetProcAddress, and the runtime's calls for it. The rules are those of a GPU's
// driver (580, on an H100), except that a null argument is an error here.
#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

#include "cuda.h"
#include "cudaProfiler.h"
#include "cudart_detail/driver/entry_points.h"
#include "runtime/driver/entry/functions_without_body.hpp"
#include "runtime/driver/entry/older_forms.hpp"
#include "runtime/schedule/api_call.hpp"
#include "runtime/state/cuda_version.hpp"

#undef cuGetProcAddress  // this file defines the symbol, which is the form before CUDA 12
extern "C" CUresult cuGetProcAddress(const char* symbol, void** pfn, int version, cuuint64_t flags);

#define COHORT_CU_THREAD_ENTRY_POINT(name, version, function, ending) extern "C" decltype(function) function##ending;
COHORT_CU_THREAD_ENTRY_POINTS(COHORT_CU_THREAD_ENTRY_POINT)
#undef COHORT_CU_THREAD_ENTRY_POINT

namespace cohort::runtime {

namespace {

template <class Function>
void* address_of_function(Function* function) {
  return reinterpret_cast<void*>(function);
}

using create_context = CUresult(CUcontext*, CUctxCreateParams*, unsigned, CUdevice);

const entry_point entry_points[] = {{"cuCtxCreate", 12050, address_of_function<create_context>(cuCtxCreate_v4)},
                                    {"cuGetProcAddress", 11030, address_of_function(cuGetProcAddress)},
#define COHORT_CU_ENTRY_POINT(name, version, function) {#name, version, address_of_function(function)},
                                    COHORT_CU_ENTRY_POINTS(COHORT_CU_ENTRY_POINT)
#undef COHORT_CU_ENTRY_POINT
};

const entry_point thread_entry_points[] = {
#define COHORT_CU_THREAD_ENTRY_POINT(name, version, function, ending) \
  {#name, version, address_of_function(function##ending)},
    COHORT_CU_THREAD_ENTRY_POINTS(COHORT_CU_THREAD_ENTRY_POINT)
#undef COHORT_CU_THREAD_ENTRY_POINT
};

// Finds the newest form of a function up to a version. `exists` becomes true if the function has any form.
void* find(std::span<const entry_point> list, bool of_thread, const char* name, int version, bool* exists) {
  const entry_point* newest = nullptr;
  for (const auto& forms : {list, older_forms(of_thread)}) {
    for (const entry_point& e : forms) {
      if (std::strcmp(e.name, name) != 0) continue;
      *exists = true;
      if (e.version <= version && (!newest || e.version > newest->version)) newest = &e;
    }
  }
  return newest ? newest->function : nullptr;
}

// True for a base name such as cuMemAlloc. A driver does not look up versioned (_v2) or per-thread (_ptds) symbols.
bool is_plain_name_of_driver(std::string_view name) {
  return !name.starts_with("cuda") && name.find("_v") == name.npos && name.find("_pt") == name.npos;
}

constexpr cuuint64_t thread_form = CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;
constexpr cuuint64_t all_flags = CU_GET_PROC_ADDRESS_LEGACY_STREAM | thread_form;

CUresult find_entry_point(const char* name, void** found, int version, cuuint64_t flags,
                          CUdriverProcAddressQueryResult* status) {
  if (!name || !found || version > newest_cuda_version || (flags & ~all_flags)) return CUDA_ERROR_INVALID_VALUE;
  bool exists = false;
  *found = flags & thread_form ? find(thread_entry_points, true, name, version, &exists) : nullptr;
  if (!exists) *found = find(entry_points, false, name, version, &exists);
  if (!exists && is_plain_name_of_driver(name)) *found = address_of_function(find_without_body(name));
  if (!status) return CUDA_SUCCESS;
  if (*found) {
    *status = CU_GET_PROC_ADDRESS_SUCCESS;
  } else {
    *status = exists ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  }
  return CUDA_SUCCESS;
}

static_assert(static_cast<int>(cudaEnableLegacyStream) == CU_GET_PROC_ADDRESS_LEGACY_STREAM &&
              static_cast<int>(cudaEnablePerThreadDefaultStream) == CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM);
static_assert(static_cast<int>(cudaDriverEntryPointSymbolNotFound) == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND &&
              static_cast<int>(cudaDriverEntryPointVersionNotSufficent) == CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT);

cudaError_t find_for_runtime(const char* name, void** found, unsigned version, unsigned long long flags,
                             cudaDriverEntryPointQueryResult* status) {
  return host_call([&] {
    CUdriverProcAddressQueryResult result = CU_GET_PROC_ADDRESS_SUCCESS;
    const CUresult error =
        find_entry_point(name, found, static_cast<int>(std::min(version, newest_cuda_version + 1U)), flags, &result);
    if (error != CUDA_SUCCESS) return cudaErrorInvalidValue;
    if (status) *status = static_cast<cudaDriverEntryPointQueryResult>(result);
    return cudaSuccess;
  });
}

// Replaces the default flags by the thread form: the caller is compiled for per-thread default streams.
cuuint64_t or_thread_form(cuuint64_t flags) { return flags == CU_GET_PROC_ADDRESS_DEFAULT ? thread_form : flags; }

}  // namespace

}  // namespace cohort::runtime

using namespace cohort::runtime;

extern "C" {

CUresult cuGetProcAddress(const char* symbol, void** pfn, int version, cuuint64_t flags) {
  return find_entry_point(symbol, pfn, version, flags, nullptr);
}

CUresult cuGetProcAddress_v2(const char* symbol, void** pfn, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* status) {
  return find_entry_point(symbol, pfn, version, flags, status);
}

CUresult cuGetProcAddress_v2_ptsz(const char* symbol, void** pfn, int version, cuuint64_t flags,
                                  CUdriverProcAddressQueryResult* status) {
  return find_entry_point(symbol, pfn, version, or_thread_form(flags), status);
}

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** function, unsigned int version,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult* status) {
  return find_for_runtime(symbol, function, version, flags, status);
}

cudaError_t cudaGetDriverEntryPointByVersion_ptsz(const char* symbol, void** function, unsigned int version,
                                                  unsigned long long flags, cudaDriverEntryPointQueryResult* status) {
  return find_for_runtime(symbol, function, version, or_thread_form(flags), status);
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** function, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* status) {
  return find_for_runtime(symbol, function, CUDART_VERSION, flags, status);
}

cudaError_t cudaGetDriverEntryPoint_ptsz(const char* symbol, void** function, unsigned long long flags,
                                         cudaDriverEntryPointQueryResult* status) {
  return find_for_runtime(symbol, function, CUDART_VERSION, or_thread_form(flags), status);
}

}  // extern "C"
