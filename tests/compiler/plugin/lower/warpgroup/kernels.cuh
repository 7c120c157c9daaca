// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel for each product of products.inc: a block of one warpgroup takes an image of shared memory, multiplies and
// stores D. The descriptors of the matrices name places in the image.
#pragma once

#include <cstddef>
#include <cstdint>

struct product_operands {
  const uint32_t* images;  // an image of shared memory for each block
  uint32_t image_words;
  uint64_t a_matrix, b_matrix;
  const uint32_t *a, *metadata, *c;  // registers for each thread
  uint32_t* d;
  uint32_t adds;
};

// The registers of D come first, then the descriptors of A and B, four registers of A, the metadata and scale-d.
#define D_2 "{%0, %1}"
#define A_MATRIX_2 "%2"
#define A_REGISTERS_2 "{%4, %5, %6, %7}"
#define B_2 "%3"
#define METADATA_2 "%8"
#define ADDS_2 "%9"
#define D_4 "{%0, %1, %2, %3}"
#define A_MATRIX_4 "%4"
#define A_REGISTERS_4 "{%6, %7, %8, %9}"
#define B_4 "%5"
#define METADATA_4 "%10"
#define ADDS_4 "%11"
#define D_6 "{%0, %1, %2, %3, %4, %5}"
#define A_MATRIX_6 "%6"
#define A_REGISTERS_6 "{%8, %9, %10, %11}"
#define B_6 "%7"
#define METADATA_6 "%12"
#define ADDS_6 "%13"
#define D_12 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11}"
#define A_MATRIX_12 "%12"
#define A_REGISTERS_12 "{%14, %15, %16, %17}"
#define B_12 "%13"
#define METADATA_12 "%18"
#define ADDS_12 "%19"
#define D_16 "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15}"
#define A_MATRIX_16 "%16"
#define A_REGISTERS_16 "{%18, %19, %20, %21}"
#define B_16 "%17"
#define METADATA_16 "%22"
#define ADDS_16 "%23"
#define D_32                                                                                              \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"
#define A_MATRIX_32 "%32"
#define A_REGISTERS_32 "{%34, %35, %36, %37}"
#define B_32 "%33"
#define METADATA_32 "%38"
#define ADDS_32 "%39"
#define D_128                                                                                             \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "  \
  "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "  \
  "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "  \
  "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, "      \
  "%101, %102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, "      \
  "%117, %118, %119, %120, %121, %122, %123, %124, %125, %126, %127}"
#define A_MATRIX_128 "%128"
#define A_REGISTERS_128 "{%130, %131, %132, %133}"
#define B_128 "%129"
#define METADATA_128 "%134"
#define ADDS_128 "%135"

#define VARIABLES_2(code, at) "+" code(d[at]), "+" code(d[at + 1])
#define VARIABLES_4(code, at) VARIABLES_2(code, at), VARIABLES_2(code, at + 2)
#define VARIABLES_6(code, at) VARIABLES_4(code, at), VARIABLES_2(code, at + 4)
#define VARIABLES_8(code, at) VARIABLES_4(code, at), VARIABLES_4(code, at + 4)
#define VARIABLES_12(code, at) VARIABLES_8(code, at), VARIABLES_4(code, at + 8)
#define VARIABLES_16(code, at) VARIABLES_8(code, at), VARIABLES_8(code, at + 8)
#define VARIABLES_32(code, at) VARIABLES_16(code, at), VARIABLES_16(code, at + 16)
#define VARIABLES_64(code, at) VARIABLES_32(code, at), VARIABLES_32(code, at + 32)
#define VARIABLES_128(code, at) VARIABLES_64(code, at), VARIABLES_64(code, at + 64)

__device__ inline uint64_t at_shared(uint64_t matrix, const void* shared) {
  const uint64_t start = (matrix & 0x3fff) + (static_cast<uint32_t>(__cvta_generic_to_shared(shared)) >> 4);
  return (matrix & ~uint64_t{0x3fff}) | (start & 0x3fff);
}

#define KERNEL(name, word, code, opcode, count, a_text, metadata_text, constants)                                      \
  __global__ void __launch_bounds__(128) name(product_operands of) {                                                   \
    extern __shared__ __align__(1024) uint32_t image[];                                                                \
    for (uint32_t i = threadIdx.x; i < of.image_words; i += 128) {                                                     \
      image[i] = of.images[size_t{blockIdx.x} * of.image_words + i];                                                   \
    }                                                                                                                  \
    const size_t thread = size_t{blockIdx.x} * 128 + threadIdx.x;                                                      \
    word d[count];                                                                                                     \
    uint32_t a[4];                                                                                                     \
    for (int i = 0; i < count; ++i) d[i] = reinterpret_cast<const word*>(of.c)[thread * count + i];                    \
    for (int i = 0; i < 4; ++i) a[i] = of.a[thread * 4 + i];                                                           \
    const uint64_t a_matrix = at_shared(of.a_matrix, image), b_matrix = at_shared(of.b_matrix, image);                 \
    asm volatile("fence.proxy.async;" ::: "memory");                                                                   \
    __syncthreads();                                                                                                   \
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");                                                            \
    asm volatile("{.reg .pred p; setp.ne.b32 p, " ADDS_##count ", 0; wgmma.mma_async" opcode " " D_##count             \
                 ", " a_text##count ", " B_##count metadata_text ", p" constants "; }"                                 \
                 : VARIABLES_##count(code, 0)                                                                          \
                 : "l"(a_matrix), "l"(b_matrix), "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(of.metadata[thread]), \
                   "r"(of.adds)                                                                                        \
                 : "memory");                                                                                          \
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");                                                     \
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");                                                     \
    for (int i = 0; i < count; ++i) reinterpret_cast<word*>(of.d)[thread * count + i] = d[i];                          \
  }
#define PRODUCT(name, opcode, count, word, code, constants, ...) \
  KERNEL(name, word, code, opcode, count, A_MATRIX_, "", constants)
#define PRODUCT_OF_REGISTERS(name, opcode, count, word, code, constants, ...) \
  KERNEL(name, word, code, opcode, count, A_REGISTERS_, "", constants)
#define SPARSE(name, opcode, count, word, code, constants, type_a, type_b, type_d, selector, chosen) \
  KERNEL(name, word, code, opcode, count, A_MATRIX_, ", " METADATA_##count ", " #selector, constants)
#define SPARSE_OF_REGISTERS(name, opcode, count, word, code, constants, type_a, type_b, type_d, selector, chosen) \
  KERNEL(name, word, code, opcode, count, A_REGISTERS_, ", " METADATA_##count ", " #selector, constants)
#include "products.inc"
