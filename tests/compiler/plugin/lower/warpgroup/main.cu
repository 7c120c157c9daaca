// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma of each type, dense and sparse, A with a descriptor and in registers, with each layout of shared memory: small
// integers, whose products are exact, against the definition of a product. Layouts are those of the PTX ISA as CuTe
// writes them, a swizzle of 16-byte units after a layout by strides. Then ten kinds of inputs, among them subnormal
// numbers, overflows, infinities and NaN, against the bits of an H100 (bits.inc): those of the first 16 warpgroups of
// bench/gpu/warpgroup_products.cu.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "../../check.hpp"
#include "../ptx_products/inputs.hpp"
#include "kernels.cuh"

constexpr unsigned a_bytes = 16 * 1024, image_bytes = a_bytes + 40 * 1024, blocks = 3;

struct layout {
  unsigned span;  // units of 16 bytes that a swizzle permutes: 1 for none, 2, 4 or 8
  unsigned leading, stride, start;

  uint64_t descriptor(unsigned first_byte) const {
    const uint64_t swizzle = span == 1 ? 0 : span == 8 ? 1 : span == 4 ? 2 : 3;
    return (start + first_byte) / 16 | uint64_t{leading / 16} << 16 | uint64_t{stride / 16} << 32 | swizzle << 62;
  }
  unsigned swizzled(unsigned byte) const { return byte ^ ((byte >> 3) & ((span - 1) << 4)); }
  // The unit's byte that holds element `k` of a line, where `per_unit` elements fill a unit.
  unsigned unit_of(unsigned line, unsigned k, unsigned per_unit) const {
    const unsigned unit = k / per_unit, row = line % 8 * 16 * span + line / 8 * stride;
    return swizzled(start + row + (span == 1 ? unit * leading : unit * 16));
  }
  // In a transposed matrix, a unit has an element of each of eight lines.
  unsigned unit_of_transposed(unsigned line, unsigned k) const {
    const unsigned unit = line / 8, row = k % 8 * 16 * span;
    return swizzled(
        start + row +
        (span == 1 ? k / 8 * leading + unit * stride : unit % span * 16 + unit / span * leading + k / 8 * stride));
  }
};
constexpr layout lines[] = {{1, 128, 512, 0}, {1, 144, 592, 48}, {2, 16, 256, 0},   {4, 16, 512, 0},
                            {8, 16, 1024, 0}, {4, 16, 512, 32},  {8, 16, 1024, 64}, {8, 16, 1152, 0}};
constexpr layout transposed_lines[] = {{1, 4096, 128, 0},   {1, 272, 1040, 48},   {2, 1024, 256, 0},
                                       {4, 2048, 512, 0},   {8, 4096, 1024, 0},   {8, 8192, 2048, 0},
                                       {4, 2048, 512, 512}, {8, 4096, 1024, 2048}};

enum class kind { f16, bf16, tf32, e4m3, e5m2, f32, s8, u8, b1, s32 };
struct format {
  const char* name;
  unsigned bits;
  int exponent_bits, fraction_bits;  // 0: an integer
};
constexpr format formats[] = {{"f16", 16, 5, 10}, {"bf16", 16, 8, 7}, {"tf32", 32, 8, 23}, {"e4m3", 8, 4, 3},
                              {"e5m2", 8, 5, 2},  {"f32", 32, 8, 23}, {"s8", 8, 0, 0},     {"u8", 8, 0, 0},
                              {"b1", 1, 0, 0},    {"s32", 32, 0, 0}};

const format& of_kind(kind k) { return formats[static_cast<int>(k)]; }

// Encodes an integer in the type.
uint32_t encode(kind type, int value) {
  const format& f = of_kind(type);
  const uint32_t mask = f.bits == 32 ? ~0u : (1u << f.bits) - 1;
  if (f.exponent_bits == 0) return static_cast<uint32_t>(value) & mask;
  const uint32_t sign = value < 0 ? 1u << (f.bits - 1) : 0, magnitude = static_cast<uint32_t>(std::abs(value));
  if (magnitude == 0) return 0;
  const int top = 31 - __builtin_clz(magnitude);
  const uint32_t fraction =
      top <= f.fraction_bits ? magnitude << (f.fraction_bits - top) : magnitude >> (top - f.fraction_bits);
  const auto exponent = static_cast<uint32_t>(top + (1 << (f.exponent_bits - 1)) - 1);
  return sign | exponent << f.fraction_bits | (fraction & ((1u << f.fraction_bits) - 1));
}

uint32_t state = 1;
uint32_t random_number() {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}
int random_element(kind type) {
  const int span = type == kind::b1 ? 2 : 7;
  const int value = static_cast<int>(random_number() % static_cast<uint32_t>(span));
  return type == kind::b1 || type == kind::u8 ? value : value - 3;
}

struct product {
  std::string name, opcode, constants;
  unsigned registers;
  bool has_registers;
  int selector, chosen;  // stored elements of a group of the sparse A; 0: dense

  unsigned n = 0, k = 0;
  kind d = kind::f32, a = kind::f32, b = kind::f32;
  bool saturates = false, a_is_transposed = false, b_is_transposed = false;
  int sign = 1;

  unsigned stored_k() const { return chosen ? k / 2 : k; }
};

void read_opcode(product& p) {
  std::string word;
  std::vector<kind> types;
  for (const char letter : p.opcode + ".") {
    if (letter != '.') {
      word += letter;
      continue;
    }
    std::sscanf(word.c_str(), "m64n%uk%u", &p.n, &p.k);
    for (int i = 0; i < 10; ++i) {
      if (word == formats[i].name) types.push_back(static_cast<kind>(i));
    }
    p.saturates |= word == "satfinite";
    word.clear();
  }
  p.d = types[0];
  p.a = types[1];
  p.b = types[2];
  int scale_a = 1, scale_b = 1, third = 0, fourth = 0;
  std::sscanf(p.constants.c_str(), ", %d, %d, %d, %d", &scale_a, &scale_b, &third, &fourth);
  p.sign = scale_a * scale_b;
  p.a_is_transposed = !p.has_registers && third != 0;
  p.b_is_transposed = p.has_registers ? third != 0 : fourth != 0;
}

struct matrices {
  std::vector<uint8_t> image = std::vector<uint8_t>(blocks * image_bytes);
  std::vector<uint32_t> a = std::vector<uint32_t>(blocks * 128 * 4), metadata = std::vector<uint32_t>(blocks * 128), c;
  std::vector<int> wanted;  // values by block, row and column
};

void put(uint8_t* unit, unsigned first_bit, unsigned bits, uint32_t value) {
  for (unsigned i = 0; i < bits; ++i) {
    const unsigned at = first_bit + i;
    unit[at / 8] = static_cast<uint8_t>((unit[at / 8] & ~(1u << at % 8)) | (value >> i & 1u) << at % 8);
  }
}

void put_element(const layout& of, bool is_transposed, uint8_t* memory, unsigned line, unsigned k, unsigned bits,
                 uint32_t value) {
  const unsigned per_unit = 128 / bits;
  is_transposed ? put(memory + of.unit_of_transposed(line, k), line % 8 * bits, bits, value)
                : put(memory + of.unit_of(line, k, per_unit), k % per_unit * bits, bits, value);
}

// The register of D that holds an element, and the element's bit in it.
struct place {
  size_t word;
  unsigned bit;
};
place place_of(const product& p, unsigned block, unsigned row, unsigned column) {
  const bool is_half = p.d == kind::f16;
  const size_t thread = size_t{block} * 128 + row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
  const unsigned upper = row % 16 / 8;
  return {thread * p.registers + (is_half ? column / 8 * 2 + upper : column / 8 * 4 + upper * 2 + column % 2),
          is_half ? column % 2 * 16 : 0};
}

// Selects the positions that a row of the sparse A stores, and gives their metadata to the threads that hold them.
std::vector<unsigned> choose(const product& p, unsigned block, unsigned row, matrices& to) {
  std::vector<unsigned> at;
  const unsigned per_group = p.chosen == 2 ? 4 : 2, groups = p.k / per_group;
  for (unsigned group = 0; group < groups; ++group) {
    uint32_t code = 0;
    if (p.chosen == 2) {
      const unsigned first = random_number() % 3, second = first + 1 + random_number() % (3 - first);
      at.insert(at.end(), {4 * group + first, 4 * group + second});
      code = first | second << 2;
    } else {
      const unsigned chosen = random_number() % 2;
      at.push_back(2 * group + chosen);
      code = chosen ? 14 : 4;
    }
    const unsigned quad = block * 128 + row / 16 * 32 + row % 8 * 4, upper = row % 16 / 8;
    const bool is_byte = p.k == 64;
    const unsigned thread =
        is_byte ? quad + upper + group / 8 * 2 : quad + 2 * static_cast<unsigned>(p.selector) + group / 4;
    const unsigned bit = is_byte ? group % 8 * 4 : upper * 16 + group % 4 * 4;
    to.metadata[thread] |= code << bit;
  }
  return at;
}

void make_block(const product& p, const layout& of_a, const layout& of_b, bool adds, unsigned block, matrices& to) {
  uint8_t* const image = to.image.data() + block * image_bytes;
  const unsigned a_bits = of_kind(p.a).bits, b_bits = of_kind(p.b).bits;
  std::vector<int> b(p.n * p.k);
  for (unsigned column = 0; column < p.n; ++column) {
    for (unsigned k = 0; k < p.k; ++k) {
      const int value = b[column * p.k + k] = random_element(p.b);
      put_element(of_b, p.b_is_transposed, image + a_bytes, column, k, b_bits, encode(p.b, value));
    }
  }
  for (unsigned row = 0; row < 64; ++row) {
    std::vector<unsigned> at(p.k);
    for (unsigned k = 0; k < p.k; ++k) at[k] = k;
    if (p.chosen) at = choose(p, block, row, to);
    std::vector<int> a(p.stored_k());
    for (unsigned k = 0; k < a.size(); ++k) {
      a[k] = random_element(p.a);
      const uint32_t bits = encode(p.a, a[k]);
      put_element(of_a, p.a_is_transposed, image, row, k, a_bits, bits);
      const unsigned word = k * a_bits / 32, thread = block * 128 + row / 16 * 32 + row % 8 * 4 + word % 4;
      to.a[thread * 4 + row % 16 / 8 + 2 * (word / 4)] |= bits << k * a_bits % 32;
    }
    for (unsigned column = 0; column < p.n; ++column) {
      const int c = p.saturates ? static_cast<int>(0x7fffffffu - random_number() % 40)
                                : static_cast<int>(random_number() % 41) - 20;
      const place at_c = place_of(p, block, row, column);
      to.c[at_c.word] |= encode(p.d, c) << at_c.bit;
      long long sum = adds ? c : 0;
      for (unsigned k = 0; k < a.size(); ++k) sum += p.sign * a[k] * b[column * p.k + at[k]];
      to.wanted.push_back(static_cast<int>(p.saturates ? std::min(sum, 0x7fffffffLL) : sum));
    }
  }
}

void check(void (*kernel)(product_operands), product p) {
  read_opcode(p);
  EXPECT_SUCCESS(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, image_bytes));
  for (unsigned i = 0; i < 8; ++i) {
    const layout& of_a = p.a_is_transposed ? transposed_lines[(i + 3) % 8] : lines[(i + 3) % 8];
    const layout& of_b = p.b_is_transposed ? transposed_lines[i] : lines[i];
    const bool is_short = of_b.span != 1 && of_b.start + 64 > of_b.span * 16;
    if (p.chosen && !p.b_is_transposed && is_short) continue;  // a line of a sparse product's B has four units
    const bool adds = i != 2;
    matrices made;
    made.c.resize(size_t{blocks} * 128 * p.registers);
    for (unsigned block = 0; block < blocks; ++block) make_block(p, of_a, of_b, adds, block, made);
    std::vector<uint32_t> got(made.c.size());
    uint8_t* const images = copy_of(made.image);
    uint32_t *const a = copy_of(made.a), *const metadata = copy_of(made.metadata), *const c = copy_of(made.c),
                    *const d = copy_of(got);
    kernel<<<blocks, 128, image_bytes>>>({reinterpret_cast<const uint32_t*>(images), image_bytes / 4,
                                          of_a.descriptor(0), of_b.descriptor(a_bytes), a, metadata, c, d,
                                          adds ? 1u : 0u});
    EXPECT_SUCCESS(cudaMemcpy(got.data(), d, got.size() * 4, cudaMemcpyDeviceToHost));
    size_t index = 0;
    const uint32_t mask = p.d == kind::f16 ? 0xffffu : ~0u;
    for (unsigned block = 0; block < blocks; ++block) {
      for (unsigned row = 0; row < 64; ++row) {
        for (unsigned column = 0; column < p.n; ++column, ++index) {
          const place at = place_of(p, block, row, column);
          expect_equal(got[at.word] >> at.bit & mask, encode(p.d, made.wanted[index]), p.name.c_str(),
                       1000000LL * i + static_cast<long long>(index));
        }
      }
    }
    for (uint32_t* each : {a, metadata, c, d}) cudaFree(each);
    cudaFree(images);
  }
}

struct recorded {
  const char* name;
  unsigned long long hashes[kinds_of_inputs];
};
constexpr recorded bits_of_h100[] = {
#include "bits.inc"
};

struct element_types {
  element_type a, b, d;
};

void check_bits(void (*kernel)(product_operands), product p, element_types types) {
  constexpr unsigned warpgroups = 16, a_words = a_bytes / 4, words = a_words + 9216;
  read_opcode(p);
  const recorded* const wanted = std::find_if(std::begin(bits_of_h100), std::end(bits_of_h100),
                                              [&](const recorded& each) { return p.name == each.name; });
  if (wanted == std::end(bits_of_h100)) return expect_equal(0, 1, (p.name + " in bits.inc").c_str());
  constexpr layout of_lines = {1, 128, 512, 0}, of_transposed = {1, 1024, 128, 0};
  const uint64_t a_matrix = (p.a_is_transposed ? of_transposed : of_lines).descriptor(0);
  const uint64_t b_matrix = (p.b_is_transposed ? of_transposed : of_lines).descriptor(a_bytes);
  for (int kind = 0; kind < kinds_of_inputs; ++kind) {
    input_generator generator(p.name.c_str(), kind);
    std::vector<uint32_t> images;
    for (unsigned block = 0; block < warpgroups; ++block) {
      const auto of_a = generator.words(a_words, types.a, false, types.a);
      const auto of_b = generator.words(words - a_words, types.b, false, types.a);
      images.insert(images.end(), of_a.begin(), of_a.end());
      images.insert(images.end(), of_b.begin(), of_b.end());
    }
    constexpr unsigned threads = 128 * warpgroups;
    std::vector<uint32_t> got(threads * p.registers);
    uint32_t* in[4];
    in[0] = copy_of(images);
    in[1] = copy_of(generator.words(threads * 4, types.a, false, types.a));
    in[2] = copy_of(generator.words(got.size(), types.d, true, types.a));
    in[3] = copy_of(p.chosen ? generator.metadata(threads, p.chosen) : std::vector<uint32_t>(threads));
    uint32_t* const d = copy_of(got);
    kernel<<<warpgroups, 128, words * 4>>>(
        {in[0], words, a_matrix, b_matrix, in[1], in[3], in[2], d, kind % 5 != 1 ? 1u : 0u});
    EXPECT_SUCCESS(cudaMemcpy(got.data(), d, got.size() * 4, cudaMemcpyDeviceToHost));
    expect_equal(hash_of(got.data(), got.size()), wanted->hashes[kind], p.name.c_str(), kind);
    for (uint32_t* each : in) cudaFree(each);
    cudaFree(d);
  }
}

int main() {
#define CHECK(name, opcode, count, constants, has_registers, selector, chosen, a, b, d) \
  check(name, {#name, opcode, constants, count, has_registers, selector, chosen});      \
  check_bits(name, {#name, opcode, constants, count, has_registers, selector, chosen},  \
             {element_type::a, element_type::b, element_type::d});
#define PRODUCT(name, opcode, count, word, code, constants, a, b, d) \
  CHECK(name, opcode, count, constants, false, 0, 0, a, b, d)
#define PRODUCT_OF_REGISTERS(name, opcode, count, word, code, constants, a, b, d) \
  CHECK(name, opcode, count, constants, true, 0, 0, a, b, d)
#define SPARSE(name, opcode, count, word, code, constants, a, b, d, selector, chosen) \
  CHECK(name, opcode, count, constants, false, selector, chosen, a, b, d)
#define SPARSE_OF_REGISTERS(name, opcode, count, word, code, constants, a, b, d, selector, chosen) \
  CHECK(name, opcode, count, constants, true, selector, chosen, a, b, d)
#include "products.inc"
  return result();
}
