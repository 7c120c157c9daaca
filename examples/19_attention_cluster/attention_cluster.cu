// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attention by cooperative groups: the blocks of a cluster divide the keys of a head, and combine their parts of the
// softmax through each other's shared memory. A cluster computes 16 queries of one head, each warp of a block 4 of
// them.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda_fp16.h>

#include "../support/attention.hpp"

namespace cg = cooperative_groups;
using example::attention_arguments;

constexpr int dim = example::attention_dim;
constexpr int tile_keys = 32;  // the keys of a tile, one for each lane of a warp
constexpr int block_warps = 4, warp_queries = 4, block_queries = block_warps * warp_queries;

// A block's part of the softmax of a query.
struct partial {
  float maximum, sum, output[dim];
};

struct block_memory {
  __half2 queries[block_queries][dim / 2];
  __half2 keys[2][tile_keys][dim / 2], values[2][tile_keys][dim / 2];
  partial parts[block_queries];
};

using warp_group = cg::thread_block_tile<32, cg::thread_block>;

// Starts the copy of `rows` rows into a tile.
__device__ void start_tile(const cg::thread_block& block, __half2 (&to)[tile_keys][dim / 2], const __half* from,
                           int rows) {
  cg::memcpy_async(block, &to[0][0], reinterpret_cast<const __half2*>(from), sizeof(to[0]) * rows);
}

// Adds a tile of keys to a query's part. A lane computes the score of one key, and the sums of two columns of values in
// `output`. The query sees the first `visible` keys of the tile.
__device__ void add_tile(const warp_group& warp, partial& part, float2& output, const __half2* query,
                         const __half2 (&keys)[tile_keys][dim / 2], const __half2 (&values)[tile_keys][dim / 2],
                         int visible) {
  const int lane = static_cast<int>(warp.thread_rank());
  float score = -INFINITY;
  if (lane < visible) {
    score = 0;
    for (int i = 0; i < dim / 2; ++i) {
      const int at = (i + lane) % (dim / 2);  // each lane reads another bank
      const float2 a = __half22float2(query[at]), b = __half22float2(keys[lane][at]);
      score += a.x * b.x + a.y * b.y;
    }
  }
  const float maximum = fmaxf(part.maximum, cg::reduce(warp, score, cg::greater<float>()));
  if (maximum == -INFINITY) return;  // no key of the tile is seen; all lanes return
  const float correction = exp2f((part.maximum - maximum) * example::softmax_scale);
  const float weight = exp2f((score - maximum) * example::softmax_scale);
  part.sum = part.sum * correction + cg::reduce(warp, weight, cg::plus<float>());
  part.maximum = maximum;
  output.x *= correction;
  output.y *= correction;
  for (int key = 0; key < visible; ++key) {
    const float each = warp.shfl(weight, key);
    const float2 value = __half22float2(values[key][lane]);
    output.x += each * value.x;
    output.y += each * value.y;
  }
}

// Adds the block's keys, from `first` to `last`, to the parts of its warps' queries, and stores the parts.
__device__ void add_keys(const cg::thread_block& block, const attention_arguments& of, block_memory& memory, int first,
                         int last, int first_query) {
  const auto warp = cg::tiled_partition<32>(block);
  const int own = static_cast<int>(warp.meta_group_rank()) * warp_queries;
  const size_t head_keys = static_cast<size_t>(blockIdx.y) * of.keys;
  partial parts[warp_queries];
  float2 output[warp_queries] = {};
  for (partial& part : parts) part.maximum = -INFINITY, part.sum = 0;
  const auto start = [&](int key) {
    const int rows = min(tile_keys, last - key), stage = (key - first) / tile_keys % 2;
    start_tile(block, memory.keys[stage], of.k + (head_keys + key) * dim, rows);
    start_tile(block, memory.values[stage], of.v + (head_keys + key) * dim, rows);
  };
  if (first < last) start(first);
  for (int key = first; key < last; key += tile_keys) {
    if (key + tile_keys < last) {
      start(key + tile_keys);
      cg::wait_prior<2>(block);  // the two newest copies, of the next tile, may still run
    } else {
      cg::wait(block);
    }
    const int stage = (key - first) / tile_keys % 2;
    for (int i = 0; i < warp_queries; ++i) {
      const int visible = min(min(last - key, tile_keys), of.visible_keys(first_query + own + i) - key);
      add_tile(warp, parts[i], output[i], memory.queries[own + i], memory.keys[stage], memory.values[stage], visible);
    }
    block.sync();  // the next turn overwrites this stage
  }
  for (int i = 0; i < warp_queries; ++i) {
    partial& to = memory.parts[own + i];
    const int column = static_cast<int>(warp.thread_rank()) * 2;
    to.output[column] = output[i].x;
    to.output[column + 1] = output[i].y;
    if (warp.thread_rank() == 0) to.maximum = parts[i].maximum, to.sum = parts[i].sum;
  }
}

// Combines the parts of all blocks for the queries whose number modulo the cluster's size is the block's rank.
__device__ void combine(const cg::cluster_group& cluster, const attention_arguments& of, block_memory& memory,
                        int first_query) {
  const int blocks = static_cast<int>(cluster.num_blocks()), rank = static_cast<int>(cluster.block_rank());
  const int group = threadIdx.x / dim, column = threadIdx.x % dim;
  for (int i = rank + group * blocks; i < block_queries; i += blocks * (block_warps * 32 / dim)) {
    if (first_query + i >= of.queries) continue;
    float maximum = -INFINITY;
    for (int b = 0; b < blocks; ++b) maximum = fmaxf(maximum, cluster.map_shared_rank(&memory.parts[i], b)->maximum);
    float sum = 0, output = 0;
    for (int b = 0; b < blocks && maximum != -INFINITY; ++b) {
      const partial* const part = cluster.map_shared_rank(&memory.parts[i], b);
      const float weight = exp2f((part->maximum - maximum) * example::softmax_scale);
      sum += part->sum * weight;
      output += part->output[column] * weight;
    }
    const size_t row = static_cast<size_t>(blockIdx.y) * of.queries + first_query + i;
    of.out[row * dim + column] = __float2half(sum > 0 ? output / sum : 0.0f);
  }
}

__global__ void __launch_bounds__(block_warps * 32) attend(attention_arguments of) {
  __shared__ __align__(16) block_memory memory;
  const cg::cluster_group cluster = cg::this_cluster();
  const cg::thread_block block = cg::this_thread_block();
  const int blocks = static_cast<int>(cluster.num_blocks()), rank = static_cast<int>(cluster.block_rank());
  const int first_query = blockIdx.x / blocks * block_queries;
  const int queries = min(block_queries, of.queries - first_query);

  const __half* const q = of.q + (static_cast<size_t>(blockIdx.y) * of.queries + first_query) * dim;
  cg::memcpy_async(block, &memory.queries[0][0], reinterpret_cast<const __half2*>(q),
                   sizeof(memory.queries[0]) * queries);
  for (int i = queries * dim / 2 + static_cast<int>(block.thread_rank()); i < block_queries * dim / 2;
       i += block.size()) {
    memory.queries[0][i] = __half2();
  }
  cg::wait(block);
  block.sync();

  // Each block has whole tiles. The last blocks may have fewer keys than the others, or none.
  const int seen = of.visible_keys(first_query + queries - 1);
  const int share = (seen + blocks * tile_keys - 1) / (blocks * tile_keys) * tile_keys;
  add_keys(block, of, memory, min(seen, rank * share), min(seen, (rank + 1) * share), first_query);
  cluster.sync();  // the parts of all blocks are stored
  combine(cluster, of, memory, first_query);
  cluster.sync();  // a block's shared memory lives until all have read it
}

int main(int argc, char** argv) {
  const example::attention problem("attention_cluster", "attention by the blocks of a cluster", argc, argv);
  const attention_arguments of = problem.arguments();
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 4;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3((of.queries + block_queries - 1) / block_queries * attribute.val.clusterDim.x, problem.heads());
  config.blockDim = dim3(block_warps * 32);
  config.attrs = &attribute;
  config.numAttrs = 1;
  EXAMPLE_CHECK(cudaLaunchKernelEx(&config, attend, of));
  EXAMPLE_CHECK_LAUNCH();
  return problem.verify();
}
