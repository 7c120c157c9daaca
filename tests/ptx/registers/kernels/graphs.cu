// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs and sparse matrices in compressed rows.

struct graph {
  const int* offsets;
  const int* targets;
  int vertices;
};

__device__ inline void append(int value, int* out, unsigned* count) {
  const auto active = cg::coalesced_threads();
  unsigned first = 0;
  if (active.thread_rank() == 0) first = atomicAdd(count, active.size());
  out[active.shfl(first, 0) + active.thread_rank()] = value;
}

// One level of a breadth-first search, a tile for each vertex of the frontier.
template <unsigned Size>
__global__ void bfs_level(graph g, int* distances, const int* frontier, unsigned size, int* next, unsigned* next_size,
                          int level) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  for (unsigned i = (blockIdx.x * blockDim.x + threadIdx.x) / Size; i < size; i += gridDim.x * blockDim.x / Size) {
    const int vertex = frontier[i];
    const int end = g.offsets[vertex + 1];
    for (int edge = g.offsets[vertex] + static_cast<int>(tile.thread_rank()); edge < end;
         edge += static_cast<int>(Size)) {
      const int target = g.targets[edge];
      if (distances[target] < 0 && atomicCAS(distances + target, -1, level) == -1) append(target, next, next_size);
    }
  }
}

// A level without lists: each vertex searches its neighbors for a parent in the frontier's bitmap.
__global__ void bfs_bottom_up(graph g, const unsigned* frontier, unsigned* next, int* distances, int level) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int vertex = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  bool found = false;
  if (vertex < g.vertices && distances[vertex] < 0) {
    for (int edge = g.offsets[vertex]; edge < g.offsets[vertex + 1] && !found; ++edge) {
      const int target = g.targets[edge];
      found = (frontier[target / 32] >> (target % 32) & 1u) != 0;
    }
    if (found) distances[vertex] = level;
  }
  const unsigned bits = warp.ballot(found);
  if (warp.thread_rank() == 0 && vertex < g.vertices) next[vertex / 32] = bits;
}

// Expands vertices by the size of their lists: long lists by the block, middle ones by warps, the rest by threads.
__global__ void expand_by_degree(graph g, const int* frontier, unsigned size, int* marks) {
  __shared__ int owner;
  __shared__ int bounds[2];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  const unsigned i = blockIdx.x * blockDim.x + block.thread_rank();
  int begin = 0;
  int end = 0;
  if (i < size) {
    begin = g.offsets[frontier[i]];
    end = g.offsets[frontier[i] + 1];
  }
  while (__syncthreads_or(end - begin >= 256)) {
    if (end - begin >= 256) owner = static_cast<int>(block.thread_rank());
    block.sync();
    if (owner == static_cast<int>(block.thread_rank())) {
      bounds[0] = begin;
      bounds[1] = end;
      begin = end;
    }
    block.sync();
    for (int edge = bounds[0] + static_cast<int>(block.thread_rank()); edge < bounds[1];
         edge += static_cast<int>(block.size())) {
      marks[g.targets[edge]] = 1;
    }
  }
  while (warp.any(end - begin >= 32)) {
    const int source = __ffs(static_cast<int>(warp.ballot(end - begin >= 32))) - 1;
    const int last = warp.shfl(end, source);
    for (int edge = warp.shfl(begin, source) + static_cast<int>(warp.thread_rank()); edge < last; edge += 32) {
      marks[g.targets[edge]] = 1;
    }
    if (static_cast<int>(warp.thread_rank()) == source) begin = end;
  }
  for (; begin < end; ++begin) marks[g.targets[begin]] = 1;
}

// Relaxes edges of a shortest-path search.
template <unsigned Size>
__global__ void relax_edges(graph g, const unsigned* weights, unsigned* distances, const int* frontier, unsigned size,
                            int* next, unsigned* next_size, unsigned* queued, unsigned round) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned index = (blockIdx.x * blockDim.x + threadIdx.x) / Size;
  if (index >= size) return;
  int vertex = 0;
  unsigned mine = 0;
  if (tile.thread_rank() == 0) {
    vertex = frontier[index];
    mine = distances[vertex];
  }
  vertex = tile.shfl(vertex, 0);
  mine = tile.shfl(mine, 0);
  for (int edge = g.offsets[vertex] + static_cast<int>(tile.thread_rank()); edge < g.offsets[vertex + 1];
       edge += static_cast<int>(Size)) {
    const int target = g.targets[edge];
    const unsigned through = mine + weights[edge];
    if (through < atomicMin(distances + target, through) && atomicExch(queued + target, round) != round) {
      append(target, next, next_size);
    }
  }
}

// Page rank by pulls, a tile for each vertex.
template <unsigned Size>
__global__ void page_rank(graph g, const float* ranks, const float* shares, float* out, float damping, float* change) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int vertex = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (vertex >= g.vertices) return;
  float sum = 0;
  for (int edge = g.offsets[vertex] + static_cast<int>(tile.thread_rank()); edge < g.offsets[vertex + 1];
       edge += static_cast<int>(Size)) {
    sum += shares[g.targets[edge]];
  }
  sum = cg::reduce(tile, sum, cg::plus<float>());
  if (tile.thread_rank() == 0) {
    const float rank = (1.0f - damping) / g.vertices + damping * sum;
    out[vertex] = rank;
    atomicAdd(change, fabsf(rank - ranks[vertex]));
  }
}

// Sparse matrix by vector.
template <unsigned Size, class T>
__global__ void multiply_rows(graph g, const T* values, const T* x, T* y, T alpha, T beta) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int rows_of_grid = static_cast<int>(gridDim.x * blockDim.x / Size);
  for (int row = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size); row < g.vertices;
       row += rows_of_grid) {
    T sum = 0;
    for (int at = g.offsets[row] + static_cast<int>(tile.thread_rank()); at < g.offsets[row + 1];
         at += static_cast<int>(Size)) {
      sum += values[at] * x[g.targets[at]];
    }
    for (unsigned distance = Size / 2; distance > 0; distance /= 2) sum += tile.shfl_xor(sum, distance);
    if (tile.thread_rank() == 0) y[row] = alpha * sum + beta * y[row];
  }
}

// Triangles: the lanes of a tile look up the shorter list in the longer one.
template <unsigned Size>
__global__ void count_triangles(graph g, const int2* edges, int n, unsigned long long* total) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  unsigned long long mine = 0;
  for (int i = (blockIdx.x * blockDim.x + threadIdx.x) / Size; i < n; i += gridDim.x * blockDim.x / Size) {
    int a = edges[i].x;
    int b = edges[i].y;
    if (g.offsets[a + 1] - g.offsets[a] > g.offsets[b + 1] - g.offsets[b]) {
      const int swapped = a;
      a = b;
      b = swapped;
    }
    for (int at = g.offsets[a] + static_cast<int>(tile.thread_rank()); at < g.offsets[a + 1];
         at += static_cast<int>(Size)) {
      const int wanted = g.targets[at];
      int low = g.offsets[b];
      int high = g.offsets[b + 1];
      while (low < high) {
        const int middle = (low + high) / 2;
        if (g.targets[middle] < wanted) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      mine += low < g.offsets[b + 1] && g.targets[low] == wanted ? 1 : 0;
    }
  }
  mine = cg::reduce(tile, mine, cg::plus<unsigned long long>());
  if (tile.thread_rank() == 0 && mine != 0) atomicAdd(total, mine);
}

// Connected components: hooks of roots, and jumps over parents until nothing changes.
__global__ void hook_and_jump(graph g, int* parents, int* changed) {
  const auto grid = cg::this_grid();
  do {
    grid.sync();
    if (grid.thread_rank() == 0) *changed = 0;
    grid.sync();
    for (unsigned long long i = grid.thread_rank(); i < static_cast<unsigned long long>(g.vertices); i += grid.size()) {
      const int vertex = static_cast<int>(i);
      for (int edge = g.offsets[vertex]; edge < g.offsets[vertex + 1]; ++edge) {
        const int a = parents[vertex];
        const int b = parents[g.targets[edge]];
        if (a < b && parents[b] == b) {
          parents[b] = a;
          *changed = 1;
        }
      }
    }
    grid.sync();
    for (unsigned long long i = grid.thread_rank(); i < static_cast<unsigned long long>(g.vertices); i += grid.size()) {
      while (parents[i] != parents[parents[i]]) parents[i] = parents[parents[i]];
    }
    grid.sync();
  } while (*reinterpret_cast<volatile int*>(changed) != 0);
}

// Greedy colors: a warp collects the colors of a vertex's neighbors in a word.
__global__ void color_vertices(graph g, const unsigned* priorities, int* colors, unsigned* left) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int vertex = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 32);
  if (vertex >= g.vertices || colors[vertex] >= 0) return;
  unsigned used = 0;
  bool waits = false;
  for (int edge = g.offsets[vertex] + static_cast<int>(warp.thread_rank()); edge < g.offsets[vertex + 1]; edge += 32) {
    const int target = g.targets[edge];
    const int color = colors[target];
    if (color >= 0) used |= 1u << (color & 31);
    waits = waits || (color < 0 && priorities[target] > priorities[vertex]);
  }
  used = cg::reduce(warp, used, cg::bit_or<unsigned>());
  if (warp.any(waits)) {
    if (warp.thread_rank() == 0) atomicAdd(left, 1u);
  } else if (warp.thread_rank() == 0) {
    colors[vertex] = __ffs(static_cast<int>(~used)) - 1;
  }
}

// Random walks, one for each lane; walks that have ended leave the group.
__global__ void random_walks(graph g, const int* starts, int n, int steps, int* ends, unsigned seed) {
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  if (i >= n) return;
  int vertex = starts[i];
  unsigned state = seed ^ i * 2654435761u;
  for (int step = 0; step < steps; ++step) {
    const int degree = g.offsets[vertex + 1] - g.offsets[vertex];
    if (degree == 0) break;
    state = state * 1664525u + 1013904223u;
    const auto walking = cg::coalesced_threads();
    const unsigned shared_bits = walking.shfl(state, 0);
    vertex = g.targets[g.offsets[vertex] + (state ^ shared_bits >> 16) % degree];
    walking.sync();
  }
  ends[i] = vertex;
}

// Neighbors with the same label: matches within a tile, the most frequent label wins.
template <unsigned Size>
__global__ void propagate_labels(graph g, const int* labels, int* out) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int vertex = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (vertex >= g.vertices) return;
  int best = labels[vertex];
  int most = 0;
  for (int base = g.offsets[vertex]; base < g.offsets[vertex + 1]; base += static_cast<int>(Size)) {
    const int edge = base + static_cast<int>(tile.thread_rank());
    const int label =
        edge < g.offsets[vertex + 1] ? labels[g.targets[edge]] : -1 - static_cast<int>(tile.thread_rank());
    const int count = __popc(static_cast<int>(tile.match_any(label)));
    const int high = cg::reduce(tile, label >= 0 ? count : 0, cg::greater<int>());
    const unsigned winners = tile.ballot(label >= 0 && count == high);
    const int winner = tile.shfl(label, winners == 0 ? 0 : __ffs(static_cast<int>(winners)) - 1);
    if (high > most) {
      most = high;
      best = winner;
    }
  }
  if (tile.thread_rank() == 0) out[vertex] = best;
}

const void* const kernels[] = {
    KERNEL(bfs_level<1>),
    KERNEL(bfs_level<4>),
    KERNEL(bfs_level<8>),
    KERNEL(bfs_level<32>),
    KERNEL(bfs_bottom_up),
    KERNEL(expand_by_degree),
    KERNEL(relax_edges<4>),
    KERNEL(relax_edges<8>),
    KERNEL(relax_edges<32>),
    KERNEL(page_rank<2>),
    KERNEL(page_rank<8>),
    KERNEL(page_rank<32>),
    KERNEL(multiply_rows<2, float>),
    KERNEL(multiply_rows<8, float>),
    KERNEL(multiply_rows<16, double>),
    KERNEL(multiply_rows<32, double>),
    KERNEL(count_triangles<4>),
    KERNEL(count_triangles<16>),
    KERNEL(count_triangles<32>),
    KERNEL(hook_and_jump),
    KERNEL(color_vertices),
    KERNEL(random_walks),
    KERNEL(propagate_labels<8>),
    KERNEL(propagate_labels<16>),
    KERNEL(propagate_labels<32>),
};
