// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The common course of all routines. A routine is a struct of its arguments, a problem:
//   element                     the type of its numbers
//   check(valid)                checks the arguments
//   refused()                   optional: the reason for an argument that is not supported, or null
//   cost()                      an estimate of the multiplications
//   report(memory)              reports the operands; false after an error
//   call_lapack(work)           calls LAPACK, once with lengths of -1 for the size of its work space
//   unreported()                optional: arrays of work space whose size LAPACK does not return
//   extra()                     optional: work space beside LAPACK's
//   each_matrix(use)            optional: calls use(a, lda, rows, columns, uplo) for matrices whose rows LAPACK reads
//   solve(space, info)          optional: the work, where it is more than one call of LAPACK
//   infos()                     optional: the number of results in `info`, where it is not 1
//   waits()                     optional: true if results go to host memory
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "libraries/common/operands.hpp"
#include "libraries/cusolver/call.hpp"
#include "libraries/cusolver/lapack.hpp"

namespace cohort::cusolver {

using libraries::argument_checks;
using libraries::bytes_at;
using libraries::conjugate;
using libraries::matrix_at;
using libraries::memory_accesses;
using libraries::number;
using libraries::numbers;
using libraries::pointer_array;
using libraries::reads_triangle;
using libraries::vector_at;
using libraries::writes_triangle;

// Arguments of LAPACK's functions, by address.
inline libraries::blas_argument arg(int64_t value) { return value; }
template <class Enumeration, std::enable_if_t<std::is_enum_v<Enumeration>, int> = 0>
libraries::blas_letter<Enumeration> arg(Enumeration value) {
  return value;
}

// Removes const from an operand of a size query, which shares a problem with calls that write the operand.
template <class T>
T* writable(const T* operand) {
  return const_cast<T*>(operand);
}

inline bool wants_vectors(cusolverEigMode_t mode) { return mode == CUSOLVER_EIG_MODE_VECTOR; }
inline const char* letter_of_mode(cusolverEigMode_t mode) { return wants_vectors(mode) ? "V" : "N"; }
inline void check_mode(argument_checks& valid, cusolverEigMode_t mode) {
  valid.require(mode == CUSOLVER_EIG_MODE_NOVECTOR || mode == CUSOLVER_EIG_MODE_VECTOR);
}

// The letter for LAPACK's routines that accept, besides "N", only "T" for real and only "C" for complex numbers.
template <class T>
const char* adjoint_letter(cublasOperation_t trans) {
  if (trans == CUBLAS_OP_N) return "N";
  return is_complex<T> ? "C" : "T";
}
template <class T>
void check_adjoint(argument_checks& valid, cublasOperation_t trans) {
  valid.is_op(trans).require(!is_complex<T> || trans != CUBLAS_OP_T);
}

inline double cost_of(int64_t m, int64_t n, int64_t k) {
  return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k);
}

// The size of a work space: counts of numbers of the operands' type, of their real type, and of int.
struct scratch_size {
  int64_t numbers = 0;
  int64_t reals = 0;
  int64_t ints = 0;

  template <class T>
  size_t bytes() const {
    const auto size = static_cast<size_t>(numbers) * sizeof(T) + static_cast<size_t>(reals) * sizeof(real_of<T>) +
                      static_cast<size_t>(ints) * sizeof(int);
    return (size + sizeof(T) - 1) / sizeof(T) * sizeof(T);
  }
};
inline scratch_size operator+(const scratch_size& a, const scratch_size& b) {
  return {a.numbers + b.numbers, a.reals + b.reals, a.ints + b.ints};
}

// The arrays of work space of a function of LAPACK, their lengths, and the place of its result.
template <class T>
struct lapack_work {
  T* work;
  int lwork;
  real_of<T>* rwork;
  int lrwork;
  int* iwork;
  int liwork;
  int* info;
};

// LAPACK returns lengths as floating-point numbers, which may be rounded down.
template <class R>
int64_t length_of(R value) {
  return static_cast<int64_t>(std::ceil(static_cast<double>(value) * (1 + std::numeric_limits<R>::epsilon())));
}

template <class P>
scratch_size lapack_size(const P& p) {
  using T = typename P::element;
  scratch_size size;
  if constexpr (requires(const lapack_work<T>& w) { p.call_lapack(w); }) {
    T length{};
    real_of<T> real_length{};
    int int_length = 0, info = 0;
    p.call_lapack(lapack_work<T>{&length, -1, &real_length, -1, &int_length, -1, &info});
    size = {length_of(std::real(number(length))), length_of(real_length), int_length};
  }
  if constexpr (requires { p.unreported(); }) size = size + p.unreported();
  return size;
}

template <class P>
scratch_size extra_size(const P& p) {
  if constexpr (requires { p.extra(); }) {
    return p.extra();
  } else {
    return {};
  }
}

// OpenBLAS 0.3.21 reads one element after a row of complex numbers, on processors with AVX-512. That element may lie
// outside of the program's memory. LAPACK therefore works on copies in work space, which an unused column follows.
template <class P>
constexpr bool copies_matrices() {
  using T = typename P::element;
  return is_complex<T> && requires(P& p) { p.each_matrix([](T*&, int64_t&, int64_t, int64_t, cublasFillMode_t) {}); };
}
template <class P>
scratch_size copies_size(const P& p) {
  using T = typename P::element;
  int64_t length = 0, longest = 0;
  if constexpr (copies_matrices<P>()) {
    P local = p;
    local.each_matrix([&](T*&, int64_t&, int64_t rows, int64_t columns, cublasFillMode_t) {
      length += rows * columns;
      longest = std::max(longest, rows);
    });
  }
  return {length + longest};
}
// Calls `use(problem)` with the copies, and copies the results back: a triangle, or the full matrix.
template <class P, class Use>
void with_copies(const P& p, typename P::element* space, Use&& use) {
  using T = typename P::element;
  if constexpr (copies_matrices<P>()) {
    P local = p, original = p;
    T* at = space;
    local.each_matrix([&](T*& a, int64_t& lda, int64_t rows, int64_t columns, cublasFillMode_t) {
      for (int64_t column = 0; column < columns; ++column) std::copy_n(a + column * lda, rows, at + column * rows);
      a = at;
      lda = std::max<int64_t>(1, rows);
      at += rows * columns;
    });
    use(local);
    at = space;
    original.each_matrix([&](T*& a, int64_t& lda, int64_t rows, int64_t columns, cublasFillMode_t uplo) {
      for (int64_t column = 0; column < columns; ++column) {
        const int64_t first = uplo == CUBLAS_FILL_MODE_LOWER ? column : 0;
        const int64_t last = uplo == CUBLAS_FILL_MODE_UPPER ? column + 1 : rows;
        std::copy(at + column * rows + first, at + column * rows + last, a + column * lda + first);
      }
      at += rows * columns;
    });
  } else {
    use(p);
  }
}

// The program's work space: the arrays that LAPACK needs, and a problem's extra() arrays.
template <class T>
class scratch {
 public:
  scratch(void* at, const scratch_size& for_lapack, const scratch_size& extra)
      : lapack_(for_lapack), first_number_(static_cast<T*>(at)) {
    first_real_ = reinterpret_cast<real_of<T>*>(first_number_ + lapack_.numbers + extra.numbers);
    first_int_ = reinterpret_cast<int*>(first_real_ + lapack_.reals + extra.reals);
  }

  lapack_work<T> lapack(int* info) const {
    return {first_number_, static_cast<int>(lapack_.numbers), first_real_, static_cast<int>(lapack_.reals),
            first_int_,    static_cast<int>(lapack_.ints),    info};
  }
  T* numbers() const { return first_number_ + lapack_.numbers; }
  real_of<T>* reals() const { return first_real_ + lapack_.reals; }
  int* ints() const { return first_int_ + lapack_.ints; }

 private:
  scratch_size lapack_;
  T* first_number_;
  real_of<T>* first_real_;
  int* first_int_;
};

template <class P>
cusolverStatus_t status_of_problem(const checks& valid, const call& c, const P& p) {
  const cusolverStatus_t status = valid.status();
  if constexpr (requires { p.refused(); }) {
    if (status == CUSOLVER_STATUS_SUCCESS && p.refused()) return refuse(c.name, p.refused());
  }
  return status;
}

// The size of the work space in bytes.
template <class P>
cusolverStatus_t size_bytes(const call& c, const P& p, size_t* bytes) {
  checks valid(c);
  p.check(valid);
  valid.pointers(bytes);
  const cusolverStatus_t status = status_of_problem(valid, c, p);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  using T = typename P::element;
  *bytes = std::max((lapack_size(p) + extra_size(p) + copies_size(p)).template bytes<T>(), sizeof(T));
  return status;
}
// The size of the work space in numbers.
template <class P>
cusolverStatus_t size(const call& c, const P& p, int* lwork) {
  size_t bytes = 0;
  const cusolverStatus_t status = size_bytes(c, p, lwork ? &bytes : nullptr);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  const size_t length = bytes / sizeof(typename P::element);
  if (length > INT_MAX) return refuse(c.name, "the length of its work space has more than 31 bits");
  *lwork = static_cast<int>(length);
  return status;
}

struct work_space {
  void* at = nullptr;
  size_t bytes = SIZE_MAX;  // SIZE_MAX: the call has no argument for the size
};

// Appends the problem to the stream of the handle. `info`: null for routines without results.
template <class P>
cusolverStatus_t submit(const call& c, const P& p, const work_space& space, int* info) {
  using T = typename P::element;
  const scratch_size for_lapack = lapack_size(p), extra = extra_size(p), all_extra = extra + copies_size(p);
  const size_t bytes = (for_lapack + all_extra).template bytes<T>();
  if (space.bytes < bytes || (bytes > 0 && !space.at)) return CUSOLVER_STATUS_INVALID_VALUE;
  bool waits = false;
  if constexpr (requires { p.waits(); }) waits = p.waits();
  int64_t infos = 1;
  if constexpr (requires { p.infos(); }) infos = p.infos();
  return status_of(libraries::stream_work(c.handle->stream, {c.name, p.cost() <= libraries::short_work, waits},
                                          [=](memory_accesses& memory) {
                                            if (bytes > 0) memory.writes(bytes_at(space.at, bytes));
                                            if (info) memory.writes(vector_at(info, infos, 1));
                                            if (memory.error() != cudaSuccess || !p.report(memory)) return;
                                            int unused = 0;
                                            const scratch<T> parts(space.at, for_lapack, all_extra);
                                            int* const result = info ? info : &unused;
                                            with_copies(p, parts.numbers() + extra.numbers, [&](const P& local) {
                                              if constexpr (requires { local.solve(parts, result); }) {
                                                local.solve(parts, result);
                                              } else {
                                                local.call_lapack(parts.lapack(result));
                                              }
                                            });
                                          }));
}

template <class P>
cusolverStatus_t run_in(const call& c, const P& p, const work_space& space, int* info, bool has_info) {
  checks valid(c);
  p.check(valid);
  if (has_info) valid.pointers(info);
  const cusolverStatus_t status = status_of_problem(valid, c, p);
  return status == CUSOLVER_STATUS_SUCCESS ? submit(c, p, space, info) : status;
}
template <class P>
cusolverStatus_t run(const call& c, const P& p, typename P::element* work, int lwork, int* info) {
  const size_t bytes = static_cast<size_t>(std::max(0, lwork)) * sizeof(typename P::element);
  return run_in(c, p, {work, bytes}, info, true);
}
template <class P>
cusolverStatus_t run(const call& c, const P& p, typename P::element* work, int* info) {
  return run_in(c, p, {work}, info, true);
}
template <class P>
cusolverStatus_t run(const call& c, const P& p, int* info) {
  return run_in(c, p, {}, info, true);
}
template <class P>
cusolverStatus_t run(const call& c, const P& p) {
  return run_in(c, p, {}, nullptr, false);
}

}  // namespace cohort::cusolver
