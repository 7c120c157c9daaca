// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// B-trees and other ordered structures: a tile reads a node, and votes select the child.

constexpr unsigned no_value = ~0u;

// A node of `Size` words: pairs of a key and a child or value by adjacent lanes; the last pair is the sibling.
template <unsigned Size>
__global__ void btree_find(const unsigned* nodes, unsigned root, unsigned height, const unsigned* keys,
                           unsigned* values, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned mine = thread < n ? keys[thread] : 0;
  unsigned result = no_value;
  unsigned work = tile.ballot(thread < n);
  while (work != 0) {
    const int source = __ffs(static_cast<int>(work)) - 1;
    const unsigned key = tile.shfl(mine, source);
    unsigned node = root;
    for (unsigned level = 0;; ++level) {
      const unsigned word = nodes[node * Size + tile.thread_rank()];
      const bool is_key = tile.thread_rank() % 2 == 0;
      const unsigned not_above = tile.ballot(is_key && word != no_value && word <= key);
      const int place = 31 - __clz(static_cast<int>(not_above));
      if (level == height) {
        const unsigned found = tile.shfl(word, place < 0 ? 0 : place);
        const unsigned value = tile.shfl(word, place < 0 ? 1 : place + 1);
        if (static_cast<int>(tile.thread_rank()) == source && found == key) result = value;
        break;
      }
      node = tile.shfl(word, place < 0 ? 1 : place + 1);
    }
    work &= work - 1;
  }
  if (thread < n) values[thread] = result;
}

// Counts the keys of [low, high) from the leaves, which are linked.
template <unsigned Size>
__global__ void btree_range(const unsigned* nodes, const unsigned* first_leaves, const uint2* ranges, unsigned* counts,
                            int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const uint2 range = ranges[index];
  unsigned leaf = first_leaves[index];
  unsigned count = 0;
  while (leaf != no_value) {
    const unsigned word = nodes[leaf * Size + tile.thread_rank()];
    const bool is_key = tile.thread_rank() < Size - 1 && word != no_value;
    count += __popc(static_cast<int>(tile.ballot(is_key && word >= range.x && word < range.y)));
    if (tile.any(is_key && word >= range.y)) break;
    leaf = tile.shfl(word, static_cast<int>(Size) - 1);
  }
  if (tile.thread_rank() == 0) counts[index] = count;
}

// Inserts into leaves under a lock: larger keys move up by one place. A full leaf is split.
template <unsigned Size>
__global__ void btree_insert(unsigned* nodes, unsigned* locks, unsigned* made, const unsigned* leaves,
                             const unsigned* keys, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned key = keys[index];
  unsigned leaf = leaves[index];
  bool done = false;
  while (!done) {
    unsigned taken = 0;
    if (tile.thread_rank() == 0) taken = atomicCAS(locks + leaf, 0u, 1u) == 0u ? 1u : 0u;
    if (tile.shfl(taken, 0) == 0) continue;
    __threadfence();
    unsigned* word = nodes + leaf * Size + tile.thread_rank();
    unsigned mine = *reinterpret_cast<volatile unsigned*>(word);
    const unsigned used = tile.ballot(tile.thread_rank() < Size - 1 && mine != no_value);
    const unsigned count = static_cast<unsigned>(__popc(static_cast<int>(used)));
    if (tile.any(tile.thread_rank() < Size - 1 && mine == key)) {
      done = true;
    } else if (count < Size - 1) {
      const unsigned place = static_cast<unsigned>(__popc(static_cast<int>(tile.ballot(mine < key))));
      const unsigned below = tile.shfl_up(mine, 1);
      if (tile.thread_rank() < Size - 1) {
        if (tile.thread_rank() == place) mine = key;
        if (tile.thread_rank() > place) mine = below;
        *word = mine;
      }
      done = true;
    } else {
      unsigned sibling = 0;
      if (tile.thread_rank() == 0) sibling = atomicAdd(made, 1u);
      sibling = tile.shfl(sibling, 0);
      const unsigned upper = tile.shfl_down(mine, Size / 2);
      const unsigned next = tile.shfl(mine, static_cast<int>(Size) - 1);
      const unsigned middle = tile.shfl(mine, static_cast<int>(Size) / 2);
      const bool is_link = tile.thread_rank() == Size - 1;
      nodes[sibling * Size + tile.thread_rank()] = is_link                             ? next
                                                   : tile.thread_rank() < Size / 2 - 1 ? upper
                                                                                       : no_value;
      __threadfence();
      if (tile.thread_rank() >= Size / 2) *word = is_link ? sibling : no_value;
      tile.sync();
      if (tile.thread_rank() == 0) atomicExch(locks + leaf, 0u);
      if (key >= middle) leaf = sibling;
      continue;
    }
    __threadfence();
    tile.sync();
    if (tile.thread_rank() == 0) atomicExch(locks + leaf, 0u);
  }
}

// A skip list: a tile descends over its levels.
__global__ void skip_list_find(const unsigned* towers, const unsigned* keys, const unsigned* queries, unsigned* found,
                               int n) {
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int index = static_cast<int>(cg::this_grid().thread_rank() / 16);
  if (index >= n) return;
  const unsigned query = queries[index];
  unsigned node = 0;
  while (true) {
    const unsigned next = towers[node * 16 + tile.thread_rank()];
    const unsigned fits = tile.ballot(next != no_value && keys[next] <= query);
    if (fits == 0) break;
    node = tile.shfl(next, 31 - __clz(static_cast<int>(fits)));
  }
  if (tile.thread_rank() == 0) found[index] = node;
}

// A search in a sorted array by `Size` + 1 sections.
template <unsigned Size>
__global__ void section_search(const int* sorted, int n, const int* queries, int* places, int count) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  for (int q = (blockIdx.x * blockDim.x + threadIdx.x) / Size; q < count; q += gridDim.x * blockDim.x / Size) {
    const int query = queries[q];
    int low = 0;
    int high = n;
    while (high - low > static_cast<int>(Size)) {
      const int step = (high - low + Size) / (Size + 1);
      const int probe = min(low + (static_cast<int>(tile.thread_rank()) + 1) * step, high - 1);
      const int sections = __popc(static_cast<int>(tile.ballot(sorted[probe] < query)));
      const int base = low;
      low = min(base + sections * step, high - 1);
      high = min(base + (sections + 1) * step, high);
    }
    const int at = low + static_cast<int>(tile.thread_rank());
    const int before = __popc(static_cast<int>(tile.ballot(at < high && sorted[at] < query)));
    if (tile.thread_rank() == 0) places[q] = low + before;
  }
}

// Ray casting through a tree of boxes: a warp keeps one stack, and its lanes vote on each node.
__global__ void traverse(const float4* boxes, const int2* children, const float4* rays, int n, int* hits) {
  __shared__ int stacks[8][32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  int* stack = stacks[warp.meta_group_rank() & 7];
  const int i = static_cast<int>(blockIdx.x * blockDim.x + block.thread_rank());
  const float4 ray = i < n ? rays[i] : make_float4(0, 0, 0, -1);
  int best = -1;
  int top = 0;
  if (warp.thread_rank() == 0) stack[0] = 0;
  warp.sync();
  while (top >= 0) {
    const int node = stack[top];
    warp.sync();
    --top;
    const float4 box = boxes[node];
    const float dx = ray.x - box.x;
    const float dy = ray.y - box.y;
    const float dz = ray.z - box.z;
    const bool touches = i < n && dx * dx + dy * dy + dz * dz <= box.w + ray.w;
    if (!warp.any(touches)) continue;
    const int2 pair = children[node];
    if (pair.x < 0) {
      if (touches) best = pair.y;
    } else {
      if (warp.thread_rank() == 0) {
        stack[top + 1] = pair.x;
        stack[top + 2] = pair.y;
      }
      top += 2;
    }
    warp.sync();
  }
  if (i < n) hits[i] = best;
}

const void* const kernels[] = {
    KERNEL(btree_find<8>),      KERNEL(btree_find<16>),  KERNEL(btree_find<32>),    KERNEL(btree_range<8>),
    KERNEL(btree_range<16>),    KERNEL(btree_range<32>), KERNEL(btree_insert<8>),   KERNEL(btree_insert<16>),
    KERNEL(btree_insert<32>),   KERNEL(skip_list_find),  KERNEL(section_search<4>), KERNEL(section_search<8>),
    KERNEL(section_search<32>), KERNEL(traverse),
};
