// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hash tables of buckets: cuckoo hashing, the emptier of two buckets, and chains of slabs.

constexpr unsigned no_key = ~0u;
constexpr unsigned no_slab = ~0u;

__device__ inline unsigned bucket_of(unsigned key, unsigned function, unsigned buckets) {
  const unsigned factors[] = {2654435761u, 40503u * 65537u, 0x9e3779b1u, 0x85ebca77u};
  const unsigned hashed = (key ^ function * 0x27d4eb2fu) * factors[function & 3];
  return __umulhi(hashed, buckets);
}

// Cuckoo hashing with buckets of `Size` pairs: a full bucket gives up a random pair, which moves to its next bucket.
template <unsigned Size>
__global__ void cuckoo_insert(unsigned long long* table, unsigned buckets, const unsigned long long* pairs, int n,
                              int limit, int* failures) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  const bool has_pair = thread < static_cast<unsigned>(n);
  unsigned long long mine = has_pair ? pairs[thread] : 0;
  unsigned work = tile.ballot(has_pair);
  while (work != 0) {
    const int source = __ffs(static_cast<int>(work)) - 1;
    unsigned long long pair = tile.shfl(mine, source);
    unsigned key = static_cast<unsigned>(pair >> 32);
    unsigned bucket = bucket_of(key, 0, buckets);
    unsigned random = key;
    int moves = 0;
    for (; moves < limit; ++moves) {
      unsigned long long* slot = table + static_cast<unsigned long long>(bucket) * Size + tile.thread_rank();
      const unsigned long long seen = *slot;
      const unsigned taken = tile.ballot(seen != ~0ull);
      const unsigned load = static_cast<unsigned>(__popc(static_cast<int>(taken)));
      if (load < Size) {
        const int place = __ffs(static_cast<int>(~taken)) - 1;
        bool stored = false;
        if (static_cast<int>(tile.thread_rank()) == place) stored = atomicCAS(slot, ~0ull, pair) == ~0ull;
        if (tile.any(stored)) break;
        continue;
      }
      random = random * 1664525u + 1013904223u;
      const unsigned victim = (random >> 16) % Size;
      unsigned long long old = 0;
      if (tile.thread_rank() == victim) old = atomicExch(slot, pair);
      pair = tile.shfl(old, static_cast<int>(victim));
      key = static_cast<unsigned>(pair >> 32);
      unsigned next = 0;
      for (unsigned function = 0; function < 3; ++function) {
        if (bucket_of(key, function, buckets) == bucket) next = (function + 1) % 3;
      }
      bucket = bucket_of(key, next, buckets);
    }
    if (moves == limit && tile.thread_rank() == 0) atomicAdd(failures, 1);
    if (static_cast<int>(tile.thread_rank()) == source) mine = 0;
    work &= work - 1;
  }
}

// Looks up one key of each thread; the tile serves its threads one after another.
template <unsigned Size>
__global__ void cuckoo_find(const unsigned long long* table, unsigned buckets, const unsigned* keys, unsigned* values,
                            int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const unsigned mine = thread < n ? keys[thread] : no_key;
  unsigned result = no_key;
  unsigned work = tile.ballot(thread < n);
  while (work != 0) {
    const int source = __ffs(static_cast<int>(work)) - 1;
    const unsigned key = tile.shfl(mine, source);
    unsigned value = no_key;
    for (unsigned function = 0; function < 3; ++function) {
      const unsigned long long seen =
          table[static_cast<unsigned long long>(bucket_of(key, function, buckets)) * Size + tile.thread_rank()];
      const unsigned same = tile.ballot(static_cast<unsigned>(seen >> 32) == key);
      if (same != 0) {
        value = tile.shfl(static_cast<unsigned>(seen), __ffs(static_cast<int>(same)) - 1);
        break;
      }
      if (tile.any(seen == ~0ull)) break;
    }
    if (static_cast<int>(tile.thread_rank()) == source) result = value;
    work &= work - 1;
  }
  if (thread < n) values[thread] = result;
}

// Inserts into the emptier of two buckets.
template <unsigned Size>
__global__ void two_choice_insert(unsigned* table, unsigned buckets, const unsigned* keys, int n, int* failures) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned key = keys[index];
  unsigned* first = table + bucket_of(key, 0, buckets) * Size;
  unsigned* second = table + bucket_of(key, 1, buckets) * Size;
  for (int tries = 0; tries < 8; ++tries) {
    const unsigned free_first = tile.ballot(first[tile.thread_rank()] == no_key);
    const unsigned free_second = tile.ballot(second[tile.thread_rank()] == no_key);
    const int first_count = __popc(static_cast<int>(free_first));
    const int second_count = __popc(static_cast<int>(free_second));
    if (first_count == 0 && second_count == 0) break;
    unsigned* bucket = first_count >= second_count ? first : second;
    const int place = __ffs(static_cast<int>(first_count >= second_count ? free_first : free_second)) - 1;
    bool stored = false;
    if (static_cast<int>(tile.thread_rank()) == place) stored = atomicCAS(bucket + place, no_key, key) == no_key;
    if (tile.any(stored)) return;
  }
  tile.sync();
  if (tile.thread_rank() == 0) atomicAdd(failures, 1);
}

// A slab: 15 or 31 words of keys, and the index of the next slab in the last word.
template <unsigned Size>
__global__ void slab_find(const unsigned* slabs, const unsigned* heads, unsigned lists, const unsigned* keys,
                          unsigned char* found, int n) {
  const auto warp = cg::tiled_partition<Size>(cg::this_thread_block());
  const int thread = static_cast<int>(cg::this_grid().thread_rank());
  const unsigned mine = thread < n ? keys[thread] : no_key;
  const unsigned list = bucket_of(mine, 0, lists);
  bool active = thread < n;
  unsigned char result = 0;
  unsigned queue = 0;
  unsigned last_queue = 0;
  unsigned slab = 0;
  while ((queue = warp.ballot(active)) != 0) {
    const int source = __ffs(static_cast<int>(queue)) - 1;
    const unsigned key = warp.shfl(mine, source);
    if (queue != last_queue) slab = heads[warp.shfl(list, source)];
    last_queue = queue;
    const unsigned word = slabs[static_cast<unsigned long long>(slab) * Size + warp.thread_rank()];
    const bool is_key = word == key && warp.thread_rank() != Size - 1;
    if (warp.any(is_key)) {
      if (static_cast<int>(warp.thread_rank()) == source) {
        result = 1;
        active = false;
      }
      continue;
    }
    slab = warp.shfl(word, static_cast<int>(Size) - 1);
    if (slab == no_slab) {
      if (static_cast<int>(warp.thread_rank()) == source) active = false;
      last_queue = 0;
    }
  }
  if (thread < n) found[thread] = result;
}

// Inserts keys into chains of slabs; a full chain gets a slab from a counter.
template <unsigned Size>
__global__ void slab_insert(unsigned* slabs, const unsigned* heads, unsigned lists, const unsigned* keys, int n,
                            unsigned* allocated, unsigned most_slabs) {
  const auto warp = cg::tiled_partition<Size>(cg::this_thread_block());
  const int thread = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  bool active = thread < n;
  const unsigned mine = active ? keys[thread] : no_key;
  unsigned queue = warp.ballot(active);
  while (queue != 0) {
    const int source = __ffs(static_cast<int>(queue)) - 1;
    const unsigned key = warp.shfl(mine, source);
    unsigned slab = heads[bucket_of(key, 0, lists)];
    bool done = false;
    while (!done) {
      unsigned* word = slabs + static_cast<unsigned long long>(slab) * Size + warp.thread_rank();
      const unsigned seen = *word;
      const unsigned vacant = warp.ballot(seen == no_key && warp.thread_rank() != Size - 1);
      if (vacant != 0) {
        bool stored = false;
        if (static_cast<int>(warp.thread_rank()) == __ffs(static_cast<int>(vacant)) - 1) {
          stored = atomicCAS(word, no_key, key) == no_key;
        }
        done = warp.any(stored);
        continue;
      }
      unsigned next = warp.shfl(seen, static_cast<int>(Size) - 1);
      if (next == no_slab) {
        if (warp.thread_rank() == Size - 1) {
          const unsigned made = atomicAdd(allocated, 1u);
          if (made < most_slabs) {
            const unsigned old = atomicCAS(word, no_slab, made);
            next = old == no_slab ? made : old;
          }
        }
        next = warp.shfl(next, static_cast<int>(Size) - 1);
        if (next == no_slab) return;
      }
      slab = next;
    }
    queue &= queue - 1;
  }
}

// Counts the keys of all chains, a warp for each chain, with a reduction at the end.
__global__ void slab_count(const unsigned* slabs, const unsigned* heads, unsigned lists, unsigned* total) {
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  unsigned mine = 0;
  for (unsigned list = blockIdx.x * warp.meta_group_size() + warp.meta_group_rank(); list < lists;
       list += gridDim.x * warp.meta_group_size()) {
    for (unsigned slab = heads[list]; slab != no_slab;) {
      const unsigned word = slabs[slab * 32ull + warp.thread_rank()];
      mine += word != no_key && warp.thread_rank() < 31 ? 1u : 0u;
      slab = warp.shfl(word, 31);
    }
  }
  const unsigned sum = cg::reduce(warp, mine, cg::plus<unsigned>());
  if (warp.thread_rank() == 0) atomicAdd(total, sum);
}

const void* const kernels[] = {
    KERNEL(cuckoo_insert<4>),      KERNEL(cuckoo_insert<8>),
    KERNEL(cuckoo_insert<16>),     KERNEL(cuckoo_insert<32>),
    KERNEL(cuckoo_find<4>),        KERNEL(cuckoo_find<8>),
    KERNEL(cuckoo_find<16>),       KERNEL(cuckoo_find<32>),
    KERNEL(two_choice_insert<8>),  KERNEL(two_choice_insert<16>),
    KERNEL(two_choice_insert<32>), KERNEL(slab_find<16>),
    KERNEL(slab_find<32>),         KERNEL(slab_insert<16>),
    KERNEL(slab_insert<32>),       KERNEL(slab_count),
};
