// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// pocketfft called directly, the peer of cuFFT.
#pragma once

#include <cstddef>
#include <string>

namespace bench {

bool has_fft();
// Returns the library's name, or why it is missing.
std::string fft_version();
// Transforms `batch` packed arrays of n complex numbers: pairs of floats.
void fft_lines(const float* in, float* out, size_t n, size_t batch);
// Transforms one array of n x n real numbers to n x (n / 2 + 1) complex ones.
void fft_plane(const float* in, float* out, size_t n);

}  // namespace bench
