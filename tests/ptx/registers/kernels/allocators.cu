// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory allocators in device code: bitmaps, pages, free lists.

constexpr unsigned no_memory = ~0u;

// A warp keeps a bitmap of 1024 units, 32 in each lane, and serves the requests of its lanes.
__global__ void bitmap_allocate(unsigned* bitmaps, const unsigned char* wants, unsigned* units, int n,
                                unsigned blocks) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  unsigned super = (thread / 32 * 2654435761u) % blocks;
  unsigned bits = bitmaps[super * 32 + warp.thread_rank()];
  unsigned result = no_memory;
  unsigned work = warp.ballot(thread < n && wants[thread] != 0);
  int moves = 0;
  while (work != 0) {
    const unsigned with_room = warp.ballot(bits != ~0u);
    if (with_room == 0) {
      if (++moves == 16) break;
      super = (super + 1) % blocks;
      bits = bitmaps[super * 32 + warp.thread_rank()];
      continue;
    }
    const int source = __ffs(static_cast<int>(work)) - 1;
    const int owner = __ffs(static_cast<int>(with_room)) - 1;
    unsigned unit = no_memory;
    if (static_cast<int>(warp.thread_rank()) == owner) {
      const int bit = __ffs(static_cast<int>(~bits)) - 1;
      const unsigned old = atomicOr(bitmaps + super * 32 + owner, 1u << bit);
      if ((old >> bit & 1u) == 0) unit = (super * 32 + owner) * 32 + bit;
      bits = old | 1u << bit;
    }
    unit = warp.shfl(unit, owner);
    if (unit == no_memory) continue;
    if (static_cast<int>(warp.thread_rank()) == source) result = unit;
    work &= work - 1;
  }
  if (thread < n) units[thread] = result;
}

// Frees units; threads that free in the same word combine their bits.
__global__ void bitmap_free(unsigned* bitmaps, const unsigned* units, int n) {
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  if (i >= n || units[i] == no_memory) return;
  const auto active = cg::coalesced_threads();
  const unsigned word = units[i] / 32;
  const auto same = cg::labeled_partition(active, word);
  const unsigned bits = cg::reduce(same, 1u << units[i] % 32, cg::bit_or<unsigned>());
  if (same.thread_rank() == 0) atomicAnd(bitmaps + word, ~bits);
}

// A bump allocator: the threads of a warp add their sizes by a scan, and one of them advances the end.
template <unsigned Size>
__global__ void bump_allocate(unsigned long long* end, unsigned long long limit, const unsigned* sizes,
                              unsigned long long* places, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned bytes = i < n ? (sizes[i] + 15u) / 16u * 16u : 0u;
  const unsigned through = cg::inclusive_scan(tile, bytes, cg::plus<unsigned>());
  unsigned long long first = 0;
  if (tile.thread_rank() == Size - 1) first = atomicAdd(end, static_cast<unsigned long long>(through));
  first = tile.shfl(first, static_cast<int>(Size) - 1);
  if (i < n) places[i] = first + through <= limit ? first + through - bytes : ~0ull;
}

// A bump allocator for the threads that run together.
__global__ void bump_allocate_coalesced(unsigned* end, const unsigned* sizes, unsigned* places, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n || sizes[i] == 0) return;
  const auto active = cg::coalesced_threads();
  const unsigned before = cg::exclusive_scan(active, sizes[i], cg::plus<unsigned>());
  unsigned first = 0;
  if (active.thread_rank() == active.size() - 1) first = atomicAdd(end, before + sizes[i]);
  places[i] = active.shfl(first, static_cast<int>(active.size()) - 1) + before;
}

// A stack of free pages, linked by their numbers, with a counter against reuse in the upper half of its head.
__global__ void pop_pages(unsigned long long* head, const unsigned* next, unsigned* pages, int n) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 8);
  if (index >= n) return;
  unsigned page = no_memory;
  if (tile.thread_rank() == 0) {
    unsigned long long old = *head;
    while (static_cast<unsigned>(old) != no_memory) {
      const unsigned long long wanted = ((old >> 32) + 1) << 32 | next[static_cast<unsigned>(old)];
      const unsigned long long seen = atomicCAS(head, old, wanted);
      if (seen == old) {
        page = static_cast<unsigned>(old);
        break;
      }
      old = seen;
    }
  }
  page = tile.shfl(page, 0);
  if (page != no_memory) pages[index * 8 + tile.thread_rank()] = page * 8 + tile.thread_rank();
}

// Requests of several size classes: threads with the same class allocate together.
__global__ void allocate_by_class(unsigned* ends, const unsigned char* classes, unsigned* places, int n) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int size_class = i < n ? classes[i] : -1;
  const auto same = cg::labeled_partition(warp, size_class);
  if (size_class < 0) return;
  unsigned first = 0;
  if (same.thread_rank() == 0) first = atomicAdd(ends + size_class, same.num_threads() << size_class);
  places[i] = same.shfl(first, 0) + (same.thread_rank() << size_class);
}

// Counts the free units of all bitmaps.
__global__ void count_free(const unsigned* bitmaps, int words, unsigned* total) {
  __shared__ unsigned partial[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  unsigned mine = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += gridDim.x * blockDim.x) {
    mine += __popc(static_cast<int>(~bitmaps[i]));
  }
  mine = cg::reduce(warp, mine, cg::plus<unsigned>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = mine;
  block.sync();
  if (warp.meta_group_rank() == 0) {
    mine = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0u;
    mine = cg::reduce(warp, mine, cg::plus<unsigned>());
    if (warp.thread_rank() == 0) atomicAdd(total, mine);
  }
}

const void* const kernels[] = {
    KERNEL(bitmap_allocate),  KERNEL(bitmap_free),       KERNEL(bump_allocate<4>),
    KERNEL(bump_allocate<8>), KERNEL(bump_allocate<32>), KERNEL(bump_allocate_coalesced),
    KERNEL(pop_pages),        KERNEL(allocate_by_class), KERNEL(count_free),
};
