// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Host functions that launch the kernels of samples.cu and wait for them.
#pragma once

#include <cstdint>

namespace bench {

// y = a * x + y, an element a thread.
void saxpy(float a, const float* x, float* y, unsigned n);

// out is the average of a point and its four neighbours, for all points but the border's.
void average(const float* in, float* out, unsigned width, unsigned height);

constexpr int stencil_radius = 3;
// out[i] is the sum of in[i - stencil_radius] .. in[i + stencil_radius], with zeros outside.
void stencil(const float* in, float* out, unsigned n);

constexpr unsigned bitonic_size = 1024;
// Sorts each block's bitonic_size keys.
void bitonic_sort(int32_t* keys, unsigned blocks);

// Adds the number of occurrences of each byte to `counts`, which has 256 elements.
void histogram(const uint8_t* in, unsigned n, uint32_t* counts);

constexpr float bodies_softening = 0.01f;
// `bodies` has x, y, z and the mass of each body, `accelerations` x, y, z and 0. n % 256 == 0.
void attract_bodies(const float* bodies, float* accelerations, unsigned n);

constexpr unsigned softmax_columns = 1024;
void softmax(const float* in, float* out, unsigned rows);

// out = matrix * vector for an n x n matrix; n % 8 == 0.
void matrix_vector(const float* matrix, const float* vector, float* out, unsigned n);

}  // namespace bench
