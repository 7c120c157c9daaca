// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fft.hpp"

#if COHORT_POCKETFFT

#define POCKETFFT_CACHE_SIZE 64
#include <cohort_pocketfft.hpp>

#include <complex>

namespace bench {

namespace {

using complex = std::complex<float>;

ptrdiff_t bytes(size_t elements, size_t size) { return static_cast<ptrdiff_t>(elements * size); }

}  // namespace

bool has_fft() { return true; }
std::string fft_version() { return "pocketfft"; }

void fft_lines(const float* in, float* out, size_t n, size_t batch) {
  const pocketfft::stride_t strides{bytes(n, sizeof(complex)), bytes(1, sizeof(complex))};
  pocketfft::c2c({batch, n}, strides, strides, {1}, true, reinterpret_cast<const complex*>(in),
                 reinterpret_cast<complex*>(out), 1.0f, 1);
}

void fft_plane(const float* in, float* out, size_t n) {
  pocketfft::r2c({n, n}, {bytes(n, sizeof(float)), bytes(1, sizeof(float))},
                 {bytes(n / 2 + 1, sizeof(complex)), bytes(1, sizeof(complex))}, {0, 1}, true, in,
                 reinterpret_cast<complex*>(out), 1.0f, 1);
}

}  // namespace bench

#else

namespace bench {

bool has_fft() { return false; }
std::string fft_version() { return "pocketfft: no header"; }
void fft_lines(const float*, float*, size_t, size_t) {}
void fft_plane(const float*, float*, size_t) {}

}  // namespace bench

#endif
