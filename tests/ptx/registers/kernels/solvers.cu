// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Solvers in one cooperative launch, small dense systems by tiles, and functions that take any group.

struct sparse {
  const int* offsets;
  const int* columns;
  const double* values;
  int rows;
};

__device__ inline void add_dot(const double* a, const double* b, int n, double* result, const cg::thread_block& block,
                               const cg::grid_group& grid) {
  extern __shared__ double partial[];
  double mine = 0;
  for (unsigned long long i = grid.thread_rank(); i < static_cast<unsigned long long>(n); i += grid.size()) {
    mine += a[i] * b[i];
  }
  const auto warp = cg::tiled_partition<32>(block);
  mine = cg::reduce(warp, mine, cg::plus<double>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = mine;
  cg::sync(block);
  if (warp.meta_group_rank() == 0) {
    mine = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0.0;
    mine = cg::reduce(warp, mine, cg::plus<double>());
    if (warp.thread_rank() == 0) atomicAdd(result, mine);
  }
}

__device__ inline void multiply(const sparse& a, const double* x, double* y, const cg::grid_group& grid) {
  for (unsigned long long row = grid.thread_rank(); row < static_cast<unsigned long long>(a.rows); row += grid.size()) {
    double sum = 0;
    for (int at = a.offsets[row]; at < a.offsets[row + 1]; ++at) sum += a.values[at] * x[a.columns[at]];
    y[row] = sum;
  }
}

// Conjugate gradients. `sums` holds three numbers that are zero at first.
__global__ void conjugate_gradients(sparse a, double* x, double* r, double* p, double* q, double* sums,
                                    double tolerance, int most) {
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  add_dot(r, r, a.rows, sums, block, grid);
  cg::sync(grid);
  double old = sums[0];
  for (int k = 0; k < most && old > tolerance * tolerance; ++k) {
    multiply(a, p, q, grid);
    if (grid.thread_rank() == 0) sums[1] = 0;
    cg::sync(grid);
    add_dot(p, q, a.rows, sums + 1, block, grid);
    if (grid.thread_rank() == 0) sums[2] = 0;
    cg::sync(grid);
    const double step = old / sums[1];
    for (unsigned long long i = grid.thread_rank(); i < static_cast<unsigned long long>(a.rows); i += grid.size()) {
      x[i] += step * p[i];
      r[i] -= step * q[i];
    }
    cg::sync(grid);
    add_dot(r, r, a.rows, sums + 2, block, grid);
    cg::sync(grid);
    const double now = sums[2];
    for (unsigned long long i = grid.thread_rank(); i < static_cast<unsigned long long>(a.rows); i += grid.size()) {
      p[i] = r[i] + now / old * p[i];
    }
    old = now;
    cg::sync(grid);
  }
}

// Jacobi's iteration with a warp for each row and a norm of the change.
__global__ void jacobi(const float* a, const float* b, float* x, float* next, int n, float* norms, int iterations) {
  const auto grid = cg::this_grid();
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const int first = static_cast<int>(grid.block_rank() * warp.meta_group_size() + warp.meta_group_rank());
  const int stride = static_cast<int>(grid.num_blocks() * warp.meta_group_size());
  for (int k = 0; k < iterations; ++k) {
    float change = 0;
    for (int row = first; row < n; row += stride) {
      float sum = 0;
      for (int i = static_cast<int>(warp.thread_rank()); i < n; i += 32) sum += i == row ? 0.0f : a[row * n + i] * x[i];
      sum = cg::reduce(warp, sum, cg::plus<float>());
      if (warp.thread_rank() == 0) {
        const float value = (b[row] - sum) / a[row * n + row];
        change += fabsf(value - x[row]);
        next[row] = value;
      }
    }
    if (warp.thread_rank() == 0) atomicAdd(norms + k, change);
    grid.sync();
    if (reinterpret_cast<volatile float*>(norms)[k] < 1e-6f) return;
    float* swapped = x;
    x = next;
    next = swapped;
  }
}

// Heat on a plane, several steps in one launch.
__global__ void heat(float* now, float* next, int width, int height, int steps) {
  const auto grid = cg::this_grid();
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x) + 1;
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y) + 1;
  for (int step = 0; step < steps; ++step) {
    if (x < width - 1 && y < height - 1) {
      const int at = y * width + x;
      next[at] = now[at] + 0.1f * (now[at - 1] + now[at + 1] + now[at - width] + now[at + width] - 4.0f * now[at]);
    }
    grid.sync();
    float* swapped = now;
    now = next;
    next = swapped;
  }
}

// Power iteration with the norm by a block of tiles.
__global__ void power_iteration(const double* a, double* x, double* y, int n, double* norm, int steps) {
  const auto grid = cg::this_grid();
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned tiles = static_cast<unsigned>(grid.size() / 16);
  for (int step = 0; step < steps; ++step) {
    double square = 0;
    for (unsigned row = static_cast<unsigned>(grid.thread_rank() / 16); row < static_cast<unsigned>(n); row += tiles) {
      double sum = 0;
      for (unsigned i = tile.thread_rank(); i < static_cast<unsigned>(n); i += 16) sum += a[row * n + i] * x[i];
      sum = cg::reduce(tile, sum, cg::plus<double>());
      if (tile.thread_rank() == 0) {
        y[row] = sum;
        square += sum * sum;
      }
    }
    if (tile.thread_rank() == 0) atomicAdd(norm + step, square);
    grid.sync();
    const double factor = rsqrt(norm[step]);
    for (unsigned i = static_cast<unsigned>(grid.thread_rank()); i < static_cast<unsigned>(n);
         i += static_cast<unsigned>(grid.size()))
      x[i] = y[i] * factor;
    grid.sync();
  }
}

// Cholesky factors of small matrices, a tile for each, a row in each lane.
template <unsigned Size>
__global__ void cholesky(float* matrices, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  float* row = matrices + (index * Size + tile.thread_rank()) * Size;
  float mine[Size];
  for (unsigned i = 0; i < Size; ++i) mine[i] = row[i];
#pragma unroll
  for (unsigned k = 0; k < Size; ++k) {
    const float pivot = sqrtf(tile.shfl(mine[k], static_cast<int>(k)));
    mine[k] = tile.thread_rank() == k ? pivot : mine[k] / pivot;
#pragma unroll
    for (unsigned j = k + 1; j < Size; ++j) {
      const float factor = tile.shfl(mine[k], static_cast<int>(j));
      if (tile.thread_rank() >= j) mine[j] -= mine[k] * factor;
    }
  }
  for (unsigned i = 0; i < Size; ++i) row[i] = i <= tile.thread_rank() ? mine[i] : 0.0f;
}

// Elimination with pivots: the lane with the largest element wins a vote.
template <unsigned Size>
__global__ void eliminate(float* matrices, int* pivots, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  float* row = matrices + (index * Size + tile.thread_rank()) * Size;
  bool is_used = false;
  for (unsigned k = 0; k < Size; ++k) {
    const float size = is_used ? -1.0f : fabsf(row[k]);
    const float high = cg::reduce(tile, size, cg::greater<float>());
    const int pivot = __ffs(static_cast<int>(tile.ballot(size == high))) - 1;
    const float factor = row[k] / tile.shfl(row[k], pivot);
    for (unsigned j = k; j < Size; ++j) {
      const float above = tile.shfl(row[j], pivot);
      if (!is_used && static_cast<int>(tile.thread_rank()) != pivot) row[j] -= factor * above;
    }
    if (static_cast<int>(tile.thread_rank()) == pivot) {
      is_used = true;
      pivots[index * Size + k] = pivot;
    }
  }
}

// Tridiagonal systems by cyclic reduction in a warp.
__global__ void tridiagonal(const float* lower, const float* diagonal, const float* upper, const float* right, float* x,
                            int systems) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i / 32 >= systems) return;
  float a = warp.thread_rank() == 0 ? 0.0f : lower[i];
  float b = diagonal[i];
  float c = warp.thread_rank() == 31 ? 0.0f : upper[i];
  float d = right[i];
  for (unsigned distance = 1; distance < 32; distance *= 2) {
    const float a_up = warp.shfl_up(a, distance);
    const float b_up = warp.shfl_up(b, distance);
    const float c_up = warp.shfl_up(c, distance);
    const float d_up = warp.shfl_up(d, distance);
    const float a_down = warp.shfl_down(a, distance);
    const float b_down = warp.shfl_down(b, distance);
    const float c_down = warp.shfl_down(c, distance);
    const float d_down = warp.shfl_down(d, distance);
    const float alpha = warp.thread_rank() >= distance ? -a / b_up : 0.0f;
    const float gamma = warp.thread_rank() + distance < 32 ? -c / b_down : 0.0f;
    b += alpha * c_up + gamma * a_down;
    d += alpha * d_up + gamma * d_down;
    a = alpha * a_up;
    c = gamma * c_down;
  }
  x[i] = d / b;
}

// Forces between bodies, a tile of bodies at a time in registers.
template <unsigned Size>
__global__ void forces(const float4* bodies, float4* out, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float4 mine = i < n ? bodies[i] : make_float4(0, 0, 0, 0);
  float4 force = make_float4(0, 0, 0, 0);
  for (int base = 0; base < n; base += static_cast<int>(Size)) {
    const int at = base + static_cast<int>(tile.thread_rank());
    const float4 other = at < n ? bodies[at] : make_float4(0, 0, 0, 0);
#pragma unroll 4
    for (int k = 0; k < static_cast<int>(Size); ++k) {
      const float dx = tile.shfl(other.x, k) - mine.x;
      const float dy = tile.shfl(other.y, k) - mine.y;
      const float dz = tile.shfl(other.z, k) - mine.z;
      const float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
      const float factor = tile.shfl(other.w, k) * inverse * inverse * inverse;
      force.x += dx * factor;
      force.y += dy * factor;
      force.z += dz * factor;
    }
  }
  if (i < n) out[i] = force;
}

// Nearest centers of points, with sums for the next centers in one launch.
__global__ void k_means(const float2* points, int n, float2* centers, float2* sums, int* counts, int k, int rounds) {
  const auto grid = cg::this_grid();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  for (int round = 0; round < rounds; ++round) {
    for (int base = static_cast<int>(grid.thread_rank() / 32 * 32); base < n; base += static_cast<int>(grid.size())) {
      const int i = base + static_cast<int>(warp.thread_rank());
      int nearest = -1;
      float least = 3.4e38f;
      for (int c = 0; i < n && c < k; ++c) {
        const float dx = points[i].x - centers[c].x;
        const float dy = points[i].y - centers[c].y;
        if (dx * dx + dy * dy < least) {
          least = dx * dx + dy * dy;
          nearest = c;
        }
      }
      const auto same = cg::labeled_partition(warp, nearest);
      const float x = cg::reduce(same, i < n ? points[i].x : 0.0f, cg::plus<float>());
      const float y = cg::reduce(same, i < n ? points[i].y : 0.0f, cg::plus<float>());
      if (nearest >= 0 && same.thread_rank() == 0) {
        atomicAdd(&sums[nearest].x, x);
        atomicAdd(&sums[nearest].y, y);
        atomicAdd(counts + nearest, static_cast<int>(same.size()));
      }
    }
    grid.sync();
    for (int c = static_cast<int>(grid.thread_rank()); c < k; c += static_cast<int>(grid.size())) {
      if (counts[c] != 0) centers[c] = make_float2(sums[c].x / counts[c], sums[c].y / counts[c]);
      sums[c] = make_float2(0, 0);
      counts[c] = 0;
    }
    grid.sync();
  }
}

// A function of any group: the group is an argument of the common type.
__device__ inline float sum_of_group(const cg::thread_group& group, float* memory, float value) {
  const unsigned rank = static_cast<unsigned>(group.thread_rank());
  for (unsigned distance = static_cast<unsigned>(group.size()) / 2; distance > 0; distance /= 2) {
    memory[rank] = value;
    group.sync();
    if (rank < distance) value += memory[rank + distance];
    group.sync();
  }
  return value;
}
__global__ void sum_by_any_group(const float* in, float* out, int n) {
  extern __shared__ float scratch[];
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const float value = i < n ? in[i] : 0.0f;
  const float of_tile = sum_of_group(tile, scratch + threadIdx.x / 32 * 32, value);
  const float of_block = sum_of_group(block, scratch, value);
  if (tile.thread_rank() == 0) out[i / 32] = of_tile + of_block;
}

// Tiles of a size that the launch chooses.
__global__ void sum_by_size(const float* in, float* out, int n, unsigned size) {
  extern __shared__ float staging[];
  const auto block = cg::this_thread_block();
  const auto group = cg::tiled_partition(block, size);
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned rank = static_cast<unsigned>(group.thread_rank());
  float* memory = staging + block.thread_rank() - rank;
  float value = i < n ? in[i] : 0.0f;
  for (unsigned distance = size / 2; distance > 0; distance /= 2) {
    memory[rank] = value;
    group.sync();
    if (rank < distance) value += memory[rank + distance];
    group.sync();
  }
  if (rank == 0) out[i / size] = value;
}

const void* const kernels[] = {
    KERNEL(conjugate_gradients), KERNEL(jacobi),       KERNEL(heat),
    KERNEL(power_iteration),     KERNEL(cholesky<4>),  KERNEL(cholesky<8>),
    KERNEL(cholesky<16>),        KERNEL(eliminate<8>), KERNEL(eliminate<16>),
    KERNEL(eliminate<32>),       KERNEL(tridiagonal),  KERNEL(forces<8>),
    KERNEL(forces<32>),          KERNEL(k_means),      KERNEL(sum_by_any_group),
    KERNEL(sum_by_size),
};
