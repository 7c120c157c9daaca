// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle, and a call with it: its checks, its factors, and its work as an operation of the handle's stream.
#pragma once

#include <cublas_api.h>

#include <cstdint>
#include <utility>

#include "libraries/common/argument_checks.hpp"
#include "libraries/common/blas_arguments.hpp"
#include "libraries/common/numbers.hpp"
#include "libraries/common/operands.hpp"
#include "libraries/common/statuses.hpp"
#include "libraries/common/stream_call.hpp"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  cublasEmulationStrategy_t emulation = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  int sm_count = 0;
};

namespace cohort::cublas {

using libraries::arithmetic_of;
using libraries::conjugate;
using libraries::is_complex;
using libraries::is_zero;
using libraries::letter_of;
using libraries::matrix_at;
using libraries::memory_accesses;
using libraries::memory_rows;
using libraries::number;
using libraries::numbers;
using libraries::reads_triangle;
using libraries::real_of;
using libraries::vector_at;
using libraries::writes_triangle;

// A call of a public function, whose name appears in logs, traces and reports.
struct call {
  cublasHandle_t handle;
  const char* name;

  bool has_host_pointers() const { return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST; }
};

inline constexpr libraries::status_set<cublasStatus_t> statuses{CUBLAS_STATUS_SUCCESS, CUBLAS_STATUS_NOT_INITIALIZED,
                                                                CUBLAS_STATUS_ALLOC_FAILED, CUBLAS_STATUS_INVALID_VALUE,
                                                                CUBLAS_STATUS_EXECUTION_FAILED};
inline cublasStatus_t status_of(cudaError_t error) { return statuses.of(error); }
// Writes a line to the log, if the program has configured one.
void log_call(const char* name);
// Reports on stderr why a call is refused. Returns CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus_t refuse(const char* name, const char* reason);

// The arguments of a call: status() is the first error.
class checks : public libraries::argument_checks {
 public:
  explicit checks(const call& c) : call_(c) {
    if (c.handle) log_call(c.name);
  }

  cublasStatus_t status() const {
    if (!call_.handle) return CUBLAS_STATUS_NOT_INITIALIZED;
    if (!hold()) return CUBLAS_STATUS_INVALID_VALUE;
    return fit() ? CUBLAS_STATUS_SUCCESS : refuse(call_.name, libraries::no_wide_indices);
  }

 private:
  const call& call_;
};

// A factor such as alpha. In host pointer mode the call reads it at once, else its work reads it.
template <class T>
class factor {
 public:
  factor(const call& c, const T* at) : in_device_(c.has_host_pointers() ? nullptr : at) {
    if (c.has_host_pointers()) value_ = *at;
  }
  T read(memory_accesses& memory) const {
    if (!in_device_) return value_;
    return memory.reads(libraries::bytes_at(in_device_, sizeof(T)), "a factor in device memory") ? *in_device_ : T{};
  }

 private:
  const T* in_device_;
  T value_{};
};

// Appends `work(memory_accesses&)` to the stream of the handle. `cost`: an estimate of its multiplications. `to_host`:
// the work writes to memory of the host, so the call returns after it.
template <class Work>
cublasStatus_t submit(const call& c, double cost, bool to_host, Work&& work) {
  return status_of(libraries::stream_work(c.handle->stream, {c.name, cost <= libraries::short_work, to_host},
                                          std::forward<Work>(work)));
}

}  // namespace cohort::cublas
