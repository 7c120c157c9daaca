// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of half-precision activations and weights of 4 bits, as the layers of quantised language models compute it
// for a few tokens. A weight is (code - 8) * scale, with one scale for 128 weights of a column. The weights lie in
// memory in the order in which the lanes of a warp need them; one 16-byte copy brings a lane its part of a 16 x 64
// matrix, and two logic instructions make four halves of a word. A block computes 16 x 64 results, each of its warps a
// quarter of the depth.
#include <cuda_fp16.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <vector>

#include "../support/cuda_check.hpp"
#include "../support/options.hpp"

constexpr int tile_rows = 16, tile_columns = 64, tile_depth = 64;
constexpr int warps = 4, block_threads = warps * 32;
constexpr int stages = 4;
constexpr int group_depth = 128;  // weights of a column that share a scale
static_assert(tile_depth == warps * 16, "each warp multiplies 16 of a stage's depth");

struct arguments {
  const __half* activations;  // [rows][depth]
  const uint4* weights;       // [depth / 16][columns / 64][32 lanes]
  const __half* scales;       // [groups][columns]
  __half* out;                // [rows][columns]
  int rows, columns, depth;
};

struct stage_memory {
  __half activations[tile_rows * tile_depth];
  uint4 weights[warps][32];
  __half scales[tile_columns];
};

__device__ unsigned shared_address(const void* at) { return static_cast<unsigned>(__cvta_generic_to_shared(at)); }

// Returns 8 elements of a row of activations. Their place depends on the row, so that 8 rows of one column lie in
// different banks.
__device__ __half* chunk_of(__half* tile, int row, int chunk) {
  return tile + row * tile_depth + (chunk ^ row % 8) * 8;
}

// Starts a copy of 16 bytes, or writes zeros.
__device__ void start_copy(void* to, const void* from, bool inside) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(to)),
               "l"(__cvta_generic_to_global(from)), "r"(inside ? 16 : 0)
               : "memory");
}

// Starts the copies of one stage, 64 of the depth.
__device__ void start_stage(stage_memory& to, const arguments& of, int step) {
  const int thread = threadIdx.x, first_row = blockIdx.y * tile_rows;
  const int row = thread / 8, chunk = thread % 8;
  const bool inside = first_row + row < of.rows;
  const size_t source = static_cast<size_t>(inside ? first_row + row : 0) * of.depth + step * tile_depth + chunk * 8;
  start_copy(chunk_of(to.activations, row, chunk), of.activations + source, inside);
  const size_t words = (static_cast<size_t>(step * warps + thread / 32) * gridDim.x + blockIdx.x) * 32 + thread % 32;
  start_copy(&to.weights[thread / 32][thread % 32], of.weights + words, true);
  if (thread < tile_columns / 8) {
    const size_t group = step * tile_depth / group_depth;
    start_copy(to.scales + thread * 8, of.scales + group * of.columns + blockIdx.x * tile_columns + thread * 8, true);
  }
}

// Computes (word & mask) | bits in one instruction.
__device__ unsigned select_codes(unsigned word, unsigned mask, unsigned bits) {
  unsigned result;
  asm("lop3.b32 %0, %1, %2, %3, 0xea;" : "=r"(result) : "r"(word), "r"(mask), "r"(bits));
  return result;
}

// Makes the right operand of one product: the weights of the codes 0, 4 and 1, 5 of a word. 0x6400 is 1024 in half
// precision, whose last bits count ones; codes in bits 4 to 7 count sixteens.
__device__ void unpack(unsigned (&to)[2], unsigned word, __half scale) {
  const unsigned ones = select_codes(word, 0x000f000f, 0x64006400),
                 sixteens = select_codes(word, 0x00f000f0, 0x64006400);
  const __half2 first = __hsub2(reinterpret_cast<const __half2&>(ones), __float2half2_rn(1024 + 8));
  const __half2 second = __hfma2(reinterpret_cast<const __half2&>(sixteens), __float2half2_rn(1 / 16.0f),
                                 __float2half2_rn(-1024 / 16.0f - 8));
  const __half2 scaled[2] = {__hmul2(first, __half2half2(scale)), __hmul2(second, __half2half2(scale))};
  to[0] = reinterpret_cast<const unsigned&>(scaled[0]);
  to[1] = reinterpret_cast<const unsigned&>(scaled[1]);
}

__device__ void multiply(float* d, const unsigned (&a)[4], const unsigned (&b)[2]) {
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

// Adds the warp's products, 16 of the stage's depth of 64, to its 16 x 64 sums.
__device__ void multiply_stage(float (&sums)[32], stage_memory& stage) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned a[4];
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
               : "r"(shared_address(chunk_of(stage.activations, lane % 16, warp * 2 + lane / 16)))
               : "memory");
  const uint4 words = stage.weights[warp][lane];
  const unsigned pairs[4] = {words.x, words.y, words.z, words.w};
#pragma unroll
  for (int tile = 0; tile < tile_columns / 8; ++tile) {
    unsigned b[2];
    unpack(b, pairs[tile / 2] >> tile % 2 * 8, stage.scales[tile * 8 + lane / 4]);
    multiply(&sums[tile * 4], a, b);
  }
}

__global__ void __launch_bounds__(block_threads) multiply_codes(arguments of) {
  __shared__ __align__(16) stage_memory pipeline[stages];
  __shared__ float parts[warps][tile_rows][tile_columns];
  const int steps = of.depth / tile_depth, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  for (int step = 0; step < stages - 1; ++step) {
    if (step < steps) start_stage(pipeline[step], of, step);
    asm volatile("cp.async.commit_group;" ::: "memory");  // commits an empty group too: the wait counts groups
  }
  float sums[32] = {};
  for (int step = 0; step < steps; ++step) {
    asm volatile("cp.async.wait_group %0;" ::"n"(stages - 2) : "memory");
    __syncthreads();  // all threads see the stage, and all have read the stage before it
    const int next = step + stages - 1;
    if (next < steps) start_stage(pipeline[next % stages], of, next);
    asm volatile("cp.async.commit_group;" ::: "memory");
    multiply_stage(sums, pipeline[step % stages]);
  }
#pragma unroll
  for (int i = 0; i < 32; ++i) parts[warp][lane / 4 + i / 2 % 2 * 8][i / 4 * 8 + lane % 4 * 2 + i % 2] = sums[i];
  __syncthreads();
  for (int i = threadIdx.x; i < tile_rows * tile_columns; i += block_threads) {
    const int row = blockIdx.y * tile_rows + i / tile_columns, column = i % tile_columns;
    if (row >= of.rows) break;
    float sum = 0;
    for (int w = 0; w < warps; ++w) sum += parts[w][i / tile_columns][column];
    of.out[static_cast<size_t>(row) * of.columns + blockIdx.x * tile_columns + column] = __float2half(sum);
  }
}

// Returns the weights in the order of the kernel. A word has the codes of two right operands of m16n8k16, 8 columns
// each: codes 0 and 4, 1 and 5 are the first one's registers, codes 2 and 6, 3 and 7 the second one's.
std::vector<uint4> pack(const std::vector<uint8_t>& codes, int depth, int columns) {
  std::vector<uint4> packed;
  for (int step = 0; step < depth / 16; ++step) {
    for (int block = 0; block < columns / tile_columns; ++block) {
      for (int lane = 0; lane < 32; ++lane) {
        unsigned words[4] = {};
        for (int i = 0; i < 32; ++i) {  // bits 0-1: the pair of columns, then: register, operand, word
          const int upper = i % 2, high_depth = i / 2 % 2, operand = i / 4 % 2, word = i / 8;
          const int row = step * 16 + high_depth * 8 + lane % 4 * 2 + upper;
          const int column = block * tile_columns + word * 16 + operand * 8 + lane / 4;
          const int place = operand * 2 + high_depth + upper * 4;
          words[word] |= unsigned{codes[static_cast<size_t>(row) * columns + column]} << place * 4;
        }
        packed.push_back({words[0], words[1], words[2], words[3]});
      }
    }
  }
  return packed;
}

struct problem {
  int rows, columns, depth;
  std::vector<__half> activations, scales;
  std::vector<uint8_t> codes;  // [depth][columns]

  problem(int rows, int columns, int depth) : rows(rows), columns(columns), depth(depth) {
    unsigned state = 12345;
    const auto random = [&] { return (state = state * 1664525u + 1013904223u) >> 22; };
    activations.resize(static_cast<size_t>(rows) * depth);
    scales.resize(static_cast<size_t>((depth + group_depth - 1) / group_depth) * columns);
    codes.resize(static_cast<size_t>(depth) * columns);
    for (__half& each : activations) each = __float2half((static_cast<float>(random()) - 512) / 512);
    for (__half& each : scales) each = __float2half(static_cast<float>(random() + 1) / 8192);
    for (uint8_t& each : codes) each = random() % 16;
  }

  // Returns the largest error as a share of its bound. The weights are rounded to half precision here, too; what
  // remains are the sums in single precision and the rounding of the result.
  double error(const std::vector<__half>& out) const {
    double worst = 0;
    for (int row = 0; row < rows; ++row) {
      for (int column = 0; column < columns; ++column) {
        double expected = 0, magnitude = 0;
        for (int k = 0; k < depth; ++k) {
          const float scale = __half2float(scales[static_cast<size_t>(k / group_depth) * columns + column]);
          const int code = codes[static_cast<size_t>(k) * columns + column];
          const double weight = __half2float(__float2half(static_cast<float>(code - 8) * scale));
          const double term = weight * __half2float(activations[static_cast<size_t>(row) * depth + k]);
          expected += term;
          magnitude += std::fabs(term);
        }
        const double error = std::fabs(__half2float(out[static_cast<size_t>(row) * columns + column]) - expected);
        const double bound =
            std::ldexp(std::fabs(expected), -11) + magnitude * depth / 16 * std::ldexp(1.0, -22) + 1e-7;
        worst = std::isnan(error) ? std::numeric_limits<double>::infinity() : std::fmax(worst, error / bound);
      }
    }
    return worst;
  }
};

int main(int argc, char** argv) {
  long long rows = 50, column_blocks = 4, depth_blocks = 12;
  example::options("int4_product", "a product with weights of 4 bits")
      .number("--rows", rows, 1, 100000, "rows of the activations")
      .number("--column-blocks", column_blocks, 1, 1000, "columns of the weights, in blocks of 64")
      .number("--depth-blocks", depth_blocks, 1, 1000, "depth of the product, in blocks of 64")
      .parse(argc, argv);
  const problem p(static_cast<int>(rows), static_cast<int>(column_blocks) * tile_columns,
                  static_cast<int>(depth_blocks) * tile_depth);
  const example::device_array<__half> activations(p.activations), scales(p.scales),
      out(static_cast<size_t>(p.rows) * p.columns);
  const example::device_array<uint4> weights(pack(p.codes, p.depth, p.columns));
  const dim3 blocks(p.columns / tile_columns, (p.rows + tile_rows - 1) / tile_rows);
  multiply_codes<<<blocks, block_threads>>>(
      {activations.get(), weights.get(), scales.get(), out.get(), p.rows, p.columns, p.depth});
  EXAMPLE_CHECK_LAUNCH();
  const double worst = p.error(out.to_host());
  std::printf("%d x %d x %d: largest error %.2g of the bound\n", p.rows, p.columns, p.depth, worst);
  return example::verdict(worst <= 1, "each element is within the rounding of a product in single precision");
}
