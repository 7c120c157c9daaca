// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hash tables with open addressing: a tile probes a window of adjacent slots. One value for each key, or many.

constexpr unsigned empty_key = ~0u;
constexpr unsigned erased_key = ~1u;

struct key_value {
  unsigned key;
  unsigned value;
};

__device__ inline unsigned mix(unsigned key) {
  key ^= key >> 16;
  key *= 0x85ebca6bu;
  key ^= key >> 13;
  key *= 0xc2b2ae35u;
  return key ^ key >> 16;
}

// A walk over windows of `Size` slots by double hashing.
template <unsigned Size>
struct window_walk {
  unsigned windows;
  unsigned window;
  unsigned stride;
  __device__ window_walk(unsigned key, unsigned capacity)
      : windows(capacity / Size), window(mix(key) % windows), stride(1 + mix(key * 31u) % (windows - 1)) {}
  __device__ unsigned slot(unsigned rank) const { return window * Size + rank; }
  __device__ void next() {
    window += stride;
    if (window >= windows) window -= windows;
  }
};

// Inserts a pair, or replaces the value of a key that exists. Status 1: inserted, 2: replaced, 3: the table is full.
template <unsigned Size>
__global__ void insert_or_assign(key_value* table, unsigned capacity, const key_value* pairs, int n,
                                 unsigned char* status) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const key_value pair = pairs[index];
  window_walk<Size> walk(pair.key, capacity);
  for (unsigned probes = 0; probes < walk.windows; ++probes, walk.next()) {
    key_value* slot = table + walk.slot(tile.thread_rank());
    const unsigned seen = slot->key;
    const unsigned same = tile.ballot(seen == pair.key);
    if (same != 0) {
      if (static_cast<int>(tile.thread_rank()) == __ffs(static_cast<int>(same)) - 1) {
        slot->value = pair.value;
        status[index] = 2;
      }
      return;
    }
    unsigned vacant = tile.ballot(seen == empty_key || seen == erased_key);
    while (vacant != 0) {
      const int leader = __ffs(static_cast<int>(vacant)) - 1;
      bool stored = false;
      bool other_has_key = false;
      if (static_cast<int>(tile.thread_rank()) == leader) {
        const unsigned old = atomicCAS(&slot->key, seen, pair.key);
        stored = old == seen;
        other_has_key = old == pair.key;
        if (stored || other_has_key) {
          slot->value = pair.value;
          status[index] = stored ? 1 : 2;
        }
      }
      if (tile.any(stored || other_has_key)) return;
      vacant &= vacant - 1;
    }
  }
  if (tile.thread_rank() == 0) status[index] = 3;
}

// Inserts 64-bit pairs by one compare-and-swap of the pair.
template <unsigned Size>
__global__ void insert_packed(unsigned long long* table, unsigned capacity, const unsigned long long* pairs, int n,
                              int* failures) {
  const auto block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<Size>(block);
  for (int i = blockIdx.x * (blockDim.x / Size) + tile.meta_group_rank(); i < n; i += gridDim.x * (blockDim.x / Size)) {
    const unsigned long long pair = pairs[i];
    window_walk<Size> walk(static_cast<unsigned>(pair >> 32), capacity);
    bool done = false;
    for (unsigned probes = 0; probes < walk.windows && !done; ++probes) {
      unsigned long long* slot = table + walk.slot(tile.thread_rank());
      const unsigned long long seen = *slot;
      if (tile.any(static_cast<unsigned>(seen >> 32) == static_cast<unsigned>(pair >> 32))) {
        done = true;
        break;
      }
      const unsigned vacant = tile.ballot(seen == ~0ull);
      if (vacant == 0) {
        walk.next();
        continue;
      }
      const int source = __ffs(static_cast<int>(vacant)) - 1;
      int won = 0;
      if (static_cast<int>(tile.thread_rank()) == source) won = atomicCAS(slot, ~0ull, pair) == ~0ull ? 1 : 0;
      done = tile.shfl(won, source) != 0;
    }
    if (!done && tile.thread_rank() == 0) atomicAdd(failures, 1);
  }
}

// Looks up keys; a key that is not in the table gets `missing`.
template <unsigned Size>
__global__ void find(const key_value* table, unsigned capacity, const unsigned* keys, unsigned* values, int n,
                     unsigned missing) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned key = keys[index];
  window_walk<Size> walk(key, capacity);
  for (unsigned probes = 0; probes < walk.windows; ++probes) {
    const key_value seen = table[walk.slot(tile.thread_rank())];
    const unsigned same = tile.ballot(seen.key == key);
    if (same != 0) {
      if (static_cast<int>(tile.thread_rank()) == __ffs(static_cast<int>(same)) - 1) values[index] = seen.value;
      return;
    }
    if (tile.any(seen.key == empty_key)) break;
    walk.next();
  }
  if (tile.thread_rank() == 0) values[index] = missing;
}

// Marks the slots of keys as erased, and counts them.
template <unsigned Size>
__global__ void erase(key_value* table, unsigned capacity, const unsigned* keys, int n, unsigned* erased) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned key = keys[index];
  window_walk<Size> walk(key, capacity);
  for (unsigned probes = 0; probes < walk.windows; ++probes, walk.next()) {
    key_value* slot = table + walk.slot(tile.thread_rank());
    const unsigned seen = slot->key;
    if (seen == key) {
      slot->key = erased_key;
      const auto active = cg::coalesced_threads();
      if (active.thread_rank() == 0) atomicAdd(erased, active.size());
    }
    if (tile.any(seen == key || seen == empty_key)) return;
  }
}

// Adds `amounts` to counters by key: a histogram of unknown keys.
template <unsigned Size>
__global__ void count_keys(key_value* table, unsigned capacity, const unsigned* keys, const unsigned* amounts, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned key = keys[index];
  window_walk<Size> walk(key, capacity);
  while (true) {
    key_value* slot = table + walk.slot(tile.thread_rank());
    const unsigned seen = slot->key;
    unsigned candidates = tile.ballot(seen == key || seen == empty_key);
    while (candidates != 0) {
      const int leader = __ffs(static_cast<int>(candidates)) - 1;
      bool added = false;
      if (static_cast<int>(tile.thread_rank()) == leader) {
        const unsigned old = seen == key ? key : atomicCAS(&slot->key, empty_key, key);
        added = old == key || old == empty_key;
        if (added) atomicAdd(&slot->value, amounts[index]);
      }
      if (tile.any(added)) return;
      candidates ^= 1u << leader;
    }
    walk.next();
  }
}

// A table with many values for a key. Counter: how distinct keys are counted, 0 not at all, 1 by an atomic for each
// thread, 2 by one for all threads that arrive together, 3 by a ticket for each key.
template <unsigned Size, int Counter>
__global__ void insert_multi(key_value* table, unsigned capacity, const unsigned* keys, int n, unsigned* distinct,
                             int limit) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned key = keys[index];
  window_walk<Size> walk(key, capacity);
  int found = 0;
  for (unsigned probes = 0; probes < walk.windows; ++probes, walk.next()) {
    key_value* slot = table + walk.slot(tile.thread_rank());
    const unsigned seen = slot->key;
    unsigned vacant = tile.ballot(seen == empty_key);
    found += __popc(static_cast<int>(tile.ballot(seen == key)));
    if (found >= limit) return;
    while (vacant != 0) {
      const unsigned leader = static_cast<unsigned>(__ffs(static_cast<int>(vacant)) - 1);
      bool stored = false;
      bool same = false;
      if (tile.thread_rank() == leader) {
        const unsigned old = atomicCAS(&slot->key, seen, key);
        stored = old == seen;
        same = old == key;
        if (stored) {
          slot->value = index;
          if (Counter == 1 && found == 0) atomicAdd(distinct, 1u);
          if (Counter >= 2 && found == 0) {
            const auto active = cg::coalesced_threads();
            unsigned first = 0;
            if (active.thread_rank() == 0) first = atomicAdd(distinct, active.size());
            if (Counter == 3) distinct[1 + active.shfl(first, 0) + active.thread_rank()] = key;
          }
        }
      }
      if (tile.any(stored)) return;
      found += tile.any(same);
      if (found >= limit) return;
      vacant ^= 1u << leader;
    }
  }
}

// Writes all values of each key to places that `ends` counts up to.
template <unsigned Size>
__global__ void retrieve_all(const key_value* table, unsigned capacity, const unsigned* keys, int n, unsigned* ends,
                             unsigned* values) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned key = keys[index];
  window_walk<Size> walk(key, capacity);
  for (unsigned probes = 0; probes < walk.windows; ++probes, walk.next()) {
    const key_value seen = table[walk.slot(tile.thread_rank())];
    const bool hit = seen.key == key;
    const unsigned hits = tile.ballot(hit);
    unsigned first = 0;
    if (tile.thread_rank() == 0 && hits != 0)
      first = atomicAdd(ends, static_cast<unsigned>(__popc(static_cast<int>(hits))));
    first = tile.shfl(first, 0);
    const unsigned below = hits & ((1u << tile.thread_rank()) - 1u);
    if (hit) values[first + __popc(static_cast<int>(below))] = seen.value;
    if (tile.any(seen.key == empty_key)) return;
  }
}

// A static set: one thread probes for each key, and the threads of a warp that find one append together.
__global__ void intersect_set(const unsigned* set, unsigned mask, const unsigned* keys, int n, unsigned* out,
                              unsigned* count) {
  const int i = static_cast<int>(cg::this_grid().thread_rank());
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned at = mix(key) & mask;
  while (set[at] != key && set[at] != empty_key) at = (at + 1) & mask;
  if (set[at] == key) {
    const auto hits = cg::coalesced_threads();
    unsigned first = 0;
    if (hits.thread_rank() == 0) first = atomicAdd(count, hits.num_threads());
    out[hits.shfl(first, 0) + hits.thread_rank()] = key;
  }
}

const void* const kernels[] = {
    KERNEL(insert_or_assign<1>),
    KERNEL(insert_or_assign<2>),
    KERNEL(insert_or_assign<4>),
    KERNEL(insert_or_assign<8>),
    KERNEL(insert_or_assign<16>),
    KERNEL(insert_or_assign<32>),
    KERNEL(insert_packed<1>),
    KERNEL(insert_packed<4>),
    KERNEL(insert_packed<8>),
    KERNEL(insert_packed<16>),
    KERNEL(insert_packed<32>),
    KERNEL(find<1>),
    KERNEL(find<2>),
    KERNEL(find<4>),
    KERNEL(find<8>),
    KERNEL(find<16>),
    KERNEL(find<32>),
    KERNEL(erase<2>),
    KERNEL(erase<8>),
    KERNEL(erase<32>),
    KERNEL(count_keys<1>),
    KERNEL(count_keys<4>),
    KERNEL(count_keys<16>),
    KERNEL(insert_multi<8, 0>),
    KERNEL(insert_multi<8, 1>),
    KERNEL(insert_multi<8, 2>),
    KERNEL(insert_multi<8, 3>),
    KERNEL(insert_multi<2, 3>),
    KERNEL(insert_multi<16, 2>),
    KERNEL(insert_multi<32, 3>),
    KERNEL(retrieve_all<1>),
    KERNEL(retrieve_all<4>),
    KERNEL(retrieve_all<8>),
    KERNEL(retrieve_all<32>),
    KERNEL(intersect_set),
};
