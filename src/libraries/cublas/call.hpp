// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A handle, and a call with it: its checks, its factors, and its work as an operation of the handle's stream.
#pragma once

#include <cublas_api.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

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

using libraries::memory_accesses;
using libraries::memory_rows;

// A call of a public function, whose name appears in logs, traces and reports.
struct call {
  cublasHandle_t handle;
  const char* name;

  bool has_host_pointers() const { return handle->pointer_mode == CUBLAS_POINTER_MODE_HOST; }
};

cublasStatus_t status_of(cudaError_t error);
// Writes a line to the log, if the program has configured one.
void log_call(const char* name);
// Reports on stderr why a call is refused. Returns CUBLAS_STATUS_NOT_SUPPORTED.
cublasStatus_t refuse(const char* name, const char* reason);

// The sizes, distances and enumerations of a call. All checks are made, then status() is the first error.
class checks {
 public:
  explicit checks(const call& c) : call_(c) {
    if (!c.handle) {
      status_ = CUBLAS_STATUS_NOT_INITIALIZED;
    } else {
      log_call(c.name);
    }
  }
  checks& require(bool holds) {
    if (!holds && status_ == CUBLAS_STATUS_SUCCESS) status_ = CUBLAS_STATUS_INVALID_VALUE;
    return *this;
  }
  // Sizes: not negative. OpenBLAS has indices of 32 bits.
  template <class... Sizes>
  checks& sizes(Sizes... each) {
    (require(each >= 0), ...);
    return indices(each...);
  }
  template <class... Indices>
  checks& indices(Indices... each) {
    fits_ = fits_ && (... && (each <= INT32_MAX && each >= INT32_MIN));
    return *this;
  }
  // A distance of columns: at least `rows` and 1.
  checks& columns(int64_t ld, int64_t rows) { return require(ld >= (rows > 1 ? rows : 1)).indices(ld); }
  template <class... Increments>
  checks& increments(Increments... each) {
    (require(each != 0), ...);
    return indices(each...);
  }
  template <class... Pointers>
  checks& pointers(Pointers... each) {
    return require((... && (each != nullptr)));
  }
  checks& is_op(cublasOperation_t op) { return require(op >= CUBLAS_OP_N && op <= CUBLAS_OP_C); }
  checks& is_triangle(cublasFillMode_t uplo) {
    return require(uplo == CUBLAS_FILL_MODE_LOWER || uplo == CUBLAS_FILL_MODE_UPPER);
  }
  checks& is_diagonal(cublasDiagType_t diag) {
    return require(diag == CUBLAS_DIAG_NON_UNIT || diag == CUBLAS_DIAG_UNIT);
  }
  checks& is_side(cublasSideMode_t side) { return require(side == CUBLAS_SIDE_LEFT || side == CUBLAS_SIDE_RIGHT); }

  cublasStatus_t status() const {
    if (status_ != CUBLAS_STATUS_SUCCESS || fits_) return status_;
    return refuse(call_.name, "OpenBLAS has no sizes of more than 31 bits");
  }

 private:
  const call& call_;
  cublasStatus_t status_ = CUBLAS_STATUS_SUCCESS;
  bool fits_ = true;
};

inline char letter_of(cublasOperation_t op) { return "NTC"[op]; }
inline char letter_of(cublasFillMode_t uplo) { return "LU"[uplo]; }
inline char letter_of(cublasDiagType_t diag) { return "NU"[diag]; }
inline char letter_of(cublasSideMode_t side) { return "LR"[side]; }

// A factor such as alpha. In host pointer mode the call reads it at once, else its work reads it.
template <class T>
class factor {
 public:
  factor(const call& c, const T* at) : in_device_(c.has_host_pointers() ? nullptr : at) {
    if (c.has_host_pointers()) value_ = *at;
  }
  T read(memory_accesses& memory) const {
    if (!in_device_) return value_;
    return memory.reads(libraries::bytes_at(in_device_, sizeof(T))) ? *in_device_ : T{};
  }

 private:
  const T* in_device_;
  T value_{};
};

template <class T>
bool is_zero(const T& value) {
  if constexpr (requires { value.x; }) {
    return value.x == 0 && value.y == 0;
  } else {
    return value == 0;
  }
}

// The memory of a vector, a matrix of columns, and a matrix by its rows of equal length.
template <class T>
memory_rows vector_at(const T* x, int64_t n, int64_t increment) {
  const int64_t distance = increment < 0 ? -increment : increment;
  return {x, sizeof(T), static_cast<size_t>(distance) * sizeof(T), static_cast<size_t>(n)};
}
template <class T>
memory_rows matrix_at(const T* a, int64_t rows, int64_t columns, int64_t ld) {
  return {a, static_cast<size_t>(rows) * sizeof(T), static_cast<size_t>(ld) * sizeof(T), static_cast<size_t>(columns)};
}

// Calls `note` with the memory of each column of a triangle.
template <class T, class Note>
void each_column(const T* a, cublasFillMode_t uplo, int64_t n, int64_t ld, Note&& note) {
  for (int64_t column = 0; column < n; ++column) {
    const bool is_lower = uplo == CUBLAS_FILL_MODE_LOWER;
    const T* const first = a + column * ld + (is_lower ? column : 0);
    note(libraries::bytes_at(first, static_cast<size_t>(is_lower ? n - column : column + 1) * sizeof(T)));
  }
}
template <class T>
void reads_triangle(memory_accesses& memory, const T* a, cublasFillMode_t uplo, int64_t n, int64_t ld) {
  each_column(a, uplo, n, ld, [&](const memory_rows& column) { memory.reads(column); });
}
template <class T>
void writes_triangle(memory_accesses& memory, const T* a, cublasFillMode_t uplo, int64_t n, int64_t ld) {
  each_column(a, uplo, n, ld, [&](const memory_rows& column) { memory.writes(column); });
}

// Operations up to this number of multiplications take up to 20 us; a change of threads takes 5 to 10 us.
inline constexpr double short_work = 1 << 20;

// Appends `work(memory_accesses&)` to the stream of the handle. `cost`: an estimate of its multiplications. `to_host`:
// the work writes to memory of the host, so the call returns after it.
template <class Work>
cublasStatus_t submit(const call& c, double cost, bool to_host, Work&& work) {
  const auto guarded = [work = std::forward<Work>(work)](memory_accesses& memory) {
    try {
      work(memory);
    } catch (const std::bad_alloc&) {
      return cudaErrorMemoryAllocation;
    }
    return memory.error();
  };
  return status_of(libraries::stream_call(c.handle->stream, {c.name, cost <= short_work, to_host}, guarded));
}

}  // namespace cohort::cublas
