// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Queues, stacks, locks and filters of arrays, with one atomic for all threads that arrive together.

// Adds the calling threads to a counter by one atomic. Returns each thread's own place.
template <class Group>
__device__ unsigned take_places(const Group& group, unsigned* counter) {
  unsigned first = 0;
  if (group.thread_rank() == 0) first = atomicAdd(counter, static_cast<unsigned>(group.size()));
  return group.shfl(first, 0) + group.thread_rank();
}

// Keeps the elements above a limit.
__global__ void filter(const int* in, int n, int limit, int* out, unsigned* kept) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (in[i] > limit) out[take_places(cg::coalesced_threads(), kept)] = in[i];
  }
}

// Keeps the elements above a limit in their order within a tile.
template <unsigned Size>
__global__ void filter_by_tile(const int* in, int n, int limit, int* out, unsigned* kept) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    const int i = base + static_cast<int>(threadIdx.x);
    const bool keep = i < n && in[i] > limit;
    const unsigned chosen = tile.ballot(keep);
    unsigned first = 0;
    if (tile.thread_rank() == 0) first = atomicAdd(kept, static_cast<unsigned>(__popc(static_cast<int>(chosen))));
    first = tile.shfl(first, 0);
    if (keep) out[first + __popc(static_cast<int>(chosen & ((1u << tile.thread_rank()) - 1u)))] = in[i];
  }
}

// Splits an array into elements below and above a pivot.
__global__ void split(const float* in, int n, float pivot, float* low, float* high, unsigned* ends) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  if (i >= n) return;
  const float value = in[i];
  const auto side = cg::binary_partition(cg::coalesced_threads(), value < pivot);
  float* out = value < pivot ? low : high;
  out[take_places(side, ends + (value < pivot ? 0 : 1))] = value;
  warp.sync();
}

// Counts odd and even numbers by a partition of each tile.
__global__ void count_odd(const int* in, unsigned n, unsigned* odd, int* sums) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<32>(block);
  for (unsigned i = block.thread_rank(); i < n; i += block.size()) {
    const auto part = cg::binary_partition(tile, (in[i] & 1) != 0);
    if (in[i] & 1) {
      if (part.thread_rank() == 0) atomicAdd(odd, part.size());
      const int sum = cg::reduce(part, in[i], cg::plus<int>());
      if (part.thread_rank() == 0) atomicAdd(sums, sum);
    } else {
      const int sum = cg::reduce(part, in[i], cg::plus<int>());
      if (part.thread_rank() == 0) atomicAdd(sums + 1, sum);
    }
    tile.sync();
  }
}

// A ring of slots with a turn for each: producers wait until the slot is empty.
__global__ void ring_push(unsigned* ring, unsigned* turns, unsigned mask, unsigned* tail, const unsigned* items,
                          int n) {
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  if (i >= n) return;
  const unsigned item = items[i];
  if (item == 0) return;
  const unsigned place = take_places(cg::coalesced_threads(), tail);
  const unsigned turn = place / (mask + 1) * 2;
  volatile unsigned* mine = turns + (place & mask);
  while (*mine != turn) __nanosleep(20);
  ring[place & mask] = item;
  __threadfence();
  *mine = turn + 1;
}

// Takes up to one item for each lane of a warp, and runs a function of it.
__global__ void ring_pop(const unsigned* ring, volatile unsigned* turns, unsigned mask, unsigned* head,
                         const unsigned* tail, unsigned* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  while (true) {
    unsigned first = 0;
    unsigned count = 0;
    if (warp.thread_rank() == 0) {
      first = *head;
      const unsigned end = *tail;
      count = min(end - first, 32u);
      if (count != 0 && atomicCAS(head, first, first + count) != first) count = 33;
    }
    count = warp.shfl(count, 0);
    if (count == 0) return;
    if (count == 33) continue;
    first = warp.shfl(first, 0);
    if (warp.thread_rank() < count) {
      const unsigned place = first + warp.thread_rank();
      const unsigned turn = place / (mask + 1) * 2 + 1;
      while (turns[place & mask] != turn) __nanosleep(20);
      out[place] = ring[place & mask] * 2654435761u;
      __threadfence();
      turns[place & mask] = turn + 1;
    }
    warp.sync();
  }
}

// A lock in memory that one thread of each tile takes for its tile.
template <unsigned Size>
__global__ void locked_update(unsigned* lock, double* account, const double* amounts, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  double mine = i < n ? amounts[i] : 0.0;
  for (unsigned distance = Size / 2; distance > 0; distance /= 2) mine += tile.shfl_down(mine, distance);
  if (tile.thread_rank() == 0) {
    while (atomicCAS(lock, 0u, 1u) != 0u) __nanosleep(50);
    __threadfence();
  }
  tile.sync();
  if (tile.thread_rank() == 0) *account += mine;
  tile.sync();
  if (tile.thread_rank() == 0) {
    __threadfence();
    atomicExch(lock, 0u);
  }
}

// Persistent blocks that take ranges of tasks from a counter, through shared memory.
__global__ void task_loop(unsigned* next, unsigned tasks, const float* in, float* out, int width) {
  __shared__ unsigned range;
  const auto block = cg::this_thread_block();
  while (true) {
    if (block.thread_rank() == 0) range = atomicAdd(next, 4u);
    block.sync();
    const unsigned first = range;
    block.sync();
    if (first >= tasks) return;
    for (unsigned task = first; task < min(first + 4, tasks); ++task) {
      for (unsigned i = block.thread_rank(); i < static_cast<unsigned>(width); i += block.num_threads()) {
        out[task * width + i] = in[task * width + i] * in[task * width + i];
      }
    }
  }
}

// Descends a tree level by level; each warp pushes the children of its nodes to a stack.
__global__ void tree_levels(const int2* children, unsigned* frontier, unsigned* next, unsigned* sizes, int levels) {
  const auto grid = cg::this_grid();
  for (int level = 0; level < levels; ++level) {
    const unsigned count = sizes[level];
    for (unsigned i = static_cast<unsigned>(grid.thread_rank()); i < count; i += static_cast<unsigned>(grid.size())) {
      const int2 pair = children[frontier[i]];
      if (pair.x >= 0) next[take_places(cg::coalesced_threads(), sizes + level + 1)] = pair.x;
      if (pair.y >= 0) next[take_places(cg::coalesced_threads(), sizes + level + 1)] = pair.y;
    }
    grid.sync();
    unsigned* swapped = frontier;
    frontier = next;
    next = swapped;
  }
}

// Adds values to buckets by label: one atomic for each label of a warp.
__global__ void add_by_label(const unsigned* labels, const unsigned* values, int n, unsigned* sums) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) return;
  const auto group = cg::labeled_partition(cg::coalesced_threads(), labels[i]);
  const unsigned sum = cg::reduce(group, values[i], cg::plus<unsigned>());
  if (group.thread_rank() == 0) atomicAdd(sums + labels[i], sum);
}

// Scatters elements to buckets in a stable order within each warp.
__global__ void scatter_by_label(const unsigned* keys, int n, unsigned shift, unsigned* ends, unsigned* out) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned key = i < n ? keys[i] : ~0u;
  const unsigned digit = key >> shift & 255u;
  const unsigned peers = warp.match_any(digit);
  const int leader = __ffs(static_cast<int>(peers)) - 1;
  unsigned first = 0;
  if (static_cast<int>(warp.thread_rank()) == leader) {
    first = atomicAdd(ends + digit, static_cast<unsigned>(__popc(static_cast<int>(peers))));
  }
  first = warp.shfl(first, leader);
  if (i < n) out[first + __popc(static_cast<int>(peers & ((1u << warp.thread_rank()) - 1u)))] = key;
}

const void* const kernels[] = {
    KERNEL(filter),
    KERNEL(filter_by_tile<4>),
    KERNEL(filter_by_tile<8>),
    KERNEL(filter_by_tile<16>),
    KERNEL(filter_by_tile<32>),
    KERNEL(split),
    KERNEL(count_odd),
    KERNEL(ring_push),
    KERNEL(ring_pop),
    KERNEL(locked_update<4>),
    KERNEL(locked_update<8>),
    KERNEL(locked_update<32>),
    KERNEL(task_loop),
    KERNEL(tree_levels),
    KERNEL(add_by_label),
    KERNEL(scatter_by_label),
};
