// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention in the style of compute capability 9.0 (compile for sm_90a): one thread of a producer warpgroup copies
// tiles by tensor maps, two consumer warpgroups multiply them by wgmma. mbarriers count the bytes of each stage and its
// readers. A block computes 128 queries of one head, each consumer 64 of them.
#include <cuda.h>
#include <cuda_fp16.h>

#include <cstdint>

#include "../support/attention.hpp"

using example::attention_arguments;

constexpr int dim = example::attention_dim;
constexpr int tile_rows = 64, tile_elements = tile_rows * dim;
constexpr int consumers = 2, warpgroup = 128, block_threads = (1 + consumers) * warpgroup;
constexpr int stages = 2;
constexpr uint32_t tile_bytes = tile_elements * sizeof(__half);

// The layout of dynamic shared memory. A tile begins at a multiple of 1024 bytes, where a swizzle of 128 bytes repeats.
struct block_memory {
  __half queries[consumers][tile_elements];  // the output, too, after the last use of the queries
  __half keys[stages][tile_elements], values[stages][tile_elements];
};

struct tensor_maps {
  CUtensorMap q, k, v, out;
};

__device__ uint32_t shared_address(const void* at) { return static_cast<uint32_t>(__cvta_generic_to_shared(at)); }

__device__ void initialize(uint64_t* mbarrier, int arrivals) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(mbarrier)), "r"(arrivals) : "memory");
}
__device__ void arrive(uint64_t* mbarrier) {
  asm volatile("mbarrier.arrive.release.cta.shared::cta.b64 _, [%0];" ::"r"(shared_address(mbarrier)) : "memory");
}
__device__ void arrive_and_expect(uint64_t* mbarrier, uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(mbarrier)),
               "r"(bytes)
               : "memory");
}
// Waits until the phase of this parity is complete.
__device__ void wait(uint64_t* mbarrier, uint32_t parity) {
  asm volatile(
      "{ .reg .pred done;\n"
      "AGAIN: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 done, [%0], %1;\n"
      "@!done bra AGAIN; }" ::"r"(shared_address(mbarrier)),
      "r"(parity)
      : "memory");
}
// Orders writes of ordinary code before later accesses by tensor copies and wgmma.
__device__ void fence_async_proxy() { asm volatile("fence.proxy.async;" ::: "memory"); }

__device__ void load_tile(void* to, const CUtensorMap* map, int row, int head, uint64_t* mbarrier) {
  asm volatile(
      "cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];" ::
          "r"(shared_address(to)),
      "l"(map), "r"(0), "r"(row), "r"(head), "r"(shared_address(mbarrier))
      : "memory");
}
__device__ void store_tile(const CUtensorMap* map, int row, int head, const void* from) {
  asm volatile(
      "cp.async.bulk.tensor.3d.global.shared::cta.bulk_group [%0, {%1, %2, %3}], [%4];\n"
      "cp.async.bulk.commit_group;\n"
      "cp.async.bulk.wait_group 0;" ::"l"(map),
      "r"(0), "r"(row), "r"(head), "r"(shared_address(from))
      : "memory");
}

// Returns the descriptor of a tile from one of its elements on: swizzle of 128 bytes, 1024 bytes from 8 rows to the
// next.
__device__ uint64_t matrix_at(const __half* element) {
  return (shared_address(element) & 0x3ffff) >> 4 | uint64_t{1} << 16 | uint64_t{1024 >> 4} << 32 | uint64_t{1} << 62;
}

#define FOUR(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define ACCUMULATORS(d) \
  FOUR(d, 0), FOUR(d, 4), FOUR(d, 8), FOUR(d, 12), FOUR(d, 16), FOUR(d, 20), FOUR(d, 24), FOUR(d, 28)
#define REGISTERS                                                                                         \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, " \
  "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31}"

// scores = (adds ? scores : 0) + 64 x 16 queries times 16 x 64 keys, both with adjacent elements of a row.
__device__ void multiply(float (&scores)[32], uint64_t queries, uint64_t keys, int adds) {
  asm volatile(
      "{ .reg .pred adds; setp.ne.b32 adds, %34, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " REGISTERS ", %32, %33, adds, 1, 1, 0, 0; }"
      : ACCUMULATORS(scores)
      : "l"(queries), "l"(keys), "r"(adds)
      : "memory");
}
// output += 64 x 16 weights of registers times 16 x 64 values. The last 1 is a transposed right operand: the depth of
// the product is the row of the tile.
__device__ void multiply(float (&output)[32], const uint32_t (&weights)[4], uint64_t values) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " REGISTERS
               ", {%32, %33, %34, %35}, %36, 1, 1, 1, 1;"
               : ACCUMULATORS(output)
               : "r"(weights[0]), "r"(weights[1]), "r"(weights[2]), "r"(weights[3]), "l"(values)
               : "memory");
}
__device__ void fence_registers() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void commit_and_wait() {
  asm volatile("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;" ::: "memory");
}

__device__ void multiply_keys(float (&scores)[32], const __half* queries, const __half* keys) {
  fence_registers();
#pragma unroll
  for (int step = 0; step < dim / 16; ++step) {
    multiply(scores, matrix_at(queries + step * 16), matrix_at(keys + step * 16), step != 0);
  }
  commit_and_wait();
}

__device__ void multiply_values(float (&output)[32], const float (&weights)[32], const __half* values) {
  uint32_t a[tile_rows / 16][4];
#pragma unroll
  for (int i = 0; i < 16; ++i) a[i / 4][i % 4] = example::pack_halves(weights[i * 2], weights[i * 2 + 1]);
  fence_registers();
#pragma unroll
  for (int step = 0; step < tile_rows / 16; ++step) multiply(output, a[step], matrix_at(values + step * 16 * dim));
  commit_and_wait();
}

// `full`: the bytes of a stage have arrived. `empty`: all consumer warps have read the stage.
struct block_barriers {
  uint64_t queries, full[stages], empty[stages];
};

__device__ void produce(const tensor_maps& maps, block_memory& memory, block_barriers& barriers, int tiles) {
  const int first_query = blockIdx.x * consumers * tile_rows, head = blockIdx.y;
  arrive_and_expect(&barriers.queries, consumers * tile_bytes);
  for (int i = 0; i < consumers; ++i) {
    load_tile(memory.queries[i], &maps.q, first_query + i * tile_rows, head, &barriers.queries);
  }
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % stages, phase = tile / stages;
    wait(&barriers.empty[stage], (phase + 1) % 2);  // the phase before phase 0 counts as complete
    arrive_and_expect(&barriers.full[stage], 2 * tile_bytes);
    load_tile(memory.keys[stage], &maps.k, tile * tile_rows, head, &barriers.full[stage]);
    load_tile(memory.values[stage], &maps.v, tile * tile_rows, head, &barriers.full[stage]);
  }
}

// Writes 64 rows into the consumer's tile of queries, in the map's swizzle, and from there to global memory.
__device__ void store_output(const float (&output)[32], const CUtensorMap* map, __half* tile, int consumer,
                             int first_row) {
  const int lane = threadIdx.x % 32, row = threadIdx.x % warpgroup / 32 * 16 + lane / 4;
  const auto sync = [&] { asm volatile("bar.sync %0, %1;" ::"r"(1 + consumer), "n"(warpgroup) : "memory"); };
  sync();  // all four warps have read the queries
#pragma unroll
  for (int i = 0; i < 32; i += 2) {
    const int at = row + i / 2 % 2 * 8, chunk = i / 4 ^ at % 8;
    *reinterpret_cast<__half2*>(tile + at * dim + chunk * 8 + lane % 4 * 2) =
        __floats2half2_rn(output[i], output[i + 1]);
  }
  fence_async_proxy();
  sync();
  if (threadIdx.x % warpgroup == 0) store_tile(map, first_row, blockIdx.y, tile);
}

__device__ void consume(const attention_arguments& of, const tensor_maps& maps, block_memory& memory,
                        block_barriers& barriers, int tiles) {
  const int consumer = threadIdx.x / warpgroup - 1, lane = threadIdx.x % 32;
  const int first_row = (blockIdx.x * consumers + consumer) * tile_rows;
  const int row = first_row + threadIdx.x % warpgroup / 32 * 16 + lane / 4;
  const int end[2] = {of.visible_keys(row), of.visible_keys(row + 8)};
  float output[32] = {};
  example::softmax_rows softmax;
  wait(&barriers.queries, 0);
  for (int tile = 0; tile < tiles; ++tile) {
    const int stage = tile % stages;
    wait(&barriers.full[stage], tile / stages % 2);
    float scores[32] = {};
    multiply_keys(scores, memory.queries[consumer], memory.keys[stage]);
    softmax.add(scores, output, tile * tile_rows, end);
    multiply_values(output, scores, memory.values[stage]);
    if (lane == 0) arrive(&barriers.empty[stage]);
  }
  softmax.finish(output);
  store_output(output, &maps.out, memory.queries[consumer], consumer, first_row);
}

__global__ void __launch_bounds__(block_threads, 1)
    attend(attention_arguments of, const __grid_constant__ tensor_maps maps) {
  extern __shared__ __align__(1024) unsigned char dynamic[];
  __shared__ block_barriers barriers;
  block_memory& memory = *reinterpret_cast<block_memory*>(dynamic);
  if (threadIdx.x == 0) {
    initialize(&barriers.queries, 1);
    for (int stage = 0; stage < stages; ++stage) {
      initialize(&barriers.full[stage], 1);
      initialize(&barriers.empty[stage], consumers * warpgroup / 32);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    fence_async_proxy();
  }
  __syncthreads();
  const int last_query = min(static_cast<int>(blockIdx.x + 1) * consumers * tile_rows, of.queries) - 1;
  const int tiles = (of.visible_keys(last_query) + tile_rows - 1) / tile_rows;
  if (threadIdx.x / warpgroup == 0) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 0) produce(maps, memory, barriers, tiles);
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume(of, maps, memory, barriers, tiles);
  }
}

// Returns the map of [heads][rows][dim]; boxes are tiles of one head.
CUtensorMap encode(const __half* data, int rows, int heads) {
  static decltype(&cuTensorMapEncodeTiled) encode_tiled = nullptr;
  if (encode_tiled == nullptr) {  // asks the driver for it, so that the program needs no -lcuda
    cudaDriverEntryPointQueryResult found;
    void* function = nullptr;
    EXAMPLE_CHECK(
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found));
    encode_tiled = reinterpret_cast<decltype(encode_tiled)>(function);
  }
  const cuuint64_t sizes[] = {dim, static_cast<cuuint64_t>(rows), static_cast<cuuint64_t>(heads)};
  const cuuint64_t strides[] = {dim * sizeof(__half), rows * dim * sizeof(__half)};
  const cuuint32_t box[] = {dim, tile_rows, 1}, steps[] = {1, 1, 1};
  CUtensorMap map;
  const CUresult result = encode_tiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 3, const_cast<__half*>(data), sizes,
                                       strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                                       CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "attention_wgmma: cuTensorMapEncodeTiled: error %d\n", static_cast<int>(result));
    std::exit(1);
  }
  return map;
}

int main(int argc, char** argv) {
  const example::attention problem("attention_wgmma", "attention by tensor maps and wgmma", argc, argv);
  const attention_arguments of = problem.arguments();
  const tensor_maps maps = {encode(of.q, of.queries, problem.heads()), encode(of.k, of.keys, problem.heads()),
                            encode(of.v, of.keys, problem.heads()), encode(of.out, of.queries, problem.heads())};
  EXAMPLE_CHECK(cudaFuncSetAttribute(attend, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(block_memory)));
  const int rows = consumers * tile_rows;
  attend<<<dim3((of.queries + rows - 1) / rows, problem.heads()), block_threads, sizeof(block_memory)>>>(of, maps);
  EXAMPLE_CHECK_LAUNCH();
  return problem.verify();
}
