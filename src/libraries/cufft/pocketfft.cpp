// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/cufft/pocketfft.hpp"

#include <complex>
#include <cstdio>
#include <vector>

#if COHORT_POCKETFFT
// Plans of this many lengths are kept.
#define POCKETFFT_CACHE_SIZE 64
#include <cohort_pocketfft.hpp>
#endif

namespace cohort::cufft {

#if COHORT_POCKETFFT

bool has_pocketfft() { return true; }

template <class T>
void run_job(const job& j) {
  pocketfft::shape_t shape, axes;
  pocketfft::stride_t in_strides, out_strides;
  const array& lengths = j.what == kind::complex_to_real ? j.out_array : j.in_array;
  const auto element = [](bool is_real) { return static_cast<ptrdiff_t>(is_real ? sizeof(T) : 2 * sizeof(T)); };
  for (size_t d = 0; d < dimensions; ++d) {
    if (d < innermost && lengths.extent[d] == 1) continue;  // a pass over one element changes nothing
    if (d > 0) axes.push_back(shape.size());
    shape.push_back(static_cast<size_t>(lengths.extent[d]));
    in_strides.push_back(j.in_array.stride[d] * element(j.what == kind::real_to_complex));
    out_strides.push_back(j.out_array.stride[d] * element(j.what == kind::complex_to_real));
  }
  using complex = std::complex<T>;
  switch (j.what) {
    case kind::complex_to_complex:
      return pocketfft::c2c(shape, in_strides, out_strides, axes, j.forward, static_cast<const complex*>(j.in),
                            static_cast<complex*>(j.out), T(1), j.threads);
    case kind::real_to_complex:
      return pocketfft::r2c(shape, in_strides, out_strides, axes, true, static_cast<const T*>(j.in),
                            static_cast<complex*>(j.out), T(1), j.threads);
    case kind::complex_to_real:
      return pocketfft::c2r(shape, in_strides, out_strides, axes, false, static_cast<const complex*>(j.in),
                            static_cast<T*>(j.out), T(1), j.threads);
  }
}

#else

bool has_pocketfft() {
  static const bool found = [] {
    std::fprintf(stderr,
                 "cohort: cuFFT was built without pocketfft, so plans are refused with CUFFT_SETUP_FAILED: run "
                 "tools/bootstrap.sh in Cohort's sources and build again\n");
    return false;
  }();
  return found;
}

template <class T>
void run_job(const job&) {}

#endif

template void run_job<float>(const job&);
template void run_job<double>(const job&);

}  // namespace cohort::cufft
