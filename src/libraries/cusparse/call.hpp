// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle, and a call with it: its checks, its factors, and its work as an operation of the handle's stream.
#pragma once

#include <cusparse.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "libraries/common/statuses.hpp"
#include "libraries/common/stream_call.hpp"
#include "libraries/cusparse/numbers.hpp"

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t pointer_mode = CUSPARSE_POINTER_MODE_HOST;
};

namespace cohort::cusparse {

using libraries::bytes_at;
using libraries::memory_accesses;

// A call of a public function, whose name appears in logs, traces and reports.
struct call {
  cusparseHandle_t handle;
  const char* name;

  bool has_host_pointers() const { return handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST; }
};

inline constexpr libraries::status_set<cusparseStatus_t> statuses{
    CUSPARSE_STATUS_SUCCESS, CUSPARSE_STATUS_NOT_INITIALIZED, CUSPARSE_STATUS_ALLOC_FAILED,
    CUSPARSE_STATUS_INVALID_VALUE, CUSPARSE_STATUS_EXECUTION_FAILED};
inline cusparseStatus_t status_of(cudaError_t error) { return statuses.of(error); }
// Destroys a handle or a descriptor. No effect for a null pointer.
template <class Object>
cusparseStatus_t destroy(const Object* object, cusparseStatus_t unknown = CUSPARSE_STATUS_INVALID_VALUE) {
  return object ? statuses.destroy(object, unknown) : CUSPARSE_STATUS_SUCCESS;
}
// Writes a line to the log, if the program has configured one.
void log_call(const char* name);
// Reports on stderr and in the log why a call is refused. Returns CUSPARSE_STATUS_NOT_SUPPORTED.
cusparseStatus_t refuse(const char* name, const char* reason);

// The checks of a call. All are made, then status() is the first error.
class checks {
 public:
  explicit checks(const call& c) : call_(c) {
    if (!c.handle) {
      status_ = CUSPARSE_STATUS_NOT_INITIALIZED;
    } else {
      log_call(c.name);
    }
  }
  checks& require(bool holds, cusparseStatus_t otherwise = CUSPARSE_STATUS_INVALID_VALUE) {
    if (!holds && status_ == CUSPARSE_STATUS_SUCCESS) status_ = otherwise;
    return *this;
  }
  template <class... Pointers>
  checks& pointers(Pointers... each) {
    return require((... && (each != nullptr)));
  }
  template <class... Sizes>
  checks& sizes(Sizes... each) {
    return require((... && (each >= 0)));
  }
  checks& is_op(cusparseOperation_t op) {
    return require(op >= CUSPARSE_OPERATION_NON_TRANSPOSE && op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE);
  }
  // Requires that the library supports an argument. If this is the first error, prints the reason on stderr.
  checks& supports(bool holds, const char* reason) {
    if (!holds && status_ == CUSPARSE_STATUS_SUCCESS) status_ = refuse(call_.name, reason);
    return *this;
  }
  bool hold() const { return status_ == CUSPARSE_STATUS_SUCCESS; }
  cusparseStatus_t status() const { return status_; }

 private:
  call call_;
  cusparseStatus_t status_ = CUSPARSE_STATUS_SUCCESS;
};

inline constexpr const char* types_refused = "cuSPARSE has no such combination of types";

// A factor such as alpha. In host pointer mode the call reads it at once, else its work reads it.
class factor {
 public:
  factor(const call& c, cudaDataType type, const void* at) : type_(type), in_device_(at) {
    if (!c.has_host_pointers()) return;
    std::memcpy(value_.bytes, at, size_of(type));
    in_device_ = nullptr;
  }
  any_number read(memory_accesses& memory) const {
    any_number value = value_;
    if (in_device_ && memory.reads(bytes_at(in_device_, size_of(type_)))) {
      std::memcpy(value.bytes, in_device_, size_of(type_));
    }
    return value;
  }

 private:
  cudaDataType type_;
  const void* in_device_;
  any_number value_;
};

// Operations up to this number of multiplications take up to 20 us; a change of threads takes 5 to 10 us.
inline constexpr int64_t short_work = 1 << 14;

// Appends `work(memory_accesses&)` to the stream of the handle. `cost`: an estimate of its multiplications. `waits`:
// the work writes to memory of the host, so the call returns after it.
template <class Work>
cusparseStatus_t submit(const call& c, int64_t cost, bool waits, Work&& work) {
  const auto guarded = [work = std::forward<Work>(work)](memory_accesses& memory) {
    try {
      work(memory);
    } catch (const std::bad_alloc&) {
      return cudaErrorMemoryAllocation;
    }
    return memory.error();
  };
  return status_of(libraries::stream_call(c.handle->stream, {c.name, cost <= short_work, waits}, guarded));
}

// The size of the work space that a size query returns. The work allocates its own memory, so any size but 0 serves: a
// program that passes no buffer repeats the query.
inline constexpr size_t nominal_buffer = 16;

inline cusparseStatus_t nominal_size(const checks& valid, size_t* size) {
  if (!valid.hold()) return valid.status();
  if (!size) return CUSPARSE_STATUS_INVALID_VALUE;
  *size = nominal_buffer;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace cohort::cusparse
