// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of two and three dimensions whose rows have 32 or 16 threads: several rows may run in one gang. Rows differ
// in their data, their branches and their loops, and lanes of each row may have returned.
#include <cooperative_groups.h>
#include <sys/mman.h>
#include <unistd.h>

#include <vector>

#include "../check.hpp"

namespace cg = cooperative_groups;

constexpr unsigned most_threads = 1024;

__host__ __device__ unsigned word_of(unsigned i) { return (i * 2654435761u) >> 9; }
__device__ unsigned rank_of_thread() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }

// The product of two matrices by tiles: one factor is common to the lanes of a row, the other to the rows of a column.
__global__ void product(const unsigned* a, const unsigned* b, unsigned* out, int turns) {
  __shared__ unsigned of_a[64][64], of_b[64][64];
  const unsigned x = threadIdx.x, y = threadIdx.y + threadIdx.z * blockDim.y;
  unsigned sum = 0;
  for (int turn = 0; turn < turns; ++turn) {
    of_a[y][x] = a[turn * most_threads + rank_of_thread()];
    of_b[y][x] = b[turn * most_threads + rank_of_thread()];
    __syncthreads();
    for (unsigned k = 0; k < blockDim.x && k < blockDim.y; ++k) sum += of_a[y][k] * of_b[k][x];
    __syncthreads();
  }
  out[rank_of_thread()] = sum;
}

// The columns of a padded array, which rows of threads write.
__global__ void columns(const unsigned* in, unsigned* out) {
  __shared__ unsigned values[64 * 65];
  const unsigned rows = blockDim.y * blockDim.z, row = threadIdx.z * blockDim.y + threadIdx.y;
  values[row * (blockDim.x + 1) + threadIdx.x] = in[rank_of_thread()];
  __syncthreads();
  const unsigned rank = rank_of_thread();
  out[rank] = values[rank % rows * (blockDim.x + 1) + rank / rows];
}

// Adjacent rows read adjacent words, every second word, and words in reverse order. The array may end at an
// inaccessible page. Later statements may read what is written to `out`.
constexpr unsigned pitch = 67;
__global__ void transposes(unsigned* in, unsigned* out, unsigned height) {
  const unsigned x = threadIdx.x, y = threadIdx.y, rank = rank_of_thread();
  __syncthreads();
  unsigned sum = in[x * pitch + y];
  out[rank] = sum;
  sum = sum * 3 + in[x * pitch + y / 2 * 2];
  sum = sum * 3 + in[x * pitch + height - 1 - y];
  __syncthreads();
  const unsigned first = out[(x * blockDim.y + y) % blockDim.x];
  __syncthreads();
  out[rank] = sum * 3 + first;
}

// Threads beyond the edges write nothing. Rows take different branches and loop for different times.
__global__ void edges(const unsigned* in, unsigned* out, unsigned width, unsigned height, int turns) {
  __shared__ unsigned values[most_threads];
  __shared__ unsigned total;
  const unsigned rank = rank_of_thread();
  const bool inside = threadIdx.x < width && threadIdx.y < height;
  unsigned kept[4] = {rank, 1, 2, 3};
  if (rank == 0) total = 0;
  values[rank] = inside ? in[rank] : 0;
  for (int turn = 0; turn < turns; ++turn) {
    __syncthreads();
    unsigned next = values[rank];
    if (threadIdx.y > 0 && threadIdx.y % 3 != 1) next += values[rank - blockDim.x];
    for (unsigned k = 0; k < threadIdx.y % 4; ++k) next = next * 3 + k;
    for (unsigned k = 0; k < next % 3; ++k) next += kept[(next + k) % 4];
    kept[next % 4] += next;
    __syncthreads();
    if (inside) values[rank] = next;
  }
  if (values[rank] % 2 != 0) atomicAdd(&total, values[rank]);
  __syncthreads();
  out[rank] = values[rank] + kept[0] * 5 + kept[3] + total;
}

// Lanes of each row that return early do not vote.
__global__ void votes(const unsigned* in, unsigned* out, unsigned width) {
  const unsigned rank = rank_of_thread();
  if (threadIdx.x >= width) return;
  unsigned result = __syncthreads_count(in[rank] % 3 == 0);
  result = result * 2 + (__syncthreads_or(in[rank] % 1024 == threadIdx.y) != 0);
  if (threadIdx.x % 5 == 4) return;
  result = result * 2048 + __syncthreads_count(threadIdx.y % 3 == 1);
  out[rank] = result * 2 + (__syncthreads_and(in[rank] != 77) != 0);
}

// Full rows return early.
__global__ void short_block(const unsigned* in, unsigned* out, unsigned height) {
  __shared__ unsigned values[most_threads];
  const unsigned rank = rank_of_thread();
  if (threadIdx.y >= height) return;
  values[rank] = in[rank];
  __syncthreads();
  out[rank] = values[rank] + values[threadIdx.x];
}

// Collectives of a warp.
__global__ void warps(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[32];
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned rank = rank_of_thread();
  unsigned value = in[rank] + threadIdx.y;
  for (int offset = 16; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  if (tile.thread_rank() == 0) sums[tile.meta_group_rank()] = value;
  __syncthreads();
  unsigned all = 0;
  for (unsigned i = 0; i < tile.meta_group_size(); ++i) all = all * 31 + sums[i];
  out[rank] = all + tile.ballot(in[rank] % 2 != 0);
}

struct host_block {
  dim3 dim;
  unsigned threads() const { return dim.x * dim.y * dim.z; }
  unsigned x(unsigned rank) const { return rank % dim.x; }
  unsigned y(unsigned rank) const { return rank / dim.x % dim.y; }
};

void check_product(host_block block, const unsigned* a, const unsigned* b, unsigned* out) {
  const int turns = 3;
  product<<<1, block.dim>>>(a, b, out, turns);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const unsigned steps = block.dim.x < block.dim.y ? block.dim.x : block.dim.y;
  for (unsigned rank = 0; rank < block.threads(); ++rank) {
    unsigned sum = 0;
    for (int turn = 0; turn < turns; ++turn) {
      const unsigned *left = a + turn * most_threads, *right = b + turn * most_threads;
      for (unsigned k = 0; k < steps; ++k) {
        sum += left[rank / block.dim.x * block.dim.x + k] * right[k * block.dim.x + block.x(rank)];
      }
    }
    expect_equal(out[rank], sum, "product", rank);
  }
}

void check_columns(host_block block, const unsigned* in, unsigned* out) {
  columns<<<1, block.dim>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  const unsigned rows = block.dim.y * block.dim.z;
  for (unsigned rank = 0; rank < block.threads(); ++rank) {
    expect_equal(out[rank], in[rank % rows * block.dim.x + rank / rows], "columns", rank);
  }
}

void check_transposes(host_block block, const unsigned* words, unsigned* out) {
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE)),
               bytes = (64 * pitch * sizeof(unsigned) / page + 1) * page;
  char* memory =
      static_cast<char*>(mmap(nullptr, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  mprotect(memory + bytes, page, PROT_NONE);
  const unsigned size = (block.dim.x - 1) * pitch + block.dim.y;
  unsigned* in = reinterpret_cast<unsigned*>(memory + bytes) - size;
  for (unsigned i = 0; i < size; ++i) in[i] = words[i % most_threads];
  transposes<<<1, block.dim>>>(in, out, block.dim.y);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned rank = 0; rank < block.threads(); ++rank) {
    const unsigned x = block.x(rank), y = block.y(rank), *column = in + x * pitch;
    const unsigned sum = (column[y] * 3 + column[y / 2 * 2]) * 3 + column[block.dim.y - 1 - y];
    expect_equal(out[rank], sum * 3 + in[(x * block.dim.y + y) % block.dim.x * pitch], "transposes", rank);
  }
  munmap(memory, bytes + page);
}

void check_edges(host_block block, const unsigned* in, unsigned* out) {
  const unsigned width = block.dim.x - block.dim.x / 5, height = block.dim.y - block.dim.y / 4;
  const int turns = 4;
  edges<<<1, block.dim>>>(in, out, width, height, turns);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  struct thread {
    unsigned kept[4], next;
  };
  const unsigned threads = block.threads();
  std::vector<unsigned> values(threads);
  std::vector<thread> all(threads);
  auto inside = [&](unsigned rank) { return block.x(rank) < width && block.y(rank) < height; };
  for (unsigned rank = 0; rank < threads; ++rank) {
    all[rank] = {{rank, 1, 2, 3}, 0};
    values[rank] = inside(rank) ? in[rank] : 0;
  }
  for (int turn = 0; turn < turns; ++turn) {
    for (unsigned rank = 0; rank < threads; ++rank) {
      thread& t = all[rank];
      const unsigned y = block.y(rank);
      t.next = values[rank] + (y > 0 && y % 3 != 1 ? values[rank - block.dim.x] : 0);
      for (unsigned k = 0; k < y % 4; ++k) t.next = t.next * 3 + k;
      for (unsigned k = 0; k < t.next % 3; ++k) t.next += t.kept[(t.next + k) % 4];
      t.kept[t.next % 4] += t.next;
    }
    for (unsigned rank = 0; rank < threads; ++rank) values[rank] = inside(rank) ? all[rank].next : values[rank];
  }
  unsigned total = 0;
  for (unsigned rank = 0; rank < threads; ++rank) total += values[rank] % 2 != 0 ? values[rank] : 0;
  for (unsigned rank = 0; rank < threads; ++rank) {
    expect_equal(out[rank], values[rank] + all[rank].kept[0] * 5 + all[rank].kept[3] + total, "edges", rank);
  }
}

void check_votes(host_block block, const unsigned* in, unsigned* out) {
  const unsigned width = block.dim.x - block.dim.x / 6, threads = block.threads();
  for (unsigned rank = 0; rank < threads; ++rank) out[rank] = 0;
  votes<<<1, block.dim>>>(in, out, width);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  unsigned thirds = 0, any = 0, rows = 0, all = 1;
  for (unsigned rank = 0; rank < threads; ++rank) {
    if (block.x(rank) >= width) continue;
    thirds += in[rank] % 3 == 0;
    any |= in[rank] % 1024 == block.y(rank);
    if (block.x(rank) % 5 == 4) continue;
    rows += block.y(rank) % 3 == 1;
    all &= in[rank] != 77;
  }
  for (unsigned rank = 0; rank < threads; ++rank) {
    const bool stays = block.x(rank) < width && block.x(rank) % 5 != 4;
    expect_equal(out[rank], stays ? ((thirds * 2 + any) * 2048 + rows) * 2 + all : 0, "votes", rank);
  }
}

void check_short_block(host_block block, const unsigned* in, unsigned* out) {
  const unsigned height = block.dim.y - block.dim.y / 3;
  for (unsigned rank = 0; rank < block.threads(); ++rank) out[rank] = 0;
  short_block<<<1, block.dim>>>(in, out, height);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  for (unsigned rank = 0; rank < block.threads(); ++rank) {
    expect_equal(out[rank], block.y(rank) < height ? in[rank] + in[block.x(rank)] : 0, "short_block", rank);
  }
}

void check_warps(host_block block, const unsigned* in, unsigned* out) {
  const unsigned threads = block.threads();
  if (threads % 32 != 0) return;
  warps<<<1, block.dim>>>(in, out);
  EXPECT_SUCCESS(cudaDeviceSynchronize());
  unsigned all = 0;
  std::vector<unsigned> odd(threads / 32);
  for (unsigned warp = 0; warp < threads / 32; ++warp) {
    unsigned sum = 0;
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned rank = warp * 32 + lane;
      sum += in[rank] + block.y(rank);
      odd[warp] |= in[rank] % 2 << lane;
    }
    all = all * 31 + sum;
  }
  for (unsigned rank = 0; rank < threads; ++rank) expect_equal(out[rank], all + odd[rank / 32], "warps", rank);
}

int main() {
  unsigned *a, *b, *out;
  EXPECT_SUCCESS(cudaMallocManaged(&a, 4 * most_threads * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&b, 4 * most_threads * sizeof(unsigned)));
  EXPECT_SUCCESS(cudaMallocManaged(&out, most_threads * sizeof(unsigned)));
  for (unsigned i = 0; i < 4 * most_threads; ++i) a[i] = word_of(i), b[i] = word_of(i + 77777);
  for (const dim3 dim : {dim3(32, 8),  dim3(32, 4),    dim3(32, 16),   dim3(32, 32), dim3(32, 3),    dim3(32, 12),
                         dim3(32, 1),  dim3(32, 8, 2), dim3(32, 4, 3), dim3(16, 16), dim3(16, 8),    dim3(16, 32),
                         dim3(16, 64), dim3(16, 4),    dim3(16, 10),   dim3(16, 24), dim3(16, 8, 5), dim3(64, 4),
                         dim3(8, 8),   dim3(8, 32),    dim3(33, 8),    dim3(1, 64)}) {
    const host_block block{dim};
    check_product(block, a, b, out);
    check_columns(block, a, out);
    check_transposes(block, a, out);
    check_edges(block, a, out);
    check_votes(block, a, out);
    check_short_block(block, a, out);
    check_warps(block, a, out);
  }
  return result();
}
