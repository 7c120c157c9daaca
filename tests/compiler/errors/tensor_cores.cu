// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// EXPECT: nvcuda::wmma::fragment: the matrix operations of tensor cores do not exist on CPUs
// EXPECT: tensor_cores.cu:6:
#include <mma.h>
using namespace nvcuda;
__global__ void multiply() { wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a; }
