// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The public routines whose arguments name types, and those of half precision, from their table.
#include <cublas_api.h>

#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "libraries/cublas/typed_products.hpp"

namespace cohort::cublas {

namespace {

// Operands of a batch as bytes: pointers in device memory, or equal distances in bytes.
using byte = unsigned char;

template <class A, class B, class C>
cublasStatus_t typed_batch(const call& c, const gemm_shape& s, const void* alpha, cudaDataType atype, const A& a,
                           cudaDataType btype, const B& b, const void* beta, cudaDataType ctype, const C& result,
                           int64_t count, cublasComputeType_t compute) {
  checks valid(c);
  s.check(valid);
  valid.sizes(count).pointers(alpha, beta);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  const product_types* const types = find_product_types(compute, atype, btype, ctype);
  if (!types) return refuse(c.name, "cuBLAS has no product of these types (cublasGemmEx() in its guide lists them)");
  if (!s.has_result() || count == 0) return CUBLAS_STATUS_SUCCESS;
  const bool in_host = c.has_host_pointers();
  const typed_factor fa(in_host, types->scale, alpha), fb(in_host, types->scale, beta);
  return submit(c, s.cost() * static_cast<double>(count), false, [=](memory_accesses& memory) {
    const any_factor by_a = fa.read(memory), by_b = fb.read(memory);
    if (!a.read(memory, count, "Aarray") || !b.read(memory, count, "Barray") || !result.read(memory, count, "Carray"))
      return;
    for (int64_t i = 0; i < count; ++i) {
      if (s.k > 0 && !is_zero_factor(types->scale, by_a)) {
        memory.reads(typed_matrix(a.at(i), atype, s.rows_of_a(), s.columns_of_a(), s.lda), "A");
        memory.reads(typed_matrix(b.at(i), btype, s.rows_of_b(), s.columns_of_b(), s.ldb), "B");
      }
      if (!memory.writes(typed_matrix(result.at(i), ctype, s.m, s.n, s.ldc), "C")) return;
      multiply_typed(*types, s, by_a, a.at(i), b.at(i), by_b, result.at(i));
    }
  });
}

strided<const byte> strided_bytes(const void* first, int64_t distance, cudaDataType type) {
  return {static_cast<const byte*>(first), distance * static_cast<int64_t>(size_of(type))};
}
strided<byte> strided_bytes(void* first, int64_t distance, cudaDataType type) {
  return {static_cast<byte*>(first), distance * static_cast<int64_t>(size_of(type))};
}
pointer_array<const byte> byte_pointers(const void* const* array) {
  return pointer_array(reinterpret_cast<const byte* const*>(array));
}
pointer_array<byte> byte_pointers(void* const* array) { return pointer_array(reinterpret_cast<byte* const*>(array)); }

cublasStatus_t gemm_strided_ex(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                               int64_t k, const void* alpha, const void* a, cudaDataType atype, int64_t lda,
                               int64_t stridea, const void* b, cudaDataType btype, int64_t ldb, int64_t strideb,
                               const void* beta, void* result, cudaDataType ctype, int64_t ldc, int64_t stridec,
                               int64_t count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return typed_batch(c, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, atype, strided_bytes(a, stridea, atype), btype,
                     strided_bytes(b, strideb, btype), beta, ctype, strided_bytes(result, stridec, ctype), count,
                     compute);
}
cublasStatus_t gemm_ex(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                       int64_t k, const void* alpha, const void* a, cudaDataType atype, int64_t lda, const void* b,
                       cudaDataType btype, int64_t ldb, const void* beta, void* result, cudaDataType ctype, int64_t ldc,
                       cublasComputeType_t compute, cublasGemmAlgo_t algo) {
  return gemm_strided_ex(c, transa, transb, m, n, k, alpha, a, atype, lda, 0, b, btype, ldb, 0, beta, result, ctype,
                         ldc, 0, 1, compute, algo);
}
cublasStatus_t gemm_batched_ex(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                               int64_t k, const void* alpha, const void* const* a, cudaDataType atype, int64_t lda,
                               const void* const* b, cudaDataType btype, int64_t ldb, const void* beta,
                               void* const* result, cudaDataType ctype, int64_t ldc, int64_t count,
                               cublasComputeType_t compute, cublasGemmAlgo_t) {
  return typed_batch(c, {transa, transb, m, n, k, lda, ldb, ldc}, alpha, atype, byte_pointers(a), btype,
                     byte_pointers(b), beta, ctype, byte_pointers(result), count, compute);
}

// cublasSgemmEx, cublasCgemmEx and cublasCgemm3mEx: computed in the type of the factors.
template <class T>
cublasStatus_t float_gemm_ex(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                             int64_t k, const T* alpha, const void* a, cudaDataType atype, int64_t lda, const void* b,
                             cudaDataType btype, int64_t ldb, const T* beta, void* result, cudaDataType ctype,
                             int64_t ldc) {
  return gemm_ex(c, transa, transb, m, n, k, alpha, a, atype, lda, b, btype, ldb, beta, result, ctype, ldc,
                 CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}

cublasStatus_t half_gemm_strided(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                                 int64_t n, int64_t k, const __half* alpha, const __half* a, int64_t lda,
                                 int64_t stridea, const __half* b, int64_t ldb, int64_t strideb, const __half* beta,
                                 __half* result, int64_t ldc, int64_t stridec, int64_t count) {
  return gemm_strided_ex(c, transa, transb, m, n, k, alpha, a, CUDA_R_16F, lda, stridea, b, CUDA_R_16F, ldb, strideb,
                         beta, result, CUDA_R_16F, ldc, stridec, count, CUBLAS_COMPUTE_16F, CUBLAS_GEMM_DEFAULT);
}
cublasStatus_t half_gemm(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m, int64_t n,
                         int64_t k, const __half* alpha, const __half* a, int64_t lda, const __half* b, int64_t ldb,
                         const __half* beta, __half* result, int64_t ldc) {
  return half_gemm_strided(c, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0, beta, result, ldc, 0, 1);
}
cublasStatus_t half_gemm_batched(const call& c, cublasOperation_t transa, cublasOperation_t transb, int64_t m,
                                 int64_t n, int64_t k, const __half* alpha, const __half* const* a, int64_t lda,
                                 const __half* const* b, int64_t ldb, const __half* beta, __half* const* result,
                                 int64_t ldc, int64_t count) {
  return gemm_batched_ex(c, transa, transb, m, n, k, alpha, reinterpret_cast<const void* const*>(a), CUDA_R_16F, lda,
                         reinterpret_cast<const void* const*>(b), CUDA_R_16F, ldb, beta,
                         reinterpret_cast<void* const*>(result), CUDA_R_16F, ldc, count, CUBLAS_COMPUTE_16F,
                         CUBLAS_GEMM_DEFAULT);
}

constexpr const char* no_such_types = "cuBLAS has no routine of these types (its guide lists them)";

// True for element types with arithmetic of their own; half precision is computed in float.
template <class E>
inline constexpr bool is_number = std::is_same_v<typename computed<E>::type, E>;
template <class E>
constexpr cudaDataType data_type = std::is_same_v<E, __half>          ? CUDA_R_16F
                                   : std::is_same_v<E, __nv_bfloat16> ? CUDA_R_16BF
                                   : std::is_same_v<E, float>         ? CUDA_R_32F
                                   : std::is_same_v<E, double>        ? CUDA_R_64F
                                   : std::is_same_v<E, cuComplex>     ? CUDA_C_32F
                                                                      : CUDA_C_64F;
// The type that elements are computed in, and the type of their magnitudes.
template <class E>
constexpr cudaDataType execution_type = data_type<typename computed<E>::type>;
template <class E>
constexpr cudaDataType size_type = data_type<real_of<E>>;

// The elements of a vector, converted to float.
template <class E>
std::vector<float> load_vector(const E* x, int64_t n, int64_t increment) {
  std::vector<float> loaded;
  loaded.reserve(static_cast<size_t>(n));
  for (int64_t i = 0; i < n; ++i) loaded.push_back(computed<E>::load(*element(x, n, increment, i)));
  return loaded;
}

// Calls `use` with x as a pointer to elements of the C++ type for `type`.
template <class Use>
cublasStatus_t with_elements(const call& c, const void* x, cudaDataType type, Use&& use) {
  if (!c.handle) return CUBLAS_STATUS_NOT_INITIALIZED;
  return with_element_type(type, CUBLAS_STATUS_NOT_SUPPORTED, [&](auto e) {
    using E = typename decltype(e)::type;
    return use(static_cast<E*>(const_cast<void*>(x)));
  });
}

// A number that a vector of half precision reduces to.
template <class E, class Result, class Reduce>
cublasStatus_t reduce_half(const call& c, int64_t n, const E* x, int64_t incx, Result* result, Reduce&& reduce) {
  checks valid(c);
  valid.indices(n, incx).pointers(result);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  return submit_result(c, static_cast<double>(n), result, [=](memory_accesses& memory) {
    const bool is_empty = n <= 0 || incx <= 0;
    if (!is_empty && !memory.reads(vector_at(x, n, incx), "x")) return;
    *result = reduce(is_empty ? std::vector<float>() : load_vector(x, n, incx));
  });
}

// Computes nrm2 or asum in the elements' real type: by `of_numbers(E*, result)`, or by `of_floats(vector)` for elements
// of half precision.
template <class OfNumbers, class OfFloats>
cublasStatus_t size_ex(const call& c, int64_t n, const void* x, cudaDataType xtype, int64_t incx, void* result,
                       cudaDataType rtype, cudaDataType execution, OfNumbers&& of_numbers, OfFloats&& of_floats) {
  return with_elements(c, x, xtype, [&]<class E>(E* at) {
    if (rtype != size_type<E> || (execution != execution_type<real_of<E>> && execution != execution_type<E>)) {
      return refuse(c.name, no_such_types);
    }
    auto* const to = static_cast<real_of<E>*>(result);
    if constexpr (is_number<E>) {
      return of_numbers(at, to);
    } else {
      return reduce_half(c, n, at, incx, to,
                         [=](const std::vector<float>& all) { return computed<E>::store(of_floats(all)); });
    }
  });
}

cublasStatus_t nrm2_ex(const call& c, int64_t n, const void* x, cudaDataType xtype, int64_t incx, void* result,
                       cudaDataType rtype, cudaDataType execution) {
  const auto of_numbers = [&](auto* at, auto* to) { return nrm2(c, n, at, incx, to); };
  const auto of_floats = [](const std::vector<float>& all) {
    double sum = 0;
    for (float value : all) sum += static_cast<double>(value) * value;
    return static_cast<float>(std::sqrt(sum));
  };
  return size_ex(c, n, x, xtype, incx, result, rtype, execution, of_numbers, of_floats);
}

cublasStatus_t asum_ex(const call& c, int64_t n, const void* x, cudaDataType xtype, int64_t incx, void* result,
                       cudaDataType rtype, cudaDataType execution) {
  const auto of_numbers = [&](auto* at, auto* to) { return asum(c, n, at, incx, to); };
  const auto of_floats = [](const std::vector<float>& all) {
    float sum = 0;
    for (float value : all) sum += std::abs(value);
    return sum;
  };
  return size_ex(c, n, x, xtype, incx, result, rtype, execution, of_numbers, of_floats);
}

// The index, from 1, of the first element with the largest or the smallest magnitude.
template <bool Largest, class Index>
cublasStatus_t extreme_ex(const call& c, int64_t n, const void* x, cudaDataType xtype, int64_t incx, Index* result) {
  return with_elements(c, x, xtype, [&]<class E>(E* at) {
    if constexpr (is_number<E>) {
      return Largest ? amax<E>(c, n, at, incx, result) : amin<E>(c, n, at, incx, result);
    } else {
      return reduce_half(c, n, at, incx, result, [](const std::vector<float>& all) {
        if (all.empty()) return Index{0};
        const auto size_of = [&](int64_t i) { return std::abs(all[static_cast<size_t>(i)]); };
        return static_cast<Index>(find_extreme<Largest>(static_cast<int64_t>(all.size()), size_of));
      });
    }
  });
}
template <class Index>
cublasStatus_t amax_ex(const call& c, int64_t n, const void* x, cudaDataType xtype, int64_t incx, Index* result) {
  return extreme_ex<true>(c, n, x, xtype, incx, result);
}
template <class Index>
cublasStatus_t amin_ex(const call& c, int64_t n, const void* x, cudaDataType xtype, int64_t incx, Index* result) {
  return extreme_ex<false>(c, n, x, xtype, incx, result);
}

template <bool Conjugates>
cublasStatus_t dot_ex(const call& c, int64_t n, const void* x, cudaDataType xtype, int64_t incx, const void* y,
                      cudaDataType ytype, int64_t incy, void* result, cudaDataType rtype, cudaDataType execution) {
  return with_elements(c, x, xtype, [&]<class E>(E* left) {
    if (ytype != xtype || rtype != xtype || execution != execution_type<E>) return refuse(c.name, no_such_types);
    auto* const right = static_cast<const E*>(y);
    auto* const to = static_cast<E*>(result);
    if constexpr (is_number<E>) {
      return dot<Conjugates, E>(c, n, left, incx, right, incy, to);
    } else {
      checks valid(c);
      valid.indices(n, incx, incy).pointers(to);
      if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
      return submit_result(c, static_cast<double>(n), to, [=](memory_accesses& memory) {
        if (n > 0) memory.reads(vector_at(left, n, incx), "x");
        if (n > 0 && !memory.reads(vector_at(right, n, incy), "y")) return;
        float sum = 0;
        for (int64_t i = 0; i < n; ++i) {
          sum += computed<E>::load(*element(left, n, incx, i)) * computed<E>::load(*element(right, n, incy, i));
        }
        *to = computed<E>::store(sum);
      });
    }
  });
}
template <class... Arguments>
cublasStatus_t dotu_ex(const call& c, Arguments... each) {
  return dot_ex<false>(c, each...);
}
template <class... Arguments>
cublasStatus_t dotc_ex(const call& c, Arguments... each) {
  return dot_ex<true>(c, each...);
}

cublasStatus_t scal_ex(const call& c, int64_t n, const void* alpha, cudaDataType alphatype, void* x, cudaDataType xtype,
                       int64_t incx, cudaDataType execution) {
  return with_elements(c, x, xtype, [&]<class E>(E* at) {
    using W = typename computed<E>::type;
    if (alphatype != execution || execution != execution_type<E>) return refuse(c.name, no_such_types);
    const auto* const by = static_cast<const W*>(alpha);
    if constexpr (is_number<E>) {
      return scal<E>(c, n, by, at, incx);
    } else {
      checks valid(c);
      valid.indices(n, incx).pointers(by);
      if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
      if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
      return submit(c, static_cast<double>(n), false, [=, f = factor(c, by)](memory_accesses& memory) {
        const W a = f.read(memory);
        if (!memory.writes(vector_at(at, n, incx), "x")) return;
        for (int64_t i = 0; i < n; ++i) at[i * incx] = computed<E>::store(a * computed<E>::load(at[i * incx]));
      });
    }
  });
}

cublasStatus_t axpy_ex(const call& c, int64_t n, const void* alpha, cudaDataType alphatype, const void* x,
                       cudaDataType xtype, int64_t incx, void* y, cudaDataType ytype, int64_t incy,
                       cudaDataType execution) {
  return with_elements(c, x, xtype, [&]<class E>(E* left) {
    using W = typename computed<E>::type;
    if (ytype != xtype || alphatype != execution || execution != execution_type<E>) {
      return refuse(c.name, no_such_types);
    }
    const auto* const by = static_cast<const W*>(alpha);
    auto* const right = static_cast<E*>(y);
    if constexpr (is_number<E>) {
      return axpy<E>(c, n, by, left, incx, right, incy);
    } else {
      checks valid(c);
      valid.indices(n, incx, incy).pointers(by);
      if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
      if (n <= 0) return CUBLAS_STATUS_SUCCESS;
      return submit(c, static_cast<double>(n), false, [=, f = factor(c, by)](memory_accesses& memory) {
        const W a = f.read(memory);
        memory.reads(vector_at(left, n, incx), "x");
        if (!memory.writes(vector_at(right, n, incy), "y")) return;
        for (int64_t i = 0; i < n; ++i) {
          E& to = *element(right, n, incy, i);
          to = computed<E>::store(computed<E>::load(to) + a * computed<E>::load(*element(left, n, incx, i)));
        }
      });
    }
  });
}

// Copies or exchanges elements of one type.
template <class Function>
cublasStatus_t move_elements(const call& c, cudaDataType xtype, cudaDataType ytype, int64_t n, int64_t incx,
                             int64_t incy, void* x, void* y, bool writes_x, Function&& move) {
  checks valid(c);
  valid.indices(n, incx, incy);
  if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
  return with_elements(c, x, xtype, [&]<class E>(E* left) {
    if (ytype != xtype) return refuse(c.name, no_such_types);
    if (n <= 0) return CUBLAS_STATUS_SUCCESS;
    auto* const right = static_cast<E*>(y);
    return submit(c, static_cast<double>(n), false, [=](memory_accesses& memory) {
      writes_x ? memory.writes(vector_at(left, n, incx), "x") : memory.reads(vector_at(left, n, incx), "x");
      if (!memory.writes(vector_at(right, n, incy), "y")) return;
      for (int64_t i = 0; i < n; ++i) move(*element(left, n, incx, i), *element(right, n, incy, i));
    });
  });
}
cublasStatus_t copy_ex(const call& c, int64_t n, const void* x, cudaDataType xtype, int64_t incx, void* y,
                       cudaDataType ytype, int64_t incy) {
  return move_elements(c, xtype, ytype, n, incx, incy, const_cast<void*>(x), y, false,
                       [](auto& from, auto& to) { to = from; });
}
cublasStatus_t swap_ex(const call& c, int64_t n, void* x, cudaDataType xtype, int64_t incx, void* y, cudaDataType ytype,
                       int64_t incy) {
  return move_elements(c, xtype, ytype, n, incx, incy, x, y, true, [](auto& from, auto& to) { std::swap(from, to); });
}

cublasStatus_t rot_ex(const call& c, int64_t n, void* x, cudaDataType xtype, int64_t incx, void* y, cudaDataType ytype,
                      int64_t incy, const void* cosine, const void* sine, cudaDataType cstype, cudaDataType execution) {
  return with_elements(c, x, xtype, [&]<class E>(E* left) {
    if (ytype != xtype || execution != execution_type<E>) return refuse(c.name, no_such_types);
    auto* const right = static_cast<E*>(y);
    if constexpr (is_number<E>) {
      const auto* const by_c = static_cast<const real_of<E>*>(cosine);
      if (cstype == size_type<E>) {
        return rot<E>(c, n, left, incx, right, incy, by_c, static_cast<const real_of<E>*>(sine));
      }
      if (cstype == xtype) return rot<E>(c, n, left, incx, right, incy, by_c, static_cast<const E*>(sine));
      return refuse(c.name, no_such_types);
    } else {
      const auto *const by_c = static_cast<const E*>(cosine), *const by_s = static_cast<const E*>(sine);
      checks valid(c);
      if (cstype != xtype) return refuse(c.name, no_such_types);
      valid.indices(n, incx, incy).pointers(by_c, by_s);
      if (valid.status() != CUBLAS_STATUS_SUCCESS) return valid.status();
      if (n <= 0) return CUBLAS_STATUS_SUCCESS;
      const auto rotate = [=, fc = factor(c, by_c), fs = factor(c, by_s)](memory_accesses& memory) {
        const float cos = computed<E>::load(fc.read(memory)), sin = computed<E>::load(fs.read(memory));
        if (memory.error() != cudaSuccess) return;
        for (int64_t i = 0; i < n; ++i) {
          E &a = *element(left, n, incx, i), &b = *element(right, n, incy, i);
          const float old_a = computed<E>::load(a), old_b = computed<E>::load(b);
          a = computed<E>::store(cos * old_a + sin * old_b);
          b = computed<E>::store(cos * old_b - sin * old_a);
        }
      };
      return change_both(c, n, left, incx, right, incy, rotate);
    }
  });
}

}  // namespace

}  // namespace cohort::cublas

#define COHORT_LIST(...) __VA_ARGS__
#define COHORT_TEXT(name) COHORT_TEXT_OF(name)
#define COHORT_TEXT_OF(name) #name
#define COHORT_ROUTINE(name, body, parameters, arguments)                            \
  extern "C" cublasStatus_t name parameters {                                        \
    return cohort::cublas::body({handle, COHORT_TEXT(name)}, COHORT_LIST arguments); \
  }
#include <cudart_detail/cublas/typed_routines_by_index.inc>
