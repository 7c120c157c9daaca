// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device mathematics has equal bits in each way to run a kernel: as gangs, in a loop over threads, which LLVM
// vectorises, and on a stack per thread. The build selects one of the first two. The model is the scalar function in
// libsleef, called on the host. Where SLEEF is wrong, next to overflows and for huge arguments, the model is the host's
// long double.
#include "apply.hpp"
#include "sleef/call_form.hpp"
#include "sleef/inputs.hpp"

template <class Op, class T>
__global__ void in_vectors(T* results, const T* x, const T* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = Op::device(x[i], y[i]);
}

// Some lanes take no part in the call.
template <class Op, class T>
__global__ void in_branches(T* results, const T* x, const T* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T first = x[i];
  results[i] = i % 5 == 3 ? T(7) : Op::device(first, y[i]);
}

// The barrier makes the threads wait for each other.
template <class Op, class T>
__global__ void on_stacks(T* results, const T* x, const T* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T argument = x[i];
  __syncthreads();
  results[i] = Op::device(argument, y[i]);
}

template <class Op, class T>
std::vector<T> launch(void (*kernel)(T*, const T*, const T*), const std::vector<T>& x, const std::vector<T>& y) {
  check::managed<T> results(x.size()), first(x), second(y);
  kernel<<<static_cast<unsigned>(x.size() / 128), 128>>>(results.data, first.data, second.data);
  check::synchronize();
  return std::vector<T>(results.data, results.data + results.count);
}

const cohort::math_form& scalar_form_here() {
  const bool fuses = sleef::runs_here(cohort::scalar_form(cohort::math_family::fused));
  return cohort::scalar_form(fuses ? cohort::math_family::fused : cohort::math_family::plain);
}

template <class T, class Op, class Exact>
void test(const char* name, double ulps, Exact exact) {
  const cohort::math_row row = *cohort::find_math_row(std::string(name) + (sizeof(T) == 4 ? "f" : ""));
  const sleef::called_form<T> model(row, scalar_form_here());
  sleef::input_generator<T> inputs(row.function->arguments);
  std::vector<T> x(sleef::batch), y(sleef::batch), expected(sleef::batch);
  for (int batches = row.function->arguments == 1 ? 2 : 12; batches > 0; --batches) {
    for (size_t i = 0; i < sleef::batch; ++i) inputs.next(x[i], y[i]);
    model(x.data(), y.data(), expected.data());
    const std::vector<T> vectors = launch<Op, T>(in_vectors<Op, T>, x, y);
    const std::vector<T> branches = launch<Op, T>(in_branches<Op, T>, x, y);
    const std::vector<T> stacks = launch<Op, T>(on_stacks<Op, T>, x, y);
    for (size_t i = 0; i < sleef::batch; ++i) {
      const bool beyond = (row.limit() != 0 && std::fabs(static_cast<double>(x[i])) > row.limit()) ||
                          (std::string(name) == "pow" && std::isinf(expected[i]));
      if (beyond) {
        check::near(name, ulps, vectors[i], exact(static_cast<long double>(x[i]), static_cast<long double>(y[i])), x[i],
                    y[i]);
      } else {
        check::equal(name, vectors[i], expected[i], x[i], y[i]);
      }
      check::equal(name, branches[i], i % 5 == 3 ? T(7) : vectors[i], x[i], y[i]);
      check::equal(name, stacks[i], vectors[i], x[i], y[i]);
    }
  }
}

// The bounds in ulp apply beyond each function's limit, from the exact result: CUDA's bound plus a half.
#define MODES(name, arguments, exact_arguments, ulps_float, ulps_double)                              \
  struct op_##name {                                                                                  \
    __device__ static float device(float x, float y) { return (void)y, name##f arguments; }           \
    __device__ static double device(double x, double y) { return (void)y, name arguments; }           \
  };                                                                                                  \
  static void modes_##name() {                                                                        \
    const auto exact = [](long double x, long double y) { return (void)y, name##l exact_arguments; }; \
    test<float, op_##name>(#name, ulps_float, exact);                                                 \
    test<double, op_##name>(#name, ulps_double, exact);                                               \
  }
#define MODES_1(name, ulps_float, ulps_double) MODES(name, (x), (x), ulps_float, ulps_double)
#define MODES_2(name, ulps_float, ulps_double) MODES(name, (x, y), (x, y), ulps_float, ulps_double)

MODES_1(acos, 0, 0)
MODES_1(acosh, 4.5, 3.5)
MODES_1(asin, 0, 0)
MODES_1(asinh, 3.5, 3.5)
MODES_1(atan, 0, 0)
MODES_2(atan2, 0, 0)
MODES_1(atanh, 0, 0)
MODES_1(cbrt, 0, 0)
MODES_1(cos, 0, 0)
MODES_1(cosh, 2.5, 1.5)
MODES_1(erf, 0, 0)
MODES_1(erfc, 0, 0)
MODES_1(exp, 0, 1.5)
MODES_1(exp10, 0, 0)
MODES_1(exp2, 0, 0)
MODES_1(expm1, 0, 0)
MODES_2(hypot, 0, 0)
MODES_1(lgamma, 6.5, 4.5)
MODES_1(log, 0, 0)
MODES_1(log10, 0, 0)
MODES_1(log1p, 1.5, 1.5)
MODES_1(log2, 0, 0)
MODES_2(pow, 4.5, 2.5)
MODES_1(sin, 0, 0)
MODES_1(sinh, 3.5, 2.5)
MODES_1(tan, 0, 0)
MODES_1(tanh, 0, 0)

int main() {
  modes_acos(), modes_acosh(), modes_asin(), modes_asinh(), modes_atan(), modes_atan2(), modes_atanh(), modes_cbrt();
  modes_cos(), modes_cosh(), modes_erf(), modes_erfc(), modes_exp(), modes_exp10(), modes_exp2(), modes_expm1();
  modes_hypot(), modes_lgamma(), modes_log(), modes_log10(), modes_log1p(), modes_log2(), modes_pow(), modes_sin();
  modes_sinh(), modes_tan(), modes_tanh();
  return check::finish();
}
