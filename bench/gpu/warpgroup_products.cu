// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the products of warpgroups (wgmma) on this GPU with the engine's model of an H100 (src/engine/tensor), which
// is compiled in: all products of tests/compiler/plugin/lower/warpgroup, random inputs of ten kinds, each layout of
// matrices in shared memory. Prints for each product and layout how many 32-bit registers of the results differ, by
// kind; exit status 1 if any do.
//   warpgroup_products [warpgroups of each product, layout and kind, 64] [part of a product's name]
// With OUT=folder the numbers are also written to folder/warpgroup_products.json.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "../../src/engine/tensor/fragments.hpp"
#include "../../src/engine/tensor/warpgroup_product.hpp"
#include "../../tests/compiler/plugin/lower/ptx_products/inputs.hpp"
#include "../../tests/compiler/plugin/lower/warpgroup/kernels.cuh"

namespace {

constexpr uint32_t a_words = 4096, b_words = 9216, image_words = a_words + b_words;  // A is first

struct layout {
  const char* name;
  unsigned swizzle;          // 0: no swizzle; 1 to 3: swizzles in spans of 128, 64 and 32 bytes
  unsigned leading, stride;  // distances in bytes
  unsigned start, base;      // bytes; and where the pattern of the swizzle begins, in units of 128 bytes
};
constexpr layout lines[] = {
    {"none", 0, 128, 512, 0, 0},
    {"none, apart", 0, 1040, 272, 48, 0},
    {"32", 3, 16, 256, 0, 0},
    {"64", 2, 16, 512, 0, 0},
    {"128", 1, 16, 1024, 0, 0},
    {"32, leading", 3, 4096, 256, 0, 0},
    {"64, at 32", 2, 16, 512, 32, 0},
    {"128, at 64", 1, 16, 1024, 64, 0},
    {"128, apart", 1, 16, 1152, 0, 0},
    {"128, at 384", 1, 16, 1024, 384, 0},
    {"128, base 3", 1, 16, 1024, 384, 3},
};
constexpr layout transposed_lines[] = {
    {"none", 0, 1024, 128, 0, 0},
    {"none, apart", 0, 272, 1040, 48, 0},
    {"32", 3, 512, 256, 0, 0},
    {"64", 2, 2048, 512, 0, 0},
    {"128", 1, 4096, 1024, 0, 0},
    {"128, stride 2048", 1, 1024, 2048, 0, 0},
    {"64, at 512", 2, 1024, 512, 512, 0},
    {"128, at 2048", 1, 1024, 1024, 2048, 0},
};

uint64_t descriptor(const layout& of, uint32_t first_byte) {
  return ((of.start + first_byte) >> 4) | uint64_t{of.leading >> 4} << 16 | uint64_t{of.stride >> 4} << 32 |
         uint64_t{of.base} << 49 | uint64_t{of.swizzle} << 62;
}

struct product {
  std::string name, opcode, constants;
  unsigned registers;
  bool has_registers;
  element_type a, b, d;
  int selector, chosen;  // chosen: elements of a group of the sparse A; 0 for a dense one
};

uint8_t element_named(const std::string& name) {
  static const char* const names[] = {"f16", "bf16", "tf32", "e4m3", "e5m2", "f32", "f64",
                                      "s8",  "u8",   "s4",   "u4",   "b1",   "s32"};
  for (uint8_t i = 0; i < sizeof names / sizeof *names; ++i) {
    if (name == names[i]) return i;
  }
  return 0xff;
}

cohort_warpgroup_form form_of(const product& of) {
  cohort_warpgroup_form form = {};
  std::vector<uint8_t> types;
  std::string word;
  unsigned flags = of.has_registers ? cohort_warpgroup_a_is_registers : 0;
  for (const char letter : of.opcode + ".") {
    if (letter != '.') {
      word += letter;
      continue;
    }
    unsigned n = 0, k = 0;
    if (std::sscanf(word.c_str(), "m64n%uk%u", &n, &k) == 2) {
      form.n_of_8 = static_cast<uint8_t>(n / 8);
      form.k_of_8 = static_cast<uint8_t>(k / 8);
    }
    if (element_named(word) != 0xff) types.push_back(element_named(word));
    flags |= word == "sp" ? cohort_warpgroup_is_sparse : word == "satfinite" ? cohort_warpgroup_saturates : 0;
    word.clear();
  }
  form.d = types[0];
  form.a = types[1];
  form.b = types[2];
  form.selector = static_cast<uint8_t>(of.selector);
  int numbers[4] = {1, 1, 0, 0}, scales[2] = {1, 1};
  const int count = std::sscanf(of.constants.c_str(), ", %d, %d, %d, %d", scales, scales + 1, numbers + 2, numbers + 3);
  if (of.has_registers && count == 3) {
    numbers[3] = numbers[2];
    numbers[2] = 0;
  }
  flags |= scales[0] < 0 ? cohort_warpgroup_negates_a : 0;
  flags |= scales[1] < 0 ? cohort_warpgroup_negates_b : 0;
  flags |= numbers[2] ? cohort_warpgroup_a_is_transposed : 0;
  flags |= numbers[3] ? cohort_warpgroup_b_is_transposed : 0;
  form.flags = static_cast<uint16_t>(flags);
  return form;
}

// Host memory as a multiple of 1024 bytes, where shared memory begins.
struct image_memory {
  std::vector<uint32_t> words;
  uint32_t* start(size_t block) {
    const uintptr_t at = (reinterpret_cast<uintptr_t>(words.data()) + 1023) / 1024 * 1024;
    return reinterpret_cast<uint32_t*>(at) + block * image_words;
  }
};

struct inputs {
  image_memory images;
  std::vector<uint32_t> a, metadata, c, got;
  unsigned blocks;
};

void make(inputs& made, const product& of, int kind) {
  input_generator generator(of.name.c_str(), kind);
  made.images.words.resize(made.blocks * image_words + 256);
  for (size_t block = 0; block < made.blocks; ++block) {
    const auto a = generator.words(a_words, of.a, false, of.a), b = generator.words(b_words, of.b, false, of.a);
    std::copy(a.begin(), a.end(), made.images.start(block));
    std::copy(b.begin(), b.end(), made.images.start(block) + a_words);
  }
  const size_t threads = 128 * size_t{made.blocks};
  made.a = generator.words(threads * 4, of.a, false, of.a);
  made.c = generator.words(threads * of.registers, of.d, true, of.a);
  made.metadata = of.chosen ? generator.metadata(threads, of.chosen) : std::vector<uint32_t>(threads);
  made.got.resize(threads * of.registers);
}

uint32_t* upload(const uint32_t* words, size_t count) {
  uint32_t* memory = nullptr;
  cudaMalloc(&memory, count * sizeof(uint32_t));
  cudaMemcpy(memory, words, count * sizeof(uint32_t), cudaMemcpyHostToDevice);
  return memory;
}

struct uploaded {
  uint32_t *images, *a, *metadata, *c, *d;
  explicit uploaded(inputs& of)
      : images(upload(of.images.start(0), of.blocks * size_t{image_words})),
        a(upload(of.a.data(), of.a.size())),
        metadata(upload(of.metadata.data(), of.metadata.size())),
        c(upload(of.c.data(), of.c.size())),
        d(upload(of.got.data(), of.got.size())) {}
  ~uploaded() {
    for (uint32_t* each : {images, a, metadata, c, d}) cudaFree(each);
  }
};

using kernel = void (*)(product_operands);

void run(kernel of, const uploaded& on_gpu, inputs& in, uint64_t a_matrix, uint64_t b_matrix, bool adds) {
  cudaFuncSetAttribute(of, cudaFuncAttributeMaxDynamicSharedMemorySize, image_words * 4);
  of<<<in.blocks, 128, image_words * 4>>>(
      {on_gpu.images, image_words, a_matrix, b_matrix, on_gpu.a, on_gpu.metadata, on_gpu.c, on_gpu.d, adds ? 1u : 0u});
  if (const cudaError_t error =
          cudaMemcpy(in.got.data(), on_gpu.d, in.got.size() * sizeof(uint32_t), cudaMemcpyDeviceToHost)) {
    std::printf("%s\n", cudaGetErrorString(error));
    std::exit(2);
  }
}

uint64_t at_host(uint64_t matrix, const void* image) {
  const uint64_t start = (matrix & 0x3fff) + ((reinterpret_cast<uintptr_t>(image) & 0x3ffff) >> 4);
  return (matrix & ~uint64_t{0x3fff}) | (start & 0x3fff);
}

// Computes the registers of D of a block by the engine's model.
void compute(const cohort_warpgroup_form& form, inputs& in, size_t block, uint64_t a_matrix, uint64_t b_matrix,
             bool adds, uint32_t* d) {
  const size_t registers = cohort::engine::registers_of(form), thread = 128 * block;
  const auto* image = reinterpret_cast<const char*>(in.images.start(block));
  std::vector<uint32_t*> places(32 * registers);
  std::memcpy(d, &in.c[thread * registers], 128 * registers * sizeof *d);
  for (unsigned warp = 0; warp < 4; ++warp) {
    for (size_t i = 0; i < places.size(); ++i) places[i] = d + warp * 32 * registers + i;
    cohort::engine::multiply_in_warpgroup({form, image, at_host(a_matrix, image), at_host(b_matrix, image),
                                           reinterpret_cast<const uint32_t(*)[4]>(&in.a[(thread + 32 * warp) * 4]),
                                           &in.metadata[thread + 32 * warp], places.data(), adds, warp});
  }
}

unsigned long compare(const cohort_warpgroup_form& form, inputs& in, uint64_t a_matrix, uint64_t b_matrix, bool adds) {
  const unsigned workers = std::max(1u, std::thread::hardware_concurrency());
  std::vector<unsigned long> different(workers);
  std::vector<std::thread> threads;
  const size_t count = 128 * cohort::engine::registers_of(form);
  for (unsigned worker = 0; worker < workers; ++worker) {
    threads.emplace_back([&, worker] {
      std::vector<uint32_t> d(count);
      for (size_t block = worker; block < in.blocks; block += workers) {
        compute(form, in, block, a_matrix, b_matrix, adds, d.data());
        for (size_t i = 0; i < count; ++i) different[worker] += d[i] != in.got[block * count + i];
      }
    });
  }
  unsigned long sum = 0;
  for (unsigned worker = 0; worker < workers; ++worker) {
    threads[worker].join();
    sum += different[worker];
  }
  return sum;
}

void print_example(const cohort_warpgroup_form& form, inputs& in, uint64_t a_matrix, uint64_t b_matrix, bool adds) {
  const size_t registers = cohort::engine::registers_of(form), count = 128 * registers;
  std::vector<uint32_t> d(count);
  int left = 4;
  for (size_t block = 0; block < in.blocks && left > 0; ++block) {
    compute(form, in, block, a_matrix, b_matrix, adds, d.data());
    for (size_t i = 0; i < count && left > 0; ++i) {
      if (d[i] == in.got[block * count + i]) continue;
      std::printf("    thread %zu, register %zu: %08x on the GPU, %08x by the model, C %08x\n", i / registers,
                  i % registers, in.got[block * count + i], d[i], in.c[block * count + i]);
      --left;
    }
  }
}

unsigned blocks = 64;
const char* part = "";
bool differs = false;
std::string json;

void add_to_json(const std::string& name, const std::vector<unsigned long>& numbers) {
  json += (json.empty() ? "{\"" : ",\n\"") + name + "\": [";
  for (size_t i = 0; i < numbers.size(); ++i) json += (i ? ", " : "") + std::to_string(numbers[i]);
  json += "]";
}

void check(kernel run_on_gpu, const product& of) {
  if (of.name.find(part) == std::string::npos) return;
  const cohort_warpgroup_form form = form_of(of);
  const auto layouts_of = [](bool is_transposed) {
    return is_transposed ? std::pair(transposed_lines, std::size(transposed_lines))
                         : std::pair(lines, std::size(lines));
  };
  const auto [a_layouts, a_count] = layouts_of(form.flags & cohort_warpgroup_a_is_transposed);
  const auto [b_layouts, b_count] = layouts_of(form.flags & cohort_warpgroup_b_is_transposed);
  std::vector<std::vector<unsigned long>> different(std::max(a_count, b_count));
  bool is_shown[32] = {};
  for (int kind = 0; kind < kinds_of_inputs; ++kind) {
    inputs in;
    in.blocks = blocks;
    make(in, of, kind);
    const uploaded on_gpu(in);
    for (size_t i = 0; i < different.size(); ++i) {
      const uint64_t a = descriptor(a_layouts[i % a_count], 0), b = descriptor(b_layouts[i % b_count], 4 * a_words);
      const bool adds = (i + static_cast<size_t>(kind)) % 5 != 1;
      run(run_on_gpu, on_gpu, in, a, b, adds);
      different[i].push_back(compare(form, in, a, b, adds));
      if (different[i].back() != 0 && !is_shown[i]) {
        is_shown[i] = true;
        std::printf("  %s, layout %s, kind %d, %s C:\n", of.name.c_str(), b_layouts[i % b_count].name, kind,
                    adds ? "with" : "without");
        print_example(form, in, a, b, adds);
      }
    }
  }
  for (size_t i = 0; i < different.size(); ++i) {
    const std::string name = of.name + " " + b_layouts[i % b_count].name;
    std::printf("%-48s", name.c_str());
    for (const unsigned long each : different[i]) {
      std::printf(" %lu", each);
      differs = differs || each != 0;
    }
    std::printf("\n");
    add_to_json(name, different[i]);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  blocks = count > 1 ? static_cast<unsigned>(std::atoi(words[1])) : blocks;
  part = count > 2 ? words[2] : "";
  cudaDeviceProp device;
  if (cudaGetDeviceProperties(&device, 0) != cudaSuccess || device.major != 9) {
    std::puts("no GPU with wgmma");
    return 77;
  }
  std::printf("%s, %u warpgroups of each product, layout and kind; registers that differ, by kind\n", device.name,
              blocks);
#define CHECK(name, opcode, count, constants, a, b, d, has_registers, selector, chosen)                           \
  check(name, {#name, opcode, constants, count, has_registers, element_type::a, element_type::b, element_type::d, \
               selector, chosen});
#define PRODUCT(name, opcode, count, word, code, constants, a, b, d) \
  CHECK(name, opcode, count, constants, a, b, d, false, 0, 0)
#define PRODUCT_OF_REGISTERS(name, opcode, count, word, code, constants, a, b, d) \
  CHECK(name, opcode, count, constants, a, b, d, true, 0, 0)
#define SPARSE(name, opcode, count, word, code, constants, a, b, d, selector, chosen) \
  CHECK(name, opcode, count, constants, a, b, d, false, selector, chosen)
#define SPARSE_OF_REGISTERS(name, opcode, count, word, code, constants, a, b, d, selector, chosen) \
  CHECK(name, opcode, count, constants, a, b, d, true, selector, chosen)
#include "../../tests/compiler/plugin/lower/warpgroup/products.inc"
  if (const char* folder = std::getenv("OUT")) {
    if (std::FILE* file = std::fopen((std::string(folder) + "/warpgroup_products.json").c_str(), "w")) {
      std::fprintf(file, "%s}\n", json.c_str());
      std::fclose(file);
    }
  }
  return differs;
}
