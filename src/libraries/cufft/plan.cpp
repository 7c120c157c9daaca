// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of plans, and the calls that change a plan or describe the library.
#include "libraries/cufft/plan.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <unordered_map>

#include "libraries/common/refusal.hpp"
#include "libraries/common/version_part.hpp"
#include "libraries/cufft/pocketfft.hpp"

namespace cohort::cufft {
namespace {

// Handles are not used again, so that a destroyed one stays invalid.
struct plan_table {
  std::mutex mutex;
  std::unordered_map<cufftHandle, std::shared_ptr<plan>> plans;
  cufftHandle last = 0;
};

// The only table. Never destroyed: destructors of a program's static objects may destroy plans.
plan_table& table() {
  static auto* const plans = new plan_table;
  return *plans;
}

// Calls `use(plan)`, which returns a status.
template <class Use>
cufftResult with_plan(cufftHandle handle, const Use& use) {
  const std::shared_ptr<plan> p = find_plan(handle);
  return p ? use(*p) : CUFFT_INVALID_PLAN;
}

struct property {
  cufftProperty name;
  long long plan::* value;
  long long least, most;
};
constexpr property properties[] = {
    {NVFFT_PLAN_PROPERTY_INT64_PATIENT_JIT, &plan::patient, 0, 1},
    {NVFFT_PLAN_PROPERTY_INT64_MAX_NUM_HOST_THREADS, &plan::host_threads, 1, 4096},
};

// Calls `use(plan, property)` for a property of a plan.
template <class Use>
cufftResult with_property(cufftHandle handle, cufftProperty name, const Use& use) {
  return with_plan(handle, [&](plan& p) {
    for (const property& candidate : properties) {
      if (candidate.name == name) return use(p, candidate);
    }
    return CUFFT_INVALID_VALUE;
  });
}

}  // namespace

std::shared_ptr<plan> find_plan(cufftHandle handle) {
  plan_table& t = table();
  const std::lock_guard lock(t.mutex);
  const auto found = t.plans.find(handle);
  return found == t.plans.end() ? nullptr : found->second;
}

cufftResult create_plan(cufftHandle* handle) {
  if (!handle) return CUFFT_INVALID_VALUE;
  if (!has_pocketfft()) return CUFFT_SETUP_FAILED;
  try {
    const auto made = std::make_shared<plan>();
    if (cudaGetDevice(&made->device) != cudaSuccess) return CUFFT_INTERNAL_ERROR;
    plan_table& t = table();
    const std::lock_guard lock(t.mutex);
    t.plans.emplace(t.last + 1, made);
    *handle = ++t.last;
  } catch (const std::bad_alloc&) {
    return CUFFT_ALLOC_FAILED;
  }
  return CUFFT_SUCCESS;
}

bool destroy_plan(cufftHandle handle) {
  plan_table& t = table();
  const std::lock_guard lock(t.mutex);
  return t.plans.erase(handle) > 0;
}

size_t work_size(const transform& t) {
  const transform_arrays arrays = arrays_of(t, false);
  const array& complex = has_real_input(t) ? arrays.out : arrays.in;
  return static_cast<size_t>(complex.elements()) * element_size(t, false);
}

size_t work_size(const plan& p) {
  const size_t size = p.made ? work_size(*p.made) : 0;
  return p.work_limit ? std::min(size, *p.work_limit) : size;
}

cufftResult refuse(const char* name, const char* reason) {
  libraries::report_refusal(name, reason);
  return CUFFT_NOT_IMPLEMENTED;
}

}  // namespace cohort::cufft

using namespace cohort::cufft;

extern "C" {

cufftResult cufftCreate(cufftHandle* handle) { return create_plan(handle); }

// Operations of the plan that its stream has not run keep the transform.
cufftResult cufftDestroy(cufftHandle handle) {
  return handle == CUFFT_PLAN_NULL || destroy_plan(handle) ? CUFFT_SUCCESS : CUFFT_INVALID_PLAN;
}

cufftResult cufftSetStream(cufftHandle handle, cudaStream_t stream) {
  return with_plan(handle, [&](plan& p) {
    p.stream = stream;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetAutoAllocation(cufftHandle handle, int allocates) {
  return with_plan(handle, [&](plan& p) {
    p.allocates = allocates != 0;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetWorkArea(cufftHandle handle, void* area) {
  return with_plan(handle, [&](plan& p) {
    p.work_area = area;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftXtSetWorkArea(cufftHandle handle, void** areas) {
  if (!areas) return CUFFT_INVALID_VALUE;
  return cufftSetWorkArea(handle, areas[0]);  // one device, one area
}

cufftResult cufftXtSetWorkAreaPolicy(cufftHandle handle, cufftXtWorkAreaPolicy policy, size_t* size) {
  return with_plan(handle, [&](plan& p) {
    switch (policy) {
      case CUFFT_WORKAREA_MINIMAL:
        p.work_limit = 0;
        return CUFFT_SUCCESS;
      case CUFFT_WORKAREA_USER:
        if (!size) return CUFFT_INVALID_VALUE;
        p.work_limit = *size;
        return CUFFT_SUCCESS;
      case CUFFT_WORKAREA_PERFORMANCE:
        p.work_limit.reset();
        return CUFFT_SUCCESS;
      default:
        return CUFFT_INVALID_VALUE;
    }
  });
}

cufftResult cufftGetSize(cufftHandle handle, size_t* size) {
  if (!size) return CUFFT_INVALID_VALUE;
  return with_plan(handle, [&](const plan& p) {
    *size = work_size(p);
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftSetPlanPropertyInt64(cufftHandle handle, cufftProperty name, const long long value) {
  return with_property(handle, name, [&](plan& p, const property& of) {
    if (value < of.least || value > of.most) return CUFFT_INVALID_VALUE;
    if (p.made) return CUFFT_NOT_SUPPORTED;  // properties are set before the plan is made
    p.*of.value = value;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftGetPlanPropertyInt64(cufftHandle handle, cufftProperty name, long long* value) {
  if (!value) return CUFFT_INVALID_VALUE;
  return with_property(handle, name, [&](plan& p, const property& of) {
    *value = p.*of.value;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftResetPlanProperty(cufftHandle handle, cufftProperty name) {
  return with_property(handle, name, [&](plan& p, const property& of) {
    if (p.made) return CUFFT_NOT_SUPPORTED;
    p.*of.value = plan().*of.value;
    return CUFFT_SUCCESS;
  });
}

cufftResult cufftGetVersion(int* version) {
  if (version) *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int* value) {
  constexpr int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  if (!value) return CUFFT_INVALID_VALUE;
  return cohort::libraries::read_version_part(parts, type, value) ? CUFFT_SUCCESS : CUFFT_INVALID_TYPE;
}

}  // extern "C"
