// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the tensor cores of this GPU with the engine's model of an H100 (src/engine/tensor), which is compiled in:
// all products of tests/compiler/plugin/lower/ptx_products, random inputs of its ten kinds. Prints for each product how
// many 32-bit registers of the results differ, by kind; exit status 1 if any do.
//   tensor_cores [warps of each product and kind, 8192] [part of a product's name]
// With OUT=folder the numbers are also written to folder/tensor_cores.json.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "../../src/engine/tensor/matrix_product.hpp"
#include "../../tests/compiler/plugin/lower/ptx_products/inputs.hpp"
#include "../../tests/compiler/plugin/lower/ptx_products/kernels.cuh"

namespace {

struct counts {
  unsigned d, a, b, c;  // registers of a lane
};

struct product {
  std::string name, opcode;
  counts count;
  element_type a, b, c;
  int chosen;  // elements of a group of the sparse A; 0 for a dense one
  unsigned selector, register_words;
};

uint8_t element_named(const std::string& name) {
  static const char* const names[] = {"f16", "bf16", "tf32", "e4m3", "e5m2", "f32", "f64",
                                      "s8",  "u8",   "s4",   "u4",   "b1",   "s32"};
  for (uint8_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (name == names[i]) return i;
  }
  return 0xff;
}

// Returns the engine's form of a product, as the compiler makes it from the opcode.
cohort_matrix_form form_of(const product& of) {
  std::vector<std::string> words(1);
  for (const char letter : of.opcode) {
    if (letter == '.') {
      words.emplace_back();
    } else {
      words.back().push_back(letter);
    }
  }
  cohort_matrix_form form = {};
  std::vector<uint8_t> types;
  std::vector<std::string> layouts;
  unsigned m = 0, n = 0, k = 0, flags = of.chosen ? cohort_matrix_is_sparse + 32 * of.selector : 0;
  for (const std::string& word : words) {
    if (std::sscanf(word.c_str(), "m%un%uk%u", &m, &n, &k) == 3) {
      form.m = static_cast<uint8_t>(m);
      form.n = static_cast<uint8_t>(n);
      form.k_of_4 = static_cast<uint8_t>(k / 4);
    } else if (word == "row" || word == "col") {
      layouts.push_back(word);
    } else if (element_named(word) != 0xff) {
      types.push_back(element_named(word));
    }
    flags |= word == "satfinite" ? cohort_matrix_saturates : word == "xor" ? cohort_matrix_xor : 0;
  }
  form.d = types[0];
  form.a = types[1];
  form.b = types[2];
  form.c = types[3];
  if (form.a == cohort_element_f16 && k == 4) {
    flags |= (layouts[0] == "col" ? cohort_matrix_a_is_column : 0) | (layouts[1] == "row" ? cohort_matrix_b_is_row : 0);
  }
  form.flags_and_selector = static_cast<uint8_t>(flags);
  return form;
}

constexpr unsigned warps_of_batch = 1024;

struct batch {
  int kind = 0;
  unsigned number = 0;
  std::vector<uint32_t> a, b, c, metadata, got;
  unsigned long different = 0;
};

void make(batch& made, const product& of, int kind, unsigned number) {
  constexpr size_t lanes = 32 * warps_of_batch;
  input_generator generator((of.name + std::to_string(number)).c_str(), kind);
  made.a = generator.words(lanes * of.count.a * of.register_words, of.a, false, of.a);
  made.b = generator.words(lanes * of.count.b * of.register_words, of.b, false, of.a);
  made.c = generator.words(lanes * of.count.c * of.register_words, of.c, true, of.a);
  made.metadata = of.chosen ? generator.metadata(lanes, of.chosen) : std::vector<uint32_t>(lanes);
  made.got.resize(lanes * of.count.d * of.register_words);
}

uint32_t* upload(const std::vector<uint32_t>& words) {
  uint32_t* memory = nullptr;
  cudaMalloc(&memory, words.size() * sizeof(uint32_t));
  cudaMemcpy(memory, words.data(), words.size() * sizeof(uint32_t), cudaMemcpyHostToDevice);
  return memory;
}

template <class Word>
void run(void (*kernel)(operands<Word>), batch& of) {
  uint32_t *a = upload(of.a), *b = upload(of.b), *c = upload(of.c), *metadata = upload(of.metadata),
           *d = upload(of.got);
  const operands<Word> of_kernel = {reinterpret_cast<Word*>(a), reinterpret_cast<Word*>(b), reinterpret_cast<Word*>(c),
                                    metadata, reinterpret_cast<Word*>(d)};
  kernel<<<warps_of_batch / 8, 256>>>(of_kernel);
  if (const cudaError_t error =
          cudaMemcpy(of.got.data(), d, of.got.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost)) {
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(2);
  }
  for (uint32_t* each : {a, b, c, metadata, d}) cudaFree(each);
}

// Counts the registers whose bits differ between the GPU and the engine.
void compare(batch& of, const product& with) {
  const cohort_matrix_form form = form_of(with);
  const size_t d = with.count.d * with.register_words, a = with.count.a * with.register_words,
               b = with.count.b * with.register_words, c = with.count.c * with.register_words;
  constexpr size_t head = sizeof(cohort_matrix_operand) / sizeof(uint32_t);
  for (size_t warp = 0; warp < warps_of_batch; ++warp) {
    alignas(8) uint32_t registers[32][head + 48];
    void* lanes[32];
    for (size_t lane = 0; lane < 32; ++lane) {
      const size_t thread = 32 * warp + lane;
      const cohort_matrix_operand first = {form, 0, of.metadata[thread]};
      uint32_t* at = registers[lane];
      std::memcpy(at, &first, sizeof first);
      at += head;
      std::memcpy(at, &of.c[thread * c], c * sizeof *at);
      at += std::max(c, d);
      std::memcpy(at, &of.a[thread * a], a * sizeof *at);
      std::memcpy(at + a, &of.b[thread * b], b * sizeof *at);
      lanes[lane] = registers[lane];
    }
    cohort::engine::multiply_matrices(0xffffffffu, lanes);
    for (size_t i = 0; i < 32 * d; ++i) {
      of.different += registers[i / d][head + i % d] != of.got[warp * 32 * d + i];
    }
  }
}

template <class Body>
void in_parallel(std::vector<batch>& all, Body body) {
  std::vector<std::thread> threads;
  for (batch& each : all) threads.emplace_back([&] { body(each); });
  for (std::thread& thread : threads) thread.join();
}

unsigned warps = 8192;
const char* part = "";
bool differs = false;
std::string json;

template <class Word>
void check(void (*kernel)(operands<Word>), const product& of) {
  if (of.name.find(part) == std::string::npos) return;
  std::vector<batch> all;
  for (int kind = 0; kind < kinds_of_inputs; ++kind) {
    for (unsigned number = 0; number * warps_of_batch < warps; ++number) {
      all.emplace_back();
      all.back().kind = kind;
      all.back().number = number;
    }
  }
  in_parallel(all, [&](batch& each) { make(each, of, each.kind, each.number); });
  for (batch& each : all) run(kernel, each);
  in_parallel(all, [&](batch& each) { compare(each, of); });
  unsigned long different[kinds_of_inputs] = {};
  for (const batch& each : all) different[each.kind] += each.different;
  std::printf("%-24s", of.name.c_str());
  json += (json.empty() ? "{\"" : ",\n\"") + of.name + "\": [";
  for (int kind = 0; kind < kinds_of_inputs; ++kind) {
    std::printf(" %lu", different[kind]);
    json += (kind == 0 ? "" : ", ") + std::to_string(different[kind]);
    differs = differs || different[kind] != 0;
  }
  json += "]";
  std::printf("\n");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  warps = count > 1 ? static_cast<unsigned>(std::atoi(words[1])) : warps;
  part = count > 2 ? words[2] : "";
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess) {
    std::puts("no GPU");
    return 77;
  }
  std::printf("%s, %u warps of each product and kind; registers that differ, by kind\n", device.name, warps);
#define CHECK(name, opcode, d, a, b, c, type_a, type_b, type_c, chosen, selector, words) \
  check(name, {#name,                                                                    \
               opcode,                                                                   \
               {d, a, b, c},                                                             \
               element_type::type_a,                                                     \
               element_type::type_b,                                                     \
               element_type::type_c,                                                     \
               chosen,                                                                   \
               selector,                                                                 \
               words});
#define PRODUCT(name, opcode, d, a, b, c, type_a, type_b, type_c, ...) \
  CHECK(name, opcode, d, a, b, c, type_a, type_b, type_c, 0, 0, 1)
#define SPARSE(name, opcode, d, a, b, c, type_a, type_b, type_c, chosen, selector, ...) \
  CHECK(name, opcode, d, a, b, c, type_a, type_b, type_c, chosen, selector[0] - '0', 1)
#define PRODUCT64(name, opcode, d, a, b, c, type_a, type_b, type_c, ...) \
  CHECK(name, opcode, d, a, b, c, type_a, type_b, type_c, 0, 0, 2)
#include "../../tests/compiler/plugin/lower/ptx_products/products.inc"
  if (const char* folder = std::getenv("OUT")) {
    if (std::FILE* file = std::fopen((std::string(folder) + "/tensor_cores.json").c_str(), "w")) {
      std::fprintf(file, "%s}\n", json.c_str());
      std::fclose(file);
    }
  }
  return differs;
}
