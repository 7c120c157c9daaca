// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Approximate filters and sketches: Bloom, cuckoo, fingerprints in two buckets, count-min, distinct counts.

__device__ inline unsigned long long hash64(unsigned long long key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdull;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53ull;
  return key ^ key >> 33;
}

// A blocked Bloom filter: each lane of a tile sets the bits of one word of the key's block.
template <unsigned Size>
__global__ void bloom_insert(unsigned* words, unsigned blocks, const unsigned long long* keys, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned long long hashed = hash64(keys[index]);
  const unsigned block = static_cast<unsigned>(hashed >> 32) % blocks;
  const unsigned salt = static_cast<unsigned>(hashed) * (2 * tile.thread_rank() + 1);
  atomicOr(words + block * Size + tile.thread_rank(), 1u << (salt >> 27) | 1u << (salt >> 22 & 31u));
}

template <unsigned Size>
__global__ void bloom_contains(const unsigned* words, unsigned blocks, const unsigned long long* keys,
                               unsigned char* found, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / Size);
  if (index >= n) return;
  const unsigned long long hashed = hash64(keys[index]);
  const unsigned block = static_cast<unsigned>(hashed >> 32) % blocks;
  const unsigned salt = static_cast<unsigned>(hashed) * (2 * tile.thread_rank() + 1);
  const unsigned bits = 1u << (salt >> 27) | 1u << (salt >> 22 & 31u);
  const bool has_all = (words[block * Size + tile.thread_rank()] & bits) == bits;
  const bool result = tile.all(has_all);
  if (tile.thread_rank() == 0) found[index] = result ? 1 : 0;
}

// Fingerprints of 16 bits in the emptier of two buckets.
template <unsigned Size>
__global__ void fingerprint_insert(unsigned short* table, unsigned buckets, const unsigned long long* keys, int n,
                                   unsigned* failures) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  for (int index = (blockIdx.x * blockDim.x + threadIdx.x) / Size; index < n; index += gridDim.x * blockDim.x / Size) {
    const unsigned long long hashed = hash64(keys[index]);
    const unsigned short print = static_cast<unsigned short>(hashed | 1);
    const unsigned first = static_cast<unsigned>(hashed >> 32) % buckets;
    const unsigned second = (first ^ print * 0x5bd1e995u) % buckets;
    bool done = false;
    while (!done) {
      const unsigned in_first = tile.ballot(table[first * Size + tile.thread_rank()] != 0);
      const unsigned in_second = tile.ballot(table[second * Size + tile.thread_rank()] != 0);
      const bool takes_first = __popc(static_cast<int>(in_first)) <= __popc(static_cast<int>(in_second));
      const unsigned vacant = ~(takes_first ? in_first : in_second) & (Size == 32 ? ~0u : (1u << Size % 32) - 1u);
      if (vacant == 0) {
        if (tile.thread_rank() == 0) atomicAdd(failures, 1u);
        break;
      }
      bool stored = false;
      if (static_cast<int>(tile.thread_rank()) == __ffs(static_cast<int>(vacant)) - 1) {
        unsigned short* place = table + (takes_first ? first : second) * Size + tile.thread_rank();
        stored = atomicCAS(place, static_cast<unsigned short>(0), print) == 0;
      }
      done = tile.any(stored);
    }
  }
}

template <unsigned Size>
__global__ void fingerprint_contains(const unsigned short* table, unsigned buckets, const unsigned long long* keys,
                                     unsigned char* found, int n) {
  const auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  for (int index = (blockIdx.x * blockDim.x + threadIdx.x) / Size; index < n; index += gridDim.x * blockDim.x / Size) {
    const unsigned long long hashed = hash64(keys[index]);
    const unsigned short print = static_cast<unsigned short>(hashed | 1);
    const unsigned first = static_cast<unsigned>(hashed >> 32) % buckets;
    const unsigned second = (first ^ print * 0x5bd1e995u) % buckets;
    bool hit = tile.any(table[first * Size + tile.thread_rank()] == print);
    if (!hit) hit = tile.any(table[second * Size + tile.thread_rank()] == print);
    if (tile.thread_rank() == 0) found[index] = hit ? 1 : 0;
  }
}

// A cuckoo filter: words of four fingerprints of 8 bits, moved between two buckets.
__global__ void cuckoo_filter_insert(unsigned* words, unsigned buckets, const unsigned long long* keys, int n,
                                     unsigned* failures) {
  const auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 4);
  if (index >= n) return;
  const unsigned long long hashed = hash64(keys[index]);
  unsigned print = static_cast<unsigned>(hashed & 254u) + 1;
  unsigned bucket = static_cast<unsigned>(hashed >> 32) % buckets;
  for (int moves = 0; moves < 64; ++moves) {
    unsigned* place = words + bucket * 4 + tile.thread_rank();
    const unsigned seen = *place;
    const unsigned zero_bytes = (seen - 0x01010101u) & ~seen & 0x80808080u;
    const unsigned with_room = tile.ballot(zero_bytes != 0);
    const int leader = with_room != 0 ? __ffs(static_cast<int>(with_room)) - 1 : moves & 3;
    unsigned evicted = 0;
    if (static_cast<int>(tile.thread_rank()) == leader) {
      const int shift = with_room != 0 ? (__ffs(static_cast<int>(zero_bytes)) - 1) / 8 * 8 : (moves >> 2 & 3) * 8;
      const unsigned wanted = (seen & ~(255u << shift)) | print << shift;
      evicted = atomicCAS(place, seen, wanted) == seen ? seen >> shift & 255u : 256u;
    }
    evicted = tile.shfl(evicted, leader);
    if (evicted == 0) return;
    if (evicted == 256) continue;
    print = evicted;
    bucket = (bucket ^ print * 0x5bd1e995u) % buckets;
  }
  if (tile.thread_rank() == 0) atomicAdd(failures, 1u);
}

// A count-min sketch: each lane of a tile is one row.
__global__ void sketch_add(unsigned* rows, unsigned width, const unsigned long long* keys, unsigned* estimates, int n) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const int index = static_cast<int>((blockIdx.x * blockDim.x + threadIdx.x) / 8);
  if (index >= n) return;
  const unsigned long long hashed = hash64(keys[index] + tile.thread_rank() * 0x9e3779b97f4a7c15ull);
  const unsigned count = atomicAdd(rows + tile.thread_rank() * width + static_cast<unsigned>(hashed % width), 1u) + 1;
  const unsigned least = cg::reduce(tile, count, cg::less<unsigned>());
  if (tile.thread_rank() == 0) estimates[index] = least;
}

// Registers of a distinct count: lanes with the same register keep their largest rank.
__global__ void distinct_add(int* registers, const unsigned long long* keys, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const unsigned long long hashed = hash64(keys[i]);
    const int rank = __clzll(static_cast<long long>(hashed << 12 | 1ull << 11)) + 1;
    const auto same = cg::labeled_partition(cg::coalesced_threads(), static_cast<unsigned>(hashed >> 52));
    const int largest = cg::reduce(same, rank, cg::greater<int>());
    if (same.thread_rank() == 0) atomicMax(registers + (hashed >> 52), largest);
  }
}

// The estimate of a distinct count: a harmonic mean over the block.
__global__ void distinct_estimate(const int* registers, int count, float* estimate) {
  __shared__ float partial[32];
  const auto block = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(block);
  float sum = 0;
  for (unsigned i = block.thread_rank(); i < static_cast<unsigned>(count); i += block.size()) {
    sum += exp2f(-static_cast<float>(registers[i]));
  }
  sum = cg::reduce(warp, sum, cg::plus<float>());
  if (warp.thread_rank() == 0) partial[warp.meta_group_rank()] = sum;
  cg::sync(block);
  if (block.thread_rank() < 32) {
    sum = warp.thread_rank() < warp.meta_group_size() ? partial[warp.thread_rank()] : 0.0f;
    sum = cg::reduce(warp, sum, cg::plus<float>());
    if (warp.thread_rank() == 0) *estimate = 0.7213f * count * count / sum;
  }
}

const void* const kernels[] = {
    KERNEL(bloom_insert<1>),
    KERNEL(bloom_insert<4>),
    KERNEL(bloom_insert<8>),
    KERNEL(bloom_insert<32>),
    KERNEL(bloom_contains<1>),
    KERNEL(bloom_contains<2>),
    KERNEL(bloom_contains<8>),
    KERNEL(bloom_contains<16>),
    KERNEL(bloom_contains<32>),
    KERNEL(fingerprint_insert<8>),
    KERNEL(fingerprint_insert<16>),
    KERNEL(fingerprint_insert<32>),
    KERNEL(fingerprint_contains<4>),
    KERNEL(fingerprint_contains<16>),
    KERNEL(fingerprint_contains<32>),
    KERNEL(cuckoo_filter_insert),
    KERNEL(sketch_add),
    KERNEL(distinct_add),
    KERNEL(distinct_estimate),
};
