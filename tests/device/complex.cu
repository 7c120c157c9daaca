// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuComplex.h against complex arithmetic in long double.
#include <cuComplex.h>

#include <complex>

#include "apply.hpp"

typedef std::complex<long double> exact_complex;

template <class Real>
struct precision;
template <>
struct precision<float> {
  typedef cuFloatComplex complex;
  __device__ static complex make(float x, float y) { return make_cuFloatComplex(x, y); }
  __device__ static complex apply(int operation, complex a, complex b) {
    return operation == 0   ? cuCaddf(a, b)
           : operation == 1 ? cuCsubf(a, b)
           : operation == 2 ? cuCmulf(a, b)
           : operation == 3 ? cuCdivf(a, b)
           : operation == 4 ? cuCfmaf(a, b, cuConjf(a))
                            : make_cuComplex(cuCabsf(a), cuCrealf(a) + cuCimagf(b));
  }
};
template <>
struct precision<double> {
  typedef cuDoubleComplex complex;
  __device__ static complex make(double x, double y) { return make_cuDoubleComplex(x, y); }
  __device__ static complex apply(int operation, complex a, complex b) {
    return operation == 0   ? cuCadd(a, b)
           : operation == 1 ? cuCsub(a, b)
           : operation == 2 ? cuCmul(a, b)
           : operation == 3 ? cuCdiv(a, b)
           : operation == 4 ? cuCfma(a, b, cuConj(a))
                            : make_cuDoubleComplex(cuCabs(a), cuCreal(a) + cuCimag(b));
  }
};

template <int Operation, class Real>
__global__ void operate(Real (*out)[2], const Real (*in)[4], int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  const auto result = precision<Real>::apply(Operation, precision<Real>::make(in[i][0], in[i][1]),
                                             precision<Real>::make(in[i][2], in[i][3]));
  out[i][0] = result.x;
  out[i][1] = result.y;
}

static exact_complex wanted(int operation, exact_complex a, exact_complex b) {
  switch (operation) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    case 3:
      return a / b;
    case 4:
      return a * b + std::conj(a);
    default:
      return exact_complex(std::abs(a), a.real() + b.imag());
  }
}

template <int Operation, class Real>
static void test(const std::vector<Real>& numbers) {
  const int count = static_cast<int>(numbers.size()) - 3;
  Real(*in)[4] = nullptr;
  Real(*out)[2] = nullptr;
  if (cudaMallocManaged(&in, sizeof *in * count) != cudaSuccess) std::exit(2);
  if (cudaMallocManaged(&out, sizeof *out * count) != cudaSuccess) std::exit(2);
  for (int i = 0; i < count; ++i) std::memcpy(in[i], &numbers[i], sizeof in[i]);
  operate<Operation, Real><<<(count + 127) / 128, 128>>>(out, in, count);
  check::synchronize();
  for (int i = 0; i < count; ++i) {
    const exact_complex a(in[i][0], in[i][1]), b(in[i][2], in[i][3]);
    const exact_complex exact = wanted(Operation, a, b);
    // Where terms cancel, the error of a part is a few units of the absolute value of the terms.
    const long double size = Operation == 2 || Operation == 4 ? std::abs(a) * (std::abs(b) + 1)
                             : Operation == 3                 ? std::abs(exact)
                                                              : std::abs(a) + std::abs(b);
    const long double bound = 8 * size * std::numeric_limits<Real>::epsilon();
    ++check::comparisons;
    if (!(std::fabs(out[i][0] - exact.real()) <= bound && std::fabs(out[i][1] - exact.imag()) <= bound)) {
      ++check::failures;
      std::printf("operation %d of (%Lg, %Lg), (%Lg, %Lg) is (%g, %g), should be (%Lg, %Lg)\n", Operation, a.real(),
                  a.imag(), b.real(), b.imag(), static_cast<double>(out[i][0]), static_cast<double>(out[i][1]),
                  exact.real(), exact.imag());
    }
  }
  cudaFree(in);
  cudaFree(out);
}

template <class Real>
static void test_all(Real large) {
  std::vector<Real> numbers = {0, 0, 1, 0, 0, 1, -1, 2, 3, -4, Real(0.5), Real(1e-3), 1000, -7};
  check::generator random;
  while (numbers.size() < 5000) {
    numbers.push_back(static_cast<Real>(static_cast<int64_t>(random())) / static_cast<Real>(int64_t(1) << 60));
  }
  test<0>(numbers), test<1>(numbers), test<2>(numbers), test<4>(numbers), test<5>(numbers);
  // Numbers whose squares overflow, but whose quotients and absolute values do not.
  for (size_t i = 14; i < 1000; ++i) numbers[i] *= large;
  numbers.erase(numbers.begin(), numbers.begin() + 14);
  test<3>(numbers), test<5>(numbers);
}

int main() {
  test_all<float>(1e30f);
  test_all<double>(1e300);
  const cuDoubleComplex wide = cuComplexFloatToDouble(make_cuFloatComplex(1.5f, -2.0f));
  const cuFloatComplex narrow = cuComplexDoubleToFloat(wide);
  check::equal("conversions", wide.x * 10 + wide.y + narrow.x * 100 + narrow.y * 1000, 13.0 + 150 - 2000);
  return check::finish();
}
