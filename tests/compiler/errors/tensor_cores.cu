// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: static assertion failed: nvcuda::wmma::fragment: no GPU has a matrix product of this shape and type of elements
// EXPECT: tensor_cores.cu:6:
#include <mma.h>
using namespace nvcuda;
__global__ void multiply() { wmma::fragment<wmma::matrix_a, 16, 16, 32, half, wmma::row_major> a; }
