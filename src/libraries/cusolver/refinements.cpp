// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solutions with iterative refinement: the routines of each pair of precisions, and the ones with parameters.
#include <cusolverDn.h>

#include <vector>

#include "libraries/cusolver/problem.hpp"
#include "libraries/cusolver/refinement.hpp"

struct cusolverDnIRSParams {
  cusolverIRSRefinement_t solver = CUSOLVER_IRS_REFINE_NOT_SET;
  cusolverPrecType_t main = CUSOLVER_R_64F, lowest = CUSOLVER_R_64F;
  bool has_main = false, has_lowest = false;
  double tolerance = 0;
  int max_iterations = 50, max_inner_iterations = 50;
  bool falls_back = true;
};

struct cusolverDnIRSInfos {
  int iterations = 0, max_iterations = 0;
  bool wants_history = false;
  std::vector<double> history;  // its memory holds numbers of the real type of the operands
};

namespace cohort::cusolver {

namespace {

// Precisions in descending order, of real and of complex numbers.
constexpr cusolverPrecType_t real_precisions[] = {CUSOLVER_R_64F, CUSOLVER_R_32F, CUSOLVER_R_TF32, CUSOLVER_R_16BF,
                                                  CUSOLVER_R_16F};
constexpr cusolverPrecType_t complex_precisions[] = {CUSOLVER_C_64F, CUSOLVER_C_32F, CUSOLVER_C_TF32, CUSOLVER_C_16BF,
                                                     CUSOLVER_C_16F};
template <size_t Count>
int place_of(const cusolverPrecType_t (&all)[Count], cusolverPrecType_t precision) {
  const auto* const found = std::find(std::begin(all), std::end(all), precision);
  return found == std::end(all) ? -1 : static_cast<int>(found - all);
}
bool is_precision(cusolverPrecType_t precision) {
  return place_of(real_precisions, precision) >= 0 || place_of(complex_precisions, precision) >= 0;
}
bool is_main(cusolverPrecType_t precision) {
  return precision == CUSOLVER_R_64F || precision == CUSOLVER_R_32F || precision == CUSOLVER_C_64F ||
         precision == CUSOLVER_C_32F;
}
// The lowest precision has numbers of the same kind, and is at most the main one.
bool is_pair(cusolverPrecType_t main, cusolverPrecType_t lowest) {
  const auto fits = [&](const auto& all) {
    return place_of(all, main) >= 0 && place_of(all, lowest) >= place_of(all, main);
  };
  return fits(real_precisions) || fits(complex_precisions);
}

template <class Problem>
cusolverStatus_t run_refined(const call& c, const Problem& p, void* work, size_t bytes, int* info) {
  if (c.handle && !p.result.iterations) return CUSOLVER_STATUS_INVALID_VALUE;
  return run_in(c, p, {work, bytes}, info, true);
}

bool is_full(cusolverPrecType_t precision) { return precision == CUSOLVER_R_64F || precision == CUSOLVER_C_64F; }

cusolverStatus_t status_of_params(const cusolverDnIRSParams* params) {
  if (!params) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  if (!params->has_main || !params->has_lowest || !is_pair(params->main, params->lowest)) {
    return CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC;
  }
  return params->solver == CUSOLVER_IRS_REFINE_NOT_SET ? CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE
                                                       : CUSOLVER_STATUS_SUCCESS;
}

refinement refinement_of(const cusolverDnIRSParams& params) {
  return {!is_full(params.lowest), params.solver != CUSOLVER_IRS_REFINE_NONE, params.falls_back, params.tolerance,
          params.max_iterations};
}

// Calls `use(T())` for the type of the operands.
template <class Use>
cusolverStatus_t with_main_precision(const cusolverDnIRSParams& params, Use&& use) {
  switch (params.main) {
    case CUSOLVER_R_32F:
      return use(0.0F);
    case CUSOLVER_R_64F:
      return use(0.0);
    case CUSOLVER_C_32F:
      return use(cuComplex());
    default:
      return use(cuDoubleComplex());
  }
}

// A call with parameters: `make(T(), how, report)` returns the problem.
template <class Make>
cusolverStatus_t run_with(const call& c, const cusolverDnIRSParams* params, cusolverDnIRSInfos* infos, int nrhs,
                          void* work, size_t bytes, int* iterations, int* info, Make&& make) {
  if (!c.handle) return CUSOLVER_STATUS_NOT_INITIALIZED;
  const cusolverStatus_t params_status = status_of_params(params);
  if (params_status != CUSOLVER_STATUS_SUCCESS) return params_status;
  if (!infos) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  refinement_report report{iterations};
  infos->max_iterations = params->max_iterations;
  if (infos->wants_history) {
    report.history_rows = params->max_iterations + 1;
    infos->history.assign(static_cast<size_t>(report.history_rows) * static_cast<size_t>(std::max(0, nrhs)), 0);
    report.history = infos->history.data();
  }
  const cusolverStatus_t status = with_main_precision(*params, [&](auto type) {
    return run_refined(c, make(type, refinement_of(*params), report), work, bytes, info);
  });
  if (status == CUSOLVER_STATUS_SUCCESS) infos->iterations = *iterations;
  return status;
}
template <class Make>
cusolverStatus_t size_with(const call& c, const cusolverDnIRSParams* params, size_t* bytes, Make&& make) {
  if (!c.handle) return CUSOLVER_STATUS_NOT_INITIALIZED;
  const cusolverStatus_t status = status_of_params(params);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return with_main_precision(*params, [&](auto type) { return size_bytes(c, make(type), bytes); });
}

template <class Change>
cusolverStatus_t change(cusolverDnIRSParams* params, cusolverStatus_t otherwise, bool is_valid, Change&& make_change) {
  if (!params) return CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
  if (!is_valid) return otherwise;
  make_change();
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t read(const cusolverDnIRSInfos* infos, int cusolverDnIRSInfos::* member, int* value) {
  if (!infos) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  if (!value) return CUSOLVER_STATUS_INVALID_VALUE;
  *value = infos->*member;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace

// Functions that return the size of the work space do not read their parameter `work`.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define COHORT_REFINED(letters, type, lowest)                                                                          \
  extern "C" cusolverStatus_t cusolverDn##letters##gesv(cusolverDnHandle_t handle, int n, int nrhs, type* a, int lda,  \
                                                        int* pivots, type* b, int ldb, type* x, int ldx, void* work,   \
                                                        size_t work_bytes, int* iterations, int* info) {               \
    const gesv<type> p{{!is_full(lowest)}, {iterations}, n, nrhs, a, lda, pivots, b, ldb, x, ldx};                     \
    return run_refined({handle, "cusolverDn" #letters "gesv"}, p, work, work_bytes, info);                             \
  }                                                                                                                    \
  extern "C" cusolverStatus_t cusolverDn##letters##gesv_bufferSize(cusolverDnHandle_t handle, int n, int nrhs,         \
                                                                   type* a, int lda, int* pivots, type* b, int ldb,    \
                                                                   type* x, int ldx, void* work, size_t* work_bytes) { \
    const gesv<type> p{{}, {}, n, nrhs, a, lda, pivots, b, ldb, x, ldx};                                               \
    return size_bytes({handle, "cusolverDn" #letters "gesv_bufferSize"}, p, work_bytes);                               \
  }                                                                                                                    \
  extern "C" cusolverStatus_t cusolverDn##letters##gels(cusolverDnHandle_t handle, int m, int n, int nrhs, type* a,    \
                                                        int lda, type* b, int ldb, type* x, int ldx, void* work,       \
                                                        size_t work_bytes, int* iterations, int* info) {               \
    const gels<type> p{{!is_full(lowest)}, {iterations}, m, n, nrhs, a, lda, b, ldb, x, ldx};                          \
    return run_refined({handle, "cusolverDn" #letters "gels"}, p, work, work_bytes, info);                             \
  }                                                                                                                    \
  extern "C" cusolverStatus_t cusolverDn##letters##gels_bufferSize(cusolverDnHandle_t handle, int m, int n, int nrhs,  \
                                                                   type* a, int lda, type* b, int ldb, type* x,        \
                                                                   int ldx, void* work, size_t* work_bytes) {          \
    const gels<type> p{{}, {}, m, n, nrhs, a, lda, b, ldb, x, ldx};                                                    \
    return size_bytes({handle, "cusolverDn" #letters "gels_bufferSize"}, p, work_bytes);                               \
  }
#include <cudart_detail/cusolver/refinements.inc>
#pragma GCC diagnostic pop

}  // namespace cohort::cusolver

using namespace cohort::cusolver;

extern "C" {

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t* params) { return statuses.create(params); }
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params) {
  return statuses.destroy(params, CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params, cusolverIRSRefinement_t solver) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID_REFINE,
                solver >= CUSOLVER_IRS_REFINE_NOT_SET && solver <= CUSOLVER_IRS_REFINE_GMRES_NOPCOND,
                [&] { params->solver = solver; });
}
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(cusolverDnIRSParams_t params, cusolverPrecType_t precision) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC, is_main(precision), [&] {
    params->main = precision;
    params->has_main = true;
  });
}
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(cusolverDnIRSParams_t params,
                                                             cusolverPrecType_t precision) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC, is_precision(precision), [&] {
    params->lowest = precision;
    params->has_lowest = true;
  });
}
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(cusolverDnIRSParams_t params, cusolverPrecType_t main,
                                                        cusolverPrecType_t lowest) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC, is_main(main) && is_pair(main, lowest), [&] {
    params->main = main;
    params->lowest = lowest;
    params->has_main = params->has_lowest = true;
  });
}
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double tolerance) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID, true, [&] { params->tolerance = tolerance; });
}
// No effect: inner iterations belong to refinement by GMRES, and this refinement has none.
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t params, double) {
  return params ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED;
}
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params, cusolver_int_t count) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID_MAXITER, count >= 0, [&] {
    params->max_iterations = count;
    params->max_inner_iterations = std::min(count, params->max_inner_iterations);
  });
}
cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params, cusolver_int_t count) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID, params && count >= 0 && count <= params->max_iterations,
                [&] { params->max_inner_iterations = count; });
}
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params, cusolver_int_t* count) {
  return change(params, CUSOLVER_STATUS_INVALID_VALUE, count, [&] { *count = params->max_iterations; });
}
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID, true, [&] { params->falls_back = true; });
}
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params) {
  return change(params, CUSOLVER_STATUS_IRS_PARAMS_INVALID, true, [&] { params->falls_back = false; });
}

cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t* infos) { return statuses.create(infos); }
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos) {
  return statuses.destroy(infos, CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, cusolver_int_t* count) {
  return read(infos, &cusolverDnIRSInfos::iterations, count);
}
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos, cusolver_int_t* count) {
  return read(infos, &cusolverDnIRSInfos::iterations, count);
}
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos, cusolver_int_t* count) {
  return read(infos, &cusolverDnIRSInfos::max_iterations, count);
}
cusolverStatus_t cusolverDnIRSInfosRequestResidual(cusolverDnIRSInfos_t infos) {
  if (!infos) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  infos->wants_history = true;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnIRSInfosGetResidualHistory(cusolverDnIRSInfos_t infos, void** history) {
  if (!infos) return CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED;
  if (!history || !infos->wants_history) return CUSOLVER_STATUS_INVALID_VALUE;
  *history = infos->history.data();
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                               cusolver_int_t n, cusolver_int_t nrhs, size_t* work_bytes) {
  return size_with({handle, "cusolverDnIRSXgesv_bufferSize"}, params, work_bytes, [&]<class T>(T) {
    const int ld = std::max(1, n);
    return gesv<T>{{}, {}, n, nrhs, nullptr, ld, nullptr, nullptr, ld, nullptr, ld};
  });
}
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos,
                                    cusolver_int_t n, cusolver_int_t nrhs, void* a, cusolver_int_t lda, void* b,
                                    cusolver_int_t ldb, void* x, cusolver_int_t ldx, void* work, size_t work_bytes,
                                    cusolver_int_t* iterations, cusolver_int_t* info) {
  return run_with(
      {handle, "cusolverDnIRSXgesv"}, params, infos, nrhs, work, work_bytes, iterations, info,
      [&]<class T>(T, const refinement& how, const refinement_report& report) {
        return gesv<T>{
            how, report, n, nrhs, static_cast<T*>(a), lda, nullptr, static_cast<const T*>(b), ldb, static_cast<T*>(x),
            ldx};
      });
}
cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                                               cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs,
                                               size_t* work_bytes) {
  return size_with({handle, "cusolverDnIRSXgels_bufferSize"}, params, work_bytes, [&]<class T>(T) {
    const int ld = std::max(1, m);
    return gels<T>{{}, {}, m, n, nrhs, nullptr, ld, nullptr, ld, nullptr, std::max(1, n)};
  });
}
cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t handle, cusolverDnIRSParams_t params, cusolverDnIRSInfos_t infos,
                                    cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, void* a,
                                    cusolver_int_t lda, void* b, cusolver_int_t ldb, void* x, cusolver_int_t ldx,
                                    void* work, size_t work_bytes, cusolver_int_t* iterations, cusolver_int_t* info) {
  return run_with(
      {handle, "cusolverDnIRSXgels"}, params, infos, nrhs, work, work_bytes, iterations, info,
      [&]<class T>(T, const refinement& how, const refinement_report& report) {
        return gels<T>{
            how, report, m, n, nrhs, static_cast<const T*>(a), lda, static_cast<const T*>(b), ldb, static_cast<T*>(x),
            ldx};
      });
}

}  // extern "C"
