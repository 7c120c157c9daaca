// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Transforms as operations of the plan's stream.
#include <cufftXt.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <memory>
#include <new>
#include <thread>

#include "libraries/common/stream_call.hpp"
#include "libraries/cufft/plan.hpp"

namespace cohort::cufft {
namespace {

// Transforms up to this number of operations take up to 20 us; a change of threads takes 5 to 10 us.
constexpr double short_work = 60e3;
// A thread is worth its wake-up from this number of operations.
constexpr double thread_work = 500e3;

size_t threads_for(const plan& p, double cost) {
  const auto useful = static_cast<size_t>(std::clamp(cost / thread_work, 1.0, 4096.0));
  static const size_t usable = std::max(1u, std::thread::hardware_concurrency());
  return std::min({useful, usable, static_cast<size_t>(p.host_threads)});
}

bool is_aligned(const void* at, size_t alignment) { return reinterpret_cast<uintptr_t>(at) % alignment == 0; }

cufftResult status_of(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return CUFFT_SUCCESS;
    case cudaErrorMemoryAllocation:
      return CUFFT_ALLOC_FAILED;
    default:
      return CUFFT_EXEC_FAILED;
  }
}

// The work of a call, which a graph may run several times.
struct transform_work {
  std::shared_ptr<const transform> t;
  execution e;
  void* work_area;
  size_t work_bytes;

  cudaError_t operator()(libraries::memory_accesses& memory) const {
    const transform_arrays arrays = arrays_of(*t, e.in == e.out);
    each_memory(arrays.in, e.in, element_size(*t, has_real_input(*t)), [&](const auto& rows) { memory.reads(rows); });
    each_memory(arrays.out, e.out, element_size(*t, has_real_output(*t)),
                [&](const auto& rows) { memory.writes(rows); });
    if (work_area) memory.writes(libraries::bytes_at(work_area, work_bytes));
    if (memory.error() != cudaSuccess) return memory.error();
    try {
      execute(*t, e);
    } catch (const std::bad_alloc&) {
      return cudaErrorMemoryAllocation;
    } catch (const std::exception&) {  // threads cannot be started
      return cudaErrorUnknown;
    }
    return cudaSuccess;
  }
};

// Runs a plan's transform. `type`: the type that the call requires; null for cufftXtExec(), which accepts each.
cufftResult run(const char* name, cufftHandle handle, const transform_type* type, const void* in, void* out,
                int direction) {
  const std::shared_ptr<const plan> p = find_plan(handle);
  if (!p || !p->made) return CUFFT_INVALID_PLAN;
  const transform& t = *p->made;
  if (type && !(*type == t.type)) return CUFFT_INVALID_TYPE;
  const bool has_direction = t.type.what == kind::complex_to_complex;
  if (has_direction && direction != CUFFT_FORWARD && direction != CUFFT_INVERSE) return CUFFT_INVALID_VALUE;
  if (!in || !out || !is_aligned(in, element_size(t, has_real_input(t))) ||
      !is_aligned(out, element_size(t, has_real_output(t)))) {
    return CUFFT_INVALID_VALUE;
  }
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUFFT_INTERNAL_ERROR;
  if (device != p->device) return CUFFT_INVALID_DEVICE;
  const size_t work_bytes = work_size(*p);
  if (!p->allocates && !p->work_area && work_bytes > 0) return CUFFT_NO_WORKSPACE;
  const double cost = cost_of(t);
  const execution e{in, out, direction == CUFFT_FORWARD, threads_for(*p, cost)};
  try {
    return status_of(libraries::stream_call(p->stream, {name, cost <= short_work},
                                            transform_work{p->made, e, p->work_area, work_bytes}));
  } catch (const std::bad_alloc&) {
    return CUFFT_ALLOC_FAILED;
  }
}

constexpr transform_type c2c{kind::complex_to_complex, number::single_precision};
constexpr transform_type r2c{kind::real_to_complex, number::single_precision};
constexpr transform_type c2r{kind::complex_to_real, number::single_precision};
constexpr transform_type z2z{kind::complex_to_complex, number::double_precision};
constexpr transform_type d2z{kind::real_to_complex, number::double_precision};
constexpr transform_type z2d{kind::complex_to_real, number::double_precision};

}  // namespace
}  // namespace cohort::cufft

using namespace cohort::cufft;

extern "C" {

cufftResult cufftExecC2C(cufftHandle plan, cufftComplex* in, cufftComplex* out, int direction) {
  return run("cufftExecC2C", plan, &c2c, in, out, direction);
}
cufftResult cufftExecR2C(cufftHandle plan, cufftReal* in, cufftComplex* out) {
  return run("cufftExecR2C", plan, &r2c, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecC2R(cufftHandle plan, cufftComplex* in, cufftReal* out) {
  return run("cufftExecC2R", plan, &c2r, in, out, CUFFT_INVERSE);
}
cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleComplex* out, int direction) {
  return run("cufftExecZ2Z", plan, &z2z, in, out, direction);
}
cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal* in, cufftDoubleComplex* out) {
  return run("cufftExecD2Z", plan, &d2z, in, out, CUFFT_FORWARD);
}
cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex* in, cufftDoubleReal* out) {
  return run("cufftExecZ2D", plan, &z2d, in, out, CUFFT_INVERSE);
}
cufftResult cufftXtExec(cufftHandle plan, void* in, void* out, int direction) {
  return run("cufftXtExec", plan, nullptr, in, out, direction);
}

}  // extern "C"
