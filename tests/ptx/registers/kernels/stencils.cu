// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stencils, convolutions, matrix tiles: staged copies, pipelines, neighbors by shuffles.

// Five points of a plane through shared memory.
__global__ void five_points(const float* in, float* out, int width, int height) {
  __shared__ float tile[18][34];
  const auto block = cg::this_thread_block();
  const int x = static_cast<int>(block.group_index().x * 32 + block.thread_index().x);
  const int y = static_cast<int>(block.group_index().y * 16 + block.thread_index().y);
  for (unsigned i = block.thread_rank(); i < 18 * 34; i += block.size()) {
    const int from_x = min(max(static_cast<int>(block.group_index().x * 32 + i % 34) - 1, 0), width - 1);
    const int from_y = min(max(static_cast<int>(block.group_index().y * 16 + i / 34) - 1, 0), height - 1);
    tile[i / 34][i % 34] = in[from_y * width + from_x];
  }
  block.sync();
  if (x >= width || y >= height) return;
  const unsigned row = block.thread_index().y + 1;
  const unsigned column = block.thread_index().x + 1;
  out[y * width + x] = 0.2f * (tile[row][column] + tile[row - 1][column] + tile[row + 1][column] +
                               tile[row][column - 1] + tile[row][column + 1]);
}

// Three points of a line, the neighbors by shuffles.
template <unsigned Size>
__global__ void three_points(const float* in, float* out, int n, int steps) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size * (Size - 2) + tile.thread_rank()) - 1;
  float mine = i >= 0 && i < n ? in[i] : 0.0f;
  for (int step = 0; step < steps; ++step) {
    const float left = tile.shfl_up(mine, 1);
    const float right = tile.shfl_down(mine, 1);
    mine = 0.25f * left + 0.5f * mine + 0.25f * right;
  }
  if (tile.thread_rank() > 0 && tile.thread_rank() < Size - 1 && i < n) out[i] = mine;
}

// A copy of the whole block, then a sum over a window.
__global__ void staged_window(const int* in, int* out, int n) {
  __shared__ alignas(16) int stage[512];
  const auto block = cg::this_thread_block();
  const int base = static_cast<int>(blockIdx.x) * 256;
  const int count = min(512, n - base);
  cg::memcpy_async(block, stage, in + base, sizeof(int) * count);
  cg::wait(block);
  int sum = 0;
  for (int i = 0; i < 16; ++i)
    sum += static_cast<int>(block.thread_rank()) + i < count ? stage[block.thread_rank() + i] : 0;
  out[base + block.thread_rank()] = sum;
}

// Two stages in flight, with a promised alignment.
__global__ void two_stages(const float* in, float* out, int chunks) {
  __shared__ alignas(16) float stage[2][256];
  const auto block = cg::this_thread_block();
  const float* from = in + static_cast<long long>(blockIdx.x) * chunks * 256;
  cg::memcpy_async(block, stage[0], from, cuda::aligned_size_t<16>(sizeof(float) * 256));
  float sum = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (chunk + 1 < chunks) {
      cg::memcpy_async(block, stage[(chunk + 1) % 2], from + (chunk + 1) * 256,
                       cuda::aligned_size_t<16>(sizeof(float) * 256));
      cg::wait_prior<1>(block);
    } else {
      cg::wait(block);
    }
    sum += stage[chunk % 2][block.thread_rank()] * stage[chunk % 2][block.thread_rank() ^ 1];
    block.sync();
  }
  out[blockIdx.x * 256 + block.thread_rank()] = sum;
}

// Copies by tiles, each with its own stages.
template <unsigned Size>
__global__ void tile_copies(const double* in, double* out, int chunks) {
  extern __shared__ double buffer[];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  double* mine = buffer + tile.meta_group_rank() * Size;
  const double* from =
      in + (static_cast<long long>(blockIdx.x) * tile.meta_group_size() + tile.meta_group_rank()) * chunks * Size;
  double sum = 0;
  for (int chunk = 0; chunk < chunks; ++chunk) {
    cg::memcpy_async(tile, mine, from + chunk * Size, cuda::aligned_size_t<8>(sizeof(double) * Size));
    cg::wait(tile);
    sum += mine[Size - 1 - tile.thread_rank()];
    tile.sync();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// A pipeline of the C++ library over the block.
__global__ void pipelined_sum(const int4* in, int* out, int batches) {
  __shared__ int4 stage[2][128];
  const auto block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline();
  int sum = 0;
  for (int batch = 0, fetched = 0; batch < batches; ++batch) {
    for (; fetched < batches && fetched < batch + 2; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(&stage[fetched % 2][block.thread_rank()],
                         &in[(static_cast<long long>(fetched) * gridDim.x + blockIdx.x) * 128 + block.thread_rank()],
                         sizeof(int4), pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    block.sync();
    const int4 value = stage[batch % 2][block.thread_rank() ^ 3];
    sum += value.x + value.y + value.z + value.w;
    block.sync();
    pipeline.consumer_release();
  }
  out[blockIdx.x * 128 + block.thread_rank()] = sum;
}

// Matrix product by tiles of shared memory, with copies of the next tiles in flight.
__global__ void matrix_product(const float* a, const float* b, float* c, int n) {
  __shared__ alignas(16) float tile_a[2][16][16];
  __shared__ alignas(16) float tile_b[2][16][16];
  const auto block = cg::this_thread_block();
  const auto row = cg::tiled_partition<16>(block);
  const unsigned y = row.meta_group_rank();
  const float* from_a = a + (block.group_index().y * 16 + y) * n;
  const float* from_b = b + y * n + block.group_index().x * 16;
  cg::memcpy_async(row, tile_a[0][y], from_a, cuda::aligned_size_t<16>(64));
  cg::memcpy_async(row, tile_b[0][y], from_b, cuda::aligned_size_t<16>(64));
  float sum = 0;
  for (int k = 0; k < n / 16; ++k) {
    if (k + 1 < n / 16) {
      cg::memcpy_async(row, tile_a[(k + 1) % 2][y], from_a + (k + 1) * 16, cuda::aligned_size_t<16>(64));
      cg::memcpy_async(row, tile_b[(k + 1) % 2][y], from_b + (k + 1) * 16 * n, cuda::aligned_size_t<16>(64));
      cg::wait_prior<2>(row);
    } else {
      cg::wait(row);
    }
    block.sync();
    for (int i = 0; i < 16; ++i) sum += tile_a[k % 2][y][i] * tile_b[k % 2][i][row.thread_rank()];
    block.sync();
  }
  c[(block.group_index().y * 16 + y) * n + block.group_index().x * 16 + row.thread_rank()] = sum;
}

// A transpose through shared memory with a column of padding.
__global__ void transpose(const float* in, float* out, int width, int height) {
  __shared__ float tile[32][33];
  const auto block = cg::this_thread_block();
  const unsigned x = block.group_index().x * 32 + block.thread_index().x;
  const unsigned y = block.group_index().y * 32 + block.thread_index().y;
  for (unsigned i = 0; i < 32; i += block.dim_threads().y) {
    if (x < static_cast<unsigned>(width) && y + i < static_cast<unsigned>(height)) {
      tile[block.thread_index().y + i][block.thread_index().x] = in[(y + i) * width + x];
    }
  }
  cg::sync(block);
  const unsigned to_x = block.group_index().y * 32 + block.thread_index().x;
  const unsigned to_y = block.group_index().x * 32 + block.thread_index().y;
  for (unsigned i = 0; i < 32; i += block.dim_threads().y) {
    if (to_x < static_cast<unsigned>(height) && to_y + i < static_cast<unsigned>(width)) {
      out[(to_y + i) * height + to_x] = tile[block.thread_index().x][block.thread_index().y + i];
    }
  }
}

// A convolution whose taps lie in the lanes of a tile.
template <unsigned Size>
__global__ void convolve(const float* in, const float* taps, float* out, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const float tap = taps[tile.thread_rank()];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  float sum = 0;
  for (unsigned k = 0; k < Size; ++k) {
    const float factor = tile.shfl(tap, static_cast<int>(k));
    if (i + static_cast<int>(k) < n) sum += factor * in[i + k];
  }
  if (i < n) out[i] = sum;
}

// Seven points of a volume: planes in registers, rows by shuffles, columns in shared memory.
__global__ void seven_points(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float plane[10][34];
  const auto block = cg::this_thread_block();
  const auto row = cg::tiled_partition<32>(block);
  const int x = static_cast<int>(blockIdx.x * 32 + row.thread_rank());
  const int y = static_cast<int>(blockIdx.y * 8 + row.meta_group_rank());
  const bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  float below = 0;
  float here = inside ? in[y * nx + x] : 0.0f;
  float above = inside && nz > 1 ? in[(ny + y) * nx + x] : 0.0f;
  for (int z = 1; z < nz - 1; ++z) {
    below = here;
    here = above;
    above = inside ? in[((z + 1) * ny + y) * nx + x] : 0.0f;
    plane[row.meta_group_rank() + 1][row.thread_rank() + 1] = here;
    block.sync();
    float left = row.shfl_up(here, 1);
    float right = row.shfl_down(here, 1);
    if (row.thread_rank() == 0 && inside) left = in[(z * ny + y) * nx + x - 1];
    if (row.thread_rank() == 31 && inside) right = in[(z * ny + y) * nx + x + 1];
    const float north = plane[row.meta_group_rank()][row.thread_rank() + 1];
    const float south = plane[row.meta_group_rank() + 2][row.thread_rank() + 1];
    if (inside) out[(z * ny + y) * nx + x] = (below + above + left + right + north + south) / 6.0f;
    block.sync();
  }
}

// Edit distances along anti-diagonals, a tile for each pair of words.
template <unsigned Size>
__global__ void edit_distance(const char* left, const char* right, int length, int* distances, int pairs) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int pair = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (pair >= pairs) return;
  const int rank = static_cast<int>(tile.thread_rank());
  const char mine = left[pair * static_cast<int>(Size) + rank];
  int current = rank + 1;
  int previous = rank;
  for (int step = 0; step < length + static_cast<int>(Size) - 1; ++step) {
    const int column = step - rank;
    int up = tile.shfl_up(current, 1);
    int diagonal = tile.shfl_up(previous, 1);
    if (rank == 0) {
      up = column + 1;
      diagonal = column;
    }
    if (column >= 0 && column < length) {
      const int cost = mine == right[pair * length + column] ? 0 : 1;
      const int best = min(min(up, current) + 1, diagonal + cost);
      previous = current;
      current = best;
    }
  }
  if (rank == static_cast<int>(Size) - 1) distances[pair] = current;
}

const void* const kernels[] = {
    KERNEL(five_points),       KERNEL(three_points<8>),   KERNEL(three_points<16>), KERNEL(three_points<32>),
    KERNEL(staged_window),     KERNEL(two_stages),        KERNEL(tile_copies<8>),   KERNEL(tile_copies<32>),
    KERNEL(pipelined_sum),     KERNEL(matrix_product),    KERNEL(transpose),        KERNEL(convolve<8>),
    KERNEL(convolve<16>),      KERNEL(convolve<32>),      KERNEL(seven_points),     KERNEL(edit_distance<8>),
    KERNEL(edit_distance<16>), KERNEL(edit_distance<32>),
};
