// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma and mma.sp of all shapes and types as inline PTX, compared with the results of an H100, bit for bit: 64 warps of
// each of ten kinds of inputs, among them subnormal numbers, overflows, infinities and NaN.
#include <cstdint>
#include <cstdio>
#include <vector>

#include "../../check.hpp"
#include "inputs.hpp"
#include "kernels.cuh"

struct counts {
  unsigned d, a, b, c;
};

template <class Word>
void check(void (*kernel)(operands<Word>), const char* name, counts count, element_type a, element_type b,
           element_type c, int chosen, const std::vector<uint64_t>& wanted) {
  constexpr unsigned lanes = 32 * input_warps, size = sizeof(Word) / sizeof(uint32_t);
  for (int kind = 0; kind < kinds_of_inputs; ++kind) {
    input_generator generator(name, kind);
    uint32_t* in[4];
    in[0] = copy_of(generator.words(lanes * count.a * size, a, false, a));
    in[1] = copy_of(generator.words(lanes * count.b * size, b, false, a));
    in[2] = copy_of(generator.words(lanes * count.c * size, c, true, a));
    in[3] = copy_of(chosen ? generator.metadata(lanes, chosen) : std::vector<uint32_t>(lanes));
    std::vector<uint32_t> got(lanes * count.d * size);
    uint32_t* out = copy_of(got);
    kernel<<<lanes / 256, 256>>>({reinterpret_cast<Word*>(in[0]), reinterpret_cast<Word*>(in[1]),
                                  reinterpret_cast<Word*>(in[2]), in[3], reinterpret_cast<Word*>(out)});
    EXPECT_SUCCESS(cudaMemcpy(got.data(), out, got.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    expect_equal(hash_of(got.data(), got.size()), wanted[kind], name, kind);
    for (uint32_t* each : in) {
      cudaFree(each);
    }
    cudaFree(out);
  }
}

int main() {
#define CHECK(name, d, a, b, c, type_a, type_b, type_c, chosen, ...)                                         \
  check(name, #name, {d, a, b, c}, element_type::type_a, element_type::type_b, element_type::type_c, chosen, \
        {__VA_ARGS__});
#define PRODUCT(name, opcode, d, a, b, c, type_a, type_b, type_c, ...) \
  CHECK(name, d, a, b, c, type_a, type_b, type_c, 0, __VA_ARGS__)
#define SPARSE(name, opcode, d, a, b, c, type_a, type_b, type_c, chosen, selector, ...) \
  CHECK(name, d, a, b, c, type_a, type_b, type_c, chosen, __VA_ARGS__)
#define PRODUCT64 PRODUCT
#include "products.inc"
  return result();
}
